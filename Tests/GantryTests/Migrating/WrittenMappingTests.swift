import Foundation
import TestSupport
import Testing

@testable import Gantry

/// Mappings that are written by hand lose no more in silence than those that are inferred, by the built tool.
struct WrittenMappingTests {
  /// A store of two entities in the first version, three rows each.
  private final class Ground {
    let folder: TemporaryFolder
    var store: String { folder.path("s.sqlite") }

    init(_ old: String, _ new: String, fill: [String]) throws {
      folder = try TemporaryFolder()
      for (version, entities) in [("V1", old), ("V2", new), ("V3", old)] {
        try folder.write(
          "<?xml version='1.0' encoding='UTF-8'?><model type='com.apple.IDECoreDataModeler.DataModel' documentVersion='1.0'>"
            + "\(entities)</model>", to: "M.xcdatamodeld/\(version).xcdatamodel/contents")
      }
      let made = try tool("model", "create", "M.xcdatamodeld", "s.sqlite", "--model-version", "V1")
      #expect(made.status == 0, "\(made.errors)")
      for statement in fill + ["UPDATE Z_PRIMARYKEY SET Z_MAX = 10"] { try change(statement, in: store) }
    }

    func tool(_ words: String...) throws -> ToolRun { try ToolRun(words, in: folder.url) }

    func migrate(_ mapping: String, _ more: [String] = []) throws -> ToolRun {
      try folder.write(mapping, to: "m.json5")
      return try ToolRun(
        ["migrate", "s.sqlite", "--model", "M.xcdatamodeld", "--to", "V2", "--mapping", "m.json5", "--backup", "none"]
          + more, in: folder.url)
    }
  }

  private static func text(_ name: String, _ type: String = "String", _ more: String = "") -> String {
    "<attribute name='\(name)' optional='YES' attributeType='\(type)' \(more)/>"
  }

  private static func relationship(_ name: String, many: Bool, to entity: String, inverse: String) -> String {
    "<relationship name='\(name)' optional='YES' \(many ? "toMany='YES'" : "maxCount='1'") destinationEntity='\(entity)' "
      + "inverseName='\(inverse)' inverseEntity='\(entity)'/>"
  }

  // MARK: What is lost

  private static func losing() throws -> Ground {
    try Ground(
      "<entity name='A'>\(text("x"))\(relationship("bs", many: true, to: "B", inverse: "a"))</entity>"
        + "<entity name='B'>\(text("d", "Double"))\(text("s"))\(text("m", "String", "versionHashModifier='1'"))"
        + "\(relationship("a", many: false, to: "A", inverse: "bs"))</entity>",
      "<entity name='A'>\(text("x"))\(text("y"))</entity><entity name='B'>\(text("d", "Float"))\(text("s"))"
        + "\(text("m", "String", "versionHashModifier='2'"))</entity>",
      fill: [
        "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZX) VALUES (1, 1, 1, 'one'), (2, 1, 1, 'two')",
        "INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZA, ZD, ZS, ZM) VALUES (1, 2, 1, 1, 123456789.123456789, 's', NULL), "
          + "(2, 2, 1, 2, 1.5, 't', NULL)",
      ])
  }

  private static let mapping = """
    { from: 'V1', to: 'V2', entities: { A: { where: "x == 'one'", values: { y: '$source.x' } } } }
    """

