import Diagnostics
import ObjectModel
import Predicates
import Values

/// Checks the key paths of a condition against an entity, before a store is asked.
struct KeyPathCheck {
  private let entity: NSEntityDescription
  /// The entities of the variables of subqueries around; nil for a variable of values.
  private var variables: [String: NSEntityDescription?] = [:]

  init(_ entity: NSEntityDescription) { self.entity = entity }

  func check(_ tree: PredicateTree) throws(Diagnostic) {
    switch tree {
    case .always, .block: return
    case .and(let trees), .or(let trees): for tree in trees { try check(tree) }
    case .not(let tree): try check(tree)
    case .comparison(let comparison):
      try check(comparison.left)
      try check(comparison.right)
      try comparison.checkPattern()
      guard comparison.modifier == .direct, comparison.operation != .contains, comparison.operation != .isIn,
        case .keyPath(let base, let keys) = comparison.left, !comparison.comparesCollections,
        let path = try path(keys, behind: base), path.isToMany
      else { return }
      throw .toManyWithoutQuantifier("\(comparison.left)", "\(comparison)")
    }
  }

  func check(_ expression: ExpressionTree) throws(Diagnostic) {
    switch expression {
    case .constant, .evaluatedObject: return
    case .variable(let name): if variables[name] == nil { throw .unboundVariable(name) }
    case .keyPath(let base, let keys):
      try check(base)
      try ExpressionTree.checkOperators(keys)
      _ = try path(keys, behind: base)
    case .function(_, let arguments), .aggregate(let arguments): for argument in arguments { try check(argument) }
    case .call(_, let selector, _): throw .callInFetch(selector)
    case .subquery(let collection, let variable, let tree):
      try check(collection)
      var inner = self
      inner.variables[variable] = .some(try destination(of: collection))
      try inner.check(tree)
    case .conditional(let condition, let one, let other):
      try check(condition)
      try check(one)
      try check(other)
    }
  }

  /// The path of keys behind something that is an object of a known entity; nil behind anything else.
  private func path(_ keys: [String], behind base: ExpressionTree) throws(Diagnostic) -> EntityKeyPath? {
    guard let entity = try destination(of: base) else { return nil }
    return try EntityKeyPath(keys, of: entity)
  }

  private func destination(of expression: ExpressionTree) throws(Diagnostic) -> NSEntityDescription? {
    switch expression {
    case .evaluatedObject: return entity
    case .variable(let name): return variables[name] ?? nil
    case .keyPath(let base, let keys):
      guard let entity = try destination(of: base) else { return nil }
      return try EntityKeyPath(keys, of: entity).destination(from: entity)
    case .subquery(let collection, _, _): return try destination(of: collection)
    default: return nil
    }
  }
}

extension PredicateTree.Comparison {
  /// Whether a collection stands on the right too, or nil.
  fileprivate var comparesCollections: Bool {
    switch right {
    case .constant(.list), .aggregate, .constant(.scalar(.null)), .keyPath, .subquery: true
    default: false
    }
  }
}
