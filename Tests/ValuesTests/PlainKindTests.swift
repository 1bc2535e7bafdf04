import Diagnostics
import Foundation
import KeyedArchives
import TestSupport
import Testing

@testable import Values

@Suite struct PlainKindTests {
  // MARK: JSON

  static let json: [Case<String, Outcome<ArchivedValue>>] = [
    text(
      #"{"a": [1, -2.5, true, null], "b": {"c": "d"}}"#,
      .dictionary([
        .init(.string("a"), .array([.integer(1), .real(-2.5), .boolean(true), .null])),
        .init(.string("b"), .dictionary([.init(.string("c"), .string("d"))])),
      ])),
    text(" [ ] ", .array([])), text("{}", .dictionary([])), text("\"x\"", .string("x")),
    text("9223372036854775807", .integer(.max)), text("1.0", .real(1)), text("0", .integer(0)),
    text("-0.5e1", .real(-5)),
    text(#""\u00e9\ud83d\ude00\n\"\\\/""#, .string("é😀\n\"\\/")),
    refused("9223372036854775808", .range), refused("1e999", .range), refused("01", .form), refused("+1", .form),
    refused(".5", .form), refused("1.", .form), refused("[1,]", .form), refused("[1 2]", .form),
    refused("{a: 1}", .form),
    refused(#"{"a": 1, "a": 2}"#, .form), refused("'x'", .form), refused(#""\ud83d""#, .form), refused(#""\x""#, .form),
    refused("\"a\nb\"", .form), refused("nul", .form), refused("NaN", .form), refused("[1] 2", .form),
    refused("", .form),
    refused(#"{"a"}"#, .form), refused(String(repeating: "[", count: 200), .range),
  ]

  @Test(arguments: json) func reads(_ c: Case<String, Outcome<ArchivedValue>>) {
    #expect(read(c.input) { bytes throws(TextTrouble) in try JSONReader.value(bytes) } == c.expected)
  }

  @Test(arguments: 1...40) func jsonRoundTrips(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func value(_ depth: Int) -> ArchivedValue {
      switch Int.random(in: 0...(depth < 3 ? 7 : 5), using: &random) {
      case 0: .null
      case 1: .boolean(Bool.random(using: &random))
      case 2: .integer(Int64.random(in: .min ... .max, using: &random))
      case 3: .real(Double.random(in: -1e6...1e6, using: &random))
      case 4: .string(["", "a\"b\\", "é\u{1F600}", "\u{1}\n\t"].randomElement(using: &random) ?? "")
      case 5: .string("x")
      case 6: .array((0..<Int.random(in: 0...3, using: &random)).map { _ in value(depth + 1) })
      default:
        .dictionary((0..<Int.random(in: 0...3, using: &random)).map { .init(.string("k\($0)"), value(depth + 1)) })
      }
    }
    let kind = JSONKind(KindSettings())
    let content = value(0)
    for form in JSONKind.forms {
      let stored = try kind.stored(content, as: form)
      #expect(try kind.content(stored: stored, as: form) == content, "seed \(seed)")
      #expect(
        read(try kind.text(stored: stored, as: form)) { b throws(TextTrouble) in try kind.content(b) }
          == .value(content))
    }
  }

  // MARK: Measurements

  static let measurements: [Case<(unit: String?, text: String), Outcome<Value>>] = [
    Case("the unit itself", ("m", "12.5 m"), .value(.real(12.5))),
    Case("a smaller unit", ("m", "12.5 cm"), .value(.real(0.125))),
    Case("a larger unit", ("m", "3km"), .value(.real(3000))),
    Case("exactly", ("m", "0.1 mm"), .value(.real(0.0001))),
    Case("inches", ("cm", "1 in"), .value(.real(2.54))),
    Case("temperatures", ("°C", "300 K"), .value(.real(26.85))),
    Case("Fahrenheit", ("°F", "100 °C"), .value(.real(212))),
    Case("below zero", ("K", "-40 °F"), .value(.real(233.15))),
    Case("an area", ("m²", "2 ha"), .value(.real(20_000))),
    Case("a digit in the unit", ("m²", "3 m2"), .value(.real(3))),
    Case("blanks in the unit", ("mL", "1 fl oz"), .value(.real(29.5735295625))),
    Case("no unit", ("m", "12.5"), .trouble(.unknownUnit)),
    Case("unknown unit", ("m", "12.5 ell"), .trouble(.unknownUnit)),
    Case("another quantity", ("m", "12.5 kg"), .trouble(.unknownUnit)),
    Case("no number", ("m", "m"), .trouble(.form)),
    Case("decimal comma", ("m", "12,5 m"), .trouble(.form)),
    Case("as a text", (nil, "12.50 cm"), .value(.string("12.5 cm"))),
  ]

  @Test(arguments: measurements) func measurement(_ c: Case<(unit: String?, text: String), Outcome<Value>>) throws {
    var settings = KindSettings()
    settings.options.storedUnit = c.input.unit
    let stored = try StoredKind("measurement", settings: settings, storedAs: c.input.unit == nil ? .string : .real)
    let outcome = read(c.input.text) { b throws(TextTrouble) in try stored.stored(b) }
    // Conversions that divide are right to the last digits of a decimal, not of a double's text.
    if case .value(.real(let expected)) = c.expected, case .value(.real(let found)) = outcome {
      #expect(abs(found - expected) <= expected.magnitude * 1e-15)
    } else {
      #expect(outcome == c.expected)
    }
    guard case .value(let value) = outcome else { return }
    let text = try stored.text(stored: value)
    #expect(read(text) { b throws(TextTrouble) in try stored.stored(b) } == .value(value), "\(text)")
  }

  @Test func aMeasurementInANumberNeedsItsUnit() {
    let error = #expect(throws: Diagnostic.self) {
      try StoredKind("measurement", settings: KindSettings(), storedAs: .real)
    }
    #expect(error?.message == "kind: a measurement in a number needs its unit")
    var settings = KindSettings()
    settings.options.storedUnit = "ell"
    let unknown = #expect(throws: Diagnostic.self) {
      try StoredKind("measurement", settings: settings, storedAs: .real)
    }
    #expect(unknown?.message == "storedUnit: there is no unit \"ell\"")
  }

