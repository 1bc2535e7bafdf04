import Bytes
import Diagnostics
import Foundation
import ObjectGraph
package import ObjectModel
import SQLiteDriver

// Rows and links one after the other, as they are stored: for programs that write down all of a store, however large.

/// A row as it is stored.
package struct UncheckedRow {
  package let key: Int64
  /// In the order of the entity's layout; a value of external storage is the value itself.
  package let attributes: [StoredValue]
  /// In the order of the entity's layout.
  package let toOne: [RowName?]
}

/// What a row is called: its entity and its key.
package struct RowName {
  package let entity: NSEntityDescription
  package let key: Int64

  package init(entity: NSEntityDescription, key: Int64) {
    self.entity = entity
    self.key = key
  }
}

/// A link as it is stored.
package struct UncheckedLink {
  package let source: RowName
  package let destination: RowName
  /// The place of the source among those of the destination, from 1, where the inverse is ordered and has a table of links.
  package let inversePlace: Int64?
}

extension SQLitePersistentStore {
  /// Runs a body that sees the store as it is at one moment, whatever other programs write meanwhile.
  package func reading<Result>(_ body: () throws -> Result) throws -> Result {
    try whole {
      try speaking {
        try connection.execute("BEGIN")
        defer { try? connection.rollback() }
        return try body()
      }
    }
  }

  /// Hands over the rows of an entity, those of its subentities not among them, by key.
  ///
  /// - Parameter places: the attributes that are read; the others are null. The default is all.
  package func forEachRow(
    of entity: NSEntityDescription, places: [Int]? = nil, body: (UncheckedRow) throws -> Void
  ) throws {
    let plan = plan(of: entity)
    let wanted = Set(places ?? Array(plan.attributes.indices))
    let ends = places == nil ? plan.toOne.indices.map { ToOneEnd($0, plan, schema) } : []
    let columns =
      ["t.Z_PK"]
      + plan.attributes.enumerated().map { wanted.contains($0) ? "t.\($1.column)" : "NULL" }
      + ends.flatMap { ["t.\($0.key)", $0.number] }
    let joins = ends.compactMap(\.join).joined()
    let select = try connection.prepare(
      "SELECT \(columns.joined(separator: ", ")) FROM \(plan.table) AS t\(joins) WHERE t.Z_ENT = \(plan.number) "
        + "ORDER BY t.Z_PK")
    try select.forEachRow { row in
      let key = row.integer(0)
      let attributes = try plan.attributes.enumerated().map { place, attribute in
        try stored(row, place + 1, attribute.path, isExternal: attribute.isExternal) {
          RowName(entity: entity, key: key)
        }
      }
      var column = 1 + attributes.count
      let toOne = ends.map { end in
        defer { column += 2 }
        return row.optionalInteger(column).map {
          rowName($0, number: row.optionalInteger(column + 1), declared: end.destination)
        }
      }
      try body(UncheckedRow(key: key, attributes: attributes, toOne: toOne))
    }
  }

  /// The value of a column: that of a file where it is in one, and a text only if it is one.
  func stored(
    _ row: Statement, _ column: Int, _ path: String, isExternal: Bool, of name: () -> RowName
  ) throws -> StoredValue {
    if row.kind(column) == .text {
      guard let text = row.validText(column) else { throw Diagnostic.textEncoding(path, name()) }
      return .text(text)
    }
    let value = row.storedValue(column)
    switch value {
    case .blob(let data) where isExternal:
      guard let content = externalFiles.decode(data) else {
        let name = name()
        let objectID = NSManagedObjectID(entity: name.entity, store: self, key: name.key, isTemporary: false)
        throw Diagnostic.externalValue(path, objectID, file: externalFiles.file(of: data))
      }
      return .blob(content)
    default: break
    }
    return value
  }

  /// The row of a key; a number that the model does not know, or none, counts as the declared entity's.
  private func rowName(_ key: Int64, number: Int64?, declared: NSEntityDescription) -> RowName {
    RowName(entity: number.flatMap { entity($0) } ?? declared, key: key)
  }

  /// How many rows of an entity, those of its subentities not counted, have no value of each of some attributes.
  package func nullCounts(of entity: NSEntityDescription, at places: [Int]) throws -> [Int] {
    guard !places.isEmpty else { return [] }
    let plan = plan(of: entity)
    let terms = places.map { "COUNT(*) - COUNT(\(plan.attributes[$0].column))" }.joined(separator: ", ")
    let select = try connection.prepare("SELECT \(terms) FROM \(plan.table) WHERE Z_ENT = \(plan.number)")
    var counts: [Int] = []
    try select.forEachRow { row in counts = places.indices.map { Int(row.integer($0)) } }
    return counts
  }

