import Foundation
import KeyedArchives

extension Value {
  /// The value as a person reads it, for inspections and exports.
  ///
  /// What a kind keeps is its text. An archive is what it holds, one of an unknown class the class's name: it is not known how
  /// to read it, and nothing is made of it. Other bytes are told by their number.
  package func shown(as kind: StoredKind? = nil) -> String {
    if let kind, !isNull, let text = try? kind.text(stored: self) { return text }
    return switch self {
    case .null: "null"
    case .integer(let integer): String(integer)
    case .boolean(let boolean): String(boolean)
    case .real(let real): real.description
    case .decimal(let decimal): decimal.description
    case .string(let text): text
    case .date(let date): date.isoText
    case .uuid(let uuid): uuid.uuidString
    case .url(let url): url.absoluteString
    case .data(let data): Self.shown(data)
    }
  }

  private static func shown(_ data: Data) -> String {
    switch try? ArchivedValue(data) {
    case .other(let className)?: "an archived \(className), \(data.count) bytes"
    case let value?: value.text
    case nil: "\(data.count) bytes"
    }
  }
}
