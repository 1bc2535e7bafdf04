package import Diagnostics
package import Foundation

/// The components of an archived NSColor.
package enum ArchivedColour: Hashable, Sendable {
  case rgb(red: Double, green: Double, blue: Double, alpha: Double)
  case white(Double, alpha: Double)
  case cmyk(cyan: Double, magenta: Double, yellow: Double, black: Double, alpha: Double)

  /// Reads an archive of NSColor: its RGB, white and CMYK colours; those of a catalog by their fallback.
  package init(_ bytes: Data) throws(Diagnostic) {
    let archive = try KeyedArchive(bytes)
    self = try Self.colour(archive, archive.rootObject, depth: 0)
  }

  /// The archive of a colour of the device's RGB space, as apps keep it.
  package static func archive(red: Double, green: Double, blue: Double, alpha: Double) -> Data {
    ColourTemplate.archive(text(alpha == 1 ? [red, green, blue] : [red, green, blue, alpha]))
  }

  private static func colour(
    _ archive: KeyedArchive, _ object: KeyedArchive.Object?, depth: Int
  ) throws(Diagnostic) -> ArchivedColour {
    guard let object, object.className == "NSColor" || object.classes.contains("NSColor") else {
      throw .archivedClass(expected: "NSColor", found: object?.className)
    }
    guard case .integer(let space) = object.fields["NSColorSpace"] else {
      throw .archivedColour("it has no NSColorSpace")
    }
    switch space {
    case 1, 2:
      let parts = try components(archive, object, "NSRGB", 3)
      return .rgb(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])
    case 3, 4:
      let parts = try components(archive, object, "NSWhite", 1)
      return .white(parts[0], alpha: parts[1])
    case 5:
      let parts = try components(archive, object, "NSCMYK", 4)
      return .cmyk(cyan: parts[0], magenta: parts[1], yellow: parts[2], black: parts[3], alpha: parts[4])
    case 6 where depth == 0: return try colour(archive, archive.object(object.fields["NSColor"]), depth: 1)
    default: throw .archivedColour("its NSColorSpace is \(space)")
    }
  }

  /// `count` components and the alpha, which is 1 when it is not there.
  private static func components(
    _ archive: KeyedArchive, _ object: KeyedArchive.Object, _ key: String, _ count: Int
  ) throws(Diagnostic) -> [Double] {
    guard case .data(let data) = archive.resolve(object.fields[key]) else { throw .archivedColour("it has no \(key)") }
    let text = data.last == 0 ? data.dropLast() : data
    let parts = text.split(separator: UInt8(ascii: " ")).map { part -> Double? in
      // Double also reads words and hexadecimal.
      let isDecimal = part.allSatisfy { (0x30...0x39).contains($0) || [0x2B, 0x2D, 0x2E, 0x45, 0x65].contains($0) }
      return isDecimal ? Double(String(decoding: part, as: UTF8.self)) : nil
    }
    let numbers = parts.compactMap { $0 }.filter(\.isFinite)
    guard numbers.count == parts.count, (count...count + 1).contains(numbers.count) else {
      throw .archivedColour("its \(key) does not hold \(count) or \(count + 1) numbers")
    }
    return numbers.count == count ? numbers + [1] : numbers
  }

  private static func text(_ components: [Double]) -> Data {
    Data(components.map(\.archiveText).joined(separator: " ").utf8) + [0]
  }
}
