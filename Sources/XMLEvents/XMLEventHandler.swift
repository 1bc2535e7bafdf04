package import Diagnostics

/// What is told of a document while it is read.
///
/// An error thrown here ends the reading and comes out of `XMLEventReader.feed`.
package protocol XMLEventHandler: AnyObject {
  /// An element begins. The attributes are good until the call returns.
  func startElement(
    _ name: XMLNameID, _ attributes: XMLAttributes, at place: XMLPlace, in reader: XMLEventReader
  ) throws(Diagnostic)

  /// Some text of the innermost open element, in UTF-8: references are resolved, CDATA sections are text like any other.
  ///
  /// A text comes in any number of pieces, which may end inside a character. The bytes are good until the call returns.
  func text(_ bytes: UnsafeRawBufferPointer) throws(Diagnostic)

  /// The innermost open element ends.
  func endElement() throws(Diagnostic)
}

/// Where a start tag begins.
package struct XMLPlace: Hashable, Sendable {
  /// The line, from 1.
  package var line: Int
  /// The offset of its `<` in the document as UTF-8, from 0.
  package var byte: Int

  /// Makes a place.
  package init(line: Int, byte: Int) {
    self.line = line
    self.byte = byte
  }
}

/// A name by its number in its reader: equal numbers, equal names.
package struct XMLNameID: Hashable, Sendable {
  /// The number, from 0 in order of appearance.
  package let index: Int
}

/// The attributes of a start tag, namespace declarations left out.
package struct XMLAttributes {
  /// Five pointers for each: local name, prefix, namespace, value, end of the value.
  private let pointers: UnsafeMutablePointer<UnsafePointer<UInt8>?>?
  /// The number of attributes.
  package let count: Int
  private unowned(unsafe) let reader: XMLEventReader

  init(_ pointers: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, count: Int, reader: XMLEventReader) {
    self.pointers = pointers
    self.count = pointers == nil ? 0 : count
    self.reader = reader
  }

  /// The name of an attribute.
  package func name(_ index: Int) -> XMLNameID {
    guard let pointers, index < count else { preconditionFailure("there is no attribute \(index)") }
    return reader.identifier(local: pointers[index * 5], namespace: pointers[index * 5 + 2])
  }

  /// The value of an attribute, in UTF-8.
  package func value(_ index: Int) -> UnsafeRawBufferPointer {
    guard let pointers, index < count else { preconditionFailure("there is no attribute \(index)") }
    guard let start = pointers[index * 5 + 3], let end = pointers[index * 5 + 4] else {
      return .init(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(start: start, count: end - start)
  }
}
