package import Bytes
import CSQLite

/// The columns of a chunk as a table that SQL reads: `INSERT INTO t (...) SELECT ... FROM chunk`, or a join with it.
///
/// It is there under its name in the connection, without a `CREATE`, and is pointed at new columns for each chunk, so that
/// statements over it are compiled once. The rowid of a row is its index, from 0; a condition on `rowid` reads only the
/// rows in question. A row costs no call into another module, and its texts are not copied.
package final class RawColumnsTable {
  /// The table's name.
  package let name: String
  /// The names of its columns.
  package let columnNames: [String]

  /// The columns as they were when the table was pointed at them.
  private var columns: [RawColumn] = []
  let buffers: UnsafeMutablePointer<ColumnBuffers>
  private(set) var rowCount = 0

  /// Adds a table to a connection; it lives as long as the connection does.
  package init(_ connection: Connection, name: String, columns columnNames: [String]) throws(SQLiteError) {
    precondition(!columnNames.isEmpty, "a table has columns")
    self.name = name
    self.columnNames = columnNames
    buffers = .allocate(capacity: columnNames.count)
    let table = Unmanaged.passRetained(self).toOpaque()
    // SQLite releases the table, also when this call fails.
    let result = sqlite3_create_module_v2(
      connection.handle.database, name, RawColumnsModule.pointer, table,
      { table in
        if let table { Unmanaged<RawColumnsTable>.fromOpaque(table).release() }
      })
    guard result == SQLITE_OK else { throw connection.handle.error(result, sql: nil, path: connection.path) }
  }

  deinit { buffers.deallocate() }

  /// Shows other columns, in the order of the names.
  ///
  /// They must not be changed while a statement reads them, and each must have the rows.
  package func show(_ columns: [RawColumn], rowCount: Int) {
    precondition(columns.count == columnNames.count, "as many columns as names")
    precondition(columns.allSatisfy { $0.count >= rowCount }, "every column has the rows")
    self.columns = columns
    self.rowCount = rowCount
    for (index, column) in columns.enumerated() {
      (buffers + index).initialize(to: ColumnBuffers(column))
    }
  }

  /// Shows no rows and lets go of the columns.
  package func showNothing() {
    columns = []
    rowCount = 0
  }

  /// What SQLite is told of it.
  var declaration: String {
    "CREATE TABLE t (\(columnNames.map(Connection.quoted).joined(separator: ", ")))"
  }
}

/// Where a column's values lie.
struct ColumnBuffers {
  let kind: RawColumn.Kind
  let words: UnsafePointer<UInt64>
  let validity: UnsafePointer<Bool>
  let heap: UnsafePointer<UInt8>

  init(_ column: RawColumn) {
    kind = column.kind
    words = UnsafePointer(column.words)
    validity = UnsafePointer(column.validity)
    heap = UnsafePointer(column.heap)
  }

  /// Gives a value to SQLite. Texts and blobs are not copied: they stay while the statement runs.
  func give(_ row: Int, to context: OpaquePointer) {
    guard validity[row] else {
      sqlite3_result_null(context)
      return
    }
    switch kind {
    case .integer:
      sqlite3_result_int64(context, Int64(bitPattern: words[row]))
    case .real:
      sqlite3_result_double(context, Double(bitPattern: words[row]))
    case .text, .blob:
      let start = row == 0 ? 0 : Int(truncatingIfNeeded: words[row - 1])
      let count = words[row] - UInt64(start)
      if kind == .blob {
        sqlite3_result_blob64(context, heap + start, count, nil)
      } else {
        UnsafeRawPointer(heap + start).withMemoryRebound(to: CChar.self, capacity: Int(count)) {
          sqlite3_result_text64(context, $0, count, nil, UInt8(SQLITE_UTF8))
        }
      }
    }
  }
}
