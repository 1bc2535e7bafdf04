/// What is wrong with a text in its encoding.
struct EncodingTrouble: Error, Equatable {
  /// The offset of the first wrong byte in the text's own encoding.
  var offset: Int
  var reason: String
}

/// Text of another encoding as UTF-8, a block at a time.
///
/// The caller fills `input`, calls `transcode`, and takes the UTF-8 until the transcoder is empty.
final class Transcoder {
  private enum Scheme {
    case utf16(highFirst: Bool)
    /// The characters of the bytes from 0x80 on; 0 where there is none.
    case table([UInt16])
  }

  /// Room for the bytes to transcode.
  let input = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 15, alignment: 8)
  // A byte of a table and two bytes of UTF-16 are three bytes of UTF-8 at most.
  private let output = UnsafeMutableRawBufferPointer.allocate(byteCount: 3 << 15 + 8, alignment: 8)
  private var outputStart = 0
  private var outputEnd = 0

  private let scheme: Scheme
  private var offset: Int
  private var oddByte: UInt8?
  private var highSurrogate: UInt16?

  /// What stopped it: the UTF-8 of all that lies before can be taken.
  private(set) var trouble: EncodingTrouble?

  /// Makes one; nil for UTF-8, which needs none.
  ///
  /// - Parameter offset: the offset of the first byte in the input, for messages.
  init?(from encoding: TextEncoding, offset: Int) {
    switch encoding {
    case .utf8: return nil
    case .utf16, .utf16BigEndian: scheme = .utf16(highFirst: true)
    case .utf16LittleEndian: scheme = .utf16(highFirst: false)
    case .latin1: scheme = .table(Array(0x80...0xFF))
    case .windows1252: scheme = .table(Self.windows1252 + Array(0xA0...0xFF))
    case .ascii: scheme = .table(Array(repeating: 0, count: 128))
    }
    self.offset = offset
  }

  deinit {
    input.deallocate()
    output.deallocate()
  }

  /// Whether all UTF-8 was taken.
  var isEmpty: Bool { outputStart == outputEnd }

  /// Moves UTF-8 into a buffer.
  func take(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(outputEnd - outputStart, buffer.count)
    buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: output[outputStart..<outputStart + count]))
    outputStart += count
    return count
  }

  /// What is wrong if the input ends here.
  var troubleAtEnd: EncodingTrouble? {
    if oddByte != nil { return EncodingTrouble(offset: offset - 1, reason: "the text ends in half a character") }
    if highSurrogate != nil { return loneSurrogate(at: offset - 2) }
    return nil
  }

  /// Transcodes the first bytes of `input`, up to the first trouble.
  func transcode(_ count: Int) {
    outputStart = 0
    outputEnd = 0
    let bytes = UnsafeRawBufferPointer(rebasing: input[..<count])
    switch scheme {
    case .utf16(let highFirst): transcodeUTF16(bytes, highFirst: highFirst)
    case .table(let table): transcode(bytes, by: table)
    }
  }

  private func transcode(_ bytes: UnsafeRawBufferPointer, by table: [UInt16]) {
    for byte in bytes {
      if byte < 0x80 {
        output[outputEnd] = byte
        outputEnd += 1
      } else {
        let unit = table[Int(byte) - 0x80]
        guard unit != 0 else {
          trouble = EncodingTrouble(offset: offset, reason: "0x\(Hex.encode([byte])) is no character of it")
          return
        }
        append(UInt32(unit))
      }
      offset += 1
    }
  }

  private func transcodeUTF16(_ bytes: UnsafeRawBufferPointer, highFirst: Bool) {
    for byte in bytes {
      offset += 1
      guard let first = oddByte else {
        oddByte = byte
        continue
      }
      oddByte = nil
      let unit = highFirst ? UInt16(first) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(first)
      switch (highSurrogate, unit) {
      case (let high?, 0xDC00...0xDFFF):
        append(0x10000 + (UInt32(high & 0x3FF) << 10 | UInt32(unit & 0x3FF)))
        highSurrogate = nil
      case (_?, _):
        trouble = loneSurrogate(at: offset - 4)
        return
      case (nil, 0xD800...0xDBFF):
        highSurrogate = unit
      case (nil, 0xDC00...0xDFFF):
        trouble = loneSurrogate(at: offset - 2)
        return
      case (nil, _):
        append(UInt32(unit))
      }
    }
  }

  private func loneSurrogate(at offset: Int) -> EncodingTrouble {
    EncodingTrouble(offset: offset, reason: "half of a surrogate pair stands alone")
  }

  /// Appends the UTF-8 of a scalar.
  private func append(_ scalar: UInt32) {
    func put(_ bits: UInt32) {
      output[outputEnd] = UInt8(truncatingIfNeeded: bits)
      outputEnd += 1
    }
    switch scalar {
    case ..<0x80:
      put(scalar)
    case ..<0x800:
      put(0xC0 | scalar >> 6)
      put(0x80 | scalar & 0x3F)
    case ..<0x10000:
      put(0xE0 | scalar >> 12)
      put(0x80 | scalar >> 6 & 0x3F)
      put(0x80 | scalar & 0x3F)
    default:
      put(0xF0 | scalar >> 18)
      put(0x80 | scalar >> 12 & 0x3F)
      put(0x80 | scalar >> 6 & 0x3F)
      put(0x80 | scalar & 0x3F)
    }
  }

  /// The characters of the bytes 0x80 to 0x9F, from Unicode's mapping table CP1252.TXT.
  private static let windows1252: [UInt16] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
    0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
    0x0178,
  ]
}
