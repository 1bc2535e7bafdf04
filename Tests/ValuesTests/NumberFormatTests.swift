import Foundation
import TestSupport
import Testing

@testable import Values

struct NumberFormatTests {
  private static let comma = NumberFormat(decimalSign: TextSign(","), groupingSign: TextSign("."))
  private static let thinSpace = NumberFormat(groupingSign: TextSign("\u{202F}"))

  // MARK: Integers

  static let integers: [Case<String, Outcome<Int64>>] = [
    text("0", 0), text("-0", 0), text("+47", 47), text("007", 7), text("-32768", -32_768),
    text("9223372036854775807", .max), text("-9223372036854775808", .min), text("00000000000000000000001", 1),
    refused("9223372036854775808", .range), refused("-9223372036854775809", .range),
    refused("99999999999999999999999999", .range),
    refused("", .form), refused("-", .form), refused("+-1", .form), refused(" 1", .form), refused("1 ", .form),
    refused("1.0", .form), refused("1,000", .form), refused("1e5", .form), refused("0x10", .form), refused("١", .form),
    refused("9223372036854775808x", .form), refused("NaN", .form), refused("1_000", .form),
  ]

  @Test(arguments: integers) func integer(_ c: Case<String, Outcome<Int64>>) {
    #expect(read(c.input) { bytes throws(TextTrouble) in try NumberFormat.plain.integer(bytes) } == c.expected)
  }

  static let groupedIntegers: [Case<String, Outcome<Int64>>] = [
    text("1.234.567", 1_234_567), text("1234567", 1_234_567), text("-1.000", -1000), text("12", 12), text("0", 0),
    text("9.223.372.036.854.775.807", .max), text("-9.223.372.036.854.775.808", .min),
    refused("9.223.372.036.854.775.808", .range), refused("1.23", .form), refused("1234.567", .form),
    refused(".123", .form), refused("1..234", .form), refused("1.234.", .form), refused("1,0", .form),
    refused("1.000,0", .form), refused("1e3", .form),
  ]

  @Test(arguments: groupedIntegers) func groupedInteger(_ c: Case<String, Outcome<Int64>>) {
    #expect(read(c.input) { bytes throws(TextTrouble) in try Self.comma.integer(bytes) } == c.expected)
  }

  // MARK: Reals

  static let reals: [Case<String, Outcome<Double>>] = [
    text("0", 0), text("1.5", 1.5), text("-2.5e3", -2500), text(".5", 0.5), text("+1E-2", 0.01), text("0.1", 0.1),
    text("00.10", 0.1), text("9007199254740993", 9_007_199_254_740_992), text("1e22", 1e22), text("1e23", 1e23),
    text("8.41e21", 8.41e21), text("5e-324", .leastNonzeroMagnitude),
    text("2.2250738585072011e-308", Double.leastNormalMagnitude.nextDown),
    text("1.7976931348623157e308", .greatestFiniteMagnitude),
    text("123456789012345678901234567890", 1.2345678901234568e29),
    text("0.000000000000000000000000000000000000001", 1e-39), text("0e999999999999", 0),
    text("9007199254740992.5000000000000000000000000000001", 9_007_199_254_740_992),
    text("9007199254740993.0000000000000000000000000000001", 9_007_199_254_740_994),
    refused("", .form), refused(".", .form), refused("5.", .form), refused("1,5", .form), refused("1.5 ", .form),
    refused("1e", .form), refused("1e+", .form), refused("0x1p3", .form), refused("nan", .form), refused("inf", .form),
    refused("1.2.3", .form), refused("12abc", .form), refused("1e400", .range), refused("-1e400", .range),
    refused("1e-400", .range), refused("1e99999999999999999999", .range),
  ]

  @Test(arguments: reals) func real(_ c: Case<String, Outcome<Double>>) {
    #expect(read(c.input) { bytes throws(TextTrouble) in try NumberFormat.plain.real(bytes) } == c.expected)
  }

  @Test func negativeZeroKeepsItsSign() {
    guard case .value(let zero) = read("-0.0", { b throws(TextTrouble) in try NumberFormat.plain.real(b) }) else {
      Issue.record("-0.0 is a number")
      return
    }
    #expect(zero == 0 && zero.sign == .minus)
  }

  static let spelledReals: [Case<String, Outcome<Double>>] = [
    text("9,99", 9.99), text("1.234,56", 1234.56), text("0,5", 0.5), text("1,234", 1.234), text("1.234", 1234),
    text("1.234.567,123456789012345678", 1_234_567.123456789), text("-1.000", -1000),
    refused("9.99", .form), refused("1,234.56", .form), refused("1.2345", .form), refused("1,", .form),
  ]

  @Test(arguments: spelledReals) func decimalComma(_ c: Case<String, Outcome<Double>>) {
    #expect(read(c.input) { bytes throws(TextTrouble) in try Self.comma.real(bytes) } == c.expected)
  }

