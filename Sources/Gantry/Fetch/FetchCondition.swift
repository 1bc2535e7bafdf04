import Diagnostics
import ObjectGraph
import ObjectModel
import Predicates
import SQLiteStore
import Values

/// The condition of `gantry fetch`: a predicate in which `_id` is what an object is called, as in what is printed.
struct FetchCondition {
  private let entity: NSEntityDescription
  private let store: SQLitePersistentStore

  init(_ entity: NSEntityDescription, in store: SQLitePersistentStore) {
    self.entity = entity
    self.store = store
  }

  /// Reads a condition.
  func tree(_ text: String) throws(Diagnostic) -> PredicateTree {
    let tree = try naming(PredicateTree(format: text))
    var unbound: String?
    _ = tree.mapExpressions { expression, bound in
      if case .variable(let name) = expression, !bound.contains(name) { unbound = unbound ?? name }
      return nil
    }
    if let unbound {
      throw .usage(
        "--where has the variable $\(unbound), which has no value", hint: "Write the value itself in its place.")
    }
    try ConditionValues(entity: entity).check(tree)
    return tree
  }

  /// The condition with objects in place of their names.
  private func naming(_ tree: PredicateTree) throws(Diagnostic) -> PredicateTree {
    switch tree {
    case .always, .block: return tree
    case .and(let trees): return .and(try naming(trees))
    case .or(let trees): return .or(try naming(trees))
    case .not(let tree): return .not(try naming(tree))
    case .comparison(var comparison):
      let (left, right) = (object(comparison.left), object(comparison.right))
      guard left != nil || right != nil else { return tree }
      guard [.equal, .notEqual, .isIn].contains(comparison.operation), right == nil || comparison.operation != .isIn
      else {
        throw .usage(
          "--where compares \(entity.idColumn) by \(comparison.operation.rawValue)", hint: "Compare it by ==, != or IN."
        )
      }
      if let left { comparison.left = left } else { comparison.left = try named(comparison.left) }
      if let right { comparison.right = right } else { comparison.right = try named(comparison.right) }
      return .comparison(comparison)
    }
  }

  private func naming(_ trees: [PredicateTree]) throws(Diagnostic) -> [PredicateTree] {
    var named: [PredicateTree] = []
    for tree in trees { named.append(try naming(tree)) }
    return named
  }

  /// The object that `_id`, or a path of to-one relationships and `_id`, is of; nil for any other expression.
  private func object(_ expression: ExpressionTree) -> ExpressionTree? {
    guard case .keyPath(.evaluatedObject, let keys) = expression,
      let column = try? FetchColumn(keys.joined(separator: "."), of: entity, isRaw: true),
      let path = column.objectPath, path.count < keys.count
    else { return nil }
    return path.isEmpty ? .evaluatedObject : .keyPath(.evaluatedObject, keys: path)
  }

  /// The objects of names.
  private func named(_ expression: ExpressionTree) throws(Diagnostic) -> ExpressionTree {
    switch expression {
    case .constant(.scalar(.string(let name))): return .constant(.object(try objectID(name)))
    case .constant(.list(let list)):
      var named: [ExpressionTree] = []
      for element in list { named.append(try self.named(.constant(element))) }
      return .aggregate(named)
    case .aggregate(let list):
      var named: [ExpressionTree] = []
      for element in list { named.append(try self.named(element)) }
      return .aggregate(named)
    case .constant(.scalar(.null)): return expression
    case .constant: return .constant(.object(try objectID("\(expression)")))
    default: return expression
    }
  }

  private func objectID(_ name: String) throws(Diagnostic) -> NSManagedObjectID {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].hasPrefix("p"), let key = Int64(parts[1].dropFirst()), key > 0,
      let entity = store.schema.model.entitiesByName[String(parts[0])]
    else {
      throw .usage(
        "--where names the object \"\(ShownText.excerpt(name))\"",
        hint: "Objects are called \(self.entity.name ?? "")/p1 and so on, by their entity and their key.")
    }
    return NSManagedObjectID(entity: entity, store: store, key: key, isTemporary: false)
  }
}
