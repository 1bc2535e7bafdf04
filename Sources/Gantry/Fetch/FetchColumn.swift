import Conversion
import Diagnostics
import ObjectGraph
import ObjectModel
import Records
import SQLiteStore

/// One column of what is fetched: a key path, found in the model once.
struct FetchColumn {
  let name: String
  /// What is read of each row.
  let read: QueryColumn
  /// Whether all values are numbers.
  let isNumber: Bool
  /// Writes the values; nil where the column is objects.
  private let writer: FieldWriter?
  /// The path of the objects, `_id` left out; nil where the column is values.
  var objectPath: [String]? { if case .object(let keys) = read { keys } else { nil } }

  /// Follows a key path from an entity.
  ///
  /// - Parameter isRaw: whether values of a kind are written as they are stored.
  init(_ path: String, of entity: NSEntityDescription, isRaw: Bool) throws(Diagnostic) {
    let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    name = path
    var holder = entity
    for (place, key) in keys.enumerated() {
      let rest = keys[place...].joined(separator: ".")
      guard let relationship = holder.layout.propertiesByName[key] as? NSRelationshipDescription else {
        guard rest != holder.idColumn else {
          (read, writer, isNumber) = (.object(Array(keys[..<place])), nil, false)
          return
        }
        let (stored, writer) = try Self.attribute(rest, key, of: holder, isRaw: isRaw)
        read = .value(keys[..<place] + stored.path.split(separator: ".").map(String.init))
        self.writer = writer
        isNumber = stored.attribute.attributeType.isNumber && !writer.writesKind
        return
      }
      guard !relationship.isTransient else { throw .unstoredFetchKey(key, of: holder) }
      if relationship.isToMany {
        guard rest == "\(key).@count" else { throw .toManyColumn(key, of: holder) }
        (read, writer, isNumber) = (.value(keys), FieldWriter(.integer64AttributeType), true)
        return
      }
      holder = relationship.destinationEntity
    }
    (read, writer, isNumber) = (.object(keys), nil, false)
  }

  private static func attribute(
    _ path: String, _ key: String, of entity: NSEntityDescription, isRaw: Bool
  ) throws(Diagnostic) -> (stored: EntityLayout.StoredAttribute, writer: FieldWriter) {
    let layout = entity.layout
    // What users see may be kept by another attribute, its shadow.
    let plan = layout.shadows[path]
    guard let place = layout.attributeIndex[path] ?? plan?.place else {
      guard layout.propertiesByName[path] == nil else { throw .unstoredFetchKey(path, of: entity) }
      throw .unknownFetchKey(layout.propertiesByName[key] == nil ? key : path, of: entity)
    }
    let stored = layout.attributes[place]
    let kind = isRaw ? nil : (try? plan?.storedKind()) ?? nil
    return (stored, FieldWriter(stored.attribute.attributeType, kind: kind))
  }

  /// The objects' names and all attributes, those that users see in place of their shadows.
  static func all(of entity: NSEntityDescription, isRaw: Bool) throws(Diagnostic) -> [FetchColumn] {
    var columns = [try FetchColumn(entity.idColumn, of: entity, isRaw: isRaw)]
    for (place, stored) in entity.layout.attributes.enumerated() {
      let shown = isRaw ? nil : ExportedAttribute.shadow(place, of: entity)?.plan.attribute.name
      columns.append(try FetchColumn(shown ?? stored.path, of: entity, isRaw: isRaw))
    }
    return columns
  }

  /// The field of a row, in which this is the column of a number.
  func field(_ row: QueryRow, _ column: Int) throws -> WrittenField {
    guard let writer else { return row.name(column).map { .text($0.text) } ?? .null }
    return writer.field(try row.value(column))
  }
}