  @Test func signsBeyondASCII() {
    #expect(read("1\u{202F}234.5") { b throws(TextTrouble) in try Self.thinSpace.real(b) } == .value(1234.5))
    #expect(read("1 234.5") { b throws(TextTrouble) in try Self.thinSpace.real(b) } == .trouble(.form))
  }

  @Test func nonFiniteNumbersWhenAllowed() {
    let format = NumberFormat(allowsNonFinite: true)
    #expect(read("-Infinity") { b throws(TextTrouble) in try format.real(b) } == .value(-.infinity))
    #expect(read("inf") { b throws(TextTrouble) in try format.real(b) } == .value(.infinity))
    #expect(read("infi") { b throws(TextTrouble) in try format.real(b) } == .trouble(.form))
    guard case .value(let nan) = read("NaN", { b throws(TextTrouble) in try format.real(b) }) else {
      Issue.record("NaN is a number when it is allowed")
      return
    }
    #expect(nan.isNaN)
  }

  /// Swift's own reading of the same text is the reference.
  @Test(arguments: 1...20) func randomRealsAreTheNearest(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<1000 {
      let digits = Int.random(in: 1...25, using: &random)
      var text = (0..<digits).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
      if Bool.random(using: &random) {
        text.insert(".", at: text.index(text.startIndex, offsetBy: Int.random(in: 0..<digits, using: &random)))
      }
      if Bool.random(using: &random) { text += "e\(Int.random(in: -30...30, using: &random))" }
      let expected = try #require(Double(text.hasPrefix(".") ? "0" + text : text))
      #expect(read(text) { b throws(TextTrouble) in try NumberFormat.plain.real(b) } == .value(expected), "\(text)")
    }
  }

  @Test(arguments: 1...20) func randomRealsRoundTrip(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let value = Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &random))
      guard value.isFinite else { continue }
      #expect(read(value.description) { b throws(TextTrouble) in try NumberFormat.plain.real(b) } == .value(value))
    }
  }

  // MARK: Decimals

  private static func decimal(_ text: String) -> Decimal { Decimal(string: text) ?? .nan }

  static let decimals: [Case<String, Outcome<Decimal>>] = [
    text("0.1", decimal("0.1")), text("-1123.563", decimal("-1123.563")), text("1e3", 1000),
    text("12345678901234567.89", decimal("12345678901234567.89")),
    text("12345678901234567890123456789012345678", decimal("12345678901234567890123456789012345678")),
    text("0.0000000000000000000000000000000000000000001", Decimal(sign: .plus, exponent: -43, significand: 1)),
    text("1000000000000000000000000000000000000000000", Decimal(sign: .plus, exponent: 42, significand: 1)),
    text("0.10", decimal("0.1")), text("1e127", Decimal(sign: .plus, exponent: 127, significand: 1)),
    refused("1,5", .form), refused("12abc", .form), refused("", .form), refused("NaN", .form),
    refused("123456789012345678901234567890123456789", .precision), refused("1e128", .range), refused("1e-129", .range),
  ]

  @Test(arguments: decimals) func decimal(_ c: Case<String, Outcome<Decimal>>) {
    #expect(read(c.input) { bytes throws(TextTrouble) in try NumberFormat.plain.decimal(bytes) } == c.expected)
  }

  static let storedDecimals: [Case<String, Outcome<Double>>] = [
    text("0.1", 0.1), text("1123.563", 1123.563), text("0.3", 0.3), text("-0", 0),
    text("999999999999999", 999_999_999_999_999),
    refused("0.1000000000000000055", .precision), text("9007199254740992", 9_007_199_254_740_992),
    text("100000000000000000000", 1e20), refused("3.1415926535897931", .precision),
    text("3.141592653589793", .pi),
    refused("12345678901234567.89", .precision), refused("9007199254740993", .precision), refused("1,5", .form),
    refused("1e200", .range),
  ]

  @Test(arguments: storedDecimals) func storedDecimal(_ c: Case<String, Outcome<Double>>) {
    #expect(read(c.input) { bytes throws(TextTrouble) in try NumberFormat.plain.storedDecimal(bytes) } == c.expected)
  }

  /// What is stored is read back by its shortest text; whatever is accepted must come back equal.
  @Test(arguments: 1...20) func storedDecimalsComeBackEqual(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let digits = String(
        UInt64.random(in: 0...UInt64.max, using: &random) >> UInt64.random(in: 0...63, using: &random))
      let text = digits + "e\(Int.random(in: -25...5, using: &random))"
      let exact = read(text) { b throws(TextTrouble) in try NumberFormat.plain.decimal(b) }
      switch read(text, { b throws(TextTrouble) in try NumberFormat.plain.storedDecimal(b) }) {
      case .value(let double): #expect(.value(Self.decimal(double.description)) == exact, "\(text)")
      case .trouble(let trouble):
        #expect(trouble == .precision, "\(text)")
        let back = (Double(text)?.description).map(Self.decimal)
        #expect(back.map { .value($0) } != exact, "\(text)")
      }
    }
  }
}
