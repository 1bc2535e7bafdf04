/// One column of a chunk: values of one kind, flat, in buffers that are used again for the next chunk.
///
/// Integers and reals are 64-bit words. Text (UTF-8) and blobs lie end to end in one heap, and the word of a row is the
/// offset behind its last byte. A null has no validity, and the word of a null keeps the running offset.
///
/// This is the layout that the SQLite driver's virtual table reads directly, so that no call is made per cell.
public final class RawColumn {
  /// What a column's words mean.
  public enum Kind: UInt8, Sendable {
    /// Signed 64-bit integers.
    case integer
    /// IEEE doubles, as their bit patterns.
    case real
    /// UTF-8 text in the heap.
    case text
    /// Bytes in the heap.
    case blob
  }

  /// What the words mean.
  public let kind: Kind
  /// The number of rows.
  public private(set) var count = 0

  package private(set) var words: UnsafeMutablePointer<UInt64>
  package private(set) var validity: UnsafeMutablePointer<Bool>
  package private(set) var heap: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var heapCapacity: Int
  private var heapCount = 0

  /// Makes an empty column with room for a number of rows; it grows as needed.
  public init(kind: Kind, capacity: Int = 1024) {
    self.kind = kind
    self.capacity = max(capacity, 1)
    heapCapacity = kind == .text || kind == .blob ? self.capacity * 16 : 1
    words = .allocate(capacity: self.capacity)
    validity = .allocate(capacity: self.capacity)
    heap = .allocate(capacity: heapCapacity)
  }

  deinit {
    words.deallocate()
    validity.deallocate()
    heap.deallocate()
  }

  // MARK: Filling

  /// Appends a null.
  public func appendNull() {
    append(word: UInt64(truncatingIfNeeded: heapCount), valid: false)
  }

  /// Appends an integer to an integer column.
  public func append(_ integer: Int64) {
    append(word: UInt64(bitPattern: integer), valid: true)
  }

  /// Appends a real to a real column.
  public func append(_ real: Double) {
    append(word: real.bitPattern, valid: true)
  }

  /// Appends the bytes of a text or a blob.
  public func append(_ bytes: UnsafeRawBufferPointer) {
    reserveHeap(bytes.count)
    if let base = bytes.baseAddress {
      UnsafeMutableRawPointer(heap + heapCount).copyMemory(from: base, byteCount: bytes.count)
    }
    heapCount += bytes.count
    append(word: UInt64(truncatingIfNeeded: heapCount), valid: true)
  }

  /// Appends the UTF-8 of a text.
  public func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// Drops the rows from `count` on: a row that could not be filled in full is taken back.
  public func truncate(to count: Int) {
    guard count < self.count else { return }
    if kind == .text || kind == .blob { heapCount = start(of: count) }
    self.count = count
  }

  /// Drops all rows and keeps the buffers.
  public func removeAll() {
    count = 0
    heapCount = 0
  }

  // MARK: Reading

  /// Whether the row has a value.
  public func isValid(_ row: Int) -> Bool { validity[row] }

  /// The integer of a valid row of an integer column.
  public func integer(_ row: Int) -> Int64 { Int64(bitPattern: words[row]) }

  /// The real of a valid row of a real column.
  public func real(_ row: Int) -> Double { Double(bitPattern: words[row]) }

  /// The bytes of a valid row of a text or blob column; they are good until the column is changed.
  public func bytes(_ row: Int) -> UnsafeRawBufferPointer {
    let start = start(of: row)
    return UnsafeRawBufferPointer(start: heap + start, count: Int(truncatingIfNeeded: words[row]) - start)
  }

  /// The text of a valid row of a text column.
  public func text(_ row: Int) -> String { String(decoding: bytes(row), as: UTF8.self) }

  /// The offset in the heap at which a row's bytes begin.
  package func start(of row: Int) -> Int { row == 0 ? 0 : Int(truncatingIfNeeded: words[row - 1]) }

  // MARK: Growing

  private func append(word: UInt64, valid: Bool) {
    if count == capacity {
      words = Self.grow(words, count: count, to: capacity * 2)
      validity = Self.grow(validity, count: count, to: capacity * 2)
      capacity *= 2
    }
    words[count] = word
    validity[count] = valid
    count += 1
  }

  private func reserveHeap(_ more: Int) {
    guard heapCount + more > heapCapacity else { return }
    heapCapacity = max(heapCapacity * 2, heapCount + more)
    heap = Self.grow(heap, count: heapCount, to: heapCapacity)
  }

  private static func grow<T>(_ old: UnsafeMutablePointer<T>, count: Int, to capacity: Int) -> UnsafeMutablePointer<T> {
    let new = UnsafeMutablePointer<T>.allocate(capacity: capacity)
    new.moveInitialize(from: old, count: count)
    old.deallocate()
    return new
  }
}
