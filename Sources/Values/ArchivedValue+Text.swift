import Foundation
package import KeyedArchives

extension ArchivedValue {
  /// The value as JSON; what JSON has no form for is a text: a date by ISO 8601, bytes in base64, an object of an unknown class
  /// by the name of the class.
  package var json: String {
    switch self {
    case .null: "null"
    case .string(let text): Self.quoted(text)
    case .integer(let integer): String(integer)
    case .real(let real): real.isFinite ? real.description : Self.quoted(real.description)
    case .boolean(let boolean): String(boolean)
    case .decimal(let decimal): decimal.description
    case .date(let date): Self.quoted(date.isoText)
    case .data(let data): Self.quoted(data.base64EncodedString())
    case .url(let text), .geometry(_, let text): Self.quoted(text)
    case .uuid(let uuid): Self.quoted(uuid.uuidString)
    case .array(let items), .set(let items): "[" + items.map(\.json).joined(separator: ",") + "]"
    case .dictionary(let entries):
      "{" + entries.map { "\($0.key.jsonKey):\($0.value.json)" }.joined(separator: ",") + "}"
    case .range(let location, let length): Self.quoted("{\(location), \(length)}")
    case .colour(let colour): Self.quoted(Colour(colour).text)
    case .other(let className): Self.quoted("an object of \(className)")
    }
  }

  /// The value as a person reads it: a text without quotes, anything else as JSON has it.
  package var text: String {
    switch self {
    case .string(let text), .url(let text), .geometry(_, let text): text
    case .date(let date): date.isoText
    case .uuid(let uuid): uuid.uuidString
    case .range(let location, let length): "{\(location), \(length)}"
    case .colour(let colour): Colour(colour).text
    case .other(let className): "an object of \(className)"
    default: json
    }
  }

  private var jsonKey: String { if case .string = self { json } else { Self.quoted(text) } }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}

extension Date {
  /// The date by ISO 8601 in UTC, with as many digits of a second as make it the same date again.
  var isoText: String {
    let seconds = timeIntervalSinceReferenceDate
    guard abs(seconds) < 1e11 else { return "\(seconds.archiveText) seconds from 2001" }
    let whole = seconds.rounded(.down)
    var text = Date(timeIntervalSinceReferenceDate: whole).formatted(.iso8601)
    guard whole != seconds else { return text }
    text.removeLast()
    for digits in 1...9 {
      let scale = Double.powersOfTen[digits]
      let units = ((seconds - whole) * Double(scale)).rounded()
      guard units < Double(scale) else { continue }
      let fraction = String(UInt64(units))
      let candidate = text + "." + String(repeating: "0", count: digits - fraction.count) + fraction + "Z"
      let isSame =
        (try? candidate.parsed { bytes throws(TextTrouble) in try DateParser.iso8601.seconds(bytes) }) == seconds
      if isSame || digits == 9 { return candidate }
    }
    return text + "Z"
  }
}
