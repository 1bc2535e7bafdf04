public import Diagnostics

/// The input of a step and how it is read: what `read` holds in a pipeline file.
///
/// Exactly one of `csv`, `txt` and `xml` names the file. Options that are nil have the default of their form of input; an
/// option that means nothing for the form is an error, not ignored.
public struct ReaderConfiguration: Hashable, Sendable {
  /// What becomes of a record with too few or too many fields.
  public enum FieldPolicy: String, Hashable, Sendable, Codable, CaseIterable {
    /// The record is refused.
    case reject
    /// Missing fields are absent, which means null.
    case null
    /// Fields too many are left out.
    case ignore
  }

  /// What the places and widths of fixed-width columns count.
  public enum Unit: String, Hashable, Sendable, Codable, CaseIterable {
    /// Unicode scalars: an accent that is a character of its own counts.
    case characters
    /// Bytes of UTF-8.
    case bytes
  }

  /// A CSV file; `-` is standard input.
  public var csv: String?
  /// A text file, delimited or of fixed width; `-` is standard input.
  public var txt: String?
  /// An XML file; `-` is standard input.
  public var xml: String?

  /// What separates fields; the default is a comma for CSV and a tab for txt.
  ///
  /// One character for CSV, any text for txt, where the word `blanks` means a run of spaces and tabs. `\t` is a tab.
  public var delimiter: String?
  /// What encloses fields; empty for nothing. The default is `"` for CSV and nothing for txt.
  public var quote: String?
  /// What takes its meaning from the character behind it. The default is nothing: quotes in quotes are doubled.
  public var escape: String?
  /// The number of header lines, joined by a blank where there are several.
  ///
  /// The default is 1; it is 0 with `columns` and for fixed width.
  public var header: Int?
  /// The names of the columns, for a file without a header, or instead of it.
  public var columns: [String]?
  /// The number of lines left out at the beginning. The default is 0.
  public var skipLines: Int?
  /// How a line begins that is left out. The default is nothing.
  public var comment: String?
  /// Whether blanks around fields are left out, unless they stand in quotes.
  ///
  /// The default is true for fixed width, where they fill the width, and for the text of XML elements, where they indent.
  public var trim: Bool?
  /// What becomes of a record with too few fields: `reject`, the default, or `null`.
  public var missingFields: FieldPolicy?
  /// What becomes of a record with too many fields: `reject`, the default, or `ignore`.
  public var extraFields: FieldPolicy?
  /// The encoding: a name, or `auto`, the default: what a byte order mark tells, or UTF-8. XML declares its own.
  public var encoding: String?
  /// Whether a first line such as `sep=;` of CSV tells the delimiter. The default is true.
  public var separatorLine: Bool?

  /// The widths of fixed-width columns side by side; that of the last may be left out if `columns` has one name more.
  public var widths: [Int]?
  /// Fixed-width columns by their places.
  public var fixedFields: [FixedField]?
  /// What the places and widths count. The default is characters.
  public var unit: Unit?

  /// The path of the XML elements that are records: `catalog/item` from the root, `//item` anywhere.
  public var record: String?
  /// The paths of columns in an XML record: `name`, `address/city`, `@id`, `a/@b`, `.`, `text()`, `../@x`, `/root/@x`.
  public var paths: [String: String]?
  /// The prefixes used in paths, and the namespaces they mean.
  public var namespaces: [String: String]?

  /// Whether a file of 0 bytes is good and has no records. The default is false: it is an error.
  public var allowEmpty: Bool?
  /// Whether the records before the place where an input is broken are kept in a store that was there before: XML that is
  /// malformed, gzip data cut short, bytes that are not of the encoding.
  ///
  /// The default is false: the input is read through before its first record is written. Text from a pipe is not, and what
  /// comes before such a place is kept.
  public var keepPartial: Bool?

  /// Makes a configuration with the defaults, and no file.
  public init() {}
}

extension ReaderConfiguration: Codable {
  private enum Key: String, CodingKey {
    case csv, txt, xml, delimiter, quote, escape, header, columns, skipLines, comment, trim, missingFields, extraFields
    case encoding, separatorLine, widths, fields, unit, record, namespaces, allowEmpty, keepPartial
  }

