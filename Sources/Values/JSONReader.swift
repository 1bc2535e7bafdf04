import Foundation
package import KeyedArchives

/// Reads JSON strictly, as RFC 8259 has it: whole numbers stay whole, and a key that stands twice is refused.
package struct JSONReader {
  private static let depthLimit = 100
  private var cursor: ByteCursor

  /// The value of a text in UTF-8.
  package static func value(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> ArchivedValue {
    var reader = JSONReader(cursor: ByteCursor(text))
    let value = try reader.value(depth: 0)
    guard reader.cursor.isAtEnd else { throw .form }
    return value
  }

  /// A value and the blanks around it.
  private mutating func value(depth: Int) throws(TextTrouble) -> ArchivedValue {
    guard depth < Self.depthLimit else { throw .range }
    skipBlanks()
    let value: ArchivedValue
    switch cursor.next {
    case UInt8(ascii: "{"): value = try object(depth: depth)
    case UInt8(ascii: "["): value = try array(depth: depth)
    case UInt8(ascii: "\""): value = .string(try string())
    case UInt8(ascii: "t"): value = try word("true", .boolean(true))
    case UInt8(ascii: "f"): value = try word("false", .boolean(false))
    case UInt8(ascii: "n"): value = try word("null", .null)
    default: value = try number()
    }
    skipBlanks()
    return value
  }

  private mutating func object(depth: Int) throws(TextTrouble) -> ArchivedValue {
    var entries: [ArchivedValue.Entry] = []
    var keys: Set<String> = []
    _ = cursor.skip(UInt8(ascii: "{"))
    skipBlanks()
    if cursor.skip(UInt8(ascii: "}")) { return .dictionary([]) }
    while true {
      skipBlanks()
      let key = try string()
      skipBlanks()
      guard keys.insert(key).inserted, cursor.skip(UInt8(ascii: ":")) else { throw .form }
      entries.append(.init(.string(key), try value(depth: depth + 1)))
      if cursor.skip(UInt8(ascii: "}")) { return .dictionary(entries) }
      guard cursor.skip(UInt8(ascii: ",")) else { throw .form }
    }
  }

  private mutating func array(depth: Int) throws(TextTrouble) -> ArchivedValue {
    var items: [ArchivedValue] = []
    _ = cursor.skip(UInt8(ascii: "["))
    skipBlanks()
    if cursor.skip(UInt8(ascii: "]")) { return .array([]) }
    while true {
      items.append(try value(depth: depth + 1))
      if cursor.skip(UInt8(ascii: "]")) { return .array(items) }
      guard cursor.skip(UInt8(ascii: ",")) else { throw .form }
    }
  }

  private mutating func word(_ word: StaticString, _ value: ArchivedValue) throws(TextTrouble) -> ArchivedValue {
    for index in 0..<word.utf8CodeUnitCount {
      guard cursor.skip(word.utf8Start[index]) else { throw .form }
    }
    return value
  }

  private mutating func number() throws(TextTrouble) -> ArchivedValue {
    let digits = cursor.take { (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) }
    var check = ByteCursor(digits)
    _ = check.skip(UInt8(ascii: "-"))
    // No plus sign before it, no zero before other digits, no digit missing before the fraction.
    if check.skip(UInt8(ascii: "0")) {
      guard check.isAtEnd || check.next == 0x2E || check.next == 0x45 || check.next == 0x65 else { throw .form }
    } else if check.digit() == nil {
      throw .form
    }
    guard digits.contains(where: { [0x2E, 0x45, 0x65].contains($0) }) else {
      return .integer(try NumberFormat.plain.integer(digits))
    }
    return .real(try NumberFormat.plain.real(digits))
  }

  // MARK: Texts

  private mutating func string() throws(TextTrouble) -> String {
    guard cursor.skip(UInt8(ascii: "\"")) else { throw .form }
    var bytes: [UInt8] = []
    while true {
      bytes += cursor.take { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
      if cursor.skip(UInt8(ascii: "\"")) { break }
      guard cursor.skip(UInt8(ascii: "\\")), let escape = cursor.next else { throw .form }
      _ = cursor.skip(escape)
      switch escape {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(escape)
      case UInt8(ascii: "b"): bytes.append(0x08)
      case UInt8(ascii: "f"): bytes.append(0x0C)
      case UInt8(ascii: "n"): bytes.append(0x0A)
      case UInt8(ascii: "r"): bytes.append(0x0D)
      case UInt8(ascii: "t"): bytes.append(0x09)
      case UInt8(ascii: "u"): bytes += String(Character(try scalar())).utf8
      default: throw .form
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The character of one `\u` or of two that make a surrogate pair.
  private mutating func scalar() throws(TextTrouble) -> Unicode.Scalar {
    let unit = try unit()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard (0xD800...0xDBFF).contains(unit), cursor.skip(UInt8(ascii: "\\")), cursor.skip(UInt8(ascii: "u")) else {
      throw .form
    }
    let low = try self.unit()
    guard (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x1_0000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    else { throw .form }
    return scalar
  }

  private mutating func unit() throws(TextTrouble) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = cursor.next, let digit = byte.hexadecimalValue, cursor.skip(byte) else { throw .form }
      value = value << 4 | UInt32(digit)
    }
    return value
  }

  private mutating func skipBlanks() { _ = cursor.take { [0x20, 0x09, 0x0A, 0x0D].contains($0) } }
}
