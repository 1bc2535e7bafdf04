import Diagnostics
import TestSupport
import Testing

@Suite struct DiagnosticTests {
  static let code = Diagnostic.Code("csv.field-count", .reject)

  static let printed: [Case<Diagnostic, String>] = [
    Case("nowhere", Diagnostic(code, "too few", hint: "Add one."), "too few [csv.field-count]\n  Add one."),
    Case(
      "in a file", Diagnostic(code, "too few", hint: "Add one.", at: SourcePosition(file: "a.csv")),
      "a.csv: too few [csv.field-count]\n  Add one."),
    Case(
      "on a line", Diagnostic(code, "too few", hint: "Add one.", at: SourcePosition(file: "a.csv", line: 4)),
      "a.csv:4: too few [csv.field-count]\n  Add one."),
    Case(
      "in a column with a hint",
      Diagnostic(code, "too few", hint: "Add one.", at: SourcePosition(file: "a.csv", line: 4, column: 2)),
      "a.csv:4:2: too few [csv.field-count]\n  Add one."),
    Case(
      "of texts that a terminal would obey",
      Diagnostic(code, "found \"a\u{1F}\u{1B}[2J\nb\"", hint: "Remove \u{202E}.", at: SourcePosition(file: "a\nb.csv")),
      "a\\nb.csv: found \"a\\u{1F}\\u{1B}[2J\\nb\" [csv.field-count]\n  Remove \\u{202E}."),
  ]

  @Test(arguments: printed) func description(_ c: Case<Diagnostic, String>) {
    #expect(c.input.description == c.expected)
  }

  @Test func placeIsKept() {
    let first = SourcePosition(file: "a.csv", line: 4)
    #expect(Diagnostic(Self.code, "x", hint: "y").at(first).position == first)
    #expect(Diagnostic(Self.code, "x", hint: "y", at: first).at(SourcePosition(file: "b.csv")).position == first)
  }

  @Test(arguments: [Case("one word", "quote", "--quote"), Case("two words", "skipLines", "--skip-lines")])
  func flag(_ c: Case<String, String>) {
    #expect(OptionDescription(c.input, .flag, "").flag == c.expected)
  }
}
