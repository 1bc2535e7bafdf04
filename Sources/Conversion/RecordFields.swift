import Records

/// The fields of one record, fetched from the chunk once: asking it for each field would cost more than reading the field.
struct RecordFields {
  private let bytes: UnsafePointer<UInt8>
  private let ends: UnsafeBufferPointer<Int>
  private let flags: UnsafeBufferPointer<RecordChunk.FieldFlags>
  private let first: Int
  let count: Int

  fileprivate init(
    bytes: UnsafePointer<UInt8>, ends: UnsafeBufferPointer<Int>, flags: UnsafeBufferPointer<RecordChunk.FieldFlags>,
    fields: Range<Int>
  ) {
    self.bytes = bytes
    self.ends = ends
    self.flags = flags
    first = fields.lowerBound
    count = fields.count
  }

  /// The bytes of a field.
  func bytes(_ field: Int) -> UnsafeRawBufferPointer {
    let index = first + field
    let start = index == 0 ? 0 : ends[index - 1]
    return UnsafeRawBufferPointer(start: bytes + start, count: ends[index] - start)
  }

  /// The flags of a field.
  func flags(_ field: Int) -> RecordChunk.FieldFlags { flags[first + field] }
}

extension RecordChunk {
  /// Calls a function with the fields of a record, which are good until it returns.
  func withFields<Result>(of record: Int, _ body: (RecordFields) -> Result) -> Result {
    let fields = firstField(record)..<recordEnds[record]
    return fieldEnds.withUnsafeBufferPointer { ends in
      flags.withUnsafeBufferPointer { flags in
        body(RecordFields(bytes: bytes, ends: ends, flags: flags, fields: fields))
      }
    }
  }
}
