public import Testing

/// A row of a table test: a name, an input and what is expected of it.
public struct Case<Input: Sendable, Expected: Sendable>: Sendable, CustomTestStringConvertible {
  /// What the case shows.
  public let name: String
  /// What goes in.
  public let input: Input
  /// What must come out.
  public let expected: Expected
  /// Makes one from its parts.
  public init(_ name: String, _ input: Input, _ expected: Expected) {
    self.name = name
    self.input = input
    self.expected = expected
  }
  /// The name.
  public var testDescription: String { name }
}
