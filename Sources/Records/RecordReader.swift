public import Diagnostics

/// A file read as records, a chunk at a time.
public protocol RecordReader: AnyObject {
  /// The names of the columns: the header's, those given by the configuration, or `1`, `2`, ... of a file without a header.
  ///
  /// Known once the reader is made; a reader of a file without a header looks at the first record.
  var columns: [String] { get }

  /// The name of the input for messages; `-` for standard input.
  var file: String { get }

  /// Appends up to `limit` records to a chunk.
  ///
  /// A record that is wrong in itself (too few fields, a stray quote) is appended as read, so that it can be kept, and its
  /// trouble is reported with its index in the chunk. An input that cannot be read on is thrown, its code's fate `input`.
  ///
  /// - Returns: false when the input is at its end: the chunk then holds the last records, or none.
  func read(into chunk: RecordChunk, limit: Int, refuse: (_ index: Int, Diagnostic) -> Void) throws(Diagnostic) -> Bool

  /// Goes on behind a record that an earlier run committed, before the first `read`.
  ///
  /// A file is continued at the byte; standard input and XML are read again up to the record.
  func resume(behind position: ResumePoint) throws(Diagnostic)

  /// The place behind the last record that was read: where a later run would go on.
  var resumePoint: ResumePoint { get }

  /// What deserves a word at the end of the input, and belongs to no record; the default is nothing.
  func takeWarnings() -> [Diagnostic]

  /// The bytes of the input read so far and in all; for the progress line. `total` is nil for standard input.
  var progress: (read: Int, total: Int?) { get }
}

extension RecordReader {
  /// Nothing deserves a word.
  public func takeWarnings() -> [Diagnostic] { [] }
}

/// Where reading goes on in a later run.
public struct ResumePoint: Hashable, Sendable, Codable {
  /// The number of records read.
  public var record: Int
  /// The number of the line that comes next, from 1.
  public var line: Int
  /// The offset of the byte that comes next, in the file as UTF-8.
  public var byte: Int

  /// Makes one from its parts.
  public init(record: Int, line: Int, byte: Int) {
    self.record = record
    self.line = line
    self.byte = byte
  }
}
