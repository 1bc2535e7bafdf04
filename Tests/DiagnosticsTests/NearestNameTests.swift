import Diagnostics
import TestSupport
import Testing

@Suite struct NearestNameTests {
  static let cases: [Case<String, String?>] = [
    Case("a letter missing", "delimter", "delimiter"),
    Case("two letters swapped", "qoute", "quote"),
    Case("another case", "SKIPLINES", "skipLines"),
    Case("nothing near", "colour", nil),
    Case("exact", "quote", "quote"),
  ]

  @Test(arguments: cases) func nearest(_ c: Case<String, String?>) {
    #expect(NearestName.of(c.input, in: ["delimiter", "quote", "skipLines"]) == c.expected)
  }

  @Test func question() {
    #expect(NearestName.question("qoute", in: ["quote"]) == "Did you mean quote? ")
    #expect(NearestName.question("colour", in: ["quote"]) == "")
  }
}
