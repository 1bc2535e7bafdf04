import Foundation

/// An archive of a colour with room for its components.
///
/// Archives of one class and space whose texts have one length differ in nothing else, and to write an archive anew for each
/// of a million colours would cost more than all the rest of their import. Archives that were written so are read by it, too.
struct ColourTemplate {
  /// The space of the components; its own are marks.
  let colour: ArchivedColour
  private let bytes: [UInt8]
  private let textPlace: Range<Int>
  /// Where the components stand as numbers, each twice; in UIKit's archives only.
  private let numberPlaces: [[Int]]

  /// Calls a function with the archive of a colour.
  static func withArchive<Result>(
    of colour: ArchivedColour, as form: ArchivedColour.Form, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try withUnsafeTemporaryAllocation(byteCount: textLimit, alignment: 1) { memory in
      var text = TextBuffer(memory)
      colour.writeText(as: form, to: &text)
      let template = templates(form, colour)[text.count]
      return try withUnsafeTemporaryAllocation(byteCount: template.bytes.count, alignment: 1) { archive in
        archive.copyBytes(from: template.bytes)
        UnsafeMutableRawBufferPointer(rebasing: archive[template.textPlace]).copyMemory(from: text.bytes)
        for (index, places) in template.numberPlaces.enumerated() {
          let bits = colour.component(index, as: form).bitPattern.bigEndian
          for place in places { archive.storeBytes(of: bits, toByteOffset: place, as: UInt64.self) }
        }
        return try body(UnsafeRawBufferPointer(archive))
      }
    }
  }

  /// The template that an archive differs from in its components alone, and the text of these; nil for any other archive, and for
  /// those of UIKit, whose numbers count.
  static func text(of archive: UnsafeRawBufferPointer) -> (colour: ArchivedColour, text: UnsafeRawBufferPointer)? {
    for template in appKitByLength[archive.count] ?? [] where template.fits(archive) {
      return (template.colour, UnsafeRawBufferPointer(rebasing: archive[template.textPlace]))
    }
    return nil
  }

  private static let appKitByLength = Dictionary(grouping: appKitRGB + appKitWhite + appKitCMYK, by: \.bytes.count)

  private func fits(_ archive: UnsafeRawBufferPointer) -> Bool {
    bytes.withUnsafeBytes { bytes in
      bytes[..<textPlace.lowerBound].isEqual(to: archive[..<textPlace.lowerBound])
        && bytes[textPlace.upperBound...].isEqual(to: archive[textPlace.upperBound...])
    }
  }

  private static let textLimit = 5 * (TextBuffer.longestNumber + 1)

  private static func templates(_ form: ArchivedColour.Form, _ colour: ArchivedColour) -> [ColourTemplate] {
    switch (form, colour) {
    case (.nscolor, .rgb): appKitRGB
    case (.nscolor, .white): appKitWhite
    case (.nscolor, .cmyk): appKitCMYK
    case (.uicolor, .white): uiKitWhite
    case (.uicolor, _): uiKitRGB
    }
  }

  private static let appKitRGB = all(.nscolor, .rgb(red: marks[0], green: marks[1], blue: marks[2], alpha: marks[3]))
  private static let appKitWhite = all(.nscolor, .white(marks[0], alpha: marks[1]))
  private static let appKitCMYK = all(
    .nscolor, .cmyk(cyan: marks[0], magenta: marks[1], yellow: marks[2], black: marks[3], alpha: marks[4]))
  private static let uiKitRGB = all(.uicolor, .rgb(red: marks[0], green: marks[1], blue: marks[2], alpha: marks[3]))
  private static let uiKitWhite = all(.uicolor, .white(marks[0], alpha: marks[1]))

  /// Numbers that no archive holds otherwise.
  private static let marks = (0..<5).map { Double(bitPattern: 0xFEDC_BA98_7654_3210 + $0) }

  /// The templates by the length of the text.
  private static func all(_ form: ArchivedColour.Form, _ colour: ArchivedColour) -> [ColourTemplate] {
    (0...textLimit).map { ColourTemplate(form, colour, length: $0) }
  }

  private init(_ form: ArchivedColour.Form, _ colour: ArchivedColour, length: Int) {
    self.colour = colour
    // An archive holds no other run of this byte: it is the head of no type, and no offset has it.
    let blank = Data(repeating: 0xFF, count: length)
    let archive = colour.newArchive(as: form, text: blank)
    bytes = Array(archive)
    textPlace = archive.range(of: blank) ?? 0..<0
    numberPlaces =
      form == .nscolor
      ? [] : (0..<colour.componentCount(as: form)).map { Self.places(of: Self.marks[$0].bitPattern, in: archive) }
  }

  private static func places(of bits: UInt64, in archive: Data) -> [Int] {
    let mark = withUnsafeBytes(of: bits.bigEndian) { Data($0) }
    var places: [Int] = []
    while let range = archive.range(of: mark, in: (places.last.map { $0 + 8 } ?? 0)..<archive.count) {
      places.append(range.lowerBound)
    }
    return places
  }
}

extension Slice<UnsafeRawBufferPointer> {
  /// Whether two slices of one length hold the same bytes; eight at a time.
  fileprivate func isEqual(to other: Slice<UnsafeRawBufferPointer>) -> Bool {
    let (own, other) = (UnsafeRawBufferPointer(rebasing: self), UnsafeRawBufferPointer(rebasing: other))
    var place = 0
    while place + 8 <= own.count {
      guard
        own.loadUnaligned(fromByteOffset: place, as: UInt64.self)
          == other.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      else { return false }
      place += 8
    }
    return own[place...].elementsEqual(other[place...])
  }
}
