import Diagnostics
import Foundation
import ObjectModel
import SQLiteDriver
import SQLiteStore
import TestSupport
import Testing

@testable import Migration

/// What becomes of rows, change by change.
struct MigrationVectorTests {
  struct Vector: Sendable {
    /// The entities of the two versions.
    var old: String
    var new: String
    /// The statements that make the rows.
    var rows: [String]
    var options = MigrationOptions()
    /// What is asked of the store.
    var query: String

    init(
      _ old: String, _ new: String, _ rows: [String], allowing losses: [String] = [], copyingUnchanged: Bool = false,
      _ query: String = ""
    ) {
      (self.old, self.new, self.rows, self.query) = (old, new, rows, query)
      options.allowLoss = losses
      options.copyUnchanged = copyingUnchanged
    }
  }

  // MARK: Models

  static func entity(_ name: String, _ properties: String..., keys: String = "") -> String {
    "<entity name=\"\(name)\" \(keys)>\(properties.joined())</entity>"
  }

  static func attribute(_ name: String, _ type: String, _ keys: String = "optional=\"YES\"") -> String {
    "<attribute name=\"\(name)\" attributeType=\"\(type)\" \(keys)/>"
  }

  static func toOne(_ name: String, _ entity: String, inverse: String?, _ keys: String = "optional=\"YES\"") -> String {
    "<relationship name=\"\(name)\" maxCount=\"1\" destinationEntity=\"\(entity)\" \(keys)"
      + (inverse.map { " inverseName=\"\($0)\" inverseEntity=\"\(entity)\"" } ?? "") + "/>"
  }

  static func toMany(_ name: String, _ entity: String, inverse: String?, _ keys: String = "optional=\"YES\"") -> String
  {
    "<relationship name=\"\(name)\" toMany=\"YES\" destinationEntity=\"\(entity)\" \(keys)"
      + (inverse.map { " inverseName=\"\($0)\" inverseEntity=\"\(entity)\"" } ?? "") + "/>"
  }

  static func unique(_ name: String) -> String {
    "<uniquenessConstraints><uniquenessConstraint><constraint value=\"\(name)\"/></uniquenessConstraint>"
      + "</uniquenessConstraints>"
  }

  private static func rows(_ table: String, _ columns: String, _ values: String...) -> [String] {
    values.enumerated().map { number, value in
      "INSERT INTO \(table) (Z_PK, Z_ENT, Z_OPT\(columns.isEmpty ? "" : ", ")\(columns)) "
        + "VALUES (\(number + 1), \(value))"
    }
  }

  // MARK: Attributes

