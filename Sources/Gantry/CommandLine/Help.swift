import Diagnostics

/// The help, made from the table of commands and their options.
enum Help {
  /// The text for the words behind `help`.
  static func text(_ words: [String]) throws(Diagnostic) -> String {
    guard !words.isEmpty else { return overview }
    guard let command = Command.all.first(where: { $0.words == words }) else { throw Command.unknown(words) }
    return text(command)
  }

  /// All commands and exit codes.
  static var overview: String {
    let commands = Command.all.map { ("gantry \($0.name) \($0.operands)", $0.summary) }
    let codes = ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) }
    return """
      Gantry \(version): fills Core Data stores from txt, CSV and XML files.

      \(columns(commands))

      `gantry help COMMAND` lists the options of a command. Exit codes:

      \(columns(codes))
      """
  }

  /// One command with its options.
  static func text(_ command: Command) -> String {
    let options = command.options.filter { $0.form != .object }.map { option in
      (option.flag + valueName(option), option.help + (option.defaultText.map { " (default: \($0))" } ?? ""))
    }
    return """
      gantry \(command.name) \(command.operands)

      \(command.summary)

      \(columns(options))
      """
  }

  private static func valueName(_ option: OptionDescription) -> String {
    switch option.form {
    case .flag, .object: ""
    case .integer, .number: " N"
    case .text(let name), .list(let name): " " + name
    case .choice(let words): " " + words.joined(separator: "|")
    }
  }

  private static func columns(_ rows: [(String, String)]) -> String {
    let width = min(rows.map(\.0.count).max() ?? 0, 34)
    return rows.map { left, right in
      left.count <= width
        ? "  \(left)\(String(repeating: " ", count: width - left.count))  \(right)"
        : "  \(left)\n  \(String(repeating: " ", count: width))  \(right)"
    }.joined(separator: "\n")
  }
}
