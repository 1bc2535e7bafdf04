import Diagnostics
import Foundation
import Testing

@testable import Values

struct ConversionOptionsTests {
  @Test func declaredOptionsAreTheKeys() {
    #expect(ConversionOptions.options.map(\.key) == ConversionOptions.CodingKeys.allCases.map(\.rawValue))
  }

  @Test func decodes() throws {
    let json = #"{"date": "unix", "true": ["ja"], "nulls": ["\\N"], "scale": "1", "binary": "hex", "pivotYear": 1950}"#
    let options = try JSONDecoder().decode(ConversionOptions.self, from: Data(json.utf8))
    #expect(options.date == "unix")
    #expect(options.trueWords == ["ja"])
    #expect(options.nulls == ["\\N"])
    #expect(options.scale == .unit)
    #expect(options.binary == .hex)
    #expect(options.pivotYear == 1950)
    #expect(options.trim == nil)
    #expect(try JSONDecoder().decode(ConversionOptions.self, from: JSONEncoder().encode(options)) == options)
  }

  /// Each option said by the narrower set wins, and each that it does not say comes from the wider one.
  @Test func narrowerWins() throws {
    let full = #"""
      {"date": "unix", "timeZone": "UTC", "pivotYear": 1, "decimalSign": ",", "groupingSign": ".", "nonFinite": true,
      "true": ["a"], "false": ["b"], "nulls": [""], "quotedNulls": true, "empty": "text", "trim": true, "nfc": true,
      "decimalLoss": "accept", "binary": "hex", "scale": "1", "colorSpace": "cmyk", "hexAlpha": "first", "storedUnit": "m"}
      """#
    let wide = try JSONDecoder().decode(ConversionOptions.self, from: Data(full.utf8))
    #expect(ConversionOptions().over(wide) == wide)
    #expect(wide.over(ConversionOptions()) == wide)
    var narrow = ConversionOptions()
    narrow.date = "iso8601"
    narrow.trim = false
    #expect(narrow.over(wide).date == "iso8601")
    #expect(narrow.over(wide).trim == false)
    #expect(narrow.over(wide).timeZone == "UTC")
  }
}
