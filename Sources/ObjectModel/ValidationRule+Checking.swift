import Bytes
import Foundation
import Values

extension ValidationRule {
  /// What is wrong with a value; who knows the entity and the property makes a `ValidationError` of it.
  struct Failure {
    var code: ValidationError.Code
    var value = ""
    var limit = ""
  }

  /// Checks a value that an object holds.
  func failure(of value: Value) -> Failure? {
    guard type.takes(value) else { return Failure(code: .generic, value: "\(value)".cut, limit: type.modelName) }
    return switch (check, value) {
    case (_, .null): isRequired ? Failure(code: .missingMandatoryProperty) : nil
    case (.integer(let least, let greatest), .integer(let integer)): Self.failure(of: integer, least, greatest)
    case (.real(let least, let greatest), .real(let real)): failure(of: real, least, greatest)
    case (.real(let least, let greatest), .decimal(let decimal)): failure(of: decimal.nearestDouble, least, greatest)
    case (.real(let least, let greatest), .date(let date)):
      failure(of: date.timeIntervalSinceReferenceDate, least, greatest)
    case (.text(let least, let greatest, let pattern), .string(var string)):
      string.withUTF8 { Self.failure(of: UnsafeRawBufferPointer($0), least, greatest, pattern) }
    default: nil
    }
  }

  /// Checks the value of a row in a column.
  func failure(in column: RawColumn, row: Int) -> Failure? {
    guard column.isValid(row) else { return isRequired ? Failure(code: .missingMandatoryProperty) : nil }
    return switch check {
    case .none: nil
    case .integer(let least, let greatest): Self.failure(of: column.integer(row), least, greatest)
    case .real(let least, let greatest): failure(of: column.real(row), least, greatest)
    case .text(let least, let greatest, let pattern): Self.failure(of: column.bytes(row), least, greatest, pattern)
    }
  }

  private static func failure(of integer: Int64, _ least: Int64, _ greatest: Int64) -> Failure? {
    if integer > greatest { return Failure(code: .numberTooLarge, value: "\(integer)", limit: "\(greatest)") }
    if integer < least { return Failure(code: .numberTooSmall, value: "\(integer)", limit: "\(least)") }
    return nil
  }

  private func failure(of real: Double, _ least: Double, _ greatest: Double) -> Failure? {
    if real >= least && real <= greatest { return nil }
    let isDate = type == .dateAttributeType
    if real.isNaN { return Failure(code: isDate ? .invalidDate : .generic, value: "nan", limit: type.modelName) }
    let code: ValidationError.Code =
      real > greatest ? (isDate ? .dateTooLate : .numberTooLarge) : (isDate ? .dateTooSoon : .numberTooSmall)
    return Failure(code: code, value: text(real), limit: text(real > greatest ? greatest : least))
  }

  private func text(_ real: Double) -> String {
    guard type == .dateAttributeType else { return Decimal(shortestOf: real)?.description ?? "\(real)" }
    return Date(timeIntervalSinceReferenceDate: real).formatted(.iso8601)
  }

  private static func failure(
    of utf8: UnsafeRawBufferPointer, _ least: Int64, _ greatest: Int64, _ pattern: NSRegularExpression?
  ) -> Failure? {
    let count = Int64(utf8.utf16Count)
    func text() -> String { String(decoding: utf8, as: UTF8.self) }
    if count > greatest {
      return Failure(code: .stringTooLong, value: "\(count): \(text().cut)", limit: "\(greatest)")
    }
    if count < least { return Failure(code: .stringTooShort, value: "\(count): \(text())".cut, limit: "\(least)") }
    guard let pattern else { return nil }
    let whole = NSRange(location: 0, length: Int(count))
    guard pattern.firstMatch(in: text(), range: whole) == nil else { return nil }
    // Without the brackets that make it match the whole string.
    let limit = String(pattern.pattern.dropFirst(5).dropLast(3))
    return Failure(code: .stringPatternMatching, value: text().cut, limit: limit)
  }
}

extension UnsafeRawBufferPointer {
  /// The length of UTF-8 in UTF-16 units, as Foundation counts characters.
  fileprivate var utf16Count: Int {
    var count = 0
    for byte in self {
      if byte & 0xC0 != 0x80 { count += byte >= 0xF0 ? 2 : 1 }
    }
    return count
  }
}

extension String {
  /// The text, cut to what a message bears.
  fileprivate var cut: String { count > 60 ? prefix(60) + "…" : self }
}
