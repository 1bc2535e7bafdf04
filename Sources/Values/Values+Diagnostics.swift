package import Diagnostics

extension Diagnostic.Code {
  /// An option of conversion does not say how to read texts.
  package static let conversionOption = Diagnostic.Code("convert.option", .usage)
}

extension Diagnostic {
  static func unknownTimeZone(_ name: String) -> Diagnostic {
    Diagnostic(
      .conversionOption, "timeZone: there is no zone \"\(name)\"",
      hint: "Write UTC, an offset such as +02:00, or a name such as Europe/Berlin.")
  }

  static func dateWithoutZone(_ pattern: String) -> Diagnostic {
    Diagnostic(
      .conversionOption, "date: \"\(pattern)\" reads a time of day, and neither it nor `timeZone` says in which zone",
      hint: "Set `timeZone`, e.g. to \"UTC\" or \"Europe/Berlin\", or add the zone's letters (Z, XXX) to the pattern.")
  }

  static func unknownDateLetters(_ letters: String, in pattern: String) -> Diagnostic {
    Diagnostic(
      .conversionOption, "date: \"\(letters)\" in \"\(pattern)\" is neither a form nor letters of a pattern",
      hint: """
        The forms are iso8601, unix, unixMilliseconds, reference, referenceMilliseconds. A pattern is made of yyyy yy M MM MMM MMMM d dd E EEEE H HH \
        h hh a m mm s ss S Z ZZZZZ X XX XXX x xx xxx; other letters stand in single quotes.
        """)
  }

  static func unclosedDateQuote(_ pattern: String) -> Diagnostic {
    Diagnostic(
      .conversionOption, "date: a quote is not closed in \"\(pattern)\"",
      hint: "Close it; two single quotes are one that is read.")
  }

  static func incompleteDatePattern(_ pattern: String, missing: String) -> Diagnostic {
    Diagnostic(
      .conversionOption, "date: \"\(pattern)\" needs \(missing)",
      hint: "A pattern reads a whole date, e.g. dd/MM/yyyy, or a time of day, e.g. HH:mm.")
  }

  static func contradictoryDatePattern(_ pattern: String) -> Diagnostic {
    Diagnostic(
      .conversionOption, "date: \"\(pattern)\" reads the same part of a date twice",
      hint: "Leave one of them out.")
  }

  static func noPivotYear(_ pattern: String) -> Diagnostic {
    Diagnostic(
      .conversionOption, "date: \"\(pattern)\" reads years of two digits, and nothing says of which century",
      hint: "Set `pivotYear` to the first of the hundred years that they stand for, e.g. 1950 for 1950 to 2049.")
  }

  static func pivotYear(_ year: Int) -> Diagnostic {
    Diagnostic(
      .conversionOption, "pivotYear: \(year) is not from 0 to 9900",
      hint: "1950 means the years 1950 to 2049.")
  }

  static func wordForBoth(_ word: String) -> Diagnostic {
    Diagnostic(
      .conversionOption, "true, false: \"\(word)\" is a word for both",
      hint: "Give the words of both, all different: those that are not given are true, yes, 1 and false, no, 0.")
  }

  static func noCases(_ kind: String) -> Diagnostic {
    Diagnostic(
      .conversionOption, "kind: \(ShownText.withArticle(kind)) needs its cases",
      hint: "Set `cases` to the words with their numbers, in the model's userInfo or in the mapping.")
  }

  static func unknownCase(_ word: String, known: [String]) -> Diagnostic {
    Diagnostic(
      .conversionOption, "unknown: \"\(word)\" is none of the cases \(ShownText.list(known))",
      hint: "Name one of `cases`, or leave `unknown` out: then other words are rejected.")
  }

  static func notASign(_ text: String, option: String) -> Diagnostic {
    Diagnostic(
      .conversionOption, "\(option): expected one character that is no digit and no sign, found \"\(text)\"",
      hint: "Signs are such as . , ' or a blank.")
  }

  static func sameSigns(_ text: String) -> Diagnostic {
    Diagnostic(
      .conversionOption, "decimalSign, groupingSign: both are \"\(text)\"",
      hint: "Give both, different: the decimal sign is a full stop if it is not given.")
  }

  static func unknownUnit(_ symbol: String) -> Diagnostic {
    Diagnostic(
      .conversionOption, "storedUnit: there is no unit \"\(symbol)\"",
      hint: "The units are \(MeasuringUnit.symbols.joined(separator: ", ")).")
  }

  static var noUnit: Diagnostic {
    Diagnostic(
      .conversionOption, "kind: a measurement in a number needs its unit",
      hint: "Set `storedUnit` to that of the stored number, e.g. \"m\", in the model's userInfo or in the mapping.")
  }

  static func unknownTransformer(_ name: String, known: [String]) -> Diagnostic {
    Diagnostic(
      .conversionOption, "form: no value transformer is registered by the name \"\(name)\"",
      hint: known.isEmpty
        ? "Register it with ValueTransformers.register, or name the form that it makes: nscolor, uicolor, archive, ..."
        : "Those that are registered are \(known.joined(separator: ", ")).")
  }

  static func unknownKind(_ name: String, known: [String]) -> Diagnostic {
    Diagnostic(
      .conversionOption, "kind: there is no kind \"\(name)\"", hint: "The kinds are \(known.joined(separator: ", ")).")
  }

  static func unknownForm(
    _ form: String?, of kind: String, in type: StorageForm.StoredType, known: [StorageForm]
  ) -> Diagnostic {
    let what = form.map { "the form \"\($0)\" of \(ShownText.withArticle(kind))" } ?? ShownText.withArticle(kind)
    return Diagnostic(
      .conversionOption, "form: \(type.attributeName) does not keep \(what)",
      hint: "It is kept as \(known.map { "\($0.name) in \($0.type.attributeName)" }.joined(separator: ", ")).")
  }
}

extension StorageForm.StoredType {
  fileprivate var attributeName: String {
    switch self {
    case .integer: "an Integer attribute"
    case .real: "a Double or Float attribute"
    case .string: "a String attribute"
    case .data: "a Binary attribute"
    }
  }
}
