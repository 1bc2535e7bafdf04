/// A colour of the sRGB or the device's space: components and alpha from 0 to 1.
public struct Colour: Hashable, Sendable {
  /// The red component.
  public var red: Double
  /// The green component.
  public var green: Double
  /// The blue component.
  public var blue: Double
  /// The opacity. The default is 1.
  public var alpha: Double

  /// Makes a colour.
  public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Reads `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`, in any case, with the `#` or without.
  ///
  /// The order is that of CSS Color 4: alpha comes last.
  package init(hex bytes: UnsafeRawBufferPointer) throws(TextTrouble) {
    let start = bytes.first == UInt8(ascii: "#") ? 1 : 0
    let count = bytes.count - start
    guard [3, 4, 6, 8].contains(count) else { throw .form }
    var digits: UInt32 = 0
    for index in start..<bytes.count {
      guard let digit = bytes[index].hexadecimalValue else { throw .form }
      // A single digit stands for two.
      digits = count < 6 ? digits << 8 | UInt32(digit) * 0x11 : digits << 4 | UInt32(digit)
    }
    if count % 4 != 0 { digits = digits << 8 | 0xFF }
    func component(_ shift: UInt32) -> Double { Double(digits >> shift & 0xFF) / 255 }
    self.init(red: component(24), green: component(16), blue: component(8), alpha: component(0))
  }

  /// `#rrggbbaa`, in lower case.
  package var hex8: String { "#" + [red, green, blue, alpha].map(Self.digits).joined() }

  /// `#rrggbb`, and two digits more where it is not opaque.
  package var hex: String { alpha >= 1 ? String(hex8.prefix(7)) : hex8 }

  private static func digits(_ component: Double) -> String {
    // Not a number is 0; what lies outside is the nearest that is inside.
    let byte = UInt8(component.isNaN ? 0 : (min(max(component, 0), 1) * 255).rounded())
    let digits = String(byte, radix: 16)
    return byte < 16 ? "0" + digits : digits
  }
}
