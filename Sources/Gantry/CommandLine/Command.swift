public import Diagnostics

/// A command of the tool: its words, its options and what it does.
///
/// The tool, its help and the tests that compare both with the documentation go by this one table.
public struct Command: Sendable {
  /// The words that call it, e.g. `["model", "hash"]`.
  public let words: [String]
  /// What follows the words in the help, e.g. `MODEL`; several ways stand with ` | ` between.
  public let operands: String
  /// What it does, in one line.
  public let summary: String
  /// Its options.
  public let options: [OptionDescription]
  /// Runs it.
  let run: @Sendable (Arguments, Console) throws -> ExitStatus

  /// All commands, in the order of the help.
  public static let all: [Command] = [
    .import, .export, .fetch, .migrate, .fixtures, .inspect, .check, .modelHash, .modelDDL, .modelDiff, .modelCreate,
    .modelGenerate,
  ]

  /// The name: the words with blanks between.
  public var name: String { words.joined(separator: " ") }
}

extension Command {
  /// Runs a whole command line, without the program's name, and says what went wrong.
  public static func run(_ words: [String], console: Console) -> ExitStatus {
    do {
      return try dispatch(words, console: console)
    } catch let diagnostic as Diagnostic {
      console.note("gantry: ", diagnostic)
      return ExitStatus(diagnostic.code.fate)
    } catch {
      // Every error of ours is a diagnostic; what comes from elsewhere is trouble of the machine.
      console.note("gantry: \(error) [environment.unexpected]")
      return .environment
    }
  }

  private static func dispatch(_ words: [String], console: Console) throws -> ExitStatus {
    guard let first = words.first else {
      for line in Help.overview { console.note(line) }
      return .usage
    }
    if ["help", "--help", "-h"].contains(first) {
      for line in try Help.text(Array(words.dropFirst())) { console.print(line) }
      return .done
    }
    if first == "--version" {
      console.print("gantry \(version)")
      return .done
    }
    guard let command = all.first(where: { words.starts(with: $0.words) }) else {
      // A word that several commands begin with.
      guard words.count == 2, ["--help", "-h"].contains(words[1]) else { throw unknown(words) }
      for line in try Help.text([first]) { console.print(line) }
      return .done
    }
    // Swift puts this character in the place of bytes that are no text; a file of that name would be another one.
    if let word = words.first(where: { $0.contains("\u{FFFD}") }) {
      throw Diagnostic.usage(
        "the argument \(ShownText.excerpt(word)) is not UTF-8",
        hint: "Rename the file, or name it by a link whose name is UTF-8.")
    }
    let rest = words.dropFirst(command.words.count)
    if rest.contains("--help") || rest.contains("-h") {
      for line in Help.text(command) { console.print(line) }
      return .done
    }
    let arguments = try Arguments(rest, of: command)
    try arguments.validate()
    return try command.run(arguments, console)
  }

  static func unknown(_ words: [String]) -> Diagnostic {
    let inner = all.filter { $0.words.count > 1 && $0.words[0] == words[0] }
    if !inner.isEmpty {
      let known = "There are \(inner.map(\.name).joined(separator: ", "))."
      guard words.count > 1 else { return .usage("\(words[0]) needs a command", hint: known) }
      return .usage(
        "unknown command \(words[0]) \(words[1])", hint: meant(words.prefix(2).joined(separator: " ")) + known)
    }
    return .usage(
      "unknown command \(words[0])", hint: "\(meant(words[0]))`gantry help` lists the commands.")
  }

  /// What a hint begins with when a command is near to what was written, with or without its second word.
  private static func meant(_ words: String) -> String {
    let known = Set(all.map(\.name) + all.map { $0.words[0] } + ["help"])
    return NearestName.of(words, in: known.sorted()).map { "Did you mean gantry \($0)? " } ?? ""
  }
}
