import Diagnostics
import Foundation
import KeyedArchives
import TestSupport
import Testing
import Values

@testable import ObjectModel

/// Compiled models made by hand.
@Suite struct CompiledModelTests {
  private func read(_ model: Archived, sharing: [String: Archived] = [:]) throws -> NSManagedObjectModel {
    try NSManagedObjectModel(archive: model.archive(sharing: sharing), file: "M.mom")
  }

  @Test func aModelAsItsSource() throws {
    let compiled = try read(
      .model(
        [
          ("Being", .shared("Being")), ("Person", .shared("Person")),
        ],
        [
          ("NSVersionIdentifiers", .object("NSSet", [("NS.objects", .list([]))])),
          ("NSConfigurations", .map([("Local", .list([.shared("Person")]))])),
        ]),
      sharing: [
        "Being": .entity(
          "Being", [("name", .attribute("name", 700, [("NSIsOptional", .flag(true))]))], [("NSIsAbstract", .flag(true))]
        ),
        "Person": .entity(
          "Person",
          [
            ("name", .attribute("name", 700, [("NSIsOptional", .flag(true))])),
            ("age", .attribute("age", 100, [("NSRenamingIdentifier", .text("years"))])),
            ("friends", .relationship("friends", to: "Person", inverse: "friends", max: 0)),
            ("photo", .attribute("photo", 1000, [("NSFlagsKey", .integer(20))])),
          ],
          [
            ("NSSuperentity", .shared("Being")), ("NSUniqueTuples", .list([.list([.text("age")])])),
            ("NSClassNameForEntity", .text("Person")),
          ]),
      ])
    let source = try model(
      """
      <entity name="Being" isAbstract="YES"><attribute name="name" optional="YES" attributeType="String"/></entity>
      <entity name="Person" parentEntity="Being" representedClassName="Person">
        <attribute name="age" attributeType="Integer 16" elementID="years"/>
        <attribute name="photo" attributeType="Binary" allowsExternalBinaryDataStorage="YES" preserveAfterDeletion="YES"/>
        <relationship name="friends" toMany="YES" destinationEntity="Person" inverseName="friends"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="age"/></uniquenessConstraint>
        </uniquenessConstraints></entity>
      """)
    #expect(compiled.entityVersionHashesByName == source.entityVersionHashesByName)
    let person = try #require(compiled.entitiesByName["Person"])
    // What is inherited is not declared again.
    #expect(person.ownProperties.map(\.name) == ["age", "friends", "photo"])
    #expect(person.superentity?.name == "Being")
    #expect(person.propertiesByName["age"]?.renamingIdentifier == "years")
    #expect(compiled.configurationEntityNames == ["Local": ["Person"]])
    #expect(compiled.warnings.map(\.description) == [])
    #expect(compiled.archive != nil)
    compiled.entities = []
    #expect(compiled.archive == nil)
  }

  // MARK: Values

  static let defaults: [Case<(type: Int64, value: Archived), Value?>] = [
    Case("a number", (100, .integer(7)), .integer(7)), Case("beyond the type", (100, .integer(70_000)), nil),
    Case("a boolean by its number", (800, .integer(1)), .boolean(true)), Case("a real", (500, .real(0.5)), .real(0.5)),
    Case("a real by an integer", (600, .integer(2)), .real(2)), Case("not a number", (500, .real(.nan)), nil),
    Case("a text", (700, .text("x")), .string("x")),
    Case("a changeable text", (700, .object("NSMutableString", [("NS.string", .text("x"))])), .string("x")),
    Case("a text of another type", (100, .text("x")), nil),
    Case("a date", (900, .object("NSDate", [("NS.time", .real(60))])), .date(Date(timeIntervalSinceReferenceDate: 60))),
    Case("a date that never is", (900, .object("NSDate", [("NS.time", .real(.infinity))])), nil),
    Case(
      "a decimal",
      (
        400,
        .object(
          "NSDecimalNumberPlaceholder",
          [
            ("NS.mantissa", .data(Data([0x39, 0x30, 0, 0]))), ("NS.mantissa.bo", .integer(1)),
            ("NS.length", .integer(1)),
            ("NS.exponent", .integer(-2)), ("NS.negative", .flag(true)),
          ])
      ), .decimal(Decimal(string: "-123.45") ?? 0)),
    Case("a decimal cut short", (400, .object("NSDecimalNumberPlaceholder", [("NS.length", .integer(8))])), nil),
    Case("bytes", (1000, .data(Data([1, 2]))), .data(Data([1, 2]))),
    Case("an object of an app's own class", (1800, .object("Cover", [])), nil),
  ]
  @Test(arguments: defaults) func theDefault(_ c: Case<(type: Int64, value: Archived), Value?>) throws {
    let attribute = Archived.attribute("a", c.input.type, [("NSDefaultValue", c.input.value)])
    let model = try read(.model([("E", .entity("E", [("a", attribute)]))]))
    let read = try #require(model.entities.first?.propertiesByName["a"] as? NSAttributeDescription)
    #expect(read.defaultValue == c.expected ?? .null)
    #expect(model.warnings.map(\.code) == (c.expected == nil ? [.modelArchiveLoss] : []))
  }

