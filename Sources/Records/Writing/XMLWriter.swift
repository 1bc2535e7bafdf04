package import Diagnostics

/// Writes XML: an element for each record, in it one for each field, and the first column as an attribute.
///
/// A null is an element that is not there, and an empty text one without content. Texts are kept to the character.
package final class XMLWriter: RecordWriter {
  private var buffer: OutputBuffer
  private let root: String
  private let record: String
  private let columns: [String]

  /// Begins the root element; throws for what is no name of XML.
  package init(
    root: String, record: String, columns: [String], output: @escaping RecordOutput
  ) throws(Diagnostic) {
    for name in [root, record] + columns where !XMLNameSyntax.isName(name) { throw .noNameOfXML(name) }
    (self.root, self.record, self.columns) = (root, record, columns)
    buffer = OutputBuffer(output)
    buffer.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<\(root)>\n")
  }

  package func write(_ fields: [WrittenField]) throws(Diagnostic) {
    buffer.append("  <\(record)")
    if let column = columns.first, let text = fields.first?.content {
      buffer.append(" \(column)=\"")
      append(text, isAttribute: true)
      buffer.append("\"")
    }
    buffer.append(">\n")
    for (column, field) in zip(columns, fields).dropFirst() {
      guard let text = field.content else { continue }
      buffer.append("    <\(column)>")
      append(text)
      buffer.append("</\(column)>\n")
    }
    buffer.append("  </\(record)>\n")
    try buffer.flush()
  }

  package func finish() throws(Diagnostic) {
    buffer.append("</\(root)>\n")
    try buffer.flush(all: true)
  }

  private func append(_ text: String, isAttribute: Bool = false) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "&"): buffer.append("&amp;")
      case UInt8(ascii: "<"): buffer.append("&lt;")
      case UInt8(ascii: ">"): buffer.append("&gt;")
      case UInt8(ascii: "\"") where isAttribute: buffer.append("&quot;")
      // A reader would make blanks of them there.
      case UInt8(ascii: "\n") where isAttribute: buffer.append("&#10;")
      case UInt8(ascii: "\t") where isAttribute: buffer.append("&#9;")
      // A reader would make a line feed of it.
      case UInt8(ascii: "\r"): buffer.append("&#13;")
      default: buffer.append(byte)
      }
    }
  }

  /// Whether XML 1.0 has all characters of a text (section 2.2 of its recommendation).
  package static func canHold(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.value {
      case 0x9, 0xA, 0xD, 0x20...0xFFFD, 0x1_0000...: true
      default: false
      }
    }
  }
}

extension Diagnostic.Code {
  static let xmlName = Self("xml.name", .usage)
}

extension Diagnostic {
  fileprivate static func noNameOfXML(_ name: String) -> Diagnostic {
    Diagnostic(
      .xmlName, "\"\(ShownText.excerpt(name))\" cannot be the name of an element: XML does not allow it",
      hint: "Say --format csv or json.")
  }
}

extension WrittenField {
  fileprivate var content: String? {
    switch self {
    case .null: nil
    case .text(let text), .word(let text): text
    }
  }
}
