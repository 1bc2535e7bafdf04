import ObjectModel
import SQLiteDriver

extension SQLitePersistentStore {
  /// What in the store contradicts what every Core Data store keeps to; empty when all is well.
  ///
  /// Primary keys are within `Z_MAX`, rows are of an entity of their table, references and links lead to rows, and SQLite
  /// finds the file sound.
  package func brokenInvariants() throws -> [String] {
    try speaking {
      var broken: [String] = []
      func expectNone(_ what: String, _ condition: String) throws {
        try connection.prepare("SELECT COUNT(*) FROM \(condition)").forEachRow { row in
          if row.integer(0) > 0 { broken.append("\(row.integer(0)) \(what)") }
        }
      }
      for table in schema.tables {
        let root = schema.numbers[table.root] ?? 0
        let numbers = schema.numbersOfHierarchy(table.root).list
        try expectNone(
          "keys of \(table.name) beyond Z_MAX",
          "\(table.name) WHERE Z_PK > (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(root))")
        try expectNone("rows of \(table.name) of no entity", "\(table.name) WHERE IFNULL(Z_ENT, 0) NOT IN (\(numbers))")
        try expectNone("rows of \(table.name) of no version", "\(table.name) WHERE IFNULL(Z_OPT, 0) < 1")
      }
      for entity in schema.entities {
        let table = schema.table(of: entity).name
        for relationship in entity.ownStoredRelationships {
          try checkReferences(of: relationship, in: table, expectNone)
        }
        if entity.superentity != nil {
          try expectNone(
            "Z_MAX of \(entity.name ?? ""), which is no root",
            "Z_PRIMARYKEY WHERE Z_ENT = \(schema.numbers[entity] ?? 0) AND Z_MAX <> 0")
        }
      }
      for join in schema.joinTables {
        let ends = [(join.ownerColumn, join.relationship.entity), (join.destinationColumn, join.inverse.entity)]
        for case (let column, let entity?) in ends {
          let rows = schema.table(of: entity).name
          try expectNone(
            "links of \(join.name).\(column) to no row",
            "\(join.name) WHERE IFNULL(\(column), 0) NOT IN (SELECT Z_PK FROM \(rows))")
        }
      }
      try connection.prepare("PRAGMA integrity_check").forEachRow { row in
        if row.text(0) != "ok" { broken.append(row.text(0) ?? "") }
      }
      return broken
    }
  }

  private func checkReferences(
    of relationship: NSRelationshipDescription, in table: String, _ expectNone: (String, String) throws -> Void
  ) throws {
    guard !relationship.isToMany, let columns = schema.columns(of: relationship) else { return }
    let rows = schema.table(of: relationship.destinationEntity).name
    let key = columns.key
    try expectNone(
      "references \(table).\(key) to no row",
      "\(table) WHERE \(key) NOT NULL AND \(key) NOT IN (SELECT Z_PK FROM \(rows))")
    guard let entity = columns.entity else { return }
    try expectNone(
      "references \(table).\(key) of another entity than their row's",
      "\(table) AS t JOIN \(rows) AS d ON d.Z_PK = t.\(key) WHERE t.\(entity) IS NOT d.Z_ENT")
  }
}
