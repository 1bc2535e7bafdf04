internal import Bytes
internal import Diagnostics

/// Reads CSV and delimited text.
final class DelimitedReader: RecordReader {
  /// The largest field: 256 MiB.
  static let maximumFieldSize = 1 << 28

  /// What a reader is told beside the syntax.
  struct Layout {
    /// Lines left out at the beginning.
    var skipLines = 0
    /// Records of names.
    var header = 1
    /// Names instead of those in the file.
    var columns: [String]?
    var missingFields = ReaderConfiguration.FieldPolicy.reject
    var extraFields = ReaderConfiguration.FieldPolicy.reject
    /// Whether a first line `sep=;` tells the delimiter.
    var separatorLine = false
    /// Whether a file without any bytes is good.
    var allowEmpty = false
    /// The names of the columns of an empty file.
    var wanted: [String] = []
  }

  let file: String
  private(set) var columns: [String] = []
  private(set) var resumePoint: ResumePoint
  let layout: Layout
  let window: TextWindow
  // It is asked for each field, and asks nobody.
  @exclusivity(unchecked) var tokenizer: CSVTokenizer
  /// The first record of a file without names, which tells the number of columns.
  private let first = RecordChunk(capacity: 16)
  private var recordCount = 0

  /// Makes a reader and reads the names of the columns.
  ///
  /// - Parameter isDelimiterGiven: Whether the delimiter was chosen by the user, who may not be contradicted by the file.
  init(
    _ source: TextSource, syntax: DelimitedSyntax, layout: Layout, isDelimiterGiven: Bool = true,
    windowSize: Int = 1 << 16
  ) throws(Diagnostic) {
    file = source.file
    self.layout = layout
    window = TextWindow(source, size: windowSize)
    tokenizer = CSVTokenizer(syntax, skippingLines: layout.skipLines)
    resumePoint = ResumePoint(record: 0, line: 1, byte: 0)
    if source.isEmpty {
      guard layout.allowEmpty else { throw .inputEmpty(file) }
      columns = layout.columns ?? layout.wanted
      return
    }
    if layout.separatorLine { try readSeparatorLine(isDelimiterGiven: isDelimiterGiven) }
    columns = try readColumns()
    if first.count == 0 { setResumePoint() }
  }

  var progress: (read: Int, total: Int?) { window.source.progress }

  func read(
    into chunk: RecordChunk, limit: Int, refuse: (Int, Diagnostic) -> Void
  ) throws(Diagnostic) -> Bool {
    var missing = limit
    if first.count > 0, missing > 0 {
      chunk.append(0..<1, of: first)
      if let trouble = tokenizer.trouble { refuse(chunk.count - 1, diagnostic(trouble, first.positions[0])) }
      first.removeAll()
      missing -= 1
      setResumePoint()
    }
    while missing > 0 {
      let keeping = layout.extraFields == .ignore ? columns.count : .max
      guard let position = try readFields(into: chunk, keeping: keeping) else { return false }
      let found = chunk.openFieldCount
      if found < columns.count, layout.missingFields == .null {
        for _ in found..<columns.count { chunk.endField(.absent) }
      }
      let fields = chunk.openFieldCount
      chunk.endRecord(at: position)
      if let trouble = tokenizer.trouble {
        refuse(chunk.count - 1, diagnostic(trouble, position))
      } else if fields != columns.count {
        refuse(
          chunk.count - 1, .csvFieldCount(expected: columns.count, found: found).at(SourcePosition(file, position)))
      }
      missing -= 1
      setResumePoint()
    }
    return true
  }

  func resume(behind position: ResumePoint) throws(Diagnostic) {
    guard position != resumePoint else { return }
    guard position.byte >= window.offset, position.line >= 1, position.record >= 0 else { throw .inputOtherFile(file) }
    first.removeAll()
    try window.skip(to: position.byte)
    tokenizer = CSVTokenizer(tokenizer.syntax, line: position.line)
    recordCount = position.record
    resumePoint = position
  }

