internal import Bytes
public import Diagnostics

extension ReaderConfiguration {
  /// The file as it is written, whatever its form; nil if there is none.
  public var file: String? { csv ?? txt ?? xml }

  /// Opens the input and reads the names of its columns.
  ///
  /// - Parameters:
  ///   - folder: What a relative path is relative to.
  ///   - wanted: The columns that are asked for. XML has no header: each that `fields` does not define is a path itself.
  public func makeReader(in folder: String, wanted: [String]) throws(Diagnostic) -> any RecordReader {
    let form = try checkedForm()
    let path = path(in: folder)
    switch form {
    case .csv, .delimited:
      let (syntax, layout) = (try delimitedSyntax(form), delimitedLayout(form, wanted: wanted))
      return try DelimitedReader(
        try textSource(path), syntax: syntax, layout: layout, isDelimiterGiven: delimiter != nil)
    case .fixed:
      let (layout, names) = try fixedWidthLayout()
      return try FixedWidthReader(try textSource(path), layout: layout, columns: names, options: fixedWidthOptions)
    case .xml:
      let mapping = try XMLMapping(
        record: record ?? "", paths: paths ?? [:], wanted: wanted, namespaces: namespaces ?? [:], trim: trim ?? true)
      let source = try InflatedSource(try FileSource(path))
      return try XMLRecordReader(source, mapping: mapping, allowEmpty: allowEmpty ?? false)
    }
  }

  private func textSource(_ path: String) throws(Diagnostic) -> TextSource {
    let encoding = try Self.textEncoding(encoding)
    return try TextSource(try FileSource(path), encoding: encoding)
  }

  static func textEncoding(_ name: String?) throws(Diagnostic) -> TextEncoding? {
    guard let name, name != "auto" else { return nil }
    guard let encoding = TextEncoding(named: name) else {
      throw .readerOption(
        "`encoding` is \"\(name)\", which is not known", hint: "It can be auto, \(TextEncoding.names).")
    }
    return encoding
  }
}

// MARK: - Forms

extension ReaderConfiguration {
  /// The forms of input.
  enum Form: String {
    case csv = "CSV"
    case delimited = "delimited text"
    case fixed = "fixed-width text"
    case xml = "XML"

    /// The options that mean something for the form, beside the file and `allowEmpty`.
    var keys: Set<String> {
      let text: Set = [
        "header", "columns", "skipLines", "comment", "trim", "missingFields", "extraFields", "encoding",
        "keepPartial",
      ]
      return switch self {
      case .csv: text.union(["delimiter", "quote", "escape", "separatorLine"])
      case .delimited: text.union(["delimiter", "quote", "escape"])
      case .fixed: text.union(["widths", "fields", "unit"])
      case .xml: ["record", "fields", "namespaces", "trim", "keepPartial"]
      }
    }
  }

  /// The options that are set, beside the file and `allowEmpty`.
  private var keysInUse: [String] {
    let all: [(String, Bool)] = [
      ("delimiter", delimiter != nil), ("quote", quote != nil), ("escape", escape != nil), ("header", header != nil),
      ("columns", columns != nil), ("skipLines", skipLines != nil), ("comment", comment != nil), ("trim", trim != nil),
      ("missingFields", missingFields != nil), ("extraFields", extraFields != nil), ("encoding", encoding != nil),
      ("separatorLine", separatorLine != nil), ("widths", widths != nil),
      ("fields", fixedFields != nil || paths != nil), ("unit", unit != nil), ("record", record != nil),
      ("namespaces", namespaces != nil), ("keepPartial", keepPartial != nil),
    ]
    return all.filter(\.1).map(\.0)
  }

