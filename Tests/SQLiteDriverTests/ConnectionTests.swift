import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import SQLiteDriver

/// The rows of a query as text, a line each, values separated by `|`.
func rows(_ connection: Connection, _ sql: String) throws -> [String] {
  let statement = try connection.prepare(sql)
  var rows: [String] = []
  while try statement.step() {
    rows.append((0..<statement.columnCount).map { statement.text($0) ?? "NULL" }.joined(separator: "|"))
  }
  return rows
}

@Suite struct ConnectionTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test func modes() throws {
    let path = folder.path("s.sqlite")
    #expect(throws: SQLiteError.self) { try Connection(path, .readWrite) }
    #expect(!FileManager.default.fileExists(atPath: path))
    try Connection(path, .create).execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
    let reader = try Connection(path, .readOnly)
    #expect(reader.isReadOnly)
    #expect(try rows(reader, "SELECT a FROM t") == ["1"])
    #expect(throws: SQLiteError.self) { try reader.execute("INSERT INTO t VALUES (2)") }
    let writer = try Connection(path, .readWrite)
    try writer.execute("INSERT INTO t VALUES (2)")
    #expect(try rows(reader, "SELECT a FROM t") == ["1", "2"])
    #expect(writer.path == path)
  }

  /// SQLite's own names are none for us.
  @Test func names() throws {
    let before = FileManager.default.currentDirectoryPath
    let name = ":memory:-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: before + "/" + name) }
    try Connection(name, .create).execute("CREATE TABLE t (a)")
    #expect(FileManager.default.fileExists(atPath: before + "/" + name))
    #expect(throws: SQLiteError.self) { try Connection("", .create) }
  }

  @Test func execute() throws {
    let connection = try Connection()
    #expect(connection.path == nil)
    try connection.execute("")
    try connection.execute(
      """
      CREATE TABLE t (a TEXT); -- a comment; with a semicolon
      ;; INSERT INTO t VALUES ('x;y');
      /* another */
      """)
    #expect(try rows(connection, "SELECT a FROM t") == ["x;y"])
    #expect(throws: SQLiteError.self) { try connection.execute("INSERT INTO t VALUES ('z'); NONSENSE") }
    #expect(try rows(connection, "SELECT a FROM t") == ["x;y", "z"])
  }

  @Test(arguments: ["", "-- nothing", "SELECT 1; SELECT 2"]) func oneStatementIsPrepared(_ sql: String) throws {
    let error = try #require(throws: SQLiteError.self) { try Connection().prepare(sql) }
    #expect(error.message == "expected one statement, found none or several")
  }

  @Test func pragmas() throws {
    let connection = try Connection(folder.path("s.sqlite"), .create)
    #expect(try connection.setPragma("journal_mode", "WAL") == "wal")
    #expect(try connection.setPragma("user_version", "7") == nil)
    #expect(try connection.pragma("user_version") == "7")
    #expect(try connection.pragma("table_info(none)") == nil)
  }

  @Test func transactions() throws {
    let connection = try Connection()
    try connection.execute("CREATE TABLE t (a)")
    try connection.begin()
    #expect(connection.isInTransaction)
    try connection.execute("INSERT INTO t VALUES (1), (2)")
    #expect(connection.changes == 2)
    #expect(connection.lastInsertedRow == 2)
    try connection.rollback()
    #expect(!connection.isInTransaction)
    try connection.rollback()
    #expect(try rows(connection, "SELECT a FROM t") == [])

    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try connection.transaction {
        try connection.execute("INSERT INTO t VALUES (1)")
        throw Stop()
      }
    }
    let last = try connection.transaction {
      try connection.execute("INSERT INTO t VALUES (3)")
      return connection.lastInsertedRow
    }
    #expect(last == 1)
    #expect(try rows(connection, "SELECT a FROM t") == ["3"])
    #expect(connection.totalChanges == 4)
  }

  @Test func statementsAreKept() throws {
    let connection = try Connection()
    let counter = StatementCounter()
    connection.counter = counter
    let sql = "SELECT ?1 UNION ALL SELECT 2"
    let first = try connection.statement(sql)
    first.bind(1, 1)
    #expect(try first.step())
    let nested = try connection.statement(sql)
    #expect(nested !== first, "the first is in use")
    #expect(first.integer(0) == 1)
    first.reset()
    let again = try connection.statement(sql)
    #expect(again === first)
    #expect(try again.step())
    #expect(again.isNull(0), "parameters are null again")
    again.reset()
    #expect(counter.prepared == 2)
    connection.forgetStatements()
    #expect(try connection.statement(sql) !== first)
  }

  /// A statement may outlive its connection.
  @Test func statementKeepsTheDatabase() throws {
    func statement() throws -> Statement { try Connection().prepare("SELECT 42") }
    let kept = try statement()
    #expect(try kept.step())
    #expect(kept.integer(0) == 42)
  }

  @Test func counts() throws {
    let connection = try Connection()
    try connection.execute("CREATE TABLE t (a); CREATE TABLE log (a)")
    try connection.execute("CREATE TRIGGER g AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.a); END")
    let counter = StatementCounter()
    connection.counter = counter
    try connection.begin()
    let insert = try connection.statement(" insert INTO t VALUES (?1)")
    for value in 1...3 as ClosedRange<Int64> {
      insert.bind(1, value)
      try insert.run()
    }
    try connection.commit()
    try connection.begin()
    try connection.rollback()
    #expect(counter.prepared == 4)
    #expect(counter.executed == ["BEGIN": 2, "INSERT": 3, "COMMIT": 1, "ROLLBACK": 1])
    #expect(counter.count(of: "SELECT") == 0)
    #expect(counter.commits == 1)
    counter.reset()
    connection.counter = nil
    try insert.run()
    #expect(counter.executed == [:])
    #expect(counter.commits == 0)
  }

  @Test func quoting() throws {
    let connection = try Connection()
    let name = "a \"b\" ' é"
    #expect(Connection.quoted(name) == "\"a \"\"b\"\" ' é\"")
    try connection.execute("CREATE TABLE \(Connection.quoted(name)) (a)")
    #expect(try rows(connection, "SELECT name FROM sqlite_master") == [name])
  }
}