  private func setResumePoint() {
    resumePoint = ResumePoint(record: recordCount, line: tokenizer.line, byte: window.offset)
  }

  // MARK: Records

  /// Appends the fields of the next record, but does not end it: nil at the end of the input.
  ///
  /// - Parameter keeping: The most fields that are kept.
  private func readFields(
    into chunk: RecordChunk, keeping: Int = .max
  ) throws(Diagnostic) -> RecordChunk.RecordPosition? {
    var position = RecordChunk.RecordPosition(record: 0, line: 0, byte: 0)
    var fields = 0
    while true {
      let step = tokenizer.next(in: window.bytes, from: window.start, to: window.end, isLast: window.isLast)
      if !step.content.isEmpty, fields < keeping {
        chunk.append(UnsafeRawBufferPointer(start: window.bytes + step.content.lowerBound, count: step.content.count))
      }
      window.start = step.next
      switch step.event {
      case .fieldEnd:
        if fields < keeping {
          if tokenizer.syntax.trim, !tokenizer.isQuoted { chunk.trimOpenField() }
          chunk.endField(tokenizer.isQuoted ? .quoted : [])
        }
        fields += 1
      case .recordEnd:
        if isBlank(chunk, fields: fields) {
          chunk.dropOpenRecord()
          fields = 0
          continue
        }
        recordCount += 1
        position.record = recordCount
        return position
      case .recordBegin:
        position.line = tokenizer.line
        position.byte = window.offset
      case .text:
        if chunk.openFieldSize > Self.maximumFieldSize { throw tooLarge(position) }
      case .needsInput:
        try window.fill()
      case .end:
        return nil
      }
    }
  }

  /// Whether a line held nothing but blanks that mean nothing.
  private func isBlank(_ chunk: RecordChunk, fields: Int) -> Bool {
    if fields == 0 { return true }
    return fields == 1 && tokenizer.syntax.trim && !tokenizer.isQuoted && chunk.openFieldCount == 1
      && chunk.lastField.isEmpty
  }

  // MARK: Names

  private func readColumns() throws(Diagnostic) -> [String] {
    let header = RecordChunk(capacity: 1 << 10)
    for _ in 0..<layout.header {
      guard let position = try readFields(into: header) else { throw .csvNoHeader(file) }
      header.endRecord(at: position)
      if let trouble = tokenizer.trouble { throw .csvHeader(diagnostic(trouble, position)) }
    }
    recordCount = 0
    if let given = layout.columns { return given }
    if layout.header > 0 { return try Self.names(header, file: file) }
    setResumePoint()
    // Without names the first record tells how many columns there are.
    guard let position = try readFields(into: first) else { return layout.wanted }
    first.endRecord(at: position)
    return (1...max(first.fieldCount(0), 1)).map(String.init)
  }

  /// The names in the header: lines one below the other are joined by a blank, a column without a name is its number.
  static func names(_ header: RecordChunk, file: String) throws(Diagnostic) -> [String] {
    let count = (0..<header.count).map(header.fieldCount).max() ?? 0
    var names: [String] = []
    for column in 0..<count {
      let lines = (0..<header.count).compactMap { column < header.fieldCount($0) ? header.text($0, column) : nil }
      let name = lines.filter { !$0.isEmpty }.joined(separator: " ")
      names.append(name.isEmpty ? String(column + 1) : name)
    }
    try checkNames(names, file: file, line: header.count > 0 ? header.positions[0].line : nil)
    return names
  }

  /// Refuses a name that two columns have: the second would silently win.
  static func checkNames(_ names: [String], file: String, line: Int?) throws(Diagnostic) {
    var known: [String: Int] = [:]
    for (index, name) in names.enumerated() {
      if let other = known.updateValue(index, forKey: name) {
        throw .csvDuplicateColumn(name, other + 1, index + 1).at(
          SourcePosition(file: file, line: line, column: index + 1))
      }
    }
  }
}
