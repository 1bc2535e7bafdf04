import Bytes
import Diagnostics
import Foundation
import TestSupport
import Testing
import Values

@testable import ObjectModel

@Suite struct ValidationTests {
  struct Input: Sendable {
    var keys: String
    var value: Value
  }

  private static func input(_ keys: String, _ value: Value) -> Input { Input(keys: keys, value: value) }
  private static func date(_ seconds: Double) -> Value { .date(Date(timeIntervalSinceReferenceDate: seconds)) }
  private static let dates =
    #"optional="YES" attributeType="Date" minDateTimeInterval="0" maxDateTimeInterval="86400""#
  private static let word = #"optional="YES" attributeType="String" regularExpressionString="a|ab""#

  static let rules: [Case<Input, String?>] = [
    Case("optional", input(#"optional="YES" attributeType="String""#, .null), nil),
    Case(
      "required", input(#"attributeType="String""#, .null), "t:4: E.a is required, found no value [validation.required]"
    ),
    Case("required, empty", input(#"attributeType="String""#, .string("")), nil),
    Case("Integer 16", input(#"attributeType="Integer 16""#, .integer(-32768)), nil),
    Case(
      "Integer 16, too large", input(#"attributeType="Integer 16""#, .integer(32768)),
      "t:4: E.a is at most 32767, found 32768 [validation.too-large]"),
    Case(
      "Integer 16, too small", input(#"attributeType="Integer 16""#, .integer(-32769)),
      "t:4: E.a is at least -32768, found -32769 [validation.too-small]"),
    Case(
      "Integer 32, too large", input(#"attributeType="Integer 32""#, .integer(2_147_483_648)),
      "t:4: E.a is at most 2147483647, found 2147483648 [validation.too-large]"),
    Case("Integer 64", input(#"attributeType="Integer 64""#, .integer(.min)), nil),
    Case(
      "limit", input(#"attributeType="Integer 64" maxValueString="9007199254740993""#, .integer(9_007_199_254_740_994)),
      "t:4: E.a is at most 9007199254740993, found 9007199254740994 [validation.too-large]"),
    Case(
      "limit beyond the type", input(#"attributeType="Integer 16" maxValueString="99999""#, .integer(40000)),
      "t:4: E.a is at most 32767, found 40000 [validation.too-large]"),
    Case("real", input(#"attributeType="Double" minValueString="0.5""#, .real(0.5)), nil),
    Case(
      "real, too small", input(#"attributeType="Double" minValueString="0.5""#, .real(0.25)),
      "t:4: E.a is at least 0.5, found 0.25 [validation.too-small]"),
    Case(
      "no number", input(#"optional="YES" attributeType="Double""#, .real(.nan)),
      "t:4: E.a takes a Double, found nan [validation.value]"),
    Case(
      "Float, too large", input(#"attributeType="Float""#, .real(1e39)),
      "t:4: E.a is at most 340282346638528860000000000000000000000, found "
        + "1000000000000000000000000000000000000000 [validation.too-large]"),
    Case(
      "decimal", input(#"attributeType="Decimal" maxValueString="4.5""#, .decimal(Decimal(string: "4.51") ?? 0)),
      "t:4: E.a is at most 4.5, found 4.51 [validation.too-large]"),
    Case("date", input(dates, date(86400)), nil),
    Case(
      "date too late", input(dates, date(86401)),
      "t:4: E.a is at the latest 2001-01-02T00:00:00Z, found 2001-01-02T00:00:01Z [validation.too-late]"),
    Case(
      "date too soon", input(dates, date(-1)),
      "t:4: E.a is at the earliest 2001-01-01T00:00:00Z, found 2000-12-31T23:59:59Z [validation.too-soon]"),
    Case(
      "no date", input(dates, date(.nan)), "t:4: E.a is a date, found nan [validation.date]"),
    Case("length in UTF-16", input(#"attributeType="String" maxValueString="3""#, .string("é🙂")), nil),
    Case(
      "too long", input(#"attributeType="String" maxValueString="3""#, .string("é🙂x")),
      "t:4: E.a has at most 3 characters, found 4: é🙂x [validation.too-long]"),
    Case(
      "too short", input(#"attributeType="String" minValueString="3""#, .string("ab")),
      "t:4: E.a has at least 3 characters, found 2: ab [validation.too-short]"),
    Case("pattern", input(word, .string("ab")), nil),
    Case(
      "pattern of the whole", input(word, .string("abc")), "t:4: E.a matches a|ab, found abc [validation.pattern]"),
    Case("pattern and nothing", input(word, .null), nil),
    Case("derived", input(#"attributeType="String" derived="YES" derivationExpression="b""#, .null), nil),
  ]

  /// A value of an object and a row of columns must be judged alike.
  @Test(arguments: rules) func rule(_ c: Case<Input, String?>) throws {
    let model = try model("<entity name=\"E\"><attribute name=\"a\" \(c.input.keys)/></entity>")
    let entity = model.entities[0]
    let place = SourcePosition(file: "t", line: 4)
    #expect(entity.validate(c.input.value, at: 0).map { $0.diagnostic(at: place).line } == c.expected)
    let columns = AttributeColumns(entity: entity, places: [0])
    columns.append(c.input.value, column: 0)
    columns.endRow(record: 0)
    #expect(columns.validate(row: 0).map { $0.diagnostic(at: place).line } == c.expected)
  }

  @Test func anotherKindOfValue() throws {
    let model = try model(#"<entity name="E"><attribute name="a" attributeType="Integer 16"/></entity>"#)
    let error = model.entities[0].validate(.string("1"), at: 0)
    #expect(error?.errorCode == 1550)
    #expect(error?.limit == "Integer 16")
  }

  @Test func theFirstFaultOfARow() throws {
    let model = try model(
      """
      <entity name="E"><attribute name="a" optional="YES" attributeType="String"/>
        <attribute name="b" attributeType="String"/><attribute name="c" attributeType="Integer 16"/></entity>
      """)
    let columns = AttributeColumns(entity: model.entities[0], places: [2, 1, 0])
    for row: [Value] in [[.integer(1), .string("x"), .null], [.integer(70000), .null, .null], [.null, .null, .null]] {
      for (column, value) in row.enumerated() { columns.append(value, column: column) }
      columns.endRow(record: 0)
    }
    #expect(columns.validate(row: 0) == nil)
    #expect(columns.validate(row: 1)?.errorCode == 1610)
    #expect(columns.validate(row: 2)?.errorCode == 1570)
    #expect(columns.validate(row: 2)?.property == "c")
  }

  /// A composite that is nil has no value in any of its places: `at` may be, `home` may not, nor may a place without its point.
  static let composites: [Case<[String: Value], [String]>] = [
    Case("optional and nil", ["home.town": .string("Oslo")], []),
    Case("all elements", ["home.town": .string("Oslo"), "at.town": .string("Rome")], []),
    Case("optional without a required element", ["home.town": .string("Oslo"), "at.zone": .string("x")], ["at.town"]),
    Case("required and nil", [:], ["home.town"]),
    Case("required without its element", ["home.zone": .string("x")], ["home.town"]),
    Case(
      "inner without a required element",
      ["home.town": .string("Oslo"), "at.town": .string("Rome"), "at.point.x": .real(1)],
      ["at.point.y"]),
    Case(
      "outer without a required element, by its inner one",
      ["home.town": .string("Oslo"), "at.point.x": .real(1), "at.point.y": .real(1)], ["at.town"]),
  ]
  @Test(arguments: composites) func composite(_ c: Case<[String: Value], [String]>) {
    func leaf(_ name: String, _ type: NSAttributeType, isOptional: Bool) -> NSAttributeDescription {
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, isOptional)
      return attribute
    }
    func composite(_ name: String, isOptional: Bool, _ elements: [NSAttributeDescription]) -> NSAttributeDescription {
      let composite = NSCompositeAttributeDescription()
      (composite.name, composite.attributeType, composite.isOptional) = (name, .compositeAttributeType, isOptional)
      composite.elements = elements
      return composite
    }
    func place(_ name: String, isOptional: Bool) -> NSAttributeDescription {
      let point = composite(
        "point", isOptional: true, ["x", "y"].map { leaf($0, .doubleAttributeType, isOptional: false) })
      let (town, zone) = (
        leaf("town", .stringAttributeType, isOptional: false), leaf("zone", .stringAttributeType, isOptional: true)
      )
      return composite(name, isOptional: isOptional, [town, point, zone])
    }
    let entity = NSEntityDescription()
    (entity.name, entity.properties) = ("E", [place("at", isOptional: true), place("home", isOptional: false)])
    let model = NSManagedObjectModel()
    model.entities = [entity]
    withExtendedLifetime(model) {
      let values = entity.layout.attributes.map { c.input[$0.path] ?? .null }
      #expect(entity.validate(values).map(\.property) == c.expected)
      let columns = AttributeColumns(entity: entity, places: Array(values.indices))
      for (column, value) in values.enumerated() { columns.append(value, column: column) }
      columns.endRow(record: 0)
      #expect(columns.validate(row: 0)?.property == c.expected.first)
    }
  }

  static let counts: [Case<(keys: String, count: Int), Int?>] = [
    Case("to-one", (#"maxCount="1""#, 1), nil), Case("to-one, none", (#"maxCount="1""#, 0), 1570),
    Case("optional", (#"optional="YES" minCount="1" maxCount="1""#, 0), nil),
    Case("to-many, none", (#"toMany="YES" minCount="1""#, 0), 1580),
    Case("to-many that needs none, none", (#"toMany="YES""#, 0), nil), Case("to-many", (#"toMany="YES""#, 1000), nil),
    Case("optional to-many, none", (#"optional="YES" toMany="YES" minCount="3""#, 0), nil),
    Case("too few", (#"optional="YES" toMany="YES" minCount="3""#, 2), 1580),
    Case("too many", (#"toMany="YES" maxCount="9""#, 10), 1590),
    Case("as many", (#"toMany="YES" maxCount="9""#, 9), nil),
  ]
  @Test(arguments: counts) func relationship(_ c: Case<(keys: String, count: Int), Int?>) throws {
    let model = try model(
      "<entity name=\"E\"><relationship name=\"r\" destinationEntity=\"E\" \(c.input.keys)/></entity>")
    let relationship = try #require(model.entities[0].relationshipsByName["r"])
    #expect(relationship.validate(count: c.input.count, of: model.entities[0])?.errorCode == c.expected)
  }

  static let relationshipTexts = [
    Case(
      ValidationError.Code.relationshipLacksMinimumCount, "E.r needs at least 2 objects, found 1 [validation.too-few]"),
    Case(.relationshipExceedsMaximumCount, "E.r takes at most 2 objects, found 1 [validation.too-many]"),
    Case(.relationshipDeniedDelete, "E.r still has 1 object, which forbids the deletion [validation.denied-delete]"),
  ]
  @Test(arguments: relationshipTexts) func text(_ c: Case<ValidationError.Code, String>) {
    let error = ValidationError(c.input, entity: "E", property: "r", value: "1", limit: "2")
    #expect(error.diagnostic().line == c.expected)
  }

  @Test func textOfOne() {
    let error = ValidationError(.relationshipLacksMinimumCount, entity: "E", property: "r", value: "0", limit: "1")
    #expect(error.description == "E.r needs at least 1 object, found 0")
  }
}

extension Case {
  fileprivate init(_ input: Input, _ expected: Expected) { self.init("\(input)", input, expected) }
}
