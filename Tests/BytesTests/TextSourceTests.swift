import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import Bytes

@Suite struct TextSourceTests {
  struct Input: Sendable {
    var bytes: [UInt8]
    var encoding: TextEncoding?

    init(_ bytes: [UInt8], _ encoding: TextEncoding? = nil) {
      self.bytes = bytes
      self.encoding = encoding
    }
  }

  static let texts: [Case<Input, String>] = [
    Case("plain", Input(Array("a,é\n€,𝄞".utf8)), "a,é\n€,𝄞"),
    Case("UTF-8 with a mark", Input([0xEF, 0xBB, 0xBF] + Array("é".utf8)), "é"),
    Case("UTF-8 with a mark, as said", Input([0xEF, 0xBB, 0xBF, 0x61], .utf8), "a"),
    Case("a mark inside is text", Input(Array("a\u{FEFF}b".utf8)), "a\u{FEFF}b"),
    Case("UTF-16, low byte first, by its mark", Input(utf16("\u{FEFF}aé€𝄞", highFirst: false)), "aé€𝄞"),
    Case("UTF-16, high byte first, by its mark", Input(utf16("\u{FEFF}aé€𝄞", highFirst: true)), "aé€𝄞"),
    Case("UTF-16, its mark tells the order", Input(utf16("\u{FEFF}aé", highFirst: false), .utf16), "aé"),
    Case("UTF-16LE, without a mark", Input(utf16("a𝄞", highFirst: false), .utf16LittleEndian), "a𝄞"),
    Case("UTF-16LE, with a mark", Input(utf16("\u{FEFF}a", highFirst: false), .utf16LittleEndian), "a"),
    Case("UTF-16BE, without a mark", Input(utf16("a𝄞", highFirst: true), .utf16BigEndian), "a𝄞"),
    Case("Latin-1", Input([0x61, 0xE9, 0x80, 0xFF], .latin1), "aé\u{80}ÿ"),
    Case("Windows 1252", Input([0x61, 0xE9, 0x80, 0x93, 0xFF], .windows1252), "aé€“ÿ"),
    Case("ASCII", Input([0x61, 0x7F], .ascii), "a\u{7F}"),
    Case("nothing", Input([]), ""),
    Case("nothing, of UTF-16", Input([], .utf16), ""),
    Case("a mark alone", Input([0xFF, 0xFE]), ""),
    Case("one byte", Input([0x61]), "a"),
  ]

  @Test(arguments: texts, sizes) func text(_ c: Case<Input, String>, size: Int) throws {
    for blockSize in sizes {
      let source = MemorySource(c.input.bytes, file: "t", blockSize: blockSize)
      let text = try TextSource(source, encoding: c.input.encoding)
      #expect(text.isEmpty == c.expected.isEmpty)
      #expect(try String(decoding: readAll(text, bufferSize: size), as: UTF8.self) == c.expected)
      #expect(try readAll(text, bufferSize: size) == [], "the end stays the end")
    }
  }

  @Test func longTexts() throws {
    let text = String(repeating: "aé€𝄞", count: 30_000)
    for highFirst in [false, true] {
      let source = MemorySource(Self.utf16("\u{FEFF}" + text, highFirst: highFirst), file: "t", blockSize: 4095)
      #expect(try readAll(TextSource(source), bufferSize: 1000) == Array(text.utf8))
    }
  }

  /// Bytes that are no UTF-8 reach the records unchanged.
  @Test func invalidUTF8PassesThrough() throws {
    let bytes: [UInt8] = [0x61, 0xFF, 0x2C, 0xC3]
    #expect(try readAll(TextSource(MemorySource(bytes, file: "t"))) == bytes)
  }

