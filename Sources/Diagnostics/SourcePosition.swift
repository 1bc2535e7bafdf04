/// A place in an input: the file, and as much of record, line, byte and column as is known.
public struct SourcePosition: Hashable, Sendable {
  /// The file as the user named it; `-` for standard input.
  public var file: String
  /// The number of the record in the file, from 1, the header not counted.
  public var record: Int?
  /// The line on which the record or the element begins, from 1.
  public var line: Int?
  /// The offset of the record's first byte in the file as UTF-8, from 0.
  public var byte: Int?
  /// The number of the column (of the field in its record, as a spreadsheet counts), from 1; in malformed XML, of the
  /// character in its line.
  public var column: Int?

  /// Makes a position; what is not known is nil.
  public init(file: String, record: Int? = nil, line: Int? = nil, byte: Int? = nil, column: Int? = nil) {
    self.file = file
    self.record = record
    self.line = line
    self.byte = byte
    self.column = column
  }
}

extension SourcePosition: CustomStringConvertible {
  /// `file`, `file:line` or `file:line:column`.
  public var description: String {
    let file = ShownText.line(file)
    guard let line else { return file }
    guard let column else { return "\(file):\(line)" }
    return "\(file):\(line):\(column)"
  }
}
