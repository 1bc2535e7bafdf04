import ObjectModel
import SQLiteDriver

extension SQLitePersistentStore {
  /// What in the store contradicts what every Core Data store keeps to, in words; empty when all is well.
  ///
  /// Primary keys are within `Z_MAX`, which roots alone have; rows are of an entity of their table; references and links
  /// lead to rows; and SQLite finds the file sound.
  package func brokenInvariants() throws -> [String] {
    try speaking {
      var invariants = StoreInvariants(schema: schema, connection: connection)
      for table in schema.tables { try invariants.checkRows(of: table) }
      for relationship in schema.entities.flatMap(\.ownStoredRelationships) {
        try invariants.checkReferences(of: relationship)
      }
      for join in schema.joinTables { try invariants.checkLinks(of: join) }
      try connection.prepare("PRAGMA integrity_check").forEachRow { row in
        if row.text(0) != "ok" { invariants.broken.append(row.text(0) ?? "") }
      }
      return invariants.broken
    }
  }
}

/// The checks of a store, and what they found.
private struct StoreInvariants {
  let schema: StoreSchema
  let connection: Connection
  var broken: [String] = []

  mutating func checkRows(of table: StoreTable) throws {
    let numbers = schema.numbersOfHierarchy(table.root)
    let root = schema.numbers[table.root] ?? 0
    try expectNone(
      "keys of \(table.name) beyond Z_MAX",
      "\(table.name) WHERE Z_PK > (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(root))")
    try expectNone(
      "rows of \(table.name) of no entity", "\(table.name) WHERE IFNULL(Z_ENT, 0) NOT IN (\(numbers.list))")
    try expectNone("rows of \(table.name) of no version", "\(table.name) WHERE IFNULL(Z_OPT, 0) < 1")
    try expectNone(
      "Z_MAX of subentities of \(table.root.name ?? "")",
      "Z_PRIMARYKEY WHERE Z_ENT IN (\(numbers.filter { $0 != root }.list)) AND Z_MAX <> 0")
  }

  /// The keys that lead to rows: of a to-one relationship to its destination, of a hidden key to the owner.
  mutating func checkReferences(of relationship: NSRelationshipDescription) throws {
    let (table, end): (StoreTable, NSEntityDescription?) =
      relationship.isToMany
      ? (schema.table(of: relationship.destinationEntity), relationship.entity)
      : (schema.table(of: relationship.entity), relationship.destinationEntity)
    guard let end, let columns = table.toOneColumns[ObjectIdentifier(relationship)] else { return }
    let (rows, key) = (schema.table(of: end).name, columns.key)
    try expectNone(
      "references \(table.name).\(key) to no row",
      "\(table.name) WHERE \(key) NOT NULL AND \(key) NOT IN (SELECT Z_PK FROM \(rows))")
    guard let entity = columns.entity else { return }
    try expectNone(
      "references \(table.name).\(key) of another entity than their row's",
      "\(table.name) AS t JOIN \(rows) AS d ON d.Z_PK = t.\(key) WHERE t.\(entity) IS NOT d.Z_ENT")
  }

  mutating func checkLinks(of join: JoinTable) throws {
    let ends = [(join.ownerColumn, join.relationship.entity), (join.destinationColumn, join.inverse.entity)]
    for case (let column, let entity?) in ends {
      try expectNone(
        "links of \(join.name).\(column) to no row",
        "\(join.name) WHERE IFNULL(\(column), 0) NOT IN (SELECT Z_PK FROM \(schema.table(of: entity).name))")
    }
  }

  private mutating func expectNone(_ what: String, _ condition: String) throws {
    var count: Int64 = 0
    try connection.prepare("SELECT COUNT(*) FROM \(condition)").forEachRow { count = $0.integer(0) }
    if count > 0 { broken.append("\(count) \(what)") }
  }
}
