import Bytes
import Foundation
import ObjectModel
import SQLiteDriver

extension StoreCheck {
  /// Reads every value of the rows of an entity, those of its subentities not among them.
  mutating func checkValues(of entity: NSEntityDescription) throws {
    let plan = store.plan(of: entity)
    guard !plan.attributes.isEmpty || !plan.toOne.isEmpty else { return }
    var missing = [FoundRows](repeating: FoundRows(), count: plan.attributes.count)
    var wrong = missing
    var without = missing
    var missingEnds = [FoundRows](repeating: FoundRows(), count: plan.toOne.count)
    let columns = (["Z_PK"] + plan.attributes.map(\.column) + plan.toOne.map(\.key)).joined(separator: ", ")
    let select = try connection.prepare("SELECT \(columns) FROM \(plan.table) WHERE Z_ENT = \(plan.number)")
    try select.forEachRow { row in
      let key = row.integer(0)
      for (place, attribute) in plan.attributes.enumerated() {
        let stored = row.storedValue(place + 1)
        if stored == .null {
          if isMissing(place, in: row, of: entity) { missing[place].add(key) }
        } else if !attribute.isExternal {
          if stored.value(as: attribute.type) == nil { wrong[place].add(key) }
        } else if case .blob(let data) = stored, let file = store.externalFiles.file(of: data) {
          if FileSystem.kind(of: file.path) != .file { without[place].add(key) }
        } else if !stored.isInline {
          wrong[place].add(key)
        }
      }
      for place in plan.toOne.indices
      where !entity.layout.toOne[place].isOptional && row.isNull(1 + plan.attributes.count + place) {
        missingEnds[place].add(key)
      }
    }
    for (place, attribute) in plan.attributes.enumerated() {
      let name = "\(entity.name ?? "").\(attribute.path)"
      add("required", "rows without a value of \(name), which is required", missing[place])
      add("value", "values of \(name) that are no \(attribute.type.modelName)", wrong[place])
      add("external-file", "values of \(name) whose files are missing", without[place])
    }
    for (place, rows) in missingEnds.enumerated() {
      let name = "\(entity.name ?? "").\(entity.layout.toOne[place].name)"
      add("required", "rows without a destination of \(name), which is required", rows)
    }
  }

  /// Whether a row lacks a value that it must have. That the store derives it makes no difference to who reads it.
  private func isMissing(_ place: Int, in row: Statement, of entity: NSEntityDescription) -> Bool {
    let attribute = entity.layout.attributes[place].attribute
    return attribute is NSDerivedAttributeDescription
      ? !attribute.isOptional : entity.layout.requiresValue(at: place) { !row.isNull($0 + 1) }
  }

  /// The constraints of an entity, over its rows and those of its subentities; no value is equal to none.
  mutating func checkUniqueness(of entity: NSEntityDescription) throws {
    let table = schema.table(of: entity).name
    let numbers = schema.numbersOfHierarchy(entity).list
    for constraint in entity.uniquenessConstraints {
      let columns = constraint.compactMap { schema.indexableColumn($0, in: entity) }
      guard columns.count == constraint.count, !columns.isEmpty else { continue }
      let list = columns.joined(separator: ", ")
      let values = columns.map { "\($0) NOT NULL" }.joined(separator: " AND ")
      let among = "FROM \(table) WHERE Z_ENT IN (\(numbers)) AND \(values)"
      try find(
        "unique",
        "rows of \(entity.name ?? "") with the values of \(constraint.joined(separator: ", ")) of others, which are unique",
        "SELECT Z_PK \(among) AND (\(list)) IN (SELECT \(list) \(among) GROUP BY \(list) HAVING COUNT(*) > 1)")
    }
  }

  /// The derived attributes of an entity whose derivation is one of those that a trigger computes.
  mutating func checkDerivations(of entity: NSEntityDescription) throws {
    let table = schema.table(of: entity).name
    let numbers = schema.numbersOfHierarchy(entity).list
    for case let attribute as NSDerivedAttributeDescription in entity.ownProperties where !attribute.isTransient {
      guard let column = schema.column(of: attribute.name, in: entity),
        let value = schema.derivedValue(of: attribute, in: entity, row: "t")
      else { continue }
      try find(
        "derived",
        "values of \(entity.name ?? "").\(attribute.name) that '\(attribute.derivationExpressionFormat)' does not give",
        "SELECT Z_PK FROM \(table) AS t WHERE Z_ENT IN (\(numbers)) AND \(column) NOT NULL AND \(column) IS NOT \(value)"
      )
    }
  }
}

extension StoredValue {
  /// Whether it is the form that external storage gives a value in the row.
  fileprivate var isInline: Bool {
    if case .blob(let data) = self { ExternalFiles.isInline(data) } else { false }
  }
}
