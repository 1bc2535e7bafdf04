import Diagnostics
import Foundation
import ObjectModel
import Predicates
import Values

/// A batch update some of whose values are expressions: each row is given its own.
struct ComputedUpdate {
  private static let chunk = 1000

  private let entity: NSEntityDescription
  /// What all rows are given.
  private let values: [(place: Int, value: Value)]
  /// What each row is given of its own.
  private let places: [Int]
  /// The rows themselves, and the values of the expressions.
  private let projection: FetchProjection

  /// Checks the expressions against the entity.
  init(
    _ expressions: [(place: Int, expression: ExpressionTree)], _ values: [(place: Int, value: Value)],
    of entity: NSEntityDescription
  ) throws(Diagnostic) {
    self.entity = entity
    self.values = values
    places = expressions.map(\.place)
    var columns = [FetchProjection.Column(name: "", expression: .evaluatedObject, type: .undefinedAttributeType)]
    for (place, expression) in expressions {
      let stored = entity.layout.attributes[place]
      guard !expression.hasAggregate else { throw .aggregateUpdate(stored.path, "\(expression)") }
      try KeyPathCheck(entity).check(expression)
      columns.append(.init(name: stored.path, expression: expression, type: stored.attribute.attributeType))
    }
    projection = FetchProjection(columns: columns)
  }

  /// What the update changes in a store.
  ///
  /// - Throws: `SaveError.validation` for all rows that would break the model's rules.
  func changes(of query: FetchQuery, in store: any StoreRequests) throws -> StoreChanges {
    let computed = try store.values(of: query, projection)
    var changes = StoreChanges()
    var invalid: [SaveError.Invalid] = []
    for start in stride(from: 0, to: computed.count, by: Self.chunk) {
      let chunk = computed[start...].prefix(Self.chunk)
      let rows = try store.rows(for: chunk.compactMap { $0[0].object as? NSManagedObjectID })
      for (row, results) in zip(rows, chunk) {
        guard let row else { continue }
        let update = try update(of: row, results)
        changes.updated.append(update)
        var after = row.attributes
        for (place, value) in update.attributes { after[place] = value }
        invalid += update.attributes.compactMap { place, value in
          row.objectID.entity.validate(value, at: place) { !after[$0].isNull }
            .map { .init(objectID: row.objectID, error: $0) }
        }
      }
    }
    guard invalid.isEmpty else { throw SaveError.validation(invalid) }
    return changes
  }

  private func update(of row: StoredRow, _ results: [PredicateValue]) throws -> StoreChanges.Update {
    var attributes = values
    for (index, place) in places.enumerated() {
      let type = entity.layout.attributes[place].attribute.attributeType
      let result = results[index + 1].converted(to: type)
      guard let value = Value(result.object, as: type) else {
        let path = entity.layout.attributes[place].path
        throw Diagnostic.valueType(result.object ?? NSNull(), forKey: path, of: entity, expected: type.takenTypes)
      }
      attributes.append((place, value))
    }
    // A subentity's layout has other places.
    let layout = row.objectID.entity.layout
    let placed = attributes.map { place, value in
      (place: layout.attributeIndex[entity.layout.attributes[place].path] ?? place, value: value)
    }
    return StoreChanges.Update(objectID: row.objectID, version: row.version, attributes: placed, toOne: [])
  }
}

extension Diagnostic {
  fileprivate static func aggregateUpdate(_ name: String, _ expression: String) -> Diagnostic {
    Diagnostic(
      .requestProperty, "\(name) cannot be updated by \(expression), which is taken of all rows together",
      hint: "Fetch it first, and give its value.")
  }
}
