import Diagnostics
import Foundation
import ObjectModel
import Values

/// The rows of a batch insert, chunk by chunk as checked columns.
final class BatchRows {
  private static let chunk = 5000

  private let entity: NSEntityDescription
  private let source: NSBatchInsertRequest.Source
  /// The places that a batch can set, and their columns.
  private let columns: AttributeColumns
  private var done = 0
  private var isAtEnd = false

  init(_ source: NSBatchInsertRequest.Source, of entity: NSEntityDescription) {
    self.source = source
    self.entity = entity
    if case .columns(let given, _) = source {
      columns = given
    } else {
      let attributes = entity.layout.attributes
      let places = attributes.indices.filter { !(attributes[$0].attribute is NSDerivedAttributeDescription) }
      columns = AttributeColumns(entity: entity, places: places, capacity: Self.chunk)
    }
  }

  /// The next rows; nil when there are no more.
  ///
  /// - Throws: `SaveError.validation` for all rows of the chunk that break the model's rules.
  func next() throws -> AttributeColumns? {
    guard !isAtEnd else { return nil }
    switch source {
    case .columns(_, let isValid):
      isAtEnd = true
      if !isValid { try check() }
    case .objects(let objects):
      columns.removeAll()
      for object in objects[done...].prefix(Self.chunk) { try append(object) }
      try check()
      isAtEnd = done + columns.rowCount == objects.count
    case .dictionaries(let fill):
      try collect {
        let dictionary = NSMutableDictionary()
        if fill(dictionary) { return false }
        try append(dictionary as? [String: Any] ?? [:])
        return true
      }
    case .managedObjects(let fill):
      let object = entity.objectClass.init(entity: entity, insertInto: nil)
      try collect {
        object.values = entity.layout.defaultValues
        if fill(object) { return false }
        for (column, place) in columns.places.enumerated() { columns.append(object.values[place], column: column) }
        columns.endRow(record: columns.rowCount)
        return true
      }
    }
    done += columns.rowCount
    return columns.rowCount > 0 ? columns : nil
  }

  /// Fills a chunk until there is nothing more.
  private func collect(_ appendNext: () throws -> Bool) throws {
    columns.removeAll()
    while columns.rowCount < Self.chunk {
      guard try appendNext() else {
        isAtEnd = true
        break
      }
    }
    try check()
  }

  private func append(_ object: [String: Any]) throws {
    do throws(Diagnostic) {
      let values = try entity.batchValues(object)
      for (column, place) in columns.places.enumerated() {
        columns.append(values[place] ?? entity.layout.defaultValues[place], column: column)
      }
      columns.endRow(record: columns.rowCount)
    } catch {
      throw Diagnostic.inRow(done + columns.rowCount, error)
    }
  }

  private func check() throws {
    var invalid: [SaveError.Invalid] = []
    // Attributes without a column are the same in every row.
    let fixed = entity.validate(entity.layout.defaultValues).filter { error in
      !columns.places.contains { entity.layout.attributes[$0].path == error.property }
    }
    for row in 0..<columns.rowCount {
      for error in fixed + [columns.validate(row: row)].compactMap(\.self) {
        invalid.append(.init(objectID: .temporary(entity), error: error, row: done + row))
      }
    }
    guard invalid.isEmpty else { throw SaveError.validation(invalid) }
  }
}

extension NSEntityDescription {
  /// The values of a dictionary by places of the layout.
  func batchValues(_ object: [String: Any]) throws(Diagnostic) -> [Int: Value] {
    var values: [Int: Value] = [:]
    for (name, value) in object {
      if let composite = propertiesByName[name] as? NSCompositeAttributeDescription {
        guard let elements = value as? [String: Any] else {
          throw .valueType(value, forKey: name, of: self, expected: composite.attributeType.takenTypes)
        }
        for (element, value) in elements { try set("\(name).\(element)", value, in: &values) }
      } else {
        try set(name, value, in: &values)
      }
    }
    return values
  }

  /// The place of an attribute that a batch can set.
  func batchPlace(_ name: String) throws(Diagnostic) -> Int {
    guard let place = layout.attributeIndex[name],
      !(layout.attributes[place].attribute is NSDerivedAttributeDescription)
    else { throw .noStoredAttribute(name, of: self) }
    return place
  }

  private func set(_ name: String, _ object: Any, in values: inout [Int: Value]) throws(Diagnostic) {
    let place = try batchPlace(name)
    let attribute = layout.attributes[place].attribute
    guard let value = Value(object is NSNull ? nil : object, as: attribute.attributeType) else {
      throw .valueType(object, forKey: name, of: self, expected: attribute.attributeType.takenTypes)
    }
    values[place] = value
  }
}
