import Diagnostics
import TestSupport
import Testing

@testable import Bytes

@Suite struct InflatedSourceTests {
  // printf 'Ada\n' | gzip -n9 | xxd -i
  static let ada: [UInt8] = [
    0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0x02, 0x03, 0x73, 0x4C, 0x49, 0xE4, 0x02, 0x00, 0x40, 0x30, 0x01, 0xD1, 0x04, 0, 0,
    0,
  ]

  static let inputs: [Case<[UInt8], String>] = [
    Case("one member", ada, "Ada\n"),
    Case("three members", ada + ada + ada, "Ada\nAda\nAda\n"),
    Case("zeros behind", ada + [0, 0, 0], "Ada\n"),
    Case("plain", Array("Ada\n".utf8), "Ada\n"),
    Case("half of the magic", [0x1F], "\u{1F}"),
    Case("nothing", [], ""),
  ]

  @Test(arguments: inputs, sizes) func text(_ c: Case<[UInt8], String>, size: Int) throws {
    for blockSize in sizes {
      let source = try InflatedSource(MemorySource(c.input, file: "t", blockSize: blockSize))
      #expect(try String(decoding: readAll(source, bufferSize: size), as: UTF8.self) == c.expected)
      #expect(try readAll(source, bufferSize: size) == [])
    }
  }

  static let troubles: [Case<[UInt8], String>] = [
    Case("cut short", ada.dropLast(3), "cut short"),
    Case("cut short in the header", Array(ada.prefix(4)), "cut short"),
    Case("cut short in the second member", ada + ada.prefix(11), "cut short"),
    Case("the magic alone", [0x1F, 0x8B], "cut short"),
    Case("another checksum", ada.prefix(16) + [0] + ada.dropFirst(17), "damaged"),
    Case("damaged in the second member", ada + ada.prefix(16) + [0] + ada.dropFirst(17), "damaged"),
  ]

  @Test(arguments: troubles, sizes) func stops(_ c: Case<[UInt8], String>, size: Int) {
    let message = trouble {
      let source = try InflatedSource(MemorySource(c.input, file: "t.gz", blockSize: size))
      _ = try readAll(source, bufferSize: size)
    }
    #expect(
      message == """
        t.gz: the gzip data is \(c.expected) [input.gzip]
          Check it with `gzip -t`, and fetch or make it again.
        """)
  }

  static let trailing: [Case<[UInt8], String>] = [
    Case("a text", ada + [0x61, 0x62, 0x63], ""),
    Case("a text behind zeros", ada + [0, 0, 0x61, 0x62, 0x63], ""),
    Case("what begins as a member", ada + [0x1F, 0x61], ""),
  ]

  @Test(arguments: trailing, [7, 64]) func trailingBytes(_ c: Case<[UInt8], String>, size: Int) {
    let message = trouble {
      let source = try InflatedSource(MemorySource(c.input, file: "t.gz", blockSize: size))
      _ = try readAll(source, bufferSize: size)
    }
    #expect(
      message == """
        t.gz: behind the end of the gzip data are bytes that are none [input.gzip]
          `gzip -t` calls them trailing garbage. Fetch or make the file again, or cut them off.
        """)
  }

  /// A text in gzip data: the mark is found inside, and going forward is reading.
  @Test func textInside() throws {
    let text = try TextSource(MemorySource(Self.ada + Self.ada, file: "t"))
    try text.skip(to: 4)
    #expect(try readAll(text) == Array("Ada\n".utf8))
    #expect(text.progress == (48, 48))
  }
}

@Suite struct DeflateTests {
  static let texts: [[UInt8]] = [
    [], [0], Array("Ada".utf8), Array(repeating: 0x61, count: 100_000),
    (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) },
  ]

  @Test(arguments: texts) func roundTrip(_ bytes: [UInt8]) throws {
    let data = Deflate.compress(bytes)
    #expect(Deflate.decompress(data) == bytes)
    #expect(Deflate.decompress(data + [0]) == nil, "something behind")
    #expect(Deflate.decompress(data.dropLast()) == nil, "cut short")
  }

  @Test func limit() {
    let data = Deflate.compress(Array(repeating: 0, count: 1_000_000))
    #expect(Deflate.decompress(data, limit: 999_999) == nil)
    #expect(Deflate.decompress(data, limit: 1_000_000)?.count == 1_000_000)
  }

  /// python3 -c "import zlib; c = zlib.compressobj(9, zlib.DEFLATED, -15); print((c.compress(b'Ada\n') + c.flush()).hex())"
  @Test func hasNoHeader() {
    #expect(Deflate.decompress([0x73, 0x4C, 0x49, 0xE4, 0x02, 0x00]) == Array("Ada\n".utf8))
    #expect(Deflate.decompress(InflatedSourceTests.ada) == nil)
  }
}
