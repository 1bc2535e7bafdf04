import Foundation
import Values

/// The text of a value in a model file.
///
/// A default outlives a change of its attribute's type in Xcode: `NO` stands for the integer 0, `0.0` for a boolean.
struct ModelText {
  let text: String

  init(_ text: String) { self.text = text }

  /// The value of a type; nil when the text is none.
  func value(of type: NSAttributeType) -> Value? {
    switch type {
    case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: integer.map { .integer($0) }
    case .booleanAttributeType: boolean.map { .boolean($0) }
    case .doubleAttributeType, .floatAttributeType: number.map { .real($0) }
    case .decimalAttributeType: number == nil ? nil : Decimal(string: flagAsDigit).map { .decimal($0) }
    case .stringAttributeType: .string(text)
    case .UUIDAttributeType: UUID(uuidString: text).map { .uuid($0) }
    case .URIAttributeType: URL(string: text, encodingInvalidCharacters: false).map { .url($0) }
    default: nil
    }
  }

  private var flagAsDigit: String { text == "YES" ? "1" : text == "NO" ? "0" : text }

  private var integer: Int64? { Int64(flagAsDigit) ?? number.flatMap { Int64(exactly: $0) } }

  private var boolean: Bool? {
    switch text {
    case "YES", "true": true
    case "NO", "false": false
    default: number == 0 ? false : number == 1 ? true : nil
    }
  }

  /// A decimal number: no hexadecimal digits, infinities and the like, which Swift also reads.
  private var number: Double? {
    guard flagAsDigit.utf8.allSatisfy({ (48...57).contains($0) || "+-.eE".utf8.contains($0) }) else { return nil }
    return Double(flagAsDigit).flatMap { $0.isFinite ? $0 : nil }
  }

  /// A date in one of the forms of older files, in UTC where it names no zone.
  var date: Date? {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    for form in ["yyyy-MM-dd HH:mm:ss Z", "yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd HH:mm", "yyyy-MM-dd"] {
      formatter.dateFormat = form
      if let date = formatter.date(from: text) { return date }
    }
    return nil
  }
}