  /// Reads what is there; `fields` is an array for fixed width and an object for XML.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    csv = try container.decodeIfPresent(String.self, forKey: .csv)
    txt = try container.decodeIfPresent(String.self, forKey: .txt)
    xml = try container.decodeIfPresent(String.self, forKey: .xml)
    delimiter = try container.decodeIfPresent(String.self, forKey: .delimiter)
    quote = try container.decodeIfPresent(String.self, forKey: .quote)
    escape = try container.decodeIfPresent(String.self, forKey: .escape)
    header = try container.decodeIfPresent(Int.self, forKey: .header)
    columns = try container.decodeIfPresent([String].self, forKey: .columns)
    skipLines = try container.decodeIfPresent(Int.self, forKey: .skipLines)
    comment = try container.decodeIfPresent(String.self, forKey: .comment)
    trim = try container.decodeIfPresent(Bool.self, forKey: .trim)
    missingFields = try container.decodeIfPresent(FieldPolicy.self, forKey: .missingFields)
    extraFields = try container.decodeIfPresent(FieldPolicy.self, forKey: .extraFields)
    encoding = try container.decodeIfPresent(String.self, forKey: .encoding)
    separatorLine = try container.decodeIfPresent(Bool.self, forKey: .separatorLine)
    widths = try container.decodeIfPresent([Int].self, forKey: .widths)
    unit = try container.decodeIfPresent(Unit.self, forKey: .unit)
    record = try container.decodeIfPresent(String.self, forKey: .record)
    namespaces = try container.decodeIfPresent([String: String].self, forKey: .namespaces)
    allowEmpty = try container.decodeIfPresent(Bool.self, forKey: .allowEmpty)
    keepPartial = try container.decodeIfPresent(Bool.self, forKey: .keepPartial)
    if xml != nil {
      paths = try container.decodeIfPresent([String: String].self, forKey: .fields)
    } else {
      fixedFields = try container.decodeIfPresent([FixedField].self, forKey: .fields)
    }
  }

  /// Writes what is set.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encodeIfPresent(csv, forKey: .csv)
    try container.encodeIfPresent(txt, forKey: .txt)
    try container.encodeIfPresent(xml, forKey: .xml)
    try container.encodeIfPresent(delimiter, forKey: .delimiter)
    try container.encodeIfPresent(quote, forKey: .quote)
    try container.encodeIfPresent(escape, forKey: .escape)
    try container.encodeIfPresent(header, forKey: .header)
    try container.encodeIfPresent(columns, forKey: .columns)
    try container.encodeIfPresent(skipLines, forKey: .skipLines)
    try container.encodeIfPresent(comment, forKey: .comment)
    try container.encodeIfPresent(trim, forKey: .trim)
    try container.encodeIfPresent(missingFields, forKey: .missingFields)
    try container.encodeIfPresent(extraFields, forKey: .extraFields)
    try container.encodeIfPresent(encoding, forKey: .encoding)
    try container.encodeIfPresent(separatorLine, forKey: .separatorLine)
    try container.encodeIfPresent(widths, forKey: .widths)
    try container.encodeIfPresent(unit, forKey: .unit)
    try container.encodeIfPresent(record, forKey: .record)
    try container.encodeIfPresent(namespaces, forKey: .namespaces)
    try container.encodeIfPresent(allowEmpty, forKey: .allowEmpty)
    try container.encodeIfPresent(keepPartial, forKey: .keepPartial)
    try container.encodeIfPresent(paths, forKey: .fields)
    try container.encodeIfPresent(fixedFields, forKey: .fields)
  }
}

extension ReaderConfiguration: OptionDescribing {
  /// The options of all readers.
  public static let options: [OptionDescription] = [
    OptionDescription("csv", .text("FILE"), "the CSV file to read; - is standard input"),
    OptionDescription("txt", .text("FILE"), "the text file to read, delimited or of fixed width; - is standard input"),
    OptionDescription("xml", .text("FILE"), "the XML file to read; - is standard input"),
    OptionDescription(
      "delimiter", .text("TEXT"),
      "what separates fields: a character for CSV (\\t is a tab), any text for txt, or the word blanks for runs of them",
      default: ", for CSV, a tab for txt", check: checkMark),
    OptionDescription(
      "quote", .text("CHAR"), "what encloses fields; empty for nothing", default: "\" for CSV, nothing for txt",
      allowsEmpty: true, check: { text throws(Diagnostic) in _ = try byte("quote", text) }),
    OptionDescription(
      "escape", .text("CHAR"), "what takes its meaning from the character behind it", default: "nothing: quotes double",
      allowsEmpty: true, check: { text throws(Diagnostic) in _ = try byte("escape", text) }),
    OptionDescription(
      "header", .integer(atLeast: 0), "the number of header lines, joined by a blank",
      default: "1; 0 with columns and for fixed width"),
    OptionDescription(
      "columns", .list("NAME"), "the names of the columns, without a header or instead of it",
      allowsEmpty: true),
    OptionDescription(
      "skipLines", .integer(atLeast: 0), "the number of lines left out at the beginning", default: "0"),
    OptionDescription("comment", .text("TEXT"), "how a line begins that is left out", check: checkMark),
    OptionDescription(
      "trim", .flag, "leave out blanks around fields that are not quoted",
      default: "false; true for fixed width and XML elements"),
    OptionDescription(
      "missingFields", .choice(["reject", "null"]), "what becomes of a record with too few fields", default: "reject"),
    OptionDescription(
      "extraFields", .choice(["reject", "ignore"]), "what becomes of a record with too many fields", default: "reject"),
    OptionDescription(
      "encoding", .text("NAME"), "the encoding of CSV or txt; auto is what a byte order mark tells, or UTF-8",
      default: "auto", check: { text throws(Diagnostic) in _ = try textEncoding(text) }),
    OptionDescription(
      "separatorLine", .flag, "take a first line of CSV such as sep=; as the delimiter", default: "true"),
    OptionDescription(
      "widths", .list("N"), "the widths of fixed-width columns side by side; the last may be left out",
      check: checkWidth),
    OptionDescription(
      "fields", .object, "columns by place: [{name, start, width}] for fixed width, {column: path} for XML"),
    OptionDescription(
      "unit", .choice(["characters", "bytes"]), "what places and widths count", default: "characters"),
    OptionDescription(
      "record", .text("PATH"), "the XML elements that are records: catalog/item from the root, //item anywhere"),
    OptionDescription("namespaces", .object, "the prefixes used in paths, and the namespaces they mean"),
    OptionDescription("allowEmpty", .flag, "take a file of 0 bytes as one without records", default: "false"),
    OptionDescription(
      "keepPartial", .flag,
      "keep the records before the place where the input is broken, in a store that was there before",
      default: "false"),
  ]
}
