import ObjectModel
import SQLiteDriver

extension StoreCheck {
  /// Whether SQLite finds the file sound; what it finds in one that is not may end any other check.
  mutating func isFileSound() throws -> Bool {
    do throws(SQLiteError) {
      let check = try connection.prepare("PRAGMA integrity_check")
      while try check.step() {
        if let trouble = check.text(0), trouble != "ok" { add("integrity", "SQLite: \(trouble)") }
      }
    } catch {
      guard error.kind == .corrupt else { throw error }
      add("integrity", "SQLite: \(error.message)")
    }
    return findings.isEmpty
  }

  /// Primary keys, entities and versions of rows, and what `Z_PRIMARYKEY` says of them.
  mutating func checkBookkeeping() throws {
    for table in schema.tables {
      let numbers = schema.numbersOfHierarchy(table.root)
      let root = schema.numbers[table.root] ?? 0
      try find(
        "greatest-key", "keys of \(table.name) beyond Z_MAX",
        "SELECT Z_PK FROM \(table.name) "
          + "WHERE Z_PK > IFNULL((SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(root)), 0)")
      try find(
        "entity", "rows of \(table.name) of no entity",
        "SELECT Z_PK FROM \(table.name) WHERE IFNULL(Z_ENT, 0) NOT IN (\(numbers.list))")
      for entity in table.hierarchy where entity.isAbstract {
        try find(
          "entity", "rows of the abstract entity \(entity.name ?? "")",
          "SELECT Z_PK FROM \(table.name) WHERE Z_ENT = \(schema.numbers[entity] ?? 0)")
      }
      try find(
        "version", "rows of \(table.name) of no version",
        "SELECT Z_PK FROM \(table.name) WHERE IFNULL(Z_OPT, 0) < 1")
      try find(
        "greatest-key", "Z_MAX of subentities of \(table.root.name ?? "")",
        "SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_ENT IN (\(numbers.filter { $0 != root }.list)) AND Z_MAX <> 0")
    }
    for (number, name, superNumber) in schema.primaryKeyRows {
      try find(
        "superentity", "another superentity of \(name) in Z_PRIMARYKEY than the model's",
        "SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_ENT = \(number) AND IFNULL(Z_SUPER, 0) <> \(superNumber)")
    }
  }

  // MARK: References

  /// Keys and links lead to rows of the right entity, and inverses agree.
  mutating func checkReferences() throws {
    for relationship in schema.entities.flatMap(\.ownStoredRelationships) {
      try checkKeys(of: relationship)
      try checkInverse(of: relationship)
    }
    for join in schema.joinTables {
      try checkLinks(of: join, join.ownerColumn, to: join.relationship.entity)
      try checkLinks(of: join, join.destinationColumn, to: join.inverse.entity)
    }
  }

  /// The keys that lead to rows: of a to-one relationship to its destination, of a hidden key to the owner.
  private mutating func checkKeys(of relationship: NSRelationshipDescription) throws {
    let (table, end): (StoreTable, NSEntityDescription?) =
      relationship.isToMany
      ? (schema.table(of: relationship.destinationEntity), relationship.entity)
      : (schema.table(of: relationship.entity), relationship.destinationEntity)
    guard let end, let columns = table.toOneColumns[ObjectIdentifier(relationship)] else { return }
    let (rows, key) = (schema.table(of: end).name, columns.key)
    try find(
      "reference", "references \(table.name).\(key) to no row",
      "SELECT Z_PK FROM \(table.name) WHERE \(key) NOT NULL AND \(key) NOT IN (SELECT Z_PK FROM \(rows))")
    let joined = "SELECT t.Z_PK FROM \(table.name) AS t JOIN \(rows) AS d ON d.Z_PK = t.\(key)"
    try find(
      "reference-entity", "references \(table.name).\(key) to rows that are no \(end.name ?? "")",
      "\(joined) WHERE d.Z_ENT NOT IN (\(schema.numbersOfHierarchy(end).list))")
    guard let entity = columns.entity else { return }
    try find(
      "reference-entity", "references \(table.name).\(key) of another entity than their row's",
      "\(joined) WHERE t.\(entity) IS NOT d.Z_ENT")
  }

  /// The two keys of a one-to-one relationship; a one-to-many has one key, and a many-to-many one row, for both ends.
  private mutating func checkInverse(of relationship: NSRelationshipDescription) throws {
    guard !relationship.isToMany, let inverse = relationship.inverseRelationship, !inverse.isToMany,
      let key = schema.columns(of: relationship)?.key, let back = schema.columns(of: inverse)?.key
    else { return }
    let (table, other) = (schema.table(of: relationship.entity).name, schema.table(of: inverse.entity).name)
    try find(
      "inverse", "references \(table).\(key) whose inverse \(other).\(back) leads elsewhere",
      "SELECT t.Z_PK FROM \(table) AS t JOIN \(other) AS d ON d.Z_PK = t.\(key) WHERE d.\(back) IS NOT t.Z_PK")
  }

  private mutating func checkLinks(
    of join: JoinTable, _ column: String, to entity: NSEntityDescription?
  ) throws {
    guard let entity else { return }
    try find(
      "link", "links of \(join.name).\(column) to no row",
      "SELECT IFNULL(\(column), 0) FROM \(join.name) "
        + "WHERE IFNULL(\(column), 0) NOT IN (SELECT Z_PK FROM \(schema.table(of: entity).name))")
  }
}
