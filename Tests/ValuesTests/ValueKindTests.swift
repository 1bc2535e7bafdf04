import Diagnostics
import Foundation
import KeyedArchives
import TestSupport
import Testing

@testable import Values

struct ValueKindTests {
  // MARK: Colours

  private static func colour(_ red: Int, _ green: Int, _ blue: Int, _ alpha: Int = 255) -> Colour {
    Colour(red: Double(red) / 255, green: Double(green) / 255, blue: Double(blue) / 255, alpha: Double(alpha) / 255)
  }

  static let colours: [Case<String, Outcome<Colour>>] = [
    text("#FF000080", colour(255, 0, 0, 128)), text("000000", colour(0, 0, 0)), text("12e456", colour(18, 228, 86)),
    text("#0F0", colour(0, 255, 0)), text("#0f08", colour(0, 255, 0, 136)), text("#AbCdEf", colour(171, 205, 239)),
    refused("#12345", .form), refused("red-ish", .form), refused("", .form), refused("#", .form), refused("#12", .form),
    refused("##00000", .form), refused("#1234567", .form), refused("#ff00g0", .form), refused(" #ff0000", .form),
  ]

  @Test(arguments: colours) func colour(_ c: Case<String, Outcome<Colour>>) {
    let kind = ColourKind(KindSettings())
    #expect(read(c.input) { bytes throws(TextTrouble) in try kind.content(bytes) } == c.expected)
  }

  @Test func colourOfColumns() throws {
    var settings = KindSettings()
    func read(_ columns: String...) -> Outcome<Colour> {
      let kind = ColourKind(settings)
      let texts = columns.map { Array($0.utf8) }
      return withExtendedLifetime(texts) {
        let buffers = texts.map { text in
          let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
          copy.copyBytes(from: text)
          return UnsafeRawBufferPointer(copy)
        }
        defer { buffers.forEach { $0.deallocate() } }
        do throws(TextTrouble) { return .value(try kind.content(columns: buffers)) } catch { return .trouble(error) }
      }
    }
    #expect(read("255", "0", "51") == .value(Self.colour(255, 0, 51)))
    #expect(read("255", "0", "51", "0") == .value(Self.colour(255, 0, 51, 0)))
    #expect(read("256", "0", "0") == .trouble(.range))
    #expect(read("-1", "0", "0") == .trouble(.range))
    #expect(read("ff", "0", "0") == .trouble(.form))
    settings.scale = .unit
    #expect(read("1", "0.5", "0") == .value(Colour(red: 1, green: 0.5, blue: 0)))
    #expect(read("1", "1.01", "0") == .trouble(.range))
  }