  static let limits: [Case<(type: Int64, predicates: [Archived]), String>] = [
    Case(
      "numbers", (100, [.comparison(.this, 3, .constant(.integer(1))), .comparison(.this, 1, .constant(.integer(8)))]),
      "integer(1) integer(8) none 0"),
    Case(
      "lengths together",
      (
        700,
        [
          .compound(
            1, .comparison(.path("length"), 3, .constant(.integer(3))),
            .comparison(.path("length"), 1, .constant(.integer(5))))
        ]
      ), "integer(3) integer(5) none 0"),
    Case("a pattern", (700, [.comparison(.this, 6, .constant(.text("[a-z]+")))]), "null null [a-z]+ 0"),
    Case("no pattern", (700, [.comparison(.this, 6, .constant(.text("a)(b[")))]), "null null none 1"),
    Case("another rule", (700, [.comparison(.this, 99, .constant(.text("x")))]), "null null none 1"),
    Case("no rule at all", (700, [.object("NSObject", [])]), "null null none 1"),
  ]
  @Test(arguments: limits) func theLimits(_ c: Case<(type: Int64, predicates: [Archived]), String>) throws {
    let attribute = Archived.attribute("a", c.input.type, [("NSValidationPredicates", .list(c.input.predicates))])
    let model = try read(.model([("E", .entity("E", [("a", attribute)]))]))
    let limits = try #require(model.entities.first?.propertiesByName["a"] as? NSAttributeDescription).limits
    let text = "\(limits.minimum) \(limits.maximum) \(limits.regularExpression ?? "none") \(model.warnings.count)"
    #expect(text == c.expected)
  }

  // MARK: Texts of expressions and predicates

  static let expressions: [Case<Archived, String?>] = [
    Case("a key path", .path("a.b"), "a.b"), Case("itself", .this, "SELF"),
    Case("a count", .function("count:", .path("pages")), "pages.@count"),
    Case("a sum", .function("sum:", .path("a.b")), "a.b.@sum"), Case("now", .function("now"), "now()"),
    Case("a function", .function("canonical:", .path("name")), "canonical:(name)"),
    Case(
      "arithmetic", .function("multiply:by:", .function("add:to:", .path("a"), .path("b")), .path("c")), "(a + b) * c"),
    Case(
      "from the left", .function("from:subtract:", .path("a"), .function("from:subtract:", .path("b"), .path("c"))),
      "a - (b - c)"),
    Case("a variable", .path("x", of: .object("NSVariableExpression", [("NSVariable", .text("S"))])), "$S.x"),
    Case("no expression", .object("NSBlockExpression", []), nil),
    Case("a path of nothing", .object("NSKeyPathExpression", []), nil),
  ]
  @Test(arguments: expressions) func expression(_ c: Case<Archived, String?>) throws {
    let node = try #require(try KeyedArchive(c.input.archive()).rootNode)
    #expect(ArchivedFormat.expression(node) == c.expected)
  }

