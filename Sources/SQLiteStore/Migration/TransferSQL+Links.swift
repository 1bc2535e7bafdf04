import ObjectGraph
import ObjectModel

/// Links of a relationship in a store, row by row of one of its tables: expressions over a row `l`.
struct StoredLinks {
  let table: String
  /// The key of the row that has the relationship.
  let owner: String
  /// The key of a destination.
  let destination: String
  /// The place of the destination among the owner's.
  let order: String?
  /// The place of the owner among the destination's, where the inverse is ordered.
  let ownerOrder: String?

  /// The same links of the inverse.
  var reversed: StoredLinks {
    StoredLinks(table: table, owner: destination, destination: owner, order: ownerOrder, ownerOrder: order)
  }

  /// What a `SELECT` reads, with the condition that there is a link.
  var rows: String { "FROM \(table) AS l WHERE \(owner) NOT NULL AND \(destination) NOT NULL" }
}

extension TransferSQL {
  /// The links of a relationship of the source.
  func links(of relationship: NSRelationshipDescription) -> StoredLinks? {
    let back = relationship.inverseRelationship
    guard relationship.isToMany else {
      guard let columns = source.columns(of: relationship) else { return nil }
      return StoredLinks(
        table: table(relationship.entity), owner: "l.Z_PK", destination: "l.\(columns.key)", order: nil,
        ownerOrder: columns.order.map { "l.\($0)" })
    }
    switch source.storage(of: relationship) {
    case .foreignKey(let name, let columns):
      return StoredLinks(
        table: from + name, owner: "l.\(columns.key)", destination: "l.Z_PK", order: columns.order.map { "l.\($0)" },
        ownerOrder: nil)
    case .joinTable(let end):
      return StoredLinks(
        table: from + end.table.name, owner: "l.\(end.source)", destination: "l.\(end.destination)",
        order: end.order.map { "l.\($0)" },
        ownerOrder: back.flatMap { end.table.end(of: $0).order }.map { "l.\($0)" })
    case nil: return nil
    }
  }

  /// The links that a relationship of the destination takes: those of its counterparts, or those of its inverse's reversed.
  ///
  /// There are several where a relationship was declared by subentities and now is by their parent.
  func links(into relationship: NSRelationshipDescription) -> [StoredLinks] {
    let own = counterparts(of: relationship)
    if !own.isEmpty { return own.compactMap(links) }
    guard let inverse = relationship.inverseRelationship else { return [] }
    return counterparts(of: inverse).compactMap { links(of: $0)?.reversed }
  }

  /// The relationships of the source whose links one of the destination takes.
  func counterparts(of relationship: NSRelationshipDescription) -> [NSRelationshipDescription] {
    var found: [NSRelationshipDescription] = []
    for transfer in transfer.transfers(into: relationship.entity) {
      if let source = transfer.relationships[relationship], !found.contains(source) { found.append(source) }
    }
    return found
  }

  // MARK: To-one

  /// The columns of a to-one relationship of a row.
  struct Reference {
    let key: String
    /// The place among the rows of the other end.
    let order: String?
  }

  /// What a to-one relationship of the destination refers to.
  func reference(_ relationship: NSRelationshipDescription, of entity: EntityTransfer) -> Reference {
    if let old = entity.relationships[relationship] {
      if !old.isToMany, let columns = source.columns(of: old) {
        return Reference(
          key: onlyLink("t.\(columns.key)", by: old, into: relationship), order: columns.order.map { "t.\($0)" })
      }
      return links(of: old).map { Self.least($0) } ?? Reference(key: "NULL", order: nil)
    }
    let links = counterparts(of: relationship).isEmpty ? self.links(into: relationship) : []
    return Self.first(links.map { Self.least($0) })
  }

