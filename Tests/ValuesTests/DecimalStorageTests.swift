import Foundation
import TestSupport
import Testing
import Values

@Suite struct DecimalStorageTests {
  static let texts = [
    "0", "-0.1", "0.1", "0.3", "1123.563", "99999.99", "1250000.5", "-90000.07", "123456789012345", "999999999999999.9",
    "12345678901234567.89", "0.000000000001", "1e-20", "1e20", "1e15", "-1e15", "3.3333333333332993", "4.35", "1.005",
  ]

  /// The nearest double, and back, are what texts say, by whatever way they are found.
  @Test(arguments: texts) func nearestDouble(_ text: String) throws {
    let decimal = try #require(Decimal(string: text))
    let double = try #require(Double(text))
    #expect(decimal.nearestDouble == double)
    #expect(Decimal(shortestOf: double) == Decimal(string: double.description))
  }

  @Test func randomDecimals() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<20_000 {
      let digits = Int.random(in: 0...14, using: &random)
      let whole = Int64.random(in: -999_999_999_999_999...999_999_999_999_999, using: &random)
      let text = "\(whole)e-\(digits)"
      let decimal = try #require(Decimal(string: text))
      let double = try #require(Double(text))
      #expect(decimal.nearestDouble == double, "\(text)")
      #expect(Decimal(shortestOf: double) == decimal, "\(text)")
    }
  }
}