  @Test func lossesAreToldAndRefused() throws {
    let ground = try Self.losing()
    let before = try Data(contentsOf: URL(fileURLWithPath: ground.store))
    let run = try ground.migrate(Self.mapping)
    #expect(run.status == 6, "\(run.errors)")
    for told in ["A.bs (2 links that no mapping reads)", "B.d (1 value that does not fit, Double -> Float)"] {
      #expect(run.errors.contains(told), "\(run.errors)")
    }
    #expect(run.errors.contains("B.a (2 links that no mapping reads)"), "\(run.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: ground.store)) == before)
    let allowed = ["--allow-loss", "A.bs", "--allow-loss", "B.a", "--allow-loss", "B.d"]
    let plan = try ground.migrate(Self.mapping, allowed + ["--plan"])
    #expect(plan.status == 0, "\(plan.errors)")
    #expect(
      plan.output.contains("lost, as the mapping says: A (1 row that the mapping leaves out)\n"), "\(plan.output)")
    #expect(plan.output.contains("lost, as allowed: A.bs (2 links that no mapping reads)\n"), "\(plan.output)")
    let done = try ground.migrate(Self.mapping, allowed)
    #expect(done.status == 0, "\(done.errors)")
    #expect(
      done.errors.contains("; lost, as the mapping says: A (1 row that the mapping leaves out)"), "\(done.errors)")
    #expect(try rows("SELECT ZX, ZY FROM ZA", in: ground.store) == ["one|one"])
  }

  /// What the mapping drops needs no other leave; what it does not name does.
  @Test func drops() throws {
    let ground = try Self.losing()
    let dropping = { (names: String) in
      "{ from: 'V1', to: 'V2', drop: [\(names)], entities: { A: { values: { y: '$source.x' } } } }"
    }
    let unknown = try ground.migrate(dropping("'A.cs'"))
    #expect(unknown.status == 6 && unknown.errors.contains("V1 has no A.cs to drop"), "\(unknown.errors)")
    let partly = try ground.migrate(dropping("'A.bs'"))
    #expect(partly.status == 6 && partly.errors.contains("B.d (1 value"), "\(partly.errors)")
    #expect(!partly.errors.contains("A.bs (2 links"), "\(partly.errors)")
    let done = try ground.migrate(dropping("'A.bs', 'B.a', 'B.d'"))
    #expect(done.status == 0, "\(done.errors)")
    #expect(done.errors.contains("lost, as the mapping says: "), "\(done.errors)")
    #expect(done.errors.contains("A.bs (2 links that no mapping reads)"), "\(done.errors)")
    #expect(try rows("SELECT ZX, ZY FROM ZA", in: ground.store) == ["one|one", "two|two"])
  }

  /// Of what the mapping does not speak, another meaning is refused; of what it does it is meant.
  @Test(arguments: [
    Case("unsaid", "{ from: 'V1', to: 'V2', entities: {} }", 6 as Int32),
    Case("said", "{ from: 'V1', to: 'V2', entities: { B: { values: { m: '$source.m' } } } }", 0),
  ])
  func meanings(_ test: Case<String, Int32>) throws {
    let ground = try Self.losing()
    try change("UPDATE ZB SET ZM = 'm', ZD = 1.5, ZA = NULL", in: ground.store)
    let run = try ground.migrate(test.input)
    #expect(run.status == test.expected, "\(run.errors)")
    #expect(run.errors.contains("B.m: the hash modifier 1 -> 2") == (test.expected == 6), "\(run.errors)")
  }

  /// What becomes to-one keeps the link to the least key, as where all is inferred, and loses the others if that is allowed.
  @Test(arguments: [false, true]) func toOneKeepsTheLeast(isInferred: Bool) throws {
    let ground = try Ground(
      "<entity name='A'>\(Self.text("x"))\(Self.relationship("bs", many: true, to: "B", inverse: "as"))</entity>"
        + "<entity name='B'>\(Self.text("s"))\(Self.relationship("as", many: true, to: "A", inverse: "bs"))</entity>",
      "<entity name='A'>\(Self.text("x"))\(Self.text("y"))"
        + "\(Self.relationship("bs", many: false, to: "B", inverse: "as"))</entity>"
        + "<entity name='B'>\(Self.text("s"))\(Self.relationship("as", many: true, to: "A", inverse: "bs"))</entity>",
      fill: [
        "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZX) VALUES (1, 1, 1, 'one'), (2, 1, 1, 'two')",
        "INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZS) VALUES (1, 2, 1, 'b1'), (2, 2, 1, 'b2'), (3, 2, 1, 'b3')",
        "INSERT INTO Z_1BS VALUES (1, 3), (1, 1), (1, 2), (2, 3)",
      ])
    let mapping = "{ from: 'V1', to: 'V2', entities: { A: { values: { y: '$source.x' } } } }"
    let more = isInferred ? ["--infer"] : []
    let run = try ground.migrate(mapping, more)
    #expect(run.status == 6, "\(run.errors)")
    let told = "A.bs (1 row with several links, of which the one to the least key stays)"
    #expect(run.errors.contains(told), "\(run.errors)")
    let done = try ground.migrate(mapping, more + ["--allow-loss", "A.bs"])
    #expect(done.status == 0, "\(done.errors)")
    let query = "SELECT ZX, ZS FROM ZA LEFT JOIN ZB ON ZB.Z_PK = ZA.ZBS ORDER BY ZX"
    #expect(try rows(query, in: ground.store) == ["one|b1", "two|b3"])
  }

  // MARK: Versions

  static let versions: [Case<[String], String>] = [
    Case("an unknown one", ["V8", "V2"], "m.json5 is from V8 to V2, and the store goes V1 -> V2"),
    Case("backwards", ["V2", "V1"], "m.json5 is from V2 to V1, and the store goes V1 -> V2"),
    Case("another destination", ["V1", "V9"], "m.json5 is from V1 to V9, and the store goes V1 -> V2"),
  ]

  private static func plain() throws -> Ground {
    try Ground(
      "<entity name='A'>\(text("x"))\(relationship("b", many: false, to: "A", inverse: "back"))"
        + "\(relationship("back", many: false, to: "A", inverse: "b"))</entity>",
      "<entity name='A'>\(text("x"))\(text("y"))\(text("n", "Integer 32"))"
        + "\(relationship("b", many: false, to: "A", inverse: "back"))\(relationship("back", many: false, to: "A", inverse: "b"))</entity>",
      fill: ["INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZX) VALUES (1, 1, 1, 'one'), (2, 1, 1, NULL)"])
  }

  /// A mapping that is of no use is an error: the store is not migrated without it.
  @Test(arguments: versions) func versionsThatFitNoStep(_ test: Case<[String], String>) throws {
    let ground = try Self.plain()
    try FileManager.default.removeItem(atPath: ground.folder.path("M.xcdatamodeld/V3.xcdatamodel"))
    let run = try ground.migrate("{ from: '\(test.input[0])', to: '\(test.input[1])', entities: {} }")
    #expect(run.status == 6 && run.errors.contains(test.expected), "\(run.errors)")
    #expect(try rows("SELECT Z_PK FROM ZA", in: ground.store) == ["1", "2"])
  }

  /// Stores cannot tell versions of equal hashes apart: a mapping from any of them is theirs.
  @Test func aVersionOfEqualHashes() throws {
    let ground = try Self.plain()
    let run = try ground.migrate("{ from: 'V1', to: 'V2', entities: { A: { values: { y: '$source.x' } } } }")
    #expect(run.status == 0 && run.errors.contains(" -> V2"), "\(run.errors)")
    #expect(try rows("SELECT ZY FROM ZA ORDER BY 1 DESC", in: ground.store) == ["one", "NULL"])
    let again = try ground.migrate("{ from: 'V1', to: 'V2', entities: {} }")
    #expect(again.status == 0 && again.errors.contains("nothing to do"), "\(again.errors)")
  }

  // MARK: Values

  static let values: [Case<String, String>] = [
    Case("a text times a number", "y: '$source.x * 2'", "AToA, y: A p1: multiply:by: gives nothing for \"one\", 2"),
    Case("a division by nothing", "n: '1/0'", "AToA, n: A p1: divide:by: gives nothing for 1, 0"),
    Case("a rest of nothing", "n: 'modulus:by:(5, 0)'", "AToA, n: A p1: modulus:by: gives nothing for 5, 0"),
    Case(
      "a cast", "n: \"CAST($source.x, 'NSNumber')\"",
      "AToA, n: A p1: castObject:toType: gives nothing for \"one\", \"NSNumber\""),
    Case("an object for a text", "y: '$source.b'", "AToA, y: A p1: A.y takes a String, found NSManagedObject"),
    Case("a time for a text", "y: 'now()'", "AToA, y: A p1: A.y takes"),
    Case("a text for objects", "b: '$source.x'", "AToA, b: A p1: expected objects of the source, found \"one\""),
    Case("an unknown key", "y: '$source.z'", "AToA, y: A p1: A has no property z"),
    Case(
      "a table without anything", "y: { of: '$source.x', table: {} }", "AToA, y: A p1: the table has nothing for one"),
  ]

  /// What has no value, or one of another kind, ends the migration with the row: it is none of some rejected records.
  @Test(arguments: values) func valuesThatAreNone(_ test: Case<String, String>) throws {
    let ground = try Self.plain()
    try change("UPDATE ZA SET ZB = 2 WHERE Z_PK = 1", in: ground.store)
    let run = try ground.migrate(
      "{ from: 'V1', to: 'V2', entities: { A: { values: { \(test.input) } } } }", ["--allow-loss", "A.b"])
    #expect(run.status == 2 || run.status == 6, "\(run.errors)")
    #expect(run.errors.contains(test.expected) && !run.errors.contains("It has ."), "\(run.errors)")
    #expect(try rows("SELECT Z_PK FROM ZA", in: ground.store) == ["1", "2"])
  }

  /// Of nothing an expression gives nothing.
  @Test func nothingStaysNothing() throws {
    let ground = try Self.plain()
    try change("UPDATE ZA SET ZX = NULL", in: ground.store)
    let run = try ground.migrate(
      "{ from: 'V1', to: 'V2', entities: { A: { values: { y: 'uppercase:($source.x)', n: '$source.x * 2' } } } }")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try rows("SELECT ZY, ZN FROM ZA", in: ground.store) == ["NULL|NULL", "NULL|NULL"])
  }
}
