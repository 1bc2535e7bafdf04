import Foundation
import TestSupport
import Testing
import Values

@testable import ObjectModel

@Suite struct StoredValueTests {
  static let uuid = UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")
  static let stored: [Case<(NSAttributeType, Value), StoredValue>] = [
    Case("integer", (.integer16AttributeType, .integer(-7)), .integer(-7)),
    Case("largest integer", (.integer64AttributeType, .integer(.max)), .integer(.max)),
    Case("true", (.booleanAttributeType, .boolean(true)), .integer(1)),
    Case("false", (.booleanAttributeType, .boolean(false)), .integer(0)),
    Case("real", (.doubleAttributeType, .real(0.1)), .real(0.1)),
    Case("decimal", (.decimalAttributeType, .decimal(Decimal(string: "0.1") ?? 0)), .real(0.1)),
    Case("small decimal", (.decimalAttributeType, .decimal(Decimal(string: "1e-7") ?? 0)), .real(1e-7)),
    Case("large decimal", (.decimalAttributeType, .decimal(Decimal(string: "-1.5e20") ?? 0)), .real(-1.5e20)),
    Case("date", (.dateAttributeType, .date(Date(timeIntervalSinceReferenceDate: -1.5))), .real(-1.5)),
    Case("string", (.stringAttributeType, .string("naïve 🙂")), .text("naïve 🙂")),
    Case("empty string", (.stringAttributeType, .string("")), .text("")),
    Case(
      "URL", (.URIAttributeType, URL(string: "https://example.org/a?b#c").map { .url($0) } ?? .null),
      .text("https://example.org/a?b#c")),
    Case(
      "UUID", (.UUIDAttributeType, uuid.map { .uuid($0) } ?? .null),
      .blob(Data([0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 0x99, 0xAA, 0xBB, 0xCC, 0xDD, 0xEE, 0xFF]))),
    Case("data", (.binaryDataAttributeType, .data(Data([0, 255]))), .blob(Data([0, 255]))),
    Case("empty data", (.transformableAttributeType, .data(Data())), .blob(Data())),
    Case("null", (.UUIDAttributeType, .null), .null),
  ]

  @Test(arguments: stored) func roundTrip(_ c: Case<(NSAttributeType, Value), StoredValue>) {
    let (type, value) = c.input
    let stored = StoredValue(value, as: type)
    #expect(stored == c.expected)
    #expect(stored?.value(as: type) == value)
  }

  @Test func everyTypeRefusesAnotherOnesValues() {
    let values: [Value] = [.integer(1), .boolean(true), .real(1), .decimal(1), .string("1"), .data(Data([1]))]
    for type in NSAttributeType.allCases {
      #expect(values.count { StoredValue($0, as: type) != nil } <= 1, "\(type)")
    }
    #expect(StoredValue.blob(Data([1])).value(as: .UUIDAttributeType) == nil)
    #expect(StoredValue.real(.nan).value(as: .decimalAttributeType) == nil)
    #expect(StoredValue.real(1e300).value(as: .decimalAttributeType) == nil)
    #expect(StoredValue.real(.leastNonzeroMagnitude).value(as: .decimalAttributeType) == nil)
    #expect(StoredValue.text("1").value(as: .integer16AttributeType) == nil)
    // SQLite keeps the whole numbers of a decimal column as integers.
    #expect(StoredValue.integer(12).value(as: .decimalAttributeType) == .decimal(12))
  }

  static let decimals = [
    Case("short", "0.1", true), Case("money", "1234567.89", true), Case("15 digits", "123456789012345", true),
    Case("2^53", "9007199254740992", true), Case("beyond 2^53", "9007199254740993", false),
    Case("too many digits", "3.33333333333299930001", false), Case("small", "1e-30", true),
    Case("zero", "0", true), Case("negative", "-99.95", true), Case("17 digits", "0.12345678901234567", false),
  ]
  @Test(arguments: decimals) func exactness(_ c: Case<String, Bool>) throws {
    #expect(try #require(Decimal(string: c.input)).isExactAsDouble == c.expected)
  }
}
