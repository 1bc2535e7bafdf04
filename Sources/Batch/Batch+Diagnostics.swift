import Bytes
package import Diagnostics
import Foundation
import ObjectModel
import Values

extension Diagnostic.Code {
  static let stepEntity = Self("step.entity", .store)
  static let stepProperty = Self("step.property", .usage)
  static let stepColumn = Self("step.column", .usage)
  static let stepKey = Self("step.key", .usage)
  static let stepRelationship = Self("step.relationship", .usage)
  static let keyNull = Self("key.null", .reject)
  static let keyExists = Self("key.exists", .reject)
  static let keyAmbiguous = Self("key.ambiguous", .reject)
  static let unique = Self("validation.unique", .reject)
  static let linkMissing = Self("link.missing", .reject)
  static let linkAmbiguous = Self("link.ambiguous", .reject)
  static let linkRequired = Self("link.required", .reject)
  static let linkNull = Self("link.null", .reject)
  static let linkOrder = Self("link.order", .reject)
  static let skipLimit = Self("run.skip-limit", .limit)
  static let checkpointUnreadable = Self("run.checkpoint", .store)
  static let otherInput = Self("run.input-changed", .usage)
  static let otherPipeline = Self("run.pipeline-changed", .usage)
  static let streamTwice = Self("run.stream-twice", .usage)
  static let rejectsAreInput = Self("run.rejects-are-input", .usage)
}

// MARK: Steps that do not fit the model or the input

extension Diagnostic {
  static func stepName(_ name: String) -> Diagnostic {
    Diagnostic(
      .stepProperty, "the step name \"\(name)\" cannot be that of a reject file",
      hint: "Take another `name`, without /.")
  }

  static func stepNameLength(_ name: String, _ longest: Int) -> Diagnostic {
    Diagnostic(
      .stepProperty, "the step name \(name.prefix(40))… has \(name.utf8.count) bytes, expected \(longest) at most",
      hint: "It names a reject file. Give the step a shorter `name`.")
  }

  static func rejectsAreNoFile(_ path: String) -> Diagnostic {
    Diagnostic(
      .environmentFile, "the rejected records have no place: \(path) is no file",
      hint: "Remove it, give the step another name, or name another folder by --rejects.")
  }

  static func stepWithoutTarget(_ name: String) -> Diagnostic {
    Diagnostic(.stepProperty, "the step \(name) fills nothing", hint: "Give it an entity, or a link.")
  }

  static func stepWithTwoTargets(_ name: String) -> Diagnostic {
    Diagnostic(.stepProperty, "the step \(name) has an entity and a link", hint: "Make two steps of it.")
  }

  package static func noSuchEntity(_ name: String, known: [String]) -> Diagnostic {
    let near = NearestName.question(name, in: known)
    return Diagnostic(
      .stepEntity, "the model has no entity \(name)",
      hint: "\(near)There are \(known.sorted().joined(separator: ", ")).")
  }

  static func abstractEntity(_ name: String) -> Diagnostic {
    Diagnostic(.stepEntity, "the entity \(name) is abstract: it has no objects", hint: "Name one of its subentities.")
  }

  static func unknownAttribute(_ name: String, of entity: NSEntityDescription, role: String) -> Diagnostic {
    let known = entity.layout.attributes.map(\.path)
    let near = NearestName.question(name, in: known)
    return Diagnostic(
      .stepProperty, "\(role): the entity \(entity.name ?? "") has no attribute \(name)",
      hint: "\(near)There are \(known.joined(separator: ", ")).")
  }

  static func unknownRelationship(_ name: String, of entity: NSEntityDescription) -> Diagnostic {
    let known = entity.relationshipsByName.keys.sorted()
    let near = NearestName.question(name, in: known)
    let list = known.isEmpty ? "It has none." : "There are \(known.joined(separator: ", "))."
    return Diagnostic(
      .stepProperty, "the entity \(entity.name ?? "") has no relationship \(name)", hint: near + list)
  }

  static func noKeyOfDestination(_ relationship: NSRelationshipDescription, of entity: NSEntityDescription)
    -> Diagnostic
  {
    Diagnostic(
      .stepProperty,
      "nothing says by which attribute the destination of \(entity.name ?? "").\(relationship.name) is found",
      hint: "Set `by` in the mapping, or the key `relatedByAttribute` of the relationship's userInfo in the model.")
  }

