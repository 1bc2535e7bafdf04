import Foundation
import KeyedArchives
import TestSupport
import Testing

@testable import Values

/// From a random value to its text, to each form that a store keeps, and back to the value and the text.
@Suite struct RoundTripTests {
  @Test(arguments: 1...40) func everyKind(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func number() -> Double {
      switch Int.random(in: 0...3, using: &random) {
      case 0: Double(Int.random(in: -1000...1000, using: &random))
      case 1: Double.random(in: -1e6...1e6, using: &random)
      case 2: Double.random(in: -1...1, using: &random) * 1e-12
      default: Double(Int.random(in: -1000...1000, using: &random)) / 8
      }
    }
    func whole() -> Int { Int.random(in: 0...1_000_000, using: &random) }
    let point = CGPoint(x: number(), y: number())
    let size = CGSize(width: number(), height: number())
    try check(PointKind.self, point, seed)
    try check(SizeKind.self, size, seed)
    try check(RectKind.self, CGRect(origin: point, size: size), seed)
    try check(RangeKind.self, NSRange(location: whole(), length: whole()), seed)
    try check(EdgeInsetsKind.self, EdgeInsets(top: number(), left: number(), bottom: number(), right: number()), seed)
    try check(
      AffineTransformKind.self,
      AffineTransform2D(a: number(), b: number(), c: number(), d: number(), tx: number(), ty: number()), seed)
    try check(UUIDKind.self, uuid(&random), seed)
    try check(BinaryKind.self, Data((0..<whole() % 40).map { _ in UInt8.random(in: 0...255, using: &random) }), seed)
    try check(NumberKind.self, .integer(Int64.random(in: .min ... .max, using: &random)), seed)
    try check(BooleanKind.self, Bool.random(using: &random), seed)
    try check(
      StringKind.self, String((0..<whole() % 20).map { _ in "aé€😀\"\\\n".randomElement(using: &random) ?? "a" }), seed)
    try check(URLKind.self, try #require(URL(string: "https://example.org/\(whole())?a=\(whole())")), seed)
    // Milliseconds: the text has as many digits as make it the same date.
    let milliseconds = Double(Int.random(in: -1_000_000_000_000...1_000_000_000_000, using: &random))
    try check(DateKind.self, Date(timeIntervalSinceReferenceDate: milliseconds / 1000), seed)
    try check(TimeOfDayKind.self, Double(whole() % 86_400), seed)
    var settings = KindSettings()
    settings.cases = ["a": 1, "b": 2, "ab": 3, "c": 4]
    try check(OptionSetKind.self, Int64.random(in: 0...7, using: &random), seed, settings)
    try check(EnumKind.self, Int64.random(in: 1...4, using: &random), seed, settings)
    settings.options.storedUnit = "cm"
    let measured = try #require(
      Decimal(string: "\(number().rounded()).\(whole())".replacingOccurrences(of: ".0.", with: ".")))
    try check(MeasurementKind.self, .init(number: measured, unit: "cm"), seed, settings, only: [.real, .string])
  }

  private func uuid(_ random: inout SeededGenerator) -> UUID {
    let words = (random.next(), random.next())
    return UUID(uuid: withUnsafeBytes(of: words) { $0.loadUnaligned(as: uuid_t.self) })
  }

  private func check<Kind: ValueKind>(
    _: Kind.Type, _ content: Kind.Content, _ seed: UInt64, _ settings: KindSettings = KindSettings(),
    only forms: [StorageForm] = Kind.forms
  ) throws {
    let kind = try Kind(settings)
    let text = kind.text(content)
    #expect(read(text) { b throws(TextTrouble) in try kind.content(b) } == .value(content), "\(text), seed \(seed)")
    for form in forms {
      let stored = try kind.stored(content, as: form)
      #expect(try kind.content(stored: stored, as: form) == content, "\(Kind.name) as \(form.name), seed \(seed)")
      #expect(try kind.text(stored: stored, as: form) == text, "\(Kind.name) as \(form.name), seed \(seed)")
    }
  }
}
