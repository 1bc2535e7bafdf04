import Foundation
import KeyedArchives

// Texts that read as the same number, to the last bit.

extension Double {
  /// The shortest text of the number; a whole number has no fraction.
  package var shortestText: String {
    let text = description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// The same without a power of ten, however many zeros that takes; nil for what is not finite.
  package var plainText: String? {
    guard isFinite else { return nil }
    let text = shortestText
    guard let mark = text.firstIndex(of: "e"), let power = Int(text[text.index(after: mark)...]) else { return text }
    let sign = text.hasPrefix("-") ? "-" : ""
    let parts = text[..<mark].drop { $0 == "-" }.split(separator: ".")
    let digits = parts.joined()
    let point = (parts.first?.count ?? 0) + power
    if point <= 0 { return sign + "0." + String(repeating: "0", count: -point) + digits }
    if point >= digits.count { return sign + digits + String(repeating: "0", count: point - digits.count) }
    return sign + digits.prefix(point) + "." + digits.dropFirst(point)
  }

  /// The date so many seconds behind 2001-01-01 00:00 UTC by ISO 8601 in UTC; nil if no text of that form reads as just this
  /// number: of years before 1 and behind 9999, and with more than nine digits of a second.
  ///
  /// - Parameter isDay: whether a midnight is written as its day alone. The default is false.
  package func isoDate(isDay: Bool = false) -> String? {
    // Most dates are whole seconds.
    if abs(self) < 1e12, let whole = Int(exactly: self) { return Self.isoDate(whole, fraction: "", isDay: isDay) }
    guard let text = plainText, abs(self) < 1e12 else { return nil }
    let parts = text.drop { $0 == "-" }.split(separator: ".")
    guard var whole = parts.first.flatMap({ Int($0) }) else { return nil }
    var fraction = parts.count > 1 ? String(parts[1]) : ""
    guard fraction.count <= 9 else { return nil }
    if self < 0 {
      whole = -whole
      if let units = Int(fraction) {
        // A date counts its fraction forwards, also before 2001.
        whole -= 1
        let rest = String(Int(Double.powersOfTen[fraction.count]) - units)
        fraction = String(repeating: "0", count: fraction.count - rest.count) + rest
      }
    }
    return Self.isoDate(whole, fraction: fraction, isDay: isDay)
  }

  private static func isoDate(_ whole: Int, fraction: String, isDay: Bool) -> String? {
    let day = Int((Double(whole) / 86_400).rounded(.down))
    guard let civil = CivilTime(dayNumber: day) else { return nil }
    let seconds = whole - day * 86_400
    return String(unsafeUninitializedCapacity: 32) { memory in
      var text = TextBuffer(UnsafeMutableRawBufferPointer(memory))
      text.append(digits: civil.year / 100)
      text.append(digits: civil.year % 100)
      text.append(UInt8(ascii: "-"))
      text.append(digits: civil.month)
      text.append(UInt8(ascii: "-"))
      text.append(digits: civil.day)
      if isDay, seconds == 0, fraction.isEmpty { return text.count }
      text.append(UInt8(ascii: "T"))
      text.append(digits: seconds / 3600)
      text.append(UInt8(ascii: ":"))
      text.append(digits: seconds / 60 % 60)
      text.append(UInt8(ascii: ":"))
      text.append(digits: seconds % 60)
      if !fraction.isEmpty {
        text.append(UInt8(ascii: "."))
        text.write(fraction)
      }
      text.append(UInt8(ascii: "Z"))
      return text.count
    }
  }
}

extension CivilTime {
  /// The day of a number of days from 2001-01-01; nil before the year 1 and behind 9999.
  ///
  /// The way back of `dayNumber`: eras of 400 years, counted from March.
  init?(dayNumber: Int) {
    guard (-730_485...2_921_573).contains(dayNumber) else { return nil }
    let days = dayNumber + 730_791
    let era = days / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let month = (5 * dayOfYear + 2) / 153
    self.init()
    day = dayOfYear - (153 * month + 2) / 5 + 1
    self.month = month < 10 ? month + 3 : month - 9
    year = yearOfEra + era * 400 + (self.month <= 2 ? 1 : 0)
  }
}

extension TextBuffer {
  /// Two digits.
  fileprivate mutating func append(digits number: Int) {
    append(UInt8(ascii: "0") + UInt8(number / 10))
    append(UInt8(ascii: "0") + UInt8(number % 10))
  }
}
