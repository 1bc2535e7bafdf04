import Bytes
import Diagnostics
import TestSupport
import Testing

@testable import Records

struct DelimitedReaderTests {
  typealias Configure = @Sendable (inout ReaderConfiguration) -> Void
  typealias Input = (text: String, configure: Configure)

  static let cases: [Case<Input, [String]>] = [
    Case("plain", ("a,b\n1,2\n3,4\n", { _ in }), ["a|b", "1|2", "3|4"]),
    Case("last line without its end", ("a,b\n1,", { _ in }), ["a|b", "1|"]),
    Case(
      "a byte order mark before a quoted name", ("\u{FEFF}\"sku\",name\n1,\u{FEFF}x", { _ in }),
      ["sku|name", "1|\u{FEFF}x"]),
    Case(
      "line ends in quotes", ("a,b\r\n1,\"x\r\n\r\ny\"\r\n2,\"p\nq\"\r\n3,\"u\rv\"\r\n", { _ in }),
      ["a|b", "1|x\r\n\r\ny\"", "2|p\nq\"", "3|u\rv\""]),
    Case(
      "doubled quotes", ("a,b\n1,\"\"\"x\"\"\"\n2,\"\"\"\"\n3,\"\"\n4,\"\"\"a\"\",\"\"b\"\"\"", { _ in }),
      ["a|b", "1|\"x\"\"", "2|\"\"", "3|\"", "4|\"a\",\"b\"\""]),
    Case(
      "CR LF behind quotes", ("\"a\",\"b\"\r\n\"1\",\"NO\"\r\n\"2\",\"SE\"", { _ in }), ["a|b", "1\"|NO\"", "2\"|SE\""]),
    Case("CR", ("a,b\r1,2\r\r3,4\r", { _ in }), ["a|b", "1|2", "3|4"]),
    Case("empty lines", ("\n\r\na\n\n1\r\n\n\"\"\n2\n", { _ in }), ["a", "1", "\"", "2"]),
    Case("empty fields", ("a,b\n,\n", { _ in }), ["a|b", "|"]),
    Case(
      "NUL", ("a,b\n1,x\0y\n2,ok\n", { _ in }),
      ["a|b", "1|x\0y", "  t.csv:2:2: found the character U+0000 (NUL), which no text may have [csv.nul]", "2|ok"]),
    Case(
      "ragged", ("id,name,qty\n1,Bolt,10\n2,\"Nut\nM6\",5\n3,Washer\n4,Pin,7,extra\n5,Rivet,9\n", { _ in }),
      [
        "id|name|qty", "1|Bolt|10", "2|Nut\nM6\"|5", "3|Washer",
        "  t.csv:5: expected 3 fields, found 2 [csv.field-count]", "4|Pin|7|extra",
        "  t.csv:6: expected 3 fields, found 4 [csv.field-count]", "5|Rivet|9",
      ]),
    Case(
      "missing and extra fields allowed",
      (
        "a,b\n1\n2,3,4,\"5\"\n",
        {
          $0.missingFields = .null; $0.extraFields = .ignore
        }
      ), ["a|b", "1|~", "2|3"]),
    Case(
      "a stray quote", ("a,b\n1,x\"y\n2, \"z\"\n3,c\n", { _ in }),
      [
        "a|b", "1|x\"y",
        "  t.csv:2:2: found a quote inside a field that does not begin with one [csv.quote]", "2| \"z\"",
        "  t.csv:3:2: found a quote inside a field that does not begin with one [csv.quote]", "3|c",
      ]),
    Case(
      "text behind a closing quote", ("a,b\n\"x\"y,2\n\"x\" ,3\n", { _ in }),
      [
        "a|b", "x\"y\"|2",
        "  t.csv:2:1: expected the delimiter or the end of the line behind a closing quote, found something else [csv.quote]",
        "x\" \"|3",
        "  t.csv:3:1: expected the delimiter or the end of the line behind a closing quote, found something else [csv.quote]",
      ]),
    Case(
      "a quote that is not closed", ("a,b\n1,x\n2,\"y\n3,z\n4,w\n", { _ in }),
      [
        "a|b", "1|x", "2|y\n3,z\n4,w\n\"",
        "  t.csv:3:2: the quote opened on line 3 is not closed before the end of the file, so that the field takes everything "
          + "up to line 6 [csv.unterminated-quote]",
      ]),
    Case(
      "trimmed", ("a , b\n 1 ,\t\"x, y\" \n2,  \n \t\n3,\" q \"", { $0.trim = true }),
      ["a|b", "1|x, y\"", "2|", "3| q \""]),
    Case(
      "trimmed tabs",
      (
        "a\tb\n \t x \n",
        {
          $0.trim = true; $0.delimiter = "\t"
        }
      ), ["a|b", "|x"]),
    Case("a separator line", ("sep=;\r\nid;name\r\n1;Fir\r\n", { _ in }), ["id|name", "1|Fir"]),
    Case("a column called sep=x", ("sep=;\n1\n", { $0.separatorLine = false }), ["sep=;", "1"]),
    Case(
      "a separator line that is contradicted", ("sep=;\na\n", { $0.delimiter = "," }),
      ["t.csv:1: the first line says that the delimiter is \";\", `delimiter` says \",\" [csv.separator-line]"]),
    Case(
      "a name twice", ("id,name,Name,name\n1,2,3,4\n", { _ in }),
      ["t.csv:1:4: the columns 2 and 4 are both called \"name\" [csv.duplicate-column]"]),
    Case("names left out", ("id,,x\n1,2,3\n", { _ in }), ["id|2|x", "1|2|3"]),
    Case("no header", ("1,2\n3,4\n", { $0.header = 0 }), ["1|2", "1|2", "3|4"]),
    Case(
      "no header, and the first record is wrong", ("1,2\"\n3\n", { $0.header = 0 }),
      [
        "1|2", "1|2\"", "  t.csv:1:2: found a quote inside a field that does not begin with one [csv.quote]", "3",
        "  t.csv:2: expected 2 fields, found 1 [csv.field-count]",
      ]),
    Case("names given", ("1,2\n", { $0.columns = ["a", "b"] }), ["a|b", "1|2"]),
    Case(
      "names replaced",
      (
        "x,x\n1,2\n",
        {
          $0.columns = ["a", "b"]; $0.header = 1
        }
      ), ["a|b", "1|2"]),
    Case("two header lines", ("a,b\n,c\n1,2\n", { $0.header = 2 }), ["a|b c", "1|2"]),
    Case(
      "skipped lines and comments",
      (
        "x \"y\n\nz,\n# c\na,b\n1,2\n#3,4\n5,#6\n#",
        {
          $0.skipLines = 3; $0.comment = "#"
        }
      ),
      ["a|b", "1|2", "5|#6"]),
    Case(
      "escaped", ("a,b\n\"x\\\"y\",\\,\n\"\\\\\",p\\\nq\n", { $0.escape = "\\" }),
      ["a|b", "x\"y\"|,", "\\\"|p\nq"]),
    Case(
      "another quote",
      (
        "a;b\n'x;\"';'y'''\n",
        {
          $0.quote = "'"; $0.delimiter = ";"
        }
      ), ["a|b", "x;\"\"|y'\""]),
    Case("no quote", ("a,b\n\"1,2\"\n", { $0.quote = "" }), ["a|b", "\"1|2\""]),
    Case("a delimiter of two bytes", ("a§b\n1Â§\"2§\"\n", { $0.delimiter = "§" }), ["a|b", "1Â|2§\""]),
    Case(
      "a delimiter of several characters",
      (
        "a||b\n1|x||2\n3||\n",
        {
          $0.txt = "t.txt"; $0.delimiter = "||"
        }
      ),
      ["a|b", "1|x|2", "3|"]),
    Case("a tab as it is written", ("a\tb\n1\t2\n", { $0.delimiter = "\\t" }), ["a|b", "1|2"]),
    Case("tabs", ("a\tb\n1\t\"2\"\n", { $0.txt = "t.txt" }), ["a|b", "1|\"2\""]),
    Case(
      "blanks",
      (
        "a  b\tc\n  1 \t 2    3  \n\n   \n4 'x y' 5\n",
        {
          $0.txt = "t.txt"; $0.delimiter = "blanks"; $0.quote = "'"
        }
      ),
      ["a|b|c", "1|2|3", "4|x y\"|5"]),
    Case(
      "nothing", ("", { _ in }),
      [
        "t.csv: the input is empty: expected at least one record or a header, found 0 bytes [input.empty]"
      ]),
    Case("nothing, allowed", ("", { $0.allowEmpty = true }), ["w"]),
    Case("empty lines only", ("\n\n", { _ in }), ["t.csv: expected a header, found the end of the file [csv.header]"]),
    Case(
      "a broken header", ("a,\"b\n1,2\n", { _ in }),
      [
        "t.csv:1:2: the header cannot be read: the quote opened on line 1 is not closed before the end of the file, "
          + "so that the field takes everything up to line 3 [csv.header]"
      ]),
    Case("a header alone", ("a,b\n", { _ in }), ["a|b"]),
    Case("invalid UTF-8 goes through", ("a\n\u{FFFD}\n", { _ in }), ["a", "\u{FFFD}"]),
  ]

  @Test(arguments: cases, [1, 2, 7, 65_536])
  func read(_ c: Case<Input, [String]>, window: Int) {
    #expect(dump { try delimited(c.input.text, c.input.configure, window: window) } == c.expected)
  }
}
