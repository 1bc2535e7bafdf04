public import Diagnostics
public import Values

/// Where an attribute's value comes from: an entry of a step's `map`.
///
/// A pipeline file spells it as the name of a column, or as an object: `{ column: "birthday", date: "dd/MM/yyyy" }`.
public struct AttributeMapping: Hashable, Sendable {
  /// The column. The default is the one whose name fits the attribute's.
  public var column: String?
  /// Several columns that make one value, e.g. red, green and blue.
  public var columns: [String]?
  /// The text that is used for every record, instead of a column.
  public var constant: String?
  /// The text that is used where the field is null.
  public var whenNull: String?
  /// Whether a null of a required attribute is its default, if the model gives one. The default is true.
  public var usesDefault: Bool?
  /// The stored attribute that keeps the value of a transient one. The default is what the model says.
  public var shadow: String?
  /// The word for no kind: texts are values of the stored attribute's own type, whatever the model says.
  static let noKind = "none"

  /// The kind of a shadow attribute's value; `none` for no kind. The default is what the model says.
  public var kind: String?
  /// The form in which a shadow attribute keeps its value. The default is what the model says, or the kind's own.
  public var form: String?
  /// The words of an enumeration with their numbers. The default is what the model says.
  public var cases: [String: Int64]?
  /// The case that unknown words of an enumeration mean. The default is none: they are refused.
  public var unknown: String?
  /// How texts are read; what is not said here is said by the step.
  public var options = ConversionOptions()

  /// Makes a mapping to a column, or to the one whose name fits.
  public init(column: String? = nil) { self.column = column }
}

extension AttributeMapping: ExpressibleByStringLiteral {
  /// Makes a mapping to a column.
  public init(stringLiteral column: String) { self.init(column: column) }
}

extension AttributeMapping: Codable {
  private enum CodingKeys: String, CodingKey {
    case column, columns, constant, whenNull, usesDefault, shadow, kind, form, cases, unknown
  }

  /// Reads a column's name, or an object.
  public init(from decoder: any Decoder) throws {
    if let column = try? decoder.singleValueContainer().decode(String.self) {
      self.init(column: column)
      return
    }
    self.init()
    let object = try decoder.container(keyedBy: CodingKeys.self)
    column = try object.decodeIfPresent(String.self, forKey: .column)
    columns = try object.decodeIfPresent([String].self, forKey: .columns)
    constant = try object.decodeIfPresent(String.self, forKey: .constant)
    whenNull = try object.decodeIfPresent(String.self, forKey: .whenNull)
    usesDefault = try object.decodeIfPresent(Bool.self, forKey: .usesDefault)
    shadow = try object.decodeIfPresent(String.self, forKey: .shadow)
    kind = try object.decodeIfPresent(String.self, forKey: .kind)
    form = try object.decodeIfPresent(String.self, forKey: .form)
    cases = try object.decodeIfPresent([String: Int64].self, forKey: .cases)
    unknown = try object.decodeIfPresent(String.self, forKey: .unknown)
    options = try ConversionOptions(from: decoder)
  }

  /// Writes an object.
  public func encode(to encoder: any Encoder) throws {
    var object = encoder.container(keyedBy: CodingKeys.self)
    try object.encodeIfPresent(column, forKey: .column)
    try object.encodeIfPresent(columns, forKey: .columns)
    try object.encodeIfPresent(constant, forKey: .constant)
    try object.encodeIfPresent(whenNull, forKey: .whenNull)
    try object.encodeIfPresent(usesDefault, forKey: .usesDefault)
    try object.encodeIfPresent(shadow, forKey: .shadow)
    try object.encodeIfPresent(kind, forKey: .kind)
    try object.encodeIfPresent(form, forKey: .form)
    try object.encodeIfPresent(cases, forKey: .cases)
    try object.encodeIfPresent(unknown, forKey: .unknown)
    try options.encode(to: encoder)
  }
}

extension AttributeMapping: OptionDescribing {
  /// The options, in the order of the help; the conversion options are among them.
  public static let options: [OptionDescription] =
    [
      OptionDescription("column", .text("COLUMN"), "the column"),
      OptionDescription("columns", .list("COLUMN"), "several columns that make one value, e.g. red, green and blue"),
      OptionDescription("constant", .text("TEXT"), "a text for every record, instead of a column", allowsEmpty: true),
      OptionDescription("whenNull", .text("TEXT"), "a text where the field is null", allowsEmpty: true),
      OptionDescription(
        "usesDefault", .flag, "a null of a required attribute is the default that the model gives it", default: "true"),
      OptionDescription("shadow", .text("ATTRIBUTE"), "the stored attribute that keeps the value of a transient one"),
      OptionDescription("kind", .text("KIND"), "the kind of a shadow attribute's value: color, rect, enum, ...; none"),
      OptionDescription("form", .text("FORM"), "the form in which the shadow attribute keeps it: nscolor, hex, ..."),
      OptionDescription("cases", .object, "the words of an enumeration with their numbers"),
      OptionDescription("unknown", .text("CASE"), "the case that unknown words of an enumeration mean"),
    ] + ConversionOptions.options
}