  static let attributes: [Case<Vector, [String]>] = [
    Case(
      "an optional attribute is added",
      Vector(
        entity("E", attribute("n", "String")), entity("E", attribute("n", "String"), attribute("a", "String")),
        rows("ZE", "ZN", "1, 4, 'x'", "1, 1, 'y'"), "SELECT Z_PK, Z_ENT, Z_OPT, ZN, ZA FROM ZE"),
      ["1|1|4|x|NULL", "2|1|1|y|NULL"]),
    Case(
      "one with a default is added",
      Vector(
        entity("E", attribute("n", "String")),
        entity("E", attribute("n", "String"), attribute("b", "Boolean", "defaultValueString=\"NO\"")),
        rows("ZE", "", "1, 1", "1, 1"), "SELECT ZB FROM ZE"), ["0", "0"]),
    Case(
      "the default stands in all rows of the table",
      Vector(
        entity("P") + entity("S", keys: "parentEntity=\"P\"") + entity("C", keys: "parentEntity=\"P\""),
        entity("P") + entity("S", attribute("c", "Integer 32", "defaultValueString=\"0\""), keys: "parentEntity=\"P\"")
          + entity("C", keys: "parentEntity=\"P\""), rows("ZP", "", "3, 1", "2, 1"), "SELECT Z_ENT, ZC FROM ZP"),
      ["3|0", "2|0"]),
    Case(
      "required without a default, no rows",
      Vector(
        entity("E"), entity("E", attribute("a", "Integer 64", "")), [], "SELECT COUNT(*), SUM(ZA) FROM ZE"), ["0|NULL"]),
    Case(
      "optional becomes required with a default",
      Vector(
        entity("E", attribute("a", "Integer 16")),
        entity("E", attribute("a", "Integer 16", "defaultValueString=\"5\"")),
        rows("ZE", "ZA", "1, 1, NULL", "1, 1, 1"),
        "SELECT ZA FROM ZE"), ["5", "1"]),
    Case(
      "an optional attribute that only gains a default keeps its nulls",
      Vector(
        entity("E", attribute("a", "Integer 16")),
        entity(
          "E", attribute("a", "Integer 16", "optional=\"YES\" defaultValueString=\"5\""), attribute("b", "String")),
        rows("ZE", "ZA", "1, 1, NULL", "1, 1, 1"), "SELECT ZA FROM ZE"), ["NULL", "1"]),
    Case(
      "no nulls where it becomes required",
      Vector(
        entity("E", attribute("a", "String")), entity("E", attribute("a", "String", "")),
        rows("ZE", "ZA", "1, 1, 'x'"), "SELECT ZA FROM ZE"), ["x"]),
    Case(
      "renamed",
      Vector(
        entity("E", attribute("a", "String")),
        entity("E", attribute("b", "String", "optional=\"YES\" elementID=\"a\"")), rows("ZE", "ZA", "1, 1, 'it''s'"),
        "SELECT ZB FROM ZE"), ["it's"]),
    Case(
      "an identifier of nothing adds",
      Vector(
        entity("E"), entity("E", attribute("b", "String", "optional=\"YES\" elementID=\"a\"")), rows("ZE", "", "1, 1"),
        "SELECT ZB FROM ZE"), ["NULL"]),
    Case(
      "several with one canonical name",
      Vector(
        entity("E", attribute("a", "String")),
        entity(
          "E", attribute("a", "String"), attribute("b", "String", "optional=\"YES\" elementID=\"a\""),
          attribute("c", "String", "optional=\"YES\" elementID=\"a\"")), rows("ZE", "ZA", "1, 1, 'x'"),
        "SELECT ZA, ZB, ZC FROM ZE"), ["x|x|x"]),
    Case(
      "the identifier of the source counts, its name does not",
      Vector(
        entity("E", attribute("b", "String", "optional=\"YES\" elementID=\"a\"")),
        entity("E", attribute("c", "String", "optional=\"YES\" elementID=\"b\"")), rows("ZE", "ZB", "1, 1, 'x'"),
        allowing: ["E.b"], "SELECT ZC FROM ZE"), ["NULL"]),
    Case(
      "a wider integer",
      Vector(
        entity("E", attribute("a", "Integer 32")), entity("E", attribute("a", "Integer 64")),
        rows("ZE", "ZA", "1, 1, 2147483647"), "SELECT ZA FROM ZE"), ["2147483647"]),
    Case(
      "a boolean as a number",
      Vector(
        entity("E", attribute("s", "Boolean", "optional=\"YES\" elementID=\"m\"")),
        entity("E", attribute("m", "Integer 32")), rows("ZE", "ZS", "1, 1, 0", "1, 1, 1"), "SELECT ZM FROM ZE"),
      ["0", "1"]),
    Case(
      "a number of another kind",
      Vector(
        entity("E", attribute("a", "Double")), entity("E", attribute("a", "Integer 16")),
        rows("ZE", "ZA", "1, 1, 2.0", "1, 1, NULL"), "SELECT ZA, typeof(ZA) FROM ZE"), ["2|integer", "NULL|null"]),
    Case(
      "external storage allowed",
      Vector(
        entity("E", attribute("a", "Binary")),
        entity("E", attribute("a", "Binary", "optional=\"YES\" allowsExternalBinaryDataStorage=\"YES\"")),
        rows("ZE", "ZA", "1, 1, X'00FF27'", "1, 1, NULL"), "SELECT ZA FROM ZE"), ["0100ff27", "NULL"]),
    Case(
      "and no longer",
      Vector(
        entity("E", attribute("a", "Binary", "optional=\"YES\" allowsExternalBinaryDataStorage=\"YES\"")),
        entity("E", attribute("a", "Binary")), rows("ZE", "ZA", "1, 1, X'0100FF27'", "1, 1, NULL"),
        "SELECT ZA FROM ZE"), ["00ff27", "NULL"]),
    Case(
      "a hash modifier, copied as asked",
      Vector(
        entity("E", attribute("a", "String")),
        entity("E", attribute("a", "String", "optional=\"YES\" versionHashModifier=\"2\"")),
        rows("ZE", "ZA", "1, 1, 'x'"), copyingUnchanged: true, "SELECT ZA FROM ZE"), ["x"]),
    Case(
      "no equal values where they become unique",
      Vector(
        entity("E", attribute("u", "String")), entity("E", attribute("u", "String"), unique("u")),
        rows("ZE", "ZU", "1, 1, NULL", "1, 1, NULL", "1, 1, 'x'"), "SELECT ZU FROM ZE ORDER BY Z_PK"),
      ["NULL", "NULL", "x"]),
  ]

