import Diagnostics
import TestSupport
import Testing

@testable import Gantry

struct ArgumentsTests {
  static let options = [
    OptionDescription("dry", .flag, "do nothing"),
    OptionDescription("skipLines", .integer, "how many lines"),
    OptionDescription("factor", .number, "a factor"),
    OptionDescription("delimiter", .text("CHAR"), "what separates"),
    OptionDescription("unit", .choice(["characters", "bytes"]), "what counts"),
    OptionDescription("key", .list("NAME"), "a key"),
    OptionDescription("widths", .list("N"), "a width"),
  ]

  /// Command lines, and their operands and options as JSON.
  static let accepted: [Case<[String], String>] = [
    Case("nothing", [], "{}"),
    Case("operands", ["a", "b c", ""], "a|b c| {}"),
    Case("a flag", ["--dry"], #"{"dry":true}"#),
    Case("a flag twice", ["--dry", "--dry"], #"{"dry":true}"#),
    Case("an integer", ["--skip-lines", "3"], #"{"skipLines":3}"#),
    Case("an integer behind =", ["--skip-lines=-3"], #"{"skipLines":-3}"#),
    Case("a negative integer", ["--skip-lines", "-3"], #"{"skipLines":-3}"#),
    Case("a number", ["--factor", "1e-3"], #"{"factor":0.001}"#),
    Case("a text", ["--delimiter", ";"], #"{"delimiter":";"}"#),
    Case("a text of several words", ["--delimiter", "a b"], #"{"delimiter":"a b"}"#),
    Case("a hyphen as value", ["--delimiter", "-"], #"{"delimiter":"-"}"#),
    Case("two hyphens as value", ["--delimiter", "--"], #"{"delimiter":"--"}"#),
    Case("= as value", ["--delimiter", "="], #"{"delimiter":"="}"#),
    Case("= behind =", ["--delimiter=="], #"{"delimiter":"="}"#),
    Case("an empty value", ["--delimiter", ""], #"{"delimiter":""}"#),
    Case("an empty value behind =", ["--delimiter="], #"{"delimiter":""}"#),
    Case("another option's name behind =", ["--delimiter=--dry"], #"{"delimiter":"--dry"}"#),
    Case("a choice", ["--unit", "bytes"], #"{"unit":"bytes"}"#),
    Case("a list", ["--key", "a", "--key=b"], #"{"key":["a","b"]}"#),
    Case("a list of numbers", ["--widths", "4", "--widths", "8"], #"{"widths":[4,8]}"#),
    Case("options between operands", ["a", "--dry", "b", "--key", "c", "d"], #"a|b|d {"dry":true,"key":["c"]}"#),
    Case("standard input", ["-", "--dry"], #"- {"dry":true}"#),
    Case("the end of options", ["--dry", "--", "--key", "-"], #"--key|- {"dry":true}"#),
  ]

  @Test(arguments: accepted)
  func accepts(_ c: Case<[String], String>) throws {
    let arguments = try Arguments(c.input, options: Self.options)
    let members = JSONNode(.object(try arguments.members(of: Self.options))).json
    let operands = arguments.operands.joined(separator: "|")
    #expect((arguments.operands.isEmpty ? "" : operands + " ") + members == c.expected)
  }

  static let refused: [Case<[String], String>] = [
    Case("an unknown option", ["--what"], "unknown option --what [usage.option]\n  `gantry help` lists the options."),
    Case(
      "one misspelled", ["--skiplines", "3"], "unknown option --skiplines [usage.option]\n  Did you mean --skip-lines?"),
    Case("one misspelled, with =", ["--unti=x"], "unknown option --unti [usage.option]\n  Did you mean --unit?"),
    Case("a single hyphen", ["-d"], "unknown option -d [usage.option]\n  `gantry help` lists the options."),
    Case("a flag with a value", ["--dry=yes"], "--dry takes no value [usage.option]\n  Write --dry alone."),
    Case("no value", ["--key"], "--key needs a value [usage.option]\n  a key."),
    Case(
      "an option for a value", ["--delimiter", "--dry"], "--delimiter needs a value [usage.option]\n  what separates."),
    Case("twice", ["--unit", "bytes", "--unit", "bytes"], "--unit is given twice [usage.option]\n  Give it once."),
    Case(
      "no integer", ["--skip-lines", "3.5"],
      "--skip-lines is \"3.5\", expected a whole number [usage.value]\n  how many lines."),
    Case("no number", ["--factor", "nan"], "--factor is \"nan\", expected a number [usage.value]\n  a factor."),
    Case(
      "no choice", ["--unit", "inch"],
      "--unit is \"inch\", expected one of characters, bytes [usage.value]\n  what counts."),
    Case(
      "no number in a list", ["--widths", "4", "--widths", "x"],
      "--widths is \"x\", expected a whole number [usage.value]\n  a width."),
  ]

  @Test(arguments: refused)
  func refuses(_ c: Case<[String], String>) {
    let error = #expect(throws: Diagnostic.self) {
      _ = try Arguments(c.input, options: Self.options).members(of: Self.options)
    }
    #expect(error?.description == c.expected)
  }
}
