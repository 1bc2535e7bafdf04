import Bytes
import Foundation
package import ObjectModel
package import Records
package import Values

/// Writes the stored values of one attribute as fields from which a reader makes just these values again.
///
/// What is not of the attribute's type is written as it is, which its reader refuses or takes for another value.
package struct FieldWriter {
  /// How dates are written.
  package enum DateForm: Sendable {
    /// The day alone, by ISO 8601: every date is a midnight in UTC.
    case day
    /// By ISO 8601 in UTC.
    case iso
    /// As seconds since 2001, with all digits.
    case seconds
  }

  private let type: NSAttributeType
  private let date: DateForm
  private let kind: StoredKind?

  /// Makes a writer.
  ///
  /// - Parameters:
  ///   - kind: how the values of a kind are kept, whose texts are written. The default is none.
  package init(_ type: NSAttributeType, date: DateForm = .iso, kind: StoredKind? = nil) {
    self.type = type
    self.date = date
    self.kind = kind
  }

  /// Whether it writes the texts of a kind.
  package var writesKind: Bool { kind != nil }

  /// The field of a value.
  package func field(_ stored: StoredValue) -> WrittenField {
    if let kind, stored != .null, let value = stored.value(as: type), let text = try? kind.text(stored: value) {
      return .text(text)
    }
    switch stored {
    case .null: return .null
    case .integer(let integer):
      switch type {
      case .booleanAttributeType where integer == 0 || integer == 1: return .word(integer == 1 ? "true" : "false")
      case .dateAttributeType: return dateField(Double(integer))
      default: return .word(String(integer))
      }
    case .real(let real):
      if type == .dateAttributeType { return dateField(real) }
      return real.isFinite ? .word(real.shortestText) : .text(real.shortestText)
    case .text(let text): return .text(text)
    case .blob(let data):
      guard type == .UUIDAttributeType, case .uuid(let uuid)? = stored.value(as: type) else {
        // Base64 may hold blanks, and no bytes are not the same as no value.
        return .text(data.isEmpty ? " " : Base64.encode(data))
      }
      return .text(uuid.uuidString)
    }
  }

  private func dateField(_ seconds: Double) -> WrittenField {
    if date != .seconds, let text = seconds.isoDate(isDay: date == .day) { return .text(text) }
    return seconds.plainText.map { .word($0) } ?? .text(seconds.shortestText)
  }
}
