internal import Bytes
internal import Diagnostics

/// The part of a text that is being looked at: a buffer that moves over the source.
final class TextWindow {
  let source: TextSource
  // Asked and set at each field, never by two at once.
  @exclusivity(unchecked) private(set) var bytes: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// The index of the byte that comes next.
  @exclusivity(unchecked) var start = 0
  /// The index behind the last byte.
  @exclusivity(unchecked) private(set) var end = 0
  /// Whether the text ends with the window.
  @exclusivity(unchecked) private(set) var isLast = false
  /// The offset of `bytes` in the file as UTF-8.
  private var base: Int

  init(_ source: TextSource, size: Int = 1 << 16) {
    self.source = source
    capacity = max(size, 1)
    bytes = .allocate(capacity: capacity)
    base = source.start
  }

  deinit { bytes.deallocate() }

  /// The offset of a byte in the file as UTF-8.
  func offset(of index: Int) -> Int { base + index }

  /// The offset of the byte that comes next.
  var offset: Int { base + start }

  /// Brings more bytes behind those that are left, or finds that there are none.
  func fill() throws(Diagnostic) {
    if start > 0 {
      bytes.update(from: bytes + start, count: end - start)
      base += start
      end -= start
      start = 0
    }
    if end == capacity {
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
      larger.moveInitialize(from: bytes, count: end)
      bytes.deallocate()
      bytes = larger
      capacity *= 2
    }
    let count = try source.read(into: UnsafeMutableRawBufferPointer(start: bytes + end, count: capacity - end))
    end += count
    isLast = count == 0
  }

  /// Goes forward to an offset in the file as UTF-8.
  func skip(to offset: Int) throws(Diagnostic) {
    if offset <= base + end {
      start = offset - base
      return
    }
    try source.skip(to: offset)
    base = offset
    start = 0
    end = 0
    isLast = false
  }
}
