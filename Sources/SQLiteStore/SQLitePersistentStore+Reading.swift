import Diagnostics
import Foundation
package import ObjectGraph
package import ObjectModel
import SQLiteDriver
import Values

extension SQLitePersistentStore {
  package func rows(for objectIDs: [NSManagedObjectID]) throws -> [StoredRow?] {
    var rows = [StoredRow?](repeating: nil, count: objectIDs.count)
    let byEntity = Dictionary(grouping: objectIDs.indices, by: { objectIDs[$0].entity })
    for (entity, places) in byEntity { try read(places, of: entity, objectIDs, into: &rows) }
    return rows
  }

  private func read(
    _ places: [Int], of entity: NSEntityDescription, _ objectIDs: [NSManagedObjectID], into rows: inout [StoredRow?]
  ) throws {
    let plan = plan(of: entity)
    var others: [Int] = []
    var corrected = objectIDs
    try forEachMatch(
      of: KeyBatch(places.map { objectIDs[$0].key }), select: plan.selectList,
      join: "\(plan.table) AS t ON t.Z_PK = b.k0"
    ) { index, row in
      let place = places[index]
      guard row.integer(1) == plan.number || self.entity(row.integer(1)) == nil else {
        // The row is of another entity of the hierarchy than its reference said.
        corrected[place] = objectID(objectIDs[place].key, entityNumber: row.integer(1), declared: entity)
        return others.append(place)
      }
      rows[place] = try storedRow(row, objectIDs[place], plan)
    }
    for (entity, places) in Dictionary(grouping: others, by: { corrected[$0].entity }) {
      try read(places, of: entity, corrected, into: &rows)
    }
  }

  private func storedRow(_ row: Statement, _ objectID: NSManagedObjectID, _ plan: EntityPlan) throws -> StoredRow {
    var column = 3
    let attributes = try plan.attributes.map { attribute in
      defer { column += 1 }
      return try value(row.storedValue(column), of: attribute, objectID)
    }
    let toOne = zip(plan.toOne, plan.entity.layout.toOne).map { columns, relationship in
      let key = row.optionalInteger(column)
      let number = columns.entity == nil ? nil : row.optionalInteger(column + 1)
      column += columns.entity == nil ? 1 : 2
      return key.map { self.objectID($0, entityNumber: number, declared: relationship.destinationEntity) }
    }
    return StoredRow(objectID: objectID, version: row.integer(2), attributes: attributes, toOne: toOne)
  }

  private func value(_ stored: StoredValue, of attribute: EntityPlan.Attribute, _ objectID: NSManagedObjectID) throws
    -> Value
  {
    if attribute.isExternal, case .blob(let data) = stored {
      guard let content = externalFiles.decode(data) else {
        throw Diagnostic.externalValue(attribute.path, objectID, file: externalFiles.file(of: data))
      }
      return .data(content)
    }
    guard let value = stored.value(as: attribute.type) else {
      throw Diagnostic.storedValue(stored, attribute.path, objectID)
    }
    return value
  }

  package func destinations(
    of relationship: NSRelationshipDescription, for sources: [NSManagedObjectID]
  ) throws -> [[NSManagedObjectID]] {
    var destinations = [[NSManagedObjectID]](repeating: [], count: sources.count)
    guard let storage = schema.storage(of: relationship) else { return destinations }
    let declared: NSEntityDescription = relationship.destinationEntity
    let rows = schema.table(of: declared).name
    let join: String
    let order: String?
    switch storage {
    case .foreignKey(let table, let columns):
      join = "\(table) AS d ON d.\(columns.key) = b.k0"
      order = columns.order.map { "d.\($0)" }
    case .joinTable(let end):
      // A link whose row is gone leads nowhere, and is left out.
      join = "\(end.table.name) AS l ON l.\(end.source) = b.k0 CROSS JOIN \(rows) AS d ON d.Z_PK = l.\(end.destination)"
      order = end.order.map { "l.\($0)" }
    }
    // An element without a place, which Core Data does not leave, comes last.
    let terms = (order.map { ["\($0) IS NULL", $0] } ?? []) + ["d.Z_PK"]
    try forEachMatch(
      of: KeyBatch(sources.map(\.key)), select: "d.Z_PK, d.Z_ENT", join: join, order: terms.joined(separator: ", ")
    ) { index, row in
      destinations[index].append(objectID(row.integer(1), entityNumber: row.integer(2), declared: declared))
    }
    return destinations
  }

  package func objectIDs(of entity: NSEntityDescription, includingSubentities: Bool) throws
    -> [NSManagedObjectID]
  {
    let numbers = includingSubentities ? schema.numbersOfHierarchy(entity) : [schema.numbers[entity] ?? 0]
    let select = try connection.prepare(
      "SELECT Z_PK, Z_ENT FROM \(schema.table(of: entity).name) WHERE Z_ENT IN (\(numbers.list)) ORDER BY Z_PK")
    var objectIDs: [NSManagedObjectID] = []
    try select.forEachRow { objectIDs.append(objectID($0.integer(0), entityNumber: $0.integer(1), declared: entity)) }
    return objectIDs
  }
}

extension SQLitePersistentStore {
  /// How many rows there are.
  package func rowCount() throws -> Int { try counts().reduce(0) { $0 + Int($1.count) } }

  /// How many rows there are of each entity that has any, those of its subentities not counted; in the order of the numbers.
  ///
  /// Rows that are no objects are told by what no entity is called: a number that the model does not know, or an entity whose
  /// rows stand in another table.
  package func counts() throws -> [(entity: String, count: Int64)] {
    try speaking {
      var counts: [(number: Int64, entity: String, count: Int64)] = []
      for table in schema.tables {
        let select = try connection.prepare("SELECT Z_ENT, COUNT(*) FROM \(table.name) GROUP BY Z_ENT")
        try select.forEachRow { row in
          let number = row.integer(0)
          let entity = entity(number)
          let name = entity.flatMap(\.name) ?? "number \(number)"
          let isElsewhere = entity.map { $0.rootEntity !== table.root } ?? false
          counts.append((number, isElsewhere ? "\(name), whose rows are not in \(table.name)" : name, row.integer(1)))
        }
      }
      return counts.sorted { $0.number < $1.number }.map { ($0.entity, $0.count) }
    }
  }
}

extension [Int] {
  /// The numbers as SQL lists them.
  var list: String { map(String.init).joined(separator: ", ") }
}