  static let troubles: [Case<Input, String>] = [
    Case(
      "a low surrogate alone", Input(utf16("a", highFirst: true) + [0xDC, 0x00, 0, 0x62], .utf16BigEndian),
      "t: byte 2 is not utf-16be: half of a surrogate pair stands alone [input.encoding]"),
    Case(
      "a high surrogate alone", Input([0x61, 0, 0x34, 0xD8, 0x62, 0], .utf16LittleEndian),
      "t: byte 2 is not utf-16le: half of a surrogate pair stands alone [input.encoding]"),
    Case(
      "a high surrogate at the end", Input([0xFF, 0xFE, 0x61, 0, 0x34, 0xD8]),
      "t: byte 4 is not utf-16le: half of a surrogate pair stands alone [input.encoding]"),
    Case(
      "an odd byte", Input([0xFF, 0xFE, 0x61, 0, 0x34]),
      "t: byte 4 is not utf-16le: the text ends in half a character [input.encoding]"),
    Case(
      "not in Windows 1252", Input([0x61, 0x81], .windows1252),
      "t: byte 1 is not windows-1252: 0x81 is no character of it [input.encoding]"),
    Case(
      "not in ASCII", Input([0x61, 0x62, 0xE9], .ascii),
      "t: byte 2 is not us-ascii: 0xe9 is no character of it [input.encoding]"),
    Case(
      "UTF-32, low byte first", Input([0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0]),
      "t: found the byte order mark of utf-32, which is not supported [input.encoding]"),
    Case(
      "UTF-32, high byte first", Input([0, 0, 0xFE, 0xFF, 0, 0, 0, 0x61], .utf8),
      "t: found the byte order mark of utf-32, which is not supported [input.encoding]"),
    Case(
      "another mark than said", Input([0xFF, 0xFE, 0x61, 0], .latin1),
      "t: expected iso-8859-1, found the byte order mark of utf-16le [input.encoding]"),
    Case(
      "the other order than said", Input([0xFF, 0xFE, 0x61, 0], .utf16BigEndian),
      "t: expected utf-16be, found the byte order mark of utf-16le [input.encoding]"),
    Case(
      "UTF-8's mark in UTF-16", Input([0xEF, 0xBB, 0xBF, 0x61], .utf16),
      "t: expected utf-16, found the byte order mark of utf-8 [input.encoding]"),
    Case(
      "UTF-16 of no order", Input(utf16("ab", highFirst: true), .utf16),
      "t: expected a byte order mark, found none: it may be utf-16le or utf-16be [input.encoding]"),
    Case(
      "UTF-16 unsaid, low byte first", Input(utf16("ab", highFirst: false)),
      "t: every other byte at the beginning is 0: this looks like utf-16le [input.encoding]"),
    Case(
      "UTF-16 unsaid, high byte first", Input(utf16("ab", highFirst: true)),
      "t: every other byte at the beginning is 0: this looks like utf-16be [input.encoding]"),
  ]

  @Test(arguments: troubles, sizes) func stops(_ c: Case<Input, String>, size: Int) {
    let message = trouble {
      let source = MemorySource(c.input.bytes, file: "t", blockSize: size)
      _ = try readAll(TextSource(source, encoding: c.input.encoding), bufferSize: size)
    }
    #expect(message.prefix { $0 != "\n" } == c.expected)
  }

