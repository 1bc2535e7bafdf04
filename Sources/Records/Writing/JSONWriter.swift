package import Diagnostics

/// Writes JSON: an array of objects, one a line.
package final class JSONWriter: RecordWriter {
  private var buffer: OutputBuffer
  private let names: [String]
  private var isFirst = true

  /// Begins the array.
  package init(columns: [String], output: @escaping RecordOutput) {
    buffer = OutputBuffer(output)
    var names: [String] = []
    for column in columns {
      var name: [UInt8] = []
      Self.append(column, to: &name)
      names.append(String(decoding: name, as: UTF8.self))
    }
    self.names = names
    buffer.append("[")
  }

  package func write(_ fields: [WrittenField]) throws(Diagnostic) {
    buffer.append(isFirst ? "\n{" : ",\n{")
    isFirst = false
    for (index, field) in fields.enumerated() {
      buffer.append(index > 0 ? ", " : "")
      buffer.append(names[index])
      buffer.append(": ")
      switch field {
      case .null: buffer.append("null")
      case .word(let word): buffer.append(word)
      case .text(let text): Self.append(text, to: &buffer.bytes)
      }
    }
    buffer.append("}")
    try buffer.flush()
  }

  package func finish() throws(Diagnostic) {
    buffer.append(isFirst ? "]\n" : "\n]\n")
    try buffer.flush(all: true)
  }

  /// A text as JSON spells it (RFC 8259, section 7).
  private static func append(_ text: String, to bytes: inout [UInt8]) {
    let digits = Array("0123456789abcdef".utf8)
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "\n"): bytes += Array("\\n".utf8)
      case UInt8(ascii: "\r"): bytes += Array("\\r".utf8)
      case UInt8(ascii: "\t"): bytes += Array("\\t".utf8)
      case 0..<0x20, 0x7F: bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
