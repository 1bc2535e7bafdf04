package import Diagnostics
package import Foundation

extension PropertyList {
  /// Reads a binary property list.
  ///
  /// The bytes may be damaged or made with malice: whatever they say, reading ends soon and within memory in proportion to
  /// their number.
  package init(binary bytes: Data) throws(Diagnostic) {
    // A copy into an array: its indices begin at 0, and its bounds are checked.
    var reader = try BinaryPropertyListReader(Array(bytes))
    self = try reader.root()
  }
}

/// Layout, all numbers big-endian: `bplist00`, the objects, a table of their offsets, and 32 bytes that say where it is.
///
/// Source: Apple, CoreFoundation, CFBinaryPList.c (the comment at its top).
struct BinaryPropertyListReader {
  /// How deep nodes may lie in each other.
  static let depthLimit = 200
  /// How many nodes the tree may have when all that is shared is counted each time: a few bytes could spell billions.
  static let nodeLimit = 1 << 22

  private let bytes: [UInt8]
  private let objectCount: Int
  private let topObject: Int
  private let tableOffset: Int
  private let offsetSize: Int
  private let referenceSize: Int
  /// What was read, by object, so that a shared object is read once.
  private var states: [State]

  private enum State {
    case unread
    case open
    case read(PropertyList, nodes: Int)
  }

