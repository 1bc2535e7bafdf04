package import Diagnostics
package import Foundation
package import KeyedArchives

// Values that Core Data has types for, in attributes of other types: a URL in a String, an NSDate in a Transformable.

/// URLs, kept as an archive of NSURL or as text.
package struct URLKind: ValueKind {
  package static let name = "url"
  package static let forms: [StorageForm] = [.archive, .string]
  package init(_ settings: KindSettings) {}
  package var expectation: String { "a URI by RFC 3986" }
  package func content(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> URL { try URL(text: text) }
  package func text(_ content: URL) -> String { content.absoluteString }
  package func stored(_ content: URL, as form: StorageForm) throws(TextTrouble) -> Value {
    form == .string ? .string(content.absoluteString) : try .archive(.url(content.absoluteString))
  }
  package func content(stored: Value, as form: StorageForm) throws(TextTrouble) -> URL {
    switch stored {
    case .string(let text): return try text.parsed(by: content)
    default:
      guard case .url(let text) = try stored.archived else { throw .form }
      return try text.parsed(by: content)
    }
  }
}

/// UUIDs, kept as an archive of NSUUID, as 16 bytes, or as text.
package struct UUIDKind: ValueKind {
  package static let name = "uuid"
  package static let forms: [StorageForm] = [.archive, .bytes, .string]
  package init(_ settings: KindSettings) {}
  package var expectation: String { "a UUID" }
  package func content(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> UUID { try UUID(text: text) }
  package func text(_ content: UUID) -> String { content.uuidString }
  package func stored(_ content: UUID, as form: StorageForm) throws(TextTrouble) -> Value {
    switch form {
    case .string: .string(content.uuidString)
    case .bytes: .data(withUnsafeBytes(of: content.uuid) { Data($0) })
    default: try .archive(.uuid(content))
    }
  }
  package func content(stored: Value, as form: StorageForm) throws(TextTrouble) -> UUID {
    switch stored {
    case .string(let text): return try text.parsed(by: content)
    case .data(let data) where form == .bytes:
      guard data.count == 16 else { throw .form }
      return UUID(uuid: Array(data).withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
    default:
      guard case .uuid(let uuid) = try stored.archived else { throw .form }
      return uuid
    }
  }
}

/// Bytes, kept as they are, as an archive of NSData, or as text.
package struct BinaryKind: ValueKind {
  package static let name = "binary"
  package static let forms: [StorageForm] = [.bytes, .archive, .string]
  private let parser: BinaryParser
  package init(_ settings: KindSettings) { parser = BinaryParser(settings.options, folder: settings.folder) }
  package var expectation: String { parser.expectation }
  package func content(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> Data { Data(try parser.bytes(text)) }
  package func text(_ content: Data) -> String { parser.text(content) }
  package func stored(_ content: Data, as form: StorageForm) throws(TextTrouble) -> Value {
    switch form {
    case .string: .string(parser.text(content))
    case .bytes: .data(content)
    default: try .archive(.data(content))
    }
  }
  package func content(stored: Value, as form: StorageForm) throws(TextTrouble) -> Data {
    switch stored {
    case .string(let text): return Data(try text.parsed { text throws(TextTrouble) in try parser.spelled(text) })
    case .data(let data) where form == .bytes: return data
    default:
      guard case .data(let data) = try stored.archived else { throw .form }
      return data
    }
  }
}

/// Dates, kept as an archive of NSDate, as seconds since 2001, or as text by ISO 8601.
package struct DateKind: ValueKind {
  package static let name = "date"
  package static let forms: [StorageForm] = [.archive, .real, .string]
  private let parser: SharedDateParser
  package init(_ settings: KindSettings) throws(Diagnostic) { parser = try SharedDateParser(settings.options) }
  package var expectation: String { parser.expectation }
  package func content(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> Date {
    Date(timeIntervalSinceReferenceDate: try parser.seconds(text))
  }
  /// By ISO 8601, whatever form is declared for reading.
  package func text(_ content: Date) -> String { content.isoText }
  package func stored(_ content: Date, as form: StorageForm) throws(TextTrouble) -> Value {
    switch form {
    case .string: .string(content.isoText)
    case .real: .real(content.timeIntervalSinceReferenceDate)
    default: try .archive(.date(content))
    }
  }
  package func content(stored: Value, as form: StorageForm) throws(TextTrouble) -> Date {
    switch stored {
    case .string(let text):
      return Date(
        timeIntervalSinceReferenceDate: try text.parsed { text throws(TextTrouble) in
          try DateParser.iso8601.seconds(text)
        })
    case .real(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
    default:
      guard case .date(let date) = try stored.archived else { throw .form }
      return date
    }
  }
}

/// Numbers, kept as an archive of NSNumber or as text; whole numbers stay whole.
package struct NumberKind: ValueKind {
  package static let name = "number"
  package static let forms: [StorageForm] = [.archive, .string]
  private let format: NumberFormat
  package init(_ settings: KindSettings) throws(Diagnostic) { format = try NumberFormat(settings.options) }
  package var expectation: String { "a number" }
  package func content(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> ArchivedValue {
    if let integer = try? format.integer(text) { return .integer(integer) }
    return .real(try format.real(text))
  }
  package func text(_ content: ArchivedValue) -> String { content.json }
  package func stored(_ content: ArchivedValue, as form: StorageForm) throws(TextTrouble) -> Value {
    form == .string ? .string(content.json) : try .archive(content)
  }
  package func content(stored: Value, as form: StorageForm) throws(TextTrouble) -> ArchivedValue {
    if case .string(let text) = stored {
      return try text.parsed { text throws(TextTrouble) in
        if let integer = try? NumberFormat.plain.integer(text) { return .integer(integer) }
        return .real(try NumberFormat.plain.real(text))
      }
    }
    let number = try stored.archived
    switch number {
    case .integer, .real, .decimal: return number
    default: throw .form
    }
  }
}

/// Booleans, kept as an archive of NSNumber or as 0 and 1.
package struct BooleanKind: ValueKind {
  package static let name = "boolean"
  package static let forms: [StorageForm] = [.archive, .integer]
  private let words: BooleanWords
  package init(_ settings: KindSettings) throws(Diagnostic) {
    words = try BooleanWords(true: settings.options.trueWords, false: settings.options.falseWords)
  }
  package var expectation: String { words.expectation }
  package func content(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> Bool { try words.boolean(text) }
  package func text(_ content: Bool) -> String { words.word(content) }
  package func stored(_ content: Bool, as form: StorageForm) throws(TextTrouble) -> Value {
    form == .integer ? .integer(content ? 1 : 0) : try .archive(.boolean(content))
  }
  package func content(stored: Value, as form: StorageForm) throws(TextTrouble) -> Bool {
    if case .integer(let integer) = stored { return integer != 0 }
    guard case .boolean(let boolean) = try stored.archived else { throw .form }
    return boolean
  }
}

/// Texts, kept as an archive of NSString.
package struct StringKind: ValueKind {
  package static let name = "string"
  package static let forms: [StorageForm] = [.archive]
  package init(_ settings: KindSettings) {}
  package var expectation: String { "a text" }
  package func content(_ text: UnsafeRawBufferPointer) -> String { String(decoding: text, as: UTF8.self) }
  package func text(_ content: String) -> String { content }
  package func stored(_ content: String, as form: StorageForm) throws(TextTrouble) -> Value {
    try .archive(.string(content))
  }
  package func content(stored: Value, as form: StorageForm) throws(TextTrouble) -> String {
    guard case .string(let text) = try stored.archived else { throw .form }
    return text
  }
}

/// JSON, kept as an archive of NSDictionary, NSArray and what they hold, or as text.
package struct JSONKind: ValueKind {
  package static let name = "json"
  package static let forms: [StorageForm] = [.archive, .json]
  package init(_ settings: KindSettings) {}
  package var expectation: String { "JSON such as {\"a\": [1, 2]}" }
  package func content(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> ArchivedValue {
    try JSONReader.value(text)
  }
  package func text(_ content: ArchivedValue) -> String { content.json }
  package func stored(_ content: ArchivedValue, as form: StorageForm) throws(TextTrouble) -> Value {
    form == .json ? .string(content.json) : try .archive(content)
  }
  package func content(stored: Value, as form: StorageForm) throws(TextTrouble) -> ArchivedValue {
    if case .string(let text) = stored { return try text.parsed(by: content) }
    return try stored.archived
  }
}

extension Value {
  /// What a keyed archive holds.
  var archived: ArchivedValue {
    get throws(TextTrouble) {
      guard case .data(let data) = self, let value = try? ArchivedValue(data) else { throw .form }
      return value
    }
  }

  /// The keyed archive of a value.
  static func archive(_ value: ArchivedValue) throws(TextTrouble) -> Value {
    guard let data = value.archive else { throw .form }
    return .data(data)
  }
}
