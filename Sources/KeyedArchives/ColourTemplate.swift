import Foundation

/// An archive of a colour in the device's RGB space with room for the text of its components.
///
/// Archives of texts of one length differ in nothing else, and to write an archive anew for each of a million colours would
/// cost more than all the rest of their import.
struct ColourTemplate {
  private let bytes: Data
  private let place: Range<Int>

  /// The archive of a colour whose components have a text.
  static func archive(_ text: Data) -> Data {
    guard templates.indices.contains(text.count) else { return archiveAnew(text) }
    let template = templates[text.count]
    var bytes = template.bytes
    bytes.replaceSubrange(template.place, with: text)
    return bytes
  }

  // Four numbers of 20 digits have room in it.
  private static let templates = (0...96).map(ColourTemplate.init)

  private init(length: Int) {
    let blank = Data(repeating: 0xFF, count: length)
    bytes = Self.archiveAnew(blank)
    // An archive holds no other run of this byte: it is the head of no type, and no offset has it.
    place = bytes.range(of: blank) ?? 0..<0
  }

  /// The archive, written from its parts.
  static func archiveAnew(_ text: Data) -> Data {
    var archive = KeyedArchive()
    archive.add(
      [.init("NSRGB", .data(text)), .init("NSColorSpace", .integer(2))], classes: ["NSColor", "NSObject"])
    return archive.data
  }
}