  // MARK: Relationships and hierarchies

  static let relationships: [Case<Vector, [String]>] = [
    Case(
      "to-one becomes to-many under a new name",
      Vector(
        entity("A", toOne("r", "B", inverse: "s")) + entity("B", toOne("s", "A", inverse: "r")),
        entity("A", toOne("r", "B", inverse: "things"))
          + entity("B", toMany("things", "A", inverse: "r", "optional=\"YES\" elementID=\"s\"")),
        rows("ZA", "ZR", "1, 1, 1") + rows("ZB", "ZS", "2, 1, 1"), "SELECT Z_PK, ZR FROM ZA"), ["1|1"]),
    Case(
      "to-many of one member becomes to-one",
      Vector(
        entity("A", toOne("r", "B", inverse: "s")) + entity("B", toMany("s", "A", inverse: "r")),
        entity("A", toOne("r", "B", inverse: "s")) + entity("B", toOne("s", "A", inverse: "r")),
        rows("ZA", "ZR", "1, 1, 1") + rows("ZB", "", "2, 1", "2, 1"), "SELECT ZS FROM ZB ORDER BY Z_PK"), ["1", "NULL"]),
    Case(
      "a required to-many relationship may be empty where its least count is 0",
      Vector(
        entity("A") + entity("B"),
        entity("A", toMany("rs", "B", inverse: "s", "")) + entity("B", toOne("s", "A", inverse: "rs")),
        rows("ZA", "", "1, 1"), "SELECT Z_PK FROM ZA"), ["1"]),
    Case(
      "and where it becomes required",
      Vector(
        entity("A", toMany("rs", "B", inverse: "s")) + entity("B", toOne("s", "A", inverse: "rs")),
        entity("A", toMany("rs", "B", inverse: "s", "")) + entity("B", toOne("s", "A", inverse: "rs")),
        rows("ZA", "", "1, 1", "1, 1") + rows("ZB", "ZS", "2, 1, 1"), "SELECT Z_PK FROM ZA"), ["1", "2"]),
    Case(
      "many-to-many of one member each becomes one-to-many",
      Vector(
        entity("A", toMany("r", "B", inverse: "s")) + entity("B", toMany("s", "A", inverse: "r")),
        entity("A", toOne("r", "B", inverse: "s")) + entity("B", toMany("s", "A", inverse: "r")),
        rows("ZA", "", "1, 1", "1, 1") + rows("ZB", "", "2, 1")
          + ["INSERT INTO Z_1R (Z_1S, Z_2R) VALUES (1, 1), (2, 1)"], "SELECT ZR FROM ZA ORDER BY Z_PK"), ["1", "1"]),
    Case(
      "an inverse is added: the hidden key becomes one",
      Vector(
        entity("A", toMany("r", "B", inverse: nil)) + entity("B"),
        entity("A", toMany("r", "B", inverse: "s")) + entity("B", toOne("s", "A", inverse: "r")),
        rows("ZA", "", "1, 1") + rows("ZB", "Z1R", "2, 1, 1", "2, 1, NULL"), "SELECT ZS FROM ZB ORDER BY Z_PK"),
      ["1", "NULL"]),
    Case(
      "an inverse is removed: the key becomes hidden",
      Vector(
        entity("A", toMany("r", "B", inverse: "s")) + entity("B", toOne("s", "A", inverse: "r")),
        entity("A", toMany("r", "B", inverse: nil)) + entity("B"),
        rows("ZA", "", "1, 1") + rows("ZB", "ZS", "2, 1, 1", "2, 1, NULL"), "SELECT Z1R FROM ZB ORDER BY Z_PK"),
      ["1", "NULL"]),
    Case(
      "unordered becomes ordered",
      Vector(
        entity("A", toMany("r", "B", inverse: "s")) + entity("B", toOne("s", "A", inverse: "r")),
        entity("A", toMany("r", "B", inverse: "s", "optional=\"YES\" ordered=\"YES\""))
          + entity("B", toOne("s", "A", inverse: "r")),
        rows("ZA", "", "1, 1") + rows("ZB", "ZS", "2, 1, 1", "2, 1, 1", "2, 1, NULL"),
        "SELECT ZS, Z_FOK_S FROM ZB ORDER BY Z_PK"),
      ["1|2048", "1|3072", "NULL|NULL"]),
    Case(
      "ordered stays ordered",
      Vector(
        entity("A", toMany("r", "B", inverse: "s", "optional=\"YES\" ordered=\"YES\""))
          + entity("B", toOne("s", "A", inverse: "r")),
        entity("A", attribute("n", "String"), toMany("r", "B", inverse: "s", "optional=\"YES\" ordered=\"YES\""))
          + entity("B", toOne("s", "A", inverse: "r")),
        rows("ZA", "", "1, 1") + rows("ZB", "ZS, Z_FOK_S", "2, 1, 1, 5000", "2, 1, 1, 4000"),
        "SELECT Z_FOK_S FROM ZB"), ["5000", "4000"]),
    Case(
      "a new entity moves all numbers",
      Vector(
        entity("B", toMany("r", "C", inverse: "s")) + entity("C", toMany("s", "B", inverse: "r")),
        entity("A") + entity("B", toMany("r", "C", inverse: "s")) + entity("C", toMany("s", "B", inverse: "r")),
        rows("ZB", "", "1, 1") + rows("ZC", "", "2, 1") + ["INSERT INTO Z_1R (Z_1S, Z_2R) VALUES (1, 1)"],
        "SELECT (SELECT Z_ENT FROM ZB), (SELECT Z_ENT FROM ZC), Z_2S, Z_3R FROM Z_2R"), ["2|3|1|1"]),
    Case(
      "a new parent over one root",
      Vector(
        entity("X", attribute("n", "String")) + entity("E", toOne("r", "X", inverse: nil)),
        entity("X", attribute("n", "String"), keys: "parentEntity=\"P\"") + entity("P")
          + entity("E", toOne("r", "P", inverse: nil)),
        rows("ZX", "ZN", "2, 1, 'x'") + rows("ZE", "ZR", "1, 1, 1"),
        "SELECT p.Z_ENT, p.ZN, e.ZR, e.Z2_R FROM ZP AS p, ZE AS e"), ["3|x|1|3"]),
    Case(
      "a subentity moves out of its hierarchy with its keys",
      Vector(
        entity("P", attribute("n", "String")) + entity("S", keys: "parentEntity=\"P\""),
        entity("P", attribute("n", "String")) + entity("S", attribute("n", "String")),
        rows("ZP", "ZN", "1, 1, 'p'", "2, 1, 's'") + ["UPDATE Z_PRIMARYKEY SET Z_MAX = 9 WHERE Z_ENT = 1"],
        "SELECT Z_PK, ZN, (SELECT GROUP_CONCAT(Z_MAX) FROM Z_PRIMARYKEY) FROM ZS"), ["2|s|9,9"]),
    Case(
      "and loses the links that led to it, if allowed",
      Vector(
        entity("P", toOne("r", "P", inverse: nil)) + entity("S", keys: "parentEntity=\"P\""),
        entity("P", toOne("r", "P", inverse: nil)) + entity("S"),
        rows("ZP", "ZR, Z1_R", "1, 1, 2, 2", "2, 1, NULL, NULL", "1, 1, 1, 1"), allowing: ["P.r"],
        "SELECT ZR FROM ZP ORDER BY Z_PK"), ["NULL", "1"]),
    Case(
      "an order of no list of several is none",
      Vector(
        entity("A", toMany("r", "B", inverse: "s", "optional=\"YES\" ordered=\"YES\""))
          + entity("B", toOne("s", "A", inverse: "r")),
        entity("A", toMany("r", "B", inverse: "s")) + entity("B", toOne("s", "A", inverse: "r")),
        rows("ZA", "", "1, 1") + rows("ZB", "ZS, Z_FOK_S", "2, 1, 1, 5000"), "SELECT ZS FROM ZB"), ["1"]),
    Case(
      "a property moves up",
      Vector(
        entity("P") + entity("S", attribute("n", "String"), keys: "parentEntity=\"P\""),
        entity("P", attribute("n", "String")) + entity("S", keys: "parentEntity=\"P\""),
        rows("ZP", "ZN", "2, 1, 's'"), "SELECT ZN FROM ZP"), ["s"]),
    Case(
      "an entity is renamed, and one removed with what leads to it",
      Vector(
        entity("A", toOne("r", "P", inverse: nil)) + entity("P") + entity("S", keys: "parentEntity=\"P\""),
        entity("A2", toOne("r", "P", inverse: nil), keys: "elementID=\"A\"") + entity("P"),
        rows("ZA", "ZR, Z2_R", "1, 1, 1, 2", "1, 1, 2, 3") + rows("ZP", "", "2, 1", "3, 1"), allowing: ["S"],
        "SELECT ZR, (SELECT COUNT(*) FROM ZP) FROM ZA2 ORDER BY Z_PK"), ["1|1", "NULL|1"]),
    Case(
      "a count is derived anew",
      Vector(
        entity("A", toMany("r", "B", inverse: "s")) + entity("B", toOne("s", "A", inverse: "r")),
        entity(
          "A", attribute("count", "Integer 64", "optional=\"YES\" derived=\"YES\" derivationExpression=\"r.@count\""),
          toMany("r", "B", inverse: "s")) + entity("B", toOne("s", "A", inverse: "r")),
        rows("ZA", "", "1, 1", "1, 1") + rows("ZB", "ZS", "2, 1, 1", "2, 1, 1"), "SELECT ZCOUNT FROM ZA"), ["2", "0"]),
  ]

