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
    for (index, field) in fields.enumerated() {
      if index > 0 { buffer.append(UInt8(ascii: ",")) }
      switch field {
      case .null: break
      case .word(let word): buffer.append(word)
      case .text(let text): append(text)
      }
    }
    buffer.append(UInt8(ascii: "\n"))
    try buffer.flush()
  }

  package func finish() throws(Diagnostic) { try buffer.flush(all: true) }

  private func append(_ text: String) {
    guard Self.needsQuotes(text) else { return buffer.append(text) }
    let quote = UInt8(ascii: "\"")
    buffer.append(quote)
    for byte in text.utf8 {
      if byte == quote { buffer.append(quote) }
      buffer.append(byte)
    }
    buffer.append(quote)
  }

  private static func needsQuotes(_ text: String) -> Bool {
    guard let first = text.utf8.first, let last = text.utf8.last else { return true }
    // Some programs drop blanks at the ends of fields that are not quoted.
    if first == UInt8(ascii: " ") || last == UInt8(ascii: " ") { return true }
    return text.utf8.contains {
      $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
    }
  }
}