  @Test func hintNamesTheEncodings() {
    let message = trouble { _ = try readAll(TextSource(MemorySource([0xE9], file: "t"), encoding: .ascii)) }
    #expect(
      message.hasSuffix(
        """

          Set `encoding` to what the file is written in (utf-8, utf-16, utf-16le, utf-16be, iso-8859-1, windows-1252, \
        us-ascii), or mend the file.
        """))
  }

  /// What lies before a wrong byte is given first, however large the blocks are.
  @Test(arguments: sizes) func textBeforeTrouble(size: Int) throws {
    let source = MemorySource([0x61, 0x62, 0xE9, 0x63], file: "t", blockSize: size)
    let text = try TextSource(source, encoding: .ascii)
    var all: [UInt8] = []
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1, alignment: 1)
    defer { buffer.deallocate() }
    _ = trouble {
      while try text.read(into: buffer) > 0 { all.append(buffer[0]) }
    }
    #expect(all == [0x61, 0x62])
  }

  static let skips: [Case<Input, Int>] = [
    Case("UTF-8, at once", Input(Array("ab€cd".utf8)), 0),
    Case("UTF-8 behind a mark, which counts", Input([0xEF, 0xBB, 0xBF] + Array("ab€cd".utf8)), 3),
    Case("UTF-16, by reading", Input(utf16("\u{FEFF}ab€cd", highFirst: false)), 0),
  ]

  @Test(arguments: skips) func skip(_ c: Case<Input, Int>) throws {
    let text = try TextSource(MemorySource(c.input.bytes, file: "t", blockSize: 2), encoding: c.input.encoding)
    #expect(text.start == c.expected)
    try text.skip(to: text.start + 5)
    #expect(try readAll(text) == Array("cd".utf8))
  }

  @Test func skipBehindTheEnd() throws {
    let text = try TextSource(MemorySource(Self.utf16("\u{FEFF}ab", highFirst: true), file: "t"))
    #expect(
      trouble { try text.skip(to: 9) }
        == """
        t: cannot go on at byte 9: the input ends before [input.changed]
          It is not the file that the earlier run read: start again from its beginning.
        """)
  }

  @Test func names() throws {
    for (name, encoding) in [
      ("UTF-8", .utf8), ("Latin1", .latin1), ("cp1252", .windows1252), ("ASCII", .ascii),
      ("utf16le", .utf16LittleEndian),
    ] as [(String, TextEncoding)] {
      #expect(TextEncoding(named: name) == encoding)
      #expect(try JSONDecoder().decode([TextEncoding].self, from: Data("[\"\(name)\"]".utf8)) == [encoding])
    }
    #expect(TextEncoding(named: "ebcdic") == nil)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([TextEncoding].self, from: Data("[\"ebcdic\"]".utf8))
    }
    for encoding in TextEncoding.allCases {
      #expect(try JSONDecoder().decode([TextEncoding].self, from: JSONEncoder().encode([encoding])) == [encoding])
    }
  }

  static func utf16(_ text: String, highFirst: Bool) -> [UInt8] {
    text.utf16.flatMap { unit in
      let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      return highFirst ? bytes : bytes.reversed()
    }
  }
}

@Suite struct UTF8ValidationTests {
  static let cases: [Case<[UInt8], Bool>] = [
    Case("empty", [], true),
    Case("all lengths", Array("a é € 𝄞 and some more of plain text".utf8), true),
    Case(
      "the first and the last of each length", Array("\u{0}\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}".utf8),
      true),
    Case("beside the surrogates", Array("\u{D7FF}\u{E000}".utf8), true),
    Case("a continuation alone", [0x61, 0x80], false),
    Case("cut short, of two", [0xC3], false),
    Case("cut short, of three", [0xE2, 0x82], false),
    Case("cut short, of four", [0xF0, 0x9D, 0x84], false),
    Case("overlong, of two", [0xC0, 0x80], false),
    Case("overlong, of two, C1", [0xC1, 0xBF], false),
    Case("overlong, of three", [0xE0, 0x9F, 0xBF], false),
    Case("overlong, of four", [0xF0, 0x8F, 0xBF, 0xBF], false),
    Case("a surrogate", [0xED, 0xA0, 0x80], false),
    Case("above the last", [0xF4, 0x90, 0x80, 0x80], false),
    Case("no first byte", [0xF5, 0x80, 0x80, 0x80], false),
    Case("Latin-1", [0x63, 0x61, 0x66, 0xE9, 0x20], false),
  ]

  @Test(arguments: cases) func validity(_ c: Case<[UInt8], Bool>) {
    // Before and behind plain text of any length, so that the steps of eight bytes begin and end everywhere.
    for before in 0...9 {
      for behind in [0, 1, 8] {
        let bytes = [UInt8](repeating: 0x61, count: before) + c.input + [UInt8](repeating: 0x61, count: behind)
        #expect(bytes.withUnsafeBytes { isValidUTF8($0) } == c.expected)
      }
    }
  }

  /// The standard library is the reference, on all sequences of up to three bytes that matter.
  @Test func agreesWithTheStandardLibrary() {
    let marks: [UInt8] = [
      0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEF, 0xF0, 0xF1, 0xF4,
      0xF5, 0xFF,
    ]
    for first in marks {
      for second in marks {
        for third in marks {
          for fourth in [0x7F, 0x80, 0xC2] as [UInt8] {
            let bytes = [first, second, third, fourth]
            let expected = String(validating: bytes, as: UTF8.self) != nil
            if bytes.withUnsafeBytes({ isValidUTF8($0) }) != expected { Issue.record("\(bytes)") }
          }
        }
      }
    }
  }
}