  @Test(arguments: attributes + relationships)
  func becomes(_ test: Case<Vector, [String]>) throws {
    let ground = try Ground(test.input)
    try ground.migrate()
    #expect(try ground.query() == test.expected)
    #expect(try ground.uuid() == ground.uuidBefore)
    #expect(try FileManager.default.contentsOfDirectory(atPath: ground.folder.url.path).sorted() == ["s.sqlite"])
  }

  // MARK: Refusals

  static let refusals: [Case<Vector, String>] = [
    Case(
      "required without a default over rows",
      Vector(entity("E"), entity("E", attribute("a", "Integer 64", "")), rows("ZE", "", "1, 1", "1, 1")),
      "E.a: is added, required and without a default, and 2 rows have none (p1, p2)"),
    Case(
      "nulls where it becomes required",
      Vector(
        entity("E", attribute("a", "String")), entity("E", attribute("a", "String", "")),
        rows("ZE", "ZA", "1, 1, NULL", "1, 1, 'x'")), "E.a: becomes required without a default, and 1 row has none (p1)"
    ),
    Case(
      "a text as a number",
      Vector(
        entity("E", attribute("a", "String")),
        entity("E", attribute("b", "Float", "optional=\"YES\" elementID=\"a\"")), rows("ZE", "ZA", "1, 1, 'x'")),
      "E.b: type String -> Float: source and destination attribute types are incompatible"),
    Case(
      "an old name for something else",
      Vector(
        entity("E", attribute("a", "String")),
        entity("E", attribute("a", "String"), attribute("b", "Float", "optional=\"YES\" elementID=\"a\"")), []),
      "E.b: type String -> Float"),
    Case(
      "a text as bytes",
      Vector(entity("E", attribute("a", "String")), entity("E", attribute("a", "Binary")), []),
      "E.a: type String -> Binary"),
    Case(
      "a number as a text",
      Vector(entity("E", attribute("a", "Integer 64")), entity("E", attribute("a", "String")), []),
      "E.a: type Integer 64 -> String"),
    Case(
      "a number that does not fit",
      Vector(
        entity("E", attribute("a", "Integer 32")), entity("E", attribute("a", "Integer 16")),
        rows("ZE", "ZA", "1, 1, 32768", "1, 1, 32767")), "E.a (1 value that does not fit, Integer 32 -> Integer 16)"),
    Case(
      "a fraction as an integer",
      Vector(
        entity("E", attribute("a", "Double")), entity("E", attribute("a", "Integer 16")),
        rows("ZE", "ZA", "1, 1, 2.5")), "E.a (1 value that does not fit, Double -> Integer 16)"),
    Case(
      "a whole decimal with more digits than a real number",
      Vector(
        entity("E", attribute("a", "Decimal")), entity("E", attribute("a", "Double")),
        rows("ZE", "ZA", "1, 1, 9007199254740993", "1, 1, 9007199254740992", "1, 1, 0.1", "1, 1, NULL")),
      "E.a (1 value that does not fit, Decimal -> Double)"),
    Case(
      "rows of an abstract entity",
      Vector(
        entity("P", keys: "isAbstract=\"YES\"") + entity("S", keys: "parentEntity=\"P\""),
        entity("P", attribute("n", "String"), keys: "isAbstract=\"YES\"") + entity("S", keys: "parentEntity=\"P\""),
        rows("ZP", "", "1, 1", "2, 1")), "ZP (1 row of ZP of P, which is abstract)"),
    Case(
      "values that have no place",
      Vector(
        entity("E", attribute("a", "String"), attribute("b", "String")), entity("E", attribute("b", "String")),
        rows("ZE", "ZA", "1, 1, 'x'", "1, 1, NULL")), "E.a (1 value of String)"),
    Case(
      "rows that have no place",
      Vector(entity("E") + entity("F"), entity("E"), rows("ZF", "", "2, 1")), "F (1 row)"),
    Case(
      "links that have no place",
      Vector(
        entity("A", toOne("r", "B", inverse: nil)) + entity("B"), entity("A") + entity("B"),
        rows("ZA", "ZR", "1, 1, 1") + rows("ZB", "", "2, 1")), "A.r (1 link)"),
    Case(
      "several members of what becomes to-one",
      Vector(
        entity("A", toOne("r", "B", inverse: "s")) + entity("B", toMany("s", "A", inverse: "r")),
        entity("A", toOne("r", "B", inverse: "s")) + entity("B", toOne("s", "A", inverse: "r")),
        rows("ZA", "ZR", "1, 1, 1", "1, 1, 1") + rows("ZB", "", "2, 1")),
      "B.s (1 row with several links, of which the one to the least key stays)"),
    Case(
      "a required relationship over rows",
      Vector(
        entity("A") + entity("B"), entity("A", toOne("r", "B", inverse: nil, "")) + entity("B"),
        rows("ZA", "", "1, 1")), "A.r: is added and required, and 1 row has none (p1)"),
    Case(
      "a required to-many relationship over rows that must have some",
      Vector(
        entity("A") + entity("B"),
        entity("A", toMany("rs", "B", inverse: "s", "minCount=\"1\""))
          + entity("B", toOne("s", "A", inverse: "rs")), rows("ZA", "", "1, 1")),
      "A.rs: is added and required, and 1 row has none (p1)"),
    Case(
      "fewer than there must be",
      Vector(
        entity("A", toMany("rs", "B", inverse: "s")) + entity("B", toOne("s", "A", inverse: "rs")),
        entity("A", toMany("rs", "B", inverse: "s", "optional=\"YES\" minCount=\"2\""))
          + entity("B", toOne("s", "A", inverse: "rs")),
        rows("ZA", "", "1, 1", "1, 1", "1, 1") + rows("ZB", "ZS", "2, 1, 1", "2, 1, 2", "2, 1, 2")),
      "A.rs: has a greater least count, and 1 row has fewer than 2 (p1)"),
    Case(
      "more than there may be",
      Vector(
        entity("A", toMany("rs", "B", inverse: "s")) + entity("B", toOne("s", "A", inverse: "rs")),
        entity("A", toMany("rs", "B", inverse: "s", "optional=\"YES\" maxCount=\"2\""))
          + entity("B", toOne("s", "A", inverse: "rs")),
        rows("ZA", "", "1, 1", "1, 1") + rows("ZB", "ZS", "2, 1, 1", "2, 1, 2", "2, 1, 2", "2, 1, 2")),
      "A.rs: has a smaller greatest count, and 1 row has more than 2 (p2)"),
    Case(
      "equal values that become unique",
      Vector(
        entity("E", attribute("u", "Integer 16")), entity("E", attribute("u", "Integer 16"), unique("u")),
        rows("ZE", "ZU", "1, 1, 1", "1, 1, 1")), "E: unique by u, but rows have equal values: 1: 2 rows"),
    Case(
      "rows of what becomes abstract",
      Vector(
        entity("P") + entity("S", keys: "parentEntity=\"P\""),
        entity("P", keys: "isAbstract=\"YES\"") + entity("S", keys: "parentEntity=\"P\""), rows("ZP", "", "1, 1")),
      "P: becomes abstract, and 1 row of it have no place"),
    Case(
      "two roots under one",
      Vector(
        entity("X") + entity("Y"),
        entity("P") + entity("X", keys: "parentEntity=\"P\"") + entity("Y", keys: "parentEntity=\"P\""), []),
      "Y: parent none -> P: the tables of X, Y cannot become one"),
    Case(
      "a destination that is no relative",
      Vector(
        entity("A", toOne("r", "B", inverse: nil)) + entity("B") + entity("C"),
        entity("A", toOne("r", "C", inverse: nil)) + entity("B") + entity("C"), []),
      "A.r: destination B -> C: no rows of the one are rows of the other"),
    Case(
      "two entities of one",
      Vector(entity("A"), entity("A") + entity("B", keys: "elementID=\"A\""), []),
      "A and B: both have the renaming identifier of A"),
    Case(
      "another meaning",
      Vector(
        entity("E", attribute("a", "String")),
        entity("E", attribute("a", "String", "optional=\"YES\" versionHashModifier=\"2\"")),
        rows("ZE", "ZA", "1, 1, 'x'")), "E.a: the hash modifier none -> 2 says that its meaning changes"),
    Case(
      "relationships that become inverses and disagree",
      Vector(
        entity("A", toOne("r", "B", inverse: nil)) + entity("B", toOne("s", "A", inverse: nil)),
        entity("A", toOne("r", "B", inverse: "s")) + entity("B", toOne("s", "A", inverse: "r")),
        rows("ZA", "ZR", "1, 1, 1", "1, 1, NULL") + rows("ZB", "ZS", "2, 1, 2")),
      "becomes the inverse of"),
  ]

