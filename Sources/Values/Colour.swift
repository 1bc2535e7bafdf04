/// A colour of the sRGB or the device's space, a grey, or a CMYK colour: components and alpha from 0 to 1.
public struct Colour: Hashable, Sendable {
  /// The components by the space of the colour.
  public enum Components: Hashable, Sendable {
    /// Red, green and blue.
    case rgb(red: Double, green: Double, blue: Double)
    /// From 0, black, to 1, white.
    case grey(Double)
    /// Cyan, magenta, yellow and black.
    case cmyk(cyan: Double, magenta: Double, yellow: Double, black: Double)
  }

  /// The components.
  public var components: Components
  /// The opacity. The default is 1.
  public var alpha: Double

  /// Makes a colour of components.
  public init(_ components: Components, alpha: Double = 1) {
    self.components = components
    self.alpha = alpha
  }

  /// Makes a colour of red, green and blue.
  public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    self.init(.rgb(red: red, green: green, blue: blue), alpha: alpha)
  }

  /// Red, green and blue; CMYK by the plain formula, without a profile.
  public var rgb: (red: Double, green: Double, blue: Double) {
    switch components {
    case .rgb(let red, let green, let blue): (red, green, blue)
    case .grey(let grey): (grey, grey, grey)
    case .cmyk(let cyan, let magenta, let yellow, let black):
      ((1 - cyan) * (1 - black), (1 - magenta) * (1 - black), (1 - yellow) * (1 - black))
    }
  }
}

/// What the columns or the numbers of a colour are, and the digits of a CMYK colour.
public enum ColourSpace: String, Codable, Hashable, Sendable, CaseIterable {
  /// Red, green, blue and, if there is a fourth, alpha.
  case rgb
  /// Grey and, if there is a second, alpha.
  case grey
  /// Cyan, magenta, yellow, black and, if there is a fifth, alpha.
  case cmyk
}

/// What the columns of a colour count up to.
public enum ColourScale: String, Codable, Hashable, Sendable, CaseIterable {
  /// 0 to 255.
  case bytes = "255"
  /// 0 to 1.
  case unit = "1"
}

extension ColourScale {
  /// Reads the number, or its text.
  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    let number = (try? value.decode(Int.self)).map(String.init)
    guard let scale = try ColourScale(rawValue: number ?? value.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: value, debugDescription: "255 or 1")
    }
    self = scale
  }
}

/// Where the alpha of hexadecimal digits stands.
public enum AlphaPlace: String, Codable, Hashable, Sendable, CaseIterable {
  /// `#aarrggbb`.
  case first
  /// `#rrggbbaa`, as in CSS.
  case last
}