@Suite struct StatementTests {
  static let values: [SQLiteValue] = [
    .null, .integer(0), .integer(.min), .integer(.max), .real(0.1), .real(-.infinity), .text(""), .text("Ada"),
    .text("é€𝄞"), .text("a\0b"), .blob([]), .blob([0, 255, 0]),
  ]

  @Test(arguments: values) func bothWays(_ value: SQLiteValue) throws {
    let statement = try Connection().prepare("SELECT ?1, typeof(?1)")
    #expect(statement.parameterCount == 1)
    statement.bind(1, value)
    #expect(try statement.step())
    #expect(statement.columnCount == 2)
    #expect(statement.value(0) == value)
    #expect(statement.isNull(0) == (value == .null))
    let names: [SQLiteValue.Kind: String] = [
      .null: "null", .integer: "integer", .real: "real", .text: "text", .blob: "blob",
    ]
    #expect(statement.text(1) == names[statement.kind(0)])
    #expect(try !statement.step())
    #expect(try statement.step(), "it runs again, with its parameters")
    #expect(statement.value(0) == value)
  }

  @Test func bytes() throws {
    let statement = try Connection().prepare("SELECT ?1 AS t, ?2 AS b, ?3")
    Array("Ada".utf8).withUnsafeBytes { bytes in
      statement.bind(1, text: bytes)
      statement.bind(2, blob: bytes)
    }
    statement.bind(3, text: UnsafeRawBufferPointer(start: nil, count: 0))
    #expect(try statement.step())
    #expect(statement.columnName(0) == "t")
    #expect(statement.kind(0) == .text)
    #expect(Array(statement.textBytes(0)) == Array("Ada".utf8))
    #expect(statement.kind(1) == .blob)
    #expect(Array(statement.blobBytes(1)) == Array("Ada".utf8))
    #expect(statement.text(2) == "", "no bytes are an empty text, not a null")
  }

  @Test func notANumberIsNull() throws {
    let statement = try Connection().prepare("SELECT ?1")
    statement.bind(1, Double.nan)
    #expect(try statement.step())
    #expect(statement.value(0) == .null)
  }

  @Test func errorLeavesItUsable() throws {
    let connection = try Connection()
    try connection.execute("CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1)")
    let insert = try connection.prepare("INSERT INTO t VALUES (?1)")
    insert.bind(1, 1)
    #expect(throws: SQLiteError.self) { try insert.run() }
    #expect(!insert.isBusy)
    insert.bind(1, 2)
    try insert.run()
    #expect(try rows(connection, "SELECT a FROM t") == ["1", "2"])
  }
}

@Suite struct FunctionTests {
  @Test func values() throws {
    let connection = try Connection()
    try connection.addFunction("same", argumentCount: 1) { $0[0] }
    try connection.addFunction("size", argumentCount: -1) { .integer(Int64($0.count)) }
    for value in StatementTests.values {
      let statement = try connection.prepare("SELECT same(?1), size(?1, 2, 3), size()")
      statement.bind(1, value)
      #expect(try statement.step())
      #expect(statement.value(0) == value)
      #expect(statement.integer(1) == 3)
      #expect(statement.integer(2) == 0)
    }
  }

  /// As triggers of a store call them, even if the schema is not trusted.
  @Test func inATrigger() throws {
    let connection = try Connection()
    try connection.setPragma("trusted_schema", "OFF")
    var calls: [[SQLiteValue]] = []
    try connection.addFunction("noteChange", argumentCount: 2) { arguments in
      calls.append(arguments)
      return .null
    }
    try connection.execute(
      """
      CREATE TABLE t (a);
      CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT noteChange('t', new.a); END;
      INSERT INTO t VALUES (5), (6);
      """)
    #expect(calls == [[.text("t"), .integer(5)], [.text("t"), .integer(6)]])
  }

  @Test func errors() throws {
    struct Refusal: Error, CustomStringConvertible { let description = "not today" }
    let connection = try Connection()
    try connection.addFunction("refuse", argumentCount: 0) { _ in throw Refusal() }
    let error = try #require(throws: SQLiteError.self) { try connection.execute("SELECT refuse()") }
    #expect(error.message == "not today")
    #expect(connection.lastError == error.withoutSQL)
    #expect(throws: SQLiteError.self) { try connection.execute("SELECT refuse(1)") }
    #expect(throws: SQLiteError.self) { try connection.addFunction("many", argumentCount: 1000) { _ in .null } }
    try connection.execute("SELECT 1")
    #expect(connection.lastError == nil)
  }

  @Test func interrupt() throws {
    let connection = try Connection()
    try connection.addFunction("stop", argumentCount: 0) { [unowned connection] _ in
      connection.interrupt()
      return .null
    }
    let error = try #require(throws: SQLiteError.self) { try rows(connection, "SELECT stop() UNION ALL SELECT 2") }
    #expect(error.kind == .interrupted)
    #expect(error.diagnostic.line == "a statement on the database in memory was stopped before its end [store.stopped]")
  }
}

extension SQLiteError {
  var withoutSQL: SQLiteError {
    var copy = self
    copy.sql = nil
    return copy
  }
}
