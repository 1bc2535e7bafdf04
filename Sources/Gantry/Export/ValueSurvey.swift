import Foundation
import ObjectModel
import SQLiteStore
import Values

/// What the values of one attribute are like, as far as it decides how they are written: looked at before the first is.
struct ValueSurvey {
  /// Whether all dates are midnights in UTC, and whether ISO 8601 has all of them.
  private(set) var areDays = true
  private(set) var areDates = true
  /// Whether a number is infinite.
  private(set) var hasInfinity = false
  /// The bytes of the largest value.
  private(set) var largest = 0
  /// Whether a value of a kind reads back from its text as just what is stored.
  private(set) var haveTexts = true

  private let type: NSAttributeType
  private let kind: StoredKind?

  init(_ type: NSAttributeType, kind: StoredKind?) {
    self.type = type
    self.kind = kind
  }

  /// Whether the values of a type, or of a kind, have to be looked at.
  static func isNeeded(_ type: NSAttributeType, kind: StoredKind?) -> Bool {
    if kind != nil { return true }
    switch type {
    case .dateAttributeType, .doubleAttributeType, .floatAttributeType, .decimalAttributeType,
      .binaryDataAttributeType, .transformableAttributeType, .undefinedAttributeType:
      return true
    default: return false
    }
  }

  mutating func add(_ stored: StoredValue) {
    if haveTexts, let kind, stored != .null { haveTexts = Self.hasText(stored, type, kind) }
    switch stored {
    case .null, .text: break
    case .integer(let integer): if type == .dateAttributeType { addDate(Double(integer)) }
    case .real(let real):
      if type == .dateAttributeType { addDate(real) }
      hasInfinity = hasInfinity || !real.isFinite
    case .blob(let data):
      largest = max(largest, data.count)
    }
  }

  private mutating func addDate(_ seconds: Double) {
    areDates = areDates && seconds.isoDate() != nil
    areDays = areDays && areDates && (seconds / 86_400).rounded(.down) * 86_400 == seconds
  }

  private static func hasText(_ stored: StoredValue, _ type: NSAttributeType, _ kind: StoredKind) -> Bool {
    guard let value = stored.value(as: type), let text = try? kind.text(stored: value), !text.isEmpty else {
      return false
    }
    var copy = text
    let again = copy.withUTF8 { try? kind.stored(UnsafeRawBufferPointer($0)) }
    return again.flatMap { StoredValue($0, as: type) } == stored
  }
}
