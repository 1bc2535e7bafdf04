import ObjectModel

/// The tables that a query, or a query within it, takes rows from.
final class SQLTables {
  private var tables: SQLText
  private(set) var conditions: [SQLText] = []
  private var joined: [String: SQLRow] = [:]

  init(_ table: SQLText) { tables = table }

  /// What stands behind `FROM`.
  var from: SQLText { tables }

  /// What stands behind `WHERE`.
  var condition: SQLText { conditions.isEmpty ? "1" : conditions.joined(" AND ") }

  func require(_ condition: SQLText) { conditions.append(condition) }

  /// Adds a table that has at most one row for each row so far, or the known row of an earlier call.
  func join(_ key: String, _ make: () -> (SQLRow, SQLText)) -> SQLRow {
    if let row = joined[key] { return row }
    let (row, join) = make()
    joined[key] = row
    tables = "\(tables) LEFT JOIN \(join)"
    return row
  }

  /// Adds a table that may have several.
  func multiply(_ join: SQLText) { tables = "\(tables) JOIN \(join)" }
}

/// The row of an object in a query: its table's alias, and what entity it is of.
struct SQLRow {
  let alias: String
  let entity: NSEntityDescription
  let tables: SQLTables

  var key: SQLText { "\(alias).Z_PK" }
}

/// What an expression is in SQL, and what kind of value it gives.
struct SQLTerm {
  enum Kind {
    case value(NSAttributeType)
    /// The key of an object, of the hierarchy of an entity.
    case object(root: NSEntityDescription)
    /// What SQL can only tell nil from: a value that may be in a file.
    case opaque
  }

  /// How values are compared: only those of one class can be.
  enum Class { case number, text, bytes }

  var sql: SQLText
  var kind: Kind

  var type: NSAttributeType? { if case .value(let type) = kind { type } else { nil } }

  var comparedAs: Class? {
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType,
      .decimalAttributeType, .doubleAttributeType, .floatAttributeType, .dateAttributeType:
      .number
    case .stringAttributeType, .URIAttributeType: .text
    case .UUIDAttributeType, .binaryDataAttributeType, .transformableAttributeType: .bytes
    default: nil
    }
  }

  /// Whether it is a number that is reckoned with as SQLite does; decimals are reckoned with exactly.
  var isPlainNumber: Bool { comparedAs == .number && type != .decimalAttributeType }

  var isInteger: Bool {
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType: true
    default: false
    }
  }
}
