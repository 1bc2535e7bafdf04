public import Diagnostics

/// A command of the tool: its words, its options and what it does.
///
/// The tool, its help and the tests that compare both with the documentation go by this one table.
public struct Command: Sendable {
  /// The words that call it, e.g. `["model", "hash"]`.
  public let words: [String]
  /// What follows the words in the help, e.g. `MODEL`.
  public let operands: String
  /// What it does, in one line.
  public let summary: String
  /// Its options.
  public let options: [OptionDescription]
  /// Runs it.
  let run: @Sendable (Arguments, Console) throws -> ExitStatus

  /// All commands, in the order of the help.
  public static let all: [Command] = [
    .import, .export, .migrate, .inspect, .check, .modelHash, .modelDDL, .modelDiff, .modelCreate, .modelGenerate,
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
      console.note("gantry: \(diagnostic)")
      return ExitStatus(diagnostic.code.fate)
    } catch {
      // Every error of ours is a diagnostic; what comes from elsewhere is trouble of the machine.
      console.note("gantry: \(error) [environment.unexpected]")
      return .environment
    }
  }

  private static func dispatch(_ words: [String], console: Console) throws -> ExitStatus {
    guard let first = words.first else {
      console.note(Help.overview)
      return .usage
    }
    if ["help", "--help", "-h"].contains(first) {
      console.print(try Help.text(Array(words.dropFirst())))
      return .done
    }
    if first == "--version" {
      console.print("gantry \(version)")
      return .done
    }
    guard let command = all.first(where: { words.starts(with: $0.words) }) else {
      throw unknown(words)
    }
    let rest = words.dropFirst(command.words.count)
    if rest.contains("--help") || rest.contains("-h") {
      console.print(Help.text(command))
      return .done
    }
    return try command.run(Arguments(rest, options: command.options), console)
  }

  static func unknown(_ words: [String]) -> Diagnostic {
    let inner = all.filter { $0.words.count > 1 && $0.words[0] == words[0] }
    if !inner.isEmpty {
      let known = inner.map(\.name).joined(separator: ", ")
      let found = words.count > 1 ? "unknown command \(words[0]) \(words[1])" : "\(words[0]) needs a command"
      return .usage(found, hint: "There are \(known).")
    }
    let near = NearestName.of(words[0], in: all.map { $0.words[0] }).map { "Did you mean gantry \($0)? " } ?? ""
    return .usage("unknown command \(words[0])", hint: "\(near)`gantry help` lists the commands.")
  }
}
