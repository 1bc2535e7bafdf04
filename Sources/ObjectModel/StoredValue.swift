package import Foundation
package import Values

/// A value in the form in which columns and stores keep it: the one place that knows how each type of attribute is stored.
///
/// Dates are seconds since 2001-01-01 00:00 UTC, booleans 0 and 1, decimals doubles, UUIDs 16 bytes, URIs text.
package enum StoredValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)
}

extension StoredValue {
  /// The stored form of a value of an attribute of a type; nil when the type takes no such value.
  package init?(_ value: Value, as type: NSAttributeType) {
    guard type.takes(value) else { return nil }
    self =
      switch value {
      case .null: .null
      case .integer(let integer): .integer(integer)
      case .boolean(let boolean): .integer(boolean ? 1 : 0)
      case .real(let real): .real(real)
      case .decimal(let decimal): .real(decimal.nearestDouble)
      case .date(let date): .real(date.timeIntervalSinceReferenceDate)
      case .string(let string): .text(string)
      case .url(let url): .text(url.absoluteString)
      case .uuid(let uuid): .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })
      case .data(let data): .blob(data)
      }
  }

  /// The value of an attribute of a type; nil when what is stored is not a value of the type.
  ///
  /// An integer serves for a real: SQLite keeps a whole number of a decimal column as one.
  package func value(as type: NSAttributeType) -> Value? {
    switch (type, self) {
    case (_, .null): .null
    case (.integer16AttributeType, .integer(let integer)), (.integer32AttributeType, .integer(let integer)),
      (.integer64AttributeType, .integer(let integer)), (.objectIDAttributeType, .integer(let integer)):
      .integer(integer)
    case (.booleanAttributeType, .integer(let integer)): .boolean(integer != 0)
    case (.doubleAttributeType, .real(let real)), (.floatAttributeType, .real(let real)): .real(real)
    case (.doubleAttributeType, .integer(let integer)), (.floatAttributeType, .integer(let integer)):
      .real(Double(integer))
    case (.decimalAttributeType, .real(let real)): Decimal(shortestOf: real).map { .decimal($0) }
    case (.decimalAttributeType, .integer(let integer)): .decimal(Decimal(integer))
    case (.dateAttributeType, .real(let seconds)): .date(Date(timeIntervalSinceReferenceDate: seconds))
    case (.dateAttributeType, .integer(let seconds)): .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
    case (.stringAttributeType, .text(let text)): .string(text)
    case (.URIAttributeType, .text(let text)): Self.url(text).map { .url($0) }
    case (.UUIDAttributeType, .blob(let data)): UUID(sixteenBytes: data).map { .uuid($0) }
    case (.binaryDataAttributeType, .blob(let data)), (.transformableAttributeType, .blob(let data)),
      (.undefinedAttributeType, .blob(let data)):
      .data(data)
    default: nil
    }
  }

  /// Whether it is stored as values of a type are; none is a value of every type.
  package func isStored(as type: NSAttributeType) -> Bool {
    let isOfText = type == .stringAttributeType || type == .URIAttributeType
    switch self {
    case .null: return true
    case .integer: return !isOfText && !type.isOfBytes && type != .UUIDAttributeType
    case .real:
      return [.doubleAttributeType, .floatAttributeType, .decimalAttributeType, .dateAttributeType].contains(type)
    case .text: return isOfText
    case .blob(let data): return type == .UUIDAttributeType ? data.count == 16 : type.isOfBytes
    }
  }

  // As it stands if it is a URL; Foundation would otherwise percent-encode in silence what it does not like.
  private static func url(_ text: String) -> URL? {
    URL(string: text, encodingInvalidCharacters: false) ?? URL(string: text)
  }
}

extension NSAttributeType {
  /// Whether values are bytes that nobody but the app reads.
  package var isOfBytes: Bool {
    self == .binaryDataAttributeType || self == .transformableAttributeType || self == .undefinedAttributeType
  }

  /// Whether an attribute of this type may have the value; none is a value of every type.
  package func takes(_ value: Value) -> Bool {
    switch value {
    case .null: true
    case .integer:
      switch self {
      case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .objectIDAttributeType: true
      default: false
      }
    case .boolean: self == .booleanAttributeType
    case .real: self == .doubleAttributeType || self == .floatAttributeType
    case .decimal: self == .decimalAttributeType
    case .string: self == .stringAttributeType
    case .date: self == .dateAttributeType
    case .data: isOfBytes
    case .uuid: self == .UUIDAttributeType
    case .url: self == .URIAttributeType
    }
  }
}

extension UUID {
  init?(sixteenBytes data: Data) {
    guard data.count == 16 else { return nil }
    self.init(uuid: data.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
  }
}