  /// The form of the input, when all options that are set mean something for it.
  func checkedForm() throws(Diagnostic) -> Form {
    guard [csv, txt, xml].compactMap(\.self).count == 1 else {
      throw .readerOption(
        "expected one of `csv`, `txt` and `xml`, found \(file == nil ? "none" : "several")",
        hint: "A step reads one file, named by the key of its format.")
    }
    let isFixed = widths != nil || fixedFields != nil
    let form: Form = csv != nil ? .csv : xml != nil ? .xml : isFixed || unit != nil ? .fixed : .delimited
    if let key = keysInUse.first(where: { !form.keys.contains($0) }) {
      throw .readerOption(
        "`\(key)` means nothing for \(form.rawValue)",
        hint: "Options of \(form.rawValue) are \(form.keys.union(["allowEmpty"]).sorted().joined(separator: ", ")).")
    }
    for (key, number) in [("header", header), ("skipLines", skipLines)] where (number ?? 0) < 0 {
      throw .readerOption(
        "`\(key)` is \(number ?? 0): expected 0 or more",
        hint: "It is the number of lines at the beginning of the file.")
    }
    if missingFields == .ignore || extraFields == .null {
      throw .readerOption(
        "`missingFields` is \"reject\" or \"null\", `extraFields` is \"reject\" or \"ignore\"",
        hint: "A field that is missing can be null; one too many can only be ignored.")
    }
    if let columns {
      guard !columns.isEmpty else {
        throw .readerOption(
          "`columns` is empty: expected a name for each column", hint: "Leave it out if the file has a header.")
      }
      try DelimitedReader.checkNames(columns, file: file ?? "", line: nil)
    }
    return form
  }

  // MARK: Delimited

  func delimitedLayout(_ form: Form, wanted: [String]) -> DelimitedReader.Layout {
    DelimitedReader.Layout(
      skipLines: skipLines ?? 0, header: header ?? (columns == nil ? 1 : 0), columns: columns,
      missingFields: missingFields ?? .reject, extraFields: extraFields ?? .reject,
      separatorLine: form == .csv && separatorLine ?? true, allowEmpty: allowEmpty ?? false, wanted: wanted)
  }

  func delimitedSyntax(_ form: Form) throws(Diagnostic) -> DelimitedSyntax {
    var syntax = DelimitedSyntax()
    var delimiter = delimiter ?? (form == .csv ? "," : "\t")
    if delimiter == "\\t" {
      // How a tab is usually written on a command line.
      delimiter = "\t"
    }
    if delimiter.isEmpty {
      throw .readerOption(
        "`delimiter` is empty: expected what separates fields", hint: "Leave it out for \(form.rawValue)'s own.")
    }
    if form == .csv, delimiter.unicodeScalars.count > 1 {
      throw .readerOption(
        "`delimiter` is \"\(delimiter)\": expected one character for CSV",
        hint: "Name the file with `txt` to read fields separated by a longer text or by blanks.")
    }
    syntax.delimiter = form == .delimited && delimiter == "blanks" ? [] : Array(delimiter.utf8)
    syntax.quote = try Self.byte("quote", quote ?? (form == .csv ? "\"" : ""))
    syntax.escape = try Self.byte("escape", escape ?? "")
    if syntax.escape == syntax.quote { syntax.escape = nil }
    syntax.comment = Array((comment ?? "").utf8)
    syntax.trim = trim ?? false
    for byte in [syntax.quote, syntax.escape].compactMap(\.self) where syntax.delimiter.contains(byte) {
      throw .readerOption(
        "`delimiter` contains what `quote` or `escape` is",
        hint: "Take three different characters; an empty `quote` or `escape` is none.")
    }
    try Self.checkMark(delimiter)
    try Self.checkMark(comment ?? "")
    return syntax
  }

  /// Throws for a delimiter or the mark of comments that no line can have.
  static func checkMark(_ text: String) throws(Diagnostic) {
    if text.utf8.contains(where: { $0 == .lineFeed || $0 == .carriageReturn || $0 == 0 }) {
      throw .readerOption(
        "`delimiter` and `comment` may not contain line ends or U+0000",
        hint: "Records end with lines; take other marks.")
    }
  }

