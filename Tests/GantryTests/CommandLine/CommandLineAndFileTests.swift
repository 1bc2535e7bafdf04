import Diagnostics
import Foundation
import SQLiteStore
import TestSupport
import Testing
import Values

@testable import Gantry

/// What a command line says is what a pipeline file says: the same options, the same pipeline.
struct CommandLineAndFileTests {
  typealias Members = (step: String, pipeline: String)

  /// Options behind `import in.csv`, and the members of the step and of the pipeline that mean the same.
  static let pairs: [Case<[String], Members>] = [
    Case("nothing", [], ("", "")),
    Case("a version", ["--model-version", "V2"], ("", "version: 'V2'")),
    Case(
      "another version of the inputs",
      [
        "--source-version", "V1", "--mapping", "a", "--mapping", "b", "--infer", "--allow-loss", "E.x",
        "--copy-unchanged",
      ],
      ("", "sourceVersion: 'V1', mapping: ['a', 'b'], infer: true, allowLoss: ['E.x'], copyUnchanged: true")),
    Case(
      "the run", ["--chunk", "7", "--skip-limit", "none", "--rejects", "out"],
      ("", "chunk: 7, skipLimit: 'none', rejects: 'out'")),
    Case("a limit in digits", ["--skip-limit", "0"], ("", "skipLimit: 0")),
    Case(
      "a new store",
      ["--framework-version", "1400", "--journal", "wal", "--template", "t", "--append", "--reproducible"],
      ("", "frameworkVersion: 1400, journal: 'wal', template: 't', append: true, reproducible: true")),
    Case("a name", ["--name", "people"], ("name: 'people'", "")),
    Case(
      "keys", ["--key", "a", "--key", "b", "--on-conflict", "update"], ("key: ['a', 'b'], onConflict: 'update'", "")),
    Case("names", ["--id", "a", "--linked-later"], ("id: 'a', linkedLater: true", "")),
    Case("maps", ["--map", "a=x y", "--map", "b=c=d"], ("map: { a: 'x y', b: 'c=d' }", "")),
    Case("what is ignored", ["--ignore", "x", "--ignore", "*"], ("ignore: ['x', '*']", "")),
    Case(
      "conversion",
      [
        "--date", "dd/MM/yyyy", "--time-zone", "Europe/Berlin", "--pivot-year", "1950", "--decimal-sign", ",",
        "--grouping-sign", ".", "--non-finite", "--true", "ja", "--true", "y", "--false", "nein", "--nulls", "\\N",
        "--nulls", "", "--quoted-nulls", "--binary", "hex", "--scale", "1", "--empty", "text", "--nfc",
        "--decimal-loss",
        "accept", "--color-space", "cmyk", "--hex-alpha", "first", "--stored-unit", "cm",
      ],
      (
        "date: 'dd/MM/yyyy', timeZone: 'Europe/Berlin', pivotYear: 1950, decimalSign: ',', groupingSign: '.', "
          + "nonFinite: true, true: ['ja', 'y'], false: ['nein'], nulls: ['\\\\N', ''], quotedNulls: true, binary: 'hex', "
          + "scale: 1, empty: 'text', nfc: true, decimalLoss: 'accept', colorSpace: 'cmyk', hexAlpha: 'first', "
          + "storedUnit: 'cm'", ""
      )),
  ]

  @Test(arguments: pairs)
  func sameStep(_ c: Case<[String], Members>) throws {
    let text =
      "{ model: 'm', store: 's', steps: [{ read: { csv: 'in.csv' }, entity: 'E'"
      + (c.expected.step.isEmpty ? "" : ", ") + c.expected.step + " }]"
      + (c.expected.pipeline.isEmpty ? "" : ", ") + c.expected.pipeline + " }"
    let (pipeline, folder) = try Self.pipeline(["in.csv"] + c.input)
    #expect(try pipeline == PipelineFile.decode(text, file: "p.json5"))
    #expect(folder == ".")
  }

  /// A file with options for its reader, and what `read` says.
  static let readers: [Case<[String], String>] = [
    Case("CSV", ["a.csv"], "csv: 'a.csv'"),
    Case("compressed", ["a.CSV.gz"], "csv: 'a.CSV.gz'"),
    Case("tabs", ["a.tsv"], "txt: 'a.tsv'"),
    Case("XML", ["a.xml", "--record", "a/b", "--keep-partial"], "xml: 'a.xml', record: 'a/b', keepPartial: true"),
    Case("a format that the name does not tell", ["a.dat", "--format", "xml"], "xml: 'a.dat'"),
    Case("standard input", ["-", "--format", "csv"], "csv: '-'"),
    Case(
      "delimited",
      [
        "a.csv", "--delimiter", ";", "--quote", "", "--escape", "\\", "--header", "2", "--columns", "a", "--columns",
        "b",
        "--skip-lines", "1", "--comment", "#", "--missing-fields", "null", "--extra-fields", "ignore", "--encoding",
        "utf-16", "--separator-line", "--allow-empty",
      ],
      "csv: 'a.csv', delimiter: ';', quote: '', escape: '\\\\', header: 2, columns: ['a', 'b'], skipLines: 1, "
        + "comment: '#', missingFields: 'null', extraFields: 'ignore', encoding: 'utf-16', separatorLine: true, "
        + "allowEmpty: true"),
    Case(
      "fixed width", ["a.txt", "--widths", "4", "--widths", "8", "--unit", "bytes"],
      "txt: 'a.txt', widths: [4, 8], unit: 'bytes'"),
  ]

