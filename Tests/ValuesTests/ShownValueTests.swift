import Foundation
import KeyedArchives
import TestSupport
import Testing

@testable import Values

@Suite struct ShownValueTests {
  private static func archive(_ className: String) -> Data {
    var archive = KeyedArchive()
    archive.add([.init("text", .string("x"))], classes: [className, "NSObject"])
    return archive.data
  }

  private static func archive(_ value: ArchivedValue) -> Value { .data(value.archive ?? Data()) }

  static let plain: [Case<Value, String>] = [
    Case("null", .null, "null"), Case("integer", .integer(-5), "-5"), Case("real", .real(0.1), "0.1"),
    Case("boolean", .boolean(true), "true"), Case("text", .string("a b"), "a b"),
    Case("date", .date(Date(timeIntervalSinceReferenceDate: 0.5)), "2001-01-01T00:00:00.5Z"),
    Case("bytes", .data(Data([1, 2, 3])), "3 bytes"),
    Case("unknown class", .data(archive("Cover")), "an archived Cover, \(archive("Cover").count) bytes"),
    Case("array", archive(.array([.string("a"), .integer(1), .null])), #"["a",1,null]"#),
    Case("dictionary", archive(.dictionary([.init(.string("k"), .string("v"))])), #"{"k":"v"}"#),
    Case("rect", archive(.geometry(.rect, "{{0, 0}, {1, 1}}")), "{{0, 0}, {1, 1}}"),
    Case("range", archive(.range(location: 3, length: 4)), "{3, 4}"),
    Case("URL", archive(.url("https://example.org")), "https://example.org"),
    Case("colour", archive(.colour(.rgb(red: 1, green: 0, blue: 0, alpha: 1))), "#ff0000"),
  ]

  @Test(arguments: plain) func shown(_ c: Case<Value, String>) {
    #expect(c.input.shown() == c.expected)
  }

  @Test func ofAKind() throws {
    let kind = try StoredKind("color", settings: KindSettings(), storedAs: .data)
    #expect(Value.data(ArchivedColour.white(0.5, alpha: 1).archive(as: .nscolor)).shown(as: kind) == "gray(0.5)")
    // What is no colour is shown as what it is.
    #expect(Value.data(Self.archive("Content")).shown(as: kind).hasPrefix("an archived Content, "))
  }

  /// Transformable values of stores that Core Data wrote: kept as they are, and known by the class's name.
  @Test(.enabled(if: Shared.isThere, Shared.comment)) func aBlobOfACase() throws {
    let lines = try String(contentsOf: Shared.url("cases/E13/seed_Event.csv"), encoding: .utf8).split(separator: "\n")
    let data = try #require(Data(base64Encoded: String(lines[1].dropFirst(2))))
    let kind = try StoredKind("json", settings: KindSettings(), storedAs: .data)
    #expect(try kind.text(stored: .data(data)) == #"["a","b"]"#)
    #expect(Value.data(data).shown() == #"["a","b"]"#)
  }
}
