import Bytes
import Foundation
import Records

/// What tells the records of a stream from others: a hash of all that were read, however they were cut into chunks.
struct RecordDigest {
  private var hash = SHA256()

  /// Adds the records of a chunk.
  mutating func update(_ chunk: RecordChunk) {
    for record in 0..<chunk.count {
      var lengths = [chunk.fieldCount(record)]
      for field in 0..<chunk.fieldCount(record) {
        let bytes = chunk.bytes(record, field)
        lengths.append(bytes.count << 8 | Int(chunk.flags(record, field).rawValue))
        hash.update(bytes)
      }
      lengths.withUnsafeBytes { hash.update($0) }
    }
  }

  /// The hash so far.
  var value: Data { Data(hash.finish()) }
}
