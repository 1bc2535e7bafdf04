import Bytes
import Testing

@testable import SQLiteDriver

@Suite struct RawColumnsTableTests {
  /// Four columns, one of each kind, with the row number in each and a null in every fourth row.
  static func columns(_ count: Int, from start: Int64 = 0) -> [RawColumn] {
    let columns = [RawColumn.Kind.integer, .real, .text, .blob].map { RawColumn(kind: $0, capacity: 4) }
    for row in start..<start + Int64(count) {
      if row % 4 == 3 {
        for column in columns { column.appendNull() }
      } else {
        columns[0].append(row)
        columns[1].append(Double(row) + 0.5)
        columns[2].append("é\(row)")
        [UInt8(truncatingIfNeeded: row), 0].withUnsafeBytes { columns[3].append($0) }
      }
    }
    return columns
  }

  static func table(_ connection: Connection) throws -> RawColumnsTable {
    try RawColumnsTable(connection, name: "chunk", columns: ["i", "r", "a \"t\"", "b"])
  }

  @Test func values() throws {
    let connection = try Connection()
    let table = try Self.table(connection)
    #expect(try rows(connection, "SELECT * FROM chunk") == [])
    table.show(Self.columns(5), rowCount: 5)
    let statement = try connection.prepare("SELECT rowid, * FROM chunk")
    #expect((0..<5).map { statement.columnName($0) } == ["rowid", "i", "r", "a \"t\"", "b"])
    for row in 0..<5 as Range<Int64> {
      #expect(try statement.step())
      #expect(statement.integer(0) == row)
      let values = (1..<5).map { statement.value($0) }
      #expect(
        values
          == (row == 3
            ? [.null, .null, .null, .null]
            : [.integer(row), .real(Double(row) + 0.5), .text("é\(row)"), .blob([UInt8(row), 0])]))
    }
    #expect(try !statement.step())
    table.showNothing()
    #expect(try !statement.step())
  }

  /// Empty texts and blobs are no nulls.
  @Test func empty() throws {
    let connection = try Connection()
    let table = try RawColumnsTable(connection, name: "c", columns: ["t", "b"])
    let columns = [RawColumn(kind: .text), RawColumn(kind: .blob)]
    columns[0].append("")
    columns[1].append(UnsafeRawBufferPointer(start: nil, count: 0))
    table.show(columns, rowCount: 1)
    let statement = try connection.prepare("SELECT t, b FROM c")
    #expect(try statement.step())
    #expect(statement.value(0) == .text(""))
    #expect(statement.value(1) == .blob([]))
  }

  /// One statement, compiled once, inserts chunk after chunk.
  @Test func insertsChunks() throws {
    let connection = try Connection()
    try connection.execute("CREATE TABLE t (Z_PK INTEGER PRIMARY KEY, i INTEGER, r FLOAT, t VARCHAR, b BLOB)")
    let table = try Self.table(connection)
    let counter = StatementCounter()
    connection.counter = counter
    for start in stride(from: 0, to: 30, by: 10) {
      table.show(Self.columns(10, from: Int64(start)), rowCount: 10)
      let insert = try connection.statement(
        "INSERT INTO t SELECT ?1 + rowid, i, r, \"a \"\"t\"\"\", b FROM chunk ORDER BY rowid")
      insert.bind(1, Int64(start) + 1)
      try insert.run()
      #expect(connection.changes == 10)
    }
    #expect(counter.prepared == 1)
    #expect(counter.executed == ["INSERT": 3])
    #expect(try rows(connection, "SELECT count(*), count(i), sum(i), sum(r) FROM t") == ["30|23|330|341.5"])
    #expect(
      try rows(connection, "SELECT Z_PK, i, t, hex(b) FROM t WHERE Z_PK IN (1, 4, 30)") == [
        "1|0|é0|0000", "4|NULL|NULL|", "30|29|é29|1D00",
      ])
    #expect(try rows(connection, "SELECT name FROM sqlite_master") == ["t"], "the table is part of no schema")
  }

  /// The rows of a store by the keys of a chunk: found by the store's index.
  @Test func joins() throws {
    let connection = try Connection()
    try connection.execute("CREATE TABLE t (Z_PK INTEGER PRIMARY KEY, ZNAME VARCHAR, ZSIZE INTEGER)")
    try connection.execute("CREATE INDEX n ON t (ZNAME, ZSIZE)")
    try connection.execute("INSERT INTO t VALUES (1, 'é2', 2), (2, 'é1', 1), (3, 'é1', 9), (4, NULL, NULL)")
    let table = try Self.table(connection)
    let sql =
      "SELECT k.rowid, t.Z_PK FROM chunk k JOIN t ON t.ZNAME = k.\"a \"\"t\"\"\" AND t.ZSIZE = k.i ORDER BY k.rowid"
    table.show(Self.columns(8), rowCount: 8)
    #expect(try rows(connection, sql) == ["1|2", "2|1"])
    table.show(Self.columns(8), rowCount: 2)
    #expect(try rows(connection, sql) == ["1|2"], "rows behind the count are not there")
    let plan = try rows(connection, "EXPLAIN QUERY PLAN \(sql)")
    #expect(plan.count == 2, "no step sorts")
    #expect(plan[0].contains("SCAN k VIRTUAL TABLE INDEX 0"))
    #expect(plan[1].contains("USING COVERING INDEX n (ZNAME=? AND ZSIZE=?)"))
  }

  static let conditions: [(String, [Int64])] = [
    ("rowid = 3", [3]), ("rowid = 10", []), ("rowid = -1", []), ("rowid >= 8", [8, 9]), ("rowid > 8", [9]),
    ("rowid <= 1", [0, 1]), ("rowid < 1", [0]), ("rowid < 0", []), ("rowid BETWEEN 3 AND 5", [3, 4, 5]),
    ("rowid > 3 AND rowid < 6 AND rowid <> 4", [5]), ("rowid = 4 AND rowid > 4", []), ("rowid > 5 AND rowid < 3", []),
    ("rowid <= 9223372036854775807", Array(0..<10)), ("rowid >= -9223372036854775808", Array(0..<10)),
    ("rowid > 9223372036854775806", []), ("rowid < -9223372036854775807", []), ("rowid >= 7.5", [8, 9]),
    ("rowid = 'x'", []), ("rowid = '4'", [4]), ("rowid = NULL", []), ("rowid IN (2, 7)", [2, 7]),
    ("rowid = 2 OR rowid = 3", [2, 3]), ("i = 5", [5]), ("rowid > 4 AND i IS NULL", [7]),
  ]

  @Test(arguments: conditions) func condition(_ condition: String, _ expected: [Int64]) throws {
    let connection = try Connection()
    let table = try Self.table(connection)
    table.show(Self.columns(10), rowCount: 10)
    #expect(try rows(connection, "SELECT rowid FROM chunk WHERE \(condition)") == expected.map { "\($0)" })
    #expect(
      try rows(connection, "SELECT rowid FROM chunk WHERE \(condition) ORDER BY rowid DESC")
        == expected.reversed().map { "\($0)" })
  }

  /// Half of a chunk by its bounds, as when a chunk that failed is halved.
  @Test func halves() throws {
    let connection = try Connection()
    let table = try Self.table(connection)
    table.show(Self.columns(10), rowCount: 10)
    let plan = try rows(connection, "EXPLAIN QUERY PLAN SELECT i FROM chunk WHERE rowid >= ?1 AND rowid < ?2")
    #expect(plan.count == 1)
    #expect(plan[0].contains("VIRTUAL TABLE INDEX 3"))
  }

  @Test func severalAtOnceAndThroughItself() throws {
    let connection = try Connection()
    let (one, two) = (
      try RawColumnsTable(connection, name: "one", columns: ["x"]),
      try RawColumnsTable(connection, name: "two", columns: ["x"])
    )
    one.show([Self.columns(3)[0]], rowCount: 3)
    two.show([Self.columns(3, from: 1)[0]], rowCount: 3)
    #expect(try rows(connection, "SELECT one.x FROM one JOIN two USING (x)") == ["1", "2"])
    #expect(try rows(connection, "SELECT count(*) FROM one a, one b") == ["9"])
  }

  @Test func isReadOnly() throws {
    let connection = try Connection()
    let table = try Self.table(connection)
    table.show(Self.columns(1), rowCount: 1)
    #expect(throws: SQLiteError.self) { try connection.execute("INSERT INTO chunk (i) VALUES (1)") }
    #expect(throws: SQLiteError.self) { try connection.execute("DELETE FROM chunk") }
  }

  /// The table and its columns go with the connection.
  @Test func goesWithTheConnection() throws {
    weak var kept: RawColumnsTable?
    weak var column: RawColumn?
    do {
      let connection = try Connection()
      let table = try Self.table(connection)
      let columns = Self.columns(2)
      table.show(columns, rowCount: 2)
      _ = try connection.statement("SELECT * FROM chunk").step()
      kept = table
      column = columns[0]
      #expect(kept != nil)
    }
    #expect(kept == nil)
    #expect(column == nil)
  }
}
