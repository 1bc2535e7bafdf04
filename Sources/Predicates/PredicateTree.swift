public import Foundation

/// A condition as a tree: what `NSPredicate(format:)` reads, what is evaluated in memory, and what a store makes SQL of.
///
/// Truth has three values, as in SQL: a comparison with nil is neither true nor false, and so is its negation; only
/// `== nil` and `!= nil`, written so, ask for nil itself.
public indirect enum PredicateTree: Hashable {
  /// `TRUEPREDICATE` or `FALSEPREDICATE`.
  case always(Bool)
  /// One comparison.
  case comparison(Comparison)
  /// All of them.
  case and([PredicateTree])
  /// Any of them.
  case or([PredicateTree])
  /// The opposite.
  case not(PredicateTree)
  /// Somebody's own code, which can be evaluated with an object and nothing else.
  case block(NSPredicate)

  /// Two expressions and how they are compared.
  public struct Comparison: Hashable {
    /// The left one.
    public var left: ExpressionTree
    /// How they are compared.
    public var operation: Operator
    /// The right one.
    public var right: ExpressionTree
    /// Which elements of a to-many key path on the left must compare so. The default is none: it is no to-many key path.
    public var modifier: Modifier
    /// What a comparison of texts overlooks. The default is nothing.
    public var options: Options

    /// Makes one from its parts.
    public init(
      _ left: ExpressionTree, _ operation: Operator, _ right: ExpressionTree, modifier: Modifier = .direct,
      options: Options = []
    ) {
      self.left = left
      self.operation = operation
      self.right = right
      self.modifier = modifier
      self.options = options
    }
  }

  /// How two values are compared.
  public enum Operator: String, Hashable, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case between = "BETWEEN"
    case contains = "CONTAINS"
    case isIn = "IN"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case like = "LIKE"
    case matches = "MATCHES"
  }

  /// Which elements of a collection must compare so.
  public enum Modifier: String, Hashable, Sendable {
    /// There is no collection.
    case direct = ""
    /// One of them.
    case any = "ANY"
    /// All of them; so it is also where there are none.
    case all = "ALL"
  }

  /// What a comparison of texts overlooks.
  public struct Options: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int
    /// Makes one of its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Upper and lower case: `[c]`.
    public static let caseInsensitive = Options(rawValue: 1)
    /// Diacritical marks: `[d]`.
    public static let diacriticInsensitive = Options(rawValue: 2)
    /// Nothing, since the texts have been normalised: `[n]`.
    public static let normalized = Options(rawValue: 4)

    /// What is overlooked.
    var folding: Options { intersection([.caseInsensitive, .diacriticInsensitive]) }
  }
}
