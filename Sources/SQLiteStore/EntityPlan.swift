import ObjectModel
import SQLiteDriver

/// The SQL of one entity's rows, made once: which column holds which place of the layout, and the statements.
final class EntityPlan {
  /// An attribute's column.
  struct Attribute {
    let path: String
    let column: String
    let type: NSAttributeType
    /// Whether a prefix byte tells if the value stands in the row or in a file.
    let isExternal: Bool
    /// Whether triggers compute the value: it is read and never written.
    let isDerived: Bool
  }

  let entity: NSEntityDescription
  let number: Int64
  let table: String
  /// By place in the entity's layout.
  let attributes: [Attribute]
  /// By place in the entity's layout.
  let toOne: [ToOneColumns]

  private let connection: Connection
  private var cachedInsert: Statement?
  private var cachedDelete: Statement?
  private var cachedVersion: Statement?
  private static let updateLimit = 64
  private var updates: [UpdateShape: Statement] = [:]

  init(_ entity: NSEntityDescription, schema: StoreSchema, connection: Connection) {
    self.entity = entity
    self.connection = connection
    number = Int64(schema.numbers[entity] ?? 0)
    table = schema.table(of: entity).name
    attributes = entity.layout.attributes.map { stored in
      guard let column = schema.column(of: stored.path, in: entity) else {
        preconditionFailure("\(entity.name ?? "").\(stored.path) has a place in the layout and no column")
      }
      return Attribute(
        path: stored.path, column: column, type: stored.attribute.attributeType,
        isExternal: stored.attribute.allowsExternalBinaryDataStorage,
        isDerived: stored.attribute is NSDerivedAttributeDescription)
    }
    toOne = entity.layout.toOne.map { relationship in
      guard let columns = schema.columns(of: relationship) else {
        preconditionFailure("\(entity.name ?? "").\(relationship.name) has a place in the layout and no column")
      }
      return columns
    }
  }
}

// MARK: - Statements

extension EntityPlan {
  /// The columns of a row as they are read: the number of its own entity, the version, the attributes, and for each to-one
  /// relationship its key and, where there is one, its entity.
  var selectList: String {
    let columns =
      ["Z_ENT", "Z_OPT"] + attributes.map(\.column) + toOne.flatMap { [$0.key, $0.entity].compactMap(\.self) }
    return columns.map { "t.\($0)" }.joined(separator: ", ")
  }

  /// Inserts a row: key, then the attributes that are not derived, then for each to-one relationship its columns.
  func insert() throws -> Statement {
    if let cachedInsert { return cachedInsert }
    let columns =
      attributes.filter { !$0.isDerived }.map(\.column) + toOne.flatMap { [$0.key, $0.entity].compactMap(\.self) }
    let names = (["Z_PK", "Z_ENT", "Z_OPT"] + columns).joined(separator: ", ")
    let marks = (["?", "\(number)", "1"] + columns.map { _ in "?" }).joined(separator: ", ")
    let statement = try connection.prepare("INSERT INTO \(table) (\(names)) VALUES (\(marks))")
    cachedInsert = statement
    return statement
  }

  /// Updates some columns of a row: their values, then the key and the version that was read.
  func update(_ shape: UpdateShape) throws -> Statement {
    if let statement = updates[shape] { return statement }
    var assignments = ["Z_OPT = Z_OPT + 1"]
    var marks = 0
    func mark() -> String {
      marks += 1
      return "?\(marks)"
    }
    for place in shape.attributes { assignments.append("\(attributes[place].column) = \(mark())") }
    for columns in shape.toOne.map({ toOne[$0] }) {
      let key = mark()
      assignments.append("\(columns.key) = \(key)")
      if let entity = columns.entity { assignments.append("\(entity) = \(mark())") }
      // The place among the old owner's rows means nothing to another owner, who gives a new one.
      if let order = columns.order {
        assignments.append("\(order) = CASE WHEN \(columns.key) IS \(key) THEN \(order) END")
      }
    }
    let statement = try connection.prepare(
      "UPDATE \(table) SET \(assignments.joined(separator: ", ")) WHERE Z_PK = \(mark()) AND Z_OPT = \(mark())")
    if updates.count == Self.updateLimit { updates.removeAll() }
    updates[shape] = statement
    return statement
  }

  /// The places of the attributes whose values may stand in files.
  var externalPlaces: [Int] { attributes.indices.filter { attributes[$0].isExternal } }

  /// Reads the stored forms of such attributes by the row's key.
  func external(_ places: [Int]) throws -> Statement {
    let columns = places.map { attributes[$0].column }.joined(separator: ", ")
    return try connection.statement("SELECT \(columns) FROM \(table) WHERE Z_PK = ?")
  }

  /// Deletes a row by its key and the version that was read.
  func delete() throws -> Statement {
    if let cachedDelete { return cachedDelete }
    let statement = try connection.prepare("DELETE FROM \(table) WHERE Z_PK = ? AND Z_OPT = ?")
    cachedDelete = statement
    return statement
  }
}

/// Which places an update changes.
struct UpdateShape: Hashable {
  let attributes: [Int]
  let toOne: [Int]
}
