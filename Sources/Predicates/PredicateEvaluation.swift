package import Foundation
import Diagnostics
import Values

/// What answers `FUNCTION(object, "selector:", argument)` when an expression is evaluated.
public typealias PredicateCall = (_ object: PredicateValue, _ selector: String, _ arguments: [PredicateValue]) throws
  -> PredicateValue

extension PredicateTree {
  /// Whether the condition holds for an object: an object with keys, a dictionary or a single value.
  ///
  /// - Throws: when a key is unknown or cannot be read, a variable has no value, a regular expression is none.
  public func holds(
    for object: Any?, variables: [String: Any] = [:], calling call: PredicateCall? = nil
  ) throws -> Bool {
    try truth(for: object, variables: variables, calling: call) == true
  }

  /// The same with the third truth value, nil: it is neither so nor not so.
  public func truth(
    for object: Any?, variables: [String: Any] = [:], calling call: PredicateCall? = nil
  ) throws -> Bool? {
    try PredicateEvaluation(object, variables, call).truth(of: self)
  }
}

extension ExpressionTree {
  /// What the expression gives for an object.
  ///
  /// - Throws: when a key is unknown or cannot be read, a variable has no value, nothing answers a `FUNCTION`.
  public func value(
    with object: Any?, variables: [String: Any] = [:], calling call: PredicateCall? = nil
  ) throws -> PredicateValue {
    try PredicateEvaluation(object, variables, call).value(of: self)
  }
}

/// One evaluation: the object, the variables, and one and the same time for each `now()`.
package struct PredicateEvaluation {
  package var object: PredicateValue
  private var variables: [String: PredicateValue]
  private let call: PredicateCall?
  private let now: Date
  /// Whether a function that gives nothing for values is an error; for nothing it gives nothing in any case.
  private let isStrict: Bool

  package init(
    _ object: Any?, _ variables: [String: Any] = [:], _ call: PredicateCall? = nil, now: Date = Date(),
    isStrict: Bool = false
  ) {
    self.object = PredicateValue(object)
    // What is a value already is not looked at in all the ways that an object of another type may be one.
    self.variables = variables.mapValues { $0 as? PredicateValue ?? PredicateValue($0) }
    self.call = call
    self.now = now
    self.isStrict = isStrict
  }
}

// MARK: - Expressions

extension PredicateEvaluation {
  /// What an expression gives.
  package func value(of expression: ExpressionTree) throws -> PredicateValue {
    switch expression {
    case .constant(let value): return value
    case .evaluatedObject: return object
    case .variable(let name):
      guard let value = variables[name] else { throw Diagnostic.predicateVariable(name) }
      return value
    case .keyPath(let base, let keys): return try value(of: base).following(keys[...])
    case .function(.now, _): return .scalar(.date(now))
    case .function(let function, let arguments):
      let given = try arguments.map { try value(of: $0) }
      let result = try function.apply(given)
      if isStrict, result.isNull, given.allSatisfy(\.hasValues) { throw Diagnostic.predicateNothing(function, given) }
      return result
    case .call(let object, let selector, let arguments):
      guard let call else { throw Diagnostic.predicateCall(selector) }
      return try call(try value(of: object), selector, try arguments.map { try value(of: $0) })
    case .aggregate(let elements): return .list(try elements.map { try value(of: $0) })
    case .subquery(let collection, let variable, let tree):
      var inner = self
      return .list(
        try value(of: collection).elements.filter { element in
          inner.variables[variable] = element
          return try inner.truth(of: tree) == true
        })
    case .conditional(let condition, let one, let other):
      return try value(of: truth(of: condition) == true ? one : other)
    }
  }
}

extension PredicateValue {
  /// The elements of a collection; a single value is a collection of one, and nil one of none.
  var elements: [PredicateValue] {
    if case .list(let elements) = self { return elements }
    return isNull ? [] : [self]
  }

  /// Whether there is a value in it, and no place without one.
  fileprivate var hasValues: Bool { !elements.isEmpty && elements.allSatisfy { !$0.isNull } }

  /// The value at the end of keys; of a collection, the values of all its elements.
  func following(_ keys: ArraySlice<String>) throws -> PredicateValue {
    guard let key = keys.first else { return self }
    let rest = keys.dropFirst()
    if isNull { return .null }
    if key.hasPrefix("@") {
      guard let collectionOperator = CollectionOperator(rawValue: String(key.dropFirst())) else {
        throw Diagnostic.predicateOperator(String(key.dropFirst()))
      }
      // The keys behind an operator lead to what it collects.
      return try collectionOperator.apply(try PredicateValue.list(elements).following(rest).elements)
    }
    switch self {
    case .list(let elements):
      let values = try elements.map { try $0.following([key]) }
      return try PredicateValue.list(
        values.flatMap { value in
          if case .list(let inner) = value { inner } else { [value] }
        }
      ).following(rest)
    case _ where key.lowercased() == "self": return try following(rest)
    case .object(let object): return try object.predicateValue(forKey: key).following(rest)
    case .scalar: return try scalar(forKey: key).following(rest)
    case .other(let other): throw Diagnostic.predicateKey(key, of: "\(other)")
    }
  }

  // What Foundation's numbers and texts answer, and predicates in use ask for.
  private func scalar(forKey key: String) throws -> PredicateValue {
    switch key {
    case "intValue", "integerValue", "longLongValue", "floatValue", "doubleValue", "boolValue": return self
    case "length": return try PredicateFunction.length.apply([self])
    case "uppercaseString": return try PredicateFunction.uppercase.apply([self])
    case "lowercaseString": return try PredicateFunction.lowercase.apply([self])
    default: throw Diagnostic.predicateKey(key, of: "\(ExpressionTree.constant(self))")
    }
  }
}

// MARK: - Conditions

extension PredicateEvaluation {
  /// Whether a condition holds; nil if it is neither so nor not so.
  package func truth(of tree: PredicateTree) throws -> Bool? {
    switch tree {
    case .always(let truth): return truth
    case .not(let tree): return try truth(of: tree).map { !$0 }
    case .block(let predicate): return predicate.evaluate(with: object.object)
    case .comparison(let comparison): return try truth(of: comparison)
    case .and(let trees):
      var truth: Bool? = true
      for tree in trees {
        let part = try self.truth(of: tree)
        if part == false { return false }
        truth = part == nil ? nil : truth
      }
      return truth
    case .or(let trees):
      var truth: Bool? = false
      for tree in trees {
        let part = try self.truth(of: tree)
        if part == true { return true }
        truth = part == nil ? nil : truth
      }
      return truth
    }
  }

  private func truth(of comparison: PredicateTree.Comparison) throws -> Bool? {
    let left = try value(of: comparison.left)
    let right = try value(of: comparison.right)
    let compares = ValueComparison(
      comparison.operation, comparison.options,
      asksForNil: comparison.left.mayAskForNil || comparison.right.mayAskForNil)
    switch comparison.modifier {
    case .direct: return try compares.truth(left, right)
    case .any: return try left.elements.contains { try compares.truth($0, right) == true }
    case .all: return try left.elements.allSatisfy { try compares.truth($0, right) == true }
    }
  }
}

extension ExpressionTree {
  /// Whether a nil that it gives is asked for, and no missing value.
  fileprivate var mayAskForNil: Bool {
    switch self {
    case .constant(let value): value.isNull
    case .variable: true
    default: false
    }
  }
}
