import Diagnostics
import Foundation
import ObjectModel
import TestSupport
import Testing
import Values

@testable import Conversion

@Suite struct KindConversionTests {
  private func row(
    _ attributes: [NSAttributeDescription], _ column: String, _ field: Field, map: String = "{}", _ json: String = "{}"
  ) throws -> Row {
    let converter = try RecordConverter(
      entity: entity("T", attributes), columns: [column], mappings: mappings(map), options: options(json), file: "t.csv"
    )
    return converter.rows([[field]])[0]
  }

  // MARK: What the model says

  @Test func theModelsOptions() throws {
    let made = attribute(
      "made", .dateAttributeType, userInfo: ["dateFormat": "dd.MM.yyyy", "mappedKeyName": "made on"])
    let expected = Row.values(["made": .date(Date(timeIntervalSinceReferenceDate: 736_214_400))])
    #expect(try row([made], "made on", "01.05.2024") == expected)
    // A step's option is for what the model leaves open, a mapping's wins.
    #expect(try row([made], "made on", "01.05.2024", #"{"date": "yyyy"}"#) == expected)
    #expect(
      try row([made], "made on", "2024-05-01", map: #"{"made": {"column": "made on", "date": "iso8601"}}"#) == expected)
    let unix = attribute("made", .dateAttributeType, userInfo: ["dateFormat": "UnixTime"])
    #expect(try row([unix], "made", "978307200") == .values(["made": .date(Date(timeIntervalSinceReferenceDate: 0))]))
  }

  static let names: [Case<String, String>] = [
    Case("importName", "importName", "first"), Case("mappedKeyName", "mappedKeyName", "FIRST"),
    Case("another", "mappedKeyName.3", "first_"),
  ]

  @Test(arguments: names) func namesOfColumns(_ c: Case<String, String>) throws {
    let name = attribute("name", userInfo: [c.input: "First"])
    #expect(try row([name], c.expected, "Ada") == .values(["name": .string("Ada")]))
  }

  @Test func kindsOfStoredAttributes() throws {
    let style = attribute(
      "style", .integer16AttributeType, userInfo: ["kind": "optionSet", "cases": "bold=1,italic=2", "unknown": "bold"])
    #expect(try row([style], "style", "bold|italic") == .values(["style": .integer(3)]))
    #expect(try row([style], "style", "other") == .values(["style": .integer(1)]))
    let width = attribute("width", .doubleAttributeType, userInfo: ["kind": "measurement", "storedUnit": "cm"])
    #expect(try row([width], "width", "1 in") == .values(["width": .real(2.54)]))
    let tint = attribute("tint", userInfo: ["kind": "color", "hexAlpha": "first"])
    #expect(try row([tint], "tint", "#80ff0000") == .values(["tint": .string("#80ff0000")]))
    let plain = attribute("width", .doubleAttributeType, userInfo: ["storedUnit": "cm"])
    #expect(try row([plain], "width", "1.5") == .values(["width": .real(1.5)]))
  }

  @Test func transformables() throws {
    let info = attribute("info", .transformableAttributeType, userInfo: ["kind": "json"])
    info.valueTransformerName = "NSSecureUnarchiveFromData"
    guard case .values(let values) = try row([info], "info", #"{"a": [1]}"#), let value = values["info"] else {
      return #expect(Bool(false))
    }
    #expect(value.shown() == #"{"a":[1]}"#)
    // A transformer of the app's own makes bytes that nobody else knows.
    info.valueTransformerName = "FadeTransformer"
    let error = #expect(throws: Diagnostic.self) { try row([info], "info", "{}") }
    #expect(
      error?.message
        == "the columns do not fit T: the attribute info: form: no value transformer is registered by the name \"FadeTransformer\""
    )
    #expect(throws: Never.self) { try row([info], "info", "{}", map: #"{"info": {"form": "archive"}}"#) }
  }

  // MARK: Standard values

  static let standard: [Case<(NSAttributeType, String, Field), Row>] = [
    Case(
      "loss", (.decimalAttributeType, #"{"decimalLoss": "accept"}"#, "12345678901234567.89"),
      .values(["a": .decimal(12_345_678_901_234_568)])),
    Case(
      "no loss", (.decimalAttributeType, #"{"decimalLoss": "accept"}"#, "0.1"),
      .values(["a": .decimal(Decimal(sign: .plus, exponent: -1, significand: 1))])),
    Case("as written", (.stringAttributeType, "{}", "cafe\u{301}"), .values(["a": .string("cafe\u{301}")])),
    Case("empty", (.stringAttributeType, "{}", ""), .values(["a": .null])),
    Case("quoted empty", (.stringAttributeType, "{}", .quoted("")), .values(["a": .string("")])),
    Case("empty is a text", (.stringAttributeType, #"{"empty": "text"}"#, ""), .values(["a": .string("")])),
    Case("absent is none", (.stringAttributeType, #"{"empty": "text"}"#, .absent), .values(["a": .null])),
    Case("empty is null", (.stringAttributeType, #"{"empty": "null"}"#, .quoted("")), .values(["a": .null])),
    Case("no empty number", (.integer16AttributeType, #"{"empty": "text"}"#, ""), .values(["a": .null])),
    Case(
      "time of day", (.dateAttributeType, #"{"date": "HH:mm"}"#, "07:05"),
      .values(["a": .date(Date(timeIntervalSinceReferenceDate: 25_500))])),
    Case(
      "milliseconds since 2001", (.dateAttributeType, #"{"date": "referenceMilliseconds"}"#, "1500"),
      .values(["a": .date(Date(timeIntervalSinceReferenceDate: 1.5))])),
  ]

  @Test(arguments: standard) func standardValue(_ c: Case<(NSAttributeType, String, Field), Row>) throws {
    #expect(try row([attribute("a", c.input.0)], "a", c.input.2, c.input.1) == c.expected)
  }

  @Test func normalisation() throws {
    let converter = try RecordConverter(
      entity: entity("T", [attribute("a")]), columns: ["a"], options: options(#"{"nfc": true}"#), file: "t.csv")
    guard case .values(let values) = converter.rows([["cafe\u{301}"]])[0], case .string(let text)? = values["a"] else {
      return #expect(Bool(false))
    }
    #expect(Array(text.utf8) == Array("caf\u{E9}".utf8))
  }
}
