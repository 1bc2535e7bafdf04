import Bytes
import Diagnostics
import ObjectModel
import Records

/// The refused records of one step: a CSV file with the input's own columns and, behind them, why and where.
///
/// The mended file is an input for the same step: the added columns are known by their names and are ignored. The file is
/// made with its first record; a run that refuses nothing makes none. What an earlier run refused is nobody's to delete: its
/// file gets a number, also from a run that refuses nothing, and goes only if the new one holds all of it.
final class RejectFile {
  /// The columns that are added: the line, the byte, the number of the column, the code and the message. They begin with as
  /// many underscores as they need to be none of the input's own.
  private static func addedColumns(_ underscores: Int) -> [String] {
    let prefix = String(repeating: "_", count: underscores)
    return ["line", "byte", "column", "code", "reason"].map { prefix + $0 }
  }

  /// The columns of an input that a reject file has added: all five are there, and the step asks for none of them.
  static func addedColumns(in columns: [String], of step: StepConfiguration, entity: NSEntityDescription?) -> [String] {
    let most = columns.map { $0.prefix { $0 == "_" }.count }.max() ?? 0
    let wanted = Set(step.wantedColumns(of: entity))
    return (0..<most).lazy.map { addedColumns(most - $0) }
      .first { $0.allSatisfy(columns.contains) && wanted.isDisjoint(with: $0) } ?? []
  }

  /// How many bytes the name of a step may have, so that each of its files has a name: 255 are allowed.
  static let longestStepName = 255 - ".links.rejected.9999.csv".utf8.count

  /// Throws if there is no place for a file when the first record is refused; nothing is made.
  static func checkPlace(_ path: String) throws(Diagnostic) {
    try FileSystem.checkFolderCanBeMade(FileSystem.folder(of: path))
    guard FileSystem.kind(of: path) == .file || !FileSystem.exists(path) && !FileSystem.isLink(path) else {
      throw .rejectsAreNoFile(path)
    }
  }

  let path: String
  private let columns: [String]
  /// Those that are added.
  private let added: [String]
  /// The fields that are kept: not those that an earlier reject file has added.
  private let fields: [Int]
  private let fieldCount: Int
  private var writer: FileWriter?
  /// Where this run has moved the file of an earlier one.
  private var earlier: String?

  /// Goes on with the file of an unfinished run at a length, or begins anew.
  ///
  /// - Parameter earlier: the columns that an earlier reject file has added.
  init(path: String, columns: [String], without earlier: [String], keeping length: Int) throws(Diagnostic) {
    self.path = path
    fields = columns.indices.filter { !earlier.contains(columns[$0]) }
    fieldCount = columns.count
    let kept = fields.map { columns[$0] }
    self.columns = kept
    var underscores = 1
    while kept.contains(where: Self.addedColumns(underscores).contains) { underscores += 1 }
    added = Self.addedColumns(underscores)
    if length > 0 {
      let writer = try FileWriter(path, at: .end)
      if writer.offset >= length {
        try writer.truncate(to: length)
        self.writer = writer
        return
      }
      // Somebody took away what was refused before; the rest begins a file of its own.
    }
  }

  /// The length of what is written.
  var length: Int { writer?.offset ?? 0 }

  /// Whether anything was refused.
  var isEmpty: Bool { length == 0 }

  /// Takes back what was written behind a length; without any record there is no file, as if there had been none.
  func truncate(to length: Int) throws(Diagnostic) {
    guard length == 0, writer != nil else { return try writer?.truncate(to: length) ?? () }
    writer = nil
    try FileSystem.remove(path)
    if let earlier { try FileSystem.rename(from: earlier, to: path) }
    earlier = nil
  }