  /// Parents, inverses and orders that cost links, or their order.
  static let lostLinks: [Case<Vector, String>] = {
    let one = toOne("r", "P", inverse: "rs") + toMany("rs", "P", inverse: "r")
    let many = toMany("m", "P", inverse: "im") + toMany("im", "P", inverse: "m")
    let child = entity("B", keys: "parentEntity=\"P\"")
    let three = rows("ZP", "", "1, 1", "2, 1", "1, 1")
    let joins = [(1, 2), (2, 1), (1, 3)].map { "INSERT INTO Z_1M (Z_1IM, Z_1M) VALUES (\($0), \($1))" }
    let ordered = toMany("r", "B", inverse: "s", "optional=\"YES\" ordered=\"YES\"")
    let list = entity("A", ordered) + entity("B", toOne("s", "A", inverse: "r"))
    let listed =
      rows("ZA", "", "1, 1", "1, 1")
      + rows("ZB", "ZS, Z_FOK_S", "2, 1, 1, 5000", "2, 1, 1, 4000", "2, 1, 2, 1024")
    return [
      Case(
        "links to rows that leave their parent",
        Vector(
          entity("P", toOne("r", "P", inverse: nil)) + child, entity("P", toOne("r", "P", inverse: nil)) + entity("B"),
          three + ["UPDATE ZP SET ZR = 2, Z1_R = 2 WHERE Z_PK = 1", "UPDATE ZP SET ZR = 1, Z1_R = 1 WHERE Z_PK = 3"]),
        "would lose P.r (1 link)"),
      Case(
        "links to and from rows that leave their parent",
        Vector(
          entity("P", one) + child, entity("P", one) + entity("B"),
          three + ["UPDATE ZP SET ZR = 3 - Z_PK, Z1_R = 3 - Z_PK WHERE Z_PK < 3"]),
        "would lose P.r (2 links); P.rs (2 links)"),
      Case(
        "links of a join table to and from rows that leave their parent",
        Vector(entity("P", many) + child, entity("P", many) + entity("B"), three + joins),
        "would lose P.im (2 links); P.m (2 links)"),
      Case(
        "links to rows that get another parent",
        Vector(
          entity("P", toOne("r", "M", inverse: nil)) + entity("M", keys: "parentEntity=\"P\"")
            + entity("N", keys: "parentEntity=\"M\""),
          entity("P", toOne("r", "M", inverse: nil)) + entity("M", keys: "parentEntity=\"P\"")
            + entity("N", keys: "parentEntity=\"P\""),
          rows("ZP", "ZR, Z2_R", "1, 1, 3, 3", "1, 1, 4, 2", "3, 1, NULL, NULL", "2, 1, NULL, NULL")),
        "would lose P.r (1 link)"),
      Case(
        "links of several owners to a row that can have one",
        Vector(
          entity("A", toMany("r", "B", inverse: "s")) + entity("B", toMany("s", "A", inverse: "r")),
          entity("A", toMany("r", "B", inverse: nil)) + entity("B"),
          rows("ZA", "", "1, 1", "1, 1") + rows("ZB", "", "2, 1")
            + ["INSERT INTO Z_1R (Z_1S, Z_2R) VALUES (1, 1), (2, 1)"]),
        "would lose A.r (1 link)"),
      Case(
        "an order",
        Vector(list, entity("A", toMany("r", "B", inverse: "s")) + entity("B", toOne("s", "A", inverse: "r")), listed),
        "would lose A.r (the order of 1 list)"),
      Case(
        "an order, by a relationship of which the inverse stays",
        Vector(list, entity("A") + entity("B", toOne("s", "A", inverse: nil)), listed),
        "would lose A.r (the order of 1 list)"),
    ]
  }()

