import Bytes
import Diagnostics

@testable import Records

/// What a reader reads, as lines that a test can compare.
///
/// The fields of a record stand between bars: `~` is absent, `"` behind a field says that it was quoted, `*` that it has
/// several occurrences, joined by `+`. Below a record that was refused stands why.
func dump(_ reader: any RecordReader, limit: Int = 3) throws -> [String] {
  let chunk = RecordChunk(capacity: 16)
  var lines = [reader.columns.joined(separator: "|")]
  while true {
    var refused: [Int: Diagnostic] = [:]
    let goesOn = try reader.read(into: chunk, limit: limit) { refused[$0] = $1 }
    for record in 0..<chunk.count {
      let fields = (0..<chunk.fieldCount(record)).map { field -> String in
        let flags = chunk.flags(record, field)
        if flags.contains(.absent) { return "~" }
        let text = chunk.text(record, field).split(separator: "\u{1F}", omittingEmptySubsequences: false)
        return text.joined(separator: "+") + (flags.contains(.quoted) ? "\"" : "")
          + (flags.contains(.repeated) ? "*" : "")
      }
      lines.append(fields.joined(separator: "|"))
      if let diagnostic = refused[record] {
        lines.append("  \(diagnostic.position?.description ?? ""): \(diagnostic.message) [\(diagnostic.code.name)]")
      }
    }
    chunk.removeAll()
    if !goesOn { return lines }
  }
}

/// The dump, or the error that ends the reading.
func dump(_ make: () throws -> any RecordReader) -> [String] {
  do {
    return try dump(try make())
  } catch let diagnostic as Diagnostic {
    return ["\(diagnostic.position?.description ?? ""): \(diagnostic.message) [\(diagnostic.code.name)]"]
  } catch {
    return ["\(error)"]
  }
}

/// A reader of delimited text in memory.
func delimited(
  _ text: String, _ configure: (inout ReaderConfiguration) -> Void = { _ in }, window: Int = 1 << 16
) throws -> DelimitedReader {
  var configuration = ReaderConfiguration()
  configuration.csv = "t.csv"
  configure(&configuration)
  if configuration.txt != nil { configuration.csv = nil }
  let form = try configuration.checkedForm()
  let source = try TextSource(MemorySource(text.utf8, file: configuration.file ?? "", blockSize: window))
  return try DelimitedReader(
    source, syntax: try configuration.delimitedSyntax(form), layout: configuration.delimitedLayout(form, wanted: ["w"]),
    isDelimiterGiven: configuration.delimiter != nil, windowSize: window)
}

/// A reader of XML in memory.
func xml(
  _ text: some Sequence<UInt8>, record: String, fields: [String: String] = [:], wanted: [String] = [],
  namespaces: [String: String] = [:], trim: Bool = true, allowEmpty: Bool = false, block: Int = 1 << 14
) throws -> XMLRecordReader {
  let mapping = try XMLMapping(record: record, paths: fields, wanted: wanted, namespaces: namespaces, trim: trim)
  return try XMLRecordReader(
    MemorySource(text, file: "t.xml"), mapping: mapping, allowEmpty: allowEmpty, blockSize: block)
}

/// A reader of fixed-width text in memory.
func fixedWidth(
  _ text: some Sequence<UInt8>, _ configure: (inout ReaderConfiguration) -> Void, window: Int = 1 << 16
) throws -> FixedWidthReader {
  var configuration = ReaderConfiguration()
  configuration.txt = "t.txt"
  configure(&configuration)
  _ = try configuration.checkedForm()
  let (layout, names) = try configuration.fixedWidthLayout()
  return try FixedWidthReader(
    try TextSource(MemorySource(text, file: "t.txt", blockSize: window)), layout: layout, columns: names,
    options: configuration.fixedWidthOptions, windowSize: window)
}
