package import Diagnostics

extension Diagnostic.Code {
  /// The text of a predicate cannot be read.
  package static let predicateSyntax = Diagnostic.Code("predicate.syntax", .usage)
  /// A predicate cannot be evaluated.
  package static let predicateEvaluation = Diagnostic.Code("predicate.evaluation", .usage)
  /// A function gives nothing for the values of a row.
  package static let predicateNothing = Diagnostic.Code("predicate.nothing", .reject)
}

extension Diagnostic {
  static func predicateSyntax(
    column: Int, found: String, expected: String, in text: [Unicode.Scalar],
    hint: String = "A predicate is such as: name BEGINSWITH \"A\" AND age > 30."
  ) -> Diagnostic {
    // Enough of the text to find the place in it.
    let before = text[..<min(column - 1, text.count)].suffix(30)
    let after = text[min(column - 1, text.count)...].prefix(30)
    let place = text.isEmpty ? "" : ": \(Self.text(before))⏵\(Self.text(after))"
    return Diagnostic(
      .predicateSyntax, "column \(column) of the predicate: expected \(expected), found \(found)\(place)", hint: hint)
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  static func predicateDepth(_ limit: Int) -> Diagnostic {
    Diagnostic(
      .predicateSyntax, "the predicate is nested more than \(limit) levels deep",
      hint: "Compare with a list (`name IN {…}`) in place of many comparisons.")
  }

  static func predicateArgumentCount(given: Int, used: Int) -> Diagnostic {
    Diagnostic(
      .predicateSyntax,
      given < used
        ? "the predicate has more % signs than its \(given) arguments"
        : "the predicate uses \(used) of its \(given) arguments",
      hint: given == 0
        ? "Write the values themselves, or give one argument for each %@, %K, %d and %f that is not in quotes."
        : "Give one argument for each %@, %K, %d and %f that is not in quotes.")
  }

  static func predicateArgument(_ specifier: String, _ argument: Any?, expected: String) -> Diagnostic {
    Diagnostic(
      .predicateSyntax, "%\(specifier) of the predicate takes \(expected), not \(argument.map { "\($0)" } ?? "nil")",
      hint: "%@ stands for a value, %K for a key path, %d and %f for numbers.")
  }

  static func predicateRegularExpression(_ pattern: String) -> Diagnostic {
    Diagnostic(
      .predicateEvaluation, "\"\(pattern)\" is not a regular expression",
      hint: "Escape its special signs with a backslash, or compare with LIKE, which knows * and ? alone.")
  }

  static func predicateRegularExpressionWork(_ pattern: String, length: Int) -> Diagnostic {
    Diagnostic(
      .predicateEvaluation,
      "the regular expression \"\(pattern)\" is too much work on a text of \(length) characters: whether it matches is not known",
      hint: "Write it without repetitions of repetitions, such as (a+)+, or compare with LIKE or CONTAINS.")
  }

  static func predicateVariable(_ name: String) -> Diagnostic {
    Diagnostic(
      .predicateEvaluation, "the predicate's variable $\(name) has no value",
      hint: "In a mapping write $source for the object; a program gives variables by `withSubstitutionVariables(_:)`.")
  }

  static func predicateNothing(_ function: PredicateFunction, _ arguments: [PredicateValue]) -> Diagnostic {
    let shown = arguments.map { "\(ExpressionTree.constant($0))" }.joined(separator: ", ")
    return Diagnostic(
      .predicateNothing, "\(function.rawValue) gives nothing for \(shown)",
      hint: "Say what stands there for such values: TERNARY(condition, value, other value), or correct them.")
  }

  static func predicateCall(_ selector: String) -> Diagnostic {
    Diagnostic(
      .predicateEvaluation, "nothing answers FUNCTION(…, \"\(selector)\") here",
      hint: "Calls of methods of one's own are not made: compare with keys, or evaluate a block.")
  }

  static func predicateKey(_ key: String, of value: String) -> Diagnostic {
    Diagnostic(
      .predicateEvaluation, "\(value) has no key \"\(key)\"",
      hint: "Correct the key path; a value within another stands behind a full stop: city.name.")
  }

  static func predicateCast(_ type: String) -> Diagnostic {
    Diagnostic(
      .predicateEvaluation, "CAST knows no type \"\(type)\"",
      hint: "The types are NSDate, NSNumber, NSDecimalNumber, NSString, NSUUID, NSURL and NSData.")
  }

  static func predicateOperator(_ name: String) -> Diagnostic {
    Diagnostic(
      .predicateEvaluation, "there is no collection operator @\(name)",
      hint: "The operators are \(CollectionOperator.allCases.map { "@\($0.rawValue)" }.joined(separator: ", ")).")
  }
}
