import Diagnostics
import Foundation
import KeyedArchives
import TestSupport
import Testing

@testable import Values

@Suite struct ColourKindTests {
  fileprivate static func colour(_ red: Int, _ green: Int, _ blue: Int, _ alpha: Int = 255) -> Colour {
    Colour(red: Double(red) / 255, green: Double(green) / 255, blue: Double(blue) / 255, alpha: Double(alpha) / 255)
  }

  private static func kind(_ change: (inout ConversionOptions) -> Void = { _ in }) throws -> ColourKind {
    var settings = KindSettings()
    change(&settings.options)
    return try ColourKind(settings)
  }

  static let texts: [Case<String, Outcome<Colour>>] = [
    text("#FF000080", colour(255, 0, 0, 128)), text("000000", colour(0, 0, 0)), text("12e456", colour(18, 228, 86)),
    text("#0F0", colour(0, 255, 0)), text("#0f08", colour(0, 255, 0, 136)), text("#AbCdEf", colour(171, 205, 239)),
    refused("#12345", .form), refused("red-ish", .form), refused("", .form), refused("#", .form), refused("#12", .form),
    refused("##00000", .form), refused("#1234567", .form), refused("#ff00g0", .form), refused(" #ff0000", .form),
    text("red", colour(255, 0, 0)), text("DarkSlateGrey", colour(47, 79, 79)),
    text("rebeccapurple", colour(102, 51, 153)), text("transparent", colour(0, 0, 0, 0)), refused("reddish", .form),
    text("rgb(255, 136, 0)", colour(255, 136, 0)), text("RGB(255,136,0)", colour(255, 136, 0)),
    text("rgb(100% 0% 20% / 50%)", Colour(red: 1, green: 0, blue: 0.2, alpha: 0.5)),
    text("rgba(0, 0, 255, 0.25)", Colour(red: 0, green: 0, blue: 1, alpha: 0.25)),
    text("rgb( 1 2 3 )", colour(1, 2, 3)),
    refused("rgb(256, 0, 0)", .range), refused("rgb(0, 0)", .form), refused("rgb(0, 0 0)", .form),
    refused("rgb(0 0, 0)", .form), refused("rgb(0, 0, 0", .form), refused("rgb(0, 0, 0) ", .form),
    refused("rgb(0, 0, 0 / 1)", .form), refused("rgb(0 0 0 0)", .form), refused("rgb(0 0 0 / 2)", .range),
    refused("rgb(0, 0, 0, 1, 1)", .form), refused("rgb(a, b, c)", .form), refused("rgb()", .form),
    refused("rgb(0/0 0)", .form), refused("hwb(0 0% 0%)", .form),
    text("hsl(120, 100%, 50%)", colour(0, 255, 0)), text("hsl(240deg 100% 50% / 0.5)", colourAlpha(0, 0, 255, 0.5)),
    text("hsla(-120, 100%, 50%, 1)", colour(0, 0, 255)), text("hsl(0, 0%, 100%)", colour(255, 255, 255)),
    refused("hsl(0, 101%, 50%)", .range), refused("hsl(0%, 1%, 50%)", .form),
    text("gray(50%)", Colour(.grey(0.5))), text("grey(0.25 / 0.5)", Colour(.grey(0.25), alpha: 0.5)),
    refused("gray(50)", .range),
    text("cmyk(0%, 100%, 0%, 20%)", Colour(.cmyk(cyan: 0, magenta: 1, yellow: 0, black: 0.2))),
    text("device-cmyk(0 1 0 0.2 / 0.5)", Colour(.cmyk(cyan: 0, magenta: 1, yellow: 0, black: 0.2), alpha: 0.5)),
    text("color(srgb 1 0.5 0)", Colour(red: 1, green: 0.5, blue: 0)),
    text("255 136 0", colour(255, 136, 0)), text("255,136,0,51", colour(255, 136, 0, 51)),
    refused("255 136", .form), refused("256 0 0", .range), refused("255 136 0 ", .form), refused("1 2 3 4 5 6", .form),
    refused("10% 10% 10%", .form),
  ]

  private static func colourAlpha(_ red: Int, _ green: Int, _ blue: Int, _ alpha: Double) -> Colour {
    var colour = colour(red, green, blue)
    colour.alpha = alpha
    return colour
  }

  @Test(arguments: texts) func colour(_ c: Case<String, Outcome<Colour>>) throws {
    let kind = try Self.kind()
    #expect(read(c.input) { bytes throws(TextTrouble) in try kind.content(bytes) } == c.expected)
  }

  @Test func alphaInFront() throws {
    let kind = try Self.kind { $0.hexAlpha = .first }
    let colour = Self.colour(255, 0, 0, 128)
    #expect(read("#80FF0000") { b throws(TextTrouble) in try kind.content(b) } == .value(colour))
    #expect(read("#ff0000") { b throws(TextTrouble) in try kind.content(b) } == .value(Self.colour(255, 0, 0)))
    #expect(try kind.stored(colour, as: .hex) == .string("#80ff0000"))
  }

