/// Something that went wrong or deserves a word: a stable code, what was found and expected, what to change, and where.
///
/// It is the one error type of the package below Apple's own names. It is printed as
///
///     contacts.csv:4: expected 2 fields, found 1 [csv.field-count]
///       Add the missing field, or set `missingFields` to "null".
///
/// A module declares its codes and the texts made from facts in extensions of this type, in a file of its own
/// (`CSVReader+Diagnostics.swift`), so that a text stands in one place and the code that throws reads as a sentence.
public struct Diagnostic: Error, Hashable, Sendable {
  /// The stable name of the kind of trouble, and what becomes of the run that meets it.
  public var code: Code
  /// What was found and what was expected, in one line.
  public var message: String
  /// What to change, in one or more sentences.
  public var hint: String
  /// Where in the input it was found. The default is nowhere: the trouble is not of the input.
  public var position: SourcePosition?

  /// Makes a diagnostic from its parts; what they quote of users' texts is made fit to be shown.
  ///
  /// There is none without a hint: somebody stands before a run that ended, and wants to go on.
  public init(_ code: Code, _ message: String, hint: String, at position: SourcePosition? = nil) {
    self.code = code
    self.message = ShownText.line(message)
    self.hint = ShownText.line(hint)
    self.position = position
  }

  /// The same diagnostic at a place; a place it already has is kept.
  public func at(_ position: SourcePosition?) -> Diagnostic {
    var copy = self
    copy.position = self.position ?? position
    return copy
  }
}

extension Diagnostic {
  /// A stable name such as `csv.field-count`, and the fate that goes with it.
  public struct Code: Hashable, Sendable {
    /// The name: the area, a dot, and the kind, in lower case with hyphens.
    public let name: String
    /// What becomes of the run.
    public let fate: Fate

    /// Makes a code; declare it once, as a static constant.
    public init(_ name: String, _ fate: Fate) {
      self.name = name
      self.fate = fate
    }
  }

  /// What becomes of a run that meets a diagnostic.
  public enum Fate: String, Hashable, Sendable, CaseIterable {
    /// Worth a word; nothing is refused.
    case warning
    /// One record is refused, counted and kept for re-import; the run goes on up to the skip limit.
    case reject
    /// The command line, the pipeline or a mapping is wrong.
    case usage
    /// The input cannot be read: missing, a folder, empty, malformed.
    case input
    /// More records were refused than the skip limit allows.
    case limit
    /// Another run holds the store.
    case locked
    /// The model or the store does not serve.
    case store
    /// The machine does not serve: no folder, no permission, disk full.
    case environment
  }
}

extension Diagnostic: CustomStringConvertible {
  /// The place, the message and the code in one line, and the hint, indented, on the next.
  public var description: String { "\(line)\n  \(hint)" }

  /// The place, the message and the code.
  public var line: String { (position.map { "\($0): " } ?? "") + "\(message) [\(code.name)]" }
}
