import Diagnostics
import SQLiteStore

extension Command {
  static let check = Command(
    words: ["check"], operands: "STORE [--model MODEL] | MODEL [--against FOLDER|GIT-REF] | PIPELINE.json5",
    summary:
      "Say what is wrong with a store; with the shadow attributes of a model, and whether released versions are unchanged and "
      + "renames told; or with a pipeline file and the model as the pipeline uses it.",
    options: CheckCommand.options, run: CheckCommand.run)
}

/// `gantry check`: what is checked depends on what the operand is.
enum CheckCommand {
  static let options =
    CheckStoreCommand.options + CheckModelCommand.options + [
      OptionDescription("json", .flag, "print what is wrong as JSON")
    ]

  /// What the operand is, and the options that go with it.
  private enum Kind: String {
    case store, model, pipeline

    init(_ operand: ModelOperand) {
      self = PipelineFile.isNamedSo(operand.path) ? .pipeline : operand.isStore ? .store : .model
    }

    var options: [OptionDescription] {
      switch self {
      case .store: CheckStoreCommand.options
      case .model: CheckModelCommand.options
      case .pipeline: []
      }
    }
  }

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitStatus {
    try arguments.expectOperands(1)
    let operand = ModelOperand(arguments.operands[0])
    let kind = Kind(operand)
    let known = kind.options.map(\.key) + ["json"]
    if let option = options.first(where: { arguments.has($0.key) && !known.contains($0.key) }) {
      throw Diagnostic.usage(
        "\(option.flag) does not go with the \(kind) \(operand.path)",
        hint: "Leave it out: `gantry help check` says what goes with which.")
    }
    let findings =
      switch kind {
      case .store: try CheckStoreCommand.findings(operand.path, arguments, console)
      case .model: try CheckModelCommand.findings(operand.path, arguments, console).map(CheckFinding.init)
      case .pipeline: try CheckPipelineCommand.findings(operand.path, console).map(CheckFinding.init)
      }
    if arguments.has("json") {
      console.write(try JSONText.of(Report(checked: operand.path, findings: findings)))
    } else {
      for line in findings.flatMap(\.lines) { console.print(line) }
    }
    return findings.isEmpty ? .done : .store
  }

  private struct Report: Encodable {
    var checked: String
    var findings: [CheckFinding]
  }
}

/// Something that is wrong, as `gantry check` tells it.
struct CheckFinding: Encodable {
  private enum CodingKeys: CodingKey { case code, message, hint, count, rows }

  let code: String
  let message: String
  /// How it is mended; nil where that depends on the rows.
  private(set) var hint: String?
  /// How many rows have it, and the primary keys of the first of them; nil for what is not of rows.
  private(set) var count: Int?
  private(set) var rows: [Int64]?
  /// The same for people.
  let lines: [String]

  init(_ diagnostic: Diagnostic) {
    (code, message, hint) = (diagnostic.code.name, diagnostic.message, diagnostic.hint)
    lines = [diagnostic.line, "  \(diagnostic.hint)"]
  }

  init(_ finding: StoreFinding) {
    (code, message) = (finding.code, finding.message)
    lines = ["\(finding.description) [\(finding.code)]"]
    if finding.count > 0 { (count, rows) = (finding.count, finding.rows) }
  }
}
