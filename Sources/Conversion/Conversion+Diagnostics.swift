package import Diagnostics
import Values

extension Diagnostic.Code {
  /// Columns, attributes and mappings do not fit each other.
  package static let conversionColumns = Diagnostic.Code("convert.columns", .usage)

  package static let conversionNumber = Diagnostic.Code("convert.number", .reject)
  package static let conversionRange = Diagnostic.Code("convert.range", .reject)
  package static let conversionDecimalPrecision = Diagnostic.Code("convert.decimal-precision", .reject)
  package static let conversionBoolean = Diagnostic.Code("convert.boolean", .reject)
  package static let conversionDate = Diagnostic.Code("convert.date", .reject)
  package static let conversionUUID = Diagnostic.Code("convert.uuid", .reject)
  package static let conversionURI = Diagnostic.Code("convert.uri", .reject)
  package static let conversionBinary = Diagnostic.Code("convert.binary", .reject)
  /// A colour, a rectangle, an enumeration or another kind of value.
  package static let conversionKind = Diagnostic.Code("convert.kind", .reject)
  /// A file that is named and not there, or not where files may be.
  package static let conversionFile = Diagnostic.Code("convert.file", .reject)
  package static let conversionUTF8 = Diagnostic.Code("convert.utf8", .reject)
  package static let conversionNUL = Diagnostic.Code("convert.nul", .reject)
  /// Several occurrences where one value is wanted.
  package static let conversionRepeated = Diagnostic.Code("convert.repeated", .reject)
  /// Local times that come twice.
  package static let conversionDoubledTime = Diagnostic.Code("convert.doubled-time", .warning)
}

/// A field that is refused.
struct FieldDescription {
  var column: String
  var attribute: String
  var text: FieldText
  var position: SourcePosition
}

extension Diagnostic {
  static func columnsDoNotFit(
    _ entity: String, _ problems: [String], hints: [String], file: String
  ) -> Diagnostic {
    // A file of another kind has a problem in each of its columns: nobody reads them all.
    let rest = problems.count > 20 ? "; and \(problems.count - 20) more" : ""
    return Diagnostic(
      .conversionColumns, "the columns do not fit \(entity): \(problems.prefix(20).joined(separator: "; "))\(rest)",
      hint: hints.prefix(20).joined(separator: " "), at: SourcePosition(file: file))
  }

  static func notAValue(_ trouble: TextTrouble, _ reader: FieldReader, _ field: FieldDescription) -> Diagnostic {
    Diagnostic(
      trouble.code(of: reader),
      "column \(ShownText.excerpt(field.column)): expected \(trouble.expectation(of: reader)) for \(field.attribute), found \(field.text.excerpt)",
      hint: trouble.hint(of: reader, field.text), at: field.position)
  }

  static func notConverted(
    _ trouble: TextTrouble, _ reader: FieldReader, _ attribute: String, _ text: FieldText
  ) -> Diagnostic {
    Diagnostic(
      trouble.code(of: reader), "expected \(trouble.expectation(of: reader)) for \(attribute), found \(text.excerpt)",
      hint: trouble.hint(of: reader, text))
  }

  static func repeatedField(_ field: FieldDescription) -> Diagnostic {
    Diagnostic(
      .conversionRepeated,
      "column \(ShownText.excerpt(field.column)): expected one occurrence for \(field.attribute), found several: \(field.text.excerpt)",
      hint: "Name one of them by its path in `fields`, or map the column to a to-many relationship.", at: field.position
    )
  }

  static func doubledTimes(_ count: Int, _ attribute: String, zone: String, at position: SourcePosition?) -> Diagnostic
  {
    Diagnostic(
      .conversionDoubledTime,
      count == 1
        ? "\(attribute): one local time comes twice in \(zone); the first was taken"
        : "\(attribute): \(count) local times come twice in \(zone); the first of each was taken",
      hint: "Let the input name the offset from UTC, if it can.", at: position)
  }
}

extension TextTrouble {
  fileprivate func code(of reader: FieldReader) -> Diagnostic.Code {
    switch (self, reader) {
    case (.encoding, _): .conversionUTF8
    case (.nul, _): .conversionNUL
    case (.precision, _): .conversionDecimalPrecision
    case (.noFile, _), (.outsideFolder, _): .conversionFile
    case (_, .kind): .conversionKind
    case (.range, _): .conversionRange
    case (_, .string): .conversionUTF8
    case (_, .integer), (_, .real), (_, .float), (_, .decimal): .conversionNumber
    case (_, .boolean): .conversionBoolean
    case (_, .date): .conversionDate
    case (_, .uuid): .conversionUUID
    case (_, .uri): .conversionURI
    case (_, .binary): .conversionBinary
    }
  }