  @Test(arguments: 1...50) func coloursRoundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let parts = (0..<4).map { _ in Int.random(in: 0...255, using: &random) }
    let colour = Self.colour(parts[0], parts[1], parts[2], parts[3])
    let kind = ColourKind(KindSettings())
    for form in ColourKind.forms {
      let stored = kind.stored(colour, as: form)
      #expect(try kind.content(stored: stored, as: form) == colour)
      #expect(
        read(try kind.text(stored: stored, as: form)) { b throws(TextTrouble) in try kind.content(b) } == .value(colour)
      )
    }
    #expect(
      kind.stored(colour, as: .hex)
        == .string(String(format: "#%02x%02x%02x%02x", parts[0], parts[1], parts[2], parts[3])))
  }

  @Test func archivesOfOtherSpaces() throws {
    var grey = KeyedArchive()
    grey.add(
      [.init("NSColorSpace", .integer(4)), .init("NSWhite", .data(Data("0.2 0.6\0".utf8)))],
      classes: ["NSColor", "NSObject"])
    let kind = ColourKind(KindSettings())
    #expect(try kind.text(stored: .data(grey.data), as: .nscolor) == "#33333399")
    #expect(throws: TextTrouble.form) { try kind.text(stored: .data(Data([1, 2])), as: .nscolor) }
  }

  // MARK: Geometry

  static let rects: [Case<String, Outcome<CGRect>>] = [
    text("{{0, 0}, {10.5, 20}}", CGRect(x: 0, y: 0, width: 10.5, height: 20)),
    text("{{1.5, -2}, {0, 4}}", CGRect(x: 1.5, y: -2, width: 0, height: 4)),
    text("{{1,2},{3,4}}", CGRect(x: 1, y: 2, width: 3, height: 4)),
    text("{ { 1 , 2 } , { 3 , 4 } }", CGRect(x: 1, y: 2, width: 3, height: 4)),
    text("{{1e3, 2}, {-3, 4}}", CGRect(origin: CGPoint(x: 1000, y: 2), size: CGSize(width: -3, height: 4))),
    refused("", .form), refused("garbage", .form), refused("{{1, 2}, {3}}", .form), refused("{{1, 2}, {3, 4}", .form),
    refused("{{1, 2}, {3, 4}}}", .form), refused("{{1, 2}, {3, 4}} ", .form), refused("{{1,5; 2}, {3, 4}}", .form),
    refused("{{1, 2}, {3, nan}}", .form), refused("{{1, 2}, {3, }}", .form), refused("{{1 2}, {3, 4}}", .form),
    refused("{{1, 2, 3}, {3, 4}}", .form), refused("1, 2, 3, 4", .form), refused("{{1, 2}, {3, 1e999}}", .range),
  ]

  @Test(arguments: rects) func rect(_ c: Case<String, Outcome<CGRect>>) {
    let kind = RectKind(KindSettings())
    #expect(read(c.input) { bytes throws(TextTrouble) in try kind.content(bytes) } == c.expected)
  }

  static let points: [Case<String, Outcome<CGPoint>>] = [
    text("{1, 2}", CGPoint(x: 1, y: 2)), text("{-1, 0.25}", CGPoint(x: -1, y: 0.25)),
    refused("{1,5; 2,5}", .form), refused("{1}", .form), refused("{1, 2", .form), refused("1, 2}", .form),
  ]

  @Test(arguments: points) func point(_ c: Case<String, Outcome<CGPoint>>) {
    let kind = PointKind(KindSettings())
    #expect(read(c.input) { bytes throws(TextTrouble) in try kind.content(bytes) } == c.expected)
  }

  static let ranges: [Case<String, Outcome<NSRange>>] = [
    text("{3, 4}", NSRange(location: 3, length: 4)), text("{0, 0}", NSRange(location: 0, length: 0)),
    text("{3.0, 4}", NSRange(location: 3, length: 4)),
    refused("{5.9, 2}", .form), refused("{-3, 4}", .form), refused("{3}", .form), refused("{1e300, 4}", .range),
  ]

  @Test(arguments: ranges) func range(_ c: Case<String, Outcome<NSRange>>) {
    let kind = RangeKind(KindSettings())
    #expect(read(c.input) { bytes throws(TextTrouble) in try kind.content(bytes) } == c.expected)
  }

  /// As `NSStringFromRect` and its relatives print.
  @Test func texts() {
    #expect(RectKind().text(CGRect(x: 0, y: 0, width: 10.5, height: 20)) == "{{0, 0}, {10.5, 20}}")
    #expect(PointKind().text(CGPoint(x: 0.1, y: -2)) == "{0.1, -2}")
    #expect(SizeKind().text(CGSize(width: 1e20, height: -0.0)) == "{1e+20, -0}")
    #expect(RangeKind().text(NSRange(location: 3, length: 4)) == "{3, 4}")
    #expect(RectKind().expectation == "a rect such as {{1, 2}, {3, 4}}")
  }

  @Test(arguments: 1...50) func rectsRoundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let parts = (0..<4).map { _ in Double.random(in: -1e6...1e6, using: &random) }
    let rect = CGRect(origin: CGPoint(x: parts[0], y: parts[1]), size: CGSize(width: parts[2], height: parts[3]))
    let stored = RectKind().stored(rect, as: .string)
    #expect(try RectKind().content(stored: stored, as: .string) == rect)
  }

  // MARK: Enumerations

  private static var services: KindSettings {
    var settings = KindSettings()
    settings.cases = ["unknown": 0, "twitter": 1, "facebook": 2]
    return settings
  }

  static let words: [Case<String, Outcome<Int64>>] = [
    text("twitter", 1), text("2", 2), text("unknown", 0), refused("Twitter", .unknownWord), refused("3", .unknownWord),
    refused("", .unknownWord), refused("tk", .unknownWord),
  ]

  @Test(arguments: words) func enumeration(_ c: Case<String, Outcome<Int64>>) throws {
    let kind = try EnumKind(Self.services)
    #expect(read(c.input) { bytes throws(TextTrouble) in try kind.content(bytes) } == c.expected)
  }

  @Test func unknownWordsWithACaseForThem() throws {
    var settings = Self.services
    settings.unknown = "unknown"
    let kind = try EnumKind(settings)
    #expect(read("tk") { bytes throws(TextTrouble) in try kind.content(bytes) } == .value(0))
    #expect(try kind.stored(2, as: .string) == .string("facebook"))
    #expect(try kind.text(stored: .integer(1), as: .integer) == "twitter")
    #expect(try kind.text(stored: .integer(9), as: .integer) == "9")
    #expect(kind.expectation == "one of unknown (0), twitter (1), facebook (2)")
  }

  // MARK: By name

  static let unfit: [Case<(name: String, form: String?, type: StorageForm.StoredType), String>] = [
    Case("unknown kind", ("colour", nil, .string), "kind: there is no kind \"colour\""),
    Case(
      "unknown form", ("color", "ciecam", .data),
      "form: a Binary attribute does not keep the form \"ciecam\" of a color"),
    Case(
      "form of another type", ("color", "nscolor", .string),
      "form: a String attribute does not keep the form \"nscolor\" of a color"),
    Case("type without a form", ("rect", nil, .integer), "form: an Integer attribute does not keep a rect"),
    Case("no cases", ("enum", nil, .integer), "kind: an enum needs its cases"),
  ]

  @Test(arguments: unfit) func doesNotFit(
    _ c: Case<(name: String, form: String?, type: StorageForm.StoredType), String>
  ) {
    let error = #expect(throws: Diagnostic.self) {
      try ValueKinds.kind(named: c.input.name, settings: KindSettings(), form: c.input.form, storedAs: c.input.type)
    }
    #expect(error?.message == c.expected)
  }

  @Test func unknownCase() {
    var settings = Self.services
    settings.unknown = "none"
    let error = #expect(throws: Diagnostic.self) { try EnumKind(settings) }
    #expect(error?.message == "unknown: \"none\" is none of the cases facebook, twitter, unknown")
  }

  @Test func defaultForms() throws {
    #expect(try ValueKinds.kind(named: "color", settings: KindSettings(), form: nil, storedAs: .data).form == .nscolor)
    #expect(try ValueKinds.kind(named: "color", settings: KindSettings(), form: nil, storedAs: .string).form == .hex)
    #expect(try ValueKinds.kind(named: "enum", settings: Self.services, form: nil, storedAs: .integer).form == .integer)
    #expect(try ValueKinds.kind(named: "enum", settings: Self.services, form: nil, storedAs: .string).form == .string)
  }

  @Test func kindOfOnesOwn() throws {
    ValueKinds.register(Temperature.self)
    let (kind, form) = try ValueKinds.kind(
      named: "temperature", settings: KindSettings(), form: nil, storedAs: .integer)
    #expect(
      read("21 °C") { bytes throws(TextTrouble) in try kind.stored(text: bytes, as: form) } == .value(.integer(21)))
    #expect(read("21 °F") { bytes throws(TextTrouble) in try kind.stored(text: bytes, as: form) } == .trouble(.form))
    #expect(try kind.text(stored: .integer(21), as: form) == "21 °C")
    #expect(ValueKinds.names.contains("temperature"))
  }
}

/// A kind as a user would write it.
private struct Temperature: ValueKind {
  static let name = "temperature"
  static let forms: [StorageForm] = [.integer]
  init(_ settings: KindSettings) {}
  var expectation: String { "a temperature such as 21 °C" }
  func content(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> Int64 {
    let text = String(decoding: text, as: UTF8.self)
    guard text.hasSuffix(" °C"), let degrees = Int64(text.dropLast(3)) else { throw .form }
    return degrees
  }
  func text(_ content: Int64) -> String { "\(content) °C" }
  func stored(_ content: Int64, as form: StorageForm) -> Value { .integer(content) }
  func content(stored: Value, as form: StorageForm) throws(TextTrouble) -> Int64 {
    guard case .integer(let degrees) = stored else { throw .form }
    return degrees
  }
}
