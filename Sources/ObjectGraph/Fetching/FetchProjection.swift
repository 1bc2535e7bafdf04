import Diagnostics
package import ObjectModel
package import Predicates

/// What a fetch of dictionaries gives of each row, or of each group of rows.
package struct FetchProjection {
  /// A column of the result.
  package struct Column {
    package var name: String
    package var expression: ExpressionTree
    /// The type that the result is wanted in; undefined for whatever there is.
    package var type: NSAttributeType
  }

  package var columns: [Column] = []
  /// What rows must have alike to be one group.
  package var groups: [Column] = []
  package var having = PredicateTree.always(true)
  package var isDistinct = false

  /// Whether rows are taken together.
  package var isGrouped: Bool { !groups.isEmpty || columns.contains { $0.expression.hasAggregate } }
}

extension FetchProjection {
  init<T>(_ request: NSFetchRequest<T>, of entity: NSEntityDescription) throws(Diagnostic) {
    isDistinct = request.returnsDistinctResults
    for property in request.propertiesToFetch ?? Self.allProperties(of: entity) {
      columns.append(try Self.column(property, of: entity))
    }
    for property in request.propertiesToGroupBy ?? [] { groups.append(try Self.column(property, of: entity)) }
    guard let having = request.havingPredicate?.tree else { return }
    self.having = having
    // Columns stand in it by their names, which the entity does not know.
    let names = Set(columns.map(\.name))
    try KeyPathCheck(entity).check(
      having.mapExpressions { expression, _ in
        if case .keyPath(.evaluatedObject, let keys) = expression, keys.count == 1, names.contains(keys[0]) {
          return .constant(.null)
        }
        return nil
      })
  }

  private static func allProperties(of entity: NSEntityDescription) -> [Any] {
    entity.layout.attributes.map(\.path) + entity.layout.toOne.map(\.name)
  }

  private static func column(_ property: Any, of entity: NSEntityDescription) throws(Diagnostic) -> Column {
    if let description = property as? NSExpressionDescription, let expression = description.expression {
      try KeyPathCheck(entity).check(expression)
      return Column(name: description.name, expression: expression, type: description.expressionResultType)
    }
    guard let path = (property as? String) ?? (property as? NSPropertyDescription)?.name else {
      throw .fetchColumn(property)
    }
    let keys = path.split(separator: ".").map(String.init)
    let steps = try EntityKeyPath(keys, of: entity)
    guard !steps.isToMany else { throw .toManyColumn(path, of: entity) }
    return Column(
      name: path, expression: .keyPath(.evaluatedObject, keys: keys), type: .undefinedAttributeType)
  }
}

extension ExpressionTree {
  /// Whether a function of collections in it is taken of all rows, or of a group's.
  package var hasAggregate: Bool {
    var found = false
    _ = mapExpressions { expression, _ in
      found = found || expression.aggregate != nil
      return nil
    }
    return found
  }

  /// The function and what it is taken of, if it is one over rows.
  package var aggregate: (function: PredicateFunction, argument: ExpressionTree)? {
    guard case .function(let function, let arguments) = self, arguments.count == 1, function.isOfCollections else {
      return nil
    }
    return (function, arguments[0])
  }
}
