package import Diagnostics
import Values

/// The operators that may stand among the keys of a path: `employees.@count`, `employees.@max.age`.
///
/// Source: Apple, Key-Value Coding Programming Guide, "Using Collection Operators".
enum CollectionOperator: String, CaseIterable {
  case count
  case sum
  case average = "avg"
  case minimum = "min"
  case maximum = "max"
  case total
  case unionOfObjects
  case unionOfArrays
  case unionOfSets
  case distinctUnionOfObjects
  case distinctUnionOfArrays
  case distinctUnionOfSets

  /// The function that does the same for a collection.
  var function: PredicateFunction? {
    switch self {
    case .count: .count
    case .sum, .total: .sum
    case .average: .average
    case .minimum: .minimum
    case .maximum: .maximum
    default: nil
    }
  }

  func apply(_ elements: [PredicateValue]) throws(Diagnostic) -> PredicateValue {
    if let function { return try function.apply([.list(elements)]) }
    let present = elements.filter { !$0.isNull }
    switch self {
    case .unionOfObjects, .unionOfArrays, .unionOfSets: return .list(present)
    default:
      var seen: Set<PredicateValue> = []
      return .list(present.filter { seen.insert($0).inserted })
    }
  }
}

extension ExpressionTree {
  /// Whether the operators among keys are operators.
  package static func checkOperators(_ keys: [String]) throws(Diagnostic) {
    for key in keys where key.hasPrefix("@") && CollectionOperator(rawValue: String(key.dropFirst())) == nil {
      throw .predicateOperator(String(key.dropFirst()))
    }
  }
}
