package import ObjectGraph
package import ObjectModel
import Predicates
import SQLiteDriver

/// What is read of each row of a query, by the keys of a path from its entity.
package enum QueryColumn {
  /// The object at the end of to-one relationships: at the end of none the row's own.
  case object([String])
  /// An attribute, also one over to-one relationships, or a number of objects by `@count`.
  case value([String])
}

/// A row of a query, good until the next.
package struct QueryRow {
  fileprivate let store: SQLitePersistentStore
  fileprivate let row: Statement
  fileprivate let readers: [QueryColumnReader]
  /// The place of the row's own key and entity.
  fileprivate let ownPlace: Int

  /// The stored value of a column; a value of external storage is the value itself.
  package func value(_ column: Int) throws -> StoredValue {
    try store.stored(row, readers[column].place, readers[column].path, isExternal: readers[column].isExternal) {
      name(at: ownPlace, declared: readers[column].entity)
    }
  }

  /// What the object of a column is called; nil where there is none.
  package func name(_ column: Int) -> RowName? {
    row.isNull(readers[column].place) ? nil : name(at: readers[column].place, declared: readers[column].entity)
  }

  private func name(at place: Int, declared: NSEntityDescription) -> RowName {
    RowName(entity: row.optionalInteger(place + 1).flatMap { store.entity($0) } ?? declared, key: row.integer(place))
  }
}

/// Where a column of a query is read from.
private struct QueryColumnReader {
  let path: String
  let place: Int
  /// The entity that a row counts as whose own is not known.
  let entity: NSEntityDescription
  let isExternal: Bool
}

extension SQLitePersistentStore {
  private static let chunk = 1000

  /// Hands over the rows of a query in its order, without making objects of them.
  ///
  /// - Parameter columns: paths of the query's entity.
  package func forEachRow(of query: FetchQuery, _ columns: [QueryColumn], body: (QueryRow) throws -> Void) throws {
    let plan = FetchPlan(query, self)
    let row = plan.row
    var terms: [SQLText] = []
    let readers = columns.map { column in
      let place = terms.count
      switch column {
      case .object(let keys):
        guard let object = plan.translation.object(.keyPath(.evaluatedObject, keys: keys), row) else {
          preconditionFailure("\(keys) leads to no object of \(query.entity.name ?? "")")
        }
        terms += [object.key, object.entity]
        return QueryColumnReader(path: "", place: place, entity: object.declared, isExternal: false)
      case .value(let keys):
        guard let term = plan.translation.term(.keyPath(.evaluatedObject, keys: keys), row) else {
          preconditionFailure("\(keys) leads to no value of \(query.entity.name ?? "")")
        }
        terms.append(term.sql)
        let isExternal = if case .opaque = term.kind { true } else { false }
        return QueryColumnReader(
          path: keys.joined(separator: "."), place: place, entity: query.entity, isExternal: isExternal)
      }
    }
    let ownPlace = terms.count
    terms += [row.key, "\(row.alias).Z_ENT"]

    try speaking {
      if plan.isExact {
        try forEachRow(of: plan.select(terms, of: query)) {
          try body(QueryRow(store: self, row: $0, readers: readers, ownPlace: ownPlace))
        }
        return
      }
      // What SQL could not say decides which rows they are; they are read by their keys.
      let ids = try objectIDs(of: query)
      let table = try batchTables.table(columns: 1, of: connection)
      let select: SQLText =
        "SELECT \(terms.joined(", ")) FROM \(table.name) AS b CROSS JOIN \(row.tables.from) WHERE \(row.key) = b.k0 ORDER BY b.rowid"
      for start in stride(from: 0, to: ids.count, by: Self.chunk) {
        let batch = KeyBatch(ids[start..<min(start + Self.chunk, ids.count)].map(\.key))
        table.show(batch.columns, rowCount: batch.rowCount)
        defer { table.showNothing() }
        try forEachRow(of: select) {
          try body(QueryRow(store: self, row: $0, readers: readers, ownPlace: ownPlace))
        }
      }
    }
  }

  private func forEachRow(of sql: SQLText, body: (Statement) throws -> Void) throws {
    let select = try fetchStatement(sql)
    defer { select.reset() }
    while try select.step() { try body(select) }
  }
}
