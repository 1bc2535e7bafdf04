import KeyedArchives

/// How the texts of colours are read, where they leave it open.
struct ColourTextRules: Hashable, Sendable {
  var space = ColourSpace.rgb
  var scale = ColourScale.bytes
  var alpha = AlphaPlace.last
}

extension Colour {
  /// Reads a colour: hexadecimal digits, a name, a function, or numbers with blanks or commas between.
  ///
  /// The functions are those of CSS: `rgb()`, `rgba()`, `hsl()`, `hsla()`, `device-cmyk()`, `color(srgb …)`; and `gray()` and
  /// `cmyk()`, whose numbers go to 1, or to 100%. What lies out of range is refused, and not clamped as in CSS.
  init(text bytes: UnsafeRawBufferPointer, _ rules: ColourTextRules) throws(TextTrouble) {
    guard let first = bytes.first else { throw .form }
    if first == UInt8(ascii: "#") {
      try self.init(hex: bytes, alpha: rules.alpha, space: rules.space)
    } else if bytes.last == UInt8(ascii: ")") {
      try self.init(function: bytes)
    } else if let named = Colour(name: bytes) {
      self = named
    } else if rules.space == .grey || bytes.contains(where: { $0 == 0x20 || $0 == 0x2C }) {
      var cursor = ByteCursor(bytes)
      let numbers = try ColourArguments(&cursor, end: nil)
      guard numbers.percentages == 0, !numbers.hasSlash else { throw .form }
      try self.init(numbers.list, rules)
    } else {
      try self.init(hex: bytes, alpha: rules.alpha, space: rules.space)
    }
  }

  /// Makes a colour of the numbers of a text or of columns.
  init(_ numbers: NumberList, _ rules: ColourTextRules) throws(TextTrouble) {
    let count = rules.componentCount
    guard (count...count + 1).contains(numbers.count) else { throw .form }
    let top = rules.scale == .bytes ? 255.0 : 1
    guard numbers.allSatisfy({ (0...top).contains($0) }) else { throw .range }
    func component(_ index: Int) -> Double { numbers[index] / top }
    let alpha = numbers.count > count ? component(count) : 1
    switch rules.space {
    case .rgb: self.init(red: component(0), green: component(1), blue: component(2), alpha: alpha)
    case .grey: self.init(.grey(component(0)), alpha: alpha)
    case .cmyk:
      self.init(
        .cmyk(cyan: component(0), magenta: component(1), yellow: component(2), black: component(3)), alpha: alpha)
    }
  }

  private init(function bytes: UnsafeRawBufferPointer) throws(TextTrouble) {
    var cursor = ByteCursor(bytes)
    if cursor.skip(word: "rgb(") || cursor.skip(word: "rgba(") {
      let arguments = try ColourArguments(&cursor, end: UInt8(ascii: ")"))
      self.init(
        red: try arguments.unit(0, of: 255), green: try arguments.unit(1, of: 255),
        blue: try arguments.unit(2, of: 255),
        alpha: try arguments.alpha(behind: 3))
    } else if cursor.skip(word: "hsl(") || cursor.skip(word: "hsla(") {
      let arguments = try ColourArguments(&cursor, end: UInt8(ascii: ")"))
      self.init(
        hue: try arguments.number(0), saturation: try arguments.unit(1, of: 100),
        lightness: try arguments.unit(2, of: 100), alpha: try arguments.alpha(behind: 3))
    } else if cursor.skip(word: "color(srgb ") {
      let arguments = try ColourArguments(&cursor, end: UInt8(ascii: ")"))
      self.init(
        red: try arguments.unit(0, of: 1), green: try arguments.unit(1, of: 1), blue: try arguments.unit(2, of: 1),
        alpha: try arguments.alpha(behind: 3))
    } else if cursor.skip(word: "gray(") || cursor.skip(word: "grey(") {
      let arguments = try ColourArguments(&cursor, end: UInt8(ascii: ")"))
      self.init(.grey(try arguments.unit(0, of: 1)), alpha: try arguments.alpha(behind: 1))
    } else if cursor.skip(word: "cmyk(") || cursor.skip(word: "device-cmyk(") {
      let arguments = try ColourArguments(&cursor, end: UInt8(ascii: ")"))
      self.init(
        .cmyk(
          cyan: try arguments.unit(0, of: 1), magenta: try arguments.unit(1, of: 1),
          yellow: try arguments.unit(2, of: 1),
          black: try arguments.unit(3, of: 1)), alpha: try arguments.alpha(behind: 4))
    } else {
      throw .form
    }
  }

