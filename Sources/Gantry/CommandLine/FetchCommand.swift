import Bytes
import Diagnostics
import Foundation
import ObjectGraph
import ObjectModel
import Predicates
import Records
import SQLiteStore

extension Command {
  static let fetch = Command(
    words: ["fetch"], operands: "STORE ENTITY",
    summary: "Print the objects of an entity for which a condition holds. The store is not touched.",
    options: FetchCommand.options, run: FetchCommand.run)
}

/// `gantry fetch`.
enum FetchCommand {
  private static let table = "table"

  static let options = [
    OptionDescription(
      "where", .text("PREDICATE"), "the condition, in the format language of NSPredicate", default: "all objects"),
    OptionDescription(
      "sort", .text("KEY,..."), "the key paths that order the objects, a hyphen before one that falls",
      default: "the primary key"),
    OptionDescription("limit", .integer(atLeast: 1), "how many objects at most", default: "all"),
    OptionDescription(
      "offset", .integer(atLeast: 0), "how many objects are passed over at the beginning", default: "0"),
    OptionDescription(
      "select", .text("KEY,..."),
      "the columns: attributes, also over to-one relationships; to-one relationships; RELATIONSHIP.@count; _id",
      default: "_id and all attributes"),
    OptionDescription(
      "format", .choice([table] + ExportFormat.allCases.map(\.rawValue)), "the format of what is printed",
      default: table),
    OptionDescription("raw", .flag, "values of a kind (colours, enumerations) as they are stored"),
    OptionDescription("count", .flag, "print how many objects there are, and nothing of them"),
    Command.modelOfStoreOption,
    Command.modelVersionOption,
  ]

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitStatus {
    try arguments.expectOperands(2)
    let isCount = arguments.has("count")
    if isCount, let other = ["select", "format", "raw", "sort"].first(where: arguments.has) {
      throw Diagnostic.usage("--count and --\(other) exclude each other", hint: "Leave one of them out.")
    }
    let (store, _) = try Command.openStore(arguments.operands[0], arguments, warn: console.warn)
    let entity = try store.schema.model.entity(arguments.operands[1])
    let request = NSFetchRequest<NSManagedObject>(entity: entity)
    let condition = FetchCondition(entity, in: store)
    request.predicate = try arguments.value("where").map { NSPredicate(try condition.tree($0)) }
    request.sortDescriptors = try names("sort", arguments)?.map { try sortDescriptor($0, of: entity) }
    request.fetchLimit = arguments.value("limit").flatMap { Int($0) } ?? 0
    request.fetchOffset = arguments.value("offset").flatMap { Int($0) } ?? 0
    let isRaw = arguments.has("raw")
    let columns =
      try names("select", arguments)?.map { try FetchColumn($0, of: entity, isRaw: isRaw) }
      ?? FetchColumn.all(of: entity, isRaw: isRaw)

    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: store.schema.model)
    coordinator.add(store)
    let query = try FetchQuery(request, in: coordinator)
    if isCount {
      console.print(String(try store.reading { try store.count(of: query) }))
    } else {
      try store.reading { try write(query, columns, of: store, format: arguments.value("format"), console) }
    }
    return .done
  }

  private static func write(
    _ query: FetchQuery, _ columns: [FetchColumn], of store: SQLitePersistentStore, format: String?, _ console: Console
  ) throws {
    let format = format.flatMap { ExportFormat(rawValue: $0) }
    // An element's name has no such sign.
    let names = columns.map { format == .xml ? $0.name.replacing("@", with: "") : $0.name }
    let writer: any RecordWriter =
      try format?.writer(record: query.entity.name ?? "", columns: names) { console.write($0) }
      ?? TableWriter(columns.map { ($0.name, $0.isNumber) }, width: console.width, print: console.write)
    try store.forEachRow(of: query, columns.map(\.read)) { row in
      var fields: [WrittenField] = []
      fields.reserveCapacity(columns.count)
      for index in columns.indices { fields.append(try columns[index].field(row, index)) }
      try format?.check(fields, names)
      try writer.write(fields)
    }
    try writer.finish()
  }

  // MARK: Options

  /// The names that an option lists.
  private static func names(_ key: String, _ arguments: Arguments) throws(Diagnostic) -> [String]? {
    guard let list = arguments.value(key)?.split(separator: ",", omittingEmptySubsequences: false) else { return nil }
    let names = list.map { $0.trimmingCharacters(in: .whitespaces) }
    var seen: Set<String> = []
    for name in names {
      let keys = name.trimmingPrefix("-").split(separator: ".", omittingEmptySubsequences: false)
      guard !keys.contains("") else {
        throw .usage("--\(key) has an empty name", hint: "Write names with commas between: name,department.name.")
      }
      guard seen.insert(name).inserted else {
        throw .usage("--\(key) names \(name) twice", hint: "Name it once.")
      }
    }
    return names
  }

  private static func sortDescriptor(
    _ text: String, of entity: NSEntityDescription
  ) throws(Diagnostic) -> NSSortDescriptor {
    let isFalling = text.hasPrefix("-")
    let path = isFalling ? String(text.dropFirst()) : text
    guard let keys = try FetchColumn(path, of: entity, isRaw: true).objectPath else {
      return NSSortDescriptor(key: path, ascending: !isFalling)
    }
    guard path == entity.idColumn else {
      throw .usage(
        "--sort names \(path), an object, which has no order",
        hint: "Name an attribute of it: \(keys.joined(separator: ".")).name.")
    }
    return NSSortDescriptor(key: "objectID", ascending: !isFalling)
  }
}

extension NSManagedObjectModel {
  fileprivate func entity(_ name: String) throws(Diagnostic) -> NSEntityDescription {
    if let entity = entitiesByName[name] { return entity }
    let known = entitiesByName.keys.sorted()
    throw Diagnostic(
      .fetchEntity, "the model has no entity \(name)",
      hint: "\(NearestName.question(name, in: known))There are \(ShownText.list(known)).")
  }
}

extension Diagnostic.Code {
  fileprivate static let fetchEntity = Self("fetch.entity", .store)
}
