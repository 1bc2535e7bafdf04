import Diagnostics

extension Command {
  static let check = Command(
    words: ["check"], operands: "MODEL --against FOLDER|GIT-REF",
    summary: "Check that released versions of a model are unchanged, and that renames are told.",
    options: CheckCommand.options, run: CheckCommand.run)
}

/// `gantry check`: what is checked depends on what the operand is.
enum CheckCommand {
  static let options =
    CheckModelCommand.options + [
      OptionDescription("json", .flag, "print what is wrong as JSON")
    ]

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitStatus {
    guard arguments.operands.count == 1 else { throw Diagnostic.operands("MODEL", found: arguments.operands.count) }
    let operand = ModelOperand(arguments.operands[0])
    if operand.isStore { throw Diagnostic.usage("\(operand.path) is no model") }
    return try report(
      try CheckModelCommand.findings(operand.path, arguments, console), operand.path, arguments, console)
  }

  /// Prints what is wrong, and tells it by the exit code.
  private static func report(
    _ findings: [Diagnostic], _ operand: String, _ arguments: Arguments, _ console: Console
  ) throws -> ExitStatus {
    if arguments.has("json") {
      let items = findings.map { Report.Finding(code: $0.code.name, message: $0.message, hint: $0.hint) }
      console.print(try JSONText.of(Report(checked: operand, findings: items)))
    } else {
      for finding in findings { console.print("\(finding)") }
    }
    return findings.isEmpty ? .done : .store
  }

  private struct Report: Encodable {
    var checked: String
    var findings: [Finding]

    struct Finding: Encodable {
      var code: String
      var message: String
      var hint: String?
    }
  }
}
