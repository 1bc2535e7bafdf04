import Foundation
import ObjectModel
import SQLiteDriver
import Values

@testable import SQLiteStore

/// Compares a store with what it was before its migration, by plain SQL: what must be equal is written down here anew.
struct MigrationOracle {
  private let old: StoreSchema
  private let new: StoreSchema
  private let connection: Connection
  private(set) var differences: [String] = []

  /// What differs though it must not; empty if nothing does.
  static func differences(
    _ before: URL, _ source: NSManagedObjectModel, _ after: URL, _ destination: NSManagedObjectModel
  ) throws -> [String] {
    let connection = try Connection(after.path, .readOnly)
    try connection.attachImmutable(before.path, as: "old")
    var oracle = MigrationOracle(
      old: try StoreSchema(source), new: try StoreSchema(destination), connection: connection)
    try oracle.compare()
    return oracle.differences
  }

  private init(old: StoreSchema, new: StoreSchema, connection: Connection) {
    (self.old, self.new, self.connection) = (old, new, connection)
  }

  private mutating func compare() throws {
    let sources = Dictionary(
      old.entities.map { ($0.renamingIdentifier ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    for entity in new.entities where !entity.isAbstract {
      let name = entity.name ?? ""
      let table = "main.\(new.table(of: entity).name)"
      guard let source = sources[entity.renamingIdentifier ?? ""], !source.isAbstract else {
        try count(0, "rows of the added \(name)", "\(table) WHERE Z_ENT = \(new.numbers[entity] ?? 0)")
        continue
      }
      let rows =
        "old.\(old.table(of: source).name) AS o LEFT JOIN \(table) AS n ON n.Z_PK = o.Z_PK "
        + "WHERE o.Z_ENT = \(old.numbers[source] ?? 0)"
      try count(
        0, "rows of \(name) that are others",
        "\(rows) AND (n.Z_ENT IS NOT \(new.numbers[entity] ?? 0) OR n.Z_OPT IS NOT o.Z_OPT)")
      try count(
        try number("old.\(old.table(of: source).name) WHERE Z_ENT = \(old.numbers[source] ?? 0)"), "rows of \(name)",
        "\(table) WHERE Z_ENT = \(new.numbers[entity] ?? 0)")
      try compareAttributes(source, entity, rows)
      try compareRelationships(source, entity)
    }
  }

  // MARK: Attributes

  private mutating func compareAttributes(
    _ source: NSEntityDescription, _ entity: NSEntityDescription, _ rows: String
  ) throws {
    for (path, attribute) in entity.chain.flatMap(\.ownStoredAttributes)
    where !(attribute is NSDerivedAttributeDescription) && !path.contains(".") {
      guard let column = new.column(of: path, in: entity) else { continue }
      let candidates = source.chain.flatMap(\.ownStoredAttributes)
      let origin = candidates.first { $0.attribute.renamingIdentifier == attribute.renamingIdentifier }
      let name = "values of \(entity.name ?? "").\(path)"
      let standard = try connection.literal(of: attribute)
      guard let origin, let was = old.column(of: origin.path, in: source) else {
        try count(0, "\(name), which is added", "\(rows) AND n.\(column) IS NOT \(standard)")
        continue
      }
      var value = "o.\(was)"
      if origin.attribute.allowsExternalBinaryDataStorage, !attribute.allowsExternalBinaryDataStorage {
        value = "substr(\(value), 2)"
      } else if !origin.attribute.allowsExternalBinaryDataStorage, attribute.allowsExternalBinaryDataStorage {
        value = "CAST(X'01' || \(value) AS BLOB)"
      }
      if origin.attribute.isOptional, !attribute.isOptional { value = "IFNULL(\(value), \(standard))" }
      if attribute.attributeType == .booleanAttributeType { value = "(\(value) <> 0)" }
      try count(0, name, "\(rows) AND n.\(column) IS NOT \(value)")
    }
  }

  // MARK: Relationships

  private mutating func compareRelationships(_ source: NSEntityDescription, _ entity: NSEntityDescription) throws {
    for relationship in entity.chain.flatMap(\.ownStoredRelationships) {
      let name = "links of \(entity.name ?? "").\(relationship.name)"
      let origin = source.chain.flatMap(\.ownStoredRelationships).first {
        $0.renamingIdentifier == relationship.renamingIdentifier
      }
      guard let origin, let before = Self.links(origin, old, "old"), let after = Self.links(relationship, new, "main")
      else { continue }
      let of =
        "WHERE owner IN (SELECT Z_PK FROM main.\(new.table(of: entity).name) WHERE Z_ENT = \(new.numbers[entity] ?? 0))"
      try count(0, "new \(name)", "(SELECT * FROM (\(after)) \(of) EXCEPT SELECT * FROM (\(before)))")
      // Where one link is kept of several, at either end.
      if origin.isToMany, !relationship.isToMany { continue }
      if origin.inverseRelationship?.isToMany == true, relationship.inverseRelationship?.isToMany == false { continue }
      // Rows of an entity that is removed are gone, and links to them.
      let there = "AND other IN (SELECT Z_PK FROM main.\(new.table(of: relationship.destinationEntity).name))"
      try count(0, "lost \(name)", "(SELECT * FROM (\(before)) \(of) \(there) EXCEPT SELECT * FROM (\(after)))")
    }
  }

  /// Pairs of keys: of the row that has the relationship, and of the other.
  private static func links(_ relationship: NSRelationshipDescription, _ schema: StoreSchema, _ database: String)
    -> String?
  {
    guard relationship.isToMany else {
      return schema.columns(of: relationship).map {
        "SELECT Z_PK AS owner, \($0.key) AS other FROM \(database).\(schema.table(of: relationship.entity).name) "
          + "WHERE \($0.key) NOT NULL"
      }
    }
    switch schema.storage(of: relationship) {
    case .foreignKey(let table, let columns):
      return "SELECT \(columns.key) AS owner, Z_PK AS other FROM \(database).\(table) WHERE \(columns.key) NOT NULL"
    case .joinTable(let end):
      return "SELECT \(end.source) AS owner, \(end.destination) AS other FROM \(database).\(end.table.name)"
    case nil: return nil
    }
  }

  // MARK: Counting

  private func number(_ rows: String) throws -> Int {
    let select = try connection.prepare("SELECT COUNT(*) FROM \(rows)")
    return try select.step() ? Int(select.integer(0)) : 0
  }

  private mutating func count(_ expected: Int, _ what: String, _ rows: String) throws {
    let found = try number(rows)
    if found != expected { differences.append("\(what): expected \(expected), found \(found)") }
  }
}

extension Connection {
  /// The default of an attribute as SQLite spells it.
  fileprivate func literal(of attribute: NSAttributeDescription) throws -> String {
    let select = try prepare("SELECT quote(?)")
    select.bind(1, StoredValue(attribute.defaultValue, as: attribute.attributeType) ?? .null)
    return try select.step() ? select.text(0) ?? "NULL" : "NULL"
  }
}
