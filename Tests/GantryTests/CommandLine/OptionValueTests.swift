import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import Gantry

/// A value that means nothing ends a command before it begins, whether anything goes by the option or not: what a crontab has
/// had wrong for years must not come out with the first file that has a date.
struct OptionValueTests {
  /// An option, a value, and what is said of it, on the command line and in a pipeline file alike.
  static let values: [Case<[String], String>] = [
    Case(
      "a date form", ["date", "QQQ"],
      "date: \"QQQ\" in \"QQQ\" is neither a form nor letters of a pattern [convert.option]"),
    Case("a date pattern without a year", ["date", "dd.MM."], "date: \"dd.MM.\" needs a year (yyyy) [convert.option]"),
    Case("a zone", ["timeZone", "Mars"], "timeZone: there is no zone \"Mars\" [convert.option]"),
    Case(
      "a sign", ["decimalSign", "5"],
      "decimalSign: expected one character that is no digit and no sign, found \"5\" [convert.option]"),
    Case(
      "another sign", ["groupingSign", "--"],
      "groupingSign: expected one character that is no digit and no sign, found \"--\" [convert.option]"),
    Case("a unit", ["storedUnit", "furlong"], "storedUnit: there is no unit \"furlong\" [convert.option]"),
    Case("an encoding", ["encoding", "klingon"], "`encoding` is \"klingon\", which is not known [reader.option]"),
    Case("a quote", ["quote", "ab"], "`quote` is \"ab\": expected one character of ASCII, or nothing [reader.option]"),
    Case(
      "an escape", ["escape", "é"], "`escape` is \"é\": expected one character of ASCII, or nothing [reader.option]"),
    Case(
      "a delimiter", ["delimiter", "\n"],
      "`delimiter` and `comment` may not contain line ends or U+0000 [reader.option]"),
    Case("no delimiter", ["delimiter", ""], "the option delimiter is empty [option.empty]"),
    Case("no comment", ["comment", ""], "the option comment is empty [option.empty]"),
    Case("no name", ["name", ""], "the option name is empty [option.empty]"),
    Case("no folder", ["rejects", ""], "the option rejects is empty [option.empty]"),
    Case("no template", ["template", ""], "the option template is empty [option.empty]"),
  ]

  /// The texts that may be empty.
  static let emptyTexts = [
    "quote", "escape", "constant", "whenNull", "separator", "nulls", "ignore", "columns",
  ]

  private func pipeline(_ option: String, _ value: String) -> String {
    let member = "\(option): \(value)"
    let isOfReader = ["encoding", "quote", "escape", "delimiter", "comment", "header", "skipLines"].contains(option)
    let isOfRun = ["rejects", "template", "chunk", "skipLimit", "frameworkVersion"].contains(option)
    return """
      { model: 'm', store: 's', \(isOfRun ? member : "chunk: 7"), steps: [
      { read: { csv: 'a.csv', \(isOfReader ? member : "header: 1") }, entity: 'E', \(isOfReader || isOfRun ? "" : member) } ] }
      """.replacing("chunk: 7, ", with: option == "chunk" ? "" : "chunk: 7, ")
  }

  @Test(arguments: values) func text(_ c: Case<[String], String>) throws {
    let option = try #require(Command.import.options.first { $0.key == c.input[0] })
    let talk = Talk(["import", "a.csv", "--model", "m", "--entity", "E", "--store", "s", option.flag, c.input[1]])
    #expect(talk.status == .usage && talk.errors.hasPrefix("gantry: \(c.expected)\n"), "\(talk.errors)")
    let value = "'\(c.input[1].replacing("\n", with: "\\n"))'"
    let error = #expect(throws: Diagnostic.self) {
      try PipelineFile.decode(pipeline(option.key, value), file: "p.json5")
    }
    let line = ["rejects", "template"].contains(option.key) ? 1 : 2
    #expect(
      error?.line.hasPrefix("p.json5:\(line):") == true && error?.line.hasSuffix(" \(c.expected)") == true,
      "\(error?.line ?? "")")
    #expect(error?.code.fate == .usage)
  }

  @Test(arguments: [
    Case("pivotYear", "-1", "is not from 0 to 9900"), Case("pivotYear", "9901", "is not from 0 to 9900"),
    Case("chunk", "0", "expected a whole number from 1"), Case("header", "-1", "expected a whole number from 0"),
    Case("skipLines", "-1", "expected a whole number from 0"),
    Case("frameworkVersion", "0", "expected a whole number from 1"),
    Case("skipLimit", "-1", "expected a whole number from 0, or none"),
    Case("skipLimit", "1e99", "expected a whole number from 0, or none"),
  ])
  func number(_ c: Case<String, String>) throws {
    let option = try #require(Command.import.options.first { $0.key == c.name })
    let talk = Talk(["import", "a.csv", "--model", "m", "--entity", "E", "--store", "s", option.flag, c.input])
    #expect(talk.status == .usage && talk.errors.contains(c.expected), "\(talk.errors)")
    let error = #expect(throws: Diagnostic.self) {
      try PipelineFile.decode(pipeline(option.key, c.input), file: "p.json5")
    }
    #expect(error?.line.contains(c.expected) == true || c.name == "pivotYear", "\(error?.line ?? "")")
    #expect(error?.code.fate == .usage)
  }

  /// Two options that contradict each other.
  @Test(arguments: [
    Case("--true yes --false yes", "true: ['yes'], false: ['yes']", "\"yes\" is a word for both"),
    Case("--true no", "true: ['no']", "\"no\" is a word for both"),
    Case("--decimal-sign , --grouping-sign ,", "decimalSign: ',', groupingSign: ','", "both are \",\""),
  ])
  func together(_ c: Case<String, String>) {
    let words = [String](words: "import a.csv --model m --entity E --store s \(c.name)")
    let talk = Talk(words)
    #expect(talk.status == .usage && talk.errors.contains(c.expected), "\(talk.errors)")
    let error = #expect(throws: Diagnostic.self) {
      try PipelineFile.decode("{ model: 'm', store: 's', steps: [\n{ read: {}, \(c.input) }] }", file: "p.json5")
    }
    #expect(error?.line.hasPrefix("p.json5:2:1: ") == true && error?.line.contains(c.expected) == true)
  }

  /// Each option that takes a text says what it does with none.
  @Test(arguments: Command.all.flatMap { command in command.options.map { Case(command.name, command, $0.key) } })
  func emptyText(_ c: Case<Command, String>) throws {
    let option = try #require(c.input.options.first { $0.key == c.expected })
    switch option.form {
    case .text, .list:
      #expect(option.allowsEmpty == Self.emptyTexts.contains(option.key), "\(option.flag)")
      guard !option.allowsEmpty else { return }
      let talk = Talk(c.input.words + ["\(option.flag)="])
      #expect(
        talk.status == .usage && talk.errors.hasPrefix("gantry: the option \(option.key) is empty [option.empty]\n"))
    default: return
    }
  }
}
