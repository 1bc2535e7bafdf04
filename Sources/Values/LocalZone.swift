package import Diagnostics
import Foundation

/// The zone of times that name none.
///
/// Where clocks were put forward, the times between do not exist and are refused. Where they were put back, an hour comes
/// twice: the first is taken, as RFC 5545 has it, and the reader is told so.
package final class LocalZone {
  /// The name as the user wrote it.
  package let name: String
  private let zone: TimeZone
  private let fixedOffset: Int?
  /// The offset of days through which it does not change; looking it up takes much longer than all the rest.
  private var offsets: [Int: Int] = [:]

  /// Makes a zone from `UTC`, `Z`, `+02:00`, or a name of the time zone database.
  package init(_ name: String) throws(Diagnostic) {
    self.name = name
    if let offset = Self.offset(name) {
      fixedOffset = offset
      zone = .gmt
    } else if name.contains("/"), let zone = TimeZone(identifier: name) {
      // Abbreviations without a slash are ambiguous: CST is in America, in China and in Cuba.
      fixedOffset = nil
      self.zone = zone
    } else {
      throw .unknownTimeZone(name)
    }
  }

  /// Throws for a text that names no zone.
  static func check(_ name: String) throws(Diagnostic) { _ = try LocalZone(name) }

  package static var utc: LocalZone { LocalZone() }

  private init() {
    name = "UTC"
    zone = .gmt
    fixedOffset = 0
  }

  private static func offset(_ name: String) -> Int? {
    if ["UTC", "GMT", "Z"].contains(name) { return 0 }
    var name = name
    return name.withUTF8 {
      var cursor = ByteCursor(UnsafeRawBufferPointer($0))
      guard let offset = cursor.offset(colon: .optional, minutes: .optional), cursor.isAtEnd else { return nil }
      return offset
    }
  }

  /// The seconds ahead of UTC at a local time, given in seconds since 2001-01-01 00:00 local time.
  func offset(atLocal seconds: Int) throws(TextTrouble) -> (seconds: Int, isDoubled: Bool) {
    if let fixedOffset { return (fixedOffset, false) }
    let day = Int((Double(seconds) / 86_400).rounded(.down))
    if let offset = offsets[day] { return (offset, false) }
    // A zone is never more than a day from UTC, and never changes twice within two.
    let before = offset(at: seconds - 86_400)
    let after = offset(at: seconds + 86_400)
    if before == after {
      let noon = day * 86_400 + 43_200
      if offset(at: noon - 2 * 86_400) == before, offset(at: noon + 2 * 86_400) == before { offsets[day] = before }
      return (before, false)
    }
    let isBefore = offset(at: seconds - before) == before
    let isAfter = offset(at: seconds - after) == after
    switch (isBefore, isAfter) {
    case (true, true): return (max(before, after), true)
    case (true, false): return (before, false)
    case (false, true): return (after, false)
    case (false, false): throw .noSuchLocalTime
    }
  }

  private func offset(at instant: Int) -> Int {
    zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: Double(instant)))
  }
}
