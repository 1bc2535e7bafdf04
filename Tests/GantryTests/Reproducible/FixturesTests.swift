import Bytes
import Foundation
import SQLiteDriver
import TestSupport
import Testing

/// A store of each version from one set of files, and the rehearsal of its migration: by the built tool.
struct FixturesTests {
  private let folder: VersionsFolder

  init() throws { folder = try VersionsFolder() }

  private func fixtures(_ words: String..., environment: [String: String] = [:]) throws -> ToolRun {
    try ToolRun(["fixtures", "p.json5", "fixtures"] + words, in: folder.url, environment: environment)
  }

  private func rehearse(_ words: String...) throws -> ToolRun {
    try ToolRun(["migrate", "--rehearse", "fixtures", "--model", "M.xcdatamodeld"] + words, in: folder.url)
  }

  /// What the names of the pipeline's version are in another is found, what it has no place for is told, and a version that cannot be
  /// filled keeps none of the others from it.
  @Test func eachVersionGetsWhatItCanHold() throws {
    let run = try fixtures()
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(
      run.errors == """
        version  rows  rejected  store
        V1          3         0  fixtures/V1.sqlite
        V2          5         0  fixtures/V2.sqlite
        V3          7         0  fixtures/V3.sqlite
        V4          -         0  not made
        V10         -         0  not made
        V1: left out: the entity City of the step cities
        V1: left out: the attribute alias of the step people (column "nick name")
        V1: left out: the attribute born of the step people (column "born")
        V1: left out: the relationship city of the step people (column "city")
        V1: left out: the key name, alias of the step people
        V1: left out: the entity Tag of the step tags
        V1: left out: the relationship Person.tags of the step links
        V2: left out: the entity Tag of the step tags
        V2: left out: the relationship Person.tags of the step links
        gantry: V4: people.csv: the columns do not fit Person: the required attribute badge has no column [convert.columns]
          Map a required attribute to a column or a `constant`, or give it a default in the model.
        gantry: V10: V10 has nothing of what the pipeline's steps fill [fixtures]
          Give entities that are renamed the renaming identifier of the first version, or make this one's fixture by a pipeline \
        of its own.

        """, "\(run.errors)")
    #expect(try folder.names(in: "fixtures") == ["V1.sqlite", "V2.sqlite", "V3.sqlite"])
    // The column that the steps ignore is of an attribute that only the first version has.
    #expect(
      try rows("SELECT ZNAME, ZFAX FROM ZMAN", in: folder.path("fixtures/V1.sqlite")) == ["Ada|1", "Alan|2", "Ada|3"])
    let people = "ZBORN, c.ZNAME FROM ZPERSON p LEFT JOIN ZCITY c ON c.Z_PK ="
    #expect(
      try rows("SELECT p.ZNAME, ZNICK, \(people) ZHOME", in: folder.path("fixtures/V2.sqlite")) == [
        "Ada|countess|0|London", "Alan|prof|86400|Paris", "Ada|duchess|NULL|NULL",
      ])
    #expect(
      try rows("SELECT p.ZNAME, ZALIAS, \(people) ZCITY", in: folder.path("fixtures/V3.sqlite")) == [
        "Ada|countess|0|London", "Alan|prof|86400|Paris", "Ada|duchess|NULL|NULL",
      ])
    for version in ["V1", "V2", "V3"] {
      let check = try ToolRun(
        ["check", "fixtures/\(version).sqlite", "--model", "M.xcdatamodeld", "--model-version", version], in: folder.url
      )
      #expect(check.status == 0, "\(check.output)\(check.errors)")
    }
  }

  /// An attribute that keeps colours is older than the one that names them, and the user info that tells how newer than both.
  @Test func valuesOfAKind() throws {
    let stored = "<attribute name=\"colorData\" optional=\"YES\" attributeType=\"Binary\"/>"
    let size = "<attribute name=\"size\" optional=\"YES\" attributeType=\"Integer 16\""
    let color = "<attribute name=\"color\" optional=\"YES\" transient=\"YES\""
    let versions = [
      "V1": stored + size + "/>", "V2": stored + color + "/>" + size + "/>",
      "V3": stored + color + "><userInfo><entry key=\"kind\" value=\"color\"/></userInfo></attribute>" + size
        + "><userInfo><entry key=\"kind\" value=\"enum\"/><entry key=\"cases\" value=\"small=1,large=2\"/></userInfo></attribute>",
    ]
    for (name, attributes) in versions {
      try folder.write(
        "<model><entity name=\"Shape\">\(attributes)</entity></model>",
        to: "S.xcdatamodeld/\(name).xcdatamodel/contents")
    }
    try folder.write(
      "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>V3.xcdatamodel</string></dict></plist>",
      to: "S.xcdatamodeld/.xccurrentversion")
    try folder.write(
      "<shapes><shape><color>#ff8800</color><size>large</size></shape></shapes>", to: "shapes.xml")
    try folder.write(
      "{ model: 'S.xcdatamodeld', store: 's', steps: [{ read: { xml: 'shapes.xml', record: 'shapes/shape' }, entity: 'Shape' }] }",
      to: "p.json5")
    let run = try fixtures()
    #expect(run.status == 0 && !run.errors.contains("left out"), "\(run.errors)")
    let colours = try ["V1", "V2", "V3"].map {
      try rows("SELECT hex(ZCOLORDATA), ZSIZE FROM ZSHAPE", in: folder.path("fixtures/\($0).sqlite"))
    }
    #expect(colours[0] == colours[2] && colours[1] == colours[2])
    #expect(colours[2].first?.hasPrefix("62706C697374") == true && colours[2].first?.hasSuffix("|2") == true)
  }

  /// The same files make the same bytes, and what a run has made another replaces: only that.
  @Test func replacing() throws {
    #expect(try fixtures().status == 2)
    let first = try folder.bytes(in: "fixtures")
    let refused = try fixtures()
    #expect(refused.status == 2)
    #expect(
      refused.errors == """
        gantry: fixtures/V1.sqlite is there already [fixtures.place]
          Say --replace to replace what an earlier run has made, or name another folder.

        """)
    let again = try fixtures("--replace", "--chunk", "1", environment: ["TZ": "Asia/Tokyo", "LANG": "tr_TR.UTF-8"])
    #expect(again.status == 2, "\(again.errors)")
    #expect(try folder.bytes(in: "fixtures") == first)

    // Another set of files, and beside the stores somebody else's.
    try folder.write("name\nLondon\n", to: "cities.csv")
    try folder.write("mine", to: "fixtures/notes.txt")
    #expect(try fixtures("--replace").status == 2)
    #expect(try folder.names(in: "fixtures").contains("notes.txt"))
    #expect(try rows("SELECT COUNT(*) FROM ZCITY", in: folder.path("fixtures/V3.sqlite")) == ["1"])

    // A store that somebody has changed since may be wanted.
    try change("UPDATE ZPERSON SET ZNICK = 'x' WHERE Z_PK = 1", in: folder.path("fixtures/V2.sqlite"))
    let before = try folder.bytes(in: "fixtures")
    let changed = try fixtures("--replace")
    #expect(changed.status == 2)
    #expect(
      changed.errors.hasPrefix(
        "gantry: fixtures/V2.sqlite was not made by `gantry fixtures`, or has been changed since: it is not replaced [fixtures.place]\n"
      ), "\(changed.errors)")
    #expect(try folder.bytes(in: "fixtures") == before)
  }

  static let others = [
    "fixtures/.V1_SUPPORT/mine.txt", "fixtures/.V1_SUPPORT/_EXTERNAL_DATA/mine", "fixtures/.gantry-fixtures/mine",
  ]

  /// What somebody else has put where the stores and their large values are, or are made, is not removed.
  @Test(arguments: others) func filesOfOthers(_ file: String) throws {
    #expect(try fixtures().status == 2)
    try folder.write("mine", to: file)
    let run = try fixtures("--replace")
    #expect(run.status == 2)
    #expect(run.errors.hasPrefix("gantry: \(file) was not made by `gantry fixtures`"), "\(run.errors)")
    #expect(FileSystem.exists(folder.path(file)))
  }

  @Test func asJSON() throws {
    let run = try fixtures("--json")
    let summary = try JSONDecoder().decode([String: [Version]].self, from: Data(run.output.utf8))
    let versions = try #require(summary["versions"])
    #expect(versions.map(\.version) == ["V1", "V2", "V3", "V4", "V10"])
    #expect(versions.map(\.made) == [true, true, true, false, false])
    #expect(versions.map(\.rows) == [3, 5, 7, 0, 0])
    #expect(versions.map { $0.error?.code } == [nil, nil, nil, "convert.columns", "fixtures"])
    #expect(versions[0].leftOut.contains(.init(step: "people", what: "the attribute born", columns: ["born"])))
    #expect(run.errors.hasPrefix("V1: left out: the entity City of the step cities\n"))
  }

  private struct Version: Decodable {
    struct LeftOut: Decodable, Equatable {
      var step: String
      var what: String
      var columns: [String]
    }

    struct Trouble: Decodable { var code: String }

    var version: String
    var made: Bool
    var rows: Int
    var leftOut: [LeftOut]
    var error: Trouble?
  }

  /// Records that are rejected are kept beside the store, and the next version is filled.
  @Test func rejected() throws {
    try folder.write("name,nick name,born,city,fax\nAda,a,soon,,1\n", to: "people.csv")
    let run = try fixtures()
    #expect(run.errors.contains("V2          2         1  fixtures/V2.sqlite\n"), "\(run.errors)")
    #expect(run.errors.contains("V2: rejected: fixtures/V2.sqlite.rejects\n"))
    #expect(try folder.names(in: "fixtures/V2.sqlite.rejects") == ["people.rejected.csv"])
  }

  @Test func aVersionThatCannotBeRead() throws {
    try folder.write("<model><entity", to: "M.xcdatamodeld/V4.xcdatamodel/contents")
    let run = try fixtures("--quiet")
    #expect(run.status == 6 && run.errors.contains("V4          -         0  not made\n"), "\(run.errors)")
    #expect(try folder.names(in: "fixtures") == ["V1.sqlite", "V2.sqlite", "V3.sqlite"])
  }

  static let refused: [Case<(file: String, text: String), String>] = [
    Case(
      "standard input",
      ("p.json5", "{ model: 'M.xcdatamodeld', store: 's', steps: [{ read: { csv: '-' }, entity: 'City' }] }"),
      "gantry: the step stdin reads standard input, and fixtures read their files once for each version [fixtures]\n"),
    Case(
      "a store as the model", ("p.json5", "{ model: 's.sqlite', store: 's', steps: [] }"),
      "gantry: the model s.sqlite is a store, which has one version of it [fixtures]\n"),
    Case(
      "a missing file", ("cities.csv", ""),
      "cities.csv: the input is empty: expected at least one record or a header, found 0 bytes [input.empty]\n"),
    Case("a file in the way", ("fixtures", "mine"), "expected a folder, found a file: fixtures [environment.folder]"),
    Case(
      "large values without their store", ("fixtures/.V2_SUPPORT/_EXTERNAL_DATA/x", "mine"),
      "gantry: there is no store fixtures/V2.sqlite, but the folder of its large values"),
  ]

  /// What ends the run before the first store leaves nothing.
  @Test(arguments: refused) func refusal(_ c: Case<(file: String, text: String), String>) throws {
    try folder.write(c.input.text, to: c.input.file)
    let run = try fixtures()
    #expect(run.status != 0 && run.errors.contains(c.expected), "\(run.status) \(run.errors)")
    let left = (try? folder.names(in: "fixtures")) ?? []
    #expect(left.allSatisfy { $0 == ".V2_SUPPORT" }, "\(left)")
  }

  /// A run that is ended leaves the folder as it was, and no half store; the next one makes them all.
  @Test(arguments: [SIGKILL, SIGTERM]) func stopped(_ signal: Int32) throws {
    try folder.write(
      "name,nick name,born,city,fax\n" + (0..<100_000).map { "a\($0),b,,,1\n" }.joined(), to: "people.csv")
    let running = try RunningTool(["fixtures", "p.json5", "fixtures"], in: folder.url)
    let half = folder.path("fixtures/.gantry-fixtures/.V1.sqlite.importing")
    while !FileSystem.exists(half), running.process.isRunning { usleep(2000) }
    kill(running.process.processIdentifier, signal)
    let run = try running.wait()
    #expect(run.status == 128 + signal, "\(run.errors)")
    let left = try folder.names(in: "fixtures")
    #expect(left.allSatisfy { $0.hasPrefix(".gantry-fixtures") }, "\(left)")
    if signal == SIGTERM {
      #expect(left.isEmpty)
      #expect(
        run.errors == "gantry: stopped; fixtures is as it was. Run the same command again to begin anew.\n")
    }
    try folder.write("name,nick name,born,city,fax\nAlan,a,,,1\n", to: "people.csv")
    #expect(try fixtures().status == 2)
    #expect(try folder.names(in: "fixtures") == ["V1.sqlite", "V2.sqlite", "V3.sqlite"])
  }

  // MARK: Rehearsal

  /// All migrations are tried on copies, and the stores stay as they are, to the byte.
  @Test func rehearsal() throws {
    #expect(try fixtures().status == 2)
    // A log holds some of one store, and large values of another are beside it.
    let open = try Connection(folder.path("fixtures/V2.sqlite"), .readWrite)
    try open.setPragma("journal_mode", "WAL")
    try open.execute("DELETE FROM ZPERSON WHERE ZNICK = 'duchess'")
    try folder.write("large", to: "fixtures/.V1_SUPPORT/_EXTERNAL_DATA/6A7A4A53-1D6B-4B8B-9F55-0C4D3A0E7E11")
    #expect(FileSystem.exists(folder.path("fixtures/V2.sqlite-wal")))
    let before = try folder.bytes(in: "fixtures")
    let run = try rehearse("--allow-loss", "Man.fax")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      folder.withoutTimes(run.output) == """
        store version becomes before after lost seconds outcome
        V1.sqlite V1 V3 3 3 1 TIME migrated
        V2.sqlite V2 V3 4 4 0 TIME migrated
        V3.sqlite V3 7 7 0 TIME current

        """, "\(run.output)")
    #expect(
      run.errors.hasPrefix(
        "V1.sqlite: lost, as allowed: Man.fax (3 values of String; added is alias (String), born (Date))\n"),
      "\(run.errors)")
    #expect(try folder.bytes(in: "fixtures") == before)
    withExtendedLifetime(open) {}
  }

  /// What is refused is told below the table, and the others are tried nevertheless.
  @Test func refusedRehearsal() throws {
    #expect(try fixtures().status == 2)
    try folder.write(Data(before: "SQLite format 3\0", Data(count: 5000)), to: "fixtures/broken.sqlite")
    try folder.write("version https://git-lfs.github.com/spec/v1\n", to: "fixtures/pointer.sqlite")
    try folder.write("none", to: "fixtures/notes.txt")
    let before = try folder.bytes(in: "fixtures")
    let run = try rehearse()
    #expect(run.status == 6)
    #expect(
      folder.withoutTimes(run.output) == """
        store version becomes before after lost seconds outcome
        V1.sqlite V1 V3 3 - 1 - failed
        V2.sqlite V2 V3 5 5 0 TIME migrated
        V3.sqlite V3 7 7 0 TIME current
        broken.sqlite unknown - - 0 - failed
        pointer.sqlite unknown - - 0 - failed

        """, "\(run.output)")
    #expect(
      run.errors.contains(
        "gantry: V1.sqlite: the migration would lose Man.fax (3 values of String; added is alias (String), born (Date)) [migration.loss]\n"
      )
    )
    #expect(run.errors.contains("gantry: broken.sqlite: ") && !run.errors.contains("/gantry-"), "\(run.errors)")
    #expect(try folder.bytes(in: "fixtures") == before)

    let json = try rehearse("--json", "--to", "V2")
    #expect(json.status == 6)
    let report = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    let stores = try #require(report["stores"] as? [[String: Any]])
    #expect(report["version"] as? String == "V2")
    #expect(stores.map { $0["outcome"] as? String } == ["failed", "current", "failed", "failed", "failed"])
    #expect(stores[2]["path"] as? [String] == ["V3", "V2"] && stores[2]["store"] as? String == "fixtures/V3.sqlite")
  }

  static let wrong: [Case<[String], String>] = [
    Case(
      "no folder", ["--rehearse", "nowhere", "--model", "M.xcdatamodeld"], "there is no folder nowhere [rehearsal]"),
    Case(
      "no store", ["--rehearse", ".", "--model", "M.xcdatamodeld"], "no file in the folder . is a store [rehearsal]"),
    Case("no model", ["--rehearse", "."], "--model is missing [usage]"),
    Case(
      "a plan", ["--rehearse", ".", "--model", "M.xcdatamodeld", "--plan"], "--plan does not go with --rehearse [usage]"
    ),
    Case(
      "a backup", ["--rehearse", ".", "--model", "M.xcdatamodeld", "--backup", "none"],
      "--backup does not go with --rehearse [usage]"),
    Case(
      "a store", ["s.sqlite", "--rehearse", ".", "--model", "M.xcdatamodeld"],
      "expected STORE --model MODEL | --rehearse DIR --model MODEL, found 1 operand [usage]"),
  ]

  @Test(arguments: wrong) func wrongRehearsal(_ c: Case<[String], String>) throws {
    let run = try ToolRun(["migrate"] + c.input, in: folder.url)
    #expect(run.status == 2 && run.errors.hasPrefix("gantry: \(c.expected)\n"), "\(run.errors)")
  }

  /// A migration of the same store makes the same bytes, by an inferred mapping and by one that makes objects anew.
  @Test func reproducibleMigration() throws {
    #expect(try fixtures().status == 2)
    try folder.write(
      "{ from: 'V1', to: 'V3', entities: { Person: { from: ['Man'], values: { alias: '$source.fax', born: 'now()' } } } }",
      to: "m.json5")
    var made: [[Data]] = []
    for zone in ["Asia/Tokyo", "America/Lima"] {
      var bytes: [Data] = []
      for (store, words) in [("V2", ["--infer"]), ("V1", ["--mapping", "m.json5"])] {
        try? FileManager.default.removeItem(atPath: folder.path("x.sqlite"))
        try FileManager.default.copyItem(
          atPath: folder.path("fixtures/\(store).sqlite"), toPath: folder.path("x.sqlite"))
        let run = try ToolRun(
          ["migrate", "x.sqlite", "--model", "M.xcdatamodeld", "--reproducible", "--backup", "none"] + words,
          in: folder.url, environment: ["TZ": zone])
        #expect(run.status == 0, "\(run.errors)")
        #expect(try rows("PRAGMA freelist_count", in: folder.path("x.sqlite")) == ["0"])
        let born = store == "V1" ? ["0", "0", "0"] : ["0", "86400", "NULL"]
        #expect(try rows("SELECT ZBORN FROM ZPERSON ORDER BY Z_PK", in: folder.path("x.sqlite")) == born)
        bytes.append(try Data(contentsOf: folder.url.appendingPathComponent("x.sqlite")))
      }
      made.append(bytes)
    }
    #expect(made[0] == made[1] && made[0][0] != made[0][1])
  }
}

extension Data {
  fileprivate init(before text: String, _ rest: Data) { self = Data(text.utf8) + rest }
}
