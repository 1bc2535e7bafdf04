import Diagnostics
package import ObjectGraph
import ObjectModel
package import Predicates
import SQLiteDriver

extension SQLitePersistentStore {
  package func values(of query: FetchQuery, _ projection: FetchProjection) throws -> [[PredicateValue]] {
    guard let plan = ProjectionPlan(query, projection, self) else {
      return try evaluatedValues(of: query, projection)
    }
    return try speaking {
      let select = try fetchStatement(plan.sql)
      defer { select.reset() }
      var rows: [[PredicateValue]] = []
      while try select.step() {
        var row: [PredicateValue] = []
        var index = 0
        for column in plan.columns {
          row.append(try value(of: column, in: select, at: index).converted(to: column.type))
          index += column.sql.count
        }
        if try plan.accepts(row) { rows.append(row) }
      }
      return plan.isSliced ? rows : query.slice(projection.isDistinct ? rows.distinct : rows)
    }
  }

  private func value(of column: ProjectionPlan.Column, in select: Statement, at index: Int) throws -> PredicateValue {
    switch column.kind {
    case .value(let type):
      let stored = select.storedValue(index)
      guard let value = stored.value(as: type) else {
        throw Diagnostic.storedValue(stored, ofColumn: column.name, type)
      }
      return .scalar(value)
    case .object(let declared):
      guard let key = select.optionalInteger(index) else { return .null }
      return .object(objectID(key, entityNumber: select.optionalInteger(index + 1), declared: declared))
    }
  }
}

extension [[PredicateValue]] {
  /// Each row once, where it first stands.
  fileprivate var distinct: [[PredicateValue]] {
    var seen: Set<[PredicateValue]> = []
    return filter { seen.insert($0).inserted }
  }
}

/// The SQL of a fetch of dictionaries.
private struct ProjectionPlan {
  struct Column {
    enum Kind {
      case value(NSAttributeType)
      /// A key, and the number of the entity behind it.
      case object(NSEntityDescription)
    }
    let name: String
    let sql: [SQLText]
    let kind: Kind
    let type: NSAttributeType
  }

  private(set) var columns: [Column] = []
  private(set) var sql: SQLText = ""
  /// Whether the SQL heeds the limit and the offset.
  let isSliced: Bool
  private let having: PredicateTree

  /// Nil where SQL would not give just what is evaluated in memory.
  init?(_ query: FetchQuery, _ projection: FetchProjection, _ store: SQLitePersistentStore) {
    let plan = FetchPlan(query, store)
    let isGrouped = projection.isGrouped
    having = projection.having
    guard plan.isExact, projection.havingReadsColumns else { return nil }
    for column in projection.columns {
      let isAlike = isGrouped && !projection.groups.contains { $0.expression == column.expression }
      guard let made = isAlike ? plan.aggregate(column) : plan.column(column) else { return nil }
      columns.append(made)
    }
    isSliced = !isGrouped && !projection.isDistinct
    let terms = columns.flatMap(\.sql)
    guard !terms.isEmpty else { return nil }
    guard isGrouped else {
      sql = plan.select(terms, of: isSliced ? query : query.unlimited)
      return
    }
    var groups: [SQLText] = []
    for group in projection.groups {
      guard let term = plan.column(group), case .value = term.kind else { return nil }
      groups += term.sql
    }
    // Of what a group does not have alike, any row's value would decide.
    guard query.order.allSatisfy({ key in projection.groups.contains { $0.expression == key.path } }) else {
      return nil
    }
    sql = plan.select(terms, groupedBy: groups)
  }

  func accepts(_ row: [PredicateValue]) throws -> Bool {
    if case .always(true) = having { return true }
    var values: [String: Any] = [:]
    for (column, value) in zip(columns, row) { values[column.name] = value }
    return try having.holds(for: values)
  }
}

extension FetchProjection {
  /// Whether what groups must have is told by the columns themselves.
  fileprivate var havingReadsColumns: Bool {
    let names = Set(columns.map(\.name))
    var reads = true
    _ = having.mapExpressions { expression, _ in
      switch expression {
      case .keyPath(.evaluatedObject, let keys): reads = reads && keys.count == 1 && names.contains(keys[0])
      case .constant: break
      case .function: reads = reads && expression.aggregate == nil
      default: reads = false
      }
      return nil
    }
    return reads
  }
}

extension FetchPlan {
  /// A column of single rows, or of what groups have alike.
  fileprivate func column(_ column: FetchProjection.Column) -> ProjectionPlan.Column? {
    if let object = translation.object(column.expression, row) {
      return .init(
        name: column.name, sql: [object.key, object.entity], kind: .object(object.declared), type: column.type)
    }
    guard let term = translation.term(column.expression, row), let type = term.type else { return nil }
    return .init(name: column.name, sql: [term.sql], kind: .value(type), type: column.type)
  }

  /// A column of a function over rows; sums of what is no small integer depend on their order, and are left to memory.
  fileprivate func aggregate(_ column: FetchProjection.Column) -> ProjectionPlan.Column? {
    guard let (function, argument) = column.expression.aggregate else { return nil }
    func made(_ sql: SQLText, _ type: NSAttributeType) -> ProjectionPlan.Column {
      .init(name: column.name, sql: [sql], kind: .value(type), type: column.type)
    }
    if function == .count, case .evaluatedObject = argument { return made("COUNT(*)", .integer64AttributeType) }
    guard let term = translation.term(argument, row) else { return nil }
    let isSmall = term.type == .integer16AttributeType || term.type == .integer32AttributeType
    switch (function, term.type) {
    case (.count, _): return made("COUNT(\(term.sql))", .integer64AttributeType)
    case (.maximum, let type?) where term.comparedAs != nil: return made("MAX(\(term.sql))", type)
    case (.minimum, let type?) where term.comparedAs != nil: return made("MIN(\(term.sql))", type)
    case (.sum, _) where isSmall: return made("COALESCE(SUM(\(term.sql)), 0)", .integer64AttributeType)
    case (.average, _) where isSmall: return made("AVG(\(term.sql))", .doubleAttributeType)
    default: return nil
    }
  }
}
