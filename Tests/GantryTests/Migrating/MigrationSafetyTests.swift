import Foundation
import SQLiteDriver
import TestSupport
import Testing

/// Migrations that are killed, locked out, or run where they cannot: the old store or the new one is there, whole.
///
/// `Scripts/torture-migrations` kills many more over larger stores.
struct MigrationSafetyTests {
  static let command = ["migrate", "s.sqlite", "--model", "M.xcdatamodeld"]

  /// A folder with a model of two versions, of which the second is the current one, and a store of the first.
  func ground(rows count: Int = 20, journal: String = "delete") throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for (version, attributes) in [
      ("V1", "<attribute name=\"name\" optional=\"YES\" attributeType=\"String\"/>"),
      (
        "V2",
        "<attribute name=\"title\" optional=\"YES\" attributeType=\"String\" elementID=\"name\"/>"
          + "<attribute name=\"rank\" attributeType=\"Integer 16\" defaultValueString=\"7\"/>"
      ),
    ] {
      try folder.write(
        "<model><entity name=\"E\">\(attributes)</entity></model>", to: "M.xcdatamodeld/\(version).xcdatamodel/contents"
      )
    }
    let mark: [String: Any] = ["_XCCurrentVersionName": "V2.xcdatamodel"]
    try folder.write(
      PropertyListSerialization.data(fromPropertyList: mark, format: .xml, options: 0),
      to: "M.xcdatamodeld/.xccurrentversion")
    try folder.write("name\n" + (1...count).map { "row \($0)\n" }.joined(), to: "e.csv")
    let seeded = try ToolRun(
      [
        "import", "e.csv", "--model", "M.xcdatamodeld", "--model-version", "V1", "--entity", "E", "--store", "s.sqlite",
        "--journal", journal, "--quiet",
      ], in: folder.url)
    try #require(seeded.status == 0, "\(seeded.errors)")
    return folder
  }

  private func files(_ folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }

  /// Rows that are no object's would be gone without a word.
  @Test func strayRows() throws {
    let folder = try ground()
    try Connection(folder.path("s.sqlite"), .readWrite).execute("UPDATE ZE SET Z_ENT = 77 WHERE Z_PK < 3")
    let before = try Data(contentsOf: folder.url.appendingPathComponent("s.sqlite"))
    let run = try ToolRun(Self.command, in: folder.url)
    #expect(run.status == 6)
    #expect(run.errors.contains("2 rows of ZE with the number 77, which is no entity's there"), "\(run.errors)")
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("s.sqlite")) == before)
    let allowed = try ToolRun(Self.command + ["--allow-loss", "ZE"], in: folder.url)
    #expect(allowed.status == 0, "\(allowed.errors)")
    #expect(try rows("SELECT COUNT(*) FROM ZE", in: folder.path("s.sqlite")) == ["18"])
  }

  // MARK: Kills

  @Test(arguments: ["delete", "wal"]) func kills(journal: String) throws {
    let folder = try ground(rows: 5000, journal: journal)
    let seed = try Data(contentsOf: folder.url.appendingPathComponent("s.sqlite"))
    let store = folder.path("s.sqlite")
    let oldRows = try rows("SELECT COUNT(*), SUM(Z_PK), MIN(ZNAME) FROM ZE", in: store)
    var numbers = SeededGenerator(seed: 3)
    for _ in 0..<6 {
      let running = try RunningTool(Self.command, in: folder.url)
      usleep(.random(in: 0...200_000, using: &numbers))
      kill(running.process.processIdentifier, SIGKILL)
      _ = try running.wait()
      // A kill while the log is brought into the file may leave SQLite's journal, which who writes next rolls back.
      _ = try Connection(store, .readWrite).pragma("schema_version")
      #expect(try rows("PRAGMA integrity_check", in: store) == ["ok"])
      let isNew = try rows("SELECT COUNT(*) FROM pragma_table_info('ZE') WHERE name = 'ZRANK'", in: store) == ["1"]
      let name = isNew ? "ZTITLE" : "ZNAME"
      #expect(try rows("SELECT COUNT(*), SUM(Z_PK), MIN(\(name)) FROM ZE", in: store) == oldRows)
      if isNew { try seed.write(to: folder.url.appendingPathComponent("s.sqlite")) }
    }
    let last = try ToolRun(Self.command + ["--backup", "last.sqlite"], in: folder.url)
    #expect(last.status == 0, "\(last.errors)")
    #expect(try rows("SELECT COUNT(*), SUM(ZRANK) FROM ZE", in: store) == ["5000|35000"])
    #expect(try files(folder).filter { $0.contains("migrating") } == [])
    #expect(try rows("SELECT COUNT(*), SUM(Z_PK), MIN(ZNAME) FROM ZE", in: folder.path("last.sqlite")) == oldRows)
  }

  /// A backup on another file system is a copy; a run that is killed while it copies keeps no other from that place.
  @Test(.enabled(if: TemporaryFolder.otherFileSystem != nil, TemporaryFolder.otherFileSystemComment))
  func killsWhileCopying() throws {
    let folder = try ground(rows: 5000)
    let other = try TemporaryFolder(in: #require(TemporaryFolder.otherFileSystem))
    let seed = try Data(contentsOf: folder.url.appendingPathComponent("s.sqlite"))
    let command = Self.command + ["--backup", other.path("b.sqlite")]
    var numbers = SeededGenerator(seed: 5)
    for round in 0..<4 {
      if round == 0 {
        try other.write(seed.prefix(5000), to: ".b.sqlite.copying")
      } else {
        let running = try RunningTool(command, in: folder.url)
        usleep(.random(in: 60_000...200_000, using: &numbers))
        kill(running.process.processIdentifier, SIGKILL)
        _ = try running.wait()
      }
      let run = try ToolRun(command, in: folder.url)
      #expect(run.status == 0, "\(run.errors)")
      #expect(try rows("SELECT COUNT(*), SUM(ZRANK) FROM ZE", in: folder.path("s.sqlite")) == ["5000|35000"])
      #expect(try Data(contentsOf: other.url.appendingPathComponent("b.sqlite")) == seed)
      #expect(try files(other) == ["b.sqlite"])
      try seed.write(to: folder.url.appendingPathComponent("s.sqlite"))
      try FileManager.default.removeItem(atPath: other.path("b.sqlite"))
    }
  }

  // MARK: Others

  /// A program that has the store open, be it idle as one with a write-ahead log may be, keeps it.
  @Test(arguments: [Case("wal", "", 5), Case("delete", "BEGIN IMMEDIATE", 5)] as [Case<String, Int32>])
  func openElsewhere(_ test: Case<String, Int32>) throws {
    let journal = test.name
    let folder = try ground(journal: journal)
    let other = try Connection(folder.path("s.sqlite"), .readWrite)
    if !test.input.isEmpty { try other.execute(test.input) }
    _ = try other.pragma("user_version")
    let run = try ToolRun(Self.command, in: folder.url)
    #expect(run.status == test.expected && run.errors.contains("is in use by another program"), "\(run.errors)")
    #expect(try files(folder).allSatisfy { !$0.contains("migrating") && !$0.contains("backup") })
    try other.rollback()
    #expect(try rows("SELECT COUNT(ZNAME) FROM ZE", of: other) == ["20"])
  }

  @Test func lockedByAnotherRun() throws {
    let folder = try ground()
    let run = try ToolRun(
      shell: "exec 9>s.sqlite.lock; flock -n 9 || exit 99; $GANTRY \(Self.command.joined(separator: " "))",
      in: folder.url)
    #expect(run.status == 5 && run.errors.contains("another run holds the lock"), "\(run.errors)")
  }

  @Test func keepsItsJournal() throws {
    let folder = try ground(journal: "wal")
    let run = try ToolRun(Self.command + ["--backup", "none"], in: folder.url)
    #expect(run.status == 0, "\(run.errors)")
    let header = try Data(contentsOf: folder.url.appendingPathComponent("s.sqlite")).prefix(20)
    #expect(header[18] == 2 && header[19] == 2)
    #expect(try files(folder) == ["M.xcdatamodeld", "e.csv", "s.sqlite"])
  }

  /// What is in a log that a crash left behind is migrated, too.
  @Test func bringsTheLogAlong() throws {
    let folder = try ground(journal: "wal")
    do {
      let other = try Connection(folder.path("s.sqlite"), .readWrite)
      try other.execute("PRAGMA wal_autocheckpoint = 0; UPDATE ZE SET ZNAME = 'late' WHERE Z_PK = 1")
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(
          atPath: folder.path("s.sqlite" + suffix), toPath: folder.path("crashed.sqlite" + suffix))
      }
    }
    let run = try ToolRun(
      ["migrate", "crashed.sqlite", "--model", "M.xcdatamodeld", "--backup", "none"], in: folder.url)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try rows("SELECT ZTITLE FROM ZE WHERE Z_PK = 1", in: folder.path("crashed.sqlite")) == ["late"])
  }

  @Test func backups() throws {
    let folder = try ground()
    let before = try Data(contentsOf: folder.url.appendingPathComponent("s.sqlite"))
    try folder.write("mine", to: "taken.sqlite")
    let taken = try ToolRun(Self.command + ["--backup", "taken.sqlite"], in: folder.url)
    #expect(taken.status == 7 && taken.errors.contains("it exists already"), "\(taken.errors)")
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("s.sqlite")) == before)
    try folder.write("mine", to: "s.backup.sqlite")
    let run = try ToolRun(Self.command, in: folder.url)
    #expect(run.status == 0 && run.errors.contains("s.backup-2.sqlite"), "\(run.errors)")
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("s.backup-2.sqlite")) == before)
  }

  // MARK: The machine

  @Test(.enabled(if: EnvironmentTests.nobodyMayRun, EnvironmentTests.nobodyComment))
  func folderThatMayNotBeWritten() throws {
    let folder = try ground()
    let run = try ToolRun(
      shell: "chmod 555 . && \(EnvironmentTests.asNobody) $GANTRY \(Self.command.joined(separator: " ")); "
        + "s=$?; chmod 755 .; exit $s", in: folder.url)
    #expect(run.status == 7 && run.errors.contains("[environment.permission]"), "\(run.errors)")
    #expect(try rows("SELECT COUNT(ZNAME) FROM ZE", in: folder.path("s.sqlite")) == ["20"])
  }

  @Test(.enabled(if: EnvironmentTests.mayMount, EnvironmentTests.mountComment))
  func fullDisk() throws {
    let folder = try ground(rows: 3000)
    let run = try ToolRun(
      shell: """
        mkdir disk && mount -t tmpfs -o size=$(($(stat -c %s s.sqlite) + 16384)) tmpfs disk && cp s.sqlite disk || exit 99
        $GANTRY migrate disk/s.sqlite --model M.xcdatamodeld; s=$?
        ls -A disk; mkdir kept; cp disk/s.sqlite kept; umount disk; exit $s
        """, in: folder.url)
    #expect(run.status == 7 && run.errors.contains("[environment.no-space]"), "\(run.errors)")
    #expect(run.output == "s.sqlite\n")
    #expect(try rows("SELECT COUNT(ZNAME) FROM ZE", in: folder.path("kept/s.sqlite")) == ["3000"])
  }
}
