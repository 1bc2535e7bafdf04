/// What stands on one side of a comparison: a constant, a key path, a function of others.
///
/// It is what `NSExpression` is on Apple's systems, a name that Foundation keeps on Linux without letting anyone make one. Read
/// one from the format language with `ExpressionTree(format:)`; its `description` is the text that Apple's framework prints.
public indirect enum ExpressionTree: Hashable {
  /// A value.
  case constant(PredicateValue)
  /// The object that is looked at: `SELF`.
  case evaluatedObject
  /// A value that is told later: `$name`.
  case variable(String)
  /// Keys followed one after the other, collection operators such as `@count` among them: `department.name`.
  case keyPath(ExpressionTree, keys: [String])
  /// A function that the language knows: `uppercase:(name)`, `a + b`.
  case function(PredicateFunction, [ExpressionTree])
  /// A method of an object, which only who evaluates it knows: `FUNCTION($manager, "selector:", argument)`.
  case call(ExpressionTree, selector: String, [ExpressionTree])
  /// A list of others: `{1, age, "x"}`.
  case aggregate([ExpressionTree])
  /// The elements of a collection for which a condition holds: `SUBQUERY(employees, $e, $e.age > 30)`.
  case subquery(ExpressionTree, variable: String, PredicateTree)
  /// One of two, by a condition: `TERNARY(age > 30, 1, 0)`.
  case conditional(PredicateTree, ExpressionTree, ExpressionTree)
}

/// The functions of the format language, by the names of Apple's framework.
///
/// Source: Apple, Foundation, `NSExpression`, `init(forFunction:arguments:)`.
public enum PredicateFunction: String, Hashable, Sendable, CaseIterable {
  case add = "add:to:"
  case subtract = "from:subtract:"
  case multiply = "multiply:by:"
  case divide = "divide:by:"
  case modulus = "modulus:by:"
  case raise = "raise:toPower:"
  case bitwiseAnd = "bitwiseAnd:with:"
  case bitwiseOr = "bitwiseOr:with:"
  case bitwiseXor = "bitwiseXor:with:"
  case leftShift = "leftshift:by:"
  case rightShift = "rightshift:by:"
  case onesComplement = "onesComplement:"
  case abs = "abs:"
  case ceiling = "ceiling:"
  case floor = "floor:"
  case truncate = "trunc:"
  case squareRoot = "sqrt:"
  case exponential = "exp:"
  case naturalLogarithm = "ln:"
  case logarithm = "log:"
  case sum = "sum:"
  case count = "count:"
  case minimum = "min:"
  case maximum = "max:"
  case average = "average:"
  case median = "median:"
  case mode = "mode:"
  case standardDeviation = "stddev:"
  case uppercase = "uppercase:"
  case lowercase = "lowercase:"
  case canonical = "canonical:"
  case length = "length:"
  case now = "now"
  case cast = "castObject:toType:"
  case item = "objectFrom:withIndex:"
  case first = "first:"
  case last = "last:"
  case size = "size:"
  case noIndex = "noindex:"

  /// The sign that stands between the two arguments, for arithmetic.
  package var sign: String? {
    switch self {
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    case .divide: "/"
    case .raise: "**"
    case .bitwiseAnd: "&"
    case .bitwiseOr: "|"
    case .bitwiseXor: "^"
    case .leftShift: "<<"
    case .rightShift: ">>"
    default: nil
    }
  }

  /// Whether it takes a collection as a whole.
  package var isOfCollections: Bool {
    switch self {
    case .sum, .count, .minimum, .maximum, .average, .median, .mode, .standardDeviation: true
    default: false
    }
  }

  /// How many arguments it takes.
  var argumentCounts: ClosedRange<Int> {
    switch self {
    case .now: 0...0
    case .sum, .count, .minimum, .maximum, .average, .median, .mode, .standardDeviation: 1...Int.max
    case .cast, .item, .modulus: 2...2
    default: sign == nil ? 1...1 : 2...2
    }
  }
}