  @Test(arguments: readers)
  func sameReader(_ c: Case<[String], String>) throws {
    let text = "{ model: 'm', store: 's', steps: [{ read: { \(c.expected) }, entity: 'E' }] }"
    #expect(try Self.pipeline(c.input).pipeline == PipelineFile.decode(text, file: "p.json5"))
  }

  /// One word that means the same to the reader and to conversion.
  @Test func trim() throws {
    let step = try Self.pipeline(["a.csv", "--trim"]).pipeline.steps[0]
    #expect(step.read.trim == true && step.conversion.trim == true)
  }

  /// Several files are several steps.
  @Test func files() throws {
    let text = """
      { model: 'm', store: 's', steps: [
        { read: { csv: 'a.csv' }, entity: 'E', key: ['k'] }, { read: { xml: 'b.xml' }, entity: 'E', key: ['k'] } ] }
      """
    #expect(
      try Self.pipeline(["a.csv", "b.xml", "--key", "k"]).pipeline == PipelineFile.decode(text, file: "p.json5"))
  }

  /// Every option that a command line can spell stands in a pair above, and every one of a pipeline can be spelled.
  @Test func everyOptionHasAPair() {
    let spelled = Set((Self.pairs.map(\.input) + Self.readers.map(\.input)).joined().filter { $0.hasPrefix("--") })
    let others: Set = [
      "--model", "--store", "--entity", "--restart", "--quiet", "--json", "--trim", "--rejected", "--step", "--id-map",
    ]
    #expect(Set(Command.import.options.map(\.flag)) == spelled.union(others))
    let files = ReaderConfiguration.Format.allCases.map(\.rawValue)
    let ours = Set(Command.import.options.map(\.key)).union(files + ["version"])
    for option in Pipeline.options + StepConfiguration.options + ReaderConfiguration.options
    where option.form != .object {
      #expect(ours.contains(option.key), "\(option.key)")
    }
  }

  /// What the command line says beside a pipeline file wins, and its paths are relative to where the user is.
  @Test func besideAPipelineFile() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(
      "{ model: 'm', version: 'V1', store: 's', steps: [], chunk: 1, skipLimit: 1, rejects: 'r', frameworkVersion: 1 }",
      to: "p.json5")
    let plain = try ImportCommand.pipeline(Arguments([path], of: .import))
    #expect(plain.folder == folder.url.path)
    #expect(try plain.pipeline == PipelineFile.read(path))

    let here = FileManager.default.currentDirectoryPath
    let changes: [Case<[String], @Sendable (inout Pipeline) -> Void>] = [
      Case("model", ["--model", "m2"], { $0.model = here + "/m2" }),
      Case("version", ["--model-version", "V2"], { $0.version = "V2" }),
      Case("source", ["--source-version", "V0"], { $0.sourceVersion = "V0" }),
      Case("mapping", ["--mapping", "m.json5"], { $0.mapping.mapping = [here + "/m.json5"] }),
      Case("inferred", ["--infer"], { $0.mapping.infer = true }),
      Case("losses", ["--allow-loss", "E"], { $0.mapping.allowLoss = ["E"] }),
      Case("copies", ["--copy-unchanged"], { $0.mapping.copyUnchanged = true }),
      Case("store", ["--store", "/tmp/s2"], { $0.store = "/tmp/s2" }),
      Case("chunk", ["--chunk", "2"], { $0.run.chunk = 2 }),
      Case("limit", ["--skip-limit", "2"], { $0.run.skipLimit = .upTo(2) }),
      Case("rejects", ["--rejects", "r2"], { $0.run.rejects = here + "/r2" }),
      Case("framework", ["--framework-version", "2"], { $0.newStore.frameworkVersion = 2 }),
      Case("journal", ["--journal", "wal"], { $0.newStore.journal = .wal }),
      Case("template", ["--template", "t"], { $0.newStore.template = here + "/t" }),
      Case("append", ["--append"], { $0.newStore.append = true }),
      Case("reproducible", ["--reproducible"], { $0.newStore.reproducible = true }),
    ]
    for change in changes {
      var expected = plain.pipeline
      change.expected(&expected)
      let arguments = try Arguments([path] + change.input, of: .import)
      #expect(try ImportCommand.pipeline(arguments).pipeline == expected, "\(change.name)")
    }
  }

  private static func pipeline(_ words: [String]) throws -> (pipeline: Pipeline, folder: String) {
    let target = ["--model", "m", "--store", "s", "--entity", "E"]
    return try ImportCommand.pipeline(Arguments(words + target, of: .import))
  }
}
