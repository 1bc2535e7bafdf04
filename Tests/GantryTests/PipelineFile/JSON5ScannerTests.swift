import Diagnostics
import TestSupport
import Testing

@testable import Gantry

struct JSON5ScannerTests {
  /// Texts and the plain JSON that they mean.
  static let accepted: [Case<String, String>] = [
    Case("nothing inside", "{}", "{}"),
    Case("words", "[null, true, false]", "[null,true,false]"),
    Case("unquoted keys", "{a: 1, $b_2: 2, ñandú: 3}", "{\"a\":1,\"$b_2\":2,\"ñandú\":3}"),
    Case("quoted keys", "{\"a b\": 1, 'c': 2}", "{\"a b\":1,\"c\":2}"),
    Case("reserved words as keys", "{null: 1, true: 2}", "{\"null\":1,\"true\":2}"),
    Case("trailing commas", "{a: [1, 2,],}", "{\"a\":[1,2]}"),
    Case("line comments", "// first\n{ // second\n a: 1 // third\n} // fourth", "{\"a\":1}"),
    Case("line comments that end with CR", "// first\r{a: 1}", "{\"a\":1}"),
    Case("block comments", "/* * / */{/**/a/***/:/*\n*/1}", "{\"a\":1}"),
    Case("blanks of all kinds", "\u{FEFF}\t\u{B}\u{C} \u{A0}\u{2028}\u{2003}[\r\n]\r", "[]"),
    Case("single quotes", "'it is \"so\"'", #""it is \"so\"""#),
    Case("double quotes", #""it isn't""#, #""it isn't""#),
    Case("escapes", #"'\b\f\n\r\t\v\0\\\'\"\/\q'"#, #""\u0008\u000c\u000a\u000d\u0009\u000b\u0000\\'\"/q""#),
    Case("numbered escapes", #"'\x41\u00e9\uD83D\uDE00'"#, "\"Aé😀\""),
    Case("line continuations", "'a\\\nb\\\r\nc\\\rd\\\u{2028}e'", "\"abcde\""),
    Case("line separators in texts", "'a\u{2028}b'", "\"a\u{2028}b\""),
    Case("whole numbers", "[0, -0, +7, -12]", "[0,-0,7,-12]"),
    Case("fractions", "[1.5, .5, 5., -.25]", "[1.5,0.5,5,-0.25]"),
    Case("exponents", "[1e3, 1E+3, 2.5e-3, 0e0]", "[1e3,1e3,2.5e-3,0e0]"),
    Case("hexadecimal", "[0xff, -0X10, +0x0]", "[255,-16,0]"),
    Case(
      "nothing lost of a long number", "12345678901234567890.12345678901234567890",
      "12345678901234567890.12345678901234567890"),
    Case("nested", "[[[{a: [{b: {}}]}]]]", "[[[{\"a\":[{\"b\":{}}]}]]]"),
    Case(
      "99 deep", String(repeating: "[", count: 99) + String(repeating: "]", count: 99),
      String(repeating: "[", count: 99) + String(repeating: "]", count: 99)),
  ]

  @Test(arguments: accepted)
  func means(_ c: Case<String, String>) throws {
    #expect(try JSON5Scanner.scan(c.input, file: "p.json5").json == c.expected)
  }

  /// What a scanner writes, it reads as the same.
  @Test(arguments: accepted)
  func plainJSONIsJSON5(_ c: Case<String, String>) throws {
    #expect(try JSON5Scanner.scan(c.expected, file: "p.json5").json == c.expected)
  }

  /// Texts that are refused, with the message and the place.
  static let refused: [Case<String, String>] = [
    Case("nothing", "", "1:1: found the end of the file, expected a value"),
    Case("comments alone", "// x\n", "2:1: found the end of the file, expected a value"),
    Case("a comment that is not closed", "{}\n /* x", "2:2: the comment is not closed"),
    Case("an object that is not closed", "{a: 1", "1:6: found the end of the file, expected , or }"),
    Case("a list that is not closed", "[1,", "1:4: found the end of the file, expected a value"),
    Case("something behind", "{} x", "1:4: found x, expected the end of the file"),
    Case("two commas", "[1,,2]", "1:4: found ,, expected a value"),
    Case("a comma first", "{,}", "1:2: found ,, expected a key or }"),
    Case("no comma", "{a: 1\n b: 2}", "2:2: found b, expected , or }"),
    Case("no comma in a list", "[1 2]", "1:4: found 2, expected , or ]"),
    Case("no colon", "{a 1}", "1:4: found 1, expected : behind the key a"),
    Case("no value", "{a: }", "1:5: found }, expected a value"),
    Case("a number as key", "{1: 2}", "1:2: found 1, expected a key or }"),
    Case("a key twice", "{a: 1,\n  'a': 2}", "2:3: the key a stands twice in one object\n  Remove one of them."),
    Case("a bare word", "{a: yes}", "1:5: found yes, expected a value\n  Put texts in quotes."),
    Case("Infinity", "[Infinity]", "1:2: found Infinity, expected a value\n  Put texts in quotes."),
    Case("minus Infinity", "[-Infinity]", "1:2: found -, expected a number"),
    Case("NaN", "NaN", "1:1: found NaN, expected a value\n  Put texts in quotes."),
    Case(
      "a text over two lines", "{\n  a: 'x\n'}",
      "2:6: the text is not closed on its line\n  Close it, or end the line with a backslash."),
    Case("a text that is not closed", "['x", "1:2: the text is not closed"),
    Case("a text that ends in a backslash", "'x\\", "1:4: the text is not closed"),
    Case("a short escape", #"'\x4'"#, "1:5: found ', expected 2 hexadecimal digits"),
    Case("an escape in other digits", #"'\u00４１'"#, "1:6: found ４, expected 4 hexadecimal digits"),
    Case("half of a pair", #"'\uD83D'"#, "1:8: half of a surrogate pair"),
    Case("the other half", #"'\uDE00'"#, "1:8: half of a surrogate pair"),
    Case("a pair of two firsts", #"'\uD83D\uD83D'"#, "1:14: half of a surrogate pair"),
    Case("a digit escaped", #"'\1'"#, "1:3: found 1, expected no digit behind a backslash"),
    Case("zero with a digit behind, escaped", #"'\01'"#, "1:4: found 1, expected no digit behind \\0"),
    Case("a sign alone", "[-]", "1:2: found -, expected a number"),
    Case("a point alone", "[.]", "1:2: found ., expected a number"),
    Case(
      "zeros before a number", "[0012]",
      "1:2: found 0012, expected a number without zeros before it\n  Put texts in quotes."),
    Case("an exponent without digits", "[1e]", "1:4: found ], expected the digits of an exponent"),
    Case("a number with a unit", "[12px]", "1:4: found p, expected the end of the number"),
    Case("hexadecimal without digits", "[0x]", "1:2: found a hexadecimal number that cannot be read"),
    Case("hexadecimal with letters behind", "[0xfg]", "1:5: found g, expected the end of the number"),
    Case("hexadecimal of 65 bits", "[0x10000000000000000]", "1:2: found a hexadecimal number that cannot be read"),
    Case("a backslash for a key", #"{\u0061: 1}"#, #"1:2: found \, expected a key or }"#),
    Case("too deep", String(repeating: "[", count: 101), "1:101: lists and objects nested more than 100 deep"),
    Case("lines that end with CR LF", "{\r\n\r\n  a: b}", "3:6: found b, expected a value\n  Put texts in quotes."),
    Case("lines that end with CR", "{\r\r  a: b}", "3:6: found b, expected a value\n  Put texts in quotes."),
    Case(
      "characters, not bytes, before the place", "{é: '😀', b: x}",
      "1:13: found x, expected a value\n  Put texts in quotes."),
    Case("behind a byte order mark", "\u{FEFF}x", "1:1: found x, expected a value\n  Put texts in quotes."),
  ]

  @Test(arguments: refused)
  func refuses(_ c: Case<String, String>) {
    let error = #expect(throws: Diagnostic.self) { try JSON5Scanner.scan(c.input, file: "p.json5") }
    let lines = c.expected.split(separator: "\n", maxSplits: 1)
    let hint = lines.count > 1 ? "\n" + lines[1] : ""
    #expect(error?.text(like: c.expected) == "p.json5:\(lines[0]) [pipeline.syntax]\(hint)")
    #expect(error?.code.fate == .usage)
  }

  /// Every beginning of a good text is refused, none crashes.
  @Test func everyPrefixIsRefused() {
    let text = #"{a: [1.5e3, 0x1F, 'x\u00e9\n', "\uD83D\uDE00"], /* b */ b: {c: null}, // d"# + "\n}"
    #expect(throws: Never.self) { try JSON5Scanner.scan(text, file: "p.json5") }
    for count in 0..<text.unicodeScalars.count {
      #expect(throws: Diagnostic.self) {
        try JSON5Scanner.scan(String(text.unicodeScalars.prefix(count)), file: "p.json5")
      }
    }
  }

  @Test func placesOfValues() throws {
    let tree = try JSON5Scanner.scan("{\n  steps: [\n    {}, { name: 'x' }],\n}", file: "p.json5")
    let name = try #require(tree["steps"]?[1]?["name"])
    #expect(name.position(in: "p") == SourcePosition(file: "p", line: 3, column: 17))
    #expect(tree["steps"]?[2] == nil && tree["other"] == nil && name["a"] == nil && name[0] == nil)
  }
}
