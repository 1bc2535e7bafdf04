import Foundation
import SQLiteDriver
import TestSupport
import Testing

/// A store that is named through a symbolic link: its log and its large values are beside the file itself.
struct LinkedStoreTests {
  private static let blob = "0A1B2C3D-0000-4000-8000-00000000000A"

  /// A folder with `s.sqlite`, a link to `real/s.sqlite`, of whose two rows one is in the log that a crash has left alone, and the other
  /// has a large value.
  private func ground() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let data =
      "<attribute name=\"data\" optional=\"YES\" attributeType=\"Binary\" allowsExternalBinaryDataStorage=\"YES\"/>"
    let name = "<attribute name=\"name\" optional=\"YES\" attributeType=\"String\"/>"
    let rank = "<attribute name=\"rank\" attributeType=\"Integer 16\" defaultValueString=\"7\"/>"
    for (version, attributes) in [("V1", data + name), ("V2", data + name + rank)] {
      try folder.write(
        "<model><entity name=\"E\">\(attributes)</entity></model>", to: "M.xcdatamodeld/\(version).xcdatamodel/contents"
      )
    }
    let mark = ["_XCCurrentVersionName": "V2.xcdatamodel"]
    try folder.write(
      PropertyListSerialization.data(fromPropertyList: mark, format: .xml, options: 0),
      to: "M.xcdatamodeld/.xccurrentversion")
    try folder.write("name\nfirst\n", to: "e.csv")
    try folder.write(Data(repeating: 1, count: 200_000), to: "real/.s_SUPPORT/_EXTERNAL_DATA/\(Self.blob)")
    let seeded = try ToolRun(
      [
        "import", "e.csv", "--model", "M.xcdatamodeld", "--model-version", "V1", "--entity", "E", "--store",
        "seed.sqlite", "--journal", "wal", "--quiet",
      ], in: folder.url)
    try #require(seeded.status == 0, "\(seeded.errors)")
    do {
      let other = try Connection(folder.path("seed.sqlite"), .readWrite)
      try other.execute(
        """
        UPDATE ZE SET ZDATA = CAST(X'02' || '\(Self.blob)' || X'00' AS BLOB);
        PRAGMA wal_checkpoint(TRUNCATE); PRAGMA wal_autocheckpoint = 0;
        INSERT INTO ZE (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (2, 1, 1, 'precious'); UPDATE Z_PRIMARYKEY SET Z_MAX = 2
        """)
      for suffix in ["", "-wal"] {
        try FileManager.default.copyItem(
          atPath: folder.path("seed.sqlite" + suffix), toPath: folder.path("real/s.sqlite" + suffix))
      }
    }
    try FileManager.default.removeItem(atPath: folder.path("seed.sqlite"))
    try FileManager.default.createSymbolicLink(atPath: folder.path("s.sqlite"), withDestinationPath: "real/s.sqlite")
    return folder
  }

  struct Use: Sendable {
    /// A command line, run by a shell.
    var command: String
    /// What the output and the errors say.
    var says: [String]
    /// What is asked of the file itself afterwards.
    var query = "SELECT group_concat(ZNAME) FROM ZE"

    init(_ command: String, says: [String], query: String = "SELECT group_concat(ZNAME) FROM ZE") {
      (self.command, self.says, self.query) = (command, says, query)
    }
  }

  private static let version = "--model M.xcdatamodeld --model-version V1"

  static let uses: [Case<Use, String>] = [
    Case("fetch", Use("fetch s.sqlite E --select name \(version)", says: ["precious"]), "first,precious"),
    Case(
      "export", Use("export s.sqlite out \(version) && cat out/E.csv && ls out/*", says: ["precious"]),
      "first,precious"),
    Case(
      "inspect", Use("inspect s.sqlite", says: ["store: s.sqlite\n", "wal, with a -wal of", "E\t2\t"]), "first,precious"
    ),
    Case("check", Use("check s.sqlite \(version)", says: ["s.sqlite: sound, 2 rows"]), "first,precious"),
    Case(
      "import", Use("import e.csv --entity E --store s.sqlite \(version)", says: []), "first,precious,first"),
    Case(
      "migrate --plan", Use("migrate s.sqlite --model M.xcdatamodeld --plan", says: ["s.sqlite", "2 rows"]),
      "first,precious"),
    Case(
      "migrate --rehearse", Use("migrate --rehearse . --model M.xcdatamodeld", says: ["s.sqlite", "migrated"]),
      "first,precious"),
    Case(
      "migrate",
      Use(
        "migrate s.sqlite --model M.xcdatamodeld", says: ["s.sqlite: V1 -> V2, 2 rows", "real/s.backup.sqlite"],
        query: "SELECT group_concat(ZNAME || ZRANK) FROM ZE"), "first7,precious7"),
    Case(
      "a pipeline's step migrate",
      Use(
        "import p.json5", says: ["V1 -> V2, 2 rows"], query: "SELECT group_concat(ZNAME || ZRANK) FROM ZE"),
      "first7,precious7,first7"),
  ]

  @Test(arguments: uses) func use(_ test: Case<Use, String>) throws {
    let folder = try ground()
    try folder.write(
      "{ model: 'M.xcdatamodeld', store: 's.sqlite', steps: [{ migrate: {} }, { read: { csv: 'e.csv' }, entity: 'E' }] }",
      to: "p.json5")
    let run = try ToolRun(shell: "$GANTRY \(test.input.command)", in: folder.url)
    #expect(run.status == 0, "\(run.errors)")
    for words in test.input.says { #expect((run.output + run.errors).contains(words), "\(run.output)\(run.errors)") }
    #expect(!run.errors.contains("missing"), "\(run.errors)")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("s.sqlite")) == "real/s.sqlite")
    // Beside the link there is nothing that belongs to a store.
    let beside = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    let others = beside.filter { $0 != "s.sqlite" && ($0.hasPrefix("s.") || $0.hasPrefix(".")) }
    #expect(others == [], "\(others)")
    #expect(try rows(test.input.query, in: folder.path("real/s.sqlite")) == [test.expected])
    #expect(FileManager.default.fileExists(atPath: folder.path("real/.s_SUPPORT/_EXTERNAL_DATA/\(Self.blob)")))
  }
}
