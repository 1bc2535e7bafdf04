package import ObjectModel

/// The table of a root entity, which holds the rows of its whole hierarchy.
package struct StoreTable: Sendable {
  /// The root entity.
  package let root: NSEntityDescription
  /// The name: `Z` and the root's name in capitals.
  package let name: String
  /// The entities of the hierarchy in the order of their numbers.
  package let hierarchy: [NSEntityDescription]
  /// The columns behind `Z_PK`, `Z_ENT` and `Z_OPT`, in order.
  package internal(set) var columns: [StoreColumn] = []
  /// The columns of attributes.
  var attributeColumns: [AttributeKey: String] = [:]
  /// The columns of to-one relationships, and the hidden keys of to-many relationships without an inverse that lead here.
  var toOneColumns: [ObjectIdentifier: ToOneColumns] = [:]
  /// For each entity the columns that hold keys, in order: each has an index.
  var keyColumns: [(entity: NSEntityDescription, column: String)] = []

  /// How many columns SQLite, as it is built for systems, gives to a table beside `Z_PK`, `Z_ENT` and `Z_OPT`.
  static let columnLimit = 2000 - 3

  /// The statement that creates the table.
  package var sql: String {
    let fixed = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
    return "CREATE TABLE \(name) ( \((fixed + columns.map { "\($0.name) \($0.type)" }).joined(separator: ", ")) )"
  }
}

/// A column and its declared type.
package struct StoreColumn: Hashable, Sendable {
  package let name: String
  package let type: String
}

/// An attribute by the entity that declares it and its name, or its path in a composite.
struct AttributeKey: Hashable, Sendable {
  let entity: ObjectIdentifier
  let path: String

  init(entity: NSEntityDescription, path: String) {
    self.entity = ObjectIdentifier(entity)
    self.path = path
  }
}

/// The columns that hold one link: the key of a row and what belongs to it.
package struct ToOneColumns: Hashable, Sendable {
  /// The primary key of the destination.
  package let key: String
  /// The number of the destination's own entity, where its declared entity has subentities.
  package let entity: String?
  /// The place among the owner's rows, where the to-many side is ordered.
  package let order: String?
}

/// The groups of columns in a table, in order.
enum ColumnGroup: CaseIterable {
  case integer, order, real, decimal, string, uri, uuid, transformable, binary
}

extension NSAttributeType {
  /// The group and the declared type of this type's columns; nil for types that are not stored.
  var column: (group: ColumnGroup, type: String)? {
    switch self {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType:
      (.integer, "INTEGER")
    case .dateAttributeType: (.real, "TIMESTAMP")
    case .doubleAttributeType, .floatAttributeType: (.real, "FLOAT")
    case .decimalAttributeType: (.decimal, "DECIMAL")
    case .stringAttributeType: (.string, "VARCHAR")
    case .URIAttributeType: (.uri, "VARCHAR")
    case .UUIDAttributeType: (.uuid, "BLOB")
    case .transformableAttributeType: (.transformable, "BLOB")
    case .binaryDataAttributeType: (.binary, "BLOB")
    case .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType: nil
    }
  }
}
