import Diagnostics
import ObjectModel
import Predicates
import TestSupport
import Testing

@testable import SQLiteStore

/// The facts of the layout, one by one; what Core Data writes is known from its own stores.
struct StoreSchemaTests {
  static func attribute(_ name: String, _ type: String, _ more: String = "") -> String {
    "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"\(type)\" \(more)/>"
  }

  static func toOne(_ name: String, _ destination: String, _ inverse: String? = nil) -> String {
    relationship(name, destination, inverse, "maxCount=\"1\"")
  }

  static func toMany(_ name: String, _ destination: String, _ inverse: String? = nil, ordered: Bool = false) -> String {
    relationship(name, destination, inverse, "toMany=\"YES\"" + (ordered ? " ordered=\"YES\"" : ""))
  }

  private static func relationship(_ name: String, _ destination: String, _ inverse: String?, _ more: String) -> String
  {
    let inverse = inverse.map { "inverseName=\"\($0)\" inverseEntity=\"\(destination)\"" } ?? ""
    return "<relationship name=\"\(name)\" optional=\"YES\" destinationEntity=\"\(destination)\" \(inverse) \(more)/>"
  }

  static func entity(_ name: String, _ contents: String = "", parent: String? = nil) -> String {
    "<entity name=\"\(name)\" \(parent.map { "parentEntity=\"\($0)\"" } ?? "")>\(contents)</entity>"
  }

  static let types = [
    "Binary", "Boolean", "Date", "Decimal", "Double", "Float", "Integer 16", "Integer 32", "Integer 64", "String",
    "Transformable", "URI", "UUID",
  ]

  /// The statements that hold a word, of a model's SQL.
  static let statements: [Case<(entities: String, word: String), [String]>] = [
    Case(
      "columns come in groups by type",
      (entity("All", types.map { attribute("a\($0.filter { $0 != " " })", $0) }.joined()), "CREATE TABLE ZALL"),
      [
        "CREATE TABLE ZALL ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZABOOLEAN INTEGER, ZAINTEGER16 INTEGER, "
          + "ZAINTEGER32 INTEGER, ZAINTEGER64 INTEGER, ZADATE TIMESTAMP, ZADOUBLE FLOAT, ZAFLOAT FLOAT, ZADECIMAL DECIMAL, "
          + "ZASTRING VARCHAR, ZAURI VARCHAR, ZAUUID BLOB, ZATRANSFORMABLE BLOB, ZABINARY BLOB )"
      ]),
    Case(
      "names in a group come by code point",
      (
        entity(
          "E",
          attribute("b", "String") + attribute("Z", "String") + attribute("_x", "String") + attribute("ä", "String")),
        "TABLE ZE"
      ),
      [
        "CREATE TABLE ZE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZZ VARCHAR, Z_X VARCHAR, ZB VARCHAR, ZÄ VARCHAR )"
      ]),
    Case(
      "a table holds its hierarchy; equal names are numbered",
      (
        entity("Base", attribute("t", "String")) + entity("B2", attribute("u", "String"), parent: "Base")
          + entity("a1", attribute("u", "Integer 16") + attribute("x", "String", "transient=\"YES\""), parent: "Base"),
        "ZBASE"
      ),
      [
        "CREATE TABLE ZBASE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZU INTEGER, ZT VARCHAR, ZU1 VARCHAR )",
        "CREATE INDEX ZBASE_Z_ENT_INDEX ON ZBASE (Z_ENT)",
      ]),
    Case(
      "a reference to an entity with subentities has a column for the entity",
      (entity("A", toOne("d", "D") + attribute("e", "Integer 16")) + entity("D") + entity("S", parent: "D"), "ZA"),
      [
        "CREATE TABLE ZA ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZE INTEGER, ZD INTEGER, Z2_D INTEGER )",
        "CREATE INDEX ZA_ZD_INDEX ON ZA (ZD)",
      ]),
    Case(
      "the order of a list stands in its rows",
      (
        entity("L", toMany("items", "I", "list", ordered: true))
          + entity("I", toOne("list", "L", "items") + attribute("n", "Date")), "TABLE ZI"
      ),
      [
        "CREATE TABLE ZI ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZLIST INTEGER, Z_FOK_LIST INTEGER, ZN TIMESTAMP )"
      ]),
    Case(
      "to-many without an inverse has its key in the destination",
      (entity("A", toMany("bs", "B", ordered: true)) + entity("B", attribute("n", "Boolean")), "ZB"),
      [
        "CREATE TABLE ZB ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZN INTEGER, Z1BS INTEGER, Z_FOK_1BS INTEGER )",
        "CREATE INDEX ZB_Z1BS_INDEX ON ZB (Z1BS)",
      ]),
    Case(
      "many-to-many has a table, named by the first end",
      (entity("B", toMany("as", "A", "bs", ordered: true)) + entity("A", toMany("bs", "B", "as")), "Z_1"),
      [
        "CREATE TABLE Z_1BS ( Z_1AS INTEGER, Z_2BS INTEGER, Z_FOK_1AS INTEGER, PRIMARY KEY (Z_1AS, Z_2BS) )",
        "CREATE INDEX Z_1BS_Z_2BS_INDEX ON Z_1BS (Z_2BS, Z_1AS)",
      ]),
    Case(
      "the first end is met by name, inherited ones at the subentity",
      (
        entity("Tag", toMany("tasks", "Task", "tags")) + entity("Task", toMany("tags", "Tag", "tasks"))
          + entity("HealthTask", parent: "Task"), "CREATE TABLE Z_2TAGS"
      ),
      ["CREATE TABLE Z_2TAGS ( Z_2TASKS INTEGER, Z_1TAGS INTEGER, PRIMARY KEY (Z_2TASKS, Z_1TAGS) )"]),
    Case(
      "a relationship may be its own inverse", (entity("P", toMany("friends", "P", "friends")), "Z_1FRIENDS"),
      [
        "CREATE TABLE Z_1FRIENDS ( Z_1FRIENDS INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_1FRIENDS, REFLEXIVE) )",
        "CREATE INDEX Z_1FRIENDS_REFLEXIVE_INDEX ON Z_1FRIENDS (REFLEXIVE, Z_1FRIENDS)",
      ]),
    Case(
      "columns of join tables are unique over the store",
      (
        entity("A", toMany("t", "T", "as") + toMany("u", "T", "bs")) + entity("B", toMany("t", "T", "x"))
          + entity("T", toMany("as", "A", "t") + toMany("bs", "A", "u") + toMany("x", "B", "t")), "CREATE TABLE Z_2"
      ),
      ["CREATE TABLE Z_2T ( Z_2X INTEGER, Z_3T1 INTEGER, PRIMARY KEY (Z_2X, Z_3T1) )"]),
    Case(
      "an index, and the one that an attribute alone brings",
      (
        entity(
          "E",
          attribute("a", "String") + attribute("b", "String") + attribute("i", "String", "indexed=\"YES\"")
            + "<fetchIndex name=\"byA\"><fetchIndexElement property=\"a\" type=\"Binary\" order=\"ascending\"/></fetchIndex>"
            + "<fetchIndex name=\"both\"><fetchIndexElement property=\"a\" type=\"Binary\" order=\"descending\"/><fetchIndexElement property=\"b\" type=\"Binary\" order=\"ascending\"/></fetchIndex>"
            + "<compoundIndexes><compoundIndex><index value=\"b\"/><index value=\"i\"/></compoundIndex></compoundIndexes>"
        ), "INDEX"
      ),
      [
        "CREATE INDEX Z_E_a ON ZE (ZA COLLATE BINARY ASC)", "CREATE INDEX Z_E_i ON ZE (ZI COLLATE BINARY ASC)",
        "CREATE INDEX Z_E_b_i ON ZE (ZB COLLATE BINARY ASC, ZI COLLATE BINARY ASC)",
        "CREATE INDEX Z_E_byA ON ZE (ZA COLLATE BINARY ASC)",
        "CREATE INDEX Z_E_both ON ZE (ZA COLLATE BINARY DESC, ZB COLLATE BINARY ASC)",
      ]),
    Case(
      "an index over a part of the rows",
      (
        entity(
          "E",
          attribute("a", "String")
            + "<fetchIndex name=\"p\" partialIndexPredicate=\"a != nil AND (a == 'it' OR a &gt;= 5)\"><fetchIndexElement property=\"a\" type=\"Binary\" order=\"descending\"/></fetchIndex>"
        ), "INDEX"
      ),
      ["CREATE INDEX Z_E_p ON ZE (ZA COLLATE BINARY DESC) WHERE (ZA IS NOT NULL AND (ZA = 'it' OR ZA >= 5))"]),
    Case(
      "a constraint is an index of the entity that has it",
      (
        entity(
          "E",
          attribute("a", "String") + toOne("r", "E")
            + "<uniquenessConstraints><uniquenessConstraint><constraint value=\"a\"/><constraint value=\"r\"/></uniquenessConstraint></uniquenessConstraints>"
        ), "UNIQUE"
      ),
      ["CREATE UNIQUE INDEX Z_E_UNIQUE_a_r ON ZE (ZA COLLATE BINARY ASC, ZR COLLATE BINARY ASC)"]),
    Case(
      "an index of places is a table with triggers",
      (
        entity(
          "E",
          attribute("x", "Double") + attribute("y", "Double")
            + "<fetchIndex name=\"at\"><fetchIndexElement property=\"x\" type=\"RTree\" order=\"ascending\"/><fetchIndexElement property=\"y\" type=\"RTree\" order=\"ascending\"/></fetchIndex>"
        ), "Z_RT"
      ),
      [
        "CREATE VIRTUAL TABLE Z_RT_E_at USING RTREE (Z_PK INTEGER PRIMARY KEY, ZX_MIN FLOAT, ZX_MAX FLOAT, ZY_MIN FLOAT, ZY_MAX FLOAT)",
        "CREATE TRIGGER Z_RT_E_at_INSERT AFTER INSERT ON ZE FOR EACH ROW BEGIN INSERT OR REPLACE INTO Z_RT_E_at (Z_PK, ZX_MIN, ZX_MAX, ZY_MIN, ZY_MAX) VALUES (NEW.Z_PK, NEW.ZX ,NEW.ZX, NEW.ZY, NEW.ZY) ; END",
        "CREATE TRIGGER Z_RT_E_at_UPDATE AFTER UPDATE ON ZE FOR EACH ROW BEGIN DELETE FROM Z_RT_E_at WHERE Z_PK = NEW.Z_PK ; INSERT INTO Z_RT_E_at (Z_PK, ZX_MIN, ZX_MAX, ZY_MIN, ZY_MAX) VALUES (NEW.Z_PK, NEW.ZX ,NEW.ZX, NEW.ZY, NEW.ZY) ; END",
        "CREATE TRIGGER Z_RT_E_at_DELETE AFTER DELETE ON ZE FOR EACH ROW BEGIN DELETE FROM Z_RT_E_at WHERE Z_PK = OLD.Z_PK ; END",
      ]),
    Case(
      "a count without an inverse tests the owner's entity",
      (
        entity(
          "A", attribute("n", "Integer 64", "derived=\"YES\" derivationExpression=\"bs.@count\"") + toMany("bs", "B"))
          + entity("B") + entity("A2", parent: "A"), "SOURCE_INSERT"
      ),
      [
        "CREATE TRIGGER Z_DA_ZA_A_n_SOURCE_INSERT AFTER INSERT ON ZA FOR EACH ROW WHEN 1 <= NEW.Z_ENT AND NEW.Z_ENT <= 2 BEGIN UPDATE ZA SET ZN = (SELECT IFNULL(COUNT(Z1BS), 0) FROM ZB WHERE Z1BS = NEW.Z_PK) WHERE Z_PK = NEW.Z_PK; SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('ZA', Z_ENT, Z_PK, 'n', ZN) FROM ZA WHERE Z_PK = NEW.Z_PK; END"
      ]),
    Case("Core Data's own tables come last", (entity("E"), "CREATE TABLE Z_"), StoreSchema.ownTables),
  ]

  @Test(arguments: statements.indices) func sql(_ index: Int) throws {
    let c = Self.statements[index]
    let statements = try StoreSchema(model(c.input.entities)).ddl()
    #expect(statements.filter { $0.contains(c.input.word) } == c.expected, "\(c.name)")
  }

  @Test func entitiesAreNumberedDepthFirstWithoutRegardToCase() throws {
    let schema = try StoreSchema(
      model(
        ["SyncFeature", "SyncableSettings", "network", "NWActivity"].map { Self.entity($0) }.joined()
          + Self.entity("b", parent: "network") + Self.entity("A", parent: "network") + Self.entity("c", parent: "A")))
    #expect(
      schema.primaryKeyRows.map { "\($0.number) \($0.name) \($0.superNumber)" } == [
        "1 network 0", "2 A 1", "3 c 2", "4 b 1", "5 NWActivity 0", "6 SyncableSettings 0", "7 SyncFeature 0",
      ])
  }

  @Test func elementsOfCompositesAreColumns() throws {
    let element = NSAttributeDescription()
    (element.name, element.attributeType) = ("id", .stringAttributeType)
    let number = NSAttributeDescription()
    (number.name, number.attributeType) = ("at", .dateAttributeType)
    let composite = NSCompositeAttributeDescription()
    (composite.name, composite.attributeType, composite.elements) = (
      "author", .compositeAttributeType, [element, number]
    )
    let own = NSAttributeDescription()
    (own.name, own.attributeType) = ("id", .stringAttributeType)
    let entity = NSEntityDescription()
    (entity.name, entity.properties) = ("E", [own, composite])
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let schema = try StoreSchema(model)
    #expect(
      schema.tables[0].sql
        == "CREATE TABLE ZE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAT TIMESTAMP, ZID VARCHAR, ZID1 VARCHAR )"
    )
    #expect(
      ["id", "author.id", "author.at", "author"].map { schema.column(of: $0, in: entity) } == [
        "ZID1", "ZID", "ZAT", nil,
      ])

    own.attributeType = .undefinedAttributeType
    let error = try #require(throws: Diagnostic.self) { try StoreSchema(model) }
    #expect(error.message == "the attribute E.id is stored but its type is not one of a column")
    own.attributeType = .stringAttributeType
    own.name = "x); DROP"
    #expect(throws: Diagnostic.self) { try StoreSchema(model) }
  }

  static let warnings: [Case<String, [String]>] = [
    Case(
      "a derivation that is not known",
      entity(
        "E",
        attribute("l", "String", "derived=\"YES\" derivationExpression=\"lowercase:(name)\"")
          + attribute("name", "String")),
      [
        "the derivation 'lowercase:(name)' of E.l gets no trigger: how Core Data writes it is not known [store.derivation]"
      ]),
    Case(
      "a predicate that is not known",
      entity(
        "E",
        attribute("a", "String")
          + "<fetchIndex name=\"p\" partialIndexPredicate=\"a BEGINSWITH 'x'\"><fetchIndexElement property=\"a\" type=\"Binary\" order=\"descending\"/></fetchIndex>"
      ),
      ["the index p of E is left out: its predicate 'a BEGINSWITH 'x'' is not made of simple comparisons [store.index]"]
    ),
    Case(
      "two relationships of one entity",
      entity("P", toMany("followers", "P", "following") + toMany("following", "P", "followers")),
      [
        "the table of P.following and P.followers is named Z_1FOLLOWING; Core Data may name it by the other relationship, which no rule foretells [store.join-name]"
      ]),
    Case("nothing to say", entity("E", attribute("a", "String")), []),
  ]

  @Test(arguments: warnings) func warning(_ c: Case<String, [String]>) throws {
    let schema = try StoreSchema(model(c.input))
    #expect(schema.warnings.map { $0.description.split(separator: "\n").first.map(String.init) ?? "" } == c.expected)
    #expect(schema.warnings.allSatisfy { $0.code.fate == .warning })
  }

  @Test func tablesMustBeApart() throws {
    let model = try model(Self.entity("Foo") + Self.entity("FOO"))
    let error = try #require(throws: Diagnostic.self) { try StoreSchema(model) }
    #expect(error.code.name == "store.table-clash")
  }

  static let predicates: [Case<String, String?>] = [
    Case("equal", "a == 1", "ZA = 1"), Case("one sign", "a = -1.5", "ZA = -1.5"), Case("unequal", "a != 0", "ZA <> 0"),
    Case("yes", "a == YES", "ZA = 1"), Case("false", "(a = FALSE)", "ZA = 0"), Case("nil", "a == nil", "ZA IS NULL"),
    Case("not nil", "a <> NULL", "ZA IS NOT NULL"), Case("text", "a = \"it's\"", "ZA = 'it''s'"),
    Case("and", "a = 1 && b = 2 AND a < 3", "(ZA = 1 AND ZB = 2 AND ZA < 3)"),
    Case("and before or", "a = 1 or b = 2 and a > 3", "(ZA = 1 OR (ZB = 2 AND ZA > 3))"),
    Case("parentheses", "((a = 1 || b = 2)) && a <= 3", "((ZA = 1 OR ZB = 2) AND ZA <= 3)"),
    Case("unknown attribute", "c = 1", nil), Case("function", "a = lowercase(b)", nil), Case("cut short", "a =", nil),
    Case("open", "(a = 1", nil), Case("open text", "a = 'x", nil), Case("nothing", "", nil),
    Case("more", "a = 1 b", nil),
    Case("compared with nil", "a < nil", nil), Case("infinite", "a = inf", nil),
    Case("escape", "a = 'x\\'y'", "ZA = 'x''y'"),
  ]

  @Test(arguments: predicates) func partialPredicate(_ c: Case<String, String?>) {
    let tree = try? PredicateTree(format: c.input)
    #expect(tree?.indexCondition { ["a": "ZA", "b": "ZB"][$0] } == c.expected)
  }
}
