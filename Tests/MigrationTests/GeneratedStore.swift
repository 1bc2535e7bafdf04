import Foundation
import ObjectModel
import SQLiteDriver
import TestSupport

@testable import SQLiteStore

/// A store with generated rows of every entity: every attribute, some without a value, and every relationship.
///
/// It is written by plain SQL, so that what is compared with it later does not depend on what wrote it.
struct GeneratedStore {
  let url: URL
  private let schema: StoreSchema
  private let connection: Connection
  private var random = SeededGenerator(seed: 7)
  /// The keys of the rows by entity.
  private var keys: [NSEntityDescription: [Int64]] = [:]

  /// How many rows each entity has itself.
  static let rowCount = 4

  /// Makes the store in a folder.
  @discardableResult
  static func make(_ model: NSManagedObjectModel, in folder: TemporaryFolder) throws -> URL {
    let url = folder.url.appendingPathComponent("store.sqlite")
    // The store without its triggers, which call Core Data's functions.
    _ = try SQLitePersistentStore.create(at: url, model: model)
    var store = try GeneratedStore(url, model)
    try store.fill()
    return url
  }

  private init(_ url: URL, _ model: NSManagedObjectModel) throws {
    self.url = url
    schema = try StoreSchema(model)
    connection = try Connection(url.path, .readWrite)
    try connection.setPragma("synchronous", "OFF")
    for event in ["DATriggerUpdated", "DATriggerInsertUpdated", "TriggerUpdate"] {
      try connection.addFunction("NSCoreData\(event)AffectedObjectValue", argumentCount: -1) { _ in .null }
    }
  }

  private mutating func fill() throws {
    try connection.begin()
    for table in schema.tables {
      var key: Int64 = 0
      for entity in table.hierarchy where !entity.isAbstract {
        for number in 0..<Self.rowCount {
          key += 1
          keys[entity, default: []].append(key)
          try insert(key, number, entity)
        }
      }
      try connection.execute(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = \(key) WHERE Z_ENT = \(schema.numbers[table.root] ?? 0)")
    }
    for relationship in schema.entities.flatMap(\.ownStoredRelationships) { try link(relationship) }
    try connection.commit()
  }

  private mutating func insert(_ key: Int64, _ number: Int, _ entity: NSEntityDescription) throws {
    var values = ["Z_PK": "\(key)", "Z_ENT": "\(schema.numbers[entity] ?? 0)", "Z_OPT": "\(number + 1)"]
    for (path, attribute) in entity.chain.flatMap(\.ownStoredAttributes)
    where !(attribute is NSDerivedAttributeDescription) {
      guard let column = schema.column(of: path, in: entity) else { continue }
      let isNull = number == 1 && attribute.isOptional
      values[column] = isNull ? "NULL" : Self.value(of: attribute, key)
    }
    let pairs = values.sorted { $0.key < $1.key }
    try connection.execute(
      "INSERT INTO \(schema.table(of: entity).name) (\(pairs.map(\.key).joined(separator: ", "))) "
        + "VALUES (\(pairs.map(\.value).joined(separator: ", ")))")
  }

  /// A value that no other row of the table has, as far as the type allows.
  private static func value(of attribute: NSAttributeDescription, _ key: Int64) -> String {
    switch attribute.attributeType {
    case .booleanAttributeType: "\(key % 2)"
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: "\(key * 3)"
    case .decimalAttributeType, .doubleAttributeType, .floatAttributeType, .dateAttributeType: "\(Double(key) + 0.5)"
    case .stringAttributeType: "'\(attribute.name) \(key)'"
    case .URIAttributeType: "'https://example.org/\(key)'"
    case .UUIDAttributeType: String(format: "X'%032X'", Int(key))
    default: (attribute.allowsExternalBinaryDataStorage ? "X'01" : "X'") + String(format: "%08X'", Int(key))
    }
  }

  // MARK: Links

  private func rows(of entity: NSEntityDescription) -> [Int64] {
    schema.entities.filter { $0.isKindOf(entity: entity) }.flatMap { keys[$0] ?? [] }
  }

  private mutating func link(_ relationship: NSRelationshipDescription) throws {
    let owners = rows(of: relationship.entity)
    guard let destination: NSEntityDescription = relationship.destinationEntity else { return }
    let destinations = rows(of: destination)
    guard !owners.isEmpty, !destinations.isEmpty else { return }
    let inverse = relationship.inverseRelationship
    if !relationship.isToMany {
      guard let columns = schema.columns(of: relationship) else { return }
      // Of the two ends of a one-to-one relationship the first by name decides.
      if let inverse, !inverse.isToMany {
        let isFirst = (relationship.entity.name ?? "", relationship.name) <= (inverse.entity.name ?? "", inverse.name)
        guard isFirst, inverse !== relationship else { return }
        for (owner, other) in zip(owners, destinations.reversed()) {
          try set(columns, of: relationship.entity, owner, to: other, in: destination)
          if let back = schema.columns(of: inverse) {
            try set(back, of: destination, other, to: owner, in: relationship.entity)
          }
        }
        return
      }
      for (number, owner) in owners.enumerated() where number % 3 != 1 || !relationship.isOptional {
        let other = destinations[Int.random(in: destinations.indices, using: &random)]
        try set(columns, of: relationship.entity, owner, to: other, in: destination)
      }
      return
    }
    switch schema.storage(of: relationship) {
    case .foreignKey(_, let columns) where inverse == nil:
      for (number, other) in destinations.enumerated() where number % 3 != 1 {
        let owner = owners[Int.random(in: owners.indices, using: &random)]
        try set(columns, of: destination, other, to: owner, in: relationship.entity)
      }
    case .joinTable(let end) where end.table.relationship === relationship:
      for owner in owners {
        for other in destinations.shuffled(using: &random).prefix(2) {
          try add(owner, other, to: end.table)
          if end.table.isReflexive { try add(other, owner, to: end.table) }
        }
      }
    default: break
    }
  }

  private func set(
    _ columns: ToOneColumns, of entity: NSEntityDescription, _ row: Int64, to other: Int64,
    in destination: NSEntityDescription
  ) throws {
    var values = ["\(columns.key) = \(other)"]
    if let column = columns.entity {
      values.append("\(column) = (SELECT Z_ENT FROM \(schema.table(of: destination).name) WHERE Z_PK = \(other))")
    }
    if let order = columns.order { values.append("\(order) = \(1024 * (row + 1))") }
    try connection.execute(
      "UPDATE \(schema.table(of: entity).name) SET \(values.joined(separator: ", ")) WHERE Z_PK = \(row)")
  }

  private func add(_ owner: Int64, _ other: Int64, to join: JoinTable) throws {
    var values = [(join.ownerColumn, owner), (join.destinationColumn, other)]
    if let order = join.ownerOrder { values.append((order, 1024 * (owner + 1))) }
    if let order = join.destinationOrder { values.append((order, 1024 * (other + 1))) }
    try connection.execute(
      "INSERT OR IGNORE INTO \(join.name) (\(values.map(\.0).joined(separator: ", "))) "
        + "VALUES (\(values.map { "\($0.1)" }.joined(separator: ", ")))")
  }
}
