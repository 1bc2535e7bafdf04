package import Diagnostics
package import ObjectModel

/// How the entities of a model lie in SQLite: their numbers, tables, columns and join tables.
///
/// It is a plan made once per model. A new store is created by its `ddl()`; for a store that exists the numbers are the
/// store's own, and `StoreSchema.adopting(_:)` takes the names that the store has.
package final class StoreSchema: Sendable {
  /// The model.
  package let model: NSManagedObjectModel
  /// The entities in the order of a new store's numbers: depth first, siblings by name without regard to case.
  package let entities: [NSEntityDescription]
  /// The number of each entity (`Z_ENT`).
  package let numbers: [NSEntityDescription: Int]
  /// A table for each root entity, in the order of their numbers.
  package let tables: [StoreTable]
  /// A table for each pair of to-many relationships, in the order of creation.
  package let joinTables: [JoinTable]

  private let tableOfRoot: [NSEntityDescription: Int]
  private let endOfRelationship: [ObjectIdentifier: JoinEnd]

  /// Plans the store of a model.
  ///
  /// - Parameter numbers: The numbers that an existing store has for the entities; the default is a new store's.
  /// - Throws: A name that cannot be a table or column, an attribute without a type, or two entities with one table.
  package convenience init(_ model: NSManagedObjectModel, numbers: [NSEntityDescription: Int] = [:]) throws(Diagnostic)
  {
    let entities = Self.depthFirst(model)
    let numbering = Dictionary(
      entities.enumerated().map { ($1, numbers[$1] ?? $0 + 1) }, uniquingKeysWith: { first, _ in first })
    try Self.checkNames(of: entities)
    let tables = try Self.planTables(entities, numbers: numbering)
    for table in tables where table.columns.count > StoreTable.columnLimit { throw .tooManyColumns(table) }
    self.init(
      model, entities, numbering, tables, Self.planJoinTables(model, entities, numbers: numbering))
  }

  private init(
    _ model: NSManagedObjectModel, _ entities: [NSEntityDescription], _ numbers: [NSEntityDescription: Int],
    _ tables: [StoreTable], _ joinTables: [JoinTable]
  ) {
    self.model = model
    self.entities = entities
    self.numbers = numbers
    self.tables = tables
    self.joinTables = joinTables
    tableOfRoot = Dictionary(tables.enumerated().map { ($1.root, $0) }, uniquingKeysWith: { first, _ in first })
    var ends: [ObjectIdentifier: JoinEnd] = [:]
    for table in joinTables {
      ends[ObjectIdentifier(table.inverse)] = table.end(of: table.inverse)
      ends[ObjectIdentifier(table.relationship)] = table.end(of: table.relationship)
    }
    endOfRelationship = ends
  }

  /// The same schema with other join tables: those that a store has.
  func replacing(joinTables: [JoinTable]) -> StoreSchema {
    StoreSchema(model, entities, numbers, tables, joinTables)
  }
}

// MARK: - Where things are

extension StoreSchema {
  /// The table of an entity's hierarchy.
  package func table(of entity: NSEntityDescription) -> StoreTable {
    guard let index = tableOfRoot[entity.rootEntity] else {
      preconditionFailure("entity \(entity.name ?? "") is not of the store's model")
    }
    return tables[index]
  }

  /// The column of an attribute, own or inherited, by its name, or by its path in a composite.
  package func column(of path: String, in entity: NSEntityDescription) -> String? {
    let table = table(of: entity)
    return entity.chain.lazy.compactMap { table.attributeColumns[AttributeKey(entity: $0, path: path)] }.first
  }

  /// The columns of a stored to-one relationship.
  package func columns(of relationship: NSRelationshipDescription) -> ToOneColumns? {
    table(of: relationship.entity).toOneColumns[ObjectIdentifier(relationship)]
  }

  /// The column that an index or a constraint means by a property's name: an attribute's, or a to-one relationship's key.
  func indexableColumn(_ name: String, in entity: NSEntityDescription) -> String? {
    if let column = column(of: name, in: entity) { return column }
    guard let relationship = entity.property(named: name) as? NSRelationshipDescription else { return nil }
    return columns(of: relationship)?.key
  }

  /// Where the links of a to-many relationship are kept; nil for one that is not stored.
  package func storage(of relationship: NSRelationshipDescription) -> ToManyStorage? {
    if let end = endOfRelationship[ObjectIdentifier(relationship)] { return .joinTable(end) }
    guard relationship.isToMany, !relationship.isTransient else { return nil }
    let holder = relationship.inverseRelationship?.entity ?? relationship.destinationEntity
    guard let holder else { return nil }
    let table = table(of: holder)
    let key = relationship.inverseRelationship ?? relationship
    return table.toOneColumns[ObjectIdentifier(key)].map { .foreignKey(table: table.name, columns: $0) }
  }
}

/// Where the links of a to-many relationship are kept.
package enum ToManyStorage: Sendable {
  /// In the destination's table: the inverse's key, or a hidden key where there is no inverse.
  case foreignKey(table: String, columns: ToOneColumns)
  /// In a table of their own.
  case joinTable(JoinEnd)
}

// MARK: - Numbers

extension StoreSchema {
  /// The rows of `Z_PRIMARYKEY` in a new store: the number, the name, and the number of the superentity or 0.
  package var primaryKeyRows: [(number: Int, name: String, superNumber: Int)] {
    entities.map { entity in
      (numbers[entity] ?? 0, entity.name ?? "", entity.superentity.flatMap { numbers[$0] } ?? 0)
    }
  }

  /// The numbers of an entity and all that inherit from it.
  package func numbersOfHierarchy(_ entity: NSEntityDescription) -> [Int] {
    entities.filter { $0.isKindOf(entity: entity) }.compactMap { numbers[$0] }
  }

  private static func depthFirst(_ model: NSManagedObjectModel) -> [NSEntityDescription] {
    func walk(_ siblings: [NSEntityDescription]) -> [NSEntityDescription] {
      siblings.sorted(by: NSEntityDescription.precedes).flatMap { [$0] + walk($0.subentities) }
    }
    return walk(model.entities.filter { $0.superentity == nil })
  }
}
