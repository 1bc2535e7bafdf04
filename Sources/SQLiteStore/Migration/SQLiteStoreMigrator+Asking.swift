import Foundation
package import ObjectGraph
package import ObjectModel
import SQLiteDriver

extension SQLiteStoreMigrator {
  package func leftBehind(by transfer: StoreTransfer) throws -> [LeftBehind] {
    try reading { connection in
      let contents = try StoreContents(connection)
      let source = try Self.schema(of: transfer.source, contents)
      return try OwnedTables(contents, connection)
        .leftBehind(by: transfer, source, StoreSchema(transfer.destination)) + Self.strayRows(source, connection)
    }
  }

  /// The rows that are no objects of the model, and so are asked for by nobody: those of no entity, and those of abstract ones.
  private static func strayRows(_ schema: StoreSchema, _ connection: Connection) throws -> [LeftBehind] {
    try schema.tables.flatMap { table in
      let numbers = table.hierarchy.filter { !$0.isAbstract }.compactMap { schema.numbers[$0] }.list
      let abstract = Dictionary(
        table.hierarchy.filter(\.isAbstract).compactMap { entity in
          schema.numbers[entity].map { (Int64($0), entity.name ?? "") }
        }, uniquingKeysWith: { first, _ in first })
      var found: [LeftBehind] = []
      try connection.prepare(
        "SELECT Z_ENT, COUNT(*) FROM \(table.name) WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(numbers)) GROUP BY Z_ENT"
      ).forEachRow { row in
        let rows = row.integer(1) == 1 ? "1 row" : "\(row.integer(1)) rows"
        let number = row.optionalInteger(0)
        let what =
          number.flatMap { abstract[$0] }.map { "of \($0), which is abstract" }
          ?? "with \(number.map { "the number \($0)" } ?? "no number"), which is no entity's there"
        found.append(LeftBehind(name: table.name, what: "\(rows) of \(table.name) \(what)"))
      }
      return found
    }
  }

  package func answer(_ question: RowQuestion, of transfer: StoreTransfer) throws -> RowAnswer {
    try reading { connection in
      guard let query = try sql(of: transfer, connection).query(question) else { return RowAnswer(count: 0) }
      if case .duplicates = question { return try Self.duplicates(connection.prepare(query)) }
      // SQLite counts a million rows while they would be handed over one by one.
      var count = 0
      try connection.prepare("SELECT COUNT(*) FROM (\(query))").forEachRow { count = Int($0.integer(0)) }
      var examples: [String] = []
      if count > 0 {
        try connection.prepare("SELECT * FROM (\(query)) LIMIT \(StoreFinding.toldRows)").forEachRow { row in
          examples.append("p\(row.integer(0))")
        }
      }
      return RowAnswer(count: count, examples: examples)
    }
  }

  package func objects(_ model: NSManagedObjectModel) throws -> any PagedStore {
    try reading { connection in
      try SQLitePersistentStore(
        opened: connection, url: url, model: model, configurationName: nil, externalFiles: files)
    }
  }

  /// The SQL of a transfer out of what the next step reads, made at the first of many questions.
  private func sql(of transfer: StoreTransfer, _ connection: Connection) throws -> TransferSQL {
    if let asked, asked.transfer.source === transfer.source, asked.transfer.destination === transfer.destination {
      return asked
    }
    try TransferFunctions.add(to: connection, files: files)
    let new = TransferSQL(
      transfer, source: try Self.schema(of: transfer.source, StoreContents(connection)),
      destination: try StoreSchema(transfer.destination), from: "main.")
    asked = new
    return new
  }

  /// Of rows with equal values: how many there are beyond the first of each value, and the values with their numbers.
  private static func duplicates(_ statement: Statement) throws -> RowAnswer {
    var count = 0
    var examples: [String] = []
    try statement.forEachRow { row in
      let number = Int(row.integer(0))
      count += number - 1
      guard examples.count < StoreFinding.toldRows else { return }
      let values = (1..<statement.columnCount).map { row.storedValue($0).shown }
      examples.append("\(values.joined(separator: ", ")): \(number) rows")
    }
    return RowAnswer(count: count, examples: examples)
  }
}

extension StoredValue {
  /// The value as a message tells it.
  fileprivate var shown: String {
    if case .text(let text) = self { text } else { literal }
  }
}