  static func unknownColumn(_ name: String, in columns: [String], of file: String) -> Diagnostic {
    let near = NearestName.question(name, in: columns)
    return Diagnostic(
      .stepColumn, "there is no column \(name)", hint: "\(near)There are \(columns.joined(separator: ", ")).",
      at: SourcePosition(file: file))
  }

  static func keyWithoutColumn(_ name: String, of entity: NSEntityDescription) -> Diagnostic {
    Diagnostic(
      .stepKey, "the key attribute \(name) of \(entity.name ?? "") is fed by no column",
      hint: "Map a column to it, or take another key.")
  }

  static func ruleWithoutKey(_ rule: ConflictRule) -> Diagnostic {
    Diagnostic(
      .stepKey, "onConflict is \(rule.rawValue), but the step has no key",
      hint: "Name in `key` the attributes that tell objects apart.")
  }

  static func ownLinkWithoutKey(_ name: String) -> Diagnostic {
    Diagnostic(
      .stepKey, "the relationship \(name) leads to the step's own entity, and the step has no key",
      hint: "Name a key, or an `id`: such links are made in a second pass, which finds the objects by it.")
  }

  static func requiredRelationship(_ relationship: NSRelationshipDescription, of entity: NSEntityDescription)
    -> Diagnostic
  {
    let isOwn = relationship.destinationEntity.rootEntity === entity.rootEntity
    let hint =
      isOwn
      ? "It leads to the step's own entity and is filled when all objects are there: make it optional in the model, or give "
        + "the step an `id` and say `linkedLater`."
      : "Give it a column in `relationships`, or, if later steps fill it, the step an `id`, and say `linkedLater`."
    return Diagnostic(
      .stepRelationship, "the relationship \(relationship.name) of \(entity.name ?? "") is required and stays empty",
      hint: hint)
  }

  static func abstractStub(_ relationship: NSRelationshipDescription) -> Diagnostic {
    Diagnostic(
      .stepRelationship,
      "\(relationship.name): missing is create, but \(relationship.destinationEntity.name ?? "") is abstract",
      hint: "Import the destinations first, or set missing to reject or null.")
  }

  static func incompleteStub(_ relationship: NSRelationshipDescription, required: String) -> Diagnostic {
    Diagnostic(
      .stepRelationship,
      "\(relationship.name): missing is create, but \(relationship.destinationEntity.name ?? "").\(required) is required",
      hint: "Import the destinations first, or set missing to reject or null.")
  }

  static func noRunNames(_ column: String) -> Diagnostic {
    Diagnostic(
      .stepProperty, "by: the column \(column) holds names of the run, and no step gives any",
      hint: "Set `id` in the step of the destination to the column that names its objects.")
  }

  static func createByName(_ relationship: NSRelationshipDescription) -> Diagnostic {
    Diagnostic(
      .stepRelationship, "\(relationship.name): missing is create, but a name of the run is no attribute's value",
      hint: "Import the destinations first, or set missing to reject or null.")
  }

  static func linkCreates(_ relationship: NSRelationshipDescription) -> Diagnostic {
    Diagnostic(
      .stepRelationship, "link: \(relationship.name) links objects that are there; missing is create",
      hint: "Set missing to reject or null.")
  }

  static func orderOfUnordered(_ relationship: NSRelationshipDescription) -> Diagnostic {
    Diagnostic(
      .stepRelationship, "link: \(relationship.name) has no order in the model", hint: "Remove `order`.")
  }
}

// MARK: Records

extension Diagnostic {
  static func nullKey(_ names: [String], at position: SourcePosition) -> Diagnostic {
    Diagnostic(
      .keyNull, "the key \(list(names)) is null", hint: "Every record needs a key, or the step none.", at: position)
  }

  static func nullName(at position: SourcePosition) -> Diagnostic {
    Diagnostic(
      .keyNull, "the id is null", hint: "Every record names its object, or the step has no `id`.", at: position)
  }

  static func nameRepeated(_ name: String, line: Int, at position: SourcePosition) -> Diagnostic {
    Diagnostic(
      .keyExists, "the id \"\(name.prefix(60))\" is that of line \(line)",
      hint: "Each record needs an id of its own: links by it could not tell which is meant.", at: position)
  }

