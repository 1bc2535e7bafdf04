import Bytes
import Diagnostics
import Foundation
import ObjectModel
import Records
import TestSupport
import Testing
import Values

@testable import Conversion

struct RecordConverterTests {
  // MARK: Types

  /// One attribute of a type, one field, and what the row holds.
  struct Input: Sendable {
    var type: NSAttributeType
    var field: Field
    var options = "{}"
  }

  private static func value(
    _ type: NSAttributeType, _ field: Field, _ value: Value, options: String = "{}"
  ) -> Case<Input, Row> {
    Case("\(type) \(field)", Input(type: type, field: field, options: options), .values(["a": value]))
  }

  private static func refused(
    _ type: NSAttributeType, _ field: Field, _ message: String, options: String = "{}"
  ) -> Case<Input, Row> {
    Case("\(type) \(field)", Input(type: type, field: field, options: options), .refused("t.csv:2:1: \(message)"))
  }

  private static let example = URL(string: "https://example.org/?a=b") ?? URL(fileURLWithPath: "/")

  static let types: [Case<Input, Row>] = [
    value(.stringAttributeType, "00501", .string("00501")), value(.stringAttributeType, "NULL", .string("NULL")),
    value(.stringAttributeType, " a ", .string(" a ")),
    value(.stringAttributeType, " a\t", .string("a"), options: #"{"trim": true}"#),
    value(.stringAttributeType, .quoted("00501"), .string("00501")),
    value(.integer16AttributeType, "-32768", .integer(-32768)),
    value(.integer64AttributeType, "9223372036854775807", .integer(.max)),
    value(.integer32AttributeType, .quoted("7"), .integer(7)),
    value(.integer32AttributeType, " 7 ", .integer(7), options: #"{"trim": true}"#),
    value(.doubleAttributeType, "0.1", .real(0.1)),
    value(.doubleAttributeType, "1.234,5", .real(1234.5), options: #"{"decimalSign": ",", "groupingSign": "."}"#),
    value(.doubleAttributeType, "inf", .real(.infinity), options: #"{"nonFinite": true}"#),
    value(.floatAttributeType, "0.1", .real(0.1)),
    value(.decimalAttributeType, "1123.563", .decimal(Decimal(string: "1123.563") ?? 0)),
    value(.booleanAttributeType, "Yes", .boolean(true)),
    value(.booleanAttributeType, "nein", .boolean(false), options: #"{"true": ["ja"], "false": ["nein"]}"#),
    value(
      .dateAttributeType, "2018-02-13T12:08:54.839216Z", .date(Date(timeIntervalSinceReferenceDate: 540216534.839216))),
    value(
      .dateAttributeType, "31/12/2000", .date(Date(timeIntervalSinceReferenceDate: -86_400)),
      options: #"{"date": "dd/MM/yyyy"}"#),
    value(
      .UUIDAttributeType, "0b3e2f6a-9c1d-4e8f-a1b2-c3d4e5f60718",
      .uuid(UUID(uuidString: "0B3E2F6A-9C1D-4E8F-A1B2-C3D4E5F60718") ?? UUID())),
    value(.URIAttributeType, "https://example.org/?a=b", .url(example)),
    value(.binaryDataAttributeType, "AQI=", .data(Data([1, 2]))),
    value(.binaryDataAttributeType, "AQ\n I=", .data(Data([1, 2]))),
    value(.transformableAttributeType, "0102", .data(Data([1, 2])), options: #"{"binary": "hex"}"#),
    value(.binaryDataAttributeType, .quoted(""), .null),

    refused(
      .integer16AttributeType, "32768",
      "column a: expected a number from -32768 to 32767 for T.a, found \"32768\" [convert.range]"),
    refused(
      .integer32AttributeType, "-2147483649",
      "column a: expected a number from -2147483648 to 2147483647 for T.a, found \"-2147483649\" [convert.range]"),
    refused(
      .integer32AttributeType, "7 ",
      "column a: expected a whole number for T.a, found \"7 \" [convert.number]\n  Set `trim` to drop the blanks around fields."
    ),
    refused(
      .integer32AttributeType, "5.0", "column a: expected a whole number for T.a, found \"5.0\" [convert.number]"),
    refused(
      .doubleAttributeType, "9,99",
      "column a: expected a number for T.a, found \"9,99\" [convert.number]\n  If the comma is the decimal sign, set `decimalSign` to \",\"; if it groups digits, set `groupingSign`."
    ),
    refused(.doubleAttributeType, "nan", "column a: expected a number for T.a, found \"nan\" [convert.number]"),
    refused(
      .doubleAttributeType, "1e999",
      "column a: expected a number that a Double can hold for T.a, found \"1e999\" [convert.range]"),
    refused(
      .floatAttributeType, "1e39",
      "column a: expected a number that a Float can hold for T.a, found \"1e39\" [convert.range]"),
    refused(
      .decimalAttributeType, "12345678901234567.89",
      "column a: expected a decimal that a DECIMAL column keeps exactly for T.a, found \"12345678901234567.89\" [convert.decimal-precision]\n  SQLite keeps 15 digits of a decimal for certain; keep longer ones in a String attribute, or set `decimalLoss` to accept."
    ),
    refused(
      .booleanAttributeType, "ja",
      "column a: expected one of true, yes, 1, false, no, 0 for T.a, found \"ja\" [convert.boolean]"),
    refused(
      .dateAttributeType, "31/02/2024",
      "column a: expected a day and time that exist for T.a, found \"31/02/2024\" [convert.date]",
      options: #"{"date": "dd/MM/yyyy"}"#),
    refused(
      .dateAttributeType, "tomorrow",
      "column a: expected a date like dd/MM/yyyy for T.a, found \"tomorrow\" [convert.date]",
      options: #"{"date": "dd/MM/yyyy"}"#),
    refused(
      .dateAttributeType, "2013-11-15T07:00:00",
      "column a: expected a time with its zone for T.a, found \"2013-11-15T07:00:00\" [convert.date]\n  Set `timeZone` to the zone of times that name none, e.g. \"UTC\" or \"Europe/Berlin\"."
    ),
    refused(
      .dateAttributeType, "2024-03-31 02:30",
      "column a: expected a local time that exists in Europe/Berlin for T.a, found \"2024-03-31 02:30\" [convert.date]\n  Clocks were put forward over this time.",
      options: #"{"timeZone": "Europe/Berlin"}"#),
    refused(.UUIDAttributeType, "x", "column a: expected a UUID for T.a, found \"x\" [convert.uuid]"),
    refused(.URIAttributeType, "a b", "column a: expected a URI by RFC 3986 for T.a, found \"a b\" [convert.uri]"),
    refused(.binaryDataAttributeType, "AQI", "column a: expected base64 for T.a, found \"AQI\" [convert.binary]"),
    refused(
      .binaryDataAttributeType, "012",
      "column a: expected pairs of hexadecimal digits for T.a, found \"012\" [convert.binary]",
      options: #"{"binary": "hex"}"#),
    refused(
      .stringAttributeType, .bytes([0x61, 0xFF]),
      "column a: expected text in UTF-8 for T.a, found \"a\u{FFFD}\" [convert.utf8]\n  Set `encoding` to that of the file."
    ),
    refused(
      .stringAttributeType, .bytes([0x61, 0]),
      "column a: expected text without NUL for T.a, found \"a\\0\" [convert.nul]"),
    refused(
      .stringAttributeType, .repeated(["a", "b"]),
      "column a: expected one occurrence for T.a, found several: \"a\", \"b\" [convert.repeated]"),
    refused(
      .integer16AttributeType, .plain(String(repeating: "x", count: 100)),
      "column a: expected a whole number for T.a, found \"\(String(repeating: "x", count: 60))…\" [convert.number]"),
    refused(
      .integer16AttributeType, "\u{1B}[31m\n",
      "column a: expected a whole number for T.a, found \"\\u{1B}[31m\\n\" [convert.number]\n  Set `trim` to drop the blanks around fields."
    ),
  ]

  @Test(arguments: types) func type(_ c: Case<Input, Row>) throws {
    let entity = entity("T", [attribute("a", c.input.type)])
    let converter = try RecordConverter(
      entity: entity, columns: ["a"], options: options(c.input.options), file: "t.csv")
    #expect(converter.rows([[c.input.field]]).map { $0.like(c.expected) } == [c.expected])
  }

  /// Keys are read by other code than rows; both must give the same value and the same words.
  @Test(arguments: types) func typeAsKey(_ c: Case<Input, Row>) throws {
    let entity = entity("T", [attribute("a", c.input.type)])
    let converter = try FieldConverter(
      entity: entity, attribute: "a", column: "a", field: 0, options: options(c.input.options), file: "t.csv")
    let chunk = chunk([[c.input.field]])
    do throws(Diagnostic) {
      #expect(.values(["a": try converter.value(chunk, 0)]) == c.expected)
    } catch {
      #expect(Row.refused(error.description).like(c.expected) == c.expected)
    }
  }

  // MARK: Null

  static let nulls: [Case<(field: Field, options: String), (text: Value, number: Value)>] = [
    Case("empty", ("", "{}"), (.null, .null)),
    Case("quoted empty", (.quoted(""), "{}"), (.string(""), .null)),
    Case("absent", (.absent, "{}"), (.null, .null)),
    Case("spelling", ("\\N", #"{"nulls": ["\\N"]}"#), (.null, .null)),
    Case("quoted spelling", (.quoted("0"), #"{"nulls": ["0"]}"#), (.string("0"), .integer(0))),
    Case(
      "quoted spelling by setting", (.quoted("-"), #"{"nulls": ["N/A", "-"], "quotedNulls": true}"#), (.null, .null)),
    Case("blanks when trimmed", ("  ", #"{"trim": true}"#), (.null, .null)),
    Case("spelling within blanks", (" NA ", #"{"trim": true, "nulls": ["NA"]}"#), (.null, .null)),
    Case("quoted blanks when trimmed", (.quoted("  "), #"{"trim": true}"#), (.string(""), .null)),
    Case("quoted empty by setting", (.quoted(""), #"{"nulls": [""], "quotedNulls": true}"#), (.null, .null)),
  ]

  @Test(arguments: nulls)
  func null(_ c: Case<(field: Field, options: String), (text: Value, number: Value)>) throws {
    let entity = entity("T", [attribute("t"), attribute("n", .integer32AttributeType)])
    let converter = try RecordConverter(entity: entity, columns: ["t", "n"], options: options(c.input.options))
    #expect(
      converter.rows([[c.input.field, c.input.field]]) == [.values(["t": c.expected.text, "n": c.expected.number])])
  }

  @Test func whatStandsForNull() throws {
    let entity = entity(
      "T",
      [
        attribute("required", .integer16AttributeType, isOptional: false, default: .integer(7)),
        attribute("optional", .integer16AttributeType, default: .integer(7)), attribute("declared"),
        attribute("fixed", .dateAttributeType),
        attribute("kept", .integer16AttributeType, isOptional: false, default: .integer(7)),
      ])
    let converter = try RecordConverter(
      entity: entity, columns: ["required", "optional", "declared", "kept"],
      mappings: mappings(
        #"{"declared": {"whenNull": "none"}, "fixed": {"constant": "2001-01-02"}, "kept": {"usesDefault": false}}"#))
    let day = Value.date(Date(timeIntervalSinceReferenceDate: 86_400))
    #expect(
      converter.rows([["", "", "", ""], ["1", "2", "x", "3"], []]) == [
        .values([
          "required": .integer(7), "optional": .null, "declared": .string("none"), "fixed": day, "kept": .null,
        ]),
        .values([
          "required": .integer(1), "optional": .integer(2), "declared": .string("x"), "fixed": day, "kept": .integer(3),
        ]),
        .values([
          "required": .integer(7), "optional": .null, "declared": .string("none"), "fixed": day, "kept": .null,
        ]),
      ])
  }

  // MARK: Rows

  @Test func refusedRowsAreTakenBack() throws {
    let entity = entity(
      "T", [attribute("a"), attribute("b", .integer16AttributeType), attribute("c", .binaryDataAttributeType)])
    let converter = try RecordConverter(entity: entity, columns: ["c", "b", "a"])
    let records: [[Field]] = [["AQ==", "1", "x"], ["AQ==", "y", "long text"], ["!", "2", "z"], ["", "3", "w"]]
    let chunk = chunk(records)
    let columns = converter.makeColumns()
    let codes = records.indices.map { converter.convert(chunk, $0, into: columns)?.code.name }
    #expect(codes == [nil, "convert.number", "convert.binary", nil])
    #expect(columns.rowCount == 2)
    #expect(columns.records == [0, 3])
    #expect(columns.columns.map(\.count) == [2, 2, 2])
    #expect(columns.value(row: 1, column: 0) == .string("w"))
  }

  @Test func positionOfTheField() throws {
    let converter = try RecordConverter(
      entity: entity("T", [attribute("n", .integer16AttributeType)]), columns: ["x", "y", "n"], ignoring: ["*"],
      file: "a.csv")
    let chunk = chunk([["", "", "1"], ["", "", "x"]])
    let columns = converter.makeColumns()
    #expect(converter.convert(chunk, 0, into: columns) == nil)
    let position = converter.convert(chunk, 1, into: columns)?.position
    #expect(position == SourcePosition(file: "a.csv", record: 2, line: 3, byte: 0, column: 3))
  }

  @Test func doubledTimesAreCountedOncePerAttribute() throws {
    let entity = entity("T", [attribute("at", .dateAttributeType)])
    let converter = try RecordConverter(
      entity: entity, columns: ["at"], options: options(#"{"timeZone": "Europe/Berlin"}"#), file: "t.csv")
    #expect(converter.takeWarnings().isEmpty)
    _ = converter.rows([["2024-10-27 01:30"], ["2024-10-27 02:30"], ["2024-10-27 02:45"]])
    #expect(
      converter.takeWarnings().map(\.description) == [
        """
        t.csv:3:1: T.at: 2 local times come twice in Europe/Berlin; the first of each was taken [convert.doubled-time]
          Let the input name the offset from UTC, if it can.
        """
      ])
    #expect(converter.takeWarnings().isEmpty)
  }

  // MARK: Shadows

  @Test func colourIntoAnArchiveAndIntoHex() throws {
    let entity = entity(
      "Shape",
      [
        transient("color", ["kind": "color"]), attribute("colorData", .binaryDataAttributeType),
        transient("tint", ["kind": "color", "shadow": "tintRGBA"]), attribute("tintRGBA"),
      ])
    let converter = try RecordConverter(entity: entity, columns: ["color", "tint"], file: "t.csv")
    let rows = converter.rows([["#f00", "#FF000080"], ["", ""], ["#f00", "red-ish"]])
    guard case .values(let values) = rows[0], case .data(let archive)? = values["colorData"] else {
      Issue.record("\(rows)")
      return
    }
    #expect(archive.prefix(8) == Data("bplist00".utf8))
    #expect(values["tintRGBA"] == .string("#ff000080"))
    #expect(rows[1] == .values(["colorData": .null, "tintRGBA": .null]))
    #expect(
      rows[2].withoutHint
        == .refused(
          "t.csv:4:2: column tint: expected a colour such as #ff8800, #ff8800cc, orange or rgb(255, 136, 0) for Shape.tint, found \"red-ish\" [convert.kind]"
        ))
  }

  @Test func colourOfThreeColumns() throws {
    let entity = entity("Shape", [transient("color", ["kind": "color"]), attribute("colorString")])
    let converter = try RecordConverter(
      entity: entity, columns: ["r", "g", "b"], mappings: mappings(#"{"color": {"columns": ["r", "g", "b"]}}"#),
      file: "t.csv")
    #expect(
      converter.rows([["255", "0", "128"], ["", "", ""], ["1", "", "2"], ["300", "0", "0"]]).map(\.withoutHint) == [
        .values(["colorString": .string("#ff0080ff")]), .values(["colorString": .null]),
        .refused(
          "t.csv:4:2: column g: expected a colour such as #ff8800, #ff8800cc, orange or rgb(255, 136, 0) for Shape.color, found \"1  2\" [convert.kind]"
        ),
        .refused(
          "t.csv:5:1: column r: expected a colour such as #ff8800, #ff8800cc, orange or rgb(255, 136, 0) for Shape.color, found \"300 0 0\" [convert.kind]"
        ),
      ])
    let unit = try RecordConverter(
      entity: entity, columns: ["r", "g", "b"],
      mappings: mappings(#"{"color": {"columns": ["r", "g", "b"], "scale": "1", "decimalSign": ","}}"#))
    #expect(unit.rows([["1", "0,2", "0"]]) == [.values(["colorString": .string("#ff3300ff")])])
  }

  @Test func geometryAndEnumeration() throws {
    let entity = entity(
      "Box",
      [
        transient("bounds", ["kind": "rect"]), attribute("boundsAsString"), transient("origin", ["kind": "point"]),
        attribute("originString"), transient("span", ["kind": "range"]), attribute("spanString"),
        attribute("service", .integer16AttributeType, userInfo: ["kind": "enum", "cases": "unknown=0,twitter=1"]),
      ])
    let columns = ["bounds", "origin", "span", "service"]
    let converter = try RecordConverter(entity: entity, columns: columns)
    let rows = converter.rows([
      ["{{1.0, 2}, {3, 4}}", "{-1, 0.25}", "{3, 4}", "twitter"], ["", "", "", ""], ["garbage", "", "", ""],
      ["", "{1,5; 2,5}", "", ""], ["", "", "{5.9, 2}", ""], ["", "", "", "myspace"],
    ])
    #expect(
      rows[0]
        == .values([
          "boundsAsString": .string("{{1, 2}, {3, 4}}"), "originString": .string("{-1, 0.25}"),
          "spanString": .string("{3, 4}"), "service": .integer(1),
        ]))
    #expect(
      rows[1] == .values(["boundsAsString": .null, "originString": .null, "spanString": .null, "service": .null]))
    for row in rows[2...] {
      guard case .refused(let text) = row else {
        Issue.record("\(row) is accepted")
        continue
      }
      #expect(text.contains("[convert.kind]"))
    }
    let lenient = try RecordConverter(
      entity: entity, columns: columns, mappings: mappings(#"{"service": {"column": "service", "unknown": "unknown"}}"#)
    )
    guard case .values(let values) = lenient.rows([["", "", "", "myspace"]])[0] else {
      Issue.record("unknown words are refused")
      return
    }
    #expect(values["service"] == .integer(0))
  }

  /// A mapping can say all that the model does not.
  @Test func shadowNamedByTheMapping() throws {
    let entity = entity("Swatch", [transient("tint"), attribute("rgba"), attribute("level", .integer16AttributeType)])
    let converter = try RecordConverter(
      entity: entity, columns: ["tint", "level"],
      mappings: mappings(
        #"{"tint": {"shadow": "rgba", "kind": "color", "form": "hex"}, "level": {"kind": "enum", "cases": {"low": 1, "high": 2}}}"#
      ))
    #expect(converter.rows([["12e456", "high"]]) == [.values(["rgba": .string("#12e456ff"), "level": .integer(2)])])
  }

  @Test func elementsOfAComposite() throws {
    let address = NSCompositeAttributeDescription()
    address.name = "address"
    address.attributeType = .compositeAttributeType
    address.elements = [attribute("street"), attribute("zip", userInfo: ["importName": "postcode"])]
    let converter = try RecordConverter(
      entity: entity("Person", [address]), columns: ["road", "Post-Code"],
      mappings: mappings(#"{"address.street": "road"}"#))
    #expect(
      converter.rows([["Elm", "00501"]]) == [
        .values(["address.street": .string("Elm"), "address.zip": .string("00501")])
      ])
  }

  /// An optional composite may be nil: its required elements ask for a column once another one has some.
  static let partsOfComposites: [Case<[String], String?>] = [
    Case("none", ["name"], nil), Case("all", ["name", "address.street", "address.zip"], nil),
    Case(
      "without the required one", ["name", "address.zip"],
      "the columns do not fit Person: the required attribute address.street has no column"),
  ]
  @Test(arguments: partsOfComposites) func requiredElements(_ c: Case<[String], String?>) {
    let address = NSCompositeAttributeDescription()
    (address.name, address.attributeType) = ("address", .compositeAttributeType)
    address.elements = [attribute("street", isOptional: false), attribute("zip")]
    let person = entity("Person", [attribute("name"), address])
    var message: String?
    do { _ = try RecordConverter(entity: person, columns: c.input) } catch { message = error.message }
    #expect(message == c.expected)
  }
}