  @Test(arguments: refusals + lostLinks)
  func refuses(_ test: Case<Vector, String>) throws {
    let ground = try Ground(test.input)
    let before = try Data(contentsOf: ground.store)
    let error = #expect(throws: Diagnostic.self) { try ground.migrate() }
    #expect(error?.message.contains(test.expected) == true, "\(error?.message ?? "")")
    #expect(try Data(contentsOf: ground.store) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: ground.folder.url.path).sorted() == ["s.sqlite"])
  }
}

/// What others do between a plan and its run, and which version a plan begins with.
struct MigrationPlanTests {
  private typealias Vectors = MigrationVectorTests

  private func ground() throws -> Ground {
    let b = Vectors.attribute("b", "String")
    return try Ground(
      .init(
        Vectors.entity("E", Vectors.attribute("a", "String"), b), Vectors.entity("E", b),
        ["INSERT INTO ZE (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1)"]))
  }

  @Test func asksAgainWhenTheStoreIsHeld() throws {
    let ground = try ground()
    let migration = try ground.migration()
    let plan = try migration.plan()
    try migration.check(plan)
    try Connection(ground.store.path, .readWrite).execute("UPDATE ZE SET ZA = 'x'")
    let error = #expect(throws: Diagnostic.self) { try migration.run(plan, backup: nil) }
    #expect(error?.message == "the migration would lose E.a (1 value of String)")
  }

