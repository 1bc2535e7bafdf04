package import Diagnostics
package import ObjectModel

extension Diagnostic.Code {
  /// A fetch request that does not fit the model.
  static let fetch = Self("fetch.request", .usage)
}

extension Diagnostic {
  package static func unknownFetchKey(_ key: String, of entity: NSEntityDescription) -> Diagnostic {
    let known = Array(entity.layout.propertiesByName.keys)
    let inSubentity = entity.managedObjectModel.entities.first {
      $0 !== entity && $0.isKindOf(entity: entity) && $0.layout.propertiesByName[key] != nil
    }
    return Diagnostic(
      .fetch, "\(entity.name ?? "") has no property \(key)",
      hint: inSubentity.map { "Its subentity \($0.name ?? "") has one: fetch that." }
        ?? NearestName.question(key, in: known) + "It has \(known.sorted().joined(separator: ", ")).")
  }

  package static func unstoredFetchKey(_ key: String, of entity: NSEntityDescription) -> Diagnostic {
    Diagnostic(
      .fetch, "\(entity.name ?? "").\(key) is not stored: no store can be asked for it",
      hint: "Fetch by what it is made of, or filter the objects that were fetched.")
  }

  static func toManyWithoutQuantifier(_ path: String, _ comparison: String) -> Diagnostic {
    Diagnostic(
      .fetch, "\(path) leads to several objects: \(comparison) does not say how many of them are meant",
      hint: "Write ANY, ALL or NONE before it.")
  }

  static func unboundVariable(_ name: String) -> Diagnostic {
    Diagnostic(
      .fetch, "the predicate's variable $\(name) has no value",
      hint: "Give it one with `withSubstitutionVariables(_:)`.")
  }

  static func callInFetch(_ selector: String) -> Diagnostic {
    Diagnostic(
      .fetch, "FUNCTION(…, \"\(selector)\") is a method, which no store can call",
      hint: "Use one of the functions of the format language, or filter the objects that were fetched.")
  }

  static func sortWithoutKey() -> Diagnostic {
    Diagnostic(
      .fetch, "a sort descriptor of a fetch has no key", hint: "Make it with `NSSortDescriptor(key:ascending:)`.")
  }

  static func sortByObjects(_ key: String, of entity: NSEntityDescription) -> Diagnostic {
    Diagnostic(
      .fetch, "\(entity.name ?? "") cannot be sorted by \(key), which leads to no single value",
      hint: "Sort by an attribute, such as department.name, or by a number of objects: employees.@count.")
  }

  static func fetchColumn(_ column: Any) -> Diagnostic {
    Diagnostic(
      .fetch, "\(column) is no column of a fetch",
      hint: "Give names and key paths of properties, their descriptions, or `NSExpressionDescription`s.")
  }

  package static func toManyColumn(_ path: String, of entity: NSEntityDescription) -> Diagnostic {
    Diagnostic(
      .fetch, "\(entity.name ?? "").\(path) leads to several objects, which are no value of a column",
      hint: "Fetch a function of them, such as \(path).@count.")
  }

  static func fetchResult(_ type: Any.Type, found: Any) -> Diagnostic {
    Diagnostic(
      .fetch, "the request is for \(type), and its result type gives \(Swift.type(of: found))",
      hint: "Let `NSFetchRequest<…>` name what `resultType` gives; objects have the class that their entity names.")
  }

  static func blockInRows() -> Diagnostic {
    Diagnostic(
      .fetch, "a predicate made from a block needs objects, which this request does not have",
      hint: "Write the predicate in the format language.")
  }

  static func rowsOfSeveralStores(_ entity: NSEntityDescription) -> Diagnostic {
    Diagnostic(
      .fetch, "several stores keep \(entity.name ?? ""), and dictionaries are fetched of one",
      hint: "Name it in `affectedStores`.")
  }
}
