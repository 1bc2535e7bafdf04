package import ObjectGraph
import ObjectModel
import Predicates
import SQLiteDriver

extension SQLitePersistentStore {
  package func objectIDs(of query: FetchQuery) throws -> ObjectIDList {
    let plan = FetchPlan(query, self)
    let found = try speaking {
      let select = try fetchStatement(plan.select([plan.row.key, "\(plan.row.alias).Z_ENT"], of: query))
      var found = ObjectIDList(of: self)
      defer { select.reset() }
      while try select.step() { found.append(select.integer(0), entity(select.integer(1)) ?? query.entity) }
      return found
    }
    if plan.isExact { return found }
    // What SQL could not say is asked of each of the rows that it left.
    return ObjectIDList(try filter(found.sorted { $0.key < $1.key }, by: query, StoredObjects(self)))
  }

  package func count(of query: FetchQuery) throws -> Int {
    let plan = FetchPlan(query, self)
    guard plan.isExact else { return try objectIDs(of: query).count }
    return try speaking {
      let rows = plan.select([plan.row.key], of: query, isOrdered: false)
      let select = try fetchStatement("SELECT COUNT(*) FROM (\(rows))")
      defer { select.reset() }
      return try select.step() ? Int(select.integer(0)) : 0
    }
  }

  /// The statement of a query, its parameters bound.
  func fetchStatement(_ sql: SQLText) throws -> Statement {
    let statement = try fetchStatements.statement(sql.text, on: connection)
    for (index, value) in sql.values.enumerated() { statement.bind(index + 1, value) }
    return statement
  }
}

/// What SQL says of a query.
struct FetchPlan {
  let row: SQLRow
  let translation: PredicateSQL
  /// Whether it says all of it: the condition and the order.
  let isExact: Bool
  private let condition: SQLText
  private let order: [SQLText]

  init(_ query: FetchQuery, _ store: SQLitePersistentStore) {
    self.init(query, store, isPlain: false)
    // SQLite limits how deep a statement is nested and how many tables it joins: beyond, memory must do.
    guard condition.text.utf8.count > Self.simple || row.tables.from.text.utf8.count > Self.simple else { return }
    let trial: SQLText = "SELECT 1 FROM (SELECT 1 FROM (\(select([row.key], of: query))))"
    if (try? store.fetchStatement(trial)) == nil { self = FetchPlan(query, store, isPlain: true) }
  }

  /// The length in bytes up to which no statement meets SQLite's limits.
  private static let simple = 300

  private init(_ query: FetchQuery, _ store: SQLitePersistentStore, isPlain: Bool) {
    translation = PredicateSQL(store)
    row = translation.rows(of: query.entity)
    let schema = store.schema
    let numbers =
      query.includesSubentities ? schema.numbersOfHierarchy(query.entity) : [schema.numbers[query.entity] ?? 0]
    let ofEntity: SQLText = "\(row.alias).Z_ENT IN (\(numbers.list))"
    let (narrowing, isNarrowingExact) = isPlain ? (nil, false) : translation.narrowing(query.predicate, row)
    let sql = narrowing.flatMap { $0.isAcceptable ? $0 : nil }
    let isConditionExact = isNarrowingExact && sql != nil
    condition = sql.map { "\(ofEntity) AND \($0)" } ?? ofEntity
    var order: [SQLText] = []
    for key in isPlain ? [] : query.order {
      guard let term = translation.sortKey(key, row) else { break }
      order.append("\(term) \(key.isAscending ? "ASC" : "DESC")")
    }
    isExact = isConditionExact && order.count == query.order.count
    self.order = order + ["\(row.key)"]
  }

  /// The query; of a plan that is not exact, without its limit.
  func select(_ columns: [SQLText], of query: FetchQuery, isOrdered: Bool = true) -> SQLText {
    var sql: SQLText = "SELECT \(columns.joined(", ")) FROM \(row.tables.from) WHERE \(condition)"
    if isOrdered { sql = "\(sql) ORDER BY \(order.joined(", "))" }
    guard isExact, query.limit != nil || query.offset > 0 else { return sql }
    return
      "\(sql) LIMIT \(value: .integer(Int64(query.limit ?? -1))) OFFSET \(value: .integer(Int64(query.offset)))"
  }

  /// The query by groups, in its order and then in that of their first rows.
  func select(_ columns: [SQLText], groupedBy groups: [SQLText]) -> SQLText {
    let sql: SQLText = "SELECT \(columns.joined(", ")) FROM \(row.tables.from) WHERE \(condition)"
    guard !groups.isEmpty else { return sql }
    let order = order.dropLast() + ["MIN(\(row.key))"]
    return "\(sql) GROUP BY \(groups.joined(", ")) ORDER BY \(Array(order).joined(", "))"
  }
}

extension PredicateSQL {
  /// A key to sort by; orders of a language are left to memory.
  fileprivate func sortKey(_ key: FetchQuery.SortKey, _ row: SQLRow) -> SQLText? {
    if key.path == .evaluatedObject { return row.key }
    guard let term = term(key.path, row), term.comparedAs != nil else { return nil }
    switch key.textOrder {
    case .binary: return term.sql
    case .caseInsensitive where term.comparedAs == .text:
      return "\(PredicateFunctions.fold)(\(term.sql), \(PredicateTree.Options.caseInsensitive.rawValue))"
    default: return term.comparedAs == .text ? nil : term.sql
    }
  }
}

/// The statements of the last queries, so that those that are asked again and again are compiled once.
struct FetchStatements {
  private static let limit = 64
  private var statements: [String: Statement] = [:]

  mutating func statement(_ sql: String, on connection: Connection) throws(SQLiteError) -> Statement {
    if let kept = statements[sql], !kept.isBusy {
      kept.clear()
      return kept
    }
    let new = try connection.prepare(sql)
    if statements.count == Self.limit { statements.removeAll() }
    statements[sql] = new
    return new
  }
}
