public import Diagnostics

/// Something that gives bytes, one block after the other.
public protocol ByteSource: AnyObject {
  /// The name of the input for messages: the file as the user named it; `-` for standard input.
  var file: String { get }

  /// Fills the caller's buffer, in part or in full.
  ///
  /// - Returns: the number of bytes that were written into the buffer; 0 only at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Diagnostic) -> Int

  /// Goes to an offset from the beginning, where that costs nothing; the default cannot.
  ///
  /// - Returns: false if the source cannot go there: what lies before must then be read.
  func seek(to offset: Int) throws(Diagnostic) -> Bool

  /// The bytes of the input that were read, and the bytes it has in all; nil where nobody knows. The default is (0, nil).
  var progress: (read: Int, total: Int?) { get }
}

extension ByteSource {
  /// Cannot go anywhere.
  public func seek(to offset: Int) throws(Diagnostic) -> Bool { false }
  /// Nobody knows.
  public var progress: (read: Int, total: Int?) { (0, nil) }
}

/// Bytes that are already in memory, in blocks of any size: an embedded text, a fixture.
package final class MemorySource: ByteSource {
  package let file: String
  private let bytes: [UInt8]
  private let blockSize: Int
  private var offset = 0

  /// Makes a source of bytes.
  ///
  /// - Parameter blockSize: the most that one `read` gives. The default is as much as the buffer holds.
  package init(_ bytes: some Sequence<UInt8>, file: String, blockSize: Int = .max) {
    precondition(blockSize > 0, "blockSize must be positive")
    self.bytes = Array(bytes)
    self.file = file
    self.blockSize = blockSize
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(bytes.count - offset, buffer.count, blockSize)
    buffer.copyBytes(from: bytes[offset..<offset + count])
    offset += count
    return count
  }

  package func seek(to offset: Int) -> Bool {
    guard (0...bytes.count).contains(offset) else { return false }
    self.offset = offset
    return true
  }

  package var progress: (read: Int, total: Int?) { (offset, bytes.count) }
}

/// A source of which the first bytes are looked at before they are read.
///
/// Bytes are looked at before the first `read` only.
struct Lookahead {
  let source: any ByteSource
  private var bytes: [UInt8] = []
  private var offset = 0

  init(_ source: any ByteSource) { self.source = source }

  /// The first bytes, fewer than `count` only if there are no more.
  mutating func first(_ count: Int) throws(Diagnostic) -> ArraySlice<UInt8> {
    while bytes.count < count {
      let room = UnsafeMutableRawBufferPointer.allocate(byteCount: count - bytes.count, alignment: 1)
      defer { room.deallocate() }
      let more = try source.read(into: room)
      guard more > 0 else { break }
      bytes.append(contentsOf: room[..<more])
    }
    return bytes.prefix(count)
  }

  /// Leaves out bytes that were looked at.
  mutating func drop(_ count: Int) { offset += min(count, bytes.count - offset) }

  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(Diagnostic) -> Int {
    guard offset < bytes.count else { return try source.read(into: buffer) }
    let count = min(bytes.count - offset, buffer.count)
    buffer.copyBytes(from: bytes[offset..<offset + count])
    offset += count
    return count
  }

  mutating func seek(to offset: Int) throws(Diagnostic) -> Bool {
    guard try source.seek(to: offset) else { return false }
    self.offset = bytes.count
    return true
  }
}
