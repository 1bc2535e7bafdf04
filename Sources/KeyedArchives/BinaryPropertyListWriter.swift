package import Foundation

extension PropertyList {
  /// The binary property list of this node: the same bytes for the same node, equal scalars once, integers as short as can be.
  package var binary: Data {
    var writer = BinaryPropertyListWriter()
    writer.number(self)
    return writer.data()
  }
}

struct BinaryPropertyListWriter {
  /// The objects in the order in which they are written, and for collections the objects of their members.
  private var objects: [(node: PropertyList, members: [Int])] = []
  /// The numbers of the scalars met so far.
  private var scalars: [PropertyList: Int] = [:]

  /// Numbers a node and all that it holds, itself first: a dictionary's keys, then its values.
  @discardableResult mutating func number(_ node: PropertyList) -> Int {
    if node.isShared, let known = scalars[node] { return known }
    let index = objects.count
    objects.append((node, []))
    switch node {
    case .array(let items):
      objects[index].members = items.map { number($0) }
    case .dictionary(let entries):
      let keys = entries.map { number(.string($0.key)) }
      objects[index].members = keys + entries.map { number($0.value) }
    default:
      if node.isShared { scalars[node] = index }
    }
    return index
  }

  func data() -> Data {
    let referenceSize = Self.size(objects.count - 1)
    var bytes = Array("bplist00".utf8)
    var offsets: [Int] = []
    for (node, members) in objects {
      offsets.append(bytes.count)
      Self.append(node, to: &bytes)
      for member in members { Self.append(UInt64(member), size: referenceSize, to: &bytes) }
    }
    let table = bytes.count
    let offsetSize = Self.size(table)
    for offset in offsets { Self.append(UInt64(offset), size: offsetSize, to: &bytes) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    for number in [objects.count, 0, table] { Self.append(UInt64(number), size: 8, to: &bytes) }
    return Data(bytes)
  }

  private static func append(_ node: PropertyList, to bytes: inout [UInt8]) {
    switch node {
    case .null: bytes.append(0x00)
    case .boolean(let value): bytes.append(value ? 0x09 : 0x08)
    case .integer(let value): appendInteger(value, to: &bytes)
    case .real(let value):
      bytes.append(0x23)
      append(value.bitPattern, size: 8, to: &bytes)
    case .date(let date):
      bytes.append(0x33)
      append(date.timeIntervalSinceReferenceDate.bitPattern, size: 8, to: &bytes)
    case .data(let data):
      appendMarker(0x40, count: data.count, to: &bytes)
      bytes += data
    case .string(let text):
      if text.utf8.allSatisfy({ $0 < 0x80 }) {
        appendMarker(0x50, count: text.utf8.count, to: &bytes)
        bytes += text.utf8
      } else {
        appendMarker(0x60, count: text.utf16.count, to: &bytes)
        for unit in text.utf16 { append(UInt64(unit), size: 2, to: &bytes) }
      }
    case .uid(let uid):
      let size = size(Int(uid))
      bytes.append(0x80 | UInt8(size - 1))
      append(UInt64(uid), size: size, to: &bytes)
    case .array(let items): appendMarker(0xA0, count: items.count, to: &bytes)
    case .dictionary(let entries): appendMarker(0xD0, count: entries.count, to: &bytes)
    }
  }

  private static func appendInteger(_ value: Int64, to bytes: inout [UInt8]) {
    // Fewer than eight bytes are read as unsigned, so a negative number takes eight.
    let size = value < 0 ? 8 : size(Int(value))
    bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
    append(UInt64(bitPattern: value), size: size, to: &bytes)
  }

  private static func appendMarker(_ marker: UInt8, count: Int, to bytes: inout [UInt8]) {
    guard count >= 15 else { return bytes.append(marker | UInt8(count)) }
    bytes.append(marker | 0x0F)
    appendInteger(Int64(count), to: &bytes)
  }

  private static func append(_ value: UInt64, size: Int, to bytes: inout [UInt8]) {
    for shift in stride(from: (size - 1) * 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
    }
  }

  /// The bytes that a number takes: 1, 2, 4 or 8.
  private static func size(_ value: Int) -> Int {
    switch value {
    case ..<0x100: 1
    case ..<0x1_0000: 2
    case ..<0x1_0000_0000: 4
    default: 8
    }
  }
}

extension PropertyList {
  /// Whether equal nodes are written once. Reals are not: 0 and -0 are equal.
  fileprivate var isShared: Bool {
    switch self {
    case .array, .dictionary, .real, .date: false
    default: true
    }
  }
}
