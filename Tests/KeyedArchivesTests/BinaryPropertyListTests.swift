import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import KeyedArchives

struct BinaryPropertyListTests {
  static let nodes: [Case<PropertyList, String>] = [
    Case("null", .null, "00"),
    Case("true", .boolean(true), "09"),
    Case("one byte", .integer(255), "10ff"),
    Case("two bytes", .integer(256), "110100"),
    Case("four bytes", .integer(65_536), "1200010000"),
    Case("eight bytes", .integer(1 << 32), "130000000100000000"),
    Case("negative", .integer(-1), "13ffffffffffffffff"),
    Case("real", .real(-0.0), "238000000000000000"),
    Case("date", .date(Date(timeIntervalSinceReferenceDate: 1)), "333ff0000000000000"),
    Case("data", .data(Data([1, 2])), "420102"),
    Case("text", .string("ab"), "526162"),
    Case("text beyond ASCII", .string("é😀"), "6300e9d83dde00"),
    Case("15 characters", .string("abcdefghijklmno"), "5f100f6162636465666768696a6b6c6d6e6f"),
    Case("reference", .uid(1), "8001"),
    Case("long reference", .uid(300), "81012c"),
    Case("equal texts once", .array([.string("a"), .string("a")]), "a201015161"),
    Case("dictionary", .dictionary([.init("a", .integer(1))]), "d1010251611001"),
  ]

  @Test(arguments: nodes) func objects(_ c: Case<PropertyList, String>) throws {
    let binary = c.input.binary
    let table = binary.suffix(8).reduce(0) { $0 << 8 | Int($1) }
    #expect(hex(binary[8..<table]) == c.expected)
    #expect(try PropertyList(binary: binary) == c.input)
  }

  @Test(arguments: 1...200) func randomRoundTrip(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let node = PropertyList.random(&random, depth: 4)
    let binary = node.binary
    #expect(try PropertyList(binary: binary) == node)
    #expect(try PropertyList(binary: binary).binary == binary)
  }

  @Test func foundationReadsIt() throws {
    let many = (0..<300).map { PropertyList.integer($0) }
    let node = PropertyList.dictionary([.init("a", .array(many)), .init("é", .real(0.5)), .init("d", .data(Data([0])))])
    let read = try #require(
      PropertyListSerialization.propertyList(from: node.binary, format: nil) as? [String: Any])
    #expect(read["a"] as? [Int] == Array(0..<300))
    #expect(read["é"] as? Double == 0.5)
    #expect(read["d"] as? Data == Data([0]))
  }

  // MARK: Damage

  static let damaged: [Case<String, String>] = [
    Case("empty", "", "expected a binary property list, found other bytes"),
    Case("XML", "3c3f786d6c", "expected a binary property list, found other bytes"),
    Case("header alone", "62706c6973743030", "the binary property list is damaged: it is cut short"),
    Case("array in itself", list("a100"), "the binary property list is damaged: an object holds itself"),
    Case(
      "missing object", list("a105"), "the binary property list is damaged: an object refers to one that is not there"),
    Case(
      "huge count", list("af13000fffffffffffff"),
      "the binary property list is damaged: an object is longer than the file"),
    Case(
      "count -1", list("af13ffffffffffffffff"), "the binary property list is damaged: an object is longer than the file"
    ),
    Case("count is a text", list("5f5161"), "the binary property list is damaged: a count is missing"),
    Case("unknown type", list("70"), "the binary property list is damaged: an object has an unknown type"),
    Case("text beyond its end", list("5461"), "the binary property list is damaged: an object is longer than the file"),
    Case("half a pair", list("61d83d"), "the binary property list is damaged: a text is not UTF-16"),
    Case("not ASCII", list("51ff"), "the binary property list is damaged: a text is not ASCII"),
    Case(
      "2^63", list("1400000000000000008000000000000000"), "the binary property list is damaged: an integer is too large"
    ),
    Case(
      "32 bytes", list("15" + String(repeating: "00", count: 32)),
      "the binary property list is damaged: an integer is too large"),
    Case(
      "reference of 9 bytes", list("88" + String(repeating: "00", count: 9)),
      "the binary property list is damaged: a reference is too large"),
    Case("key is a number", list("d10101", "1001"), "the binary property list is damaged: a key is not a text"),
    Case(
      "key twice", list("d201010101", "5161"),
      "the binary property list is damaged: a dictionary has the key \"a\" twice"),
    Case(
      "deep", list((1...250).map { "a1" + String(format: "%02x", $0) } + ["a0"]),
      "the binary property list is damaged: it is nested too deep"),
    Case(
      "a few bytes that unfold to billions",
      list((1...40).map { "a2" + String(repeating: String(format: "%02x", $0), count: 2) } + ["a0"]),
      "the binary property list is damaged: it unfolds to too many objects"),
  ]

  @Test(arguments: damaged) func damage(_ c: Case<String, String>) {
    let error = #expect(throws: Diagnostic.self) { try PropertyList(binary: data(c.input)) }
    #expect(error?.message == c.expected)
    #expect(error?.code.name == "archive.unreadable")
  }

  @Test func anyPrefixAndAnyByteEndsInPeace() throws {
    var random = SeededGenerator(seed: 7)
    let binary = ArchivedColour.rgb(red: 0.25, green: 1, blue: 0, alpha: 0.5).archive(as: .nscolor)
    for count in 0..<binary.count {
      #expect(throws: Diagnostic.self) { try PropertyList(binary: binary.prefix(count)) }
    }
    for _ in 0..<20_000 {
      var bytes = binary
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      // Whether it is read or refused: it neither traps nor hangs.
      _ = try? ArchivedColour(bytes)
      if let list = try? PropertyList(binary: bytes) { _ = list.binary }
    }
  }
}

