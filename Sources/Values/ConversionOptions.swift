public import Diagnostics

/// How texts are read as values: one set for a whole step, and one for each attribute, which wins.
///
/// What is nil is not said here, and the next wider set or the default decides. Nothing depends on the machine's locale,
/// time zone or calendar.
public struct ConversionOptions: Codable, Hashable, Sendable {
  /// The form of dates: `iso8601`, `unix`, `unixMilliseconds`, `reference`, `referenceMilliseconds`, or a pattern such as
  /// `dd/MM/yyyy`. One without a date, such as `HH:mm`, reads times of day of 2001-01-01.
  ///
  /// The default is `iso8601`.
  public var date: String?
  /// The zone of a time of day that names none: `UTC`, `+02:00` or a name such as `Europe/Berlin`.
  ///
  /// There is no default: a time of day without a zone is refused. A day without a time is midnight UTC by default.
  public var timeZone: String?
  /// The first of the hundred years that two-digit years stand for; there is no default.
  public var pivotYear: Int?
  /// The sign before the fraction of a number. The default is a full stop.
  public var decimalSign: String?
  /// The sign between groups of three digits. The default is none.
  public var groupingSign: String?
  /// Whether `inf` and `nan` are numbers. The default is false.
  public var nonFinite: Bool?
  /// The words for true, in any case. The default is `true`, `yes` and `1`.
  public var trueWords: [String]?
  /// The words for false, in any case. The default is `false`, `no` and `0`.
  public var falseWords: [String]?
  /// The spellings of null, beside the empty field; they are compared exactly. The default is none.
  public var nulls: [String]?
  /// Whether the spellings of null mean null in quoted fields, too. The default is false.
  public var quotedNulls: Bool?
  /// When an empty field of a String attribute is an empty text. The default is `quoted`.
  public var empty: EmptyRule?
  /// Whether blanks around a field are dropped. The default is false.
  public var trim: Bool?
  /// Whether texts are brought into the normalisation form C of Unicode. The default is false: they stay as they are.
  public var nfc: Bool?
  /// What becomes of a decimal that the store's column would not give back equal. The default is `reject`.
  public var decimalLoss: DecimalLoss?
  /// How bytes are spelled. The default is base64.
  public var binary: BinaryForm?
  /// What a column of a colour counts up to. The default is 255.
  public var scale: ColourScale?
  /// What the columns of a colour are. The default is `rgb`.
  public var colorSpace: ColourSpace?
  /// Where the alpha of a colour's hexadecimal digits stands. The default is `last`.
  public var hexAlpha: AlphaPlace?
  /// The unit in which measurements are kept: `m`, `kg`, `°C`. There is no default.
  public var storedUnit: String?

  /// Makes a set that says nothing.
  public init() {}

  enum CodingKeys: String, CodingKey, CaseIterable {
    case date, timeZone, pivotYear, decimalSign, groupingSign, nonFinite
    case trueWords = "true"
    case falseWords = "false"
    case nulls, quotedNulls, empty, trim, nfc, decimalLoss, binary, scale, colorSpace, hexAlpha, storedUnit
  }
}

/// How bytes are spelled as text.
public enum BinaryForm: String, Codable, Hashable, Sendable, CaseIterable {
  /// RFC 4648, section 4, with padding; line breaks and blanks between are skipped.
  case base64
  /// Two hexadecimal digits a byte.
  case hex
  /// The name of a file whose content is read; it lies in the folder of the input or in one below.
  case file
}

/// When an empty field of a String attribute is an empty text, and not null; of other types it is always null.
public enum EmptyRule: String, Codable, Hashable, Sendable, CaseIterable {
  /// When it stands in quotes.
  case quoted
  /// Always; only a field that is not there is null.
  case text
  /// Never.
  case null
}

/// What becomes of a decimal that the store's column, a double, would not give back equal.
public enum DecimalLoss: String, Codable, Hashable, Sendable, CaseIterable {
  /// It is refused.
  case reject
  /// The nearest double is stored.
  case accept
}

