public import Diagnostics

extension Diagnostic {
  /// The text that a case compares: with the hint if the case has one on a line of its own, without it otherwise.
  public func text(like expected: String?) -> String { expected?.contains("\n") ?? false ? description : line }
}