  @Test func isNotMigratedTwice() throws {
    let ground = try ground()
    let (first, second) = (try ground.migration(), try ground.migration())
    let (plan, samePlan) = (try first.plan(), try second.plan())
    try first.run(plan, backup: nil)
    let error = #expect(throws: Diagnostic.self) { try second.run(samePlan, backup: nil) }
    #expect(error?.message.contains("became one of another version while it was looked at") == true)
  }

  private struct Mapping: VersionMapping {
    let isNamed = false
    let source: String
    let destination: String
    var name: String { "\(source)-\(destination)" }

    func mappingModel(
      _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel
    ) throws(Diagnostic) -> NSMappingModel {
      try MappingInference(source, destination).mappingModel()
    }
  }

  /// Of versions with equal hashes the one is meant that a mapping begins with.
  @Test(
    arguments: [
      Case("no mapping", [], ["V3", "V2"]), Case("from the first", [["V1", "V2"]], ["V1", "V2"]),
      Case("from the last", [["V3", "V2"]], ["V3", "V2"]),
      Case("to another version", [["V3", "V4"], ["V1", "V2"]], ["V1", "V2"]),
    ] as [Case<[[String]], [String]>])
  func versionsThatAreAlike(_ test: Case<[[String]], [String]>) throws {
    let ground = try ground()
    let (old, new) = (ground.versions[0], ground.versions[1])
    let all = KnownVersions([old, new, .init(name: "V3", model: old.model)], to: new)
    let mappings = test.input.map { Mapping(source: $0[0], destination: $0[1]) }
    let plan = try StoreMigration(of: SQLiteStoreMigrator(of: ground.store), to: all, mappings: mappings).plan()
    #expect(plan.path == test.expected)
    #expect(plan.steps.map(\.mapping.isInferred) == [test.input.isEmpty])
  }
}

