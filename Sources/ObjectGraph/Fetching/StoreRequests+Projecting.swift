import Diagnostics
import Foundation
package import ObjectModel
package import Predicates
import Values

// The same for dictionaries.
extension StoreRequests {
  package func values(of query: FetchQuery, _ projection: FetchProjection) throws -> [[PredicateValue]] {
    try evaluatedValues(of: query, projection)
  }

  /// The values, evaluated with each object.
  package func evaluatedValues(of query: FetchQuery, _ projection: FetchProjection) throws -> [[PredicateValue]] {
    let objects = try StoredObjects(self).objects(Array(objectIDs(of: query.unlimited)))
    let rows: [FetchedGroup]
    if projection.isGrouped {
      rows = try query.sort(projection.group(objects).filter { try projection.accepts($0) })
    } else {
      rows = objects.map { FetchedGroup(members: [$0], columns: projection.columns) }
    }
    var values = try rows.map { row in try projection.columns.map { try row.value(of: $0) } }
    if projection.isDistinct {
      var seen: Set<[PredicateValue]> = []
      values = values.filter { seen.insert($0).inserted }
    }
    return query.slice(values)
  }
}

extension FetchProjection {
  /// The groups in the order of their first members; without anything to group by, all rows are one group.
  fileprivate func group(_ objects: [StoredObject]) throws -> [FetchedGroup] {
    guard !groups.isEmpty else { return [FetchedGroup(members: objects, columns: columns)] }
    var places: [[PredicateValue]: Int] = [:]
    var members: [[StoredObject]] = []
    for object in objects {
      let key = try groups.map { try $0.expression.value(with: object) }
      if let place = places[key] {
        members[place].append(object)
      } else {
        places[key] = members.count
        members.append([object])
      }
    }
    return members.map { FetchedGroup(members: $0, columns: columns) }
  }

  fileprivate func accepts(_ group: FetchedGroup) throws -> Bool {
    if case .always(true) = having { return true }
    return try group.resolving(having).holds(for: group)
  }
}

/// Rows that are taken together, as an object whose keys are the columns and what the rows have alike.
private struct FetchedGroup: PredicateObject {
  let members: [StoredObject]
  let columns: [FetchProjection.Column]

  var predicateIdentity: AnyHashable { AnyHashable(members.map(\.objectID)) }

  func predicateValue(forKey key: String) throws -> PredicateValue {
    if let column = columns.first(where: { $0.name == key }), column.expression.hasAggregate {
      return try value(of: column)
    }
    return try members.first?.predicateValue(forKey: key) ?? .null
  }

  func value(of column: FetchProjection.Column) throws -> PredicateValue {
    let value = try column.expression.mapExpressions(replacement).value(with: members.first)
    // An object is its ID: there is no context that it could live in.
    if case .object(let object) = value, let object = object as? StoredObject { return .object(object.objectID) }
    return value.converted(to: column.type)
  }

  func resolving(_ tree: PredicateTree) throws -> PredicateTree { tree.mapExpressions(replacement) }

  /// The value of a function of all members.
  private func replacement(_ expression: ExpressionTree, _ bound: Set<String>) -> ExpressionTree? {
    guard let (function, argument) = expression.aggregate else { return nil }
    // Of what has a value, as in SQL.
    let values = members.flatMap { member -> [PredicateValue] in
      switch try? argument.value(with: member) {
      case .list(let list)?: list
      case let value?: [value]
      case nil: []
      }
    }
    return (try? function.apply([.list(values.filter { !$0.isNull })])).map { .constant($0) }
  }
}

extension PredicateValue {
  /// A number in the type that is wanted; anything else as it is.
  package func converted(to type: NSAttributeType) -> PredicateValue {
    guard case .scalar(let value) = self, let number = value.object as? NSNumber else { return self }
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
      return .scalar(Int64(exactly: number.doubleValue.rounded(.towardZero)).map { .integer($0) } ?? value)
    case .doubleAttributeType, .floatAttributeType: return .scalar(.real(number.doubleValue))
    case .decimalAttributeType:
      if case .real(let real) = value { return .scalar(Decimal(shortestOf: real).map { .decimal($0) } ?? value) }
      return .scalar(.decimal(number.decimalValue))
    case .booleanAttributeType: return .scalar(.boolean(number.boolValue))
    case .dateAttributeType: return .scalar(.date(Date(timeIntervalSinceReferenceDate: number.doubleValue)))
    default: return self
    }
  }
}

extension NSManagedObjectContext {
  /// The rows of a request as dictionaries; what has no value is not in them.
  func dictionaries<T>(of request: NSFetchRequest<T>) throws -> [[String: Any]] {
    let coordinator = coordinator
    let query = try FetchQuery(request, in: coordinator)
    guard !query.predicate.hasBlock else { throw Diagnostic.blockInRows() }
    let projection = try FetchProjection(request, of: query.entity)
    let rows = try coordinator.performAndWait {
      let stores = try coordinator.stores(for: query.entity, among: request.affectedStores)
      // Groups of several stores would have to be taken together again.
      guard stores.count == 1 else { throw Diagnostic.rowsOfSeveralStores(query.entity) }
      return try stores[0].requests.values(of: query, projection)
    }
    return rows.map { row in
      var dictionary: [String: Any] = [:]
      for (column, value) in zip(projection.columns, row) { dictionary[column.name] = value.object }
      return dictionary
    }
  }
}
