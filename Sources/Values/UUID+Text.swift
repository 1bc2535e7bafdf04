package import Foundation

extension UUID {
  /// Reads the 32 hexadecimal digits of a UUID, with its four hyphens or without, in any case.
  package init(text bytes: UnsafeRawBufferPointer) throws(TextTrouble) {
    let isHyphenated = bytes.count == 36
    guard isHyphenated || bytes.count == 32 else { throw .form }
    var value: (high: UInt64, low: UInt64) = (0, 0)
    for (index, byte) in bytes.enumerated() {
      if isHyphenated, [8, 13, 18, 23].contains(index) {
        guard byte == UInt8(ascii: "-") else { throw .form }
        continue
      }
      guard let digit = byte.hexadecimalValue else { throw .form }
      value.high = value.high << 4 | value.low >> 60
      value.low = value.low << 4 | UInt64(digit)
    }
    let words = (value.high.bigEndian, value.low.bigEndian)
    self.init(uuid: withUnsafeBytes(of: words) { $0.loadUnaligned(as: uuid_t.self) })
  }
}

extension UInt8 {
  /// The value of a hexadecimal digit; nil for another byte.
  var hexadecimalValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
