package import Diagnostics
import Foundation

/// Reads dates in one form, as seconds since 2001-01-01 00:00 UTC.
package final class DateParser {
  private enum Form {
    case iso8601
    case pattern(DatePattern)
    /// A number that counts from a time, in seconds since 2001, with so many digits of a second.
    case count(origin: Int, digits: Int)
  }

  private let form: Form
  private let zone: LocalZone?
  /// What a text must be, for messages.
  package let expectation: String
  /// How many texts so far were local times that come twice; the first of the two was taken.
  package private(set) var doubledCount = 0

  /// Makes a parser of `iso8601` (nil too), `unix`, `unixMilliseconds`, `reference`, `referenceMilliseconds`, or a
  /// pattern.
  ///
  /// ISO 8601 in its common forms: `2024-05-01`, `2024-05-01T12:30`, with a blank for the `T`, with seconds, with a fraction of
  /// any length, with `Z`, `+02`, `+0200` or `+02:00`; nothing else. A time of day needs a zone, in the text or declared; a day
  /// alone is its midnight, in UTC if no zone is declared.
  package init(form: String? = nil, timeZone: String? = nil, pivotYear: Int? = nil) throws(Diagnostic) {
    zone = if let timeZone { try LocalZone(timeZone) } else { nil }
    switch form ?? "iso8601" {
    case "iso8601":
      self.form = .iso8601
      expectation = "a date by ISO 8601 such as 2024-05-01T12:30:00Z"
    case "unix":
      self.form = .count(origin: Self.unixEpoch, digits: 0)
      expectation = "a number of seconds since 1970"
    case "unixMilliseconds":
      self.form = .count(origin: Self.unixEpoch, digits: 3)
      expectation = "a number of milliseconds since 1970"
    case "reference":
      self.form = .count(origin: 0, digits: 0)
      expectation = "a number of seconds since 2001"
    case "referenceMilliseconds":
      self.form = .count(origin: 0, digits: 3)
      expectation = "a number of milliseconds since 2001"
    case let text:
      let pattern = try DatePattern(text, pivotYear: pivotYear)
      // A time of day without a date is one of the reference day, wherever that is.
      guard zone != nil || pattern.hasZone || !pattern.hasTime || !pattern.hasDate else { throw .dateWithoutZone(text) }
      self.form = .pattern(pattern)
      expectation = "a date like \(text)"
    }
  }

  /// Makes the parser that the options declare.
  package convenience init(_ options: ConversionOptions) throws(Diagnostic) {
    try self.init(form: options.date, timeZone: options.timeZone, pivotYear: options.pivotYear)
  }

  /// Throws for a text that is no form of dates; what else a form needs, such as a zone, may be said elsewhere.
  static func check(_ form: String) throws(Diagnostic) { _ = try DateParser(form: form, timeZone: "UTC", pivotYear: 0) }

  private init() {
    form = .iso8601
    zone = nil
    expectation = "a date by ISO 8601"
  }

  /// A parser of dates by ISO 8601, made anew: it is no one else's.
  static var iso8601: DateParser { DateParser() }

  private static let unixEpoch = -978_307_200

  /// The zone of times that name none, as it was declared.
  package var zoneName: String? { zone?.name }

  /// The date of a text.
  package func seconds(_ bytes: UnsafeRawBufferPointer) throws(TextTrouble) -> Double {
    switch form {
    case .iso8601:
      guard let (time, hasTime) = CivilTime.iso8601(bytes) else { throw .form }
      guard time.offset != nil || zone != nil || !hasTime else { throw .noZone }
      return try seconds(time)
    case .pattern(let pattern): return try seconds(try pattern.read(bytes))
    case .count(let origin, let digits): return try Self.count(bytes, origin: origin, digits: digits)
    }
  }

  private func seconds(_ time: CivilTime) throws(TextTrouble) -> Double {
    guard time.exists else { throw .noSuchDate }
    var seconds = time.localSeconds
    if let offset = time.offset {
      seconds -= offset
    } else if let zone {
      let local = try zone.offset(atLocal: seconds)
      seconds -= local.seconds
      if local.isDoubled { doubledCount += 1 }
    }
    return Self.seconds(seconds, fraction: time.fraction, digits: time.fractionDigits)
  }

  /// The double nearest to whole seconds and a fraction of up to nine digits.
  private static func seconds(_ whole: Int, fraction: UInt64, digits: Int) -> Double {
    var (fraction, digits) = (fraction, digits)
    while true {
      let (scaled, overflow) = whole.multipliedReportingOverflow(by: Int(Double.powersOfTen[digits]))
      if !overflow, case let (sum, carry) = scaled.addingReportingOverflow(Int(fraction)), !carry {
        return Double(nearest: sum, exponent: -digits)
      }
      // Far from 2001 a double holds fewer digits of a second anyway.
      fraction /= 10
      digits -= 1
    }
  }

  private static func count(_ bytes: UnsafeRawBufferPointer, origin: Int, digits: Int) throws(TextTrouble) -> Double {
    guard !bytes.contains(where: { $0.lowercasedASCII == UInt8(ascii: "e") }) else { throw .form }
    guard let number = ScannedNumber(bytes, decimalSign: NumberFormat.plain.decimalSign) else { throw .form }
    if let seconds = number.seconds(origin: origin, digits: digits) { return seconds }
    return try longCount(number, origin: origin, digits: digits)
  }

  /// The same for counts of more digits than an integer holds.
  private static func longCount(_ number: ScannedNumber, origin: Int, digits: Int) throws(TextTrouble) -> Double {
    guard let count = number.decimal else { throw .range }
    let seconds = count * Decimal(sign: .plus, exponent: -digits, significand: 1) + Decimal(origin)
    guard let value = Double(seconds.description) else { throw .range }
    return value
  }
}

extension ScannedNumber {
  /// The seconds from 2001 to a count of units from an origin; nil if an integer does not hold them exactly.
  fileprivate func seconds(origin: Int, digits: Int) -> Double? {
    // In units that are small enough for each digit of the text, so that nothing is rounded before the end.
    let unit = max(0, digits - exponent)
    let scale = exponent - digits + unit
    guard unit <= 18, scale <= 18, digitCount <= 19, let magnitude = Int(exactly: high),
      case let (counted, overflow) = magnitude.multipliedReportingOverflow(by: Int(Double.powersOfTen[scale])),
      !overflow,
      case let (start, far) = origin.multipliedReportingOverflow(by: Int(Double.powersOfTen[unit])), !far,
      case let (sum, carry) = start.addingReportingOverflow(isNegative ? -counted : counted), !carry
    else { return nil }
    return Double(nearest: sum, exponent: -unit)
  }
}
