import Foundation
import ObjectGraph
import ObjectModel
import Predicates
import Values

/// The elements of a to-many key path in a query within a query.
struct SQLCollection {
  let tables: SQLTables
  let element: SQLTerm
  /// The row of an element that is an object.
  let row: SQLRow?
  /// The key of the object that the relationship is of, where a to-one relationship leads to it: it may be nil.
  let owner: SQLText?
}

extension PredicateSQL {
  /// An expression that gives a single value.
  func term(_ expression: ExpressionTree, _ row: SQLRow) -> SQLTerm? {
    switch expression {
    case .constant(let value): constant(value)
    case .evaluatedObject: object(row)
    case .variable: self.row(of: expression, row).map { object($0) }
    case .keyPath(let base, let keys): path(keys, behind: base, row)
    case .function(let function, let arguments): self.function(function, arguments, row)
    case .conditional(let condition, let one, let other): conditional(condition, one, other, row)
    case .call, .aggregate, .subquery: nil
    }
  }

  private func object(_ row: SQLRow) -> SQLTerm { SQLTerm(sql: row.key, kind: .object(root: row.entity.rootEntity)) }

  /// The key and the entity's number of an object that an expression gives: the row's own, or that at the end of to-one
  /// relationships.
  func object(
    _ expression: ExpressionTree, _ row: SQLRow
  ) -> (key: SQLText, entity: SQLText, declared: NSEntityDescription)? {
    let own: (SQLText, SQLText, NSEntityDescription) = (row.key, "\(row.alias).Z_ENT", row.entity)
    guard case .keyPath(.evaluatedObject, let keys) = expression else {
      return expression == .evaluatedObject ? own : nil
    }
    guard let steps = try? EntityKeyPath(keys, of: row.entity).steps else { return nil }
    var (object, holder) = (own, row)
    for step in steps {
      switch step {
      case .itself: continue
      case .relationship(let relationship):
        guard !relationship.isToMany, let columns = schema.columns(of: relationship) else { return nil }
        let next = destination(of: relationship, columns, from: holder)
        object = ("\(holder.alias).\(columns.key)", "\(next.alias).Z_ENT", next.entity)
        holder = next
      default: return nil
      }
    }
    return object
  }

  // MARK: Constants

  private func constant(_ value: PredicateValue) -> SQLTerm? {
    switch value {
    case .scalar(let value): return constant(value)
    case .object(let object):
      guard let id = object.predicateIdentity.base as? NSManagedObjectID else { return nil }
      // An object of another store, or one that was never saved, is no row of this one.
      let key = !id.isTemporaryID && id.persistentStore === store ? id.key : -1
      return SQLTerm(sql: "\(value: .integer(key))", kind: .object(root: id.entity.rootEntity))
    case .list, .other: return nil
    }
  }

  func constant(_ value: Value) -> SQLTerm? {
    let type: NSAttributeType
    switch value {
    case .null: return nil
    case .integer: type = .integer64AttributeType
    case .boolean: type = .booleanAttributeType
    case .real(let real):
      guard !real.isNaN else { return nil }
      type = .doubleAttributeType
    case .decimal: type = .decimalAttributeType
    case .string: type = .stringAttributeType
    case .date: type = .dateAttributeType
    case .data: type = .binaryDataAttributeType
    case .uuid: type = .UUIDAttributeType
    case .url: type = .URIAttributeType
    }
    return StoredValue(value, as: type).map { SQLTerm(sql: "\(value: $0)", kind: .value(type)) }
  }

  // MARK: Key paths

  private func path(_ keys: [String], behind base: ExpressionTree, _ row: SQLRow) -> SQLTerm? {
    if case .subquery = base {
      guard keys == ["@count"], let elements = collection(base, row) else { return nil }
      return count(elements)
    }
    guard let start = self.row(of: base, row), let path = try? EntityKeyPath(keys, of: start.entity) else { return nil }
    var steps = path.steps[...]
    if let place = steps.firstIndex(where: { $0.collectionOperator != nil }), let name = steps[place].collectionOperator
    {
      let inner = steps[..<place] + steps[(place + 1)...]
      guard let elements = collection(Array(inner), start) else { return nil }
      return aggregate(name, elements)
    }
    var current = start
    while let step = steps.popFirst() {
      switch step {
      case .relationship(let relationship):
        guard !relationship.isToMany, let columns = schema.columns(of: relationship) else { return nil }
        if case .itself? = steps.first { steps.removeFirst() }
        guard !steps.isEmpty else {
          return SQLTerm(
            sql: "\(current.alias).\(columns.key)", kind: .object(root: relationship.destinationEntity.rootEntity))
        }
        current = destination(of: relationship, columns, from: current)
      case .attribute(let path, let attribute):
        guard let term = column(path, attribute, of: current) else { return nil }
        return valueKeys(steps, of: term)
      case .itself: if steps.isEmpty { return object(current) }
      case .composite, .entity, .collectionOperator, .valueKey: return nil
      }
    }
    return nil
  }

