import Batch
import Bytes
import Conversion
import Diagnostics
import Records
import SQLiteStore

extension Command {
  static let `import` = Command(
    words: ["import"], operands: "PIPELINE.json5 | FILE... --model MODEL --entity NAME --store STORE",
    summary: "Fill a store from files: as a pipeline file says, or from files of one entity by the options.",
    options: ImportCommand.options, run: ImportCommand.run)
}

/// `gantry import`.
enum ImportCommand {
  /// What there is to say about the run itself.
  private static let talkOptions = [
    OptionDescription("idMap", .text("FILE"), "a CSV file for the ids of records and those of their objects"),
    OptionDescription("restart", .flag, "forget how far an unfinished run came, and begin anew"),
    OptionDescription("quiet", .flag, "print nothing when all is well"),
    OptionDescription("json", .flag, "print the summary as JSON on standard output"),
  ]

  private static let tuningOptions = RunConfiguration.options + SQLiteStoreOptions.options

  /// Options that go with a pipeline file, too: what they say wins.
  private static let pipelineOptions =
    [
      OptionDescription(
        "model", .text("MODEL"), "the model: .xcdatamodeld, .xcdatamodel, contents, .momd, .mom or a store"),
      Command.modelVersionOption,
      OptionDescription(
        "sourceVersion", .text("NAME"), "the version that the files are written for; their rows are mapped forward",
        default: "the same"),
      OptionDescription("store", .text("STORE"), "the store; it is made if it is not there"),
    ] + MappingConfiguration.options + tuningOptions

  private static let formatOption = OptionDescription(
    "format", .choice(formats), "the format of the files", default: "by the name's extension")

  private static let mapOption = OptionDescription(
    "map", .list("ATTRIBUTE=COLUMN"), "the column that an attribute is made from")

  /// A mended reject file goes through its step, whatever form the step's own input has.
  private static let rejectedOptions = [
    OptionDescription("rejected", .text("FILE"), "a mended reject file, read instead of the input of its step"),
    OptionDescription("step", .text("NAME"), "the step that the reject file is of", default: "the only one"),
  ]

  private static let formats = ReaderConfiguration.Format.allCases.map(\.rawValue)

  /// Options that make a step of each file.
  private static let fileOptions = [formatOption, mapOption] + stepOptions + readOptions

  // Of objects the command line spells only a map of columns.
  private static let stepOptions = StepConfiguration.options.filter { $0.form != .object }

  private static let readOptions = ReaderConfiguration.options.filter { option in
    option.form != .object && !formats.contains(option.key)
  }

  static let options: [OptionDescription] = (pipelineOptions + rejectedOptions + fileOptions + talkOptions)
    .withoutRepeatedKeys

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitStatus {
    StopSignals.install()
    let (pipeline, folder) = try pipeline(arguments)
    let idMap = try arguments.value("idMap").map { path throws(Diagnostic) in
      guard pipeline.steps.contains(where: { $0.id != nil }) else {
        throw .usage(
          "--id-map goes with steps that have an id", hint: "Say --id with the column that names the objects.")
      }
      return try IDMap(path)
    }
    let report = ImportReport(console, isQuiet: arguments.has("quiet"), asJSON: arguments.has("json"))
    return try ImportRun(pipeline, in: folder, restart: arguments.has("restart"), report: report, idMap: idMap)
      .run()
  }

  /// The pipeline that the words mean, and the folder that its paths are relative to.
  static func pipeline(_ arguments: Arguments) throws(Diagnostic) -> (pipeline: Pipeline, folder: String) {
    let files = arguments.operands
    for option in pipelineOptions + rejectedOptions where arguments.value(option.key) == "" {
      throw .optionValue(option, "", expected: "a value")
    }
    guard let first = files.first else {
      throw .usage("nothing to import", hint: "Name a pipeline file, or files with --model, --entity and --store.")
    }
    guard files.contains(where: PipelineFile.isNamedSo) else {
      if let option = rejectedOptions.first(where: { arguments.has($0.key) }) {
        throw .usage(
          "\(option.flag) goes with a pipeline file", hint: "A reject file is a CSV file: import it as such.")
      }
      return (try pipeline(of: files, arguments), ".")
    }
    guard files.count == 1 else { throw .severalPipelines(files.count) }
    if let option = fileOptions.first(where: { arguments.has($0.key) }) {
      throw .usage("\(option.flag) does not go with a pipeline file", hint: "Write `\(option.key)` into its step.")
    }
    var pipeline = try PipelineFile.read(first)
    let folder = FileSystem.folder(of: first)
    // Paths on the command line are relative to where the user is, not to the file.
    if let model = arguments.value("model") { pipeline.model = FileSystem.absolute(model) }
    if let store = arguments.value("store") { pipeline.store = FileSystem.absolute(store) }
    if let rejects = arguments.value("rejects") { pipeline.run.rejects = FileSystem.absolute(rejects) }
    pipeline.version = arguments.value("modelVersion") ?? pipeline.version
    pipeline.sourceVersion = arguments.value("sourceVersion") ?? pipeline.sourceVersion
    if let files = arguments.values["mapping"] { pipeline.mapping.mapping = files.map(FileSystem.absolute) }
    if arguments.has("infer") { pipeline.mapping.infer = true }
    if let names = arguments.values["allowLoss"] { pipeline.mapping.allowLoss = names }
    if arguments.has("copyUnchanged") { pipeline.mapping.copyUnchanged = true }
    try tune(&pipeline, arguments)
    if let file = arguments.value("rejected") {
      pipeline.steps = [try pipeline.step(arguments.value("step")).reading(rejected: FileSystem.absolute(file))]
    } else if arguments.has("step") {
      throw .usage("--step goes with --rejected", hint: "A pipeline runs all its steps.")
    }
    return (pipeline, folder)
  }

