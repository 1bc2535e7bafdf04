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
  public var count: Int { rowCount }

  package var words: UnsafeMutablePointer<UInt64> { wordBuffer }
  package var validity: UnsafeMutablePointer<Bool> { validityBuffer }
  package var heap: UnsafeMutablePointer<UInt8> { heapBuffer }

  // Private, so that the compiler sees every access to them and leaves out the check of exclusive access at run time, which
  // would take longer than the append itself.
  private var rowCount = 0
  private var wordBuffer: UnsafeMutablePointer<UInt64>
  private var validityBuffer: UnsafeMutablePointer<Bool>
  private var heapBuffer: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var heapCapacity: Int
  private var heapCount = 0

  /// Makes an empty column with room for a number of rows; it grows as needed.
  public init(kind: Kind, capacity: Int = 1024) {
    self.kind = kind
    self.capacity = max(capacity, 1)
    heapCapacity = kind == .text || kind == .blob ? self.capacity * 16 : 1
    wordBuffer = .allocate(capacity: self.capacity)
    validityBuffer = .allocate(capacity: self.capacity)
    heapBuffer = .allocate(capacity: heapCapacity)
  }

  deinit {
    wordBuffer.deallocate()
    validityBuffer.deallocate()
    heapBuffer.deallocate()
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
      UnsafeMutableRawPointer(heapBuffer + heapCount).copyMemory(from: base, byteCount: bytes.count)
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
    guard count < rowCount else { return }
    if kind == .text || kind == .blob { heapCount = start(of: count) }
    rowCount = count
  }

  /// Drops some rows, given in their order; the others move up.
  public func remove(_ rows: [Int]) {
    guard let first = rows.first else { return }
    let hasHeap = kind == .text || kind == .blob
    var gone = rows[...]
    var target = first
    var end = hasHeap ? start(of: first) : 0
    for row in first..<rowCount {
      if gone.first == row {
        gone.removeFirst()
        continue
      }
      if hasHeap {
        let bytes = bytes(row)
        if let base = bytes.baseAddress {
          UnsafeMutableRawPointer(heapBuffer + end).copyMemory(from: base, byteCount: bytes.count)
        }
        end += bytes.count
        wordBuffer[target] = UInt64(truncatingIfNeeded: end)
      } else {
        wordBuffer[target] = wordBuffer[row]
      }
      validityBuffer[target] = validityBuffer[row]
      target += 1
    }
    rowCount = target
    if hasHeap { heapCount = end }
  }

  /// Drops all rows and keeps the buffers.
  public func removeAll() {
    rowCount = 0
    heapCount = 0
  }

  // MARK: Reading

  /// Whether the row has a value.
  public func isValid(_ row: Int) -> Bool { validityBuffer[row] }

  /// The integer of a valid row of an integer column.
  public func integer(_ row: Int) -> Int64 { Int64(bitPattern: wordBuffer[row]) }

  /// The real of a valid row of a real column.
  public func real(_ row: Int) -> Double { Double(bitPattern: wordBuffer[row]) }

  /// The bytes of a valid row of a text or blob column; they are good until the column is changed.
  public func bytes(_ row: Int) -> UnsafeRawBufferPointer {
    let start = start(of: row)
    return UnsafeRawBufferPointer(start: heapBuffer + start, count: Int(truncatingIfNeeded: wordBuffer[row]) - start)
  }

  /// The text of a valid row of a text column.
  public func text(_ row: Int) -> String { String(decoding: bytes(row), as: UTF8.self) }

  /// The offset in the heap at which a row's bytes begin.
  package func start(of row: Int) -> Int { row == 0 ? 0 : Int(truncatingIfNeeded: wordBuffer[row - 1]) }

  // MARK: Growing

  private func append(word: UInt64, valid: Bool) {
    if rowCount == capacity {
      wordBuffer = Self.grow(wordBuffer, count: rowCount, to: capacity * 2)
      validityBuffer = Self.grow(validityBuffer, count: rowCount, to: capacity * 2)
      capacity *= 2
    }
    wordBuffer[rowCount] = word
    validityBuffer[rowCount] = valid
    rowCount += 1
  }

  private func reserveHeap(_ more: Int) {
    guard heapCount + more > heapCapacity else { return }
    heapCapacity = max(heapCapacity * 2, heapCount + more)
    heapBuffer = Self.grow(heapBuffer, count: heapCount, to: heapCapacity)
  }

  private static func grow<T>(_ old: UnsafeMutablePointer<T>, count: Int, to capacity: Int) -> UnsafeMutablePointer<T> {
    let new = UnsafeMutablePointer<T>.allocate(capacity: capacity)
    new.moveInitialize(from: old, count: count)
    old.deallocate()
    return new
  }
}