  static func byte(_ key: String, _ text: String) throws(Diagnostic) -> UInt8? {
    let bytes = Array(text.utf8)
    guard bytes.count <= 1, bytes.allSatisfy({ 0x20 < $0 && $0 < 0x80 }) else {
      throw .readerOption(
        "`\(key)` is \"\(text)\": expected one character of ASCII, or nothing",
        hint: "In most files it is \" or ' or, for `escape`, \\.")
    }
    return bytes.first
  }

  static func checkWidth(_ text: String) throws(Diagnostic) {
    if let width = Int(text), !(1...DelimitedReader.maximumFieldSize).contains(width) { throw .widths() }
  }

  // MARK: Fixed width

  var fixedWidthOptions: FixedWidthReader.Options {
    FixedWidthReader.Options(
      skipLines: skipLines ?? 0, header: header ?? 0, comment: Array((comment ?? "").utf8), trim: trim ?? true,
      missingFields: missingFields ?? .reject, extraFields: extraFields ?? .reject, allowEmpty: allowEmpty ?? false)
  }

  func fixedWidthLayout() throws(Diagnostic) -> (FixedWidthLayout, names: [String]?) {
    let unit = unit ?? .characters
    if unit == .bytes, let encoding, !["auto", "utf-8", "utf8"].contains(encoding.lowercased()) {
      throw .readerOption(
        "`unit` is \"bytes\", which counts bytes of UTF-8, and `encoding` is \"\(encoding)\"",
        hint: "Set `unit` to \"characters\": in an encoding of one byte a character it is the same.")
    }
    switch (fixedFields, widths) {
    case (let fields?, nil):
      guard !fields.isEmpty else {
        throw .readerOption(
          "`fields` is empty: expected a place for each column",
          hint: "Write one as {name: \"id\", start: 1, width: 5}.")
      }
      if columns != nil { throw .readerOption("`columns` and `fields` both name the columns", hint: "Leave one out.") }
      let numbers = 1...DelimitedReader.maximumFieldSize
      for field in fields where !numbers.contains(field.start) || !numbers.contains(field.width ?? 1) {
        throw .readerOption(
          "the field \"\(field.name)\": expected `start` and `width` to be 1 or more", hint: "Places count from 1.")
      }
      for field in fields where field.width == nil && fields.contains(where: { $0.start > field.start }) {
        throw .readerOption(
          "the field \"\(field.name)\" has no `width`: only the last field of a line may leave it out",
          hint: "Say how wide it is.")
      }
      try DelimitedReader.checkNames(fields.map(\.name), file: file ?? "", line: nil)
      let places = fields.map { field in (field.start - 1, field.width.map { field.start - 1 + $0 }) }
      return (FixedWidthLayout(places, unit: unit), fields.map(\.name))
    case (nil, let widths?):
      let numbers = 1...DelimitedReader.maximumFieldSize
      guard !widths.isEmpty, widths.allSatisfy(numbers.contains) else {
        throw .widths()
      }
      var places: [(start: Int, end: Int?)] = []
      var place = 0
      for width in widths {
        places.append((place, place + width))
        place += width
      }
      if let columns, columns.count == widths.count + 1 { places.append((place, nil)) }
      if let columns, columns.count != places.count {
        throw .readerOption(
          "`columns` has \(columns.count) names, `widths` has \(widths.count) widths",
          hint: "Give a name for each width; one name more is the rest of the line.")
      }
      return (FixedWidthLayout(places, unit: unit), columns)
    case (nil, nil):
      throw .readerOption(
        "`unit` is for columns of fixed width: expected `widths` or `fields`",
        hint: "Add one of them, or leave `unit` out.")
    case (_?, _?):
      throw .readerOption("`widths` and `fields` both say where columns are", hint: "Leave one out.")
    }
  }
}

extension Diagnostic.Code {
  package static let readerOption = Diagnostic.Code("reader.option", .usage)
}

extension Diagnostic {
  fileprivate static func widths() -> Diagnostic {
    readerOption(
      "`widths`: expected a number above 0 for each column",
      hint: "Count the characters of each column, blanks included.")
  }

  static func readerOption(_ message: String, hint: String) -> Diagnostic {
    Diagnostic(.readerOption, message, hint: hint)
  }
}
