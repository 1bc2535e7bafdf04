import Foundation
import ObjectGraph
import ObjectModel
import Predicates
import Values

/// Makes SQL of conditions: of what SQLite answers just as `PredicateEvaluation` does, and of nothing else.
///
/// Each function gives nil for what is left to be evaluated in memory. Comparisons of texts that overlook something, patterns and
/// functions are calls of functions of the connection, which run the very code of the evaluation.
struct PredicateSQL {
  let store: SQLitePersistentStore
  /// The rows that the variables of subqueries stand for.
  private var variables: [String: SQLRow] = [:]
  private let names = Names()
  /// More parameters than this are not bound: SQLite has a limit.
  static let listLimit = 10_000

  private final class Names {
    var count = 0
  }

  init(_ store: SQLitePersistentStore) { self.store = store }

  var schema: StoreSchema { store.schema }

  /// A name for a table in the query.
  func newAlias() -> String {
    names.count += 1
    return "t\(names.count)"
  }

  /// The rows of an entity's table.
  func rows(of entity: NSEntityDescription) -> SQLRow {
    let alias = newAlias()
    return SQLRow(
      alias: alias, entity: entity, tables: SQLTables("\(schema.table(of: entity).name) AS \(alias)"))
  }

  func binding(_ variable: String, to row: SQLRow) -> PredicateSQL {
    var copy = self
    copy.variables[variable] = row
    return copy
  }

  func row(of base: ExpressionTree, _ row: SQLRow) -> SQLRow? {
    switch base {
    case .evaluatedObject: row
    case .variable(let name): variables[name]
    default: nil
    }
  }
}

// MARK: - Conditions

extension PredicateSQL {
  /// What SQL can say of a condition, and whether that is all of it: the parts of a conjunction that SQL cannot say are left out.
  func narrowing(_ tree: PredicateTree, _ row: SQLRow) -> (sql: SQLText?, isExact: Bool) {
    guard case .and(let trees) = tree, !trees.isEmpty else {
      let sql = condition(tree, row)
      return (sql, sql != nil)
    }
    let parts = trees.map { narrowing($0, row) }
    let known = parts.compactMap(\.sql)
    return (known.isEmpty ? nil : known.balanced("AND"), parts.allSatisfy(\.isExact))
  }

  /// The condition in SQL.
  func condition(_ tree: PredicateTree, _ row: SQLRow) -> SQLText? {
    switch tree {
    case .always(let truth): truth ? "1" : "0"
    case .and(let trees): compound(trees, "AND", row) ?? (trees.isEmpty ? "1" : nil)
    case .or(let trees): compound(trees, "OR", row) ?? (trees.isEmpty ? "0" : nil)
    case .not(let tree): condition(tree, row).map { "(NOT \($0))" }
    case .block: nil
    case .comparison(let comparison):
      switch comparison.modifier {
      case .direct: direct(comparison, row)
      case .any, .all: quantified(comparison, row)
      }
    }
  }

  private func compound(_ trees: [PredicateTree], _ word: String, _ row: SQLRow) -> SQLText? {
    var parts: [SQLText] = []
    for tree in trees {
      guard let part = condition(tree, row) else { return nil }
      parts.append(part)
    }
    return parts.isEmpty ? nil : parts.balanced(word)
  }

  /// `ANY` and `ALL`: whether there is an element, or none, for which the comparison is true, or not true.
  private func quantified(_ comparison: PredicateTree.Comparison, _ row: SQLRow) -> SQLText? {
    let isAny = comparison.modifier == .any
    guard let elements = collection(comparison.left, row) else {
      // A path to one value is a collection of one, or of none.
      guard let single = term(comparison.left, row), let truth = compare(single, comparison, row) else { return nil }
      return isAny
        ? "(\(single.sql) IS NOT NULL AND \(truth) IS TRUE)" : "(\(single.sql) IS NULL OR \(truth) IS TRUE)"
    }
    guard let truth = compare(elements.element, comparison, row) else { return nil }
    let rows: SQLText = "SELECT 1 FROM \(elements.tables.from) WHERE \(elements.tables.condition)"
    return isAny ? "EXISTS (\(rows) AND \(truth))" : "(NOT EXISTS (\(rows) AND \(truth) IS NOT TRUE))"
  }

