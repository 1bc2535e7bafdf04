import Bytes
import Foundation
import SQLiteDriver
import TestSupport
import Testing

/// The same input makes the same bytes, whatever the run is like: by the built tool, compared by SHA-256.
struct ReproducibleTests {
  private let folder: TemporaryFolder

  /// A model in which everything is that depends on how a run goes about it: rows that are written several times, links both ways and in
  /// order, objects made for missing keys, an index of places, values in files, derived ones, uniqueness that only the store sees.
  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      """
      <model>
        <entity name="Thing" isAbstract="YES"><attribute name="code" attributeType="String"/></entity>
        <entity name="Place" parentEntity="Thing">
          <attribute name="x" attributeType="Double"/>
          <attribute name="y" attributeType="Double"/>
          <attribute name="seen" optional="YES" attributeType="Date"/>
          <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
          <attribute name="size" optional="YES" attributeType="Integer 32" derived="YES" derivationExpression="parts.@count"/>
          <relationship name="whole" optional="YES" maxCount="1" destinationEntity="Place" inverseName="parts" inverseEntity="Place"/>
          <relationship name="parts" optional="YES" toMany="YES" ordered="YES" destinationEntity="Place" inverseName="whole" inverseEntity="Place"/>
          <relationship name="tags" optional="YES" toMany="YES" ordered="YES" destinationEntity="Tag" inverseName="places" inverseEntity="Tag"/>
          <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Owner" inverseName="places" inverseEntity="Owner"/>
          <fetchIndex name="byPlace"><fetchIndexElement property="x" type="RTree" order="ascending"/><fetchIndexElement property="y" type="RTree" order="ascending"/></fetchIndex>
        </entity>
        <entity name="Tag" parentEntity="Thing">
          <relationship name="places" optional="YES" toMany="YES" destinationEntity="Place" inverseName="tags" inverseEntity="Place"/>
        </entity>
        <entity name="Owner" parentEntity="Thing">
          <relationship name="places" optional="YES" toMany="YES" destinationEntity="Place" inverseName="owner" inverseEntity="Place"/>
        </entity>
        <entity name="Lease">
          <attribute name="number" attributeType="Integer 32"/>
          <relationship name="owner" maxCount="1" destinationEntity="Owner"/>
          <uniquenessConstraints><uniquenessConstraint><constraint value="number"/><constraint value="owner"/></uniquenessConstraint></uniquenessConstraints>
        </entity>
      </model>
      """, to: "M.xcdatamodel/contents")
    try folder.write(Self.places, to: "places.csv")
    try folder.write("number,owner\n" + (0..<16).map { "\($0 % 12),o\($0 % 3)\n" }.joined(), to: "leases.csv")
    try folder.write("code\n" + (0..<300).map { "owner \($0)\n" }.joined(), to: "owners.csv")
    try folder.write(
      """
      { model: "M.xcdatamodel", store: "s.sqlite", reproducible: true, skipLimit: "none", steps: [
        { read: { csv: "places.csv" }, entity: "Place", key: ["code"], onConflict: "update", date: "dd/MM/yyyy HH:mm", timeZone: "Europe/Rome",
          binary: "base64",
          relationships: {
            whole: { column: "whole", by: "code", missing: "null" },
            tags: { column: "tags", by: "code", missing: "create", separator: "|" },
            owner: { column: "owner", by: "code", missing: "create" } } },
        { read: { csv: "leases.csv" }, entity: "Lease",
          relationships: { owner: { column: "owner", by: "code" } } } ] }
      """, to: "p.json5")
  }

  /// Places of which many come twice, with other values, tags and wholes the second time; some are bad, and some values are large.
  private static let places: String = {
    var lines = ["code,x,y,seen,photo,whole,tags,owner"]
    for index in 0..<45 {
      let number = index % 30
      let photo = index == 20 || index == 44 ? Data(repeating: UInt8(index), count: 100_001).base64EncodedString() : ""
      let x = index == 40 ? "far" : "\((number * 7 + index) % 50).5"
      lines.append(
        "p\(number),\(x),\(index),0\(index % 9 + 1)/07/2024 08:30,\(photo),"
          + "p\((number * 13 + index / 30) % 30),t\(number % 7)|t\((index * 5) % 11),o\(index % 5)")
    }
    return lines.joined(separator: "\n") + "\n"
  }()

  /// A run that differs from another in what must make no difference.
  struct Way: Sendable {
    var words: [String] = []
    var environment: [String: String] = [:]
  }

  static let ways: [Case<Way, Void>] = [
    Case("again", Way(), ()),
    Case(
      "one record at a time, elsewhere",
      Way(
        words: ["--chunk", "1"], environment: ["TZ": "Pacific/Kiritimati", "LANG": "tr_TR.UTF-8", "TMPDIR": "/var/tmp"]),
      ()),
    Case(
      "seven records at a time, in another language",
      Way(words: ["--chunk", "7"], environment: ["TZ": "America/St_Johns", "LC_ALL": "de_DE.UTF-8"]), ()),
  ]

  /// All that a run leaves as the store, by name: the SHA-256 of each file.
  private func hashes(_ words: [String], _ way: Way = Way(), store: String = "s.sqlite") throws -> [String: String] {
    let run = try ToolRun(words + way.words, in: folder.url, environment: way.environment)
    #expect([0, 1].contains(run.status), "\(run.errors)")
    return try hashes(of: store)
  }

  /// The hashes of a store's files, which are removed.
  private func hashes(of store: String) throws -> [String: String] {
    let support = ".\(store.split(separator: ".")[0])_SUPPORT"
    let files = FileManager.default.subpaths(atPath: folder.path(support)) ?? []
    var hashes: [String: String] = [:]
    for name in [store] + files.map({ "\(support)/\($0)" }) where FileSystem.kind(of: folder.path(name)) == .file {
      hashes[name] = Hex.encode(SHA256.hash(Array(try Data(contentsOf: URL(fileURLWithPath: folder.path(name))))))
    }
    for name in [store, support, "\(store).rejects"] { try? FileManager.default.removeItem(atPath: folder.path(name)) }
    return hashes
  }

  @Test func sameBytes() throws {
    let run = try ToolRun(["import", "p.json5"], in: folder.url)
    #expect(run.status == 1 && run.errors.contains("Lease has this number and owner"), "\(run.errors)")
    let store = folder.path("s.sqlite")
    #expect(try rows("PRAGMA freelist_count", in: store) == ["0"])
    #expect(try rows("PRAGMA auto_vacuum", in: store) == ["2"])
    #expect(try rows("SELECT DISTINCT Z_OPT FROM ZTHING", in: store) == ["1"])
    #expect(try rows("SELECT COUNT(*) = MAX(Z_PK) FROM ZLEASE", in: store) == ["1"], "a refused lease has kept its key")
    let check = try ToolRun(["check", "s.sqlite", "--model", "M.xcdatamodel"], in: folder.url)
    #expect(check.status == 0, "\(check.output)\(check.errors)")

    let first = try hashes(of: "s.sqlite")
    #expect(first.count == 3, "the store and the files of two large values: \(first)")
    for way in Self.ways { #expect(try hashes(["import", "p.json5"], way.input) == first, "\(way.name)") }
  }

  /// The UUID is one of version 8, that of the same content, and no other's.
  @Test func theUUIDIsOfTheContent() throws {
    func uuid(_ text: String, _ words: String...) throws -> String {
      try folder.write(text, to: "owners.csv")
      let run = try ToolRun(small + words, in: folder.url)
      #expect(run.status == 0, "\(run.errors)")
      let uuid = try #require(try rows("SELECT Z_UUID FROM Z_METADATA", in: folder.path("s.sqlite")).first)
      _ = try hashes(of: "s.sqlite")
      return uuid
    }
    let first = try uuid("code\na\nb\n")
    #expect(first.wholeMatch(of: /[0-9A-F]{8}-[0-9A-F]{4}-8[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}/) != nil)
    // How the content is written down is none of it.
    #expect(try uuid("name;code\nx;a\ny;b\n", "--delimiter", ";", "--ignore", "name") == first)
    #expect(try uuid("code\na\nc\n") != first)
  }

  /// An import of owners alone.
  private let small = [
    "import", "owners.csv", "--model", "M.xcdatamodel", "--entity", "Owner", "--store", "s.sqlite", "--reproducible",
  ]

  @Test func standardInput() throws {
    let read = try hashes(small)
    let piped = try ToolRun(
      shell: "while read -r line; do echo \"$line\"; done < owners.csv | \"$GANTRY\" import - --format csv --chunk 99 "
        + small.dropFirst(2).joined(separator: " "), in: folder.url)
    #expect(piped.status == 0, "\(piped.errors)")
    #expect(try hashes(of: "s.sqlite") == read)
  }

  @Test(arguments: ["delete", "wal"]) func journals(_ journal: String) throws {
    let words = small + ["--journal", journal]
    #expect(try hashes(words) == hashes(words, Way(words: ["--chunk", "20"])))
    let empty = ["model", "create", "M.xcdatamodel", "s.sqlite", "--journal", journal]
    let first = try hashes(empty + ["--reproducible"])
    #expect(try hashes(empty + ["--reproducible"], Way(environment: ["TZ": "Asia/Tokyo"])) == first)
    #expect(try hashes(empty) != hashes(empty))
  }

  /// A template keeps its UUID and its rows.
  @Test func template() throws {
    #expect(try ToolRun(small, in: folder.url).status == 0)
    try FileManager.default.moveItem(atPath: folder.path("s.sqlite"), toPath: folder.path("t.sqlite"))
    let words = small + ["--template", "t.sqlite", "--append"]
    let first = try hashes(words)
    #expect(try hashes(words, Way(words: ["--chunk", "70"])) == first)
    #expect(try ToolRun(words, in: folder.url).status == 0)
    #expect(try rows("SELECT COUNT(*) FROM ZTHING", in: folder.path("s.sqlite")) == ["600"])
    let uuids = try ["s.sqlite", "t.sqlite"].map { try rows("SELECT Z_UUID FROM Z_METADATA", in: folder.path($0)) }
    #expect(uuids[0] == uuids[1])
  }

  /// Rows that an index of the app's own refuses, which no plan knows of, keep no keys.
  @Test func indexOfAnApp() throws {
    let made = try ToolRun(["model", "create", "M.xcdatamodel", "t.sqlite", "--reproducible"], in: folder.url)
    #expect(made.status == 0, "\(made.errors)")
    try change("CREATE UNIQUE INDEX OWN ON ZTHING (ZCODE)", in: folder.path("t.sqlite"))
    try folder.write("code\n" + (0..<30).map { "owner \($0 % 20)\n" }.joined(), to: "owners.csv")
    let words = small + ["--template", "t.sqlite"]
    let first = try hashes(words)
    #expect(try hashes(words, Way(words: ["--chunk", "4"])) == first)
    let run = try ToolRun(words, in: folder.url)
    #expect(run.status == 1 && run.errors.contains("owners    30         0       20        10"), "\(run.errors)")
    #expect(try rows("SELECT MAX(Z_PK) FROM ZTHING", in: folder.path("s.sqlite")) == ["20"])
  }

  /// What a run has left that was killed in its last moment is in nobody's way.
  @Test func leftByAKilledRun() throws {
    let first = try hashes(small)
    try folder.write("half", to: ".s.sqlite.settling")
    #expect(try hashes(small) == first)
    #expect(!FileSystem.exists(folder.path(".s.sqlite.settling")))
  }

  // MARK: What is refused

  @Test func aStoreThatIsThere() throws {
    #expect(try ToolRun(small, in: folder.url).status == 0)
    let before = try Data(contentsOf: folder.url.appendingPathComponent("s.sqlite"))
    let run = try ToolRun(small, in: folder.url)
    #expect(run.status == 6)
    #expect(
      run.errors == """
        gantry: s.sqlite is there already: extended, it is not what the input alone makes [store.not-reproducible]
          Remove it or name another, or import without --reproducible (`reproducible: true`).

        """)
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("s.sqlite")) == before)
  }

  /// Files of a store that is gone are nobody's to take over.
  @Test func filesOfAStoreThatIsGone() throws {
    try folder.write("of a photo", to: ".s_SUPPORT/_EXTERNAL_DATA/F5A1A0A5-4C1B-4A52-9B59-0D8C5B1A0D11")
    let run = try ToolRun(small, in: folder.url)
    #expect(run.status == 6 && run.errors.contains("[store.exists]"), "\(run.errors)")
    #expect(run.errors.contains(".s_SUPPORT"))
    #expect(!FileSystem.exists(folder.path("s.sqlite")))
  }
}