  static func nameRepeated(_ name: String, of entity: NSEntityDescription, at position: SourcePosition) -> Diagnostic {
    Diagnostic(
      .keyExists, "the id \"\(name.prefix(60))\" is that of an object of \(entity.name ?? "") before",
      hint: "Ids tell the objects of a whole run apart.", at: position)
  }

  static func removedWithOther(_ entity: NSEntityDescription, at position: SourcePosition) -> Diagnostic {
    Diagnostic(
      .linkRequired, "the \(entity.name ?? "") was removed with another object, which has too few links",
      hint: "The delete rules of the model say so.", at: position)
  }

  static func linkedLaterWithoutID(_ name: String) -> Diagnostic {
    Diagnostic(
      .stepProperty, "the step \(name) says linkedLater and has no id",
      hint: "Name in `id` the column by which later steps find its objects.")
  }

  static func keyExists(_ names: [String], of entity: NSEntityDescription, at position: SourcePosition) -> Diagnostic {
    Diagnostic(
      .keyExists, "the store has an object of \(entity.name ?? "") with this \(list(names))",
      hint: "Set onConflict to update or skip.", at: position)
  }

  static func keyRepeated(_ names: [String], line: Int, at position: SourcePosition) -> Diagnostic {
    Diagnostic(
      .keyExists, "the \(list(names)) is that of line \(line)", hint: "Set onConflict to update or skip.",
      at: position)
  }

  static func ambiguousKey(_ names: [String], of entity: NSEntityDescription, at position: SourcePosition)
    -> Diagnostic
  {
    Diagnostic(
      .keyAmbiguous, "the store has several objects of \(entity.name ?? "") with this \(list(names))",
      hint: "Remove the duplicates, or take a key that tells objects apart.", at: position)
  }

  static func notUnique(_ names: [String], of entity: NSEntityDescription?, at position: SourcePosition)
    -> Diagnostic
  {
    Diagnostic(
      .unique, "another object of \(entity?.name ?? "") has this \(list(names)), which the model wants to be unique",
      hint: "Remove one of the two, or name these attributes as the `key` and set onConflict to update or skip.",
      at: position)
  }

  static func missingDestination(_ relationship: NSRelationshipDescription, _ key: Value, at position: SourcePosition)
    -> Diagnostic
  {
    Diagnostic(
      .linkMissing,
      "\(relationship.name): no object of \(relationship.destinationEntity.name ?? "") has the key \(key.text)",
      hint: "Import it first, or set missing to null or create.", at: position)
  }

  static func ambiguousDestination(
    _ relationship: NSRelationshipDescription, _ key: Value, at position: SourcePosition
  ) -> Diagnostic {
    Diagnostic(
      .linkAmbiguous,
      "\(relationship.name): several objects of \(relationship.destinationEntity.name ?? "") have the key \(key.text)",
      hint: "Take an attribute that tells them apart.", at: position)
  }

  static func requiredDestination(_ relationship: NSRelationshipDescription, at position: SourcePosition)
    -> Diagnostic
  {
    Diagnostic(
      .linkRequired, "\(relationship.name) is required, found no value",
      hint: "Fill the column, or make the relationship optional in the model.", at: position)
  }

  static func nullLinkEnd(_ column: String, at position: SourcePosition) -> Diagnostic {
    Diagnostic(
      .linkNull, "\(column) is null: a link has two ends",
      hint: "Fill the column, or remove the record.", at: position)
  }

  static func missingEnd(_ column: String, _ key: Value, of entity: NSEntityDescription, at position: SourcePosition)
    -> Diagnostic
  {
    Diagnostic(
      .linkMissing, "\(column): no object of \(entity.name ?? "") has the key \(key.text)",
      hint: "Import it first, or set missing to null.", at: position)
  }

  static func ambiguousEnd(_ column: String, _ key: Value, of entity: NSEntityDescription, at position: SourcePosition)
    -> Diagnostic
  {
    Diagnostic(
      .linkAmbiguous, "\(column): several objects of \(entity.name ?? "") have the key \(key.text)",
      hint: "Take an attribute that tells them apart.", at: position)
  }

  static func linkOrder(_ text: String, at position: SourcePosition, column: Int) -> Diagnostic {
    var position = position
    position.column = column
    return Diagnostic(
      .linkOrder, "the order is \"\(ShownText.excerpt(text))\", expected a whole number",
      hint: "Correct it, or leave `order` out: then the links have the order of the records.", at: position)
  }

