import Bytes
import Diagnostics
import Foundation
import ObjectModel
import Values

/// Reads the text of a field as a value of one attribute: chosen once, followed for each record.
///
/// What a case carries is a few words or one object, so that it is cheap to pass around.
enum FieldReader {
  case string
  case integer(ClosedRange<Int64>, NumberFormat)
  case real(NumberFormat)
  case float(NumberFormat)
  case decimal(NumberFormat)
  case boolean(BooleanWords)
  case date(DateParser)
  case uuid
  case uri
  case base64
  case hex
  case kind(KindReader)

  /// The reader of an attribute's own type; nil when no text is a value of it.
  init?(_ type: NSAttributeType, _ options: ConversionOptions) throws(Diagnostic) {
    switch type {
    case .integer16AttributeType: self = .integer(Int64(Int16.min)...Int64(Int16.max), try NumberFormat(options))
    case .integer32AttributeType: self = .integer(Int64(Int32.min)...Int64(Int32.max), try NumberFormat(options))
    case .integer64AttributeType: self = .integer(Int64.min...Int64.max, try NumberFormat(options))
    case .doubleAttributeType: self = .real(try NumberFormat(options))
    case .floatAttributeType: self = .float(try NumberFormat(options))
    case .decimalAttributeType: self = .decimal(try NumberFormat(options))
    case .booleanAttributeType: self = .boolean(try BooleanWords(true: options.trueWords, false: options.falseWords))
    case .dateAttributeType:
      self = .date(try DateParser(form: options.date, timeZone: options.timeZone, pivotYear: options.pivotYear))
    case .stringAttributeType: self = .string
    case .UUIDAttributeType: self = .uuid
    case .URIAttributeType: self = .uri
    case .binaryDataAttributeType, .transformableAttributeType: self = options.binary == .hex ? .hex : .base64
    case .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType: return nil
    }
  }

  /// Whether an empty text is a value.
  var keepsEmptyText: Bool {
    if case .string = self { true } else { false }
  }
}

/// A kind of value, and the form in which it is stored.
final class KindReader {
  let kind: any ValueKind
  let form: StorageForm

  init(_ kind: any ValueKind, _ form: StorageForm) {
    self.kind = kind
    self.form = form
  }

  /// A text as it is stored.
  func stored(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> Value { try kind.stored(text: text, as: form) }

  /// Several columns as they are stored.
  func stored(columns: [UnsafeRawBufferPointer]) throws(TextTrouble) -> Value {
    try kind.stored(columns: columns, as: form)
  }
}

extension NumberFormat {
  /// The signs that the options declare.
  init(_ options: ConversionOptions) throws(Diagnostic) {
    func sign(_ text: String?, _ option: String) throws(Diagnostic) -> TextSign? {
      guard let text else { return nil }
      guard let sign = TextSign(text), !text.contains(where: { $0.isNumber || "+-eE".contains($0) }) else {
        throw .notASign(text, option: option)
      }
      return sign
    }
    let decimal = try sign(options.decimalSign, "decimalSign")
    let grouping = try sign(options.groupingSign, "groupingSign")
    if grouping == decimal ?? NumberFormat.plain.decimalSign { throw .sameSigns(options.groupingSign ?? "") }
    self.init(decimalSign: decimal, groupingSign: grouping, allowsNonFinite: options.nonFinite ?? false)
  }
}

// MARK: Reading

extension FieldReader {
  /// Appends the value of a text to a column of the attribute's type.
  func append(_ text: UnsafeRawBufferPointer, to column: RawColumn) throws(TextTrouble) {
    switch self {
    case .string: column.append(try Self.checked(text))
    case .integer(let range, let format): column.append(try Self.integer(text, range, format))
    case .real(let format): column.append(try format.real(text))
    case .float(let format): column.append(try Self.float(text, format))
    case .decimal(let format): column.append(try format.storedDecimal(text))
    case .boolean(let words): column.append(try words.boolean(text) ? 1 : 0 as Int64)
    case .date(let parser): column.append(try parser.seconds(text))
    case .uuid:
      let uuid = try UUID(text: text)
      withUnsafeBytes(of: uuid.uuid) { column.append($0) }
    case .uri:
      _ = try URL(text: text)
      column.append(text)
    case .base64, .hex: try bytes(text).withUnsafeBytes { column.append($0) }
    case .kind(let reader):
      switch try reader.stored(Self.checked(text)) {
      case .integer(let integer): column.append(integer)
      case .string(let text): column.append(text)
      case .data(let data): data.withUnsafeBytes { column.append($0) }
      default:
        preconditionFailure("\(type(of: reader.kind)) stores another type than its form \(reader.form.name) says")
      }
    }
  }

  /// The value of a text.
  func value(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> Value {
    switch self {
    case .string: .string(String(decoding: try Self.checked(text), as: UTF8.self))
    case .integer(let range, let format): .integer(try Self.integer(text, range, format))
    case .real(let format): .real(try format.real(text))
    case .float(let format): .real(try Self.float(text, format))
    case .decimal(let format):
      // What the store would not give back is refused here, too.
      if try format.storedDecimal(text).isFinite { .decimal(try format.decimal(text)) } else { throw .range }
    case .boolean(let words): .boolean(try words.boolean(text))
    case .date(let parser): .date(Date(timeIntervalSinceReferenceDate: try parser.seconds(text)))
    case .uuid: .uuid(try UUID(text: text))
    case .uri: .url(try URL(text: text))
    case .base64, .hex: .data(Data(try bytes(text)))
    case .kind(let reader): try reader.stored(Self.checked(text))
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

  private func bytes(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> [UInt8] {
    var bytes: [UInt8] = []
    let isRight =
      if case .hex = self {
        Hex.decode(text, into: &bytes)
      } else {
        Base64.decode(text, into: &bytes, skippingWhitespace: true)
      }
    guard isRight else { throw .form }
    return bytes
  }

  /// A text that an attribute may have: UTF-8 without NUL.
  private static func checked(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> UnsafeRawBufferPointer {
    guard isValidUTF8(text) else { throw .encoding }
    guard !text.contains(0) else { throw .nul }
    return text
  }
}
