package import Diagnostics

extension XMLNode {
  /// Reads a small document whole.
  ///
  /// - Parameters:
  ///   - bytes: The document, in the encoding it declares.
  ///   - file: Its name in messages.
  package static func parse(bytes: [UInt8], file: String) throws(Diagnostic) -> XMLNode {
    let builder = XMLTreeBuilder()
    let reader = XMLEventReader(file: file, handler: builder)
    var failed: Diagnostic?
    bytes.withUnsafeBytes { bytes in
      do throws(Diagnostic) { try reader.feed(bytes) } catch { failed = error }
    }
    if let failed { throw failed }
    try reader.finish()
    guard let root = builder.root else { throw .xmlMalformed("there is no element").at(SourcePosition(file: file)) }
    return root
  }
}

/// Makes nodes of events.
private final class XMLTreeBuilder: XMLEventHandler {
  private(set) var root: XMLNode?
  /// The open elements, outermost first, and their texts.
  private var open: [(node: XMLNode, text: [UInt8])] = []

  func startElement(_ name: XMLNameID, _ attributes: XMLAttributes, at place: XMLPlace, in reader: XMLEventReader) {
    let values = (0..<attributes.count).map {
      (name: reader.name(attributes.name($0)), value: String(decoding: attributes.value($0), as: UTF8.self))
    }
    let node = XMLNode(name: reader.name(name), attributes: values, children: [], text: "", line: place.line)
    open.append((node, []))
  }

  func text(_ bytes: UnsafeRawBufferPointer) {
    guard !open.isEmpty else { return }
    open[open.count - 1].text.append(contentsOf: bytes)
  }

  func endElement() {
    guard let element = open.popLast() else { return }
    var node = element.node
    node.text = String(decoding: element.text, as: UTF8.self)
    if open.isEmpty { root = node } else { open[open.count - 1].node.children.append(node) }
  }
}
