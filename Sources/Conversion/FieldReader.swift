import Bytes
import Diagnostics
import Foundation
import ObjectModel
import Values

/// Reads the text of a field as a value of one attribute: chosen once, followed for each record.
///
/// What a case carries is a few words or one object, so that it is cheap to pass around.
enum FieldReader {
  /// A text, as it is or in normalisation form C.
  case string(nfc: Bool)
  case integer(ClosedRange<Int64>, NumberFormat)
  case real(NumberFormat)
  case float(NumberFormat)
  case decimal(NumberFormat, DecimalLoss)
  case boolean(BooleanWords)
  case date(DateParser)
  case uuid
  case uri
  case binary(BinaryParser)
  case kind(StoredKind)

  /// The reader of an attribute's own type; nil when no text is a value of it.
  ///
  /// - Parameter folder: the folder of files that texts name.
  init?(_ type: NSAttributeType, _ options: ConversionOptions, folder: String) throws(Diagnostic) {
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
      self = .integer(type.wholeNumbers ?? Int64.min...Int64.max, try NumberFormat(options))
    case .doubleAttributeType: self = .real(try NumberFormat(options))
    case .floatAttributeType: self = .float(try NumberFormat(options))
    case .decimalAttributeType: self = .decimal(try NumberFormat(options), options.decimalLoss ?? .reject)
    case .booleanAttributeType: self = .boolean(try BooleanWords(true: options.trueWords, false: options.falseWords))
    case .dateAttributeType:
      self = .date(try DateParser(options))
    case .stringAttributeType: self = .string(nfc: options.nfc ?? false)
    case .UUIDAttributeType: self = .uuid
    case .URIAttributeType: self = .uri
    case .binaryDataAttributeType, .transformableAttributeType:
      self = .binary(BinaryParser(options, folder: folder))
    case .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType: return nil
    }
  }

  /// Whether an empty text is a value.
  var keepsEmptyText: Bool {
    if case .string = self { true } else { false }
  }
}

extension NSAttributeType {
  /// The whole numbers that are values of the type; nil where not just whole numbers are.
  var wholeNumbers: ClosedRange<Int64>? {
    switch self {
    case .integer16AttributeType: Int64(Int16.min)...Int64(Int16.max)
    case .integer32AttributeType: Int64(Int32.min)...Int64(Int32.max)
    case .integer64AttributeType: Int64.min...Int64.max
    case .booleanAttributeType: 0...1
    default: nil
    }
  }
}

// MARK: Reading

extension FieldReader {
  /// Appends the value of a text to a column of the attribute's type.
  func append(_ text: UnsafeRawBufferPointer, to column: RawColumn) throws(TextTrouble) {
    switch self {
    case .string(nfc: false): column.append(try Self.checked(text))
    case .string(nfc: true): try Self.appendComposed(Self.checked(text), to: column)
    case .integer(let range, let format): column.append(try Self.integer(text, range, format))
    case .real(let format): column.append(try format.real(text))
    case .float(let format): column.append(try Self.float(text, format))
    case .decimal(let format, .reject): column.append(try format.storedDecimal(text))
    case .decimal(let format, .accept): column.append(try format.nearestDecimal(text))
    case .boolean(let words): column.append(try words.boolean(text) ? 1 : 0 as Int64)
    case .date(let parser): column.append(try parser.seconds(text))
    case .uuid:
      let uuid = try UUID(text: text)
      withUnsafeBytes(of: uuid.uuid) { column.append($0) }
    case .uri:
      _ = try URL(text: text)
      column.append(text)
    case .binary(let parser): try parser.bytes(text).withUnsafeBytes { column.append($0) }
    case .kind(let kind):
      let text = try Self.checked(text)
      if try kind.withStored(text, { column.append($0) }) { return }
      switch try kind.stored(text) {
      case .integer(let integer): column.append(integer)
      case .real(let real): column.append(real)
      case .string(let text): column.append(text)
      case .data(let data): data.withUnsafeBytes { column.append($0) }
      default:
        preconditionFailure("\(type(of: kind.kind)) stores another type than its form \(kind.form.name) says")
      }
    }
  }

  /// The value of a text.
  func value(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> Value {
    switch self {
    case .string(let nfc):
      .string(Self.string(try Self.checked(text), nfc: nfc))
    case .integer(let range, let format): .integer(try Self.integer(text, range, format))
    case .real(let format): .real(try format.real(text))
    case .float(let format): .real(try Self.float(text, format))
    case .decimal(let format, .accept): try Self.acceptedDecimal(text, format)
    case .decimal(let format, .reject):
      // What the store would not give back is refused here, too.
      if try format.storedDecimal(text).isFinite { .decimal(try format.decimal(text)) } else { throw .range }
    case .boolean(let words): .boolean(try words.boolean(text))
    case .date(let parser): .date(Date(timeIntervalSinceReferenceDate: try parser.seconds(text)))
    case .uuid: .uuid(try UUID(text: text))
    case .uri: .url(try URL(text: text))
    case .binary(let parser): .data(Data(try parser.bytes(text)))
    case .kind(let kind): try kind.stored(Self.checked(text))
    }
  }

  private static func integer(
    _ text: UnsafeRawBufferPointer, _ range: ClosedRange<Int64>, _ format: NumberFormat
  ) throws(TextTrouble) -> Int64 {
    let integer = try format.integer(text)
    guard range.contains(integer) else { throw .range }
    return integer
  }

  /// The double of a number that a Float can hold, not rounded to a Float's digits: an app that reads it does that.
  private static func float(_ text: UnsafeRawBufferPointer, _ format: NumberFormat) throws(TextTrouble) -> Double {
    let real = try format.real(text)
    guard !real.isFinite || Float(real).isFinite else { throw .range }
    return real
  }

  /// The decimal that the store gives back of a text that may have more digits.
  private static func acceptedDecimal(
    _ text: UnsafeRawBufferPointer, _ format: NumberFormat
  ) throws(TextTrouble) -> Value {
    guard let decimal = Decimal(shortestOf: try format.nearestDecimal(text)) else { throw .range }
    return .decimal(decimal)
  }

  private static func string(_ text: UnsafeRawBufferPointer, nfc: Bool) -> String {
    let string = String(decoding: text, as: UTF8.self)
    return nfc ? string.precomposedStringWithCanonicalMapping : string
  }

  private static func appendComposed(_ text: UnsafeRawBufferPointer, to column: RawColumn) {
    // ASCII is composed already.
    if text.allSatisfy({ $0 < 0x80 }) { column.append(text) } else { column.append(string(text, nfc: true)) }
  }

  /// A text that an attribute may have: UTF-8 without NUL.
  private static func checked(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> UnsafeRawBufferPointer {
    guard isValidUTF8(text) else { throw .encoding }
    guard !text.contains(0) else { throw .nul }
    return text
  }
}