  static let spaces: [Case<(ColourSpace, ColourScale, [String]), Outcome<Colour>>] = [
    Case("rgb", (.rgb, .bytes, ["255", "0", "51"]), .value(colour(255, 0, 51))),
    Case("rgba", (.rgb, .bytes, ["255", "0", "51", "0"]), .value(colour(255, 0, 51, 0))),
    Case("too large", (.rgb, .bytes, ["256", "0", "0"]), .trouble(.range)),
    Case("negative", (.rgb, .bytes, ["-1", "0", "0"]), .trouble(.range)),
    Case("hexadecimal", (.rgb, .bytes, ["ff", "0", "0"]), .trouble(.form)),
    Case("units", (.rgb, .unit, ["1", "0.5", "0"]), .value(Colour(red: 1, green: 0.5, blue: 0))),
    Case("beyond the unit", (.rgb, .unit, ["1", "1.01", "0"]), .trouble(.range)),
    Case("grey", (.grey, .unit, ["0.5"]), .value(Colour(.grey(0.5)))),
    Case("grey and alpha", (.grey, .bytes, ["255", "51"]), .value(Colour(.grey(1), alpha: 0.2))),
    Case(
      "cmyk", (.cmyk, .unit, ["0", "1", "0", "0.5"]),
      .value(Colour(.cmyk(cyan: 0, magenta: 1, yellow: 0, black: 0.5)))),
    Case("three of cmyk", (.cmyk, .unit, ["0", "1", "0"]), .trouble(.form)),
  ]

  @Test(arguments: spaces) func columns(_ c: Case<(ColourSpace, ColourScale, [String]), Outcome<Colour>>) throws {
    let kind = try Self.kind { ($0.colorSpace, $0.scale) = (c.input.0, c.input.1) }
    #expect(readColumns(c.input.2) { b throws(TextTrouble) in try kind.content(columns: b) } == c.expected)
  }

  @Test func singleColumnsOfOtherSpaces() throws {
    let grey = try Self.kind { $0.colorSpace = .grey }
    #expect(read("51") { b throws(TextTrouble) in try grey.content(b) } == .value(Colour(.grey(0.2))))
    #expect(grey.expectation == "a grey from 0 to 255")
    let cmyk = try Self.kind { $0.colorSpace = .cmyk }
    #expect(
      read("#000000ff") { b throws(TextTrouble) in try cmyk.content(b) }
        == .value(Colour(.cmyk(cyan: 0, magenta: 0, yellow: 0, black: 1))))
    #expect(read("#000000") { b throws(TextTrouble) in try cmyk.content(b) } == .trouble(.form))
  }

  @Test(arguments: 1...60) func roundTrips(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func part() -> Double {
      Bool.random(using: &random)
        ? .random(in: 0...1, using: &random) : Double(Int.random(in: 0...255, using: &random)) / 255
    }
    let kind = try Self.kind()
    let colours = [
      Colour(red: part(), green: part(), blue: part(), alpha: part()), Colour(.grey(part()), alpha: part()),
      Colour(.cmyk(cyan: part(), magenta: part(), yellow: part(), black: part())),
    ]
    for colour in colours {
      for form in [StorageForm.nscolor, .string] {
        let stored = try kind.stored(colour, as: form)
        let text = try kind.text(stored: stored, as: form)
        #expect(read(text) { b throws(TextTrouble) in try kind.content(b) } == .value(colour), "seed \(seed): \(text)")
      }
    }
    #expect(try kind.content(stored: kind.stored(colours[0], as: .uicolor), as: .uicolor) == colours[0])
    let bytes = Self.colour(
      Int.random(in: 0...255, using: &random), Int.random(in: 0...255, using: &random), 7,
      Int.random(in: 0...255, using: &random))
    #expect(try kind.content(stored: kind.stored(bytes, as: .hex), as: .hex) == bytes)
  }

  @Test func archivesOfOtherSpaces() throws {
    var grey = KeyedArchive()
    grey.add(
      [.init("NSColorSpace", .integer(4)), .init("NSWhite", .data(Data("0.2 0.6\0".utf8)))],
      classes: ["NSColor", "NSObject"])
    let kind = try Self.kind()
    #expect(try kind.text(stored: .data(grey.data), as: .nscolor) == "gray(0.2 / 0.6)")
    #expect(throws: TextTrouble.form) { try kind.text(stored: .data(Data([1, 2])), as: .nscolor) }
    #expect(try kind.stored(Colour(.cmyk(cyan: 1, magenta: 0, yellow: 0, black: 0)), as: .hex) == .string("#00ffffff"))
  }
}
