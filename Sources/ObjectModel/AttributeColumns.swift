public import Bytes

/// A chunk of rows as flat columns of values, by the attributes of one entity: what conversion fills and stores read.
///
/// Numbers, dates (seconds since 2001-01-01 00:00 UTC) and booleans are words, strings and URIs are UTF-8, binary,
/// transformable and UUID values (16 bytes) are blobs, decimals are the doubles that the store keeps.
public final class AttributeColumns {
  /// The entity of the rows.
  public let entity: NSEntityDescription
  /// For each column its place in the entity's layout (`EntityLayout.attributes`).
  package let places: [Int]
  /// The columns; all have `rowCount` rows.
  public let columns: [RawColumn]
  /// The types of the columns' attributes.
  let types: [NSAttributeType]
  /// The columns whose values can be wrong.
  let checkedColumns: [Int]
  /// For each row the index of its record in the chunk that it was read from.
  public private(set) var records: [Int] = []

  /// Makes empty columns for some stored attributes of an entity, given by their places in its layout.
  package init(entity: NSEntityDescription, places: [Int], capacity: Int = 1024) {
    self.entity = entity
    self.places = places
    types = places.map { entity.layout.attributes[$0].attribute.attributeType }
    columns = types.map { RawColumn(kind: $0.columnKind, capacity: capacity) }
    checkedColumns = places.indices.filter { !entity.layout.rules[places[$0]].isTrivial }
  }

  /// The number of complete rows.
  public var rowCount: Int { records.count }

  /// Completes a row: every column has got its value.
  package func endRow(record: Int) { records.append(record) }

  /// Takes back the values of a row that could not be completed.
  package func dropOpenRow() {
    for column in columns { column.truncate(to: rowCount) }
  }

  /// Drops some rows, given in their order; the others move up.
  package func remove(_ rows: [Int]) {
    guard !rows.isEmpty else { return }
    let gone = Set(rows)
    records = records.indices.filter { !gone.contains($0) }.map { records[$0] }
    for column in columns { column.remove(rows) }
  }

  /// Drops all rows and keeps the buffers.
  public func removeAll() {
    records.removeAll(keepingCapacity: true)
    for column in columns { column.removeAll() }
  }
}

extension NSAttributeType {
  /// The kind of column that holds this type's values.
  package var columnKind: RawColumn.Kind {
    switch self {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType,
      .objectIDAttributeType:
      .integer
    case .decimalAttributeType, .doubleAttributeType, .floatAttributeType, .dateAttributeType: .real
    case .stringAttributeType, .URIAttributeType: .text
    case .binaryDataAttributeType, .UUIDAttributeType, .transformableAttributeType, .undefinedAttributeType,
      .compositeAttributeType:
      .blob
    }
  }
}