/// A binary property list of the given objects, in hexadecimal; the first is the root, sizes are one byte.
private func list(_ objects: String...) -> String { list(objects) }

private func list(_ objects: [String]) -> String {
  var body = ""
  var table = ""
  for object in objects {
    table += String(format: "%04x", 8 + body.count / 2)
    body += object
  }
  return hex(Data("bplist00".utf8)) + body + table + "0000000000000201"
    + [objects.count, 0, 8 + body.count / 2].map { String(format: "%016x", $0) }.joined()
}

func hex(_ data: Data) -> String { data.map { String(format: "%02x", $0) }.joined() }

func data(_ hex: String) -> Data {
  let digits = Array(hex)
  return Data(stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16) ?? 0 })
}

extension PropertyList {
  fileprivate static func random(_ random: inout SeededGenerator, depth: Int) -> PropertyList {
    switch Int.random(in: 0..<(depth > 0 ? 10 : 8), using: &random) {
    case 0: .null
    case 1: .boolean(Bool.random(using: &random))
    case 2: .integer(Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0...63, using: &random))
    case 3: .real(Double.random(in: -1e9...1e9, using: &random))
    case 4: .date(Date(timeIntervalSinceReferenceDate: Double.random(in: -1e9...1e9, using: &random)))
    case 5: .data(Data((0..<Int.random(in: 0...300, using: &random)).map { UInt8(truncatingIfNeeded: $0) }))
    case 6:
      .string(
        String(
          repeating: ["a", "é", "😀"].randomElement(using: &random) ?? "", count: Int.random(in: 0...20, using: &random))
      )
    case 7: .uid(UInt32.random(in: 0 ... .max, using: &random) >> UInt32.random(in: 0...31, using: &random))
    case 8: .array((0..<Int.random(in: 0...20, using: &random)).map { _ in .random(&random, depth: depth - 1) })
    default:
      .dictionary(
        (0..<Int.random(in: 0...20, using: &random)).map { .init("k\($0)", .random(&random, depth: depth - 1)) })
    }
  }
}
