internal import CLibXML2
package import Diagnostics

extension Diagnostic.Code {
  /// The document is not well-formed, or cut short.
  package static let xmlMalformed = Diagnostic.Code("xml.malformed", .input)
  /// The document is not in the encoding that it declares, or in one that is not known.
  package static let xmlEncoding = Diagnostic.Code("xml.encoding", .input)
  /// The document refers to an entity that is not declared, or outside the document.
  package static let xmlEntity = Diagnostic.Code("xml.entity", .input)
  /// Entities blow the document up.
  package static let xmlEntityLimit = Diagnostic.Code("xml.entity-limit", .input)
  /// Elements are nested too deeply.
  package static let xmlDepth = Diagnostic.Code("xml.depth", .input)
}

extension Diagnostic {
  static func xmlMalformed(_ message: String) -> Diagnostic {
    Diagnostic(.xmlMalformed, "the XML is not well-formed: \(message)", hint: "Nothing behind this place can be read.")
  }

  static func xmlCutShort(openElements: Int) -> Diagnostic {
    openElements == 0
      ? Diagnostic(
        .xmlMalformed, "there is no element: this is not an XML document",
        hint: "Check what writes the file.")
      : Diagnostic(
        .xmlMalformed,
        "the document is cut short: it ends inside \(openElements) open element\(openElements == 1 ? "" : "s")",
        hint: "The file was not copied or written to its end; get it again.")
  }

  static func xmlEncoding(detail: String) -> Diagnostic {
    Diagnostic(
      .xmlEncoding, "the document is not in the encoding it declares: \(detail)",
      hint: "Correct the encoding in its first line, or save the file in that encoding.")
  }

  static func xmlUndeclaredEntity(_ name: String) -> Diagnostic {
    Diagnostic(
      .xmlEntity, "the entity `\(name)` is not declared in the document",
      hint: "XML knows amp, lt, gt, quot and apos; write other characters themselves, or as `&#233;`.")
  }

  static func xmlExternalEntity(_ name: String, address: String) -> Diagnostic {
    Diagnostic(
      .xmlEntity, "the entity `\(name)` stands outside the document, in `\(address)`, which is not read",
      hint: "Put its text into the document.")
  }

  static func xmlParameterEntity(_ name: String) -> Diagnostic {
    Diagnostic(
      .xmlEntity, "the parameter entity `\(name)` is not read: what it declares would be missing",
      hint: "Write its declarations into the document.")
  }

  static func xmlNoDocument() -> Diagnostic {
    Diagnostic(
      .xmlMalformed, "this is not an XML document: expected it to begin with `<`", hint: "Check the form of the file.")
  }

  static func xmlEntityLimit(times: Int) -> Diagnostic {
    Diagnostic(
      .xmlEntityLimit, "entities make the document more than \(times) times larger, or refer to themselves",
      hint: "This is how a harmful document looks; if it is a good one, expand its entities beforehand.")
  }

  static func xmlDepth(limit: Int) -> Diagnostic {
    Diagnostic(
      .xmlDepth, "elements are nested deeper than \(limit)",
      hint: "Documents of people and programs are not: check what writes the file, or whether elements are closed.")
  }

  /// What the library says, in one line.
  static func xmlLibrary(_ error: xmlError) -> Diagnostic {
    let text = error.message.map { String(cString: $0) } ?? ""
    let message = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    let name = error.str1.map { String(cString: $0) } ?? ""
    if let bytes = message.wholeMatch(of: /.*not proper UTF-8.*Bytes: (.*)/)?.1 {
      return .xmlEncoding(detail: "the bytes \(bytes) are not UTF-8")
    }
    switch xmlParserErrors(UInt32(bitPattern: error.code)) {
    case XML_ERR_ENTITY_LOOP: return .xmlEntityLimit(times: XMLEventReader.maximumAmplification)
    case XML_ERR_UNDECLARED_ENTITY, XML_WAR_UNDECLARED_ENTITY:
      return message.hasPrefix("PEReference") ? .xmlParameterEntity(name) : .xmlUndeclaredEntity(name)
    case XML_ERR_INVALID_ENCODING, XML_ERR_UNSUPPORTED_ENCODING, XML_ERR_UNKNOWN_ENCODING:
      return .xmlEncoding(detail: message)
    default: return .xmlMalformed(message)
    }
  }
}
