import Foundation
import KeyedArchives

/// Times of day without a date: `07:05`, `23:59:59.5`; kept as seconds since midnight, or as text.
package struct TimeOfDayKind: ValueKind {
  package static let name = "timeOfDay"
  package static let forms: [StorageForm] = [.integer, .real, .string]

  package init(_ settings: KindSettings) {}

  package var expectation: String { "a time of day such as 07:05 or 23:59:59" }

  /// The seconds since midnight.
  package func content(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> Double {
    var time = CivilTime()
    var cursor = ByteCursor(text)
    let colon = UInt8(ascii: ":")
    guard let hour = cursor.digits(2), cursor.skip(colon), let minute = cursor.digits(2) else { throw .form }
    (time.hour, time.minute) = (hour, minute)
    if cursor.skip(colon) {
      guard let second = cursor.digits(2) else { throw .form }
      time.second = second
      if cursor.skip(UInt8(ascii: ".")) { guard cursor.fraction(&time, digits: 1...9) else { throw .form } }
    }
    guard cursor.isAtEnd else { throw .form }
    guard time.exists else { throw .noSuchDate }
    let seconds = (hour * 60 + minute) * 60 + time.second
    return Double(
      nearest: seconds * Int(Double.powersOfTen[time.fractionDigits]) + Int(time.fraction),
      exponent: -time.fractionDigits)
  }

  package func text(_ content: Double) -> String {
    let whole = Int(content)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let time = [whole / 3600, whole / 60 % 60, whole % 60].map(two).joined(separator: ":")
    guard content != Double(whole) else { return time }
    // The digits behind the point of all the seconds: those of the difference alone would not be the same.
    return time + content.archiveText.drop { $0 != "." }
  }

  package func stored(_ content: Double, as form: StorageForm) throws(TextTrouble) -> Value {
    switch form {
    case .integer:
      guard let seconds = Int64(exactly: content) else { throw .precision }
      return .integer(seconds)
    case .real: return .real(content)
    default: return .string(text(content))
    }
  }

  package func content(stored: Value, as form: StorageForm) throws(TextTrouble) -> Double {
    switch stored {
    case .integer(let seconds) where (0..<86_400).contains(seconds): return Double(seconds)
    case .real(let seconds) where (0..<86_400).contains(seconds): return seconds
    case .string(let text): return try text.parsed(by: content)
    default: throw .form
    }
  }
}
