import Diagnostics
import SQLiteStore

extension Command {
  static let check = Command(
    words: ["check"], operands: "STORE [--model MODEL] | MODEL --against FOLDER|GIT-REF",
    summary:
      "Say what is wrong with a store, or whether released versions of a model are unchanged and renames told.",
    options: CheckCommand.options, run: CheckCommand.run)
}

/// `gantry check`: what is checked depends on what the operand is.
enum CheckCommand {
  static let options =
    CheckStoreCommand.options + CheckModelCommand.options + [
      OptionDescription("json", .flag, "print what is wrong as JSON")
    ]

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitStatus {
    guard arguments.operands.count == 1 else {
      throw Diagnostic.operands("STORE or MODEL", found: arguments.operands.count)
    }
    let operand = ModelOperand(arguments.operands[0])
    let others = operand.isStore ? CheckModelCommand.options : CheckStoreCommand.options
    if let option = others.first(where: { arguments.has($0.key) }) {
      let kind = operand.isStore ? "store" : "model"
      throw Diagnostic.usage("\(option.flag) does not go with the \(kind) \(operand.path)", hint: nil)
    }
    let findings =
      operand.isStore
      ? try CheckStoreCommand.findings(operand.path, arguments, console)
      : try CheckModelCommand.findings(operand.path, arguments, console).map(CheckFinding.init)
    if arguments.has("json") {
      console.print(try JSONText.of(Report(checked: operand.path, findings: findings)))
    } else {
      for finding in findings { console.print(finding.text) }
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
  private(set) var hint: String?
  /// How many rows have it, and the primary keys of the first of them; nil for what is not of rows.
  private(set) var count: Int?
  private(set) var rows: [Int64]?
  /// The same for people.
  let text: String

  init(_ diagnostic: Diagnostic) {
    (code, message, hint, text) = (diagnostic.code.name, diagnostic.message, diagnostic.hint, "\(diagnostic)")
  }

  init(_ finding: StoreFinding) {
    (code, message, text) = (finding.code, finding.message, "\(finding.description) [\(finding.code)]")
    if finding.count > 0 { (count, rows) = (finding.count, finding.rows) }
  }
}