  private func direct(_ comparison: PredicateTree.Comparison, _ row: SQLRow) -> SQLText? {
    if comparison.operation == .contains, let elements = collection(comparison.left, row) {
      guard comparison.options.folds == false, let value = term(comparison.right, row) else { return nil }
      return membership(of: value, in: elements)
    }
    if case .constant(.scalar(.null)) = comparison.left {
      guard let right = term(comparison.right, row) else { return nil }
      switch comparison.operation {
      case .equal: return "(\(right.sql) IS NULL)"
      case .notEqual: return "(\(right.sql) IS NOT NULL)"
      case .isIn, .contains, .between: return nil
      default: return "NULL"
      }
    }
    return term(comparison.left, row).flatMap { compare($0, comparison, row) }
  }

  /// The comparison with something in place of its left side.
  private func compare(_ left: SQLTerm, _ comparison: PredicateTree.Comparison, _ row: SQLRow) -> SQLText? {
    let (operation, options) = (comparison.operation, comparison.options)
    if case .constant(.scalar(.null)) = comparison.right {
      switch operation {
      case .equal: return "(\(left.sql) IS NULL)"
      case .notEqual: return "(\(left.sql) IS NOT NULL)"
      case .isIn, .contains, .between: return nil
      default: return "NULL"
      }
    }
    switch operation {
    case .isIn:
      if let list = comparison.right.list { return isIn(left, list, options, row) }
      if let elements = collection(comparison.right, row) {
        return options.folds ? nil : membership(of: left, in: elements)
      }
    case .between:
      guard let limits = comparison.right.list, limits.count == 2,
        let low = term(limits[0], like: left, row), let high = term(limits[1], like: left, row),
        let above = scalar(left, .greaterOrEqual, low, options), let below = scalar(left, .lessOrEqual, high, options)
      else { return nil }
      return "(\(above) AND \(below))"
    default: break
    }
    return term(comparison.right, like: left, row).flatMap { right in
      fitting(comparison.left, left, like: right, row).flatMap { scalar($0, operation, right, options) }
    }
  }

  /// Whether a key or a value is among the elements of a to-many key path.
  private func membership(of value: SQLTerm, in elements: SQLCollection) -> SQLText? {
    guard value.isComparable(with: elements.element) else { return nil }
    let tables = elements.tables
    return "(\(value.sql) IN (SELECT \(elements.element.sql) FROM \(tables.from) WHERE \(tables.condition)))"
  }

  private func isIn(
    _ left: SQLTerm, _ list: [ExpressionTree], _ options: PredicateTree.Options, _ row: SQLRow
  ) -> SQLText? {
    guard list.count <= Self.listLimit else { return nil }
    var elements: [SQLText] = []
    for element in list {
      if case .constant(.scalar(.null)) = element {
        elements.append("NULL")
        continue
      }
      guard let term = term(element, like: left, row), left.isComparable(with: term) else { return nil }
      elements.append(folded(term, options))
    }
    return "(\(folded(left, options)) IN (\(elements.joined(", "))))"
  }
}

// MARK: - Comparisons of single values

extension PredicateSQL {
  private static let signs: [PredicateTree.Operator: String] = [
    .equal: "=", .notEqual: "<>", .less: "<", .lessOrEqual: "<=", .greater: ">", .greaterOrEqual: ">=",
  ]

