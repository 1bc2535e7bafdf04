import Diagnostics
import Foundation
package import ObjectModel
package import Predicates
import Values

/// What a store is asked for by a fetch: an entity's rows that a condition holds for, in an order.
///
/// The condition has no variables and no `now()` any more, and its key paths are of the entity.
package struct FetchQuery {
  /// A key to sort by.
  package struct SortKey {
    /// The path; the evaluated object stands for its primary key.
    package var path: ExpressionTree
    package var isAscending: Bool
    package var textOrder: TextOrder
  }

  package var entity: NSEntityDescription
  package var includesSubentities = true
  package var predicate = PredicateTree.always(true)
  package var order: [SortKey] = []
  package var offset = 0
  /// How many at most; nil for all.
  package var limit: Int?

  package init(entity: NSEntityDescription) { self.entity = entity }

  /// The query without its offset and limit.
  package var unlimited: FetchQuery {
    var query = self
    query.offset = 0
    query.limit = nil
    return query
  }

  /// The part of a list that the offset and the limit leave.
  package func slice<T>(_ list: [T]) -> [T] {
    guard offset > 0 || limit != nil else { return list }
    return Array(list.dropFirst(offset).prefix(limit ?? .max))
  }
}

extension FetchQuery {
  /// The query of a request, its keys checked.
  package init<T>(_ request: NSFetchRequest<T>, in coordinator: NSPersistentStoreCoordinator) throws {
    entity = try request.target.entity(in: coordinator)
    includesSubentities = request.includesSubentities
    offset = max(0, request.fetchOffset)
    limit = request.fetchLimit > 0 ? request.fetchLimit : nil
    try setPredicate(request.predicate)
    for descriptor in request.sortDescriptors ?? [] {
      guard let key = descriptor.key else { throw Diagnostic.sortWithoutKey() }
      let keys = key.split(separator: ".").map(String.init)
      let path = ExpressionTree.keyPath(.evaluatedObject, keys: keys)
      try KeyPathCheck(entity).check(path)
      let steps = try EntityKeyPath(keys, of: entity)
      guard steps.isOneValue || steps.isItself else { throw Diagnostic.sortByObjects(key, of: entity) }
      order.append(
        SortKey(
          path: steps.isItself ? .evaluatedObject : path, isAscending: descriptor.ascending,
          textOrder: descriptor.textOrder))
    }
  }

  /// Takes the condition of a predicate.
  mutating func setPredicate(_ predicate: NSPredicate?) throws {
    guard let predicate else { return }
    let now = ExpressionTree.constant(.scalar(.date(Date())))
    self.predicate = predicate.tree.mapExpressions { expression, _ in
      switch expression {
      case .function(.now, _): return now
      // What an object of the program's has is known before a store is asked.
      case .keyPath(.constant, _): return (try? expression.value(with: nil)).map { .constant($0) }
      default: return nil
      }
    }
    try KeyPathCheck(entity).check(self.predicate)
  }

  /// Whether what the query asks for depends on other objects than those that it gives.
  var readsRelated: Bool {
    predicate.readsRelated(entity) || order.contains { $0.path.readsRelated(entity) }
  }
}

extension PredicateTree {
  fileprivate func readsRelated(_ entity: NSEntityDescription) -> Bool {
    var found = false
    _ = mapExpressions { expression, _ in
      found = found || expression.readsRelated(entity)
      return nil
    }
    return found || hasBlock
  }

  /// Whether it needs objects of a context to be evaluated.
  var hasBlock: Bool {
    switch self {
    case .block: true
    case .and(let trees), .or(let trees): trees.contains(where: \.hasBlock)
    case .not(let tree): tree.hasBlock
    case .always, .comparison: false
    }
  }
}

extension ExpressionTree {
  /// Whether it leads over a relationship.
  fileprivate func readsRelated(_ entity: NSEntityDescription) -> Bool {
    switch self {
    case .keyPath(.evaluatedObject, let keys):
      // To-many links may be those of an object that is changed elsewhere; a to-one key is the object's own.
      guard let relationship = entity.relationshipsByName[keys.first ?? ""] else { return false }
      return relationship.isToMany || keys.count > 1
    case .keyPath, .subquery: return true
    default: return false
    }
  }
}