  private func column(_ path: String, _ attribute: NSAttributeDescription, of row: SQLRow) -> SQLTerm? {
    schema.column(of: path, in: row.entity).map { column in
      SQLTerm(
        sql: "\(row.alias).\(column)",
        kind: attribute.allowsExternalBinaryDataStorage ? .opaque : .value(attribute.attributeType))
    }
  }

  /// `age.intValue` is the value itself.
  private func valueKeys(_ steps: ArraySlice<EntityKeyPath.Step>, of term: SQLTerm) -> SQLTerm? {
    for step in steps {
      guard case .valueKey(let key) = step, term.comparedAs == .number, key.hasSuffix("Value"), key != "stringValue"
      else {
        return nil
      }
    }
    return term
  }

  private func destination(
    of relationship: NSRelationshipDescription, _ columns: ToOneColumns, from row: SQLRow
  ) -> SQLRow {
    row.tables.join("\(row.alias).\(columns.key)") {
      let entity: NSEntityDescription = relationship.destinationEntity
      let next = SQLRow(alias: newAlias(), entity: entity, tables: row.tables)
      return (next, "\(schema.table(of: entity).name) AS \(next.alias) ON \(next.key) = \(row.alias).\(columns.key)")
    }
  }

  // MARK: Collections

  /// The elements of an expression that leads to several; nil for any other.
  func collection(_ expression: ExpressionTree, _ row: SQLRow) -> SQLCollection? {
    switch expression {
    case .keyPath(let base, let keys):
      guard let start = self.row(of: base, row), let path = try? EntityKeyPath(keys, of: start.entity) else {
        return nil
      }
      return collection(path.steps, start)
    case .subquery(let base, let variable, let tree):
      guard let elements = collection(base, row), let element = elements.row,
        let condition = binding(variable, to: element).condition(tree, row)
      else { return nil }
      elements.tables.require(condition)
      return elements
    default: return nil
    }
  }

  private func collection(_ steps: [EntityKeyPath.Step], _ start: SQLRow) -> SQLCollection? {
    var current = start
    var owner: SQLText?
    var tables: SQLTables?
    var crossedToOne = false
    for (place, step) in steps.enumerated() {
      switch step {
      case .relationship(let relationship) where relationship.isToMany:
        // Behind a to-one relationship of elements, an element without a destination would be a nil among those in memory.
        guard !crossedToOne, let next = destinations(of: relationship, from: current, in: tables) else { return nil }
        (current, tables) = (next, next.tables)
      case .relationship(let relationship):
        guard let columns = schema.columns(of: relationship) else { return nil }
        let key: SQLText = "\(current.alias).\(columns.key)"
        if tables == nil { owner = key }
        if let tables, place == steps.count - 1 {
          let element = SQLTerm(sql: key, kind: .object(root: relationship.destinationEntity.rootEntity))
          return SQLCollection(tables: tables, element: element, row: nil, owner: owner)
        }
        crossedToOne = tables != nil
        current = destination(of: relationship, columns, from: current)
      case .attribute(let path, let attribute):
        guard let tables, place == steps.count - 1, let element = column(path, attribute, of: current) else {
          return nil
        }
        return SQLCollection(tables: tables, element: element, row: nil, owner: owner)
      case .itself: continue
      case .composite, .entity, .collectionOperator, .valueKey: return nil
      }
    }
    return tables.map { SQLCollection(tables: $0, element: object(current), row: current, owner: owner) }
  }

  /// The rows at the end of a to-many relationship: in a query of their own, or joined to those of one.
  private func destinations(
    of relationship: NSRelationshipDescription, from row: SQLRow, in tables: SQLTables?
  ) -> SQLRow? {
    guard let storage = schema.storage(of: relationship) else { return nil }
    let entity: NSEntityDescription = relationship.destinationEntity
    let alias = newAlias()
    let table: SQLText
    let condition: SQLText
    switch storage {
    case .foreignKey(let name, let columns):
      table = "\(name) AS \(alias)"
      condition = "\(alias).\(columns.key) = \(row.key)"
    case .joinTable(let end):
      let link = newAlias()
      let rows = schema.table(of: entity).name
      // A link whose row is gone leads nowhere.
      table = "\(end.table.name) AS \(link) JOIN \(rows) AS \(alias) ON \(alias).Z_PK = \(link).\(end.destination)"
      condition = "\(link).\(end.source) = \(row.key)"
    }
    let all = tables ?? SQLTables(table)
    if tables != nil { all.multiply(table) }
    all.require(condition)
    return SQLRow(alias: alias, entity: entity, tables: all)
  }

  private func count(_ elements: SQLCollection) -> SQLTerm {
    let tables = elements.tables
    return SQLTerm(
      sql: "(SELECT COUNT(*) FROM \(tables.from) WHERE \(tables.condition))", kind: .value(.integer64AttributeType))
  }

