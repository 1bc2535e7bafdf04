import Bytes
import SQLiteDriver

/// The keys of one request as a table that statements join with: columns `k0`, `k1` and so on, rowids from 0.
struct KeyBatch {
  let columns: [RawColumn]
  let rowCount: Int

  init(columns: [RawColumn], rowCount: Int) {
    self.columns = columns
    self.rowCount = rowCount
  }

  /// One column of integers.
  init(_ integers: [Int64]) {
    let column = RawColumn(kind: .integer, capacity: integers.count)
    for integer in integers { column.append(integer) }
    self.init(columns: [column], rowCount: integers.count)
  }
}

/// The tables that show batches, one for each number of columns.
struct KeyBatchTables {
  private var tables: [Int: RawColumnsTable] = [:]

  /// The name of the table for a number of columns.
  static func name(columns count: Int) -> String { "gantry_batch_\(count)" }

  mutating func table(columns count: Int, of connection: Connection) throws -> RawColumnsTable {
    if let table = tables[count] { return table }
    let table = try RawColumnsTable(
      connection, name: Self.name(columns: count), columns: (0..<count).map { "k\($0)" })
    tables[count] = table
    return table
  }
}

extension SQLitePersistentStore {
  /// Joins a batch of keys with the store's tables and hands over each row of the result.
  ///
  /// - Parameters:
  ///   - columns: what is selected; column 0 of the rows is the index in the batch and these come behind it.
  ///   - join: the tables and conditions, in which `b` is the batch.
  ///   - order: how the matches of one key are ordered. The default is not at all.
  func forEachMatch(
    of batch: KeyBatch, select columns: String, join: String, order: String? = nil,
    body: (_ index: Int, _ row: Statement) throws -> Void
  ) throws {
    guard batch.rowCount > 0 else { return }
    let table = try batchTables.table(columns: batch.columns.count, of: connection)
    table.show(batch.columns, rowCount: batch.rowCount)
    defer { table.showNothing() }
    let order = order.map { " ORDER BY b.rowid, \($0)" } ?? ""
    // A cross join, so that SQLite goes through the batch and seeks in the store, and never the other way round.
    let statement = try connection.statement(
      "SELECT b.rowid, \(columns) FROM \(table.name) AS b CROSS JOIN \(join)\(order)")
    try statement.forEachRow { row in try body(Int(row.integer(0)), row) }
  }

  /// Runs a body that speaks SQL; SQLite's errors leave it as diagnostics.
  func speaking<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError {
      throw error.seenThroughKeyMaps.diagnostic
    }
  }
}
