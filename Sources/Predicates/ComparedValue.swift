package import Foundation
package import Values

/// A value as it is compared: the form in which SQLite keeps it, so that memory and SQL agree.
///
/// Booleans, dates and decimals are numbers, UUIDs bytes, URLs texts.
package enum ComparedValue: Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)

  package init(_ value: Value) {
    self =
      switch value {
      case .null: .null
      case .integer(let integer): .integer(integer)
      case .boolean(let boolean): .integer(boolean ? 1 : 0)
      case .real(let real): Self.number(real)
      case .decimal(let decimal): Self.number(decimal.nearestDouble)
      case .date(let date): Self.number(date.timeIntervalSinceReferenceDate)
      case .string(let string): .text(string)
      case .url(let url): .text(url.absoluteString)
      case .uuid(let uuid): .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })
      case .data(let data): .blob(data)
      }
  }

  // SQLite keeps what is not a number as NULL.
  private static func number(_ real: Double) -> ComparedValue { real.isNaN ? .null : .real(real) }
}

extension ComparedValue {
  /// How two values of one kind are ordered; nil when one is null, or they are of different kinds.
  ///
  /// Texts are ordered by their bytes in UTF-8, as SQLite's own collation does.
  package func order(_ other: ComparedValue) -> ComparisonResult? {
    switch (self, other) {
    case (.integer(let a), .integer(let b)): Self.order(a, b)
    case (.real(let a), .real(let b)): Self.order(a, b)
    case (.integer(let a), .real(let b)): Self.order(a, b)
    case (.real(let a), .integer(let b)): Self.order(b, a).reversed
    case (.text(let a), .text(let b)): a.byteOrder(b)
    case (.blob(let a), .blob(let b)): Self.order(a, b)
    default: nil
    }
  }

  /// An order of all values for sorting: nil, numbers, texts, bytes.
  package func sortOrder(_ other: ComparedValue) -> ComparisonResult {
    order(other) ?? Self.order(rank, other.rank)
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer, .real: 1
    case .text: 2
    case .blob: 3
    }
  }

  private static func order<T: Comparable>(_ a: T, _ b: T) -> ComparisonResult {
    a < b ? .orderedAscending : a > b ? .orderedDescending : .orderedSame
  }

  // Exactly, as SQLite does: as doubles, 2^53 and the integer behind it would be equal.
  private static func order(_ a: Int64, _ b: Double) -> ComparisonResult {
    if b >= 0x1p63 { return .orderedAscending }
    if b < -0x1p63 { return .orderedDescending }
    let whole = Int64(b)
    return a == whole ? order(Double(0), b - Double(whole)) : order(a, whole)
  }

  private static func order(_ a: Data, _ b: Data) -> ComparisonResult {
    if a.lexicographicallyPrecedes(b) { return .orderedAscending }
    return a == b ? .orderedSame : .orderedDescending
  }
}

extension String {
  /// The order by bytes in UTF-8; Swift's own holds texts for equal whose normal forms are.
  func byteOrder(_ other: String) -> ComparisonResult {
    if utf8.elementsEqual(other.utf8) { return .orderedSame }
    return utf8.lexicographicallyPrecedes(other.utf8) ? .orderedAscending : .orderedDescending
  }
}

extension ComparisonResult {
  package var reversed: ComparisonResult {
    switch self {
    case .orderedAscending: .orderedDescending
    case .orderedDescending: .orderedAscending
    case .orderedSame: .orderedSame
    }
  }
}

// MARK: - Texts beside other values

extension Value {
  /// A text as a value of the kind of another: what stands in quotes may be a number, a date, a UUID. Nil if it is none.
  ///
  /// What is no text stays as it is.
  package func matching(_ other: Value) -> Value? {
    guard case .string(let text) = self else { return self }
    switch other {
    case .null, .string, .url: return self
    case .integer, .boolean, .real, .decimal: return Value(number: text)
    case .date: return Value(date: text)
    case .uuid:
      var text = text
      return (try? text.withUTF8 { try UUID(text: UnsafeRawBufferPointer($0)) }).map { .uuid($0) }
    case .data: return nil
    }
  }

  /// A number that a text spells.
  init?(number text: String) {
    if let integer = Int64(text) {
      self = .integer(integer)
    } else if let real = Double(text), real.isFinite, text.utf8.allSatisfy({ $0 < 0x80 && !$0.isLetterButExponent }) {
      self = .real(real)
    } else {
      return nil
    }
  }

  private init?(date text: String) {
    var text = text
    guard let parser = try? DateParser(timeZone: "UTC"),
      let seconds = try? text.withUTF8({ try parser.seconds(UnsafeRawBufferPointer($0)) })
    else { return nil }
    self = .date(Date(timeIntervalSinceReferenceDate: seconds))
  }
}

extension UInt8 {
  // Swift reads `0x10`, `inf` and `nan` as numbers.
  fileprivate var isLetterButExponent: Bool {
    self | 0x20 >= UInt8(ascii: "a") && self | 0x20 <= UInt8(ascii: "z") && self | 0x20 != UInt8(ascii: "e")
  }
}
