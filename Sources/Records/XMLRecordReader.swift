internal import Bytes
package import Diagnostics
internal import XMLEvents

/// Reads the elements of an XML file that are records.
///
/// A field is the text of an element, that of the elements inside it included, in document order; blanks and line ends are
/// kept inside it, and left out at its ends if the configuration trims. Several elements are one field with their texts
/// joined, an empty element is an empty text, an element that is not there or says `xsi:nil="true"` is absent.
final class XMLRecordReader: RecordReader {
  let file: String
  let columns: [String]
  private(set) var resumePoint = ResumePoint(record: 0, line: 1, byte: 0)
  private let source: any ByteSource
  private let mapping: XMLMapping
  private let events: XMLEventReader
  private let builder: XMLRecordBuilder
  private let block: UnsafeMutableRawBufferPointer
  private let allowEmpty: Bool
  private var hasBegun = false
  private var isAtEnd = false
  /// What ended the reading, told when the records before it are read.
  private var failure: Diagnostic?
  /// The records that were handed out of those that came behind a full chunk.
  private var overflowStart = 0

  init(
    _ source: any ByteSource, mapping: XMLMapping, allowEmpty: Bool = false, blockSize: Int = 1 << 14
  ) throws(Diagnostic) {
    file = source.file
    columns = mapping.columns
    self.source = source
    self.mapping = mapping
    self.allowEmpty = allowEmpty
    builder = XMLRecordBuilder(file: source.file, mapping: mapping)
    events = XMLEventReader(file: source.file, handler: builder)
    block = .allocate(byteCount: max(blockSize, 1), alignment: 8)
    // An empty or missing file is found before the run begins.
    feed()
    if let failure, builder.overflow.count == 0 { throw failure }
  }

  deinit { block.deallocate() }

  var progress: (read: Int, total: Int?) { source.progress }

  func read(
    into chunk: RecordChunk, limit: Int, refuse: (Int, Diagnostic) -> Void
  ) throws(Diagnostic) -> Bool {
    let first = chunk.count
    let kept = min(builder.overflow.count - overflowStart, limit)
    chunk.append(overflowStart..<overflowStart + kept, of: builder.overflow)
    overflowStart += kept
    if overflowStart == builder.overflow.count {
      builder.overflow.removeAll()
      overflowStart = 0
    }
    builder.target = chunk
    builder.room = limit - kept
    defer { builder.target = nil }
    while builder.room > 0, !isAtEnd { feed() }
    builder.room = 0
    let hasMore = overflowStart < builder.overflow.count
    if let failure, chunk.count == first, !hasMore { throw failure }
    if chunk.count > first, let last = chunk.positions.last {
      resumePoint = ResumePoint(record: last.record, line: last.line, byte: last.byte)
    }
    return !isAtEnd || hasMore || failure != nil
  }

  /// Reads the file again: the records up to the place are left out.
  func resume(behind position: ResumePoint) throws(Diagnostic) {
    guard position != resumePoint else { return }
    builder.skippedRecords = position.record
    let known = min(position.record, builder.overflow.count)
    overflowStart = known
    resumePoint = position
  }

  /// The columns of `fields` that no record had, and records inside records.
  func takeWarnings() -> [Diagnostic] {
    guard isAtEnd, builder.recordCount > 0 else { return [] }
    var warnings: [Diagnostic] = builder.columnsNeverFound.compactMap { column in
      mapping.definedPaths[column].map { .xmlPathNeverFound($0, column: column) }
    }
    if builder.innerRecordCount > 0 { warnings.append(.xmlInnerRecords(builder.innerRecordCount, mapping.recordText)) }
    return warnings.map { $0.at(SourcePosition(file: file)) }
  }

  private func feed() {
    do {
      try readBlock()
    } catch {
      failure = error
      isAtEnd = true
    }
  }

  private func readBlock() throws(Diagnostic) {
    let count = try source.read(into: block)
    if count == 0, !hasBegun {
      guard allowEmpty else { throw .inputEmpty(file) }
      isAtEnd = true
      return
    }
    hasBegun = true
    guard count == 0 else { return try events.feed(UnsafeRawBufferPointer(rebasing: block[..<count])) }
    try events.finish()
    isAtEnd = true
    if builder.recordCount == 0, builder.hasOtherElements, !allowEmpty {
      throw .xmlNoRecord(mapping.recordText).at(SourcePosition(file: file))
    }
    if builder.recordCount < builder.skippedRecords { throw .inputOtherFile(file) }
  }
}

extension Diagnostic.Code {
  package static let xmlNoRecord = Diagnostic.Code("xml.no-record", .input)
  package static let xmlPathNeverFound = Diagnostic.Code("xml.path-never-found", .warning)
  package static let xmlInnerRecord = Diagnostic.Code("xml.inner-record", .warning)
}

extension Diagnostic {
  static func xmlInnerRecords(_ count: Int, _ path: String) -> Diagnostic {
    let elements = count == 1 ? "1 element stands" : "\(count) elements stand"
    return Diagnostic(
      .xmlInnerRecord, "\(elements) inside a record at `\(path)` and made no record of its own",
      hint: "Read each level in a step of its own, by a path from the root such as `list/item/item`.")
  }

  static func xmlNoRecord(_ path: String) -> Diagnostic {
    Diagnostic(
      .xmlNoRecord, "no element is a record by the path `\(path)`",
      hint:
        "Check `record`: the path begins at the root element, or with // for anywhere; elements in another namespace "
        + "than the root's need a prefix of `namespaces`. Set `allowEmpty` if there may be none.")
  }

  static func xmlPathNeverFound(_ path: String, column: String) -> Diagnostic {
    Diagnostic(
      .xmlPathNeverFound, "the column \"\(column)\" is null in all records: its path `\(path)` was never found",
      hint: "Check the path in `fields`.")
  }
}