  private static func list(_ names: [String]) -> String { names.joined(separator: " and ") }
}

extension Value {
  /// The value as a message shows it.
  fileprivate var text: String {
    switch self {
    case .null: "null"
    case .integer(let value): "\(value)"
    case .boolean(let value): "\(value)"
    case .real(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .string(let value): "\"\(value.prefix(60))\""
    case .date(let value): "\(value)"
    case .data(let value): "\(value.count) bytes"
    case .uuid(let value): value.uuidString
    case .url(let value): value.absoluteString
    }
  }
}

// MARK: Runs

extension Diagnostic {
  static func skipLimitExceeded(_ name: String, _ count: Int, limit: SkipLimit) -> Diagnostic {
    let allowed = if case .upTo(let number) = limit { "\(number)" } else { "any" }
    return Diagnostic(
      .skipLimit, "\(name): \(count) records rejected, the skip limit is \(allowed)",
      hint: "Mend the input or the pipeline, or raise skipLimit (`none` for any number).")
  }

  static func checkpointUnreadable() -> Diagnostic {
    Diagnostic(
      .checkpointUnreadable, "the checkpoint of an unfinished run cannot be read",
      hint: "Begin anew with --restart.")
  }

  static func otherInput(_ file: String, records: Int) -> Diagnostic {
    Diagnostic(
      .otherInput, "\(file) is not the input of which an earlier run has committed \(records) records",
      hint:
        "Bring that input back to go on, or begin anew with --restart: then what is in already comes a second time, "
        + "unless the step has a key and onConflict is update or skip.")
  }

  static func inputReplaced(_ file: String) -> Diagnostic {
    Diagnostic(
      .inputChanged, "the file was changed since the run began",
      hint: "Import it when its writer is done: write to another name and rename the file when it is complete.",
      at: SourcePosition(file: file))
  }

  static func namesForgotten() -> Diagnostic {
    Diagnostic(
      .otherInput,
      "an earlier run of this pipeline was not finished, and what its ids stand for is forgotten",
      hint:
        "Import into the store as it was before that run, or into a new one; --restart begins anew, and then what is in "
        + "already comes a second time.")
  }

  static func otherPipeline(_ file: String, target: String) -> Diagnostic {
    Diagnostic(
      .otherPipeline,
      "an earlier run with other options was not finished, and has committed records of \(file) to \(target)",
      hint:
        "Run it with those options to go on, or begin anew with --restart: then what is in already comes a second time, "
        + "unless the step has a key and onConflict is update or skip.")
  }

  static func streamTwice(_ file: String) -> Diagnostic {
    Diagnostic(
      .streamTwice, "the input is no plain file and must be read twice",
      hint: "Save it to a file first, or pass it as standard input (`-`), which is kept while it is needed.",
      at: SourcePosition(file: file))
  }

  static func rejectsAreInput(_ file: String) -> Diagnostic {
    Diagnostic(
      .rejectsAreInput, "the rejected records of the run would replace its input \(file)",
      hint: "Give the step another name, or another folder for rejected records by --rejects.")
  }
}

extension Diagnostic.Code {
  static let chunkSize = Self("run.chunk", .usage)
  static let resuming = Self("run.resuming", .warning)
  static let changedMeanwhile = Self("store.changed-meanwhile", .store)
}

extension Diagnostic {
  static func chunkSize(_ size: Int) -> Diagnostic {
    Diagnostic(.chunkSize, "chunk is \(size), expected at least 1", hint: "The default is 5000.")
  }

  static func resuming(_ name: String, behind record: Int) -> Diagnostic {
    Diagnostic(
      .resuming, "\(name): an earlier run stopped; going on behind record \(record)",
      hint: "To begin anew instead, say --restart.")
  }

  static func changedMeanwhile(_ object: String) -> Diagnostic {
    Diagnostic(
      .changedMeanwhile, "\(object) was changed by somebody else while the run was going on",
      hint: "Close the apps that write to the store and run the same command again.")
  }

  /// The same trouble when no record can be blamed for it: the run ends.
  var madeFatal: Diagnostic {
    Diagnostic(Code(code.name, .store), message, hint: hint, at: position)
  }

  /// Names the step, where there are several.
  func inStep(_ name: String, of count: Int) -> Diagnostic {
    guard count > 1 else { return self }
    var copy = self
    copy.message = "step \(name): \(message)"
    return copy
  }
}
