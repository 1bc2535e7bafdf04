import Diagnostics

/// The help, made from the table of commands and their options: lines of at most 100 characters.
enum Help {
  private static let width = 100

  /// The lines for the words behind `help`.
  static func text(_ words: [String]) throws(Diagnostic) -> [String] {
    guard !words.isEmpty else { return overview }
    if let command = Command.all.first(where: { $0.words == words }) { return text(command) }
    let inner = Command.all.filter { $0.words.starts(with: words) }
    guard !inner.isEmpty else { throw Command.unknown(words) }
    return commands(inner) + ["", "`gantry help COMMAND` lists the options of a command."]
  }

  /// All commands and exit codes.
  static var overview: [String] {
    let codes = columns(ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) })
    return ["Gantry \(version): fills Core Data stores from txt, CSV and XML files.", ""] + commands(Command.all)
      + ["", "`gantry help COMMAND` lists the options of a command. Exit codes:", ""] + codes
  }

  /// One command with its options.
  static func text(_ command: Command) -> [String] {
    let options = command.options.filter { $0.form != .object }.map { option in
      (option.flag + valueName(option), option.help + (option.defaultText.map { " (default: \($0))" } ?? ""))
    }
    return command.lines + [""] + wrapped(command.summary, width) + [""] + columns(options)
  }

  private static func commands(_ commands: [Command]) -> [String] {
    commands.flatMap { command in
      command.lines.map { "  \($0)" } + wrapped(command.summary, width - 6).map { "      \($0)" }
    }
  }

  private static func valueName(_ option: OptionDescription) -> String {
    switch option.form {
    case .flag, .object: ""
    case .integer, .number: " N"
    case .count(let word): " N|\(word)"
    case .text(let name), .list(let name): " " + name
    case .choice(let words): " " + words.joined(separator: "|")
    }
  }

  private static func columns(_ rows: [(String, String)]) -> [String] {
    let left = min(rows.map(\.0.count).max() ?? 0, 26)
    return rows.flatMap { name, text in
      let lines = wrapped(text, width - left - 4)
      let isShort = name.count <= left
      let first =
        isShort ? [name + String(repeating: " ", count: left - name.count) + "  " + (lines.first ?? "")] : [name]
      return (first + lines.dropFirst(isShort ? 1 : 0).map { String(repeating: " ", count: left + 2) + $0 })
        .map { "  \($0)" }
    }
  }

  /// A text in lines of a width, cut at blanks.
  private static func wrapped(_ text: String, _ width: Int) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= width {
        lines[lines.count - 1] = "\(last) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }
}

extension Command {
  /// How it is called, a line for each way.
  fileprivate var lines: [String] { operands.split(separator: " | ").map { "gantry \(name) \($0)" } }
}