  /// `@count`, `@max` and the like; sums of what is no small integer depend on their order, and are left to memory.
  private func aggregate(_ name: String, _ elements: SQLCollection) -> SQLTerm? {
    let tables = elements.tables
    let element = elements.element
    let isSmall = element.type == .integer16AttributeType || element.type == .integer32AttributeType
    var term: SQLTerm
    switch name {
    case "count": term = count(elements)
    case "max", "min":
      guard element.comparedAs == .number || element.comparedAs == .text else { return nil }
      term = SQLTerm(
        sql: "(SELECT \(name.uppercased())(\(element.sql)) FROM \(tables.from) WHERE \(tables.condition))",
        kind: element.kind)
    case "sum" where isSmall:
      term = SQLTerm(
        sql: "(SELECT COALESCE(SUM(\(element.sql)), 0) FROM \(tables.from) WHERE \(tables.condition))",
        kind: .value(.integer64AttributeType))
    case "avg" where isSmall:
      term = SQLTerm(
        sql: "(SELECT AVG(\(element.sql)) FROM \(tables.from) WHERE \(tables.condition))",
        kind: .value(.doubleAttributeType))
    default: return nil
    }
    if let owner = elements.owner { term.sql = "CASE WHEN \(owner) IS NOT NULL THEN \(term.sql) END" }
    return term
  }

  // MARK: Functions

  private func function(_ function: PredicateFunction, _ arguments: [ExpressionTree], _ row: SQLRow) -> SQLTerm? {
    if function == .count, arguments.count == 1, let elements = collection(arguments[0], row) {
      return count(elements)
    }
    if function == .noIndex { return term(arguments[0], row) }
    if function == .cast { return cast(arguments, row) }
    var terms: [SQLTerm] = []
    for argument in arguments {
      guard let term = term(argument, row) else { return nil }
      terms.append(term)
    }
    switch function {
    case .add, .subtract, .multiply, .divide:
      guard terms.allSatisfy(\.isPlainNumber), let sign = function.sign else { return nil }
      let isInteger = terms.allSatisfy(\.isInteger)
      return SQLTerm(
        sql: "(\(terms[0].operand) \(sign) \(terms[1].operand))",
        kind: .value(isInteger ? .integer64AttributeType : .doubleAttributeType))
    case .uppercase, .lowercase, .canonical, .length:
      guard terms[0].type == .stringAttributeType else { return nil }
      return apply(function, terms, function == .length ? .integer64AttributeType : .stringAttributeType)
    case .modulus, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .onesComplement:
      return terms.allSatisfy(\.isPlainNumber) ? apply(function, terms, .integer64AttributeType) : nil
    case .abs, .ceiling, .floor, .truncate, .squareRoot, .exponential, .naturalLogarithm, .logarithm, .raise:
      return terms.allSatisfy(\.isPlainNumber) ? apply(function, terms, .doubleAttributeType) : nil
    default: return nil
    }
  }

  private func apply(_ function: PredicateFunction, _ terms: [SQLTerm], _ type: NSAttributeType) -> SQLTerm {
    SQLTerm(
      sql: "\(PredicateFunctions.apply)('\(function.rawValue)', \(terms.map(\.sql).joined(", ")))", kind: .value(type))
  }

  private func cast(_ arguments: [ExpressionTree], _ row: SQLRow) -> SQLTerm? {
    guard let term = term(arguments[0], row), term.isPlainNumber,
      case .constant(.scalar(.string(let name))) = arguments[1]
    else { return nil }
    switch name {
    case "NSNumber": return SQLTerm(sql: term.sql, kind: term.isInteger ? term.kind : .value(.doubleAttributeType))
    case "NSDate": return SQLTerm(sql: term.sql, kind: .value(.dateAttributeType))
    default: return nil
    }
  }

  private func conditional(
    _ condition: PredicateTree, _ one: ExpressionTree, _ other: ExpressionTree, _ row: SQLRow
  ) -> SQLTerm? {
    // Not one after the other: the optimiser of Swift 6.3.1 crashes over that.
    let terms = [one, other].compactMap { term($0, row) }
    guard let truth = self.condition(condition, row), terms.count == 2, let type = terms[0].type,
      terms[1].type == type
    else { return nil }
    return SQLTerm(sql: "CASE WHEN \(truth) THEN \(terms[0].sql) ELSE \(terms[1].sql) END", kind: .value(type))
  }
}

extension SQLTerm {
  /// The term as a part of arithmetic.
  fileprivate var operand: SQLText {
    // A column of dates keeps a whole number of seconds as an integer, which SQLite would divide as one.
    isInteger ? sql : "CAST(\(sql) AS REAL)"
  }
}

extension EntityKeyPath.Step {
  fileprivate var collectionOperator: String? { if case .collectionOperator(let name) = self { name } else { nil } }
}
