package import Diagnostics
package import Foundation

/// The components of an archived NSColor or UIColor.
package enum ArchivedColour: Hashable, Sendable {
  /// The class of an archive.
  package enum Form: Hashable, Sendable { case nscolor, uicolor }

  case rgb(red: Double, green: Double, blue: Double, alpha: Double)
  case white(Double, alpha: Double)
  case cmyk(cyan: Double, magenta: Double, yellow: Double, black: Double, alpha: Double)

  /// Reads an archive of NSColor or UIColor: RGB, white and CMYK colours; those of a catalog by their fallback.
  package init(_ bytes: Data) throws(Diagnostic) {
    if let colour = Self.written(bytes) {
      self = colour
      return
    }
    let archive = try KeyedArchive(bytes)
    guard let object = archive.rootObject, object.isColour else {
      throw .archivedClass(expected: "NSColor or UIColor", found: archive.rootObject?.className)
    }
    try self.init(archive, object)
  }

  /// Reads an object of an archive.
  init(_ archive: KeyedArchive, _ object: KeyedArchive.Object) throws(Diagnostic) {
    self = try Self.colour(archive, object, depth: 0)
  }

  /// The archive of the colour, of the device's spaces, as apps have it. UIColor has no CMYK: it is archived by `rgb`.
  package func archive(as form: Form) -> Data { ColourTemplate.withArchive(of: self, as: form) { Data($0) } }

  /// Calls a function with the bytes of the archive, which are good until it returns.
  package func withArchive<Result>(
    as form: Form, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    try ColourTemplate.withArchive(of: self, as: form, body)
  }

  /// The colour in RGB; CMYK by the plain formula, without a profile.
  package var rgb: (red: Double, green: Double, blue: Double, alpha: Double) {
    switch self {
    case .rgb(let red, let green, let blue, let alpha): (red, green, blue, alpha)
    case .white(let white, let alpha): (white, white, white, alpha)
    case .cmyk(let cyan, let magenta, let yellow, let black, let alpha):
      ((1 - cyan) * (1 - black), (1 - magenta) * (1 - black), (1 - yellow) * (1 - black), alpha)
    }
  }
}

// MARK: Writing

extension ArchivedColour {
  /// How many components a class archives, the alpha included.
  func componentCount(as form: Form) -> Int {
    switch self {
    case .white: 2
    case .cmyk where form == .nscolor: 5
    default: 4
    }
  }

  /// A component as a class archives it; the last is the alpha.
  func component(_ index: Int, as form: Form) -> Double {
    switch self {
    case .white(let white, let alpha): return index == 0 ? white : alpha
    case .cmyk(let cyan, let magenta, let yellow, let black, let alpha) where form == .nscolor:
      return index == 0 ? cyan : index == 1 ? magenta : index == 2 ? yellow : index == 3 ? black : alpha
    default:
      let (red, green, blue, alpha) = rgb
      return index == 0 ? red : index == 1 ? green : index == 2 ? blue : alpha
    }
  }

  /// Writes the components as a class archives them in a text: without an alpha of 1, and AppKit's with a NUL behind.
  func writeText(as form: Form, to text: inout TextBuffer) {
    let count = componentCount(as: form)
    for index in 0..<count {
      let component = component(index, as: form)
      if index == count - 1, component == 1 { break }
      if index > 0 { text.append(UInt8(ascii: " ")) }
      text.append(number: component)
    }
    if form == .nscolor { text.append(0) }
  }

  /// The archive, written from its parts.
  func newArchive(as form: Form, text: Data) -> Data {
    var archive = KeyedArchive()
    archive.add(
      fields(as: form, text: text), classes: [form == .nscolor ? "NSColor" : "UIColor", "NSObject"],
      hints: form == .nscolor ? [] : ["NSColor"])
    return archive.data
  }

  /// The fields of the object.
  func fields(as form: Form) -> [PropertyList.Entry] {
    withUnsafeTemporaryAllocation(byteCount: 5 * (TextBuffer.longestNumber + 1), alignment: 1) { memory in
      var text = TextBuffer(memory)
      writeText(as: form, to: &text)
      return fields(as: form, text: Data(text.bytes))
    }
  }

  private func fields(as form: Form, text: Data) -> [PropertyList.Entry] {
    let (key, space): (String, Int64) =
      switch self {
      case .white: ("NSWhite", 4)
      case .cmyk where form == .nscolor: ("NSCMYK", 5)
      default: ("NSRGB", 2)
      }
    let common: [PropertyList.Entry] = [.init(key, .data(text)), .init("NSColorSpace", .integer(space))]
    guard form == .uicolor else { return common }
    let count = componentCount(as: form)
    let names = count == 2 ? ["UIWhite", "UIAlpha"] : ["UIRed", "UIGreen", "UIBlue", "UIAlpha"]
    let numbers = names.enumerated().flatMap { index, name in
      // Newer systems have each as a double besides.
      [name, "\(name)-Double"].map { PropertyList.Entry($0, .real(component(index, as: form))) }
    }
    return [.init("UIColorComponentCount", .integer(Int64(count)))] + numbers + common
  }
}

