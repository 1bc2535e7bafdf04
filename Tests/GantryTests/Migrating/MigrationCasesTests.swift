import Foundation
import TestSupport
import Testing

@testable import Gantry

/// Failures that people have reported of migrations, and what is right instead, by the built tool.
///
/// A store is filled by the first version, then migrated.
@Suite(.enabled(if: Shared.isThere, Shared.comment))
struct MigrationCasesTests {
  struct Migration: Sendable {
    var folder: String
    /// The steps that fill the store, as a pipeline file has them.
    var seed: String
    var version = "V1"
    /// What stands behind `gantry migrate STORE --model MODEL`.
    var arguments: [String] = []
    var status: Int32 = 0
    /// What standard error must say.
    var says: [String] = []
    var query = ""

    init(
      _ folder: String, _ seed: String, version: String = "V1", _ arguments: [String] = [], status: Int32 = 0,
      says: [String] = [], query: String = ""
    ) {
      (self.folder, self.seed, self.version, self.arguments) = (folder, seed, version, arguments)
      (self.status, self.says, self.query) = (status, says, query)
    }
  }

  private static func csv(_ entity: String, _ more: String = "") -> String {
    "{read: {csv: 'seed_\(entity).csv'}, entity: '\(entity)'\(more.isEmpty ? "" : ", " + more)}"
  }

  static let cases: [Case<Migration, [String]>] = [
    Case(
      "E02 a rename in a key that model files do not have loses nothing in silence",
      Migration(
        "E02", csv("Task"), status: 6,
        says: ["`renamingIdentifier`", "elementID", "Task.slaDays (2 values", "--allow-loss Task.slaDays"],
        query: "SELECT ZTITLE, ZSLADAYS FROM ZTASK"), ["One|3", "Two|14"]),
    Case(
      "E02 the same as it is spelled",
      Migration(
        "E02", csv("Task"), ["--to", "V2_fixed"],
        query: "SELECT ZTITLE, ZFREQUENCYDAYS FROM ZTASK"), ["One|3", "Two|14"]),
    Case(
      "E02 the loss allowed",
      Migration(
        "E02", csv("Task"), ["--allow-loss", "Task.slaDays"],
        query: "SELECT ZTITLE, ZFREQUENCYDAYS FROM ZTASK"), ["One|NULL", "Two|NULL"]),
    Case(
      "E04 a default for rows that have none",
      Migration("E04", csv("Place"), query: "SELECT Z_PK, ZNAME FROM ZPLACE"), ["1|Oak", "2|Unnamed", "3|"]),
    Case(
      "E05 a change of type is no rename",
      Migration(
        "E05", csv("Parcel"), status: 6, says: ["Parcel.company (3 values of Integer 16; added is slug (String))"],
        query: "SELECT ZID, ZCOMPANY FROM ZPARCEL"), ["a|0", "b|1", "c|2", "d|NULL"]),
    Case(
      "E06 another meaning is not copied",
      Migration(
        "E06", csv("Topic"), status: 6, says: ["Topic.timeBudget", "none -> seconds", "--copy-unchanged"],
        query: "SELECT ZTIMEBUDGET FROM ZTOPIC"), ["5", "12"]),
    Case(
      "E06 unless it is asked for",
      Migration("E06", csv("Topic"), ["--copy-unchanged"], query: "SELECT ZTIMEBUDGET FROM ZTOPIC"), ["5", "12"]),
    Case(
      "E08 hierarchies that cannot be merged",
      Migration(
        "E08", csv("Dog") + ", " + csv("Cat"), status: 6, says: ["Animal", "the tables of Cat, Dog cannot become one"],
        query: "SELECT COUNT(*) FROM ZDOG"), ["2"]),
    Case(
      "E09 to-one becomes to-many under a new name",
      Migration(
        "E09", csv("Label") + ", " + csv("Card", "relationships: {label: {column: 'label', by: 'name'}}"),
        query: "SELECT c.ZCODE, l.ZNAME FROM ZCARD c LEFT JOIN Z_1LABELS j ON j.Z_1CARDS = c.Z_PK "
          + "LEFT JOIN ZLABEL l ON l.Z_PK = j.Z_2LABELS ORDER BY 1"), ["K1|red", "K2|NULL", "K3|red"]),
    Case(
      "E10 one side of a many-to-many renamed",
      Migration(
        "E10", csv("Tag") + ", " + csv("Book", "relationships: {tags: {column: 'tags', by: 'name', separator: ';'}}"),
        query: "SELECT b.ZTITLE, t.ZNAME FROM Z_1TAGS j JOIN ZBOOK b ON b.Z_PK = j.Z_1VOLUMES "
          + "JOIN ZTAG t ON t.Z_PK = j.Z_2TAGS ORDER BY 1, 2"), ["B1|x", "B1|y", "B2|y"]),
    Case(
      "E12 a delete rule is no migration",
      Migration("E12", csv("Team"), says: ["is of the version V2 already"], query: "SELECT COUNT(*) FROM ZTEAM"),
      ["1"]),
    Case(
      "E13 a transformer is no migration",
      Migration(
        "E13", csv("Event"), says: ["is of the version V2 already"],
        query: "SELECT ZPAYLOAD NOT NULL FROM ZEVENT"), ["1", "0"]),
    Case(
      "E15 a row that breaks a rule",
      Migration(
        "E15", csv("Blog") + ", " + csv("Post", "relationships: {blog: {column: 'blog', by: 'name'}}"), status: 6,
        says: ["Post.blog: becomes required, and 1 row has none (p3)"], query: "SELECT COUNT(*) FROM ZPOST"), ["3"]),
    Case(
      "E17 rows that are not unique",
      Migration(
        "E17", csv("Session"), status: 6,
        says: ["Session: unique by sid, but rows have equal values: s1: 2 rows"],
        query: "SELECT COUNT(*) FROM ZSESSION"), ["3"]),
    Case(
      "E21 no value where there is no default",
      Migration(
        "E21", csv("Plan"), query: "SELECT ZMAXCOUNT, ZDUEDATE, ZRANK, ZSTART FROM ZPLAN"),
      ["NULL|NULL|7|1", "NULL|NULL|7|1"]),
  ]

