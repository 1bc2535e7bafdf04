import Diagnostics

/// What the process tells the shell.
///
/// A script may rely on these numbers; they are part of the tool's promise.
public enum ExitStatus: Int32, Sendable, CaseIterable {
  /// All records are in, or there were none.
  case done = 0
  /// Finished, but some records were rejected, within the limit.
  case rejects = 1
  /// The command line, the pipeline or a mapping is wrong.
  case usage = 2
  /// An input is missing, unreadable, empty or malformed.
  case input = 3
  /// More records were rejected than the skip limit allows.
  case limit = 4
  /// Another run holds the store.
  case locked = 5
  /// The model or the store does not serve.
  case store = 6
  /// The machine does not serve: no folder, no permission, disk full.
  case environment = 7
  /// Stopped by SIGINT.
  case interrupted = 130
  /// Stopped by SIGTERM.
  case terminated = 143

  /// The status of a run that a diagnostic ended.
  init(_ fate: Diagnostic.Fate) {
    switch fate {
    case .warning: self = .done
    case .reject: self = .rejects
    case .usage: self = .usage
    case .input: self = .input
    case .limit: self = .limit
    case .locked: self = .locked
    case .store: self = .store
    case .environment: self = .environment
    }
  }

  /// What it means, for the help.
  var meaning: String {
    switch self {
    case .done: "all records are in, or there were none; nothing is wrong"
    case .rejects: "finished, some records rejected within the skip limit"
    case .usage:
      "command line, pipeline or mapping error: an unknown option, an unmatched column, a required attribute without one"
    case .input: "input missing, a folder, unreadable, of 0 bytes (unless allowed), cut short or malformed"
    case .limit: "skip limit exceeded: rolled back to the last chunk, or to nothing for a new store"
    case .locked: "another run holds the store"
    case .store:
      "model or store does not serve: missing model, unknown type, no such entity, not SQLite, not Core Data, other version "
        + "hashes, no way to migrate, damaged; or `gantry check` found something"
    case .environment: "no folder for the store, no permission, disk full"
    case .interrupted:
      "stopped by SIGINT; the open chunk is rolled back, and the same command goes on behind the last one"
    case .terminated: "stopped by SIGTERM, likewise"
    }
  }
}
