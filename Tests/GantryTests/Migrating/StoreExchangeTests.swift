import Foundation
import SQLiteDriver
import TestSupport
import Testing

/// What takes a store's place, and what it keeps of the one before: the backup, the store made anew, the end by a signal or a limit.
struct StoreExchangeTests {
  private static let command = MigrationSafetyTests.command

  private func ground(rows: Int = 20, journal: String = "delete") throws -> TemporaryFolder {
    let folder = try MigrationSafetyTests().ground(rows: rows, journal: journal)
    try folder.write(
      "<model><entity name=\"Other\"><attribute name=\"x\" optional=\"YES\" attributeType=\"String\"/></entity></model>",
      to: "N.xcdatamodeld/V1.xcdatamodel/contents")
    return folder
  }

  private func store(_ folder: TemporaryFolder) throws -> Data {
    try Data(contentsOf: folder.url.appendingPathComponent("s.sqlite"))
  }

  private func names(_ folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }

  // MARK: The backup

  /// It would be kept nowhere.
  @Test(arguments: ["s.sqlite", "./s.sqlite", "M.xcdatamodeld/../s.sqlite", "link.sqlite"])
  func backupThatIsTheStore(_ name: String) throws {
    let folder = try ground()
    try FileManager.default.createSymbolicLink(atPath: folder.path("link.sqlite"), withDestinationPath: "s.sqlite")
    let before = try store(folder)
    let run = try ToolRun(Self.command + ["--backup", name], in: folder.url)
    #expect(run.status == 2)
    #expect(
      run.errors.hasPrefix(
        "gantry: the backup \(name) is the store s.sqlite itself, whose place the new one takes [migration.backup]\n"),
      "\(run.errors)")
    #expect(try store(folder) == before)
  }

  // MARK: A store made anew

  private static let recreate = ["migrate", "s.sqlite", "--model", "N.xcdatamodeld", "--recreate"]

  @Test(arguments: ["delete", "wal"]) func recreated(journal: String) throws {
    let folder = try ground(journal: journal)
    try folder.write("x", to: ".s_SUPPORT/_EXTERNAL_DATA/x")
    let run = try ToolRun(Self.recreate, in: folder.url)
    #expect(run.status == 0 && run.errors.contains("s.old.sqlite"), "\(run.errors)")
    #expect(try rows("SELECT COUNT(*) FROM ZOTHER", in: folder.path("s.sqlite")) == ["0"])
    #expect(try rows("SELECT COUNT(ZNAME) FROM ZE", in: folder.path("s.old.sqlite")) == ["20"])
    #expect(FileManager.default.fileExists(atPath: folder.path(".s.old_SUPPORT/_EXTERNAL_DATA/x")))
    #expect(!FileManager.default.fileExists(atPath: folder.path(".s_SUPPORT/_EXTERNAL_DATA/x")))
  }

  /// What another program is about to commit would go to the file that was moved away.
  @Test(arguments: [Case("delete", "BEGIN IMMEDIATE", 5), Case("wal", "BEGIN IMMEDIATE", 5), Case("wal", "", 5)])
  func recreatedWhileInUse(_ test: Case<String, Int32>) throws {
    let folder = try ground(journal: test.name)
    let other = try Connection(folder.path("s.sqlite"), .readWrite)
    _ = try other.pragma("user_version")
    if !test.input.isEmpty { try other.execute(test.input + "; UPDATE ZE SET ZNAME = 'late'") }
    let run = try ToolRun(Self.recreate, in: folder.url)
    #expect(run.status == test.expected && run.errors.contains("[store.busy]"), "\(run.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path("s.old.sqlite")))
    if !test.input.isEmpty {
      try other.commit()
      #expect(try rows("SELECT DISTINCT ZNAME FROM ZE", in: folder.path("s.sqlite")) == ["late"])
    }
  }

  /// At every moment a store is at the place.
  @Test func recreatedAndKilled() throws {
    let folder = try ground()
    let seed = try store(folder)
    var numbers = SeededGenerator(seed: 7)
    for _ in 0..<6 {
      let running = try RunningTool(Self.recreate, in: folder.url)
      usleep(.random(in: 0...150_000, using: &numbers))
      kill(running.process.processIdentifier, SIGKILL)
      _ = try running.wait()
      #expect(try rows("PRAGMA integrity_check", in: folder.path("s.sqlite")) == ["ok"])
      if try store(folder) != seed {
        #expect(try rows("SELECT COUNT(*) FROM ZOTHER", in: folder.path("s.sqlite")) == ["0"])
        try seed.write(to: folder.url.appendingPathComponent("s.sqlite"))
      }
    }
  }

  // MARK: Ends

  /// A file beyond the allowed size is an error, for each command, and nothing is changed.
  @Test(arguments: [
    Self.command, Self.recreate, ["fetch", "s.sqlite", "E", "--model", "M.xcdatamodeld", "--model-version", "V1"],
    [
      "import", "e.csv", "--model", "M.xcdatamodeld",
      "--model-version", "V1", "--entity", "E", "--store", "s.sqlite",
    ],
  ])
  func fileSizeLimit(_ command: [String]) throws {
    let folder = try ground(rows: 3000)
    let before = (try store(folder), try names(folder))
    let run = try ToolRun(shell: "ulimit -f 16; $GANTRY \(command.joined(separator: " "))", in: folder.url)
    #expect(run.status == 7, "\(run.errors)")
    #expect(try store(folder) == before.0 && names(folder) == before.1)
  }

  /// What is read of a store with a log is read in a copy.
  @Test(arguments: ["inspect", "check", "fetch"]) func fileSizeLimitOfACopy(_ word: String) throws {
    let folder = try ground(rows: 3000, journal: "wal")
    let other = try Connection(folder.path("s.sqlite"), .readWrite)
    try other.execute("UPDATE ZE SET ZNAME = 'late' WHERE Z_PK = 1")
    let run = try ToolRun(
      shell: "ulimit -f 16; $GANTRY \(word) s.sqlite \(word == "fetch" ? "E --limit 1" : "")", in: folder.url)
    #expect(run.status == 7 && run.errors.contains("cannot be copied"), "\(run.errors)")
  }

  @Test(arguments: [SIGINT, SIGTERM]) func stopped(_ signal: Int32) throws {
    let folder = try ground()
    try Connection(folder.path("s.sqlite"), .readWrite).execute(
      """
      WITH RECURSIVE n(k) AS (SELECT 21 UNION ALL SELECT k + 1 FROM n WHERE k < 300000)
      INSERT INTO ZE (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT k, 1, 1, 'row ' || k FROM n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 300000
      """)
    let before = (try store(folder), try names(folder))
    let running = try RunningTool(Self.command, in: folder.url)
    while !FileManager.default.fileExists(atPath: folder.path(".s.sqlite.migrating")), running.process.isRunning {
      usleep(2000)
    }
    kill(running.process.processIdentifier, signal)
    let run = try running.wait()
    #expect(run.status == 128 + signal)
    #expect(run.errors == "gantry: stopped; s.sqlite is as it was. Run the same command again to begin anew.\n")
    #expect(try store(folder) == before.0 && names(folder) == before.1)
  }
}
