import ObjectModel
import SQLiteDriver

extension StoreCheck {
  /// Counts the destinations of the to-many relationships of an entity's rows, those of its subentities not among them.
  mutating func checkCounts(of entity: NSEntityDescription) throws {
    for relationship in entity.layout.toMany where relationship.hasLeastCount || relationship.hasGreatestCount {
      guard let links = schema.storage(of: relationship)?.links else { continue }
      var few = FoundRows()
      var many = few
      // Grouped once and joined, which does not ask for an index that the store may lack.
      let select = try connection.prepare(
        "SELECT t.Z_PK, IFNULL(d.number, 0) FROM \(schema.table(of: entity).name) AS t "
          + "LEFT JOIN (SELECT \(links.source) AS source, COUNT(*) AS number FROM \(links.table) GROUP BY 1) AS d "
          + "ON d.source = t.Z_PK WHERE t.Z_ENT = \(schema.numbers[entity] ?? 0) ORDER BY 1")
      try select.forEachRow { row in
        switch relationship.validate(count: Int(row.integer(1)), of: entity)?.code {
        case .relationshipLacksMinimumCount: few.add(row.integer(0))
        case .relationshipExceedsMaximumCount: many.add(row.integer(0))
        default: break
        }
      }
      let name = "\(entity.name ?? "").\(relationship.name)"
      add("count", "rows with fewer destinations of \(name) than \(relationship.minCount)", few)
      add("count", "rows with more destinations of \(name) than \(relationship.maxCount)", many)
    }
  }
}

extension ToManyStorage {
  /// The table with a row for each link, and its column of keys of the rows that have the relationship.
  fileprivate var links: (table: String, source: String) {
    switch self {
    case .foreignKey(let table, let columns): (table, columns.key)
    case .joinTable(let end): (end.table.name, end.source)
    }
  }
}
