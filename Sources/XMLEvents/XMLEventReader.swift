internal import CLibXML2
package import Diagnostics

/// Reads a document block by block and tells a handler what is in it, in constant memory.
///
/// It is safe on any input. Nothing is ever fetched: external entities, external DTDs, parameter entities and XInclude are
/// not read, and a reference to an entity that was not read is an error, never missing text. Internal entities are expanded
/// as long as they do not blow the document up; nesting is limited. A document that is malformed, cut short, or not in the
/// encoding it declares is an error. XML 1.1 documents are read by the rules of XML 1.0.
package final class XMLEventReader {
  /// The deepest nesting of elements.
  package static let maximumDepth = 1_000
  /// How many times larger than the document its text may become by entities and attribute defaults...
  package static let maximumAmplification = 10
  /// ...above a size that does no harm.
  package static let freeExpansion = 8_192

  let file: String
  let parser: xmlParserCtxtPtr
  private let handler: any XMLEventHandler
  private var names = XMLNameTable()
  private var signature: [UInt8] = []
  private var hasBegun = false
  /// The entities declared with an address outside the document, with their address.
  var externalEntities: [String: String] = [:]
  /// The number of open elements.
  private(set) var depth = 0
  private(set) var hasRoot = false
  /// The default namespace that the root element declares.
  package var rootDefaultNamespace: String?
  /// The bytes fed so far, and the bytes of text and values that came out.
  private var consumed = 0
  private var produced = 0
  /// What ended the reading, and whether anything did: that is asked at each event.
  private(set) var failure: Diagnostic?
  private var hasFailed = false

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - file: The document's name in messages.
  ///   - handler: Who is told.
  package init(file: String, handler: any XMLEventHandler) {
    self.file = file
    self.handler = handler
    parser = Self.makeParser()
    parser.pointee._private = Unmanaged.passUnretained(self).toOpaque()
  }

  deinit {
    xmlFreeDoc(parser.pointee.myDoc)
    xmlFreeParserCtxt(parser)
  }

  /// Reads on.
  package func feed(_ bytes: UnsafeRawBufferPointer) throws(Diagnostic) {
    if let failure { throw failure }
    guard bytes.count > 0 else { return }
    if !hasBegun {
      // The encoding is guessed from the first four bytes, which must come together.
      signature += bytes.prefix(1 << 16)
      guard signature.count >= 4 || bytes.count > 1 << 16 else { return }
      try begin()
      return try parse(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(min(bytes.count, 1 << 16))))
    }
    try parse(bytes)
  }

  /// Ends the document.
  package func finish() throws(Diagnostic) {
    if let failure { throw failure }
    if !hasBegun { try begin() }
    if gantryXMLUndecodedBytes(parser) > 0 { fail(.xmlEncoding(detail: "it ends inside a character")) }
    try check(xmlParseChunk(parser, nil, 0, 1))
    if isCutShort { fail(.xmlCutShort(openElements: depth)) }
    if let failure { throw failure }
  }

  /// The name behind a number.
  package func name(_ id: XMLNameID) -> XMLName { names[id] }

  /// The line that is being read, from 1.
  package var line: Int { parser.pointee.input.map { Int($0.pointee.line) } ?? 1 }

  /// Whether the document could not end here.
  var isCutShort: Bool { depth > 0 || !hasRoot }

  // MARK: Parsing

  private func begin() throws(Diagnostic) {
    hasBegun = true
    let bytes = signature
    signature = Array(bytes.prefix(4))
    var failed: Diagnostic?
    bytes.withUnsafeBytes { bytes in
      do throws(Diagnostic) { try parse(bytes) } catch { failed = error }
    }
    if let failed { throw failed }
  }

  private func parse(_ bytes: UnsafeRawBufferPointer) throws(Diagnostic) {
    gantryXMLSilence()
    // In pieces: the library refuses to look further than some megabytes for what it can hand on.
    var rest = bytes
    while rest.count > 0 {
      let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 16))
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(piece.count))
      consumed += piece.count
      try check(xmlParseChunk(parser, piece.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(piece.count), 0))
    }
  }

  private func check(_ code: Int32) throws(Diagnostic) {
    if code != 0 && failure == nil {
      let isEncoding = code == Int32(XML_ERR_INVALID_ENCODING.rawValue)
      fail(isEncoding ? .xmlEncoding(detail: "some bytes are not of it") : .xmlMalformed("error \(code) of libxml2"))
    }
    if let failure { throw failure }
  }

  /// Ends the reading; the first reason counts.
  func fail(_ diagnostic: Diagnostic, line: Int? = nil, column: Int? = nil) {
    guard !hasFailed else { return }
    hasFailed = true
    failure = diagnostic.at(SourcePosition(file: file, line: line ?? self.line, column: column))
    xmlStopParser(parser)
  }

  // MARK: Events

  func identifier(local: UnsafePointer<UInt8>?, namespace: UnsafePointer<UInt8>?) -> XMLNameID {
    names.identifier(local: local, namespace: namespace)
  }

  func startElement(_ name: XMLNameID, _ attributes: XMLAttributes, isInEntity: Bool) {
    guard !hasFailed else { return }
    if !hasRoot {
      hasRoot = true
      checkDeclaredEncoding()
    }
    depth += 1
    guard depth <= Self.maximumDepth else { return fail(.xmlDepth(limit: Self.maximumDepth)) }
    for index in 0..<attributes.count { produced += attributes.value(index).count }
    spend(0)
    let place = place(of: isInEntity ? UInt8(ascii: "&") : UInt8(ascii: "<"))
    tell { () throws(Diagnostic) in try handler.startElement(name, attributes, at: place, in: self) }
  }

  func text(_ bytes: UnsafeRawBufferPointer) {
    spend(bytes.count)
    tell { () throws(Diagnostic) in try handler.text(bytes) }
  }

  func endElement() {
    depth -= 1
    tell { () throws(Diagnostic) in try handler.endElement() }
  }

  /// Counts what came out of the document against what went in.
  func spend(_ count: Int) {
    produced += count
    if produced - Self.freeExpansion > consumed * Self.maximumAmplification {
      fail(.xmlEntityLimit(times: Self.maximumAmplification))
    }
  }

  private func tell(_ event: () throws(Diagnostic) -> Void) {
    guard !hasFailed else { return }
    do throws(Diagnostic) { try event() } catch { fail(error) }
  }

  /// The place of the `<` of the start tag that was just read, or of the `&` of the reference that brought it.
  ///
  /// Neither holds another one, not even in a value, so it is the last one before the reading place.
  private func place(of mark: UInt8) -> XMLPlace {
    guard let input = parser.pointee.input, let base = input.pointee.base, let current = input.pointee.cur else {
      return XMLPlace(line: 1, byte: 0)
    }
    var start = current - base
    var line = Int(input.pointee.line)
    while start > 0 && base[start] != mark {
      if base[start] == UInt8(ascii: "\n") && start < current - base { line -= 1 }
      start -= 1
    }
    return XMLPlace(line: line, byte: Int(input.pointee.consumed) + start)
  }

  /// Compares the declaration with what the first bytes say: the library trusts a declaration even against a signature.
  private func checkDeclaredEncoding() {
    guard let declared = parser.pointee.encoding ?? parser.pointee.input?.pointee.encoding else { return }
    let name = String(cString: declared).uppercased()
    // Whatever a filter sees in UTF-7, a parser may see something else.
    if name == "UTF-7" { return fail(.xmlEncoding(detail: "UTF-7 is not read"), line: 1) }
    let found: String
    switch (signature.first ?? 0, signature.dropFirst().first ?? 0) {
    case (0xEF, 0xBB): found = "UTF-8"
    case (0xFE, 0xFF), (0xFF, 0xFE), (0, 0x3C), (0x3C, 0): found = "UTF-16"
    default: return
    }
    let isTrue =
      found == "UTF-8" ? name == found : name.hasPrefix(found) || name == "ISO-10646-UCS-2" || name == "UCS-2"
    if !isTrue { fail(.xmlEncoding(detail: "it begins as \(found) and declares \(name)"), line: 1) }
  }
}
