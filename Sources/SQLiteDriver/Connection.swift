import Bytes
import CSQLite

/// A connection to an SQLite database, used by one thread at a time.
///
/// Statements that are asked for through `statement(_:)` are compiled once and kept.
package final class Connection {
  /// What may be done with the file.
  package enum Mode: Sendable {
    /// Reading an existing file.
    case readOnly
    /// Reading an existing file that nobody writes meanwhile: no lock is taken, and no file is made beside it.
    case immutable
    /// Reading and writing an existing file.
    case readWrite
    /// Reading and writing; a missing file is made.
    case create
  }

  /// The file as messages name it; nil for a database in memory.
  package let path: String?
  /// What counts the statements of this connection, if anything does; for tests that pin counts.
  package var counter: StatementCounter? { didSet { handle.count(with: counter) } }

  let handle: DatabaseHandle
  private var statements: [String: Statement] = [:]

  /// Opens a file and looks into it: what is no database is an error here, not at the first statement.
  ///
  /// - Parameters:
  ///   - busyTimeout: how long a statement waits for another process's lock, in milliseconds. The default is 5000.
  ///   - alias: what messages call the file, if it is a copy of another.
  package init(_ path: String, _ mode: Mode, busyTimeout: Int = 5000, alias: String? = nil) throws(SQLiteError) {
    self.path = alias ?? path
    let flags =
      switch mode {
      case .readOnly, .immutable: SQLITE_OPEN_READONLY
      case .readWrite: SQLITE_OPEN_READWRITE
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      }
    try Self.checkIsFile(path, alias: alias)
    // A relative name must not be taken for one of SQLite's own, such as `:memory:`.
    let name = path.hasPrefix("/") ? path : "./" + path
    // With URIs, so that another database can be attached by one.
    handle = try DatabaseHandle(
      mode == .immutable ? Self.immutableURI(name) : name, flags | SQLITE_OPEN_URI, path: alias ?? name)
    sqlite3_busy_timeout(handle.database, Int32(clamping: busyTimeout))
    // SQLite opens a file that may not be written for reading, whatever it was asked for.
    if mode == .readWrite || mode == .create, sqlite3_db_readonly(handle.database, "main") == 1 {
      throw SQLiteError(.readOnly, message: "the file may not be written", path: self.path)
    }
    _ = try pragma("schema_version")
    // A scan or an index takes its time, and a stop must not wait for it.
    sqlite3_progress_handler(handle.database, 100_000, { _ in StopSignals.received == nil ? 0 : 1 }, nil)
  }

  /// Throws if a path leads to a folder, or to a pipe or a device, which to open or read may have no end.
  package static func checkIsFile(_ path: String, alias: String? = nil) throws(SQLiteError) {
    guard let kind = FileSystem.kind(of: path), kind != .file else { return }
    throw SQLiteError(.notADatabase, message: "it is no file", path: alias ?? path)
  }

  /// Opens a database of its own in memory.
  package init() throws(SQLiteError) {
    path = nil
    handle = try DatabaseHandle(":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, path: nil)
  }

  // MARK: Statements

  /// The statement of a text, compiled at the first call and kept; it is reset and its parameters are null.
  ///
  /// A kept statement that is being stepped through is left alone, and the caller gets one of its own.
  package func statement(_ sql: String) throws(SQLiteError) -> Statement {
    if let kept = statements[sql] {
      guard kept.isBusy else {
        kept.clear()
        return kept
      }
      return try prepare(sql)
    }
    let new = try prepare(sql)
    statements[sql] = new
    return new
  }

  /// Compiles a statement.
  package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    var sql = sql
    let (statement, rest) = try handle.prepare(&sql, from: 0, path: path)
    guard let statement, rest == sql.utf8.count else {
      throw SQLiteError(.other, message: "expected one statement, found none or several", sql: sql, path: path)
    }
    return Statement(statement, sql: sql, of: handle, path: path)
  }

  /// Forgets the kept statements.
  package func forgetStatements() { statements.removeAll() }

  /// Runs statements that are separated by semicolons; rows are passed over.
  package func execute(_ sql: String) throws(SQLiteError) {
    var sql = sql
    var offset = 0
    while true {
      let (statement, rest) = try handle.prepare(&sql, from: offset, path: path)
      // Behind the last semicolon there is a rest of blanks and comments.
      guard let statement else { return }
      try Statement(statement, sql: sql, of: handle, path: path).run()
      offset = rest
    }
  }

  /// The value of a pragma: the first column of its first row as text.
  package func pragma(_ name: String) throws(SQLiteError) -> String? {
    let statement = try prepare("PRAGMA \(name)")
    return try statement.step() ? statement.text(0) : nil
  }

  /// Sets a pragma and returns what the database made of it, for those that tell.
  @discardableResult
  package func setPragma(_ name: String, _ value: String) throws(SQLiteError) -> String? {
    try pragma("\(name) = \(value)")
  }

  /// Attaches another database that nobody writes meanwhile, for reading: no lock is taken, and no file is made beside it.
  package func attachImmutable(_ path: String, as name: String) throws(SQLiteError) {
    let attach = try prepare("ATTACH ? AS \(Self.quoted(name))")
    attach.bind(1, Self.immutableURI(path.hasPrefix("/") ? path : "./" + path))
    try attach.run()
  }

  /// The form in which SQLite takes options with a file's name.
  private static func immutableURI(_ name: String) -> String {
    // What would end the name, and what marks an encoded byte.
    let encoded = ["%": "%25", "?": "%3f", "#": "%23"]
    return "file:" + name.map { encoded[String($0)] ?? String($0) }.joined() + "?immutable=1"
  }

  /// A name as SQL spells it, whatever it holds.
  package static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }

  // MARK: Transactions

  /// Begins a transaction that writes; the right to write is taken at once, not at the first change.
  package func begin() throws(SQLiteError) { try statement("BEGIN IMMEDIATE").run() }

  /// Makes the changes of the transaction last.
  package func commit() throws(SQLiteError) { try statement("COMMIT").run() }

  /// Takes back the changes of the transaction; without one (some errors end it) there is nothing to do.
  package func rollback() throws(SQLiteError) {
    if isInTransaction { try statement("ROLLBACK").run() }
  }

  /// Whether a transaction was begun and not ended.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle.database) == 0 }

  /// Runs a body in a transaction, which is committed if it returns and rolled back if it throws.
  package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try begin()
    do {
      let result = try body()
      try commit()
      return result
    } catch {
      // The first error is the one to tell; one in rolling back leaves the file to SQLite's journal.
      try? rollback()
      throw error
    }
  }

  // MARK: State

  /// The number of rows that the last statement inserted, updated or deleted.
  package var changes: Int { Int(sqlite3_changes64(handle.database)) }

  /// The number of rows that all statements of the connection changed, those of triggers too.
  package var totalChanges: Int { Int(sqlite3_total_changes64(handle.database)) }

  /// The rowid of the last row that was inserted.
  package var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle.database) }

  /// Whether the file may only be read.
  package var isReadOnly: Bool { sqlite3_db_readonly(handle.database, "main") == 1 }

  /// What went wrong in the last call; nil if nothing did.
  package var lastError: SQLiteError? {
    let code = sqlite3_extended_errcode(handle.database)
    return code & 0xFF == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE
      ? nil : handle.error(code, sql: nil, path: path)
  }

  /// Makes the statement that is running, in a function or hook of it, end with an error of the kind `interrupted`.
  package func interrupt() { sqlite3_interrupt(handle.database) }
}