extension ConversionOptions {
  /// These options, and for what they do not say those of a wider set.
  public func over(_ wider: ConversionOptions) -> ConversionOptions {
    var options = self
    options.date = date ?? wider.date
    options.timeZone = timeZone ?? wider.timeZone
    options.pivotYear = pivotYear ?? wider.pivotYear
    options.decimalSign = decimalSign ?? wider.decimalSign
    options.groupingSign = groupingSign ?? wider.groupingSign
    options.nonFinite = nonFinite ?? wider.nonFinite
    options.trueWords = trueWords ?? wider.trueWords
    options.falseWords = falseWords ?? wider.falseWords
    options.nulls = nulls ?? wider.nulls
    options.quotedNulls = quotedNulls ?? wider.quotedNulls
    options.empty = empty ?? wider.empty
    options.trim = trim ?? wider.trim
    options.nfc = nfc ?? wider.nfc
    options.decimalLoss = decimalLoss ?? wider.decimalLoss
    options.binary = binary ?? wider.binary
    options.scale = scale ?? wider.scale
    options.colorSpace = colorSpace ?? wider.colorSpace
    options.hexAlpha = hexAlpha ?? wider.hexAlpha
    options.storedUnit = storedUnit ?? wider.storedUnit
    return options
  }
}

extension ConversionOptions {
  /// Throws when options of this set contradict each other, whether an attribute goes by them or not.
  ///
  /// Each by itself is checked where it is declared.
  package func check() throws(Diagnostic) {
    _ = try BooleanWords(true: trueWords, false: falseWords)
    // What one of two signs means, a narrower set may say.
    if decimalSign != nil, groupingSign != nil { _ = try NumberFormat(self) }
  }
}

extension ConversionOptions: OptionDescribing {
  /// The options, in the order of the help.
  public static let options: [OptionDescription] = [
    OptionDescription(
      "date", .text("FORM"),
      "dates are iso8601, unix, unixMilliseconds, reference, referenceMilliseconds, or a pattern such as dd/MM/yyyy",
      default: "iso8601", check: DateParser.check),
    OptionDescription(
      "timeZone", .text("ZONE"), "the zone of times that name none: UTC, +02:00, Europe/Berlin",
      check: LocalZone.check),
    OptionDescription(
      "pivotYear", .integer(atLeast: 0), "the first of the hundred years that two-digit years stand for",
      check: DatePattern.checkPivot),
    OptionDescription(
      "decimalSign", .text("CHAR"), "the sign before the fraction of a number", default: ".",
      check: { text throws(Diagnostic) in try NumberFormat.check(text, option: "decimalSign") }),
    OptionDescription(
      "groupingSign", .text("CHAR"), "the sign between groups of three digits",
      check: { text throws(Diagnostic) in try NumberFormat.check(text, option: "groupingSign") }),
    OptionDescription("nonFinite", .flag, "inf and nan are numbers", default: "false"),
    OptionDescription("true", .list("WORD"), "the words for true, in any case", default: "true, yes, 1"),
    OptionDescription("false", .list("WORD"), "the words for false, in any case", default: "false, no, 0"),
    OptionDescription("nulls", .list("TEXT"), "spellings of null, beside the empty field", allowsEmpty: true),
    OptionDescription("quotedNulls", .flag, "the spellings of null mean null in quoted fields, too", default: "false"),
    OptionDescription(
      "empty", .choice(EmptyRule.allCases.map(\.rawValue)), "when an empty field is an empty text", default: "quoted"),
    OptionDescription("trim", .flag, "blanks around a field are dropped", default: "false"),
    OptionDescription("nfc", .flag, "texts are brought into normalisation form C", default: "false"),
    OptionDescription(
      "decimalLoss", .choice(DecimalLoss.allCases.map(\.rawValue)),
      "what becomes of decimals that the store would not give back equal", default: "reject"),
    OptionDescription(
      "binary", .choice(BinaryForm.allCases.map(\.rawValue)),
      "how bytes are spelled; file: the name of a file that is read", default: "base64"),
    OptionDescription(
      "scale", .choice(ColourScale.allCases.map(\.rawValue)), "what a column of a colour counts up to", default: "255"),
    OptionDescription(
      "colorSpace", .choice(ColourSpace.allCases.map(\.rawValue)), "what the columns of a colour are", default: "rgb"),
    OptionDescription(
      "hexAlpha", .choice(AlphaPlace.allCases.map(\.rawValue)), "where the alpha of hexadecimal digits stands",
      default: "last"),
    OptionDescription(
      "storedUnit", .text("UNIT"), "the unit in which measurements are kept: m, kg, °C",
      check: MeasurementKind.check),
  ]
}