  private func scalar(
    _ left: SQLTerm, _ operation: PredicateTree.Operator, _ right: SQLTerm, _ options: PredicateTree.Options
  ) -> SQLText? {
    guard left.isComparable(with: right) else { return nil }
    if let sign = Self.signs[operation] {
      if case .object = left.kind, operation != .equal, operation != .notEqual { return nil }
      return "(\(folded(left, options)) \(sign) \(folded(right, options)))"
    }
    // Numbers and bytes have no characters: neither so nor not so.
    guard left.comparedAs == .text else { return left.type == nil ? nil : "NULL" }
    if operation == .beginsWith, !options.folds, let prefix = right.text {
      // A range, which an index serves.
      guard !prefix.isEmpty else { return "(\(left.sql) = \(left.sql))" }
      let above: SQLText = "\(left.sql) >= \(right.sql)"
      return prefix.behindAllWithPrefix.map { "(\(above) AND \(left.sql) < \(value: .text($0)))" } ?? "(\(above))"
    }
    return
      "\(PredicateFunctions.compare)('\(operation.rawValue)', \(options.rawValue), \(left.sql), \(right.sql))"
  }

  private func folded(_ term: SQLTerm, _ options: PredicateTree.Options) -> SQLText {
    guard options.folds, term.comparedAs == .text else { return term.sql }
    if let text = term.text { return "\(value: .text(TextMatching.folded(text, options)))" }
    return "\(PredicateFunctions.fold)(\(term.sql), \(options.rawValue))"
  }

  /// A term, and a text in quotes as what it is compared with: a number, a date, a UUID.
  private func term(_ expression: ExpressionTree, like other: SQLTerm, _ row: SQLRow) -> SQLTerm? {
    term(expression, row).flatMap { fitting(expression, $0, like: other, row) }
  }

  private func fitting(
    _ expression: ExpressionTree, _ term: SQLTerm, like other: SQLTerm, _ row: SQLRow
  ) -> SQLTerm? {
    guard case .constant(.scalar(let value)) = expression, case .string = value, let sample = other.sample else {
      return term
    }
    // What is no such value is nil there, as a comparison with it is neither so nor not so.
    guard let fitting = value.matching(sample) else { return SQLTerm(sql: "NULL", kind: other.kind) }
    return constant(fitting)
  }
}

extension SQLTerm {
  func isComparable(with other: SQLTerm) -> Bool {
    switch (kind, other.kind) {
    case (.object(let a), .object(let b)): a === b
    case (.value, .value): comparedAs != nil && comparedAs == other.comparedAs
    default: false
    }
  }

  /// The text, if it is a constant one.
  fileprivate var text: String? {
    guard sql.text == "?", case .text(let text)? = sql.values.first else { return nil }
    return text
  }

  /// A value of its type that is no text.
  fileprivate var sample: Value? {
    switch comparedAs {
    case .number: type == .dateAttributeType ? .date(Date()) : .integer(0)
    case .bytes: type == .UUIDAttributeType ? .uuid(UUID()) : .data(Data())
    default: nil
    }
  }
}

extension PredicateTree.Options {
  /// Whether anything is overlooked.
  fileprivate var folds: Bool { contains(.caseInsensitive) || contains(.diacriticInsensitive) }
}

extension ExpressionTree {
  /// The elements of a list that is written out.
  fileprivate var list: [ExpressionTree]? {
    switch self {
    case .aggregate(let elements): elements
    case .constant(.list(let values)): values.map { .constant($0) }
    default: nil
    }
  }
}

extension String {
  /// The least text that is greater than all that begin with this one; nil if there is none.
  fileprivate var behindAllWithPrefix: String? {
    var scalars = Array(unicodeScalars)
    while let last = scalars.popLast() {
      // Bytes in UTF-8 are ordered as the numbers of the characters; surrogates are none.
      let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
      guard let scalar = Unicode.Scalar(next) else { continue }
      var text = String.UnicodeScalarView(scalars)
      text.append(scalar)
      return String(text)
    }
    return nil
  }
}
