internal import Bytes
internal import Diagnostics

/// Reads text with columns of fixed width: a line is a record, an empty line is none.
///
/// The length of a line must be that of the layout: what else would be read in the wrong unit, or shifted, without a word.
final class FixedWidthReader: RecordReader {
  struct Options {
    /// Lines left out at the beginning.
    var skipLines = 0
    /// Lines of names behind them.
    var header = 0
    /// How a line begins that is left out; empty: none is.
    var comment: [UInt8] = []
    /// Whether blanks around fields are left out: they fill the width.
    var trim = true
    var missingFields = ReaderConfiguration.FieldPolicy.reject
    var extraFields = ReaderConfiguration.FieldPolicy.reject
    var allowEmpty = false
  }

  let file: String
  private(set) var columns: [String] = []
  private(set) var resumePoint: ResumePoint
  private let options: Options
  private let window: TextWindow
  private var layout: FixedWidthLayout
  /// The number of the line that comes next, and of records read.
  private var line = 1
  private var recordCount = 0

  /// Makes a reader.
  ///
  /// - Parameter columns: The names; nil if they stand in the header or are numbers.
  init(
    _ source: TextSource, layout: FixedWidthLayout, columns: [String]?, options: Options, windowSize: Int = 1 << 16
  ) throws(Diagnostic) {
    file = source.file
    self.layout = layout
    self.options = options
    window = TextWindow(source, size: windowSize)
    resumePoint = ResumePoint(record: 0, line: 1, byte: 0)
    if source.isEmpty, !options.allowEmpty { throw .inputEmpty(file) }
    for _ in 0..<options.skipLines { _ = try readLine() }
    let header = RecordChunk(capacity: 1 << 10)
    while header.count < options.header, let found = try readLine() {
      guard isRecord(found.bytes) else { continue }
      self.layout.open(found.bytes)
      appendFields(to: header)
      header.endRecord(at: .init(record: 0, line: found.line, byte: found.byte))
    }
    if let columns {
      self.columns = columns
    } else if header.count > 0 {
      self.columns = try DelimitedReader.names(header, file: file)
    } else {
      self.columns = (1...layout.places.count).map(String.init)
    }
    setResumePoint()
  }

  var progress: (read: Int, total: Int?) { window.source.progress }

  func read(
    into chunk: RecordChunk, limit: Int, refuse: (Int, Diagnostic) -> Void
  ) throws(Diagnostic) -> Bool {
    var missing = limit
    while missing > 0 {
      guard let found = try readLine() else { return false }
      guard isRecord(found.bytes) else { continue }
      recordCount += 1
      let position = RecordChunk.RecordPosition(record: recordCount, line: found.line, byte: found.byte)
      layout.open(found.bytes)
      appendFields(to: chunk)
      chunk.endRecord(at: position)
      if let trouble = trouble(in: found.bytes) { refuse(chunk.count - 1, trouble.at(SourcePosition(file, position))) }
      missing -= 1
      setResumePoint()
    }
    return true
  }

  func resume(behind position: ResumePoint) throws(Diagnostic) {
    guard position != resumePoint else { return }
    guard position.byte >= window.offset, position.line >= 1, position.record >= 0 else { throw .inputOtherFile(file) }
    try window.skip(to: position.byte)
    line = position.line
    recordCount = position.record
    resumePoint = position
  }

  private func setResumePoint() { resumePoint = ResumePoint(record: recordCount, line: line, byte: window.offset) }

  // MARK: Lines

  /// The next line without its end, good until the next call; nil at the end of the input.
  private func readLine() throws(Diagnostic) -> (bytes: UnsafeBufferPointer<UInt8>, line: Int, byte: Int)? {
    var length = 0
    while true {
      while window.start + length < window.end, !isLineEnd(window.bytes[window.start + length]) { length += 1 }
      // CR may be followed by LF.
      if window.start + length + 1 < window.end || window.isLast { break }
      if window.start + length < window.end, window.bytes[window.start + length] == .lineFeed { break }
      guard length <= DelimitedReader.maximumFieldSize else {
        throw .inputFieldTooLarge(limit: DelimitedReader.maximumFieldSize).at(SourcePosition(file: file, line: line))
      }
      try window.fill()
    }
    let start = window.start
    guard start < window.end else { return nil }
    let found = (
      bytes: UnsafeBufferPointer(start: window.bytes + start, count: length), line: line, byte: window.offset
    )
    var end = start + length
    if end < window.end {
      let isPair = window.bytes[end] == .carriageReturn && end + 1 < window.end && window.bytes[end + 1] == .lineFeed
      end += isPair ? 2 : 1
    }
    window.start = end
    line += 1
    return found
  }

  private func isLineEnd(_ byte: UInt8) -> Bool { byte == .lineFeed || byte == .carriageReturn }

  private func isRecord(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    if options.trim ? line.allSatisfy(\.isBlank) : line.isEmpty { return false }
    return options.comment.isEmpty || !line.starts(with: options.comment)
  }

  // MARK: Fields

  private func appendFields(to chunk: RecordChunk) {
    for field in layout.places.indices {
      guard layout.hasField(field) else {
        chunk.endField(.absent)
        continue
      }
      chunk.append(layout.field(field))
      if options.trim { chunk.trimOpenField() }
      chunk.endField()
    }
  }

  private func trouble(in line: UnsafeBufferPointer<UInt8>) -> Diagnostic? {
    if let field = layout.splitField { return .txtSplitCharacter(column: columns[field]) }
    let found = layout.lineLength
    if let length = layout.length {
      let isWrong =
        found < length && options.missingFields == .reject || found > length && options.extraFields == .reject
      if isWrong { return .txtLineLength(expected: length, found: found, unit: layout.unit, isExact: true) }
    } else if let last = layout.places.map(\.start).max(), found < last, options.missingFields == .reject {
      return .txtLineLength(expected: last, found: found, unit: layout.unit, isExact: false)
    }
    return line.contains(0) ? .csvNUL() : nil
  }
}
