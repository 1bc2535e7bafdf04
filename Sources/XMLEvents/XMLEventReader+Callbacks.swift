internal import CLibXML2
internal import Diagnostics

/// The reader's side of the library: how the parser is set up, and what it calls.
extension XMLEventReader {
  private static let isLibraryReady: Bool = {
    xmlInitParser()
    return true
  }()

  /// A push parser that builds no tree.
  ///
  /// `userData` is the parser itself, so that the library's own functions for declarations go on working; the reader hangs on
  /// `_private`, which is handed down to the parsers of entities.
  static func makeParser() -> xmlParserCtxtPtr {
    precondition(isLibraryReady)
    guard let parser = xmlCreatePushParserCtxt(nil, nil, nil, 0, nil), let sax = parser.pointee.sax else {
      preconditionFailure("out of memory")
    }
    xmlCtxtUseOptions(parser, Int32(XML_PARSE_NONET.rawValue))
    // References in values are resolved only so; nothing outside the document can be: see `entityDecl`.
    parser.pointee.replaceEntities = 1
    sax.pointee.startElementNs = { context, local, _, namespace, declared, declarations, count, _, attributes in
      let reader = XMLEventReader.of(context)
      reader?.noteNamespaces(declarations, Int(declared))
      reader?.start(context, local, namespace, attributes, count)
    }
    sax.pointee.endElementNs = { context, _, _, _ in XMLEventReader.of(context)?.endElement() }
    sax.pointee.characters = { XMLEventReader.of($0)?.text(UnsafeRawBufferPointer(start: $1, count: Int($2))) }
    sax.pointee.ignorableWhitespace = sax.pointee.characters
    sax.pointee.cdataBlock = sax.pointee.characters
    sax.pointee.comment = nil
    sax.pointee.processingInstruction = nil
    sax.pointee.externalSubset = nil
    sax.pointee.resolveEntity = nil
    sax.pointee.notationDecl = nil
    sax.pointee.unparsedEntityDecl = { context, name, _, systemID, _ in
      XMLEventReader.of(context)?.declareExternal(name, systemID)
    }
    sax.pointee.entityDecl = { context, name, type, publicID, systemID, content in
      XMLEventReader.of(context)?.declare(context, name, type, publicID, systemID, content)
    }
    sax.pointee.getEntity = { XMLEventReader.of($0)?.entity($0, $1) }
    sax.pointee.getParameterEntity = { _, _ in nil }
    sax.pointee.reference = { context, name in XMLEventReader.of(context)?.refuseReference(name) }
    sax.pointee.serror = { context, error in
      if let error { XMLEventReader.of(context)?.report(error.pointee, from: context) }
    }
    return parser
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> XMLEventReader? {
    guard let owner = context?.assumingMemoryBound(to: xmlParserCtxt.self).pointee._private else { return nil }
    return Unmanaged<XMLEventReader>.fromOpaque(owner).takeUnretainedValue()
  }

  private func start(
    _ context: UnsafeMutableRawPointer?, _ local: UnsafePointer<UInt8>?, _ namespace: UnsafePointer<UInt8>?,
    _ attributes: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: Int32
  ) {
    let isInEntity = context != UnsafeMutableRawPointer(parser)
    let attributes = XMLAttributes(attributes, count: Int(count), reader: self)
    startElement(identifier(local: local, namespace: namespace), attributes, isInEntity: isInEntity)
  }

  /// Notes the default namespace of the root element. Declarations are pairs of prefix and namespace.
  private func noteNamespaces(_ declarations: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: Int) {
    guard !hasRoot, let declarations else { return }
    for index in 0..<count where declarations[index * 2] == nil {
      rootDefaultNamespace = declarations[index * 2 + 1].map(String.init(cString:))
    }
  }

  // MARK: Entities

  /// Keeps the declaration of an internal entity; all others stay unknown to the library, which then cannot load them.
  private func declare(
    _ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<UInt8>?, _ type: Int32,
    _ publicID: UnsafePointer<UInt8>?, _ systemID: UnsafePointer<UInt8>?, _ content: UnsafeMutablePointer<UInt8>?
  ) {
    switch type {
    case Int32(XML_INTERNAL_GENERAL_ENTITY.rawValue):
      xmlSAX2EntityDecl(context, name, type, publicID, systemID, content)
    case Int32(XML_EXTERNAL_GENERAL_PARSED_ENTITY.rawValue): declareExternal(name, systemID)
    default: break
    }
  }

  private func declareExternal(_ name: UnsafePointer<UInt8>?, _ address: UnsafePointer<UInt8>?) {
    guard let name else { return }
    externalEntities[String(cString: name)] = address.map(String.init(cString:)) ?? ""
  }

  private func entity(_ context: UnsafeMutableRawPointer?, _ name: UnsafePointer<UInt8>?) -> xmlEntityPtr? {
    if let entity = xmlSAX2GetEntity(context, name) {
      // A reference takes four bytes at least, so that entities without any text are counted too.
      spend(4)
      return entity
    }
    // Behind a declaration the library looks up what it has declared.
    if parser.pointee.inSubset == 0 { refuseReference(name) }
    return nil
  }

  private func refuseReference(_ name: UnsafePointer<UInt8>?) {
    let name = name.map(String.init(cString:)) ?? ""
    fail(
      externalEntities[name].map { .xmlExternalEntity(name, address: $0) } ?? .xmlUndeclaredEntity(name),
      column: parser.pointee.input.map { Int($0.pointee.col) })
  }

  // MARK: Errors

  private func report(_ error: xmlError, from context: UnsafeMutableRawPointer?) {
    let isUnknownEntity = error.code == Int32(XML_WAR_UNDECLARED_ENTITY.rawValue)
    guard error.level.rawValue >= XML_ERR_ERROR.rawValue || isUnknownEntity else { return }
    if error.code == Int32(XML_ERR_DOCUMENT_EMPTY.rawValue), !hasRoot { return fail(.xmlNoDocument(), line: 1) }
    if error.code == Int32(XML_ERR_DOCUMENT_END.rawValue) && isCutShort {
      return fail(.xmlCutShort(openElements: depth))
    }
    let isInEntity = context != UnsafeMutableRawPointer(parser)
    fail(
      .xmlLibrary(error), line: isInEntity ? nil : Int(error.line),
      column: isInEntity || error.int2 <= 0 ? nil : Int(error.int2))
  }
}