  /// Writes refused records.
  func append(_ refusals: Refusals, of chunk: RecordChunk) throws(Diagnostic) {
    guard !refusals.isEmpty else { return }
    let writer = if let writer { writer } else { try open() }
    for (record, diagnostic) in refusals.inOrder {
      let count = chunk.fieldCount(record)
      let kept = fields.map { $0 < count ? cell(chunk, record, $0) : "" }
      let position = chunk.positions[record]
      let column = diagnostic.position?.column.map(String.init) ?? ""
      let added = ["\(position.line)", "\(position.byte)", column, diagnostic.code.name, diagnostic.message]
      // A record of too many fields is kept whole; its surplus stands behind the reason.
      let surplus = (fieldCount..<max(count, fieldCount)).map { cell(chunk, record, $0) }
      try writer.write(Self.line(kept + added.map(Self.quotedIfNeeded) + surplus))
    }
    try writer.sync()
  }

  /// Ends the writing: of the files that were moved out of the way, those go that the new one holds all of.
  ///
  /// There may be several: each run that was killed has left one. Without a record the file of an earlier run is moved out of
  /// the way nevertheless, as it would pass for one of this run.
  func finish() throws(Diagnostic) {
    guard let writer else { return try keepEarlier() }
    try writer.flush()
    var number = 1
    while FileSystem.exists(path(numbered: number)) {
      if try isBeginning(path(numbered: number), of: path) { try FileSystem.remove(path(numbered: number)) }
      number += 1
    }
  }

  /// Whether all of a file is the beginning of another: an unchanged input was refused again.
  private func isBeginning(_ file: String, of other: String) throws(Diagnostic) -> Bool {
    let (file, other) = (try FileSource(file), try FileSource(other))
    var (buffer, otherBuffer) = ([UInt8](repeating: 0, count: 1 << 16), [UInt8](repeating: 0, count: 1 << 16))
    while true {
      let count = try file.fill(&buffer)
      let otherCount = try other.fill(&otherBuffer)
      guard count <= otherCount, buffer[..<count] == otherBuffer[..<count] else { return false }
      if count < buffer.count { return true }
    }
  }

  /// Moves the file of an earlier run out of the way: `NAME.rejected.1.csv`, or the next number.
  private func keepEarlier() throws(Diagnostic) {
    guard FileSystem.exists(path) else { return }
    var number = 1
    while FileSystem.exists(path(numbered: number)) { number += 1 }
    try FileSystem.rename(from: path, to: path(numbered: number))
    earlier = path(numbered: number)
  }

  private func path(numbered number: Int) -> String {
    let stem = path.hasSuffix(".csv") ? String(path.dropLast(4)) : path
    return "\(stem).\(number).csv"
  }

  private func open() throws(Diagnostic) -> FileWriter {
    try FileSystem.makeFolder(FileSystem.folder(of: path))
    try keepEarlier()
    let writer = try FileWriter(path)
    self.writer = writer
    try writer.write(Self.line((columns + added).map(Self.quotedIfNeeded)))
    return writer
  }

  /// A field as CSV: a text that was quoted stays quoted, so that an empty one is not read as a null.
  private func cell(_ chunk: RecordChunk, _ record: Int, _ field: Int) -> String {
    let flags = chunk.flags(record, field)
    if flags.contains(.absent) { return "" }
    let text = chunk.text(record, field)
    return flags.contains(.quoted) ? Self.quoted(text) : Self.quotedIfNeeded(text)
  }

  private static func line(_ cells: some Sequence<String>) -> String { cells.joined(separator: ",") + "\n" }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\"", with: "\"\"") + "\""
  }

  private static func quotedIfNeeded(_ text: String) -> String {
    let mustQuote =
      text.utf8.contains { [UInt8(ascii: ","), UInt8(ascii: "\""), 0x0A, 0x0D].contains($0) }
      || text.hasPrefix(" ") || text.hasSuffix(" ")
    return mustQuote ? quoted(text) : text
  }
}

extension FileSource {
  /// Fills a buffer as far as the file goes.
  fileprivate func fill(_ buffer: inout [UInt8]) throws(Diagnostic) -> Int {
    var count = 0
    while count < buffer.count {
      let outcome: Result<Int, Diagnostic> = buffer.withUnsafeMutableBytes { bytes in
        let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[count...])
        return Result { () throws(Diagnostic) -> Int in try self.read(into: rest) }
      }
      let more = try outcome.get()
      if more == 0 { break }
      count += more
    }
    return count
  }
}