  static let predicates: [Case<Archived, String?>] = [
    Case("a number", .comparison(.path("a"), 5, .constant(.integer(0))), "a != 0"),
    Case("nothing", .comparison(.path("a"), 4, .constant(nil)), "a == nil"),
    Case("a text", .comparison(.path("a"), 99, .constant(.text("x\"y")), options: 3), "a CONTAINS[cd] \"x\\\"y\""),
    Case(
      "any", .comparison(.path("a.b"), 10, .constant(.list([.integer(1), .text("x")])), modifier: 2),
      "ANY a.b IN {1, \"x\"}"),
    Case(
      "together",
      .compound(
        1, .comparison(.path("a"), 4, .constant(.flag(true))),
        .compound(
          2, .comparison(.path("b"), 2, .constant(.real(0.5))), .comparison(.path("c"), 3, .constant(.integer(3))))),
      "a == 1 AND (b > 0.5 OR c >= 3)"),
    Case("not", .compound(0, .comparison(.path("a"), 4, .path("b"))), "NOT a == b"),
    Case("true", .object("NSTruePredicate", []), "TRUEPREDICATE"),
    Case("an operator of one's own", .comparison(.path("a"), 11, .path("b")), nil),
    Case("nothing together", .compound(1), nil),
  ]
  @Test(arguments: predicates) func predicate(_ c: Case<Archived, String?>) throws {
    let node = try #require(try KeyedArchive(c.input.archive()).rootNode)
    #expect(ArchivedFormat.predicate(node) == c.expected)
  }

  // MARK: What cannot be read

  static let errors: [Case<Archived, String>] = [
    Case(
      "another class", .object("NSColor", []),
      "expected an archive of NSManagedObjectModel, found one of NSColor [model.archive]"),
    Case("a text", .text("x"), "expected an archive of NSManagedObjectModel, found a plain value [model.archive]"),
    Case(
      "no entities", .object("NSManagedObjectModel", []),
      "the compiled model is damaged: the model has no NSEntities that can be read [model.archive]"),
    Case(
      "no type",
      .model([("E", .entity("E", [("a", .object("NSAttributeDescription", [("NSPropertyName", .text("a"))]))]))]),
      "the compiled model is damaged: E.a has no NSAttributeType that can be read [model.archive]"),
    Case(
      "a type of a newer system", .model([("E", .entity("E", [("a", .attribute("a", 2300))]))]),
      "E.a has the type of attribute 2300, which is not known [model.type]"),
    Case(
      "a kind of property of a newer system",
      .model([("E", .entity("E", [("a", .object("NSNewDescription", [("NSPropertyName", .text("a"))]))]))]),
      "E.a is of the class NSNewDescription, which is no kind of property [model.type]"),
    Case(
      "no such destination", .model([("E", .entity("E", [("r", .relationship("r", to: "X"))]))]),
      "the compiled model is damaged: E.r has X as its destination, which is not there [model.reference]"),
    Case(
      "no such inverse", .model([("E", .entity("E", [("r", .relationship("r", to: "E", inverse: "q"))]))]),
      "the compiled model is damaged: E.r has q as its inverse, which is not there [model.reference]"),
    Case(
      "an inverse that leads elsewhere",
      .model([
        (
          "E",
          .entity(
            "E", [("r", .relationship("r", to: "E", inverse: "q")), ("q", .relationship("q", to: "E", inverse: "q"))])
        )
      ]), "the inverse of E.r is E.q, which does not lead back [model.inverse]"),
    Case(
      "no such parent", .model([("E", .entity("E", [], [("NSSuperentity", .text("P"))]))]),
      "the compiled model is damaged: entity E has P as its parent, which is not there [model.reference]"),
    Case(
      "its own parent", .model([("E", .entity("E", [], [("NSSuperentity", .text("E"))]))]),
      "the compiled model is damaged: E inherits from itself, or over more than 100 entities [model.cycle]"),
    Case(
      "an entity twice", .model([("E", .entity("E")), ("F", .entity("E"))]),
      "the compiled model is damaged: it has entity E twice [model.duplicate]"),
    Case(
      "a property twice", .model([("E", .entity("E", [("a", .attribute("a", 100)), ("b", .attribute("a", 200))]))]),
      "the compiled model is damaged: it has E.a twice [model.duplicate]"),
    Case(
      "a derivation that has no text",
      .model([
        (
          "E",
          .entity(
            "E",
            [
              (
                "a",
                .object(
                  "NSDerivedAttributeDescription",
                  [
                    ("NSPropertyName", .text("a")), ("NSAttributeType", .integer(100)),
                    ("NSDerivationExpression", .object("NSBlockExpression", [])),
                  ])
              )
            ])
        )
      ]), "the derivation of E.a, on which its version hash depends, is of a form that is not known [model.archive]"),
  ]
  @Test(arguments: errors) func cannotBeRead(_ c: Case<Archived, String>) throws {
    let error = #expect(throws: Diagnostic.self) { try read(c.input) }
    let lines = "\(error?.description ?? "")".split(separator: "\n").map(String.init)
    #expect(lines.first == "M.mom: " + c.expected)
    #expect(error?.code.fate == .store)
  }