  @Test(arguments: cases)
  func migrates(_ test: Case<Migration, [String]>) throws {
    let ground = try CaseGround(test.input.folder)
    let seeded = try ground.run("\(test.input.seed)", version: test.input.version)
    #expect(seeded.status == 0, "\(seeded.errors)")
    let before = try Data(contentsOf: URL(fileURLWithPath: ground.store))
    let run = try ToolRun(
      ["migrate", "store.sqlite", "--model", "Model.xcdatamodeld"] + test.input.arguments, in: ground.folder.url)
    #expect(run.status == test.input.status, "\(run.errors)")
    for text in test.input.says { #expect(run.errors.contains(text), "\(run.errors)") }
    #expect(try rows(test.input.query, in: ground.store) == test.expected)
    let files = try FileManager.default.contentsOfDirectory(atPath: ground.folder.url.path)
    #expect(files.allSatisfy { !$0.contains("migrating") && !$0.hasSuffix(".lock") }, "\(files)")
    if test.input.status != 0 { #expect(try Data(contentsOf: URL(fileURLWithPath: ground.store)) == before) }
  }

  // MARK: By a mapping that is written down

  struct Declared: Sendable {
    var folder: String
    var seed: String
    var mapping: String
    var status: Int32 = 0
    var says = ""
    var query: String
  }

  static let declared: [Case<Declared, [String]>] = [
    Case(
      "E05 a table of texts",
      Declared(
        folder: "E05", seed: csv("Parcel"),
        mapping: "{ from: 'V1', to: 'V2', entities: { Parcel: { values: { slug: { of: '$source.company', "
          + "table: { '0': 'dhl-x', '1': 'ups-x', '2': 'post-x' } } } } } }",
        query: "SELECT ZCODE, ZSLUG FROM ZPARCEL"), ["a|dhl-x", "b|ups-x", "c|post-x", "d|NULL"]),
    Case(
      "E05 a table that has not all",
      Declared(
        folder: "E05", seed: csv("Parcel"),
        mapping: "{ from: 'V1', to: 'V2', entities: { Parcel: { values: { slug: { of: '$source.company', "
          + "table: { '0': 'dhl-x' } } } } } }", status: 6,
        says: "ParcelToParcel, slug: Parcel p2: the table has nothing for 1 [migration.value]",
        query: "SELECT ZID, ZCOMPANY FROM ZPARCEL"), ["a|0", "b|1", "c|2", "d|NULL"]),
    Case(
      "E06 minutes become seconds",
      Declared(
        folder: "E06", seed: csv("Topic"),
        mapping: "{ from: 'V1', to: 'V2', entities: { Topic: { values: { timeBudget: '$source.timeBudget * 60' } } } }",
        query: "SELECT ZTITLE, ZTIMEBUDGET FROM ZTOPIC"), ["Intro|300", "Demo|720"]),
    Case(
      "E08 hierarchies are merged",
      Declared(
        folder: "E08", seed: csv("Dog") + ", " + csv("Cat"), mapping: "{ from: 'V1', to: 'V2', entities: {} }",
        query: "SELECT COUNT(*), COUNT(DISTINCT Z_PK), COUNT(ZNAME), COUNT(DISTINCT Z_ENT) FROM ZANIMAL"), ["3|3|3|2"]),
    Case(
      "a key that no mapping has",
      Declared(
        folder: "E06", seed: csv("Topic"), mapping: "{ from: 'V1', to: 'V2', entities: { Topic: { value: {} } } }",
        status: 2, says: "m.json5:1:46: Topic has an unknown key value", query: "SELECT ZTIMEBUDGET FROM ZTOPIC"),
      ["5", "12"]),
    Case(
      "values that the mapping does not read",
      Declared(
        folder: "E05", seed: csv("Parcel"), mapping: "{ from: 'V1', to: 'V2', entities: {} }", status: 6,
        says: "Parcel.company (3 values that no mapping reads)", query: "SELECT ZCOMPANY FROM ZPARCEL"),
      ["0", "1", "2", "NULL"]),
  ]

  @Test(arguments: declared)
  func declaredMapping(_ test: Case<Declared, [String]>) throws {
    let ground = try CaseGround(test.input.folder)
    #expect(try ground.run(test.input.seed, version: "V1").status == 0)
    try ground.folder.write(test.input.mapping, to: "m.json5")
    let run = try ToolRun(
      ["migrate", "store.sqlite", "--model", "Model.xcdatamodeld", "--mapping", "m.json5", "--backup", "none"],
      in: ground.folder.url)
    #expect(run.status == test.input.status, "\(run.errors)")
    #expect(test.input.says.isEmpty || run.errors.contains(test.input.says), "\(run.errors)")
    #expect(try rows(test.input.query, in: ground.store) == test.expected)
    guard test.input.status == 0 else { return }
    let check = try ToolRun(["check", "store.sqlite", "--model", "Model.xcdatamodeld"], in: ground.folder.url)
    #expect(check.status == 0, "\(check.output)\(check.errors)")
  }

  /// After the row is corrected the same command goes through.
  @Test func goesOnWhenTheRowIsCorrected() throws {
    let ground = try CaseGround("E15")
    let seed = Self.csv("Blog") + ", " + Self.csv("Post", "relationships: {blog: {column: 'blog', by: 'name'}}")
    #expect(try ground.run(seed, version: "V1").status == 0)
    try change("DELETE FROM ZPOST WHERE ZBLOG IS NULL", in: ground.store)
    let run = try ToolRun(
      ["migrate", "store.sqlite", "--model", "Model.xcdatamodeld", "--backup", "none"], in: ground.folder.url)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try rows("SELECT ZTITLE, ZBLOG FROM ZPOST", in: ground.store) == ["p1|1", "p2|2"])
    let check = try ToolRun(["check", "store.sqlite", "--model", "Model.xcdatamodeld"], in: ground.folder.url)
    #expect(check.status == 0, "\(check.errors)")
  }

  /// Several versions and no mark of the current one: the tool asks.
  @Test(arguments: [
    Case("several", ("several/Many.xcdatamodeld"), "Model, Model 2, Model 10"),
    Case("dangling", ("dangling/Gone.xcdatamodeld"), "V9"),
  ])
  func currentVersionIsNotGuessed(_ test: Case<String, String>) throws {
    let ground = try CaseGround("E18")
    try ground.folder.write("n\n1\n", to: "x.csv")
    let run = try ToolRun(["migrate", "store.sqlite", "--model", test.input], in: ground.folder.url)
    #expect(run.status == 6 && run.errors.contains(test.expected), "\(run.errors)")
  }

  /// A store of a version that the model does not have is left alone, unless it shall be made anew.
  @Test func unknownVersion() throws {
    let ground = try CaseGround("E19")
    #expect(try ground.run(Self.csv("Note"), version: "V2").status == 0)
    let model = ground.folder.url.appendingPathComponent("Model.xcdatamodeld")
    try FileManager.default.removeItem(at: model.appendingPathComponent("V2.xcdatamodel"))
    let marker = model.appendingPathComponent(".xccurrentversion")
    let text = try String(contentsOf: marker, encoding: .utf8).replacingOccurrences(of: "V2.", with: "V1.")
    try Data(text.utf8).write(to: marker)
    let before = try Data(contentsOf: URL(fileURLWithPath: ground.store))
    let arguments = ["migrate", "store.sqlite", "--model", "Model.xcdatamodeld"]
    let run = try ToolRun(arguments, in: ground.folder.url)
    #expect(run.status == 6, "\(run.errors)")
    #expect(
      run.errors.contains(
        "store.sqlite is of no version of Model.xcdatamodeld; the nearest is V1, from which differ: Note"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: ground.store)) == before)

    let anew = try ToolRun(arguments + ["--recreate"], in: ground.folder.url)
    #expect(anew.status == 0 && anew.errors.contains("store.old.sqlite"), "\(anew.errors)")
    #expect(try rows("SELECT COUNT(*) FROM ZNOTE", in: ground.store) == ["0"])
    #expect(try Data(contentsOf: ground.folder.url.appendingPathComponent("store.old.sqlite")) == before)
  }
}
