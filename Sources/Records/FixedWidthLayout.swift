public import Diagnostics

/// A column of fixed width: its name, the place of its first character in the line, and how many it has.
public struct FixedField: Hashable, Sendable, Codable {
  /// The name.
  public var name: String
  /// The place of the first character, from 1.
  public var start: Int
  /// The number of characters; nil for all to the end of the line, which only the last field may say.
  public var width: Int?

  /// Makes a field.
  public init(name: String, start: Int, width: Int?) {
    self.name = name
    self.start = start
    self.width = width
  }
}

extension FixedField: OptionDescribing {
  /// The options of a column of fixed width.
  public static let options = [
    OptionDescription("name", .text("NAME"), "the name of the column"),
    OptionDescription("start", .integer(atLeast: 1), "the place of its first character, from 1"),
    OptionDescription(
      "width", .integer(atLeast: 1), "how many characters it has", default: "all to the end of the line"),
  ]
}

/// Where the fields of a line stand.
struct FixedWidthLayout {
  /// The places at which each field begins and ends, from 0; no end is that of the line.
  let places: [(start: Int, end: Int?)]
  let unit: ReaderConfiguration.Unit
  /// The length of a line; nil if the last field takes what is there.
  let length: Int?
  /// The offset in the current line of the byte at each place, and of the line's end; empty if both are the same.
  private var offsets: [Int] = []
  private var line = UnsafeBufferPointer<UInt8>(start: nil, count: 0)

  init(_ places: [(start: Int, end: Int?)], unit: ReaderConfiguration.Unit) {
    self.places = places
    self.unit = unit
    length = places.contains { $0.end == nil } ? nil : places.compactMap(\.end).max()
  }

  /// Looks at a line, which must stay where it is until the next.
  mutating func open(_ line: UnsafeBufferPointer<UInt8>) {
    self.line = line
    offsets.removeAll(keepingCapacity: true)
    guard unit == .characters, line.contains(where: { $0 >= 0x80 }) else { return }
    for (offset, byte) in line.enumerated() where !byte.isContinuation { offsets.append(offset) }
    offsets.append(line.count)
  }

  /// The length of the line in the unit.
  var lineLength: Int { offsets.isEmpty ? line.count : offsets.count - 1 }

  /// Whether the line has a field, in full or in part.
  func hasField(_ field: Int) -> Bool { places[field].start < lineLength }

  /// The bytes of a field that the line has.
  func field(_ field: Int) -> UnsafeRawBufferPointer {
    let (start, end) = places[field]
    let range = offset(of: start)..<offset(of: min(end ?? lineLength, lineLength))
    return UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(line)[range])
  }

  /// The first field that begins or ends inside a character; it can only be if bytes are counted.
  var splitField: Int? {
    guard unit == .bytes else { return nil }
    return places.firstIndex { isInsideCharacter($0.start) || isInsideCharacter($0.end ?? line.count) }
  }

  private func isInsideCharacter(_ place: Int) -> Bool { place < line.count && line[place].isContinuation }

  private func offset(of place: Int) -> Int { offsets.isEmpty ? place : offsets[place] }
}

extension UInt8 {
  /// Whether it is a byte of a character of UTF-8 behind the character's first.
  @inline(__always) var isContinuation: Bool { self & 0xC0 == 0x80 }
}
