package import ObjectModel

/// The table of a pair of to-many relationships that are each other's inverse.
package struct JoinTable: Sendable {
  /// The name: `Z_`, the number of the entity that declares the relationship, and its name in capitals.
  package let name: String
  /// The relationship that names the table.
  package let relationship: NSRelationshipDescription
  /// Its inverse; the same one when the relationship is its own inverse.
  package let inverse: NSRelationshipDescription
  /// The first column: keys of the rows that have `relationship`.
  package let ownerColumn: String
  /// The second column: keys of the destinations of `relationship`.
  package let destinationColumn: String
  /// The place of the owner among the destination's rows, where `inverse` is ordered.
  package let ownerOrder: String?
  /// The place of the destination among the owner's rows, where `relationship` is ordered.
  package let destinationOrder: String?

  /// Whether the relationship is its own inverse: a link stands in two rows then, one for each direction.
  package var isReflexive: Bool { relationship === inverse }

  /// The statement that creates the table.
  package var sql: String {
    let columns = [ownerColumn, destinationColumn] + [ownerOrder, destinationOrder].compactMap(\.self)
    return "CREATE TABLE \(name) ( \(columns.map { "\($0) INTEGER" }.joined(separator: ", ")), "
      + "PRIMARY KEY (\(ownerColumn), \(destinationColumn)) )"
  }

  /// The statement that creates the index for the way back.
  var indexSQL: String {
    "CREATE INDEX \(name)_\(destinationColumn)_INDEX ON \(name) (\(destinationColumn), \(ownerColumn))"
  }

  /// The table as seen from one of its two relationships.
  func end(of relationship: NSRelationshipDescription) -> JoinEnd {
    relationship === self.relationship
      ? JoinEnd(table: self, source: ownerColumn, destination: destinationColumn, order: destinationOrder)
      : JoinEnd(table: self, source: destinationColumn, destination: ownerColumn, order: ownerOrder)
  }
}

/// A join table as seen from one of its two relationships.
package struct JoinEnd: Sendable {
  /// The table.
  package let table: JoinTable
  /// Keys of the rows that have the relationship.
  package let source: String
  /// Keys of its destinations.
  package let destination: String
  /// The place of the destination among the source's rows, if the relationship is ordered.
  package let order: String?
}

extension StoreSchema {
  /// Plans the join tables, in the order in which they are created.
  static func planJoinTables(
    _ model: NSManagedObjectModel, _ entities: [NSEntityDescription], numbers: [NSEntityDescription: Int]
  ) -> [JoinTable] {
    var done: Set<ObjectIdentifier> = []
    var names = NameSupply()
    var tables: [JoinTable] = []
    // The first end met names the table: entities by name with what they inherit, then relationships by name.
    for entity in entities.sorted(by: NSEntityDescription.precedes) {
      let relationships = entity.chain.reversed().flatMap(\.ownStoredRelationships)
        .sorted { $0.name.precedesByCodePoint($1.name) }
      for relationship in relationships where relationship.isToMany {
        guard let inverse = relationship.inverseRelationship, inverse.isToMany,
          done.insert(ObjectIdentifier(relationship)).inserted
        else { continue }
        done.insert(ObjectIdentifier(inverse))
        tables.append(join(relationship, inverse, numbers: numbers, names: &names))
      }
    }
    let byEntity = Dictionary(grouping: tables) { $0.relationship.entity as NSEntityDescription }
    return entities.flatMap { byEntity[$0] ?? [] }
  }

  private static func join(
    _ first: NSRelationshipDescription, _ second: NSRelationshipDescription, numbers: [NSEntityDescription: Int],
    names: inout NameSupply
  ) -> JoinTable {
    // Two relationships of one entity: nothing known decides which of them names the table. The later name is the
    // default, and `adopting(_:)` takes what a store has.
    let isSwapped = first.entity === second.entity && first.name.precedesByCodePoint(second.name)
    let (relationship, inverse) = isSwapped ? (second, first) : (first, second)
    let (ownerNumber, destinationNumber) = (numbers[relationship.entity] ?? 0, numbers[inverse.entity] ?? 0)
    let owner = names.take("Z_\(ownerNumber)\(inverse.name.uppercased())")
    let isReflexive = relationship === inverse
    let destination =
      isReflexive ? "REFLEXIVE" : names.take("Z_\(destinationNumber)\(relationship.name.uppercased())")
    return JoinTable(
      name: "Z_\(ownerNumber)\(relationship.name.uppercased())", relationship: relationship, inverse: inverse,
      ownerColumn: owner, destinationColumn: destination,
      ownerOrder: inverse.isOrdered ? "Z_FOK_\(owner.dropFirst(2))" : nil,
      destinationOrder: relationship.isOrdered
        ? isReflexive ? "Z_FOK_REFLEXIVE" : "Z_FOK_\(destination.dropFirst(2))" : nil)
  }
}
