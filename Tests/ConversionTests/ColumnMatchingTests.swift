import Diagnostics
import ObjectModel
import TestSupport
import Testing
import Values

@testable import Conversion

struct ColumnMatchingTests {
  private static func contact() -> NSEntityDescription {
    let department = NSRelationshipDescription()
    department.name = "department"
    department.destinationEntity = entity("Department", [])
    let total = NSDerivedAttributeDescription()
    total.name = "total"
    total.attributeType = .integer64AttributeType
    return entity(
      "Contact",
      [
        attribute("firstName", isOptional: false), attribute("lastName"),
        attribute("nick", userInfo: ["importName": "Handle"]),
        attribute("age", .integer16AttributeType, isOptional: false, default: .integer(0)),
        attribute("born", .dateAttributeType),
        transient("color", ["kind": "color"]), attribute("colorData", .binaryDataAttributeType), transient("avatar"),
        transient("mood", ["shadow": "nick"]), department, total,
      ])
  }

  // MARK: What fits

  static let fitting: [Case<(columns: [String], mappings: String, ignoring: Set<String>), [String]>] = [
    Case("same names", (["firstName", "lastName"], "{}", []), ["firstName", "lastName"]),
    Case("case, blanks, _ and -", (["FIRST NAME", "last_name"], "{}", []), ["firstName", "lastName"]),
    Case("importName", (["first-name", "handle"], "{}", []), ["firstName", "nick"]),
    Case("shadow", (["firstName", "Color"], "{}", []), ["colorData", "firstName"]),
    Case("ignored", (["firstName", "x", "y"], "{}", ["x", "y"]), ["firstName"]),
    Case("all the rest ignored", (["firstName", "x", "", "total"], "{}", ["*"]), ["firstName"]),
    Case("used elsewhere", (["firstName", "dep"], "{}", []), ["firstName"]),
    Case("mapped", (["given", "x"], #"{"firstName": "given", "lastName": "x"}"#, []), ["firstName", "lastName"]),
    Case("options alone", (["first name", "born"], #"{"born": {"date": "unix"}}"#, []), ["born", "firstName"]),
    Case("constant", ([], #"{"firstName": {"constant": "x"}}"#, []), ["firstName"]),
    Case(
      "one column for two attributes", (["given"], #"{"firstName": "given", "lastName": "given"}"#, []),
      ["firstName", "lastName"]),
  ]

  @Test(arguments: fitting)
  func fits(_ c: Case<(columns: [String], mappings: String, ignoring: Set<String>), [String]>) throws {
    let entity = Self.contact()
    let converter = try RecordConverter(
      entity: entity, columns: c.input.columns, mappings: mappings(c.input.mappings), ignoring: c.input.ignoring,
      usedElsewhere: ["dep"])
    #expect(converter.makeColumns().places.map { entity.layout.attributes[$0].path } == c.expected)
  }

  // MARK: What does not

  static let unfit: [Case<(columns: [String], mappings: String), String>] = [
    Case(
      "unmatched column", (["firstName", "lastNam"], "{}"),
      "the column \"lastNam\" fits no attribute [convert.columns]\n  Did you mean \"lastName\" instead of \"lastNam\"?"),
    Case(
      "column of a derived attribute", (["firstName", "TOTAL"], "{}"),
      "the column \"TOTAL\" fits the attribute total, which is derived: the store computes it [convert.columns]\n"
        + "  List columns that are not imported under `ignore`."),
    Case(
      "column without a name", (["firstName", ""], "{}"),
      "column 2 has no name [convert.columns]\n  List columns that are not imported under `ignore`."),
    Case(
      "required attribute", (["lastName"], "{}"),
      "the required attribute firstName has no column [convert.columns]\n"
        + "  Map a required attribute to a column or a `constant`, or give it a default in the model."),
    Case(
      "everything at once",
      (["x", "y", "lastName"], #"{"born": {"column": "lastName", "date": "YYYY"}, "agee": "x"}"#),
      "Contact has no attribute agee; the attribute born: date: \"YYYY\" in \"YYYY\" is neither a form nor letters of a pattern; "
        + "the column \"y\" fits no attribute; the required attribute firstName has no column [convert.columns]\n"
        + "  Did you mean the attribute age? The forms are iso8601, unix, unixMilliseconds, reference, referenceMilliseconds. A pattern is made of "
        + "yyyy yy M MM MMM MMMM d dd E EEEE H HH h hh a m mm s ss S Z ZZZZZ X XX XXX x xx xxx; other letters stand in single quotes. "
        + "Name the attribute of a column in `map`, or list the column under `ignore`. "
        + "Map a required attribute to a column or a `constant`, or give it a default in the model."),
    Case(
      "missing column", (["firstName", "surname"], #"{"lastName": "surnames"}"#),
      "the attribute lastName is mapped to the column \"surnames\", which is not there; the column \"surname\" fits no attribute "
        + "[convert.columns]\n  Did you mean the column \"surname\"? Name the attribute of a column in `map`, or list the column under `ignore`."
    ),
    Case(
      "column there twice", (["firstName", "x", "x"], #"{"lastName": "x"}"#),
      "the attribute lastName is mapped to the column \"x\", which is there 2 times; the column \"x\" fits no attribute; "
        + "the column \"x\" fits no attribute [convert.columns]\n  Give all columns names of their own with `columns`, "
        + "together with `header: 1`. Name the attribute of a column in `map`, or list the column under `ignore`."
    ),
    Case(
      "a relationship's name", (["firstName", "Department"], "{}"),
      "the column \"Department\" has the name of the relationship department [convert.columns]\n"
        + "  A pipeline file fills it: `relationships: { department: { column: \"Department\", by: \"ATTRIBUTE\" } }` in its step, "
        + "with the attribute of Contact that the column holds."
    ),
    Case(
      "two columns for an attribute", (["firstName", "first_name"], "{}"),
      "the columns \"firstName\", \"first_name\" all fit the attribute firstName [convert.columns]\n"
        + "  Name the column of firstName in `map`, and list the others under `ignore`."),
    Case(
      "attribute fed twice", (["given", "firstName"], #"{"firstName": "given"}"#),
      "the column \"firstName\" fits the attribute firstName, which has its value from elsewhere [convert.columns]\n"
        + "  List columns that are not imported under `ignore`."),
    Case(
      "shadow fed twice", (["firstName", "color", "colorData"], #"{"color": "color", "colorData": "colorData"}"#),
      "the attributes color and colorData are kept in the same place [convert.columns]"),
    Case(
      "derived", (["firstName"], #"{"total": {"constant": "1"}}"#),
      "the attribute total is derived: the store computes it [convert.columns]"),
    Case(
      "relationship", (["firstName"], #"{"department": {"constant": "1"}}"#),
      "department is a relationship [convert.columns]\n  Name a relationship's column under `relationships`."),
    Case(
      "transient", (["firstName"], #"{"avatar": {"constant": "1"}}"#),
      "the attribute avatar is transient and has no shadow [convert.columns]\n"
        + "  Name the stored attribute with `shadow`, in the model's userInfo or in the mapping."),
    Case(
      "column and constant", (["firstName"], #"{"lastName": {"column": "firstName", "constant": "x"}}"#),
      "the attribute lastName is mapped to more than one of `column`, `columns` and `constant` [convert.columns]"),
    Case(
      "columns of a plain attribute", (["firstName", "y", "m"], #"{"born": {"columns": ["y", "m"]}}"#),
      "the attribute born: 2 columns do not make one value of it [convert.columns]"),
    Case(
      "constant of another type", (["firstName"], #"{"age": {"constant": "x"}}"#),
      "the attribute age: expected a whole number, found \"x\" [convert.columns]"),
    Case(
      "no column for options", (["firstName"], #"{"born": {"date": "unix"}}"#),
      "no column fits the attribute born [convert.columns]\n  Name the column of born with `column`."),
    Case(
      "decimal sign", (["firstName", "age"], #"{"age": {"decimalSign": ",", "groupingSign": ","}}"#),
      "the attribute age: decimalSign, groupingSign: both are \",\" [convert.columns]"
    ),
    Case(
      "no sign", (["firstName", "age"], #"{"age": {"decimalSign": "12"}}"#),
      "the attribute age: decimalSign: expected one character that is no digit and no sign, found \"12\" [convert.columns]"
    ),
  ]

  @Test(arguments: unfit) func doesNotFit(_ c: Case<(columns: [String], mappings: String), String>) throws {
    let mappings = try mappings(c.input.mappings)
    let error = #expect(throws: Diagnostic.self) {
      try RecordConverter(entity: Self.contact(), columns: c.input.columns, mappings: mappings, file: "t.csv")
    }
    #expect(error?.text(like: c.expected) == "t.csv: the columns do not fit Contact: " + c.expected)
    #expect(error?.code.fate == .usage)
  }

  @Test func manyProblemsAreCutShort() throws {
    let columns = ["firstName"] + (1...1000).map { "column \($0) of another file" }
    let error = #expect(throws: Diagnostic.self) { try RecordConverter(entity: Self.contact(), columns: columns) }
    let message = try #require(error?.message)
    #expect(message.contains("the column \"column 20 of another file\"") && message.hasSuffix("; and 980 more"))
    #expect(message.utf8.count < 2000)
  }

  /// The hint lists the registered kinds, to which other tests add.
  @Test func noKind() throws {
    let error = #expect(throws: Diagnostic.self) {
      try RecordConverter(entity: Self.contact(), columns: ["firstName", "mood"])
    }
    #expect(
      error?.message
        == "the columns do not fit Contact: the attribute mood: nothing says of which kind its value is")
    let hint = try #require(error).hint
    #expect(
      hint.hasPrefix(
        "Set `kind`, in the model's userInfo or in the mapping, to one of affineTransform, binary, boolean, color, "))
  }
}
