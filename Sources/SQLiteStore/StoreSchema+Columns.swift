import Diagnostics
import ObjectModel

extension StoreSchema {
  /// Plans a table for each root entity.
  static func planTables(_ entities: [NSEntityDescription], numbers: [NSEntityDescription: Int]) throws(Diagnostic)
    -> [StoreTable]
  {
    let hidden = hiddenKeys(entities)
    let hierarchies = Dictionary(grouping: entities, by: \.rootEntity)
    var tables: [StoreTable] = []
    for root in entities where root.superentity == nil {
      var planner = ColumnPlanner(
        table: StoreTable(
          root: root, name: "Z\((root.name ?? "").uppercased())",
          hierarchy: hierarchies[root] ?? []),
        numbers: numbers)
      for entity in planner.table.hierarchy { try planner.add(entity, hidden: hidden[entity] ?? []) }
      tables.append(planner.finished)
    }
    return tables
  }

  /// The stored to-many relationships without an inverse, by the entity whose table keeps their keys; by owner, then by name.
  private static func hiddenKeys(_ entities: [NSEntityDescription])
    -> [NSEntityDescription: [NSRelationshipDescription]]
  {
    let relationships = entities.flatMap(\.ownStoredRelationships)
    return Dictionary(
      grouping: relationships.filter { $0.isToMany && $0.inverseRelationship == nil }, by: \.destinationEntity)
  }
}

/// Hands out the columns of one table, group after group.
private struct ColumnPlanner {
  var table: StoreTable
  let numbers: [NSEntityDescription: Int]
  private var groups: [ColumnGroup: [StoreColumn]] = [:]
  private var names = NameSupply(taken: ["Z_PK", "Z_ENT", "Z_OPT"])

  init(table: StoreTable, numbers: [NSEntityDescription: Int]) {
    self.table = table
    self.numbers = numbers
  }

  var finished: StoreTable {
    var finished = table
    finished.columns = ColumnGroup.allCases.flatMap { groups[$0] ?? [] }
    return finished
  }

  mutating func add(_ entity: NSEntityDescription, hidden: [NSRelationshipDescription]) throws(Diagnostic) {
    let attributes = entity.ownStoredAttributes
    for (path, attribute) in attributes where attribute.attributeType.column == nil {
      throw .attributeType(path, of: entity)
    }
    // Clash numbers are handed out group after group, so the loops must not be swapped.
    for group in ColumnGroup.allCases {
      for (path, attribute) in attributes {
        guard let column = attribute.attributeType.column, column.group == group else { continue }
        table.attributeColumns[AttributeKey(entity: entity, path: path)] =
          add("Z\(attribute.name.uppercased())", column.type, to: group)
      }
      guard group == .integer else { continue }
      for relationship in entity.ownStoredRelationships where !relationship.isToMany { add(relationship, of: entity) }
      for relationship in hidden { addHidden(relationship, to: entity) }
    }
  }

  private mutating func add(_ relationship: NSRelationshipDescription, of entity: NSEntityDescription) {
    let name = relationship.name.uppercased()
    let key = add("Z\(name)", "INTEGER", to: .integer)
    let destination: NSEntityDescription? = relationship.destinationEntity
    let isDivided = destination.map { !$0.subentities.isEmpty } ?? false
    let entityColumn = isDivided ? add("Z\(number(of: destination))_\(name)", "INTEGER", to: .integer) : nil
    let inverse = relationship.inverseRelationship
    let isOrdered = inverse.map { $0.isToMany && $0.isOrdered } ?? false
    let order = isOrdered ? add("Z_FOK_\(name)", "INTEGER", to: .order) : nil
    table.toOneColumns[ObjectIdentifier(relationship)] = ToOneColumns(key: key, entity: entityColumn, order: order)
    table.keyColumns.append((entity, key))
  }

  private mutating func addHidden(_ relationship: NSRelationshipDescription, to entity: NSEntityDescription) {
    let name = "\(number(of: relationship.entity))\(relationship.name.uppercased())"
    let key = add("Z\(name)", "INTEGER", to: .integer)
    let order = relationship.isOrdered ? add("Z_FOK_\(name)", "INTEGER", to: .order) : nil
    table.toOneColumns[ObjectIdentifier(relationship)] = ToOneColumns(key: key, entity: nil, order: order)
    table.keyColumns.append((entity, key))
  }

  private mutating func add(_ name: String, _ type: String, to group: ColumnGroup) -> String {
    let name = names.take(name)
    groups[group, default: []].append(StoreColumn(name: name, type: type))
    return name
  }

  private func number(of entity: NSEntityDescription?) -> Int { entity.flatMap { numbers[$0] } ?? 0 }
}
