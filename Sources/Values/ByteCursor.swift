/// A place in a text that is being read.
struct ByteCursor {
  let bytes: UnsafeRawBufferPointer
  private(set) var index = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { index == bytes.count }
  var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  /// The value of a decimal digit, if one comes next.
  mutating func digit() -> UInt8? {
    guard let byte = next, byte &- 0x30 < 10 else { return nil }
    index += 1
    return byte &- 0x30
  }

  /// The number of so many digits; nil, and the place is where it was, if there are fewer.
  mutating func digits(_ count: ClosedRange<Int>) -> Int? {
    let start = index
    var value = 0
    while index - start < count.upperBound, let digit = digit() { value = value * 10 + Int(digit) }
    guard index - start >= count.lowerBound else {
      index = start
      return nil
    }
    return value
  }

  mutating func digits(_ count: Int) -> Int? { digits(count...count) }

  mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    index += 1
    return true
  }

  mutating func skip(_ sign: TextSign) -> Bool {
    guard sign.count <= bytes.count - index else { return false }
    for offset in 0..<sign.count where bytes[index + offset] != sign[offset] { return false }
    index += sign.count
    return true
  }

  /// Skips a word, or its first letters, in any case; the word is ASCII in lower case.
  mutating func skip(word: StaticString, first letters: Int = .max) -> Bool {
    let count = min(word.utf8CodeUnitCount, letters)
    guard count <= bytes.count - index else { return false }
    for offset in 0..<count where bytes[index + offset].lowercasedASCII != word.utf8Start[offset] { return false }
    index += count
    return true
  }

  /// The bytes up to the first that does not fit.
  mutating func take(while fits: (UInt8) -> Bool) -> UnsafeRawBufferPointer {
    let start = index
    while let byte = next, fits(byte) { index += 1 }
    return UnsafeRawBufferPointer(rebasing: bytes[start..<index])
  }

  mutating func skipBlanks() {
    while skip(0x20) {}
  }
}

extension UInt8 {
  /// The letter in lower case; another byte itself.
  var lowercasedASCII: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

/// One character of up to four bytes of UTF-8, such as a decimal sign.
package struct TextSign: Hashable, Sendable {
  private let bits: UInt32
  let count: Int

  /// Makes a sign of a character's bytes; nil when they are none or more than four.
  package init?(_ text: String) {
    guard (1...4).contains(text.utf8.count), text.count == 1 else { return nil }
    count = text.utf8.count
    bits = text.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  init(_ byte: Unicode.Scalar) {
    bits = byte.value
    count = 1
  }

  subscript(offset: Int) -> UInt8 { UInt8(truncatingIfNeeded: bits >> UInt32(offset * 8)) }
}
