import CZlib

/// DEFLATE data without a header (RFC 1951), both ways.
package enum Deflate {
  /// The data of bytes, compressed.
  package static func compress(_ bytes: [UInt8]) -> [UInt8] {
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    let made = deflateInit2_(
      stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    precondition(made == Z_OK, "zlib cannot be started: it is out of memory or of another version")
    defer { deflateEnd(stream) }

    var input = bytes
    var output: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 15)
    input.withUnsafeMutableBufferPointer { input in
      block.withUnsafeMutableBufferPointer { block in
        var given = 0
        var result = Z_OK
        while result != Z_STREAM_END {
          let count = min(input.count - given, Int(Int32.max))
          stream.pointee.next_in = count > 0 ? input.baseAddress! + given : nil
          stream.pointee.avail_in = uInt(count)
          stream.pointee.next_out = block.baseAddress
          stream.pointee.avail_out = uInt(block.count)
          result = deflate(stream, given + count == input.count ? Z_FINISH : Z_NO_FLUSH)
          given += count - Int(stream.pointee.avail_in)
          output.append(contentsOf: block.dropLast(Int(stream.pointee.avail_out)))
        }
      }
    }
    return output
  }

  /// The bytes that were compressed; nil if the data is damaged, cut short or followed by anything, or if the bytes are
  /// more than `limit`.
  package static func decompress(_ data: [UInt8], limit: Int = 1 << 30) -> [UInt8]? {
    let inflater = Inflater(.raw)
    var output: [UInt8] = []
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 15, alignment: 8)
    defer { block.deallocate() }
    return data.withUnsafeBytes { data in
      var rest = data
      while true {
        guard let step = inflater.inflate(rest, into: block) else { return nil }
        rest = UnsafeRawBufferPointer(rebasing: rest[step.read...])
        output.append(contentsOf: block[..<step.written])
        guard output.count <= limit else { return nil }
        if step.isAtEnd { return rest.isEmpty ? output : nil }
        if step.read == 0, step.written == 0 { return nil }
      }
    }
  }
}

/// zlib's inflating state.
final class Inflater {
  enum Form {
    case gzip, raw
    fileprivate var windowBits: Int32 { self == .gzip ? MAX_WBITS + 16 : -MAX_WBITS }
  }

  // zlib keeps the address of the stream: it may not move.
  private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)

  init(_ form: Form) {
    stream.initialize(to: z_stream())
    let made = inflateInit2_(stream, form.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    precondition(made == Z_OK, "zlib cannot be started: it is out of memory or of another version")
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  /// Makes ready for the next member.
  func reset() { inflateReset(stream) }

  /// Inflates as much of the data as fits; nil if the data is damaged.
  func inflate(
    _ data: UnsafeRawBufferPointer, into buffer: UnsafeMutableRawBufferPointer
  ) -> (read: Int, written: Int, isAtEnd: Bool)? {
    let given = min(data.count, Int(Int32.max))
    let room = min(buffer.count, Int(Int32.max))
    stream.pointee.next_in = UnsafeMutablePointer(mutating: data.bindMemory(to: UInt8.self).baseAddress)
    stream.pointee.avail_in = uInt(given)
    stream.pointee.next_out = buffer.bindMemory(to: UInt8.self).baseAddress
    stream.pointee.avail_out = uInt(room)
    let result = CZlib.inflate(stream, Z_NO_FLUSH)
    // Z_BUF_ERROR is no damage: there was nothing to do.
    guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else { return nil }
    return (given - Int(stream.pointee.avail_in), room - Int(stream.pointee.avail_out), result == Z_STREAM_END)
  }
}
