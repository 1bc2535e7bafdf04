/// Bytes as base64 (RFC 4648, section 4).
package enum Base64 {
  /// The text of bytes, padded, in one line.
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    func put(_ shift: UInt32) { text.append(alphabet[Int(bits >> shift & 63)]) }
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 1
      if count == 3 {
        for shift in [18, 12, 6, 0] as [UInt32] { put(shift) }
        bits = 0
        count = 0
      }
    }
    if count == 1 {
      bits <<= 16
      put(18)
      put(12)
      text += [padding, padding]
    } else if count == 2 {
      bits <<= 8
      put(18)
      put(12)
      put(6)
      text.append(padding)
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Appends the bytes of a text.
  ///
  /// The text must be what `encode` would make: padded, without other characters, no bit set that belongs to no byte.
  ///
  /// - Parameter skippingWhitespace: whether blanks, tabs and line ends may stand anywhere. The default is no.
  /// - Returns: false, with `bytes` unchanged, if it is not.
  package static func decode(
    _ text: UnsafeRawBufferPointer, into bytes: inout [UInt8], skippingWhitespace: Bool = false
  ) -> Bool {
    let start = bytes.count
    guard append(text, to: &bytes, skippingWhitespace) else {
      bytes.removeSubrange(start...)
      return false
    }
    return true
  }

  /// The bytes of a text, or nil; the rules are those of `decode(_:into:skippingWhitespace:)`.
  package static func decode(_ text: String, skippingWhitespace: Bool = false) -> [UInt8]? {
    var bytes: [UInt8] = []
    var text = text
    let isRight = text.withUTF8 {
      decode(UnsafeRawBufferPointer($0), into: &bytes, skippingWhitespace: skippingWhitespace)
    }
    return isRight ? bytes : nil
  }

  private static func append(_ text: UnsafeRawBufferPointer, to bytes: inout [UInt8], _ skipsWhitespace: Bool) -> Bool {
    bytes.reserveCapacity(bytes.count + text.count / 4 * 3)
    let values = Self.values
    var bits: UInt32 = 0
    var digits = 0
    var paddings = 0
    for character in text {
      if skipsWhitespace, character == 0x20 || (0x09...0x0D).contains(character) { continue }
      if character == padding {
        paddings += 1
        continue
      }
      let value = values[Int(character)]
      guard value < 64, paddings == 0 else { return false }
      bits = bits << 6 | UInt32(value)
      digits += 1
      if digits == 4 {
        bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
        bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
        bytes.append(UInt8(truncatingIfNeeded: bits))
        bits = 0
        digits = 0
      }
    }
    switch (digits, paddings) {
    case (0, 0): return true
    case (2, 2) where bits & 15 == 0:
      bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
      return true
    case (3, 1) where bits & 3 == 0:
      bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
      bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
      return true
    default: return false
    }
  }

  private static let padding = UInt8(ascii: "=")
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  /// The value of each character; 255 where it is none of the alphabet.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()
}
