import Predicates
import Values

extension PredicateTree {
  /// The condition of a partial index in SQL as Core Data writes it; nil if it is not made of comparisons of attributes with
  /// constants, joined by AND and OR, or an attribute has no column.
  func indexCondition(column: (String) -> String?) -> String? {
    switch self {
    case .and(let trees): Self.joined(trees, "AND", column)
    case .or(let trees): Self.joined(trees, "OR", column)
    case .comparison(let comparison) where comparison.modifier == .direct && comparison.options.isEmpty:
      comparison.indexCondition(column: column)
    default: nil
    }
  }

  private static func joined(_ trees: [PredicateTree], _ word: String, _ column: (String) -> String?) -> String? {
    let terms = trees.compactMap { $0.indexCondition(column: column) }
    return terms.count == trees.count ? "(\(terms.joined(separator: " \(word) ")))" : nil
  }
}

extension PredicateTree.Comparison {
  private static let signs: [PredicateTree.Operator: String] = [
    .equal: "=", .notEqual: "<>", .less: "<", .lessOrEqual: "<=", .greater: ">", .greaterOrEqual: ">=",
  ]

  fileprivate func indexCondition(column: (String) -> String?) -> String? {
    guard case .keyPath(.evaluatedObject, let keys) = left, case .constant(.scalar(let value)) = right,
      let column = column(keys.joined(separator: ".")), let sign = Self.signs[operation]
    else { return nil }
    guard value.isNull else { return value.literal.map { "\(column) \(sign) \($0)" } }
    let test = [.equal: "IS", .notEqual: "IS NOT"][operation]
    return test.map { "\(column) \($0) NULL" }
  }
}

extension Value {
  /// The value as a literal of SQL.
  fileprivate var literal: String? {
    switch self {
    case .integer(let integer): "\(integer)"
    case .boolean(let boolean): boolean ? "1" : "0"
    case .real(let real): "\(real)"
    case .string(let text):
      "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
    default: nil
    }
  }
}
