import Records

/// What stands in a field, fit to be shown: shortened, and with control characters escaped.
struct FieldText {
  /// Quoted, or the word `nothing`.
  let excerpt: String
  /// Whether blanks stand at either end.
  let hasOuterBlanks: Bool
  /// Whether it holds a comma.
  let hasComma: Bool

  static let lengthLimit = 60

  /// The text of some fields of a record, a blank between them.
  init(_ chunk: RecordChunk, _ record: Int, _ fields: [Int]) {
    let present = fields.filter { $0 < chunk.fieldCount(record) }
    self.init(Array(present.map { Array(chunk.bytes(record, $0)) }.joined(separator: [0x20])))
  }

  init(_ bytes: [UInt8]) {
    excerpt = bytes.isEmpty ? "nothing" : "\"\(Self.shown(bytes))\""
    hasOuterBlanks = bytes.first?.isBlank ?? false || bytes.last?.isBlank ?? false
    hasComma = bytes.contains(UInt8(ascii: ","))
  }

  private static func shown(_ bytes: [UInt8]) -> String {
    var text = ""
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var count = 0
    while true {
      guard count < lengthLimit else { return text + "…" }
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): text += escaped(scalar)
      case .error: text += "\u{FFFD}"
      case .emptyInput: return text
      }
      count += 1
    }
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    case "\0": "\\0"
    default:
      switch scalar.properties.generalCategory {
      // Those that a terminal obeys, or that cannot be seen.
      case .control, .format, .lineSeparator, .paragraphSeparator:
        "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: String(scalar)
      }
    }
  }
}
