import Bytes
import Diagnostics
import Foundation

/// Where a command writes: data to standard output, everything else to standard error.
public final class Console {
  private let out: (String) -> Void
  private let err: (String) -> Void
  /// Whether standard error is a terminal: only then a progress line is drawn.
  let isTerminal: Bool
  /// The columns of standard output; nil when it is no terminal.
  let width: Int?
  private var progressWidth = 0
  /// Since the progress line was drawn.
  private var progressAge: Stopwatch?

  /// Makes a console that writes through two functions.
  ///
  /// - Parameter width: the columns of a terminal that shows the output; nil, the default, for none.
  public init(
    isTerminal: Bool = false, width: Int? = nil, out: @escaping (String) -> Void, err: @escaping (String) -> Void
  ) {
    self.isTerminal = isTerminal
    self.width = width
    self.out = out
    self.err = err
  }

  /// A console whose words nobody reads.
  static var silent: Console { Console(out: { _ in }, err: { _ in }) }

  /// The process's own standard output and error; what cannot be written is an error of its command.
  public static func process() -> Console {
    StopSignals.ignoreFileSizeLimit()
    return Console(
      isTerminal: Terminal.isTerminal(.error), width: Terminal.width(.output),
      out: { text in
        do {
          try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } catch {
          // Data that could not be written must not pass for written.
          try? FileHandle.standardError.write(contentsOf: Data("gantry: \(Diagnostic.output(error))\n".utf8))
          exit(ExitStatus.environment.rawValue)
        }
      },
      err: { try? FileHandle.standardError.write(contentsOf: Data($0.utf8)) })
  }

  /// Writes data as they are: JSON, SQL, a text of several lines.
  func write(_ data: String) { out(data + "\n") }

  /// Writes a block of data that is whole text.
  func write(_ block: UnsafeRawBufferPointer) { out(String(decoding: block, as: UTF8.self)) }

  /// Writes a line that people read and programs may: fields stand between tabs.
  func print(_ line: String) {
    out(
      line.split(separator: "\t", omittingEmptySubsequences: false).map(ShownText.escaped).joined(separator: "\t")
        + "\n")
  }

  /// Writes a line of talk.
  func note(_ line: String) {
    clearProgress()
    err(ShownText.line(line) + "\n")
  }

  /// Says what is wrong, behind some words, and below it how it is mended.
  func note(_ words: String, _ diagnostic: Diagnostic) {
    clearProgress()
    err("\(words)\(diagnostic)\n")
  }

  /// Says something that does not end the command.
  func warn(_ diagnostic: Diagnostic) { note("gantry: warning: ", diagnostic) }

  /// Draws the progress line again; nothing when standard error is no terminal.
  func progress(_ line: String) {
    guard isTerminal else { return }
    let padding = String(repeating: " ", count: max(0, progressWidth - line.count))
    err("\r\(ShownText.line(line))\(padding)")
    progressWidth = line.count
  }

  /// Draws the progress line again, ten times a second at most: for who has news more often than anybody can read.
  func progress(atTimes line: () -> String) {
    guard isTerminal, progressAge.map({ $0.seconds > 0.1 }) ?? true else { return }
    progressAge = Stopwatch()
    progress(line())
  }

  /// Takes the progress line away.
  func clearProgress() {
    guard progressWidth > 0 else { return }
    err("\r" + String(repeating: " ", count: progressWidth) + "\r")
    progressWidth = 0
  }
}
