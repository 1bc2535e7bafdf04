package import Diagnostics
package import Foundation
import KeyedArchives

/// Measurements: a number and a unit, `12.5 cm`; kept as a number of a declared unit, or as text.
package struct MeasurementKind: ValueKind {
  package static let name = "measurement"
  package static let forms: [StorageForm] = [.real, .string, .integer]

  /// A number of a unit.
  package struct Content: Hashable, Sendable {
    /// The number.
    package var number: Decimal
    /// The symbol of the unit.
    package var unit: String
  }

  private let numbers: NumberFormat
  private let unit: MeasuringUnit?

  package init(_ settings: KindSettings) throws(Diagnostic) {
    numbers = try NumberFormat(settings.options)
    guard let symbol = settings.options.storedUnit else {
      unit = nil
      return
    }
    unit = try Self.unit(symbol)
  }

  private static func unit(_ symbol: String) throws(Diagnostic) -> MeasuringUnit {
    guard let unit = MeasuringUnit.named(symbol) else { throw .unknownUnit(symbol) }
    return unit
  }

  /// Throws for a text that is no unit.
  static func check(_ symbol: String) throws(Diagnostic) { _ = try unit(symbol) }

  package func check(_ form: StorageForm) throws(Diagnostic) {
    if form.type != .string, unit == nil { throw .noUnit }
  }

  package var expectation: String {
    let example = unit?.symbol ?? "cm"
    return "a number and a unit such as 12.5 \(example)"
  }

  /// The number and the unit of a text, in the declared unit if there is one.
  package func content(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> Content {
    // The unit is what follows the last digit.
    guard let end = text.lastIndex(where: { (0x30...0x39).contains($0) }) else { throw .form }
    let split = Self.unitStart(text, behind: end)
    let number = try numbers.decimal(UnsafeRawBufferPointer(rebasing: text[..<split]).withoutOuterBlanks)
    let symbol = String(decoding: UnsafeRawBufferPointer(rebasing: text[split...]).withoutOuterBlanks, as: UTF8.self)
    guard let read = MeasuringUnit.named(symbol) else { throw .unknownUnit }
    guard let unit else { return Content(number: number, unit: read.symbol) }
    guard read.quantity == unit.quantity else { throw .unknownUnit }
    return Content(number: unit.number(of: number, in: read), unit: unit.symbol)
  }

  /// `m2` and `m3` end in a digit of their own.
  private static func unitStart(_ text: UnsafeRawBufferPointer, behind end: Int) -> Int {
    var start = end
    while start > 0, !(0x30...0x39).contains(text[start - 1]), text[start - 1] != 0x20 { start -= 1 }
    let isOfUnit = end == text.count - 1 && start < end && text[start..<end].contains { $0.lowercasedASCII == 0x6D }
    return isOfUnit ? start : end + 1
  }

  package func text(_ content: Content) -> String { "\(content.number) \(content.unit)" }

  package func stored(_ content: Content, as form: StorageForm) throws(TextTrouble) -> Value {
    switch form {
    case .string: return .string(text(content))
    case .integer:
      guard let number = Int64(content.number.description) else { throw .precision }
      return .integer(number)
    default:
      guard let number = Double(content.number.description) else { throw .range }
      return .real(number)
    }
  }

  package func content(stored: Value, as form: StorageForm) throws(TextTrouble) -> Content {
    switch (stored, unit) {
    case (.string(let text), _): return try MeasurementKind.plain.read(text)
    case (.integer(let number), let unit?): return Content(number: Decimal(number), unit: unit.symbol)
    case (.real(let number), let unit?):
      guard number.isFinite else { throw .form }
      return Content(
        number: try number.archiveText.parsed { text throws(TextTrouble) in try NumberFormat.plain.decimal(text) },
        unit: unit.symbol)
    default: throw .form
    }
  }

  /// One that reads what it stored, whatever signs and unit texts of the input have.
  private static let plain = MeasurementKind()
  private init() { (numbers, unit) = (.plain, nil) }
  private func read(_ text: String) throws(TextTrouble) -> Content { try text.parsed(by: content) }
}

/// A unit: so many of the quantity's first unit, above a zero of its own.
struct MeasuringUnit: Hashable, Sendable {
  enum Quantity: Hashable, Sendable {
    case length, area, volume, mass, time, temperature, speed, angle, energy, power, pressure, information, frequency,
      current, voltage
  }

  let symbol: String
  let quantity: Quantity
  /// The ratio as a fraction, so that decimal units are converted exactly.
  private let numerator: Decimal
  private let denominator: Decimal
  private let zero: Decimal

  private init(
    _ symbol: String, _ quantity: Quantity, _ numerator: String, per denominator: String = "1", zero: String = "0"
  ) {
    self.symbol = symbol
    self.quantity = quantity
    self.numerator = Self.decimal(numerator)
    self.denominator = Self.decimal(denominator)
    self.zero = Self.decimal(zero)
  }

  // The texts are those of the table below.
  private static func decimal(_ text: String) -> Decimal { Decimal(string: text) ?? .nan }

  /// A number of another unit of the quantity in this one.
  func number(of number: Decimal, in other: MeasuringUnit) -> Decimal {
    if other == self { return number }
    let base = number * other.numerator / other.denominator + other.zero
    return (base - zero) * denominator / numerator
  }

  static func named(_ symbol: String) -> MeasuringUnit? { bySymbol[symbol] }

  static var symbols: [String] { all.map(\.symbol) }

  private static let bySymbol: [String: MeasuringUnit] = {
    var units = Dictionary(all.map { ($0.symbol, $0) }, uniquingKeysWith: { first, _ in first })
    for (other, symbol) in others { units[other] = units[symbol] }
    return units
  }()

  /// Other spellings.
  private static let others = [
    ("m2", "m²"), ("km2", "km²"), ("cm2", "cm²"), ("m3", "m³"), ("l", "L"), ("ml", "mL"), ("cl", "cL"), ("um", "µm"),
    ("\u{3BC}m", "µm"), ("C", "°C"), ("F", "°F"), ("deg", "°"), ("kph", "km/h"),
  ]

  // Source: the SI; the international yard and pound of 1959; IEC 80000-13 for the binary prefixes.
  private static let all: [MeasuringUnit] = [
    .init("m", .length, "1"), .init("km", .length, "1000"), .init("dm", .length, "1", per: "10"),
    .init("cm", .length, "1", per: "100"), .init("mm", .length, "1", per: "1000"),
    .init("µm", .length, "1", per: "1000000"), .init("nm", .length, "1", per: "1000000000"),
    .init("in", .length, "0.0254"), .init("ft", .length, "0.3048"), .init("yd", .length, "0.9144"),
    .init("mi", .length, "1609.344"), .init("NM", .length, "1852"),
    .init("m²", .area, "1"), .init("km²", .area, "1000000"), .init("cm²", .area, "1", per: "10000"),
    .init("ha", .area, "10000"), .init("ac", .area, "4046.8564224"),
    .init("L", .volume, "1"), .init("mL", .volume, "1", per: "1000"), .init("cL", .volume, "1", per: "100"),
    .init("m³", .volume, "1000"), .init("gal", .volume, "3.785411784"), .init("fl oz", .volume, "0.0295735295625"),
    .init("kg", .mass, "1"), .init("g", .mass, "1", per: "1000"), .init("mg", .mass, "1", per: "1000000"),
    .init("t", .mass, "1000"), .init("lb", .mass, "0.45359237"), .init("oz", .mass, "0.028349523125"),
    .init("s", .time, "1"), .init("ms", .time, "1", per: "1000"), .init("min", .time, "60"), .init("h", .time, "3600"),
    .init("d", .time, "86400"),
    .init("K", .temperature, "1"), .init("°C", .temperature, "1", zero: "273.15"),
    .init("°F", .temperature, "5", per: "9", zero: "255.37222222222222222222222222222222222"),
    .init("m/s", .speed, "1"), .init("km/h", .speed, "10", per: "36"), .init("mph", .speed, "0.44704"),
    .init("kn", .speed, "1852", per: "3600"),
    .init("°", .angle, "1"), .init("rad", .angle, "57.295779513082320876798154814105170332"),
    .init("J", .energy, "1"), .init("kJ", .energy, "1000"), .init("cal", .energy, "4.184"),
    .init("kcal", .energy, "4184"), .init("kWh", .energy, "3600000"),
    .init("W", .power, "1"), .init("kW", .power, "1000"), .init("MW", .power, "1000000"),
    .init("Pa", .pressure, "1"), .init("hPa", .pressure, "100"), .init("kPa", .pressure, "1000"),
    .init("mbar", .pressure, "100"), .init("bar", .pressure, "100000"),
    .init("bit", .information, "1"), .init("B", .information, "8"), .init("kB", .information, "8000"),
    .init("MB", .information, "8000000"), .init("GB", .information, "8000000000"),
    .init("KiB", .information, "8192"), .init("MiB", .information, "8388608"),
    .init("GiB", .information, "8589934592"),
    .init("Hz", .frequency, "1"), .init("kHz", .frequency, "1000"), .init("MHz", .frequency, "1000000"),
    .init("GHz", .frequency, "1000000000"),
    .init("A", .current, "1"), .init("mA", .current, "1", per: "1000"),
    .init("V", .voltage, "1"), .init("mV", .voltage, "1", per: "1000"), .init("kV", .voltage, "1000"),
  ]
}
