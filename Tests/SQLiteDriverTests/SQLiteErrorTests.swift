import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import SQLiteDriver

@Suite struct ConstraintTests {
  static let schema = """
    CREATE TABLE ZCITY (Z_PK INTEGER PRIMARY KEY, ZNAME, ZCOUNTRY NOT NULL, ZSIZE CHECK (ZSIZE > 0),
      ZMAYOR REFERENCES ZCITY (Z_PK));
    CREATE UNIQUE INDEX Z_CITY_KEY ON ZCITY (ZNAME, ZCOUNTRY);
    CREATE UNIQUE INDEX Z_CITY_LOWER ON ZCITY (lower(ZNAME)) WHERE ZCOUNTRY = 'FR';
    CREATE TRIGGER g BEFORE INSERT ON ZCITY WHEN new.ZNAME = 'raise' BEGIN SELECT RAISE(ABORT, 'no such name'); END;
    INSERT INTO ZCITY VALUES (1, 'secret', 'IT', 1, NULL), (5, 'Paris', 'FR', 1, NULL);
    """

  static let cases: [Case<String, SQLiteError.Constraint>] = [
    Case("unique", "(2, 'secret', 'IT', 1, NULL)", .unique(table: "ZCITY", columns: ["ZNAME", "ZCOUNTRY"])),
    Case("unique expression", "(2, 'PARIS', 'FR', 1, NULL)", .uniqueIndex("Z_CITY_LOWER")),
    Case("primary key", "(1, 'other', 'IT', 1, NULL)", .primaryKey(table: "ZCITY", columns: ["Z_PK"])),
    Case("not null", "(2, 'other', NULL, 1, NULL)", .notNull(table: "ZCITY", column: "ZCOUNTRY")),
    Case("check", "(2, 'other', 'IT', 0, NULL)", .check),
    Case("foreign key", "(2, 'other', 'IT', 1, 99)", .foreignKey),
    Case("trigger", "(2, 'raise', 'IT', 1, NULL)", .trigger),
  ]

  static let messages: [String: String] = [
    "unique": """
    a row with equal values in ZNAME, ZCOUNTRY is already in ZCITY [store.unique]
      Remove one of the two, or name these columns as the `key`.
    """,
    "unique expression": """
    a row with equal values is already in the index Z_CITY_LOWER [store.unique]
      Remove one of the two.
    """,
    "primary key": """
    a row with equal values in Z_PK is already in ZCITY [store.unique]
      Remove one of the two, or name these columns as the `key`.
    """,
    "not null": """
    expected a value in ZCITY.ZCOUNTRY, found none [store.constraint]
      Give it a value.
    """,
    "check": "the store refuses the row: CHECK constraint failed: ZSIZE > 0 [store.constraint]",
    "foreign key": "the store refuses the row: FOREIGN KEY constraint failed [store.constraint]",
    "trigger": "the store refuses the row: no such name [store.constraint]",
  ]

  @Test(arguments: cases) func constraint(_ c: Case<String, SQLiteError.Constraint>) throws {
    let connection = try Connection()
    try connection.setPragma("foreign_keys", "ON")
    try connection.execute(Self.schema)
    let error = try #require(throws: SQLiteError.self) {
      try connection.execute("INSERT INTO ZCITY VALUES \(c.input)")
    }
    #expect(error.kind == .constraint(c.expected))
    #expect(error.extendedCode & 0xFF == 19)
    #expect(error.diagnostic.text(like: Self.messages[c.name]) == Self.messages[c.name])
    #expect(error.diagnostic.code.fate == .reject)
  }

  /// A bound value is in no part of an error.
  @Test func valuesStayOut() throws {
    let connection = try Connection()
    try connection.execute("CREATE TABLE t (a UNIQUE)")
    let insert = try connection.prepare("INSERT INTO t VALUES (?1)")
    insert.bind(1, "secret")
    try insert.run()
    let error = try #require(throws: SQLiteError.self) { try insert.run() }
    #expect(!String(reflecting: error).contains("secret"))
    #expect(!"\(error.diagnostic)".contains("secret"))
  }
}