  /// Source: W3C, CSS Color Module Level 4, "Converting HSL Colors to sRGB".
  private init(hue: Double, saturation: Double, lightness: Double, alpha: Double) {
    let turns = hue.truncatingRemainder(dividingBy: 360)
    let hue = turns < 0 ? turns + 360 : turns
    func component(_ offset: Double) -> Double {
      let k = (offset + hue / 30).truncatingRemainder(dividingBy: 12)
      return lightness - saturation * min(lightness, 1 - lightness) * max(-1, min(k - 3, 9 - k, 1))
    }
    self.init(red: component(0), green: component(8), blue: component(4), alpha: alpha)
  }
}

extension ColourTextRules {
  /// How many numbers a colour has without its alpha.
  var componentCount: Int {
    switch space {
    case .rgb: 3
    case .grey: 1
    case .cmyk: 4
    }
  }
}

/// The arguments of a colour function: all between commas, or between blanks and with a slash before the alpha.
private struct ColourArguments {
  private(set) var list = NumberList()
  /// Which of them are percentages, as bits.
  private(set) var percentages = 0
  private(set) var hasSlash = false
  /// How many stand before the slash.
  private var countBeforeSlash = 0
  private var hasCommas = false

  /// Reads them up to the end of the text, which is the given byte if there is one.
  init(_ cursor: inout ByteCursor, end: UInt8?) throws(TextTrouble) {
    while true {
      cursor.skipBlanks()
      guard list.count < 5 else { throw .form }
      let digits = cursor.take {
        ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E || $0 == 0x45 || $0 == 0x65
      }
      list.append(try NumberFormat.plain.real(digits))
      if cursor.skip(UInt8(ascii: "%")) { percentages |= 1 << (list.count - 1) }
      // The unit that CSS takes for granted.
      if list.count == 1, end != nil { _ = cursor.skip(word: "deg") }
      let hasBlank = cursor.next == 0x20
      cursor.skipBlanks()
      if let end {
        if cursor.skip(end) { break }
      } else if cursor.isAtEnd {
        guard !hasBlank else { throw .form }
        break
      }
      if cursor.skip(UInt8(ascii: ",")) {
        guard list.count == 1 || hasCommas else { throw .form }
        hasCommas = true
      } else if cursor.skip(UInt8(ascii: "/")) {
        guard !hasCommas, !hasSlash else { throw .form }
        hasSlash = true
        countBeforeSlash = list.count
      } else if !hasBlank || hasCommas || hasSlash {
        throw .form
      }
    }
    guard cursor.isAtEnd else { throw .form }
  }

  func number(_ index: Int) throws(TextTrouble) -> Double {
    guard index < list.count, percentages & 1 << index == 0 else { throw .form }
    return list[index]
  }

  /// An argument as a part of 1: a percentage, or a number up to a top.
  func unit(_ index: Int, of top: Double) throws(TextTrouble) -> Double {
    guard index < list.count else { throw .form }
    let value = list[index] / (percentages & 1 << index == 0 ? top : 100)
    guard (0...1).contains(value) else { throw .range }
    return value
  }

  /// The alpha behind so many arguments; 1 if there is none.
  func alpha(behind count: Int) throws(TextTrouble) -> Double {
    guard list.count > count else {
      guard list.count == count, !hasSlash else { throw .form }
      return 1
    }
    guard list.count == count + 1, hasSlash ? countBeforeSlash == count : hasCommas else { throw .form }
    return try unit(count, of: 1)
  }
}

// MARK: Writing

extension Colour {
  /// The text that reads as the same colour: `#rrggbb`, with two digits more where it is not opaque, and for what has no such
  /// digits the function of its space.
  var text: String {
    func list(_ name: String, _ numbers: Double...) -> String {
      let parts = numbers.map(\.archiveText).joined(separator: " ")
      return "\(name)\(parts)\(alpha == 1 ? "" : " / \(alpha.archiveText)"))"
    }
    switch components {
    case .grey(let grey): return list("gray(", grey)
    case .cmyk(let cyan, let magenta, let yellow, let black): return list("device-cmyk(", cyan, magenta, yellow, black)
    case .rgb(let red, let green, let blue):
      guard [red, green, blue, alpha].allSatisfy(\.isByte) else { return list("color(srgb ", red, green, blue) }
      return alpha == 1 ? String(hex8.prefix(7)) : hex8
    }
  }
}

extension Double {
  /// Whether it is a byte of 255 parts.
  fileprivate var isByte: Bool { (0...1).contains(self) && Double(UInt8((self * 255).rounded())) / 255 == self }
}
