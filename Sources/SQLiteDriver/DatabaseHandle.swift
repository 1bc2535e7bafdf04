import Bytes
import CSQLite
import Diagnostics

/// The database of a connection, closed when the connection and the last statement are gone.
final class DatabaseHandle {
  let database: OpaquePointer
  private var counter: StatementCounter?
  /// What a function of ours threw last.
  var functionError: Diagnostic?

  init(_ name: String, _ flags: Int32, path: String?) throws(SQLiteError) {
    var database: OpaquePointer?
    let result = sqlite3_open_v2(name, &database, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard result == SQLITE_OK, let database else {
      defer { sqlite3_close_v2(database) }
      throw database.map { SQLiteError(result, of: $0, sql: nil, path: path) }
        ?? SQLiteError(.other, message: "out of memory", path: path)
    }
    self.database = database
  }

  deinit { sqlite3_close_v2(database) }

  /// Compiles the first statement behind an offset; nil if there are only blanks and comments.
  ///
  /// - Returns: the statement and the offset behind it and what follows it up to the next.
  func prepare(_ sql: inout String, from offset: Int, path: String?) throws(SQLiteError) -> (OpaquePointer?, rest: Int)
  {
    var statement: OpaquePointer?
    var rest = offset
    let result = sql.withUTF8 { text in
      text.withMemoryRebound(to: CChar.self) { text in
        var tail: UnsafePointer<CChar>?
        let start = text.baseAddress.map { $0 + offset }
        let result = sqlite3_prepare_v3(
          database, start, Int32(clamping: text.count - offset), UInt32(SQLITE_PREPARE_PERSISTENT), &statement, &tail)
        if let start, let tail { rest += tail - start }
        // Blanks behind a statement are no statement.
        while rest < text.count, [0x20, 0x09, 0x0A, 0x0D, 0x3B].contains(text[rest]) { rest += 1 }
        return result
      }
    }
    guard result == SQLITE_OK else { throw error(result, sql: sql, path: path) }
    if statement != nil { counter?.prepared += 1 }
    return (statement, rest)
  }

  func error(_ code: Int32, sql: String?, path: String?) -> SQLiteError {
    var error = SQLiteError(code, of: database, sql: sql, path: path)
    if code == SQLITE_ERROR { error.cause = functionError }
    functionError = nil
    return error
  }

  // MARK: Counting

  func count(with counter: StatementCounter?) {
    self.counter = counter
    guard let counter else {
      sqlite3_trace_v2(database, 0, nil, nil)
      sqlite3_commit_hook(database, nil, nil)
      return
    }
    // The handle keeps the counter as long as SQLite may call it.
    let pointer = Unmanaged.passUnretained(counter).toOpaque()
    sqlite3_trace_v2(
      database, UInt32(SQLITE_TRACE_STMT),
      { _, counter, statement, text in
        guard let counter, let statement else { return 0 }
        // The steps of a trigger come as comments.
        let text = text.map { String(cString: $0.assumingMemoryBound(to: CChar.self)) } ?? ""
        guard !text.hasPrefix("--"), let sql = sqlite3_sql(OpaquePointer(statement)) else { return 0 }
        Unmanaged<StatementCounter>.fromOpaque(counter).takeUnretainedValue().began(String(cString: sql))
        return 0
      }, pointer)
    sqlite3_commit_hook(
      database,
      { counter in
        if let counter { Unmanaged<StatementCounter>.fromOpaque(counter).takeUnretainedValue().commits += 1 }
        return 0
      }, pointer)
  }
}