@Suite struct SQLiteErrorTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func opening(_ path: String, _ mode: Connection.Mode = .readWrite) throws -> Diagnostic {
    try #require(throws: SQLiteError.self) { try Connection(path, mode, busyTimeout: 10) }.diagnostic
  }

  @Test func missing() throws {
    let path = folder.path("none.sqlite")
    for mode in [Connection.Mode.readOnly, .readWrite] {
      let diagnostic = try opening(path, mode)
      #expect(
        "\(diagnostic)" == """
          there is no store \(path) [store.missing]
            Check its name, or let an import make it.
          """)
      #expect(diagnostic.code.fate == .store)
    }
  }

  @Test func missingFolder() throws {
    let diagnostic = try opening(folder.path("none/s.sqlite"), .create)
    #expect(
      "\(diagnostic)" == """
        there is no folder \(folder.path("none")) [environment.folder]
          Make it, e.g. with `mkdir -p`, or name another.
        """)
    #expect(diagnostic.code.fate == .environment)
  }

  @Test func isFolder() throws {
    #expect(
      "\(try opening(folder.url.path))" == """
        expected an SQLite database, found a folder: \(folder.url.path) [store.not-sqlite]
          Name the file in it.
        """)
  }

  @Test(arguments: [Connection.Mode.readOnly, .readWrite, .create]) func isSomethingElse(_ mode: Connection.Mode) throws
  {
    let path = try folder.write(String(repeating: "Ada,Lovelace\n", count: 100), to: "contacts.csv")
    let diagnostic = try opening(path, mode)
    #expect(
      "\(diagnostic)" == """
        expected an SQLite database, found another kind of file: \(path) [store.not-sqlite]
          Check the name of the store.
        """)
    #expect(diagnostic.code.fate == .store)
  }

  @Test func damaged() throws {
    let path = folder.path("s.sqlite")
    try Connection(path, .create).execute(
      "CREATE TABLE t (a); WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) INSERT INTO t SELECT i FROM n"
    )
    let file = try #require(FileHandle(forUpdatingAtPath: path))
    try file.seek(toOffset: 4096)
    try file.write(contentsOf: Data(repeating: 0xFF, count: 4096))
    let error = try #require(throws: SQLiteError.self) { try rows(Connection(path, .readOnly), "SELECT sum(a) FROM t") }
    #expect(
      "\(error.diagnostic)" == """
        \(path) is damaged: database disk image is malformed [store.damaged]
          See what `PRAGMA integrity_check` says, and take the store from a backup.
        """)
  }

  @Test func busy() throws {
    let path = folder.path("s.sqlite")
    let first = try Connection(path, .create)
    try first.execute("CREATE TABLE t (a)")
    try first.begin()
    let second = try Connection(path, .readWrite, busyTimeout: 10)
    let error = try #require(throws: SQLiteError.self) { try second.begin() }
    #expect(error.kind == .busy)
    #expect(
      "\(error.diagnostic)" == """
        \(path) is in use by another program [store.busy]
          Close the app or tool that writes it, then start again.
        """)
    #expect(error.diagnostic.code.fate == .locked)
    try first.commit()
    try second.begin()
  }

  @Test func full() throws {
    let path = folder.path("s.sqlite")
    let connection = try Connection(path, .create)
    try connection.setPragma("max_page_count", "2")
    let error = try #require(throws: SQLiteError.self) {
      try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(100000))")
    }
    #expect(error.kind == .full)
    #expect(
      "\(error.diagnostic)" == """
        no space is left on the disk of \(path) [environment.no-space]
          Free some space, then start again.
        """)
  }

  @Test(.enabled(if: getuid() != 0, "root may write everything")) func denied() throws {
    let path = folder.path("s.sqlite")
    try Connection(path, .create).execute("CREATE TABLE t (a)")
    chmod(path, 0o400)
    #expect(try opening(path).code.name == "environment.permission")
    chmod(path, 0)
    #expect(try opening(path, .readOnly).code.name == "environment.permission")
  }

  @Test func readOnly() throws {
    let path = folder.path("s.sqlite")
    try Connection(path, .create).execute("CREATE TABLE t (a)")
    let connection = try Connection(path, .readOnly)
    let error = try #require(throws: SQLiteError.self) { try connection.execute("INSERT INTO t VALUES (1)") }
    #expect(
      "\(error.diagnostic)" == """
        \(path) may not be opened or written [environment.permission]
          Allow writing the file and its folder, or run as another user.
        """)
  }

  @Test func wrongSQL() throws {
    let error = try #require(throws: SQLiteError.self) { try Connection().prepare("SELECT a FROM absent") }
    #expect(error.kind == .other)
    #expect(
      error.diagnostic.line
        == "the database in memory: no such table: absent in: SELECT a FROM absent [store.sql]")
  }

  static let disk: [Case<Int32, String>] = [
    Case(
      "full", ENOSPC, "no space is left on the disk of s [environment.no-space]\n  Free some space, then start again."),
    Case(
      "quota", EDQUOT, "no space is left on the disk of s [environment.no-space]\n  Free some space, then start again."),
    Case(
      "broken", EIO,
      "reading or writing s failed: Input/output error [environment.disk]\n  Check the disk, then start again."),
    Case(
      "unknown", 0,
      "reading or writing s failed: disk I/O error [environment.disk]\n  Check the disk, then start again."),
  ]

  @Test(arguments: disk) func inputOutput(_ c: Case<Int32, String>) {
    var error = SQLiteError(.inputOutput, message: "disk I/O error", path: "s")
    error.systemCode = c.input
    #expect("\(error.diagnostic)" == c.expected)
    #expect(error.diagnostic.code.fate == .environment)
  }
}
