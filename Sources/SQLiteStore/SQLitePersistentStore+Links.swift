import ObjectGraph
import ObjectModel
import SQLiteDriver

extension SQLitePersistentStore {
  /// Writes what changed in a to-many relationship of one object.
  func write(_ change: StoreChanges.ToMany) throws {
    guard let storage = schema.storage(of: change.relationship) else { return }
    switch storage {
    case .joinTable(let end): try write(change, in: end)
    // With an inverse, the rows at the other end have written their keys already.
    case .foreignKey(let table, let columns):
      if change.relationship.inverseRelationship == nil { try write(change, in: table, columns) }
    }
    guard let links = OrderedLinks(storage) else { return }
    if let order = change.order {
      try arrange(order.map(\.key), of: change.owner.key, links)
    } else {
      try append(change.added.map(\.key), to: change.owner.key, links)
    }
  }

  private func write(_ change: StoreChanges.ToMany, in end: JoinEnd) throws {
    let pair = "\(end.source) = ? AND \(end.destination) = ?"
    let delete = try connection.statement("DELETE FROM \(end.table.name) WHERE \(pair)")
    let insert = try connection.statement(
      "INSERT OR IGNORE INTO \(end.table.name) (\(end.source), \(end.destination)) VALUES (?, ?)")
    for (statement, destinations) in [(delete, change.removed), (insert, change.added)] {
      for destination in destinations {
        try statement.run(change.owner.key, destination.key)
        // Such a link leads both ways, and stands in a row for each.
        if end.table.isReflexive { try statement.run(destination.key, change.owner.key) }
      }
    }
  }

  private func write(_ change: StoreChanges.ToMany, in table: String, _ columns: ToOneColumns) throws {
    let key = columns.key
    let drop = columns.order.map { ", \($0) = NULL" } ?? ""
    let keep = columns.order.map { ", \($0) = CASE WHEN \(key) IS ?1 THEN \($0) END" } ?? ""
    let remove = try connection.statement("UPDATE \(table) SET \(key) = NULL\(drop) WHERE \(key) = ?1 AND Z_PK = ?2")
    let add = try connection.statement("UPDATE \(table) SET \(key) = ?1\(keep) WHERE Z_PK = ?2")
    for destination in change.removed { try remove.run(change.owner.key, destination.key) }
    for destination in change.added { try add.run(change.owner.key, destination.key) }
  }

  // MARK: Order

  /// Puts elements that have no place yet behind the others.
  private func append(_ elements: [Int64], to owner: Int64, _ links: OrderedLinks) throws {
    guard !elements.isEmpty else { return }
    let greatest = try connection.statement("SELECT MAX(\(links.order)) FROM \(links.table) WHERE \(links.owner) = ?")
    var last: Int64?
    try greatest.forEachRow(owner) { last = $0.optionalInteger(0) }
    let set = try connection.statement(links.update + " AND \(links.order) IS NULL")
    for element in elements {
      let key = OrderKeys.following(last)
      try set.run(key, owner, element)
      if connection.changes > 0 { last = key }
    }
  }

  /// Gives a whole list its order, changing as few keys as can be.
  private func arrange(_ elements: [Int64], of owner: Int64, _ links: OrderedLinks) throws {
    let select = try connection.statement(
      "SELECT \(links.element), \(links.order) FROM \(links.table) WHERE \(links.owner) = ?")
    var present: [Int64: Int64] = [:]
    try select.forEachRow(owner) { row in
      if !row.isNull(1) { present[row.integer(0)] = row.integer(1) }
    }
    let keys = OrderKeys.assign(elements.map { present[$0] })
    let set = try connection.statement(links.update)
    for (element, key) in zip(elements, keys) where present[element] != key { try set.run(key, owner, element) }
  }
}

/// Where the order of an ordered to-many relationship is kept.
private struct OrderedLinks {
  let table: String
  let owner: String
  let element: String
  let order: String

  /// Nil for a relationship without an order.
  init?(_ storage: ToManyStorage) {
    switch storage {
    case .joinTable(let end):
      guard let order = end.order else { return nil }
      (table, owner, element, self.order) = (end.table.name, end.source, end.destination, order)
    case .foreignKey(let table, let columns):
      guard let order = columns.order else { return nil }
      (self.table, owner, element, self.order) = (table, columns.key, "Z_PK", order)
    }
  }

  /// Sets the key of an element of an owner.
  var update: String { "UPDATE \(table) SET \(order) = ? WHERE \(owner) = ? AND \(element) = ?" }
}
