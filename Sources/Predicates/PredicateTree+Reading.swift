public import Diagnostics

extension PredicateTree {
  /// Reads a condition in the format language.
  ///
  /// - Parameter arguments: what `%@`, `%K`, `%d` and the like stand for, in their order.
  public init(format: String, _ arguments: Any?...) throws(Diagnostic) {
    try self.init(format: format, arguments: arguments)
  }

  /// Reads a condition in the format language, with its arguments in an array.
  public init(format: String, arguments: [Any?]) throws(Diagnostic) {
    var parser = try PredicateParser(format, arguments: arguments)
    self = try parser.tree()
  }
}

extension ExpressionTree {
  /// Reads an expression in the format language: `age + 1`, `$source.name`, `FUNCTION($manager, "selector:", $source)`.
  ///
  /// - Parameter arguments: what `%@`, `%K`, `%d` and the like stand for, in their order.
  public init(format: String, _ arguments: Any?...) throws(Diagnostic) {
    try self.init(format: format, arguments: arguments)
  }

  /// Reads an expression in the format language, with its arguments in an array.
  public init(format: String, arguments: [Any?]) throws(Diagnostic) {
    var parser = try PredicateParser(format, arguments: arguments)
    self = try parser.expression()
  }
}

// MARK: - Variables

extension PredicateTree {
  /// The condition with values in place of variables; those that are not named stay.
  public func substituting(_ variables: [String: Any]) -> PredicateTree {
    let values = variables.mapValues { PredicateValue($0) }
    return mapExpressions { expression, bound in
      guard case .variable(let name) = expression, !bound.contains(name), let value = values[name] else { return nil }
      return .constant(value)
    }
  }

  /// The condition with some of its expressions replaced: those for which the function gives another.
  ///
  /// The function is told the variables of the subqueries around the expression.
  package func mapExpressions(
    bound: Set<String> = [], _ replacement: (ExpressionTree, Set<String>) -> ExpressionTree?
  ) -> PredicateTree {
    switch self {
    case .always, .block: self
    case .and(let trees): .and(trees.map { $0.mapExpressions(bound: bound, replacement) })
    case .or(let trees): .or(trees.map { $0.mapExpressions(bound: bound, replacement) })
    case .not(let tree): .not(tree.mapExpressions(bound: bound, replacement))
    case .comparison(var comparison):
      {
        comparison.left = comparison.left.mapExpressions(bound: bound, replacement)
        comparison.right = comparison.right.mapExpressions(bound: bound, replacement)
        return .comparison(comparison)
      }()
    }
  }
}

extension ExpressionTree {
  /// The expression with some of its parts replaced: those for which the function gives another.
  package func mapExpressions(
    bound: Set<String> = [], _ replacement: (ExpressionTree, Set<String>) -> ExpressionTree?
  ) -> ExpressionTree {
    if let replaced = replacement(self, bound) { return replaced }
    func map(_ expressions: [ExpressionTree]) -> [ExpressionTree] {
      expressions.map { $0.mapExpressions(bound: bound, replacement) }
    }
    switch self {
    case .constant, .evaluatedObject, .variable: return self
    case .keyPath(let base, let keys): return .keyPath(map([base])[0], keys: keys)
    case .function(let function, let arguments): return .function(function, map(arguments))
    case .call(let object, let selector, let arguments):
      return .call(map([object])[0], selector: selector, map(arguments))
    case .aggregate(let elements): return .aggregate(map(elements))
    case .subquery(let collection, let variable, let tree):
      return .subquery(
        map([collection])[0], variable: variable, tree.mapExpressions(bound: bound.union([variable]), replacement))
    case .conditional(let condition, let one, let other):
      return .conditional(condition.mapExpressions(bound: bound, replacement), map([one])[0], map([other])[0])
    }
  }
}