/// A store of the old version with its rows.
private struct Ground {
  let folder: TemporaryFolder
  let store: URL
  let uuidBefore: String
  private let vector: MigrationVectorTests.Vector
  let versions: [KnownVersions.Version]

  init(_ vector: MigrationVectorTests.Vector) throws {
    self.vector = vector
    let models = try TemporaryFolder()
    versions = try [("V1", vector.old), ("V2", vector.new)].map { name, entities in
      let path = try models.write("<model>\(entities)</model>", to: "\(name).xcdatamodel/contents")
      return KnownVersions.Version(name: name, model: try NSManagedObjectModel(contentsOf: URL(fileURLWithPath: path)))
    }
    folder = try TemporaryFolder()
    store = folder.url.appendingPathComponent("s.sqlite")
    uuidBefore = try SQLitePersistentStore.create(at: store, model: versions[0].model).identifier
    let connection = try Connection(store.path, .readWrite)
    for statement in vector.rows { try connection.execute(statement) }
    if !vector.rows.contains(where: { $0.contains("Z_MAX") }) {
      try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 5 WHERE Z_SUPER = 0")
    }
  }

  func migration() throws -> StoreMigration {
    StoreMigration(
      of: try SQLiteStoreMigrator(of: store), to: KnownVersions(versions, to: versions[1]), vector.options)
  }

  func migrate() throws {
    let migration = try migration()
    try migration.run(migration.plan(), backup: nil)
  }

  func query() throws -> [String] {
    let connection = try Connection(store.path, .readOnly)
    let select = try connection.prepare(vector.query)
    var rows: [String] = []
    while try select.step() {
      rows.append((0..<select.columnCount).map { Self.text(select.value($0)) }.joined(separator: "|"))
    }
    return rows
  }

  func uuid() throws -> String {
    let select = try Connection(store.path, .readOnly).prepare("SELECT Z_UUID FROM Z_METADATA")
    return try select.step() ? select.text(0) ?? "" : ""
  }

  private static func text(_ value: SQLiteValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .text(let text): text
    case .blob(let bytes): bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }
}
