/// Whether bytes are UTF-8: no truncated or overlong sequence, no surrogate, nothing above U+10FFFF.
package func isValidUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
  let count = bytes.count
  var index = 0

  func isContinuation(_ offset: Int, in range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
    index + offset < count && range.contains(bytes[index + offset])
  }

  while index < count {
    // Most text is ASCII: eight bytes at once.
    while index + 8 <= count, bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0 {
      index += 8
    }
    guard index < count else { break }
    switch bytes[index] {
    case ..<0x80:
      index += 1
    case 0xC2...0xDF where isContinuation(1):
      index += 2
    case let first where 0xE0...0xEF ~= first && isContinuation(1, in: second(behind: first)) && isContinuation(2):
      index += 3
    case let first
    where 0xF0...0xF4 ~= first && isContinuation(1, in: second(behind: first)) && isContinuation(2)
      && isContinuation(3):
      index += 4
    default:
      return false
    }
  }
  return true
}

/// The second bytes that may follow a first one of three or four (the Unicode Standard, table 3-7).
private func second(behind first: UInt8) -> ClosedRange<UInt8> {
  switch first {
  case 0xE0: 0xA0...0xBF
  case 0xED: 0x80...0x9F
  case 0xF0: 0x90...0xBF
  case 0xF4: 0x80...0x8F
  default: 0x80...0xBF
  }
}
