import Records
import TestSupport
import Testing

@testable import Gantry

/// How `gantry fetch` writes tables: columns stand below one another whatever characters are in them.
struct TableTests {
  /// Unicode, UAX #11, and what terminals make of marks and emoji.
  static let widths: [Case<String, Int>] = [
    Case("ASCII", "abc", 3), Case("an accent", "é", 1), Case("a combining one", "e\u{301}", 1),
    Case("ideographs", "大阪", 4), Case("kana", "かナ", 4), Case("half width kana", "ｶﾅ", 2), Case("full width", "Ａ", 2),
    Case("Hangul", "한글", 4), Case("Hangul in parts", "\u{1112}\u{1161}\u{11AB}", 2),
    Case("an ideographic space", "\u{3000}", 2),
    Case("Greek and Cyrillic", "αЖ", 2), Case("a euro", "€…", 2), Case("an emoji", "🎉", 2), Case("a flag", "🇮🇹", 2),
    Case("a family", "👩‍👩‍👧", 2), Case("a skin", "👍🏽", 2), Case("a heart as text", "\u{2764}", 1),
    Case("one as an emoji", "\u{2764}\u{FE0F}", 2), Case("a mark alone", "\u{301}", 0), Case("nothing", "", 0),
    Case("an extension B ideograph", "𠀋", 2),
  ]
  @Test(arguments: widths) func columns(_ c: Case<String, Int>) { #expect(c.input.columnCount == c.expected) }

  private func table(_ records: [[WrittenField]], width: Int? = nil) -> String {
    var lines = ""
    let writer = TableWriter([("city", false), ("n", true), ("name", false)], width: width) { lines += $0 + "\n" }
    for record in records { writer.write(record) }
    writer.finish()
    return lines
  }

  @Test func columnsAlign() {
    let records: [[WrittenField]] = [
      [.text("大阪"), .word("1"), .text("a")], [.text("Łódź"), .word("12"), .text("b")],
      [.null, .null, .text("e\u{301}🎉")],
      [.text("New York"), .word("3"), .null],
    ]
    #expect(
      table(records) == """
        city       n  name
        大阪       1  a
        Łódź      12  b
                      e\u{301}🎉
        New York   3

        """)
    // A wide character that has no room is left out.
    #expect(
      table([[.text("大阪大阪"), .word("1"), .null]], width: 6) == """
        city …
        大阪…

        """)
  }
}
