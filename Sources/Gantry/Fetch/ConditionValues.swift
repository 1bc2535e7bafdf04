import Diagnostics
import Foundation
import ObjectGraph
import ObjectModel
import Predicates
import Values

/// Looks for constants that can be no value of the attribute that they are compared with: such a condition holds for nothing, and
/// nobody who wrote it meant that.
struct ConditionValues {
  let entity: NSEntityDescription

  func check(_ tree: PredicateTree) throws(Diagnostic) {
    switch tree {
    case .always, .block: return
    case .and(let trees), .or(let trees): for tree in trees { try check(tree) }
    case .not(let tree): try check(tree)
    case .comparison(let comparison):
      guard !comparison.operation.isOfTexts else { return }
      try check(comparison.left, with: comparison.right)
      try check(comparison.right, with: comparison.left)
    }
  }

  private func check(_ path: ExpressionTree, with other: ExpressionTree) throws(Diagnostic) {
    guard case .keyPath(.evaluatedObject, let keys) = path,
      case .attribute(_, let attribute)? = try? EntityKeyPath(keys, of: entity).steps.last,
      let expected = Expected(attribute.attributeType)
    else { return }
    for constant in other.constants where !expected.takes(constant) {
      throw .usage(
        "--where compares \(keys.joined(separator: ".")) with \(ShownText.excerpt("\(other)")), expected \(expected.name)",
        hint: expected.hint)
    }
  }
}

/// What an attribute is compared with.
private struct Expected {
  let name: String
  let hint: String
  /// A value of the kind.
  private let sample: Value

  init?(_ type: NSAttributeType) {
    switch type {
    case .dateAttributeType:
      (name, sample) = ("a date", .date(Date(timeIntervalSinceReferenceDate: 0)))
      hint = "Write it in quotes, by ISO 8601: \"2022-01-31\" or \"2022-01-31T10:00:00Z\"."
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
      .floatAttributeType, .decimalAttributeType, .booleanAttributeType:
      (name, sample) = (type == .booleanAttributeType ? "true or false" : "a number", .integer(0))
      hint = type == .booleanAttributeType ? "Write YES or NO, without quotes." : "Write its digits: 12.5."
    case .UUIDAttributeType:
      (name, sample) = ("a UUID", .uuid(UUID()))
      hint = "Write its 36 characters in quotes."
    case .stringAttributeType, .URIAttributeType:
      (name, sample) = ("a text", .string(""))
      hint = "Write it in quotes."
    default: return nil
    }
  }

  func takes(_ value: Value) -> Bool {
    switch (value.matching(sample), sample) {
    case (.null, _), (.date, .date), (.uuid, .uuid), (.string, .string), (.url, .string): true
    case (.integer, .integer), (.boolean, .integer), (.real, .integer), (.decimal, .integer): true
    default: false
    }
  }
}

extension ExpressionTree {
  /// The values that it has whatever the object is; those of its elements if it is a list.
  fileprivate var constants: [Value] {
    switch self {
    case .constant(.scalar(let value)): return [value]
    case .constant(.list(let list)): return list.flatMap { ExpressionTree.constant($0).constants }
    case .aggregate(let list): return list.flatMap(\.constants)
    case .function(_, let arguments) where arguments.allSatisfy({ !$0.constants.isEmpty }):
      guard case .scalar(let value)? = try? value(with: nil) else { return [] }
      return [value]
    default: return []
    }
  }
}
