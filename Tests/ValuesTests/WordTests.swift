import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import Values

struct WordTests {
  static let booleans: [Case<String, Outcome<Bool>>] = [
    text("true", true), text("TRUE", true), text("Yes", true), text("1", true), text("false", false), text("No", false),
    text("0", false), refused("", .unknownWord), refused("t", .unknownWord), refused("2", .unknownWord),
    refused(" true", .unknownWord), refused("truee", .unknownWord),
  ]

  @Test(arguments: booleans) func boolean(_ c: Case<String, Outcome<Bool>>) throws {
    let words = try BooleanWords()
    #expect(read(c.input) { bytes throws(TextTrouble) in try words.boolean(bytes) } == c.expected)
  }

  @Test func ownWords() throws {
    let words = try BooleanWords(true: ["sì", "vero"], false: ["NO"])
    #expect(read("SÌ") { bytes throws(TextTrouble) in try words.boolean(bytes) } == .value(true))
    #expect(read("no") { bytes throws(TextTrouble) in try words.boolean(bytes) } == .value(false))
    #expect(read("true") { bytes throws(TextTrouble) in try words.boolean(bytes) } == .trouble(.unknownWord))
    #expect(words.expectation == "one of sì, vero, NO")
  }

  @Test func wordForBoth() {
    let error = #expect(throws: Diagnostic.self) { try BooleanWords(true: ["x", "Y"], false: ["y"]) }
    #expect(error?.message == "true, false: \"y\" is a word for both")
  }

  private static let uuid = UUID(uuidString: "0B3E2F6A-9C1D-4E8F-A1B2-C3D4E5F60718") ?? UUID()

  static let uuids: [Case<String, Outcome<UUID>>] = [
    text("0B3E2F6A-9C1D-4E8F-A1B2-C3D4E5F60718", uuid), text("0b3e2f6a-9c1d-4e8f-a1b2-c3d4e5f60718", uuid),
    text("0b3e2f6a9c1d4e8fa1b2c3d4e5f60718", uuid), refused("", .form),
    refused("0B3E2F6A-9C1D-4E8F-A1B2-C3D4E5F6071", .form),
    refused("{0B3E2F6A-9C1D-4E8F-A1B2-C3D4E5F607}", .form), refused("0B3E2F6A-9C1D-4E8F-A1B2-C3D4E5F6071G", .form),
    refused("0B3E2F6A9-C1D-4E8F-A1B2-C3D4E5F60718", .form), refused("0B3E2F6A-9C1D-4E8F-A1B2-C3D4E5F60718 ", .form),
  ]

  @Test(arguments: uuids) func uuid(_ c: Case<String, Outcome<UUID>>) {
    #expect(read(c.input) { bytes throws(TextTrouble) in try UUID(text: bytes) } == c.expected)
  }

  static let uris: [Case<String, Bool>] = [
    Case("web", "https://example.org/a?b=c#d", true), Case("mail", "mailto:a@example.org", true),
    Case("relative", "../a/b", true),
    Case("escaped", "https://example.org/%C3%A9", true), Case("upper case", "HTTP://EXAMPLE.org/../a", true),
    Case("address", "http://[::1]:80/", true), Case("blank", "http://example.org/a b", false),
    Case("outer blank", " http://example.org", false), Case("control character", "http://example.org/\u{7}", false),
    Case("beyond ASCII", "http://example.org/é", false), Case("half an escape", "http://example.org/%C", false),
    Case("wrong escape", "http://example.org/%GG", false), Case("open bracket", "http://[bad", false),
    Case("port", "http://a:bad/", false), Case("angle brackets", "<http://example.org>", false),
  ]

  @Test(arguments: uris) func uri(_ c: Case<String, Bool>) {
    switch read(c.input, { bytes throws(TextTrouble) in try URL(text: bytes) }) {
    case .value(let url):
      #expect(c.expected)
      #expect(url.absoluteString == c.input)
    case .trouble(let trouble):
      #expect(!c.expected)
      #expect(trouble == .form)
    }
  }
}
