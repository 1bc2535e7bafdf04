import Bytes
import Diagnostics
import TestSupport
import Testing

@testable import Records

struct FixedWidthReaderTests {
  typealias Input = (text: String, configure: @Sendable (inout ReaderConfiguration) -> Void)

  private static func split(_ column: String) -> String {
    "the column \"\(column)\" begins or ends inside a character of several bytes [txt.split-character]"
  }

  static let cases: [Case<Input, [String]>] = [
    Case(
      "characters", ("A001Ångström  12\nA002Plain      7\n", { $0.widths = [4, 8, 4] }),
      ["1|2|3", "A001|Ångström|12", "A002|Plain|7"]),
    Case(
      "characters counted as bytes",
      (
        "A001Ångström  12\nA002Plain      7\n",
        {
          $0.widths = [4, 8, 4]; $0.unit = .bytes
        }
      ),
      [
        "1|2|3", "A001|Ångstr\u{FFFD}|\u{FFFD}m",
        "  t.txt:1: " + split("2"),
        "A002|Plain|7",
      ]),
    Case(
      "bytes",
      (
        "B001Åsa      12\r\nB002Plain      7",
        {
          $0.widths = [4, 8, 4]; $0.unit = .bytes
        }
      ),
      ["1|2|3", "B001|Åsa|12", "B002|Plain|7"]),
    Case(
      "bytes counted as characters", ("B001Åsa      12\nB002Plain      7\n", { $0.widths = [4, 8, 4] }),
      [
        "1|2|3", "B001|Åsa|12", "  t.txt:1: expected a line of 16 characters, found 15 [txt.line-length]",
        "B002|Plain|7",
      ]),
    Case(
      "combining characters count", ("C001cafe\u{301}      5\n", { $0.widths = [4, 8, 4] }),
      ["1|2|3", "C001|cafe\u{301}|5"]),
    Case(
      "a place inside a character",
      (
        "aé\nab1\n",
        {
          $0.widths = [2, 1]; $0.unit = .bytes; $0.columns = ["x", "y"]
        }
      ),
      [
        "x|y", "a\u{FFFD}|\u{FFFD}",
        "  t.txt:1: " + split("x"), "ab|1",
      ]),
    Case(
      "short and long lines",
      ("12\n1\n123\n\n", { $0.widths = [1, 1] }),
      [
        "1|2", "1|2", "1|~", "  t.txt:2: expected a line of 2 characters, found 1 [txt.line-length]", "1|2",
        "  t.txt:3: expected a line of 2 characters, found 3 [txt.line-length]",
      ]),
    Case(
      "short and long lines allowed",
      (
        "12\n1\n123\n",
        {
          $0.widths = [1, 1]; $0.missingFields = .null; $0.extraFields = .ignore
        }
      ),
      ["1|2", "1|2", "1|~", "1|2"]),
    Case(
      "the last takes the rest",
      (
        "ab  cdef\nab\n#x\na\n",
        {
          $0.widths = [2]; $0.columns = ["x", "y"]; $0.comment = "#"
        }
      ),
      [
        "x|y", "ab|cdef", "ab|~", "a|~",
        "  t.txt:4: expected a line of at least 2 characters, found 1 [txt.line-length]",
      ]),
    Case(
      "fields by place",
      (
        "skip\n--ab 12\n",
        {
          $0.skipLines = 1;
          $0.fixedFields = [
            FixedField(name: "n", start: 6, width: nil), FixedField(name: "t", start: 3, width: 2),
          ]
        }
      ),
      ["n|t", "12|ab"]),
    Case(
      "names in the header",
      (
        "one two\n1   2  \n",
        {
          $0.widths = [4, 3]; $0.header = 1; $0.missingFields = .null
        }
      ),
      ["one|two", "1|2"]),
    Case(
      "not trimmed",
      (
        " a b \n",
        {
          $0.widths = [2, 3]; $0.trim = false
        }
      ), ["1|2", " a| b "]),
    Case(
      "NUL", ("a\0\n", { $0.widths = [2] }),
      [
        "1", "a\0", "  t.txt:1: found the character U+0000 (NUL), which no text may have [csv.nul]",
      ]),
    Case("CR", ("a\rb\r\rc", { $0.widths = [1] }), ["1", "a", "b", "c"]),
    Case(
      "nothing", ("", { $0.widths = [1] }),
      [
        "t.txt: the input is empty: expected at least one record or a header, found 0 bytes [input.empty]"
      ]),
    Case(
      "nothing, allowed",
      (
        "",
        {
          $0.widths = [1]; $0.allowEmpty = true
        }
      ), ["1"]),
  ]

  @Test(arguments: cases, [1, 2, 7, 65_536])
  func read(_ c: Case<Input, [String]>, window: Int) {
    #expect(dump { try fixedWidth(c.input.text.utf8, c.input.configure, window: window) } == c.expected)
  }
}
