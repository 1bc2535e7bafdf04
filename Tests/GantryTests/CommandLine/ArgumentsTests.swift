import Diagnostics
import TestSupport
import Testing

@testable import Gantry

struct ArgumentsTests {
  static let options = command.options
  private static let command = Command(
    words: ["test"], operands: "FILE...", summary: "Test.",
    options: [
      OptionDescription("dry", .flag, "do nothing"),
      OptionDescription("skipLines", .integer(atLeast: -5), "how many lines"),
      OptionDescription("factor", .number, "a factor"),
      OptionDescription("delimiter", .text("CHAR"), "what separates", allowsEmpty: true),
      OptionDescription("limit", .count(orWord: "none"), "a limit"),
      OptionDescription("name", .text("NAME"), "a name"),
      OptionDescription("unit", .choice(["characters", "bytes"]), "what counts"),
      OptionDescription("key", .list("NAME"), "a key"),
      OptionDescription("widths", .list("N"), "a width"),
    ]
  ) { _, _ in .done }

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
    Case("a limit", ["--limit", "7"], #"{"limit":"7"}"#),
    Case("no limit", ["--limit", "none"], #"{"limit":"none"}"#),
    Case("a list", ["--key", "a", "--key=b"], #"{"key":["a","b"]}"#),
    Case("a list of numbers", ["--widths", "4", "--widths", "8"], #"{"widths":[4,8]}"#),
    Case("options between operands", ["a", "--dry", "b", "--key", "c", "d"], #"a|b|d {"dry":true,"key":["c"]}"#),
    Case("standard input", ["-", "--dry"], #"- {"dry":true}"#),
    Case("the end of options", ["--dry", "--", "--key", "-"], #"--key|- {"dry":true}"#),
  ]

  @Test(arguments: accepted)
  func accepts(_ c: Case<[String], String>) throws {
    let arguments = try Arguments(c.input, of: Self.command)
    let members = JSONNode(.object(try arguments.members(of: Self.options))).json
    let operands = arguments.operands.joined(separator: "|")
    #expect((arguments.operands.isEmpty ? "" : operands + " ") + members == c.expected)
  }

  static let refused: [Case<[String], String>] = [
    Case(
      "an unknown option", ["--what"], "unknown option --what [usage.option]\n  `gantry help test` lists the options."),
    Case(
      "one misspelled", ["--skiplines", "3"],
      "unknown option --skiplines [usage.option]\n  Did you mean --skip-lines? `gantry help test` lists the options."),
    Case(
      "one misspelled, with =", ["--unti=x"],
      "unknown option --unti [usage.option]\n  Did you mean --unit? `gantry help test` lists the options."),
    Case("a single hyphen", ["-d"], "unknown option -d [usage.option]\n  `gantry help test` lists the options."),
    Case("a flag with a value", ["--dry=yes"], "--dry takes no value [usage.option]\n  Write --dry alone."),
    Case("no value", ["--key"], "--key needs a value [usage.option]\n  It is a key."),
    Case(
      "an option for a value", ["--delimiter", "--dry"],
      "--delimiter needs a value [usage.option]\n  It is what separates."),
    Case("twice", ["--unit", "bytes", "--unit", "bytes"], "--unit is given twice [usage.option]\n  Give it once."),
    Case(
      "no integer", ["--skip-lines", "3.5"],
      "--skip-lines is \"3.5\", expected a whole number from -5 [usage.value]\n  It is how many lines."),
    Case("no number", ["--factor", "nan"], "--factor is \"nan\", expected a number [usage.value]\n  It is a factor."),
    Case(
      "no choice", ["--unit", "inch"],
      "--unit is \"inch\", expected one of characters, bytes [usage.value]\n  It is what counts."),
    Case(
      "no number in a list", ["--widths", "4", "--widths", "x"],
      "--widths is \"x\", expected a whole number [usage.value]\n  It is a width."),
    Case(
      "an integer too small", ["--skip-lines", "-6"],
      "--skip-lines is \"-6\", expected a whole number from -5 [usage.value]\n  It is how many lines."),
    Case(
      "a limit below 0", ["--limit", "-1"],
      "--limit is \"-1\", expected a whole number from 0, or none [usage.value]\n  It is a limit."),
    Case(
      "a limit too large", ["--limit", "1e99"],
      "--limit is \"1e99\", expected a whole number from 0, or none [usage.value]\n  It is a limit."),
    Case(
      "an empty text", ["--name", ""],
      "the option name is empty [option.empty]\n  Leave it out, or give it a value: a name."),
    Case(
      "an empty text in a list", ["--key", "a", "--key="],
      "the option key is empty [option.empty]\n  Leave it out, or give it a value: a key."),
  ]

  @Test(arguments: refused)
  func refuses(_ c: Case<[String], String>) {
    let error = #expect(throws: Diagnostic.self) {
      _ = try Arguments(c.input, of: Self.command).members(of: Self.options)
    }
    #expect(error?.description == c.expected)
  }
}
