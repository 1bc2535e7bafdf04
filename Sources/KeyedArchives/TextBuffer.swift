/// A text that is put together in memory of the caller's, for values that are written by the million.
package struct TextBuffer: TextOutputStream {
  private let memory: UnsafeMutableRawBufferPointer
  package private(set) var count = 0

  /// Makes an empty text; what has no room in the memory is a programmer's mistake.
  package init(_ memory: UnsafeMutableRawBufferPointer) { self.memory = memory }

  /// What was written.
  package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

  package mutating func append(_ byte: UInt8) {
    memory[count] = byte
    count += 1
  }

  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    precondition(bytes.count <= memory.count - count, "the text has no room")
    UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
    count += bytes.count
  }

  package mutating func write(_ text: String) {
    for byte in text.utf8 { append(byte) }
  }

  // The standard library hands numbers over by this, without making a string; without it `write` would serve.
  package mutating func _writeASCII(_ bytes: UnsafeBufferPointer<UInt8>) { append(UnsafeRawBufferPointer(bytes)) }

  /// Appends the shortest decimal that reads as the same number, whole ones without a fraction: `10.5`, `20`, `-0`.
  package mutating func append(number: Double) {
    number.write(to: &self)
    if count >= 2, memory[count - 1] == UInt8(ascii: "0"), memory[count - 2] == UInt8(ascii: ".") { count -= 2 }
  }

  /// How many bytes the longest number takes.
  package static let longestNumber = 32
}

extension Double {
  /// The shortest decimal that reads as the same number, whole ones without a fraction: `10.5`, `20`, `-0`.
  package var archiveText: String {
    withUnsafeTemporaryAllocation(byteCount: TextBuffer.longestNumber, alignment: 1) { memory in
      var text = TextBuffer(memory)
      text.append(number: self)
      return String(decoding: text.bytes, as: UTF8.self)
    }
  }
}
