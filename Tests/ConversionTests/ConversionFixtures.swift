import Diagnostics
import Foundation
import ObjectModel
import Records
import Values

@testable import Conversion

/// A field of a record as a reader would leave it.
enum Field: Sendable, ExpressibleByStringLiteral {
  case plain(String)
  case quoted(String)
  case absent
  case repeated([String])
  case bytes([UInt8])

  init(stringLiteral text: String) { self = .plain(text) }
}

/// A chunk of records; each is on a line of its own, the first on line 2.
func chunk(_ records: [[Field]]) -> RecordChunk {
  let chunk = RecordChunk()
  for (index, fields) in records.enumerated() {
    for field in fields {
      switch field {
      case .plain(let text): Array(text.utf8).withUnsafeBytes { chunk.append($0) }
      case .quoted(let text): Array(text.utf8).withUnsafeBytes { chunk.append($0) }
      case .bytes(let bytes): bytes.withUnsafeBytes { chunk.append($0) }
      case .repeated(let texts): Array(texts.joined(separator: "\u{1F}").utf8).withUnsafeBytes { chunk.append($0) }
      case .absent: break
      }
      switch field {
      case .quoted: chunk.endField(.quoted)
      case .absent: chunk.endField(.absent)
      case .repeated: chunk.endField(.repeated)
      default: chunk.endField()
      }
    }
    chunk.endRecord(at: .init(record: index + 1, line: index + 2, byte: 0))
  }
  return chunk
}

/// Makes an attribute.
func attribute(
  _ name: String, _ type: NSAttributeType = .stringAttributeType, isOptional: Bool = true, default value: Value = .null,
  userInfo: [String: String] = [:]
) -> NSAttributeDescription {
  let attribute = NSAttributeDescription()
  attribute.name = name
  attribute.attributeType = type
  attribute.isOptional = isOptional
  attribute.defaultValue = value
  attribute.userInfo = userInfo
  return attribute
}

/// Makes a transient attribute without a type.
func transient(_ name: String, _ userInfo: [String: String] = [:]) -> NSAttributeDescription {
  let description = attribute(name, .undefinedAttributeType, userInfo: userInfo)
  description.isTransient = true
  return description
}

/// Makes an entity; a model holds it, which must outlive it.
func entity(_ name: String, _ properties: [NSPropertyDescription]) -> NSEntityDescription {
  let entity = NSEntityDescription()
  entity.name = name
  entity.properties = properties
  return entity
}

/// The options of a JSON object, as a pipeline spells them.
func options(_ json: String) throws -> ConversionOptions {
  try JSONDecoder().decode(ConversionOptions.self, from: Data(json.utf8))
}

/// The mappings of a JSON object, as a pipeline spells them.
func mappings(_ json: String) throws -> [String: AttributeMapping] {
  try JSONDecoder().decode([String: AttributeMapping].self, from: Data(json.utf8))
}

/// What became of records: for each the values by attribute path, or the diagnostic as it is printed.
enum Row: Equatable {
  case values([String: Value])
  case refused(String)

  /// The same row without the hints of its refusal.
  var withoutHint: Row {
    guard case .refused(let text) = self else { return self }
    return .refused(text.split(separator: "\n").first.map(String.init) ?? "")
  }

  /// The row as another has it: with hints if that has one.
  func like(_ other: Row) -> Row {
    guard case .refused(let text) = other, text.contains("\n") else { return withoutHint }
    return self
  }

}

extension RecordConverter {
  /// Converts records and reads the rows back.
  func rows(_ records: [[Field]]) -> [Row] {
    let chunk = chunk(records)
    let columns = makeColumns(capacity: 2)
    return records.indices.map { record in
      if let diagnostic = convert(chunk, record, into: columns) { return .refused(diagnostic.description) }
      let row = columns.rowCount - 1
      let values = columns.places.indices.map { column in
        (entity.layout.attributes[columns.places[column]].path, columns.value(row: row, column: column))
      }
      return .values(Dictionary(values, uniquingKeysWith: { first, _ in first }))
    }
  }
}