  /// A composite whose elements are itself, and one that unfolds to very many.
  @Test func whatUnfoldsWithoutEnd() throws {
    func composite(_ elements: [Archived]) -> Archived {
      .object(
        "NSCompositeAttributeDescription",
        [
          ("NSPropertyName", .text("c")), ("NSAttributeType", .integer(2100)), ("NSCompositeElements", .list(elements)),
        ])
    }
    let model = Archived.model([("E", .entity("E", [("c", .shared("c"))]))])
    let itself = #expect(throws: Diagnostic.self) { try read(model, sharing: ["c": composite([.shared("c")])]) }
    #expect(itself?.message == "the compiled model is damaged: it unfolds to too many objects")

    // A predicate each of whose parts is twice the next.
    var sharing: [String: Archived] = ["p30": .comparison(.path("a"), 4, .constant(.integer(1)))]
    for depth in 0..<30 { sharing["p\(depth)"] = .compound(1, .shared("p\(depth + 1)"), .shared("p\(depth + 1)")) }
    let index = Archived.object(
      "NSFetchIndexDescription",
      [
        ("NSIndexName", .text("i")), ("NSIndexElements", .list([])), ("NSPartialIndexPredicate", .shared("p0")),
      ])
    let wide = try read(
      .model([("E", .entity("E", [], [("NSFetchIndexDescriptions", .list([index]))]))]), sharing: sharing)
    #expect(wide.entities.first?.indexes == [])
    #expect(
      wide.warnings.map(\.message) == [
        "the predicate of the index i of E is of a form that is not known; it is left out"
      ])
  }

  /// Whatever bytes are changed, cut or put in another's place: a model or a message, soon.
  @Test func damagedArchives() throws {
    let attributes: [(String, Archived)] = (0..<8).map { index in
      (
        "a\(index)",
        .attribute(
          "a\(index)", [100, 400, 700, 900, 1000, 1800, 500, 800][index],
          [("NSValidationPredicates", .list([.comparison(.this, 3, .constant(.integer(1)))]))])
      )
    }
    let whole = Archived.model(
      [
        ("A", .shared("A")),
        ("B", .entity("B", [("r", .relationship("r", to: "A"))], [("NSSuperentity", .shared("A"))])),
      ]
    ).archive(sharing: ["A": .entity("A", attributes)])
    var random = SeededGenerator(seed: 7)
    var read = 0
    for _ in 0..<500 {
      var bytes = whole
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
      case 1:
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
      default:
        let (from, to) = (
          Int.random(in: 0..<bytes.count, using: &random), Int.random(in: 0..<bytes.count, using: &random)
        )
        bytes[to] = bytes[from]
      }
      do {
        let model = try NSManagedObjectModel(archive: bytes, file: "M.mom")
        _ = model.entityVersionHashesByName
        read += 1
      } catch {
        #expect(error.code.fate == .store)
      }
    }
    #expect(read > 50)
  }
}
