import Diagnostics
import Records

/// What stands in a field, fit to be shown: shortened, and with control characters escaped.
struct FieldText {
  /// Quoted, or the word `nothing`.
  let excerpt: String
  /// Whether blanks stand at either end.
  let hasOuterBlanks: Bool
  /// Whether it holds a comma.
  let hasComma: Bool

  /// The text of some fields of a record, a blank between them.
  init(_ chunk: RecordChunk, _ record: Int, _ fields: [Int]) {
    let present = fields.filter { $0 < chunk.fieldCount(record) }
    let bytes = Array(present.map { Array(chunk.bytes(record, $0)) }.joined(separator: [0x20]))
    if present.contains(where: { chunk.flags(record, $0).contains(.repeated) }) {
      self.init(occurrencesIn: bytes)
    } else {
      self.init(bytes)
    }
  }

  /// The text of a field that has several occurrences.
  private init(occurrencesIn bytes: [UInt8]) {
    let occurrences = bytes.split(separator: RecordChunk.occurrenceSeparator, omittingEmptySubsequences: false)
    let shown = occurrences.prefix(3).map { FieldText(Array($0)).excerpt }
    excerpt = (shown + (occurrences.count > 3 ? ["…"] : [])).joined(separator: ", ")
    (hasOuterBlanks, hasComma) = (false, false)
  }

  init(_ bytes: [UInt8]) {
    // Enough of it for an excerpt: a scalar that is cut in two stands behind the excerpt's end.
    let start = String(decoding: bytes.prefix(4 * (ShownText.excerptLimit + 1)), as: UTF8.self)
    excerpt = bytes.isEmpty ? "nothing" : "\"\(ShownText.excerpt(start))\""
    hasOuterBlanks = bytes.first?.isBlank ?? false || bytes.last?.isBlank ?? false
    hasComma = bytes.contains(UInt8(ascii: ","))
  }
}