  init(_ bytes: [UInt8]) throws(Diagnostic) {
    guard bytes.starts(with: "bplist0".utf8) else { throw .notBinaryPropertyList }
    guard bytes.count > 8 + 32 else { throw .damagedPropertyList("it is cut short") }
    self.bytes = bytes
    let trailer = bytes.count - 32
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
      throw .damagedPropertyList("its trailer gives impossible sizes")
    }
    guard let objectCount = Self.integer(bytes, at: trailer + 8, size: 8),
      let topObject = Self.integer(bytes, at: trailer + 16, size: 8),
      let tableOffset = Self.integer(bytes, at: trailer + 24, size: 8),
      topObject < objectCount, (9...trailer).contains(tableOffset),
      objectCount <= (trailer - tableOffset) / offsetSize
    else { throw .damagedPropertyList("its table of objects does not fit the file") }
    self.objectCount = objectCount
    self.topObject = topObject
    self.tableOffset = tableOffset
    states = Array(repeating: .unread, count: objectCount)
  }

  mutating func root() throws(Diagnostic) -> PropertyList {
    try node(topObject, depth: 0).node
  }

  private mutating func node(_ object: Int, depth: Int) throws(Diagnostic) -> (node: PropertyList, count: Int) {
    guard object < objectCount else { throw .damagedPropertyList("an object refers to one that is not there") }
    guard depth < Self.depthLimit else { throw .damagedPropertyList("it is nested too deep") }
    switch states[object] {
    case .read(let node, let nodes): return (node, nodes)
    case .open: throw .damagedPropertyList("an object holds itself")
    case .unread: break
    }
    states[object] = .open
    guard let offset = Self.integer(bytes, at: tableOffset + object * offsetSize, size: offsetSize),
      (8..<tableOffset).contains(offset)
    else { throw .damagedPropertyList("an object lies outside the file") }
    let (node, count) = try read(at: offset, depth: depth)
    states[object] = .read(node, nodes: count)
    return (node, count)
  }

  private mutating func read(at offset: Int, depth: Int) throws(Diagnostic) -> (PropertyList, Int) {
    let low = Int(bytes[offset] & 0x0F)
    switch bytes[offset] >> 4 {
    case 0x0: return (try single(low), 1)
    case 0x1: return (.integer(try number(at: offset + 1, exponent: low)), 1)
    case 0x2: return (.real(try real(at: offset + 1, exponent: low)), 1)
    case 0x3 where low == 3:
      return (.date(Date(timeIntervalSinceReferenceDate: try real(at: offset + 1, exponent: 3))), 1)
    case 0x4:
      let range = try range(at: offset, low: low, width: 1)
      return (.data(Data(bytes[range])), 1)
    case 0x5:
      let range = try range(at: offset, low: low, width: 1)
      guard bytes[range].allSatisfy({ $0 < 0x80 }) else { throw .damagedPropertyList("a text is not ASCII") }
      return (.string(String(decoding: bytes[range], as: UTF8.self)), 1)
    case 0x6: return (.string(try utf16(try range(at: offset, low: low, width: 2))), 1)
    case 0x8:
      let value = try slice(at: offset + 1, count: low + 1).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      guard low < 8, let uid = UInt32(exactly: value) else { throw .damagedPropertyList("a reference is too large") }
      return (.uid(uid), 1)
    case 0xA, 0xC: return try array(at: offset, low: low, depth: depth)
    case 0xD: return try dictionary(at: offset, low: low, depth: depth)
    default: throw .damagedPropertyList("an object has an unknown type")
    }
  }

  // MARK: Collections

  private mutating func array(at offset: Int, low: Int, depth: Int) throws(Diagnostic) -> (PropertyList, Int) {
    let range = try range(at: offset, low: low, width: referenceSize)
    var items: [PropertyList] = []
    var total = 1
    for reference in stride(from: range.lowerBound, to: range.upperBound, by: referenceSize) {
      items.append(try member(reference, depth: depth, total: &total))
    }
    return (.array(items), total)
  }

  private mutating func dictionary(at offset: Int, low: Int, depth: Int) throws(Diagnostic) -> (PropertyList, Int) {
    let range = try range(at: offset, low: low, width: referenceSize * 2)
    let middle = range.lowerBound + range.count / 2
    var entries: [Entry] = []
    var keys: Set<String> = []
    var total = 1
    for reference in stride(from: range.lowerBound, to: middle, by: referenceSize) {
      guard case .string(let key) = try member(reference, depth: depth, total: &total) else {
        throw .damagedPropertyList("a key is not a text")
      }
      guard keys.insert(key).inserted else { throw .damagedPropertyList("a dictionary has the key \"\(key)\" twice") }
      let value = try member(reference - range.lowerBound + middle, depth: depth, total: &total)
      entries.append(Entry(key, value))
    }
    return (.dictionary(entries), total)
  }

  private typealias Entry = PropertyList.Entry

  private mutating func member(_ reference: Int, depth: Int, total: inout Int) throws(Diagnostic) -> PropertyList {
    guard let object = Self.integer(bytes, at: reference, size: referenceSize) else {
      throw .damagedPropertyList("an object refers to one that is not there")
    }
    let (node, count) = try node(object, depth: depth + 1)
    total += count
    guard total <= Self.nodeLimit else { throw .damagedPropertyList("it unfolds to too many objects") }
    return node
  }

  // MARK: Scalars

  private func single(_ low: Int) throws(Diagnostic) -> PropertyList {
    switch low {
    case 0: return .null
    case 8: return .boolean(false)
    case 9: return .boolean(true)
    default: throw .damagedPropertyList("an object has an unknown type")
    }
  }

  /// An integer of `1 << exponent` bytes: up to four are unsigned, eight are signed.
  private func number(at offset: Int, exponent: Int) throws(Diagnostic) -> Int64 {
    guard exponent <= 4 else { throw .damagedPropertyList("an integer is too large") }
    let slice = try slice(at: offset, count: 1 << exponent)
    // Sixteen bytes are how numbers from 2^63 are written; those that fit eight bytes are read.
    let value = Int64(bitPattern: slice.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    guard exponent < 4 || (value >= 0 && slice.prefix(8).allSatisfy { $0 == 0 }) else {
      throw .damagedPropertyList("an integer is too large")
    }
    return value
  }

  private func real(at offset: Int, exponent: Int) throws(Diagnostic) -> Double {
    guard exponent == 2 || exponent == 3 else { throw .damagedPropertyList("a real has an unknown size") }
    let bits = try slice(at: offset, count: 1 << exponent).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return exponent == 3 ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
  }

  private func utf16(_ range: Range<Int>) throws(Diagnostic) -> String {
    let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
      UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
    }
    let text = String(decoding: units, as: UTF16.self)
    guard text.utf16.elementsEqual(units) else { throw .damagedPropertyList("a text is not UTF-16") }
    return text
  }

  // MARK: Bounds

  /// The bytes of an object with a count: the count stands in the marker, or for 15 and more as an integer behind it.
  private func range(at offset: Int, low: Int, width: Int) throws(Diagnostic) -> Range<Int> {
    var start = offset + 1
    var count = Int64(low)
    if low == 0x0F {
      guard start < tableOffset, bytes[start] >> 4 == 1 else { throw .damagedPropertyList("a count is missing") }
      let exponent = Int(bytes[start] & 0x0F)
      count = try number(at: start + 1, exponent: exponent)
      start += 1 + (1 << exponent)
    }
    guard count >= 0, count <= (tableOffset - start) / width else {
      throw .damagedPropertyList("an object is longer than the file")
    }
    return start..<start + Int(count) * width
  }

  private func slice(at offset: Int, count: Int) throws(Diagnostic) -> ArraySlice<UInt8> {
    guard count <= tableOffset - offset else { throw .damagedPropertyList("an object is longer than the file") }
    return bytes[offset..<offset + count]
  }

  private static func integer(_ bytes: [UInt8], at offset: Int, size: Int) -> Int? {
    guard offset >= 0, size <= bytes.count - offset else { return nil }
    return Int(exactly: bytes[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
  }
}
