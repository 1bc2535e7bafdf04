package import Diagnostics

/// Writes CSV by RFC 4180 as `CSVTokenizer` reads it: commas, doubled quotes, a line feed behind each record.
///
/// A null is an empty field, and an empty text stands in quotes; other texts do where they must.
package final class CSVWriter: RecordWriter {
  private var buffer: OutputBuffer

  /// Begins with the names of the columns.
  package init(columns: [String], output: @escaping RecordOutput) throws(Diagnostic) {
    buffer = OutputBuffer(output)
    try write(columns.map { .text($0) })
  }

  package func write(_ fields: [WrittenField]) throws(Diagnostic) {
    // A call of the buffer's for the whole record: each use of a property of a class is watched, and costs.
    buffer.appendCSV(fields)
    try buffer.flush()
  }

  package func finish() throws(Diagnostic) { try buffer.flush(all: true) }
}

extension OutputBuffer {
  fileprivate mutating func appendCSV(_ fields: [WrittenField]) {
    for index in fields.indices {
      if index > 0 { append(UInt8(ascii: ",")) }
      switch fields[index] {
      case .null: break
      case .word(let word): append(word)
      case .text(let text): appendCSV(text)
      }
    }
    append(UInt8(ascii: "\n"))
  }

  private mutating func appendCSV(_ text: String) {
    var text = text
    text.withUTF8 { utf8 in
      guard Self.needsQuotes(utf8) else { return bytes.append(contentsOf: utf8) }
      let quote = UInt8(ascii: "\"")
      append(quote)
      for byte in utf8 {
        if byte == quote { append(quote) }
        append(byte)
      }
      append(quote)
    }
  }

  private static func needsQuotes(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let first = text.first, let last = text.last else { return true }
    // Some programs drop blanks at the ends of fields that are not quoted.
    if first == UInt8(ascii: " ") || last == UInt8(ascii: " ") { return true }
    for byte in text {
      switch byte {
      case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"): return true
      default: continue
      }
    }
    return false
  }
}
