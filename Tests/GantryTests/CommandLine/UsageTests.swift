import Diagnostics
import TestSupport
import Testing

@testable import Gantry

/// What is said of command lines that mean nothing.
struct UsageTests {
  private static let import_ = "import a.csv --model m --entity E --store s"

  static let messages: [Case<String, String>] = [
    Case("an unknown command", "frobnicate", "unknown command frobnicate [usage]\n  `gantry help` lists the commands."),
    Case(
      "one misspelled", "imprt x",
      "unknown command imprt [usage]\n  Did you mean gantry import? `gantry help` lists the commands."),
    Case(
      "no UTF-8", "inspect bad\u{FFFD}name",
      "the argument bad\u{FFFD}name is not UTF-8 [usage]\n  Rename the file, or name it by a link whose name is UTF-8."),
    Case(
      "help misspelled", "hlep",
      "unknown command hlep [usage]\n  Did you mean gantry help? `gantry help` lists the commands."
    ),
    Case(
      "half a command", "model",
      "model needs a command [usage]\n  There are model hash, model ddl, model diff, model create, model generate."),
    Case(
      "a wrong second half", "model hsah M",
      "unknown command model hsah [usage]\n  Did you mean gantry model hash? There are model hash, model ddl, model diff, model create, model generate."
    ),
    Case(
      "help for no command", "help frobnicate",
      "unknown command frobnicate [usage]\n  `gantry help` lists the commands."),
    Case(
      "an option first", "--quiet import", "unknown command --quiet [usage]\n  `gantry help` lists the commands."),
    Case(
      "an option of no command", "model hash --quiet M",
      "unknown option --quiet [usage.option]\n  `gantry help model hash` lists the options."),
    Case("no model", "model hash", "expected MODEL, found no operand [usage]\n  `gantry help model hash` says more."),
    Case(
      "two models", "model ddl A B", "expected MODEL, found 2 operands [usage]\n  `gantry help model ddl` says more."),
    Case(
      "no store", "model create A",
      "expected MODEL STORE, found 1 operand [usage]\n  `gantry help model create` says more."),
    Case(
      "nothing to import", "import",
      "nothing to import [usage]\n  Name a pipeline file, or files with --model, --entity and --store."),
    Case(
      "two pipelines", "import a.json5 b.json5",
      "a pipeline file stands alone, found 2 files [usage]\n  Import one after the other."),
    Case(
      "a pipeline and a file", "import a.csv b.json",
      "a pipeline file stands alone, found 2 files [usage]\n  Import one after the other."),
    Case(
      "a file's option with a pipeline", "import a.json5 --delimiter ;",
      "--delimiter does not go with a pipeline file [usage]\n  Write `delimiter` into its step."),
    Case(
      "no model for a file", "import a.csv --entity E --store s",
      "--model is missing [usage]\n  Without a pipeline file, --model, --entity and --store say what becomes of files."),
    Case(
      "no entity for a file", "import a.csv --model m --store s",
      "--entity is missing [usage]\n  Without a pipeline file, --model, --entity and --store say what becomes of files."
    ),
    Case(
      "no store for a file", "import a.csv --model m --entity E",
      "--store is missing [usage]\n  Without a pipeline file, --model, --entity and --store say what becomes of files."),
    Case(
      "a map without =", "\(import_) --map name",
      "--map is \"name\", expected ATTRIBUTE=COLUMN [usage.value]\n  It is the column that an attribute is made from."),
    Case(
      "a map without an attribute", "\(import_) --map =name",
      "--map is \"=name\", expected ATTRIBUTE=COLUMN [usage.value]\n  It is the column that an attribute is made from."),
    Case(
      "an attribute mapped twice", "\(import_) --map a=b --map a=c",
      "--map names the attribute a twice [usage.value]\n  Give it one column."),
    Case(
      "a format", "\(import_) --format json",
      "--format is \"json\", expected one of csv, txt, xml [usage.value]\n  It is the format of the files."),
    Case(
      "a name that tells no format", "import a.dat --model m --entity E --store s",
      "the format of a.dat by its name is unknown [usage]\n  Say --format csv|txt|xml."),
    Case(
      "standard input without a format", "import - --model m --entity E --store s",
      "the format of standard input is unknown [usage]\n  Say --format csv|txt|xml."),
    Case(
      "a limit", "\(import_) --skip-limit all",
      "--skip-limit is \"all\", expected a whole number from 0, or none [usage.value]\n"
        + "  It is how many records a step may refuse; none for any number."),
    Case(
      "no pipeline", "import none.json5",
      "none.json5: there is no such file, expected a pipeline [pipeline.file]\n  Check the path and its permissions."),
    Case(
      "a chunk", "\(import_) --chunk many",
      "--chunk is \"many\", expected a whole number from 1 [usage.value]\n  It is how many records are saved in one transaction."
    ),
  ]

  @Test(arguments: messages)
  func message(_ c: Case<String, String>) {
    let talk = Talk(.init(words: c.input))
    #expect(talk.errors == "gantry: \(c.expected)\n")
    #expect(talk.status == .usage)
    #expect(talk.output.isEmpty)
  }

  /// What is said of reject files; PIPELINE has the steps a and b.
  static let rejected: [Case<String, String>] = [
    Case(
      "a reject file without a pipeline", "import a.csv --rejected r.csv",
      "--rejected goes with a pipeline file [usage]\n  A reject file is a CSV file: import it as such."),
    Case(
      "a step without a reject file", "import PIPELINE --step a",
      "--step goes with --rejected [usage]\n  A pipeline runs all its steps."),
    Case(
      "one of several steps", "import PIPELINE --rejected r.csv",
      "the pipeline has 2 steps [usage]\n  Say --step with one of a, b."),
    Case(
      "an unknown step", "import PIPELINE --rejected r.csv --step c",
      "the pipeline has no step c [usage]\n  Say --step with one of a, b."),
  ]

  @Test(arguments: rejected)
  func messageAboutRejects(_ c: Case<String, String>) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      "{ model: 'm', store: 's', steps: [{ read: { csv: 'a.csv' } }, { name: 'b', read: { csv: 'a.csv' } }] }",
      to: "p.json5")
    let talk = Talk(.init(words: c.input.replacing("PIPELINE", with: path)))
    #expect(talk.errors == "gantry: \(c.expected)\n" && talk.status == .usage && talk.output.isEmpty)
  }

  /// Options that do not go with a pipeline file are those of its steps; each is refused, none is ignored.
  @Test(arguments: Command.import.options)
  func optionsWithAPipelineFile(_ option: OptionDescription) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("{ model: 'none', store: 's', steps: [] }", to: "p.json5")
    let values = [
      "date": "unix", "timeZone": "UTC", "decimalSign": ",", "groupingSign": ".", "storedUnit": "m",
      "encoding": "utf-8",
    ]
    var value = values[option.key] ?? "1"
    if case .choice(let words) = option.form { value = words[0] }
    let talk = Talk(["import", path, option.flag] + (option.form == .flag ? [] : [value]))
    let goes: Set = [
      "model", "modelVersion", "store", "chunk", "skipLimit", "rejects", "frameworkVersion", "journal", "template",
      "append", "reproducible", "sourceVersion", "mapping", "infer", "allowLoss", "copyUnchanged", "idMap", "restart",
      "quiet", "json",
      "rejected", "step",
    ]
    let isRefused = talk.errors.contains("\(option.flag) does not go with a pipeline file")
    #expect(isRefused == !goes.contains(option.key), "\(talk.errors)")
    #expect(talk.status == .usage)
  }
}
