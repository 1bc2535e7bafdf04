/// Whether bytes are UTF-8: no truncated or overlong sequence, no surrogate, nothing above U+10FFFF.
package func isValidUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
  guard var next = bytes.baseAddress else { return true }
  let end = next + bytes.count
  while next < end {
    // Most text is ASCII: eight bytes at once.
    if end - next >= 8, next.loadUnaligned(as: UInt64.self) & 0x8080_8080_8080_8080 == 0 {
      next += 8
    } else if next.load(as: UInt8.self) < 0x80 {
      next += 1
    } else {
      let length = sequenceLength(next, end)
      guard length > 0 else { return false }
      next += length
    }
  }
  return true
}

/// The number of bytes of the sequence that begins with a byte from 0x80 on; 0 if it is none.
///
/// The ranges of the second byte are those of the Unicode Standard, table 3-7.
private func sequenceLength(_ start: UnsafeRawPointer, _ end: UnsafeRawPointer) -> Int {
  let first = start.load(as: UInt8.self)
  let (length, lowest, highest): (Int, UInt8, UInt8) =
    switch first {
    case 0xC2...0xDF: (2, 0x80, 0xBF)
    case 0xE0: (3, 0xA0, 0xBF)
    case 0xED: (3, 0x80, 0x9F)
    case 0xE1...0xEF: (3, 0x80, 0xBF)
    case 0xF0: (4, 0x90, 0xBF)
    case 0xF1...0xF3: (4, 0x80, 0xBF)
    case 0xF4: (4, 0x80, 0x8F)
    default: (0, 0, 0)
    }
  guard length > 0, end - start >= length else { return 0 }
  let second = start.load(fromByteOffset: 1, as: UInt8.self)
  guard second >= lowest, second <= highest else { return 0 }
  var index = 2
  while index < length {
    guard start.load(fromByteOffset: index, as: UInt8.self) & 0xC0 == 0x80 else { return 0 }
    index += 1
  }
  return length
}
