import Diagnostics
import ObjectModel
import TestSupport
import Testing
import Values

@testable import Conversion

struct FieldConverterTests {
  private static func strings(_ texts: String...) -> [Value] { texts.map { .string($0) } }

  static let lists: [Case<Field, [Value]>] = [
    Case("two", "red;blue", strings("red", "blue")),
    Case("blanks and a trailing separator", "red; blue;", strings("red", "blue")),
    Case("empty", "", []),
    Case("quoted empty", .quoted(""), []),
    Case("absent", .absent, []),
    Case("separators alone", ";; ;", []),
    Case("escaped separator", "semi\\;colon", strings("semi;colon")),
    Case("escaped backslash", "a\\\\;b", strings("a\\", "b")),
    Case("other backslash", "a\\b;c\\", strings("a\\b", "c\\")),
    Case("one", "red", strings("red")),
    Case("order and repetition", "b;a;b", strings("b", "a", "b")),
    Case(
      "repeated elements", .repeated(["red", " blue ", "semi;colon", "", "back\\slash"]),
      strings("red", "blue", "semi;colon", "back\\slash")),
  ]

  @Test(arguments: lists) func list(_ c: Case<Field, [Value]>) throws {
    let converter = try FieldConverter(
      entity: entity("Tag", [attribute("name")]), attribute: "name", column: "tags", field: 1)
    #expect(try converter.values(chunk([["1", c.input]]), 0, separator: ";") == c.expected)
  }

  @Test func separatorsOfSeveralCharactersAndNone() throws {
    let converter = try FieldConverter(
      entity: entity("Tag", [attribute("name")]), attribute: "name", column: "tags", field: 0)
    #expect(try converter.values(chunk([["a, b :: c\\::d"]]), 0, separator: "::") == Self.strings("a, b", "c::d"))
    #expect(try converter.values(chunk([[" a;b\\;c "]]), 0, separator: nil) == Self.strings("a;b\\;c"))
  }

  @Test func itemsAreValuesOfTheAttribute() throws {
    let converter = try FieldConverter(
      entity: entity("Tag", [attribute("id", .integer16AttributeType)]), attribute: "id", column: "tags", field: 0,
      options: options(#"{"nulls": ["-"]}"#), file: "t.csv")
    #expect(try converter.values(chunk([["1;-;02"]]), 0, separator: ";") == [.integer(1), .integer(2)])
    let error = #expect(throws: Diagnostic.self) { try converter.values(chunk([["1;x"]]), 0, separator: ";") }
    #expect(
      error?.line == "t.csv:2:1: column tags: expected a whole number for Tag.id, found \"x\" [convert.number]")
    #expect(try converter.value(chunk([["-"]]), 0) == .null)
  }

  @Test func unknownAttribute() {
    let error = #expect(throws: Diagnostic.self) {
      try FieldConverter(entity: entity("Tag", [attribute("name")]), attribute: "nam", column: "tags", field: 0)
    }
    #expect(error?.description == "Tag has no attribute nam [convert.columns]\n  Did you mean the attribute name?")
  }
}
