import Foundation
import SQLiteDriver
import TestSupport
import Testing

@testable import Gantry

/// Inputs that are written for an older version of a model, imported into stores of a newer one by the built tool.
struct ForwardImportTests {
  /// What three people and two cities are in the second version.
  private static let people = [
    "1|1|36|Ada|a@x|NULL|1|1", "2|1|70|Bob|b@x|NULL|1|2", "3|1|NULL|Cyd|c@x|NULL|1|1", "1|2|Rome", "2|2|Oslo",
    "1|2", "2|1", "2|3", "3|2", "1|Human|0|3", "2|Town|0|2",
  ]

  @Test func rowsOfAnOldVersionBecomeThoseOfTheNew() throws {
    let ground = try VersionFolder()
    let run = try ground.run()
    #expect(run.status == 0, "\(run.errors)")
    #expect(try ground.contents() == Self.people)
    #expect(try ground.files() == ["s.sqlite"])
    let check = try ground.tool(["check", "s.sqlite", "--model", "M.xcdatamodeld"])
    #expect(check.status == 0, "\(check.output)")
  }

  /// An import for the old version and a migration make the same store.
  @Test func theSameAsAMigration() throws {
    let ground = try VersionFolder()
    #expect(try ground.run("version: 'V1'").status == 0)
    #expect(try rows("SELECT ZNAME, ZEMAIL FROM ZPERSON", in: ground.store) == ["Ada|a@x", "Bob|b@x", "Cyd|c@x"])
    let run = try ground.tool(["migrate", "s.sqlite", "--model", "M.xcdatamodeld", "--backup", "none"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try ground.contents() == Self.people)
  }

  @Test func fillsAnOldVersionByOptions() throws {
    let ground = try VersionFolder()
    let run = try ground.tool(
      "import cities.csv --model M.xcdatamodeld --model-version V1 --entity City --store s.sqlite".words)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try rows("SELECT ZNAME FROM ZCITY", in: ground.store) == ["Rome", "Oslo"])
  }