  /// The key of a one-to-one relationship, if the row is the one that the other end leads back to: several may have led there
  /// before.
  private func onlyLink(
    _ key: String, by old: NSRelationshipDescription, into new: NSRelationshipDescription
  ) -> String {
    guard let inverse = new.inverseRelationship, !inverse.isToMany, let oldInverse = old.inverseRelationship,
      oldInverse.isToMany, counterparts(of: inverse).allSatisfy({ $0 == oldInverse }), let links = links(of: oldInverse)
    else { return key }
    let least = "SELECT MIN(\(links.destination)) FROM \(links.table) AS l WHERE \(links.owner) = \(key)"
    return "CASE WHEN t.Z_PK = (\(least)) THEN \(key) END"
  }

  /// The owner of a row by a relationship without an inverse, which the row's table keeps a hidden key of.
  func owner(by relationship: NSRelationshipDescription) -> Reference {
    Self.first(links(into: relationship).map { Self.least($0.reversed) })
  }

  /// The destination with the least key, of several.
  private static func least(_ links: StoredLinks) -> Reference {
    let found = "FROM \(links.table) AS l WHERE \(links.owner) = t.Z_PK AND \(links.destination) NOT NULL"
    return Reference(
      key: "(SELECT MIN(\(links.destination)) \(found))",
      order: links.ownerOrder.map { "(SELECT \($0) \(found) ORDER BY \(links.destination) LIMIT 1)" })
  }

  private static func first(_ references: [Reference]) -> Reference {
    guard let one = references.first else { return Reference(key: "NULL", order: nil) }
    guard references.count > 1 else { return one }
    return Reference(key: "COALESCE(\(references.map(\.key).joined(separator: ", ")))", order: nil)
  }

  // MARK: Entities of rows

  /// The number that a row of the source will have, where the row is one that a relationship of the destination may lead to;
  /// null for others. Nil if nothing of the source comes there.
  func entityNumber(ofKey key: String, in entity: NSEntityDescription) -> String? {
    let transfers = transfer.transfers(into: entity)
    guard let table = transfers.first.map({ self.table($0.source) }) else { return nil }
    let cases = transfers.map {
      "WHEN \(source.numbers[$0.source] ?? 0) THEN \(destination.numbers[$0.destination] ?? 0)"
    }
    return "(SELECT CASE e.Z_ENT \(cases.joined(separator: " ")) END FROM \(table) AS e WHERE e.Z_PK = \(key))"
  }

  /// The query of the links from rows of an entity that no relationship of the destination takes; nil if all are taken.
  ///
  /// Links to rows of an entity that is removed are not among them, if the relationship stays: they go with the rows.
  func lostLinks(of relationship: NSRelationshipDescription, from entity: EntityTransfer) -> String? {
    guard let links = links(of: relationship) else { return nil }
    var query = "SELECT \(links.owner) \(links.rows) AND \(links.owner) IN (SELECT t.Z_PK \(rows(entity.source)))"
    let removed = source.entities.filter { transfer.transfer(from: $0) == nil }
    for taker in transfer.takers(of: relationship, from: entity) {
      var conditions: [String] = []
      if loses(taker.destination) {
        let kept = transfer.transfers(into: taker.destination).map(\.source) + removed
        let numbers = kept.filter { !$0.isAbstract }.compactMap { source.numbers[$0] }.list
        conditions.append(
          "\(links.destination) NOT IN "
            + "(SELECT Z_PK FROM \(table(relationship.destinationEntity)) WHERE Z_ENT IN (\(numbers)))")
      }
      if taker.hasOneOwner, relationship.inverseRelationship?.isToMany == true {
        conditions.append(
          "(\(links.owner), \(links.destination)) NOT IN "
            + "(SELECT MIN(\(links.owner)), \(links.destination) \(links.rows) GROUP BY \(links.destination))")
      }
      guard !conditions.isEmpty else { return nil }
      query += " AND (\(conditions.joined(separator: " OR ")))"
    }
    return query
  }

  /// Whether rows that links to an entity of the destination lead to may be gone then, or be of another entity.
  func loses(_ entity: NSEntityDescription) -> Bool {
    let kept = transfer.transfers(into: entity).map(\.source)
    return source.entities.contains { old in
      !old.isAbstract && !kept.contains(old) && kept.contains { old.isKindOf(entity: $0) }
    }
  }
}