  // MARK: Times of day

  static let times: [Case<String, Outcome<Double>>] = [
    text("07:05", 25_500), text("23:59:59", 86_399), text("00:00", 0), text("12:00:00.25", 43_200.25),
    refused("24:00", .noSuchDate), refused("12:60", .noSuchDate), refused("7:05", .form), refused("12", .form),
    refused("12:00:00.", .form), refused("12:00 ", .form), refused("12:00:00Z", .form),
  ]

  @Test(arguments: times) func timeOfDay(_ c: Case<String, Outcome<Double>>) throws {
    let kind = TimeOfDayKind(KindSettings())
    let outcome = read(c.input) { b throws(TextTrouble) in try kind.content(b) }
    #expect(outcome == c.expected)
    guard case .value(let seconds) = outcome else { return }
    for form in [StorageForm.real, .string] {
      let stored = try kind.stored(seconds, as: form)
      #expect(try kind.content(stored: stored, as: form) == seconds)
    }
  }

  // MARK: The others, from text to store and back

  static let texts: [Case<String, [String]>] = [
    Case("url", "url", ["https://example.org/a?b=c#d", "file:///tmp/x%20y"]),
    Case("uuid", "uuid", ["1B4E28BA-2FA1-11D2-883F-0016D3CCA427"]),
    Case("binary", "binary", ["AAH/", ""]),
    Case("date", "date", ["2024-05-01T12:30:00Z", "1969-12-31T23:59:59.25Z", "2001-01-01T00:00:00.123456Z"]),
    Case("number", "number", ["9223372036854775807", "-2.5", "0"]),
    Case("boolean", "boolean", ["true", "false"]),
    Case("string", "string", ["", "Größe"]),
    Case("json", "json", [#"{"a":[1,2.5,"x",null,true]}"#, "[]"]),
    Case("timeOfDay", "timeOfDay", ["07:05:00", "23:59:59"]),
    Case("point", "point", ["{1, 2.5}"]), Case("size", "size", ["{1, 2.5}"]),
    Case("rect", "rect", ["{{-1, 2.5}, {3, 4}}"]), Case("range", "range", ["{3, 4}"]),
    Case("edgeInsets", "edgeInsets", ["{1, 2, 3, 4}"]),
    Case("affineTransform", "affineTransform", ["[1, 0, 0, 1, 0, 0]"]),
    Case("color", "color", ["#ff8800", "#ff880080"]),
  ]

  @Test(arguments: texts) func everyFormGivesTheTextBack(_ c: Case<String, [String]>) throws {
    let kind = try #require(ValueKinds.named(c.input))
    for form in kind.forms {
      let stored = try StoredKind(c.input, settings: KindSettings(), form: form.name, storedAs: form.type)
      for text in c.expected {
        guard case .value(let value) = read(text, { b throws(TextTrouble) in try stored.stored(b) }) else {
          Issue.record("\(form.name) of \(text)")
          continue
        }
        // Eight bits a component, and all of them said.
        #expect(try stored.text(stored: value) == text, "\(form.name)")
      }
    }
  }

  static let archives: [Case<(kind: String, text: String), String?>] = [
    Case("NSURL", ("url", "https://example.org"), "NSURL"),
    Case("NSUUID", ("uuid", "1B4E28BA-2FA1-11D2-883F-0016D3CCA427"), "NSUUID"),
    Case("NSDate", ("date", "2024-05-01"), "NSDate"), Case("NSNumber", ("number", "5"), nil),
    Case("NSString", ("string", "x"), nil), Case("NSArray", ("json", "[]"), "NSArray"),
    Case("NSDictionary", ("json", "{}"), "NSDictionary"),
  ]

  @Test(arguments: archives) func archiveClass(_ c: Case<(kind: String, text: String), String?>) throws {
    let stored = try StoredKind(c.input.kind, settings: KindSettings(), form: "archive", storedAs: .data)
    guard case .value(.data(let data)) = read(c.input.text, { b throws(TextTrouble) in try stored.stored(b) }) else {
      return #expect(Bool(false))
    }
    #expect(try KeyedArchive(data).rootObject?.className == c.expected)
  }

  @Test func files() throws {
    let folder = try TemporaryFolder()
    try folder.write(Data([1, 2, 3]), to: "images/a.png")
    try folder.write("secret", to: "other.txt")
    var options = ConversionOptions()
    options.binary = .file
    let parser = BinaryParser(options, folder: folder.path("images"))
    #expect(read("a.png") { b throws(TextTrouble) in try parser.bytes(b) } == .value([1, 2, 3]))
    #expect(read("b.png") { b throws(TextTrouble) in try parser.bytes(b) } == .trouble(.noFile))
    for name in ["../other.txt", "/etc/hostname", "x/../../other.txt", "a.png/", ""] {
      #expect(read(name) { b throws(TextTrouble) in try parser.bytes(b) } == .trouble(.outsideFolder), "\(name)")
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("images/link"), withDestinationPath: folder.path("other.txt"))
    #expect(read("link") { b throws(TextTrouble) in try parser.bytes(b) } == .trouble(.outsideFolder))
    let above = BinaryParser(options, folder: folder.url.path)
    #expect(read("images/a.png") { b throws(TextTrouble) in try above.bytes(b) } == .value([1, 2, 3]))
    #expect(read("images") { b throws(TextTrouble) in try above.bytes(b) } == .trouble(.noFile))
  }
}
