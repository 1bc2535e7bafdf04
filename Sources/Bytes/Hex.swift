/// Bytes as pairs of hexadecimal digits.
package enum Hex {
  /// The digits of bytes, in lower case.
  package static func encode(_ bytes: some Sequence<UInt8>) -> String {
    var digits: [UInt8] = []
    for byte in bytes {
      digits.append(digit(byte >> 4))
      digits.append(digit(byte & 15))
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Appends the bytes of digits in upper or lower case.
  ///
  /// - Returns: false, with `bytes` unchanged, if the text is anything but pairs of digits.
  package static func decode(_ text: UnsafeRawBufferPointer, into bytes: inout [UInt8]) -> Bool {
    guard text.count.isMultiple(of: 2) else { return false }
    let start = bytes.count
    for index in stride(from: 0, to: text.count, by: 2) {
      guard let high = value(text[index]), let low = value(text[index + 1]) else {
        bytes.removeSubrange(start...)
        return false
      }
      bytes.append(high << 4 | low)
    }
    return true
  }

  /// The bytes of digits in upper or lower case; nil if the text is anything but pairs of digits.
  package static func decode(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var text = text
    return text.withUTF8({ decode(UnsafeRawBufferPointer($0), into: &bytes) }) ? bytes : nil
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