  /// Gives a pipeline what the command line says of its run and its new store.
  static func tune(_ pipeline: inout Pipeline, _ arguments: Arguments) throws(Diagnostic) {
    let overrides = try PipelineFile.decode(
      JSONNode(
        .object(
          [.init("model", .string("-")), .init("store", .string("-")), .init("steps", .array([]))]
            + arguments.members(of: tuningOptions))),
      file: "the command line")
    if arguments.has("chunk") { pipeline.run.chunk = overrides.run.chunk }
    if arguments.has("skipLimit") { pipeline.run.skipLimit = overrides.run.skipLimit }
    if arguments.has("frameworkVersion") { pipeline.newStore.frameworkVersion = overrides.newStore.frameworkVersion }
    if arguments.has("journal") { pipeline.newStore.journal = overrides.newStore.journal }
    if let template = arguments.value("template") { pipeline.newStore.template = FileSystem.absolute(template) }
    if arguments.has("append") { pipeline.newStore.append = true }
    if arguments.has("reproducible") { pipeline.newStore.reproducible = true }
  }

  /// A pipeline of one step a file, spelled as a pipeline file would be and read the same way.
  private static func pipeline(of files: [String], _ arguments: Arguments) throws(Diagnostic) -> Pipeline {
    for key in ["model", "entity", "store"] where !arguments.has(key) {
      throw .usage(
        "--\(key) is missing", hint: "Without a pipeline file, --model, --entity and --store say what becomes of files."
      )
    }
    _ = try arguments.members(of: [formatOption])
    var steps: [JSONNode] = []
    for file in files {
      var read = try arguments.members(of: readOptions)
      read.insert(.init(try format(of: file, arguments), .string(file)), at: 0)
      var step = try arguments.members(of: stepOptions)
      step.append(.init("read", .object(read)))
      step.append(.init("map", .object(try map(arguments))))
      steps.append(JSONNode(.object(step)))
    }
    var members = try arguments.members(of: MappingConfiguration.options + tuningOptions)
    members.append(.init("model", .string(arguments.value("model") ?? "")))
    members.append(.init("store", .string(arguments.value("store") ?? "")))
    if let version = arguments.value("modelVersion") { members.append(.init("version", .string(version))) }
    if let version = arguments.value("sourceVersion") { members.append(.init("sourceVersion", .string(version))) }
    members.append(.init("steps", .array(steps)))
    return try PipelineFile.decode(JSONNode(.object(members)), file: "the command line")
  }

  private static func map(_ arguments: Arguments) throws(Diagnostic) -> [JSONNode.Member] {
    var members: [JSONNode.Member] = []
    for word in arguments.values["map"] ?? [] {
      guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
        throw .optionValue(mapOption, word, expected: "ATTRIBUTE=COLUMN")
      }
      let attribute = String(word[..<equals])
      guard !members.contains(where: { $0.key == attribute }) else { throw .mappedTwice(attribute) }
      members.append(.init(attribute, .string(String(word[word.index(after: equals)...]))))
    }
    return members
  }

  private static func format(of file: String, _ arguments: Arguments) throws(Diagnostic) -> String {
    if let format = arguments.value("format") { return format }
    guard let format = ReaderConfiguration.Format(fileName: file) else {
      if FileSystem.kind(of: file) == .folder { throw .inputFolder(file) }
      let what = file == "-" ? "the format of standard input" : "the format of \(file) by its name"
      throw .usage("\(what) is unknown", hint: "Say --format \(formats.joined(separator: "|")).")
    }
    return format.rawValue
  }
}

extension Pipeline {
  /// The step of a name, or the only one.
  fileprivate func step(_ name: String?) throws(Diagnostic) -> StepConfiguration {
    let names = steps.map(\.effectiveName)
    if let index = name.map({ names.firstIndex(of: $0) }) ?? (steps.count == 1 ? 0 : nil) { return steps[index] }
    let message = name.map { "the pipeline has no step \($0)" } ?? "the pipeline has \(steps.count) steps"
    throw .usage(message, hint: "Say --step with one of \(names.joined(separator: ", ")).")
  }
}

extension StepConfiguration {
  /// The step with a reject file as its input: CSV with a header, as every reject file is.
  fileprivate func reading(rejected file: String) -> StepConfiguration {
    var step = self
    step.name = effectiveName
    step.read = ReaderConfiguration()
    step.read.csv = file
    return step
  }
}

extension [OptionDescription] {
  /// The first option of each key: one word means the same to reading and to conversion.
  fileprivate var withoutRepeatedKeys: [OptionDescription] {
    var seen: Set<String> = []
    return filter { seen.insert($0.key).inserted }
  }
}