  @Test func byOptions() throws {
    let ground = try VersionFolder()
    let run = try ground.tool(
      "import cities.csv --model M.xcdatamodeld --source-version V1 --entity City --store s.sqlite".words)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try rows("SELECT ZTITLE FROM ZTOWN", in: ground.store) == ["Rome", "Oslo"])
  }

  /// Keys, links to objects that are there, and what no column feeds, in a store that the app has changed meanwhile.
  @Test func intoAStoreThatIsThere() throws {
    let ground = try VersionFolder()
    #expect(try ground.run().status == 0)
    try change("UPDATE ZHUMAN SET ZRANK = 9, ZNOTE = 'kept' WHERE Z_PK = 1", in: ground.store)
    try ground.write("name\nOslo\nBern\n", to: "cities.csv")
    try ground.write("email,name,age,city,friends\na@x,Ada L,37,Bern,c@x\nd@x,Dan,1,Rome,\n", to: "people.csv")
    let run = try ground.run()
    #expect(run.status == 0, "\(run.errors)")
    let people = try rows(
      "SELECT ZFULLNAME, ZAGE, ZRANK, ZNOTE, ZTITLE FROM ZHUMAN h JOIN ZTOWN t ON t.Z_PK = ZTOWN ORDER BY h.Z_PK",
      in: ground.store)
    #expect(people == ["Ada L|37|9|kept|Bern", "Bob|70|1|NULL|Oslo", "Cyd|NULL|1|NULL|Rome", "Dan|1|1|NULL|Rome"])
  }

  /// A run that stopped goes on behind its last chunk.
  @Test func goesOnWhereItStopped() throws {
    let ground = try VersionFolder()
    #expect(try ground.run().status == 0)
    try ground.write(
      "email,name,age\n" + (1...6).map { "e\($0)@x,E\($0),\($0 == 5 ? "old" : "\($0)")\n" }.joined(), to: "people.csv")
    let steps = "{ read: { csv: 'people.csv' }, entity: 'Person' }"
    let arguments = ["--chunk", "2", "--skip-limit"]
    let stopped = try ground.run(steps: steps, arguments + ["0"])
    #expect(stopped.status == 4, "\(stopped.errors)")
    #expect(try rows("SELECT COUNT(*) FROM ZHUMAN", in: ground.store) == ["7"])
    let run = try ground.run(steps: steps, arguments + ["1"])
    #expect(run.status == 1, "\(run.errors)")
    #expect(try rows("SELECT COUNT(*), COUNT(DISTINCT ZMAIL) FROM ZHUMAN", in: ground.store) == ["8|8"])
  }

  /// What the new version does not take is refused with its record, by the names of the file, and can be mended.
  @Test func refusedRecordsAreKept() throws {
    let ground = try VersionFolder()
    try ground.write("email,name,age\na@x,Ada,36\nb@x,Bob,70000\n", to: "people.csv")
    let steps = "{ read: { csv: 'people.csv' }, entity: 'Person', key: ['email'] }"
    let run = try ground.run(steps: steps)
    #expect(run.status == 1)
    #expect(
      run.errors.contains(
        "people.csv:3:3: column age: expected a number from -32768 to 32767 for Person.age, found \"70000\""),
      "\(run.errors)")
    let rejects = ground.folder.path("s.sqlite.rejects/people.rejected.csv")
    let text = try String(contentsOfFile: rejects, encoding: .utf8)
    #expect(text.contains("b@x,Bob,70000,"))
    try ground.write(text.replacing("70000", with: "70"), to: "mended.csv")
    let mended = try ground.run(steps: steps, ["--rejected", "mended.csv"])
    #expect(mended.status == 0, "\(mended.errors)")
    #expect(try rows("SELECT ZMAIL, ZAGE FROM ZHUMAN", in: ground.store) == ["a@x|36", "b@x|70"])
  }

  @Test func linksAndXML() throws {
    let ground = try VersionFolder()
    try ground.write(
      "<l><p><name>Ada</name><email>a@x</email></p><p><name>Bob</name><email>b@x</email></p></l>", to: "p.xml")
    let run = try ground.run(
      steps: """
        { read: { csv: "cities.csv" }, entity: "City" }, { read: { xml: "p.xml", record: "l/p" }, entity: "Person", ignore: ["fax"] },
        { name: "links", read: { csv: "people.csv", extraFields: "ignore" }, ignore: ["*"], link: { entity: "City",
          relationship: "people", from: { column: "city", by: "name" }, to: { column: "email", by: "email" },
          missing: "null" } }
        """)
    #expect(run.status == 0, "\(run.errors)")
    let people = try rows("SELECT ZFULLNAME, ZTITLE FROM ZHUMAN JOIN ZTOWN t ON t.Z_PK = ZTOWN", in: ground.store)
    #expect(people == ["Ada|Rome", "Bob|Oslo"])
  }

  // MARK: Through a store of the old version

  private static let mapping = """
    { from: "V1", to: "V2", entities: { Human: { from: ["Person"], values: { fullName: "uppercase($source.name)" } } } }
    """

  /// A mapping that is written down sees all objects at once; nothing is at the store's place before all is done.
  @Test func byAMappingThatIsWrittenDown() throws {
    let ground = try VersionFolder()
    try ground.write(Self.mapping, to: "m.json5")
    // What a killed run has left.
    for name in [".s.sqlite.importing", "..s.sqlite.importing.migrating", ".s.sqlite.importing.lock"] {
      try ground.write("left", to: name)
    }
    let run = try ground.run("sourceVersion: 'V1', mapping: ['m.json5']")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("people           3         0        3         0"), "\(run.errors)")
    let names = try rows("SELECT ZFULLNAME, ZTITLE FROM ZHUMAN JOIN ZTOWN t ON t.Z_PK = ZTOWN", in: ground.store)
    #expect(names == ["ADA|Rome", "BOB|Oslo", "CYD|Rome"])
    #expect(try rows("SELECT COUNT(*) FROM Z_1FRIENDS", in: ground.store) == ["4"])
    #expect(try ground.files() == ["s.sqlite", "m.json5"])
    let check = try ground.tool(["check", "s.sqlite", "--model", "M.xcdatamodeld"])
    #expect(check.status == 0, "\(check.output)")

    let before = try Data(contentsOf: URL(fileURLWithPath: ground.store))
    let again = try ground.run("sourceVersion: 'V1', mapping: ['m.json5']")
    #expect(again.status == 6)
    #expect(again.errors.contains("rows of V1 cannot be mapped into a store that is there: the way is V1 -> V2"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: ground.store)) == before)
  }

  @Test func keepsAWriteAheadLog() throws {
    let ground = try VersionFolder()
    try ground.write(Self.mapping, to: "m.json5")
    let run = try ground.run("sourceVersion: 'V1', mapping: ['m.json5'], journal: 'wal'")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try rows("PRAGMA journal_mode", in: ground.store) == ["wal"])
  }

  /// A change of type and another default that no column feeds: a new store is migrated, one that is there refuses them.
  @Test func whatOnlyAMigrationMakes() throws {
    let ground = try VersionFolder()
    let run = try ground.run("sourceVersion: 'V1', version: 'V4'")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try rows("SELECT ZAGE, ZRANK FROM ZPERSON", in: ground.store) == ["36.0|1", "70.0|1", "NULL|1"])
    let again = try ground.run("sourceVersion: 'V1', version: 'V4'")
    #expect(again.status == 2)
    for text in [
      "age changes from Integer 32 to Double", "no column feeds rank, whose default is not the one of rank in V4",
    ] { #expect(again.errors.contains(text), "\(again.errors)") }
  }

  /// From V1 to V3 no mapping is inferred, from V1 to V2 and from there to V3 there is.
  @Test func overSeveralVersions() throws {
    let ground = try VersionFolder()
    try ground.write(
      "<plist version='1.0'><dict><key>_XCCurrentVersionName</key><string>V3.xcdatamodel</string></dict></plist>",
      to: "M.xcdatamodeld/.xccurrentversion")
    let contents = ground.url.appendingPathComponent("M.xcdatamodeld/V1.xcdatamodel/contents")
    let between = try String(contentsOf: contents, encoding: .utf8)
      .replacing("<attribute name='age' optional='YES' attributeType='Integer 32'/>", with: "")
    try ground.write(between, to: "M.xcdatamodeld/V2.xcdatamodel/contents")
    let refused = try ground.run()
    #expect(refused.status == 6)
    #expect(refused.errors.contains("would lose Person.age (2 values of Integer 32)"), "\(refused.errors)")
    #expect(try ground.files() == [])
    let run = try ground.run("sourceVersion: 'V1', allowLoss: ['Person.age']")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try rows("SELECT ZNAME, ZAGE FROM ZPERSON", in: ground.store) == ["Ada|NULL", "Bob|NULL", "Cyd|NULL"])
  }

  // MARK: What is refused

  struct Refused: Sendable {
    var members = "sourceVersion: 'V1'"
    var steps = VersionFolder.steps
    var arguments: [String] = []
    var status: Int32 = 2
  }

  static let refused: [Case<Refused, String>] = [
    Case(
      "a version that is not there", Refused(members: "sourceVersion: 'V9'", status: 6),
      "M.xcdatamodeld has no version V9 [migration.destination]"),
    Case(
      "an attribute that is lost",
      Refused(steps: "{ read: { csv: 'people.csv' }, entity: 'Person', map: { fax: 'city' }, ignore: ['friends'] }"),
      "Person.fax is not in V2: its values would be lost"),
    Case(
      "a name of the new version", Refused(steps: "{ read: { csv: 'cities.csv' }, entity: 'Town' }", status: 6),
      "the model has no entity Town"),
    Case(
      "a mapping of nothing", Refused(members: "allowLoss: ['Person.fax']"),
      "`mapping`, `infer`, `allowLoss` and `copyUnchanged` are for rows of another version"),
    Case(
      "a template",
      Refused(
        members: "sourceVersion: 'V1', version: 'V4', template: 't.sqlite'"), "`template` names a store to begin with"),
    Case(
      "an older framework",
      Refused(members: "sourceVersion: 'V1', version: 'V4', frameworkVersion: 800"),
      "`frameworkVersion` names an older version of Core Data"),
    Case(
      "the objects of records",
      Refused(
        members: "sourceVersion: 'V1', version: 'V4'",
        steps: "{ read: { csv: 'people.csv' }, entity: 'Person', id: 'city', ignore: ['friends'] }",
        arguments: ["--id-map", "ids.csv"]), "`idMap` names the objects of records"),
  ]

  @Test(arguments: refused) func isRefused(_ c: Case<Refused, String>) throws {
    let ground = try VersionFolder()
    let run = try ground.run(c.input.members, steps: c.input.steps, c.input.arguments)
    #expect(run.status == c.input.status && run.errors.contains(c.expected), "\(run.errors)")
    #expect(try ground.files() == [])
  }

  @Test func aLossThatIsAllowed() throws {
    let ground = try VersionFolder()
    let run = try ground.run(
      steps: "{ read: { csv: 'people.csv' }, entity: 'Person', map: { fax: 'city' }, ignore: ['friends'] }",
      ["--allow-loss", "Person.fax"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try rows("SELECT ZMAIL FROM ZHUMAN", in: ground.store) == ["a@x", "b@x", "c@x"])
  }
}

extension String {
  fileprivate var words: [String] { split(separator: " ").map(String.init) }
}
