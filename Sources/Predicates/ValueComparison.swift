import Foundation
package import Values

/// The comparison of two values, in memory and, as a function, in SQL.
package struct ValueComparison {
  private let operation: PredicateTree.Operator
  private let options: PredicateTree.Options
  private let asksForNil: Bool

  package init(_ operation: PredicateTree.Operator, _ options: PredicateTree.Options, asksForNil: Bool) {
    self.operation = operation
    self.options = options
    self.asksForNil = asksForNil
  }

  /// Whether the values compare so; nil if they are neither so nor not so: one is nil, or they are of different kinds.
  func truth(_ left: PredicateValue, _ right: PredicateValue) throws -> Bool? {
    if asksForNil, left.isNull || right.isNull, operation == .equal || operation == .notEqual {
      return (left.isNull && right.isNull) == (operation == .equal)
    }
    switch (operation, left, right) {
    case (.isIn, _, .list(let list)): return try Self.contains(list, left, options)
    case (.contains, .list(let list), _): return try Self.contains(list, right, options)
    case (.between, _, .list(let limits)): return try isBetween(left, limits)
    case (_, .scalar(let a), .scalar(let b)): return try truth(a, b)
    case (_, .object(let a), .object(let b)): return equality(a.predicateIdentity == b.predicateIdentity)
    case (_, .list(let a), .list(let b)): return equality(Set(a) == Set(b))
    case (_, .other, .other): return equality(left == right)
    default: return left.isNull || right.isNull ? nil : equality(false)
    }
  }

  private func equality(_ isEqual: Bool) -> Bool? {
    switch operation {
    case .equal: isEqual
    case .notEqual: !isEqual
    default: nil
    }
  }

  /// Whether single values compare so.
  package func truth(_ left: Value, _ right: Value) throws -> Bool? {
    guard let left = left.matching(right), let right = right.matching(left) else { return nil }
    return try truth(ComparedValue(left), ComparedValue(right))
  }

  /// Whether values in their stored form compare so.
  package func truth(_ left: ComparedValue, _ right: ComparedValue) throws -> Bool? {
    if case .text(let a) = left, case .text(let b) = right {
      // The letters of a regular expression mean other things in the other case.
      let folding = operation == .matches ? options.subtracting(.caseInsensitive) : options
      return try TextMatching.compares(
        TextMatching.folded(a, folding), operation, TextMatching.folded(b, folding), options)
    }
    return left.order(right).flatMap { operation.holds($0) }
  }

  private static func contains(
    _ list: [PredicateValue], _ value: PredicateValue, _ options: PredicateTree.Options
  ) throws -> Bool? {
    let equals = ValueComparison(.equal, options, asksForNil: false)
    var truth: Bool? = false
    for element in list {
      let part = try equals.truth(value, element)
      if part == true { return true }
      truth = part == nil ? nil : truth
    }
    return truth
  }

  private func isBetween(_ value: PredicateValue, _ limits: [PredicateValue]) throws -> Bool? {
    guard limits.count == 2 else { return nil }
    let low = try ValueComparison(.greaterOrEqual, options, asksForNil: false).truth(value, limits[0])
    let high = try ValueComparison(.lessOrEqual, options, asksForNil: false).truth(value, limits[1])
    if low == false || high == false { return false }
    return low == nil || high == nil ? nil : true
  }
}
