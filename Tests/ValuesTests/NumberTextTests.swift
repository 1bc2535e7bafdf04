import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import Values

/// Numbers as texts, which read as just the same numbers.
struct NumberTextTests {
  @Test(arguments: [
    Case("whole", 5.0, "5"), Case("fraction", 0.1, "0.1"), Case("negative", -2.5, "-2.5"), Case("zero", 0.0, "0"),
    Case("large", 1.5e21, "1500000000000000000000"), Case("small", 2.5e-7, "0.00000025"),
    Case("small and negative", -1e-10, "-0.0000000001"),
    Case("many digits", 1.2345678901234567e18, "1234567890123456800"),
  ])
  func plain(_ c: Case<Double, String>) {
    #expect(c.input.plainText == c.expected)
    #expect(Double(c.expected) == c.input)
  }

  @Test func everyNumberReadsBack() {
    var numbers = SeededGenerator(seed: 3)
    for _ in 0..<2000 {
      let number = Double(bitPattern: .random(in: 0 ... .max, using: &numbers))
      guard number.isFinite else { continue }
      #expect(Double(number.shortestText) == number)
      #expect(number.plainText.flatMap(Double.init) == number)
    }
    #expect(Double.infinity.plainText == nil && Double.nan.plainText == nil)
    #expect((-Double.infinity).shortestText == "-inf")
  }

  @Test(arguments: [
    Case("the reference date", 0, "2001-01-01T00:00:00Z"), Case("a fraction", 0.25, "2001-01-01T00:00:00.25Z"),
    Case("before it", -0.25, "2000-12-31T23:59:59.75Z"), Case("a leap day", 720_532_800, "2023-11-01T12:00:00Z"),
    Case("the first second", -63_113_904_000, "0001-01-01T00:00:00Z"),
    Case("before the year 1", -63_113_904_001, nil), Case("the last second", 252_423_993_599, "9999-12-31T23:59:59Z"),
    Case("behind the year 9999", 252_423_993_600, nil),
    Case("too many digits", 0.1234567891, nil), Case("not finite", .infinity, nil),
    Case("microseconds", 726_577_445.123456, "2024-01-10T11:04:05.123456Z"),
  ])
  func dates(_ c: Case<Double, String?>) {
    #expect(c.input.isoDate() == c.expected)
  }

  /// Whatever has a text reads back from it, to the last bit.
  @Test func everyDateReadsBack() throws {
    var numbers = SeededGenerator(seed: 9)
    var count = 0
    for index in 0..<3000 {
      let range = [1e3, 1e9, 6e10, 2.5e11][index % 4]
      var seconds = Double.random(in: -range...range, using: &numbers)
      if index % 3 == 0 { seconds = seconds.rounded() }
      if index % 3 == 1 { seconds = (seconds * 1000).rounded() / 1000 }
      guard let text = seconds.isoDate(isDay: index % 2 == 0) else { continue }
      count += 1
      let read = try text.parsed { bytes throws(TextTrouble) in try DateParser.iso8601.seconds(bytes) }
      #expect(read == seconds, "\(text)")
    }
    #expect(count > 2000)
    #expect((86_400.0 * 3).isoDate(isDay: true) == "2001-01-04")
  }
}
