import KeyedArchives

extension Colour {
  /// Reads three, four, six or eight hexadecimal digits, in any case, with a `#` before them or without.
  ///
  /// Four and eight have an alpha, where it is said to stand; those of CMYK are four or eight and have none.
  package init(
    hex bytes: UnsafeRawBufferPointer, alpha: AlphaPlace = .last, space: ColourSpace = .rgb
  ) throws(TextTrouble) {
    let start = bytes.first == UInt8(ascii: "#") ? 1 : 0
    let count = bytes.count - start
    guard [3, 4, 6, 8].contains(count) else { throw .form }
    var digits: UInt32 = 0
    for index in start..<bytes.count {
      guard let digit = bytes[index].hexadecimalValue else { throw .form }
      // A single digit stands for two.
      digits = count < 6 ? digits << 8 | UInt32(digit) * 0x11 : digits << 4 | UInt32(digit)
    }
    func component(_ shift: UInt32) -> Double { Double(digits >> shift & 0xFF) / 255 }
    if space == .cmyk {
      guard count % 4 == 0 else { throw .form }
      self.init(
        .cmyk(cyan: component(24), magenta: component(16), yellow: component(8), black: component(0)))
      return
    }
    if count % 4 != 0 {
      digits = digits << 8 | 0xFF
    } else if alpha == .first {
      digits = digits << 8 | digits >> 24
    }
    self.init(red: component(24), green: component(16), blue: component(8), alpha: component(0))
  }

  /// `#rrggbbaa`, in lower case; with another place of the alpha `#aarrggbb`.
  func writeHex(alpha place: AlphaPlace, to text: inout TextBuffer) {
    let (red, green, blue) = rgb
    text.append(UInt8(ascii: "#"))
    if place == .first { text.append(hexadecimal: alpha) }
    text.append(hexadecimal: red)
    text.append(hexadecimal: green)
    text.append(hexadecimal: blue)
    if place == .last { text.append(hexadecimal: alpha) }
  }

  /// `#rrggbbaa`, in lower case.
  package var hex8: String { hex(alpha: .last) }

  func hex(alpha place: AlphaPlace) -> String {
    withUnsafeTemporaryAllocation(byteCount: 9, alignment: 1) { memory in
      var text = TextBuffer(memory)
      writeHex(alpha: place, to: &text)
      return String(decoding: text.bytes, as: UTF8.self)
    }
  }
}

extension TextBuffer {
  fileprivate mutating func append(hexadecimal component: Double) {
    // Not a number is 0; what lies outside is the nearest that is inside.
    let byte = UInt8(component.isNaN ? 0 : (min(max(component, 0), 1) * 255).rounded())
    append(hexadecimalDigit: byte >> 4)
    append(hexadecimalDigit: byte & 0xF)
  }

  private mutating func append(hexadecimalDigit digit: UInt8) { append(digit < 10 ? 0x30 + digit : 0x57 + digit) }
}