  /// The entities of the rows that a to-one relationship leads to from the rows of an entity.
  package func destinationEntities(
    of relationship: NSRelationshipDescription, from entity: NSEntityDescription
  ) throws -> Set<NSEntityDescription> {
    guard let columns = schema.columns(of: relationship) else { return [] }
    let declared: NSEntityDescription = relationship.destinationEntity
    let select = try connection.prepare(
      """
      SELECT DISTINCT d.Z_ENT FROM \(schema.table(of: entity).name) AS t
      JOIN \(schema.table(of: declared).name) AS d ON d.Z_PK = t.\(columns.key) WHERE t.Z_ENT = \(schema.numbers[entity] ?? 0)
      """)
    var found: Set<NSEntityDescription> = []
    try select.forEachRow { found.insert(self.entity($0.integer(0)) ?? declared) }
    return found
  }

  // MARK: Links

  /// Hands over the links of a to-many relationship: by the source's key, and in their order if they have one.
  package func forEachLink(of relationship: NSRelationshipDescription, body: (UncheckedLink) throws -> Void) throws {
    guard let storage = schema.storage(of: relationship) else { return }
    let (owner, declared): (NSEntityDescription, NSEntityDescription) =
      (relationship.entity, relationship.destinationEntity)
    let links: (table: String, source: String, destination: String, order: String?, inverseOrder: String?)
    switch storage {
    case .joinTable(let end):
      let inverse = relationship.inverseRelationship.flatMap { schema.storage(of: $0) }
      let inverseOrder =
        if case .joinTable(let back)? = inverse, !back.table.isReflexive { back.order } else { nil as String? }
      links = (end.table.name, end.source, end.destination, end.order, inverseOrder)
    case .foreignKey(let table, let columns):
      links = (table, columns.key, "Z_PK", columns.order, nil)
    }
    let inversePlace =
      links.inverseOrder.map {
        "ROW_NUMBER() OVER (PARTITION BY l.\(links.destination) ORDER BY l.\($0) IS NULL, l.\($0), l.\(links.source))"
      } ?? "NULL"
    let order = links.order.map { "l.\($0) IS NULL, l.\($0), " } ?? ""
    let select = try connection.prepare(
      """
      SELECT l.\(links.source), s.Z_ENT, l.\(links.destination), d.Z_ENT, \(inversePlace) FROM \(links.table) AS l
      LEFT JOIN \(schema.table(of: owner).name) AS s ON s.Z_PK = l.\(links.source)
      LEFT JOIN \(schema.table(of: declared).name) AS d ON d.Z_PK = l.\(links.destination)
      WHERE l.\(links.source) NOT NULL ORDER BY l.\(links.source), \(order)l.\(links.destination)
      """)
    try select.forEachRow { row in
      try body(
        UncheckedLink(
          source: rowName(row.integer(0), number: row.optionalInteger(1), declared: owner),
          destination: rowName(row.integer(2), number: row.optionalInteger(3), declared: declared),
          inversePlace: row.optionalInteger(4)))
    }
  }
}

/// Where a row's destination of a to-one relationship is read from.
private struct ToOneEnd {
  let destination: NSEntityDescription
  let key: String
  /// The number of the destination's own entity.
  let number: String
  /// Joins the destination, where its entity may be another than the declared one.
  let join: String?

  init(_ place: Int, _ plan: EntityPlan, _ schema: StoreSchema) {
    let columns = plan.toOne[place]
    destination = plan.entity.layout.toOne[place].destinationEntity
    key = columns.key
    guard let entity = columns.entity else {
      (number, join) = ("NULL", nil)
      return
    }
    // The row knows better than who leads to it; of a row that is gone only that is known.
    number = "IFNULL(d\(place).Z_ENT, t.\(entity))"
    join = " LEFT JOIN \(schema.table(of: destination).name) AS d\(place) ON d\(place).Z_PK = t.\(columns.key)"
  }
}

extension Diagnostic.Code {
  static let storeText = Diagnostic.Code("store.text", .store)
}

extension Diagnostic {
  fileprivate static func textEncoding(_ path: String, _ row: RowName) -> Diagnostic {
    Diagnostic(
      .storeText, "\(row.entity.name ?? "").\(path) of row \(row.key) is no text: its bytes are not UTF-8",
      hint: "An app shows other characters in their place: save the object anew there.")
  }
}