extension TransferSQL {
  /// The query whose rows answer a question: by their keys, or by their number and values.
  func query(_ question: RowQuestion) -> String? {
    switch question {
    case .rows(let entity):
      return "SELECT t.Z_PK \(rows(entity))"
    case .values(let entity, let path):
      return source.column(of: path, in: entity).map { "SELECT t.Z_PK \(rows(entity)) AND t.\($0) NOT NULL" }
    case .links(let entity, let relationship):
      return links(of: relationship).map { links in
        "SELECT \(links.owner) \(links.rows) AND \(links.owner) IN (SELECT t.Z_PK \(rows(entity)))"
      }
    case .lostLinks(let entity, let relationship):
      return lostLinks(of: relationship, from: entity)
    case .lists(let entity, let relationship):
      return links(of: relationship).map { links in
        "SELECT \(links.owner) AS owner \(links.rows) GROUP BY owner HAVING COUNT(*) > 1 "
          + "AND owner IN (SELECT t.Z_PK \(rows(entity)))"
      }
    case .withoutValue(let entity, let path):
      guard let attribute = entity.attributes.first(where: { $0.destination.path == path }) else { return nil }
      return "SELECT t.Z_PK \(rows(entity.source)) AND \(value(of: attribute, in: entity)) IS NULL"
    case .tooFewLinks(let entity, let relationship):
      guard relationship.isToMany else {
        return "SELECT t.Z_PK \(rows(entity.source)) AND \(reference(relationship, of: entity).key) IS NULL"
      }
      let enough = owners(of: relationship, counting: ">= \(max(1, relationship.minCount))")
      // An optional relationship may be empty.
      let some = relationship.isOptional ? " AND t.Z_PK IN (\(owners(of: relationship, counting: "> 0")))" : ""
      return "SELECT t.Z_PK \(rows(entity.source)) AND t.Z_PK NOT IN (\(enough))\(some)"
    case .tooManyLinks(let entity, let relationship):
      let many = owners(of: relationship, counting: "> \(relationship.maxCount)")
      return "SELECT t.Z_PK \(rows(entity.source)) AND t.Z_PK IN (\(many))"
    case .changedNumbers(let entity, let path):
      guard let attribute = entity.attributes.first(where: { $0.destination.path == path }),
        let condition = isChanged(attribute, in: entity)
      else { return nil }
      return "SELECT t.Z_PK \(rows(entity.source)) AND (\(condition))"
    case .severalLinks(let entity, let relationship):
      return "\(owners(of: relationship, counting: "> 1")) AND owner IN (SELECT t.Z_PK \(rows(entity.source)))"
    case .duplicates(let entity, let names):
      return duplicates(of: entity, names)
    case .contradictions(let relationship, let inverse):
      guard let links = links(of: relationship), let back = self.links(of: inverse)?.reversed else { return nil }
      let pair = "\(links.owner), \(links.destination)"
      return "SELECT \(links.owner) \(links.rows) AND (\(pair)) NOT IN "
        + "(SELECT \(back.owner), \(back.destination) \(back.rows))"
    }
  }

  /// The query of the rows that will have a number of destinations of a relationship.
  private func owners(of relationship: NSRelationshipDescription, counting condition: String) -> String {
    let links = links(into: relationship).map { "SELECT \($0.owner) AS owner \($0.rows)" }
    let all = links.isEmpty ? "SELECT NULL AS owner WHERE 0" : links.joined(separator: " UNION ALL ")
    return "SELECT owner FROM (\(all)) GROUP BY owner HAVING COUNT(*) \(condition)"
  }

  private func duplicates(of entity: NSEntityDescription, _ names: [String]) -> String? {
    let selects = transfer.transfers(into: entity).filter { !$0.source.isAbstract }.compactMap { transfer -> String? in
      let values = names.compactMap { name -> String? in
        if let attribute = transfer.attributes.first(where: { $0.destination.path == name }) {
          return value(of: attribute, in: transfer)
        }
        return transfer.destination.layout.toOne.first { $0.name == name }.map { reference($0, of: transfer).key }
      }
      guard values.count == names.count, !values.isEmpty else { return nil }
      let columns = values.enumerated().map { "\($1) AS v\($0)" }.joined(separator: ", ")
      return "SELECT \(columns) \(rows(transfer.source))"
    }
    guard !selects.isEmpty else { return nil }
    let list = names.indices.map { "v\($0)" }
    return "SELECT COUNT(*), \(list.joined(separator: ", ")) FROM (\(selects.joined(separator: " UNION ALL "))) "
      + "WHERE \(list.map { "\($0) NOT NULL" }.joined(separator: " AND ")) "
      + "GROUP BY \(list.joined(separator: ", ")) HAVING COUNT(*) > 1 ORDER BY 1 DESC, 2"
  }
}