  fileprivate func expectation(of reader: FieldReader) -> String {
    switch self {
    case .form, .unknownWord, .unknownUnit: reader.expectation
    case .noFile: "a file that can be read"
    case .outsideFolder: "the name of a file in the input's folder, or below it"
    case .range: reader.rangeExpectation
    case .precision where reader.isKind: "a whole number"
    case .precision: "a decimal that a DECIMAL column keeps exactly"
    case .noSuchDate: "a day and time that exist"
    case .noSuchLocalTime:
      if case .date(let parser) = reader, let zone = parser.zoneName {
        "a local time that exists in \(zone)"
      } else {
        reader.expectation
      }
    case .noZone: "a time with its zone"
    case .encoding: "text in UTF-8"
    case .nul: "text without NUL"
    }
  }

  fileprivate func hint(of reader: FieldReader, _ text: FieldText) -> String {
    switch self {
    case .precision where reader.isKind, .range where reader.isKind: return reader.spelling
    case .noZone: return "Set `timeZone` to the zone of times that name none, e.g. \"UTC\" or \"Europe/Berlin\"."
    case .unknownUnit: return "It has no unit, or one that is unknown, or of another quantity than the declared one."
    case .noSuchLocalTime: return "Clocks were put forward over this time."
    case .precision:
      return
        "SQLite keeps 15 digits of a decimal for certain; keep longer ones in a String attribute, or set `decimalLoss` to accept."
    case .encoding: return "Set `encoding` to that of the file."
    case .form where text.hasOuterBlanks: return "Set `trim` to drop the blanks around fields."
    case .form where text.hasComma && reader.readsNumbers:
      return "If the comma is the decimal sign, set `decimalSign` to \",\"; if it groups digits, set `groupingSign`."
    case .form, .unknownWord: return reader.spelling
    case .range: return "Correct it, or give the attribute a wider type in the model."
    case .noSuchDate: return "Correct it, or the order of day and month in `date`."
    case .noFile: return "Bring the file to where the name says, or correct the name."
    case .outsideFolder: return "Move the file there."
    case .nul: return "Remove it."
    }
  }
}

extension FieldReader {
  /// What a text must be, for messages.
  var expectation: String {
    switch self {
    case .string: "text in UTF-8"
    case .integer: "a whole number"
    case .real, .float, .decimal: "a number"
    case .boolean(let words): words.expectation
    case .date(let parser): parser.expectation
    case .uuid: "a UUID"
    case .uri: "a URI by RFC 3986"
    case .binary(let parser): parser.expectation
    case .kind(let kind): kind.kind.expectation
    }
  }

  /// How a value is spelled, or what says how: the hint for what is none.
  fileprivate var spelling: String {
    switch self {
    case .string: "Set `encoding` to that of the file."
    case .integer:
      "Whole numbers are digits, maybe behind a sign. `1.0` and `1e3` are refused, since a column with such numbers may hold "
        + "others that are not whole: correct them, or make the attribute a Double or Decimal in the model."
    case .real, .float, .decimal:
      "Numbers are digits, maybe with a sign, a fraction and an exponent; `decimalSign` and `groupingSign` set their signs."
    case .boolean: "Set other words with `true` and `false`."
    case .date: "Set `date` to the form of the file's dates, e.g. \"dd/MM/yyyy\" or \"unix\"."
    case .uuid: "It has 32 hexadecimal digits, in groups of 8, 4, 4, 4 and 12 with hyphens between."
    case .uri: "Write blanks and other special characters as % and two hexadecimal digits."
    case .binary: "Set `binary` to how the bytes are spelled: base64, hex, or file."
    case .kind(let kind): Self.spelling(kind.kind)
    }
  }

  private static func spelling(_ kind: some ValueKind) -> String {
    if kind is EnumKind || kind is OptionSetKind {
      return "Words are compared exactly, upper and lower case too: correct it, or add it to `cases`."
    }
    return kind.columnCounts.isEmpty
      ? "Correct it, or set another `kind`."
      : "Write it so, or name its parts with `columns`, if each has one of its own."
  }

  fileprivate var rangeExpectation: String {
    switch self {
    case .integer(let range, _): "a number from \(range.lowerBound) to \(range.upperBound)"
    case .real: "a number that a Double can hold"
    case .float: "a number that a Float can hold"
    case .decimal: "a number that a Decimal can hold"
    case .date: "a date that can be counted in seconds"
    default: expectation
    }
  }

  fileprivate var isKind: Bool { if case .kind = self { true } else { false } }

  fileprivate var readsNumbers: Bool {
    switch self {
    case .integer, .real, .float, .decimal: true
    default: false
    }
  }
}