// MARK: Reading

extension ArchivedColour {
  /// The colour of an archive that was written by a template; nil for any other, which is read as what it is.
  private static func written(_ archive: Data) -> ArchivedColour? {
    archive.withUnsafeBytes { bytes in
      guard let (colour, text) = ColourTemplate.text(of: bytes), text.last == 0 else { return nil }
      let count = colour.componentCount(as: .nscolor) - 1
      guard let parts = try? numbers(text.dropLast(), count, "") else { return nil }
      switch colour {
      case .rgb: return .rgb(red: parts[0], green: parts[1], blue: parts[2], alpha: parts[3])
      case .white: return .white(parts[0], alpha: parts[1])
      case .cmyk: return .cmyk(cyan: parts[0], magenta: parts[1], yellow: parts[2], black: parts[3], alpha: parts[4])
      }
    }
  }

  private static func colour(
    _ archive: KeyedArchive, _ object: KeyedArchive.Object, depth: Int
  ) throws(Diagnostic) -> ArchivedColour {
    // UIKit's numbers are exact; its text is there for AppKit.
    if object.fields["UIColorComponentCount"] != nil { return try uiKitColour(archive, object) }
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
    case 6 where depth == 0:
      guard let fallback = archive.object(object.fields["NSColor"]), fallback.isColour else {
        throw .archivedClass(expected: "NSColor", found: archive.object(object.fields["NSColor"])?.className)
      }
      return try colour(archive, fallback, depth: 1)
    default: throw .archivedColour("its NSColorSpace is \(space)")
    }
  }

  private static func uiKitColour(
    _ archive: KeyedArchive, _ object: KeyedArchive.Object
  ) throws(Diagnostic) -> ArchivedColour {
    func component(_ key: String) throws(Diagnostic) -> Double {
      switch archive.resolve(object.fields["\(key)-Double"] ?? object.fields[key]) {
      case .real(let value) where value.isFinite: return value
      case .integer(let value): return Double(value)
      default: throw .archivedColour("it has no \(key)")
      }
    }
    if object.fields["UIWhite"] != nil {
      return .white(try component("UIWhite"), alpha: try component("UIAlpha"))
    }
    return .rgb(
      red: try component("UIRed"), green: try component("UIGreen"), blue: try component("UIBlue"),
      alpha: try component("UIAlpha"))
  }

  /// `count` components and the alpha, which is 1 when it is not there.
  private static func components(
    _ archive: KeyedArchive, _ object: KeyedArchive.Object, _ key: String, _ count: Int
  ) throws(Diagnostic) -> [Double] {
    guard case .data(let data) = archive.resolve(object.fields[key]) else { throw .archivedColour("it has no \(key)") }
    let bytes = Array(data)
    return try numbers(bytes.last == 0 ? bytes.dropLast() : bytes[...], count, key)
  }

  private static func numbers(
    _ text: some Collection<UInt8>, _ count: Int, _ key: String
  ) throws(Diagnostic) -> [Double] {
    var numbers: [Double] = []
    numbers.reserveCapacity(count + 1)
    var rest = text[...]
    while true {
      rest = rest.drop { $0 == UInt8(ascii: " ") }
      if rest.isEmpty { break }
      let part = rest.prefix { $0 != UInt8(ascii: " ") }
      guard numbers.count <= count, let number = number(part) else { numbers = []; break }
      numbers.append(number)
      rest = rest[part.endIndex...]
    }
    guard (count...count + 1).contains(numbers.count) else {
      throw .archivedColour("its \(key) does not hold \(count) or \(count + 1) numbers")
    }
    return numbers.count == count ? numbers + [1] : numbers
  }

  private static func number(_ text: some Collection<UInt8>) -> Double? {
    // Double also reads words and hexadecimal.
    let isDecimal = text.allSatisfy {
      switch $0 {
      case 0x30...0x39, 0x2B, 0x2D, 0x2E, 0x45, 0x65: true
      default: false
      }
    }
    guard isDecimal, let number = Double(String(decoding: text, as: UTF8.self)), number.isFinite else { return nil }
    return number
  }
}

extension KeyedArchive.Object {
  fileprivate var isColour: Bool {
    ([className] + classes).contains { $0 == "NSColor" || $0 == "UIColor" }
  }
}
