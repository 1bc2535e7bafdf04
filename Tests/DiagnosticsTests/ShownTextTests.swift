import Diagnostics
import TestSupport
import Testing

@Suite struct ShownTextTests {
  static let escapes: [Case<String, String>] = [
    Case("plain", "Ada, 36", "Ada, 36"),
    Case("letters of any script", "Zoë 東京 שלום 🙂", "Zoë 東京 שלום 🙂"),
    Case("line ends and tabs", "a\r\nb\tc\0", "a\\r\\nb\\tc\\0"),
    Case("what clears a terminal", "\u{1B}[2J\u{9B}2J\u{7F}", "\\u{1B}[2J\\u{9B}2J\\u{7F}"),
    Case("what turns the direction", "user\u{202E}nimda\u{2066}", "user\\u{202E}nimda\\u{2066}"),
    Case("what cannot be seen", "a\u{200B}b\u{FEFF}c\u{2028}d", "a\\u{200B}b\\u{FEFF}c\\u{2028}d"),
    Case("what is shown already", "a\\u{1F}b", "a\\u{1F}b"),
  ]

  @Test(arguments: escapes) func escaped(_ c: Case<String, String>) {
    #expect(ShownText.escaped(c.input) == c.expected)
    #expect(ShownText.line(c.input) == c.expected)
    #expect(ShownText.excerpt(c.input) == c.expected)
    #expect(ShownText.line(c.expected) == c.expected)
  }

  @Test func bytesThatAreNoText() {
    #expect(ShownText.line(String(decoding: [0x41, 0xFF, 0x00], as: UTF8.self)) == "A\u{FFFD}\\0")
  }

  @Test func lengths() {
    #expect(ShownText.excerpt(String(repeating: "é", count: 60)) == String(repeating: "é", count: 60))
    #expect(ShownText.excerpt(String(repeating: "é", count: 61)) == String(repeating: "é", count: 60) + "…")
    let line = ShownText.line("first" + String(repeating: "x", count: 1_000_000) + "last")
    #expect(line.hasPrefix("firstxxx") && line.hasSuffix("xxxlast") && line.count < 4000)
    #expect(ShownText.list((1...3).map(String.init)) == "1, 2, 3")
    #expect(ShownText.list((1...45).map(String.init)).hasSuffix(", 39, 40 and 5 more"))
  }

  @Test(arguments: [
    Case("a vowel", "entity", "an entity"), Case("none", "Binary", "a Binary"), Case("a sound", "URI", "a URI"),
    Case("another", "Undefined", "an Undefined"), Case("a capital", "Integer 16", "an Integer 16"),
  ])
  func article(_ c: Case<String, String>) { #expect(ShownText.withArticle(c.input) == c.expected) }

  @Test func severalTroublesOfOneRecord() {
    func trouble(_ number: Int) -> Diagnostic {
      Diagnostic(
        .init("a.\(number)", .reject), "wrong \(number)", hint: "Mend it.", at: SourcePosition(file: "f", line: number))
    }
    #expect([Diagnostic]().together == nil)
    #expect([trouble(1)].together == trouble(1))
    #expect([trouble(2), trouble(3)].together?.description == "f:2: wrong 2; wrong 3 [a.2]\n  Mend it.")
    #expect((1...12).map(trouble).together?.message.hasSuffix("wrong 10; and 2 more") == true)
  }
}
