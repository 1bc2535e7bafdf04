package import Diagnostics
package import Foundation
import XMLEvents

extension PropertyList {
  /// Reads a property list, binary or XML.
  package init(_ bytes: Data) throws(Diagnostic) {
    if bytes.starts(with: "bplist".utf8) {
      try self.init(binary: bytes)
    } else {
      try self.init(xml: bytes)
    }
  }

  /// Reads an XML property list; `CF$UID` is how it spells a reference of a keyed archive.
  package init(xml bytes: Data) throws(Diagnostic) {
    // Looked at before it is parsed: most bytes that are no archive are no XML either.
    guard bytes.first(where: { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }) == UInt8(ascii: "<") else {
      throw .notPropertyList
    }
    let document: XMLNode
    do throws(Diagnostic) {
      document = try XMLNode.parse(bytes: Array(bytes), file: "the property list")
    } catch {
      throw .damagedXML(error.message)
    }
    guard document.name.local == "plist", document.children.count == 1 else { throw .notPropertyList }
    self = try Self(document.children[0], depth: 0)
  }

  private init(_ node: XMLNode, depth: Int) throws(Diagnostic) {
    guard depth < BinaryPropertyListReader.depthLimit else { throw .damagedXML("it is nested too deep") }
    switch node.name.local {
    case "string": self = .string(node.text)
    case "true": self = .boolean(true)
    case "false": self = .boolean(false)
    case "integer": self = .integer(try Self.value(node) { Int64($0) })
    case "real": self = .real(try Self.value(node) { Double($0) })
    case "date": self = .date(try Self.value(node) { try? Date($0, strategy: .iso8601) })
    case "data":
      self = .data(try Self.value(node) { Data(base64Encoded: $0.filter { !$0.isWhitespace }) })
    case "array":
      var items: [PropertyList] = []
      for child in node.children { items.append(try Self(child, depth: depth + 1)) }
      self = .array(items)
    case "dict": self = try Self.dictionary(node, depth: depth)
    default: throw .damagedXML("it has the element \(node.name.local)")
    }
  }

  private static func dictionary(_ node: XMLNode, depth: Int) throws(Diagnostic) -> PropertyList {
    guard node.children.count % 2 == 0 else { throw .damagedXML("a key has no value") }
    var entries: [Entry] = []
    var keys: Set<String> = []
    for index in stride(from: 0, to: node.children.count, by: 2) {
      let key = node.children[index]
      guard key.name.local == "key" else { throw .damagedXML("a value has no key") }
      guard keys.insert(key.text).inserted else {
        throw .damagedXML("a dictionary has the key \"\(key.text)\" twice")
      }
      entries.append(Entry(key.text, try PropertyList(node.children[index + 1], depth: depth + 1)))
    }
    guard entries.count == 1, entries[0].key == "CF$UID" else { return .dictionary(entries) }
    guard case .integer(let value) = entries[0].value, let uid = UInt32(exactly: value) else {
      throw .damagedXML("a reference is too large")
    }
    return .uid(uid)
  }

  private static func value<T>(_ node: XMLNode, _ read: (String) -> T?) throws(Diagnostic) -> T {
    guard let value = read(node.text) else {
      throw .damagedXML("\"\(node.text.prefix(40))\" is no \(node.name.local)")
    }
    return value
  }
}
