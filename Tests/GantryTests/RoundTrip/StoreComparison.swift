import Foundation
import ObjectModel
import SQLiteDriver
import SQLiteStore

/// Compares a store with another that was made of its export: by plain SQL over both, joined through the file of `--id-map`.
final class StoreComparison {
  /// How many rows of the first store have none in the second.
  private(set) var missing = 0
  /// How many rows of the second store have none in the first.
  private(set) var surplus = 0
  /// What differs, each with the number of rows.
  private(set) var differences: [String] = []

  private let connection: Connection
  private let old: SQLitePersistentStore
  private let new: SQLitePersistentStore

  init(_ old: URL, _ new: URL, _ model: NSManagedObjectModel, idMap: URL, in folder: URL) throws {
    self.old = try SQLitePersistentStore.open(at: old, model: model, readOnly: true)
    self.new = try SQLitePersistentStore.open(at: new, model: model, readOnly: true)
    // Its own copy, with its log: the connection writes to it.
    let copy = folder.appendingPathComponent("compared.sqlite")
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: old.path + suffix) {
      try Data(contentsOf: URL(fileURLWithPath: old.path + suffix))
        .write(to: URL(fileURLWithPath: copy.path + suffix))
    }
    connection = try Connection(copy.path, .readWrite)
    try connection.execute("ATTACH '\(new.path)' AS new")
    try connection.execute(
      "CREATE TEMP TABLE ids (root TEXT, entity TEXT, old INTEGER, new INTEGER, PRIMARY KEY (root, old))")
    let insert = try connection.prepare("INSERT INTO ids VALUES (?, ?, ?, ?)")
    for line in try String(contentsOf: idMap, encoding: .utf8).split(separator: "\n").dropFirst() {
      let names = line.split(separator: ",").map { $0.split(separator: "/") }
      let entity = String(names[0][0])
      insert.bind(1, model.entitiesByName[entity]?.rootEntity.name ?? "")
      insert.bind(2, entity)
      insert.bind(3, Int64(names[0][1].dropFirst()) ?? 0)
      insert.bind(4, Int64(names[1][1].dropFirst()) ?? 0)
      try insert.run()
    }
    for table in self.old.schema.tables { try compareRows(table.name, table.root) }
    for entity in self.old.schema.entities where !entity.isAbstract { try compareValues(entity) }
    for entity in self.old.schema.entities {
      for relationship in entity.layout.toMany where relationship.entity === entity { try compareLinks(relationship) }
    }
  }

  private func count(_ sql: String) throws -> Int {
    let select = try connection.prepare("SELECT COUNT(*) FROM (\(sql))")
    _ = try select.step()
    return Int(select.integer(0))
  }

  private func expectNone(_ what: String, _ sql: String) throws {
    let count = try count(sql)
    if count > 0 { differences.append("\(what): \(count)") }
  }

  // MARK: Rows

  private func compareRows(_ table: String, _ root: NSEntityDescription) throws {
    let ids = "SELECT old FROM ids WHERE root = '\(root.name ?? "")'"
    missing += try count("SELECT Z_PK FROM main.\(table) WHERE Z_PK NOT IN (\(ids))")
    surplus += try count(
      "SELECT Z_PK FROM new.\(table) WHERE Z_PK NOT IN (SELECT new FROM ids WHERE root = '\(root.name ?? "")')")
  }

  /// The rows of an entity in both stores.
  private func pairs(_ entity: NSEntityDescription) -> String {
    let table = old.schema.table(of: entity).name
    return """
      main.\(table) AS o JOIN ids AS i ON i.root = '\(entity.rootEntity.name ?? "")' AND i.old = o.Z_PK
      JOIN new.\(table) AS n ON n.Z_PK = i.new WHERE o.Z_ENT = \(old.schema.numbers[entity] ?? 0)
      """
  }

  private func compareValues(_ entity: NSEntityDescription) throws {
    let name = entity.name ?? ""
    try expectNone(
      "\(name), entity", "SELECT 1 FROM \(pairs(entity)) AND n.Z_ENT <> \(new.schema.numbers[entity] ?? 0)")
    for stored in entity.layout.attributes {
      guard let column = old.schema.column(of: stored.path, in: entity) else { continue }
      if stored.attribute.allowsExternalBinaryDataStorage {
        try compareExternal(entity, stored.path, column)
      } else {
        try expectNone("\(name).\(stored.path)", "SELECT 1 FROM \(pairs(entity)) AND o.\(column) IS NOT n.\(column)")
      }
    }
    for relationship in entity.layout.toOne {
      guard let columns = old.schema.columns(of: relationship) else { continue }
      let destination: NSEntityDescription = relationship.destinationEntity
      let mapped =
        "(SELECT new FROM ids AS d WHERE d.root = '\(destination.rootEntity.name ?? "")' AND d.old = o.\(columns.key))"
      try expectNone(
        "\(name).\(relationship.name)",
        "SELECT 1 FROM \(pairs(entity)) AND (o.\(columns.key) IS NULL) + (n.\(columns.key) IS NULL) = 1 "
          + "UNION ALL SELECT 1 FROM \(pairs(entity)) AND \(mapped) IS NOT n.\(columns.key)")
      guard let number = columns.entity else { continue }
      let kept = old.schema.entities.map {
        "WHEN \(old.schema.numbers[$0] ?? 0) THEN \(new.schema.numbers[$0] ?? 0)"
      }
      try expectNone(
        "\(name).\(relationship.name), entity",
        "SELECT 1 FROM \(pairs(entity)) AND CASE o.\(number) \(kept.joined(separator: " ")) END IS NOT n.\(number)")
    }
  }

  /// Compares values of which a row may hold the name of a file.
  private func compareExternal(_ entity: NSEntityDescription, _ path: String, _ column: String) throws {
    guard let place = entity.layout.attributeIndex[path] else { return }
    func values(_ store: SQLitePersistentStore) throws -> [Int64: StoredValue] {
      var values: [Int64: StoredValue] = [:]
      try store.forEachRow(of: entity, places: [place]) { values[$0.key] = $0.attributes[place] }
      return values
    }
    let (before, after) = (try values(old), try values(new))
    let select = try connection.prepare("SELECT o.Z_PK, n.Z_PK FROM \(pairs(entity))")
    var count = 0
    while try select.step() {
      if before[select.integer(0)] != after[select.integer(1)] { count += 1 }
    }
    if count > 0 { differences.append("\(entity.name ?? "").\(path): \(count)") }
  }

  // MARK: Links

  private func compareLinks(_ relationship: NSRelationshipDescription) throws {
    let owner: NSEntityDescription = relationship.entity
    let destination: NSEntityDescription = relationship.destinationEntity
    guard let before = links(relationship, old, "main"), let after = links(relationship, new, "new") else { return }
    let place = relationship.isOrdered ? "ROW_NUMBER() OVER (PARTITION BY s.new ORDER BY l.place)" : "1"
    let mapped = """
      SELECT s.new, d.new, \(place) FROM (\(before)) AS l
      JOIN ids AS s ON s.root = '\(owner.rootEntity.name ?? "")' AND s.old = l.source
      JOIN ids AS d ON d.root = '\(destination.rootEntity.name ?? "")' AND d.old = l.destination
      """
    let name = "\(owner.name ?? "").\(relationship.name)"
    try expectNone("\(name), links lost", "SELECT * FROM (\(mapped)) EXCEPT SELECT * FROM (\(after))")
    try expectNone("\(name), links made", "SELECT * FROM (\(after)) EXCEPT SELECT * FROM (\(mapped))")
  }

  /// The links with their places among those of the source, which are all alike where there is no order.
  private func links(
    _ relationship: NSRelationshipDescription, _ store: SQLitePersistentStore, _ database: String
  ) -> String? {
    let links: (table: String, source: String, destination: String, order: String?)
    switch store.schema.storage(of: relationship) {
    case .joinTable(let end)?: links = (end.table.name, end.source, end.destination, end.order)
    case .foreignKey(let table, let columns)?: links = (table, columns.key, "Z_PK", columns.order)
    case nil: return nil
    }
    let place =
      links.order.map {
        "ROW_NUMBER() OVER (PARTITION BY \(links.source) ORDER BY \($0) IS NULL, \($0), \(links.destination))"
      } ?? "1"
    return "SELECT \(links.source) AS source, \(links.destination) AS destination, \(place) AS place "
      + "FROM \(database).\(links.table) WHERE \(links.source) NOT NULL"
  }
}
