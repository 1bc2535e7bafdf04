/// Some consecutive records of an input, their fields end to end in one flat buffer that is used again for the next chunk.
///
/// A reader fills it, the converter goes through it, and it is kept until the chunk is saved, so that a record that is
/// refused late can still be written to the reject file as it was read. No field is an allocation.
public final class RecordChunk {
  /// What is known of a field beside its text.
  public struct FieldFlags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// Makes one from its parts.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// There is no such field in the record (an XML element that is not there, a missing field allowed by a setting).
    public static let absent = FieldFlags(rawValue: 1)
    /// The field was quoted: an empty one is an empty text, not a null.
    public static let quoted = FieldFlags(rawValue: 2)
    /// The field has several occurrences (repeated XML elements), joined by `occurrenceSeparator`.
    public static let repeated = FieldFlags(rawValue: 4)
  }

  /// Where a record stands in its file.
  public struct RecordPosition: Hashable, Sendable {
    /// The number of the record, from 1.
    public var record: Int
    /// The line on which it begins, from 1.
    public var line: Int
    /// The offset of its first byte in the file as UTF-8, from 0.
    public var byte: Int
    /// Makes one from its parts.
    public init(record: Int, line: Int, byte: Int) {
      self.record = record
      self.line = line
      self.byte = byte
    }
  }

  /// What joins the occurrences of a repeated field: U+001F, which XML does not allow in text.
  public static let occurrenceSeparator: UInt8 = 0x1F

  // The accesses of this type do not overlap; checking each of them takes a third of the time of reading.
  @exclusivity(unchecked) package private(set) var bytes: UnsafeMutablePointer<UInt8>
  @exclusivity(unchecked) private var capacity: Int
  @exclusivity(unchecked) private(set) package var byteCount = 0
  /// The end in `bytes` of each field of each record.
  @exclusivity(unchecked) package private(set) var fieldEnds: [Int] = []
  @exclusivity(unchecked) package private(set) var flags: [FieldFlags] = []
  /// The index in `fieldEnds` behind each record's last field.
  @exclusivity(unchecked) package private(set) var recordEnds: [Int] = []
  /// The place of each record.
  public private(set) var positions: [RecordPosition] = []

  /// Makes an empty chunk.
  public init(capacity: Int = 1 << 16) {
    self.capacity = max(capacity, 16)
    bytes = .allocate(capacity: self.capacity)
  }

  deinit { bytes.deallocate() }

  /// The number of records.
  public var count: Int { recordEnds.count }

  // MARK: Filling, by readers

  /// Appends bytes to the field that is being read.
  public func append(_ more: UnsafeRawBufferPointer) {
    guard let base = more.baseAddress, more.count > 0 else { return }
    reserve(more.count)
    UnsafeMutableRawPointer(bytes + byteCount).copyMemory(from: base, byteCount: more.count)
    byteCount += more.count
  }

  /// Appends one byte to the field that is being read.
  package func append(byte: UInt8) {
    reserve(1)
    bytes[byteCount] = byte
    byteCount += 1
  }

  /// Ends the field that is being read.
  public func endField(_ flags: FieldFlags = []) {
    fieldEnds.append(byteCount)
    self.flags.append(flags)
  }

  /// Ends the record that is being read.
  public func endRecord(at position: RecordPosition) {
    recordEnds.append(fieldEnds.count)
    positions.append(position)
  }

  /// The number of fields ended since the last record's end.
  public var openFieldCount: Int { fieldEnds.count - (recordEnds.last ?? 0) }

  /// The number of bytes of the field that is being read.
  var openFieldSize: Int { byteCount - (fieldEnds.last ?? 0) }

  /// The bytes of the field that ended last.
  var lastField: UnsafeRawBufferPointer {
    let start = fieldEnds.count < 2 ? 0 : fieldEnds[fieldEnds.count - 2]
    return UnsafeRawBufferPointer(start: bytes + start, count: (fieldEnds.last ?? 0) - start)
  }

  /// Leaves out blanks (space, tab, CR, LF) at both ends of the field that is being read.
  func trimOpenField() {
    var start = fieldEnds.last ?? 0
    let fieldStart = start
    while byteCount > start, bytes[byteCount - 1].isBlank { byteCount -= 1 }
    while start < byteCount, bytes[start].isBlank { start += 1 }
    guard start > fieldStart else { return }
    (bytes + fieldStart).update(from: bytes + start, count: byteCount - start)
    byteCount -= start - fieldStart
  }

  /// Appends records of another chunk.
  func append(_ records: Range<Int>, of other: RecordChunk) {
    for record in records {
      for field in 0..<other.fieldCount(record) {
        append(other.bytes(record, field))
        endField(other.flags(record, field))
      }
      endRecord(at: other.positions[record])
    }
  }

  /// Takes back everything since the last record's end.
  public func dropOpenRecord() {
    let fields = recordEnds.last ?? 0
    fieldEnds.removeSubrange(fields...)
    flags.removeSubrange(fields...)
    byteCount = fieldEnds.last ?? 0
  }

  /// Drops all records and keeps the buffers.
  public func removeAll() {
    byteCount = 0
    fieldEnds.removeAll(keepingCapacity: true)
    flags.removeAll(keepingCapacity: true)
    recordEnds.removeAll(keepingCapacity: true)
    positions.removeAll(keepingCapacity: true)
  }

  /// Makes room for more bytes and grows the buffer at least twofold.
  private func reserve(_ more: Int) {
    guard byteCount + more > capacity else { return }
    capacity = max(capacity * 2, byteCount + more)
    let new = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    new.moveInitialize(from: bytes, count: byteCount)
    bytes.deallocate()
    bytes = new
  }

  // MARK: Reading

  /// The number of fields of a record.
  public func fieldCount(_ record: Int) -> Int { recordEnds[record] - firstField(record) }

  /// The bytes of a field, good until the chunk is changed.
  public func bytes(_ record: Int, _ field: Int) -> UnsafeRawBufferPointer {
    let index = firstField(record) + field
    let start = index == 0 ? 0 : fieldEnds[index - 1]
    return UnsafeRawBufferPointer(start: bytes + start, count: fieldEnds[index] - start)
  }

  /// The flags of a field.
  public func flags(_ record: Int, _ field: Int) -> FieldFlags { flags[firstField(record) + field] }

  /// The text of a field; for messages and reject files, not for the way of every row.
  public func text(_ record: Int, _ field: Int) -> String { String(decoding: bytes(record, field), as: UTF8.self) }

  package func firstField(_ record: Int) -> Int { record == 0 ? 0 : recordEnds[record - 1] }
}
