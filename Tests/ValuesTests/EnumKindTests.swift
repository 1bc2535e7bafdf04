import Diagnostics
import TestSupport
import Testing

@testable import Values

@Suite struct EnumKindTests {
  private static var services: KindSettings {
    var settings = KindSettings()
    settings.cases = ["unknown": 0, "twitter": 1, "facebook": 2]
    return settings
  }

  static let words: [Case<String, Outcome<Int64>>] = [
    text("twitter", 1), text("2", 2), text("unknown", 0), refused("Twitter", .unknownWord), refused("3", .unknownWord),
    refused("", .unknownWord), refused("tk", .unknownWord),
  ]

  @Test(arguments: words) func enumeration(_ c: Case<String, Outcome<Int64>>) throws {
    let kind = try EnumKind(Self.services)
    #expect(read(c.input) { bytes throws(TextTrouble) in try kind.content(bytes) } == c.expected)
  }

  @Test func unknownWordsWithACaseForThem() throws {
    var settings = Self.services
    settings.unknown = "unknown"
    let kind = try EnumKind(settings)
    #expect(read("tk") { bytes throws(TextTrouble) in try kind.content(bytes) } == .value(0))
    #expect(try kind.stored(2, as: .string) == .string("facebook"))
    #expect(try kind.text(stored: .integer(1), as: .integer) == "twitter")
    #expect(try kind.text(stored: .integer(9), as: .integer) == "9")
    #expect(kind.expectation == "one of unknown (0), twitter (1), facebook (2)")
  }

  @Test func unknownCase() {
    var settings = Self.services
    settings.unknown = "none"
    let error = #expect(throws: Diagnostic.self) { try EnumKind(settings) }
    #expect(error?.message == "unknown: \"none\" is none of the cases facebook, twitter, unknown")
  }

  // MARK: Option sets

  private static var styles: KindSettings {
    var settings = KindSettings()
    settings.cases = ["bold": 1, "italic": 2, "underlined": 4, "strong": 5]
    return settings
  }

  static let options: [Case<String, Outcome<Int64>>] = [
    text("bold|italic", 3), text("italic", 2), text("bold | underlined", 5), text("strong|italic", 7), text("6", 6),
    text("bold|bold", 1), refused("bold|", .unknownWord), refused("Bold", .unknownWord), refused("8", .unknownWord),
    refused("bold,italic", .unknownWord), refused("", .unknownWord), refused("-1", .unknownWord),
  ]

  @Test(arguments: options) func optionSet(_ c: Case<String, Outcome<Int64>>) throws {
    let kind = try OptionSetKind(Self.styles)
    #expect(read(c.input) { bytes throws(TextTrouble) in try kind.content(bytes) } == c.expected)
  }

  @Test func everyOptionSetRoundTrips() throws {
    let kind = try OptionSetKind(Self.styles)
    for number in Int64(0)...7 {
      for form in OptionSetKind.forms {
        #expect(try kind.content(stored: kind.stored(number, as: form), as: form) == number)
      }
    }
    #expect(kind.text(7) == "strong|italic")
    #expect(kind.text(0) == "0")
    #expect(kind.text(11) == "bold|italic|8")
    #expect(kind.expectation == "options with | between, of bold (1), italic (2), strong (5), underlined (4)")
  }
}
