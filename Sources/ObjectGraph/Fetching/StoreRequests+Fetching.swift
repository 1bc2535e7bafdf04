import Foundation
import ObjectModel
import Predicates
import Values

// What a store that has nothing better does.
extension StoreRequests {
  package func objectIDs(of query: FetchQuery) throws -> ObjectIDList {
    let all = try objectIDs(of: query.entity, includingSubentities: query.includesSubentities)
    return ObjectIDList(try filter(all, by: query, StoredObjects(self)))
  }

  package func count(of query: FetchQuery) throws -> Int { try objectIDs(of: query).count }

  /// Those of some objects that a query gives, in its order: evaluated with each.
  package func filter(
    _ candidates: [NSManagedObjectID], by query: FetchQuery, _ objects: StoredObjects
  ) throws -> [NSManagedObjectID] {
    let found = try query.filter(objects.objects(candidates))
    return query.slice(try query.sort(found)).map(\.objectID)
  }
}

extension FetchQuery {
  /// The objects for which the condition holds.
  func filter<Object: PredicateObject>(_ objects: [Object]) throws -> [Object] {
    if case .always(true) = predicate { return objects }
    var evaluation = PredicateEvaluation(nil)
    return try objects.filter { object in
      evaluation.object = .object(object)
      return try evaluation.truth(of: predicate) == true
    }
  }

  /// The objects in the query's order; those that it holds for equal stay as they stand.
  func sort<Object: PredicateObject>(_ objects: [Object]) throws -> [Object] {
    guard !order.isEmpty else { return objects }
    var evaluation = PredicateEvaluation(nil)
    let keyed = try objects.enumerated().map { place, object in
      evaluation.object = .object(object)
      let keys = try order.map { key in
        key.path == .evaluatedObject ? object.orderOfKey : try evaluation.value(of: key.path)
      }
      return (place: place, keys: keys, object: object)
    }
    return keyed.sorted { a, b in
      for (index, key) in order.enumerated() {
        let order = key.textOrder.compare(a.keys[index], b.keys[index])
        if order != .orderedSame { return (order == .orderedAscending) == key.isAscending }
      }
      return a.place < b.place
    }.map(\.object)
  }
}

extension PredicateObject {
  /// Its primary key, by which objects are ordered themselves; those that are not saved yet come last.
  fileprivate var orderOfKey: PredicateValue {
    guard let id = predicateIdentity.base as? NSManagedObjectID else { return .null }
    return .scalar(.integer(id.isTemporaryID ? .max / 2 + id.key : id.key))
  }
}
