import Conversion
import Diagnostics
import ObjectGraph
import ObjectModel
import Records
import Values

/// A column whose fields are keys of an entity's objects: values of an attribute, or names that the run has for them.
struct KeyColumn {
  let converter: FieldConverter
  /// The place of the key's attribute in the entity's layout; nil for the run's own names.
  let place: Int?

  /// Fits a column to the attribute that it is compared with.
  init(
    _ column: String, by attribute: String, of entity: NSEntityDescription, options: ConversionOptions,
    reader: any RecordReader, hasNames: Bool
  ) throws(Diagnostic) {
    let field = try reader.field(of: column)
    if entity.layout.attributeIndex[attribute] == nil, Self.isRunNames(attribute) {
      guard hasNames else { throw .noRunNames(column) }
      converter = try FieldConverter(name: attribute, column: column, field: field, options: options, file: reader.file)
      place = nil
      return
    }
    guard let place = entity.layout.attributeIndex[attribute] else {
      throw .unknownAttribute(attribute, of: entity, role: "by")
    }
    converter = try FieldConverter(
      entity: entity, attribute: attribute, column: column, field: field, options: options, file: reader.file)
    self.place = place
  }

  /// Fits a column of the names that records give to their objects.
  init(names column: String, options: ConversionOptions, reader: any RecordReader) throws(Diagnostic) {
    converter = try FieldConverter(
      name: "_id", column: column, field: try reader.field(of: column), options: options, file: reader.file)
    place = nil
  }

  /// Whether a word stands for the run's own names where an attribute is asked for: `_id`, or with more underscores where an
  /// entity has an attribute that is called so.
  static func isRunNames(_ word: String) -> Bool {
    word.hasSuffix("id") && word.count > 2 && word.dropLast(2).allSatisfy { $0 == "_" }
  }

  /// For each of some keys the object of an entity that has it.
  func lookUp(
    _ keys: [Value], of entity: NSEntityDescription, in context: NSManagedObjectContext, _ names: any ObjectNames
  ) throws -> [KeyLookupRequest.Answer] {
    if let place {
      return try context.lookUp(KeyLookupRequest(entity: entity, places: [place], keys: keys.map { [$0] }))
    }
    let texts = keys.map { key in if case .string(let text) = key { text } else { "" } }
    return try names.objectIDs(named: texts).map { objectID in
      guard let objectID, objectID.entity.isKindOf(entity: entity) else { return .none }
      return .one(objectID)
    }
  }
}

extension RecordReader {
  /// The index of a column.
  func field(of column: String) throws(Diagnostic) -> Int {
    guard let field = columns.firstIndex(of: column) else { throw .unknownColumn(column, in: columns, of: file) }
    return field
  }
}
