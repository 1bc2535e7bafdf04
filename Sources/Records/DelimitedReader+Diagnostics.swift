internal import Bytes
package import Diagnostics

extension Diagnostic.Code {
  package static let csvFieldCount = Diagnostic.Code("csv.field-count", .reject)
  package static let csvQuote = Diagnostic.Code("csv.quote", .reject)
  package static let csvUnterminatedQuote = Diagnostic.Code("csv.unterminated-quote", .reject)
  package static let csvNUL = Diagnostic.Code("csv.nul", .reject)
  package static let csvHeader = Diagnostic.Code("csv.header", .input)
  package static let csvDuplicateColumn = Diagnostic.Code("csv.duplicate-column", .usage)
  package static let csvSeparatorLine = Diagnostic.Code("csv.separator-line", .usage)
  package static let inputFieldTooLarge = Diagnostic.Code("input.field-too-large", .input)
}

extension Diagnostic {
  static func csvFieldCount(expected: Int, found: Int) -> Diagnostic {
    let hint =
      found < expected
      ? "Add what is missing, or set `missingFields` to \"null\"."
      : "Quote fields with the delimiter in them, or set `extraFields` to \"ignore\"."
    return Diagnostic(
      .csvFieldCount, "expected \(expected) field\(expected == 1 ? "" : "s"), found \(found)", hint: hint)
  }

  static func csvStrayQuote() -> Diagnostic {
    Diagnostic(
      .csvQuote, "found a quote inside a field that does not begin with one",
      hint:
        "Quote the whole field and double the quotes in it, set `trim` if only blanks stand before the quote, or set "
        + "`quote` to \"\" if quotes mean nothing in this file.")
  }

  static func csvTextAfterQuote() -> Diagnostic {
    Diagnostic(
      .csvQuote, "expected the delimiter or the end of the line behind a closing quote, found something else",
      hint: "Double the quotes inside a quoted field, or set `trim` if only blanks follow.")
  }

  static func csvUnterminatedQuote(line: Int, lastLine: Int) -> Diagnostic {
    let taken = lastLine > line ? ", so that the field takes everything up to line \(lastLine)" : ""
    return Diagnostic(
      .csvUnterminatedQuote, "the quote opened on line \(line) is not closed before the end of the file\(taken)",
      hint: "Close the quote, and import again what stands behind it: those lines were not read as records.")
  }

  static func csvNUL() -> Diagnostic {
    Diagnostic(.csvNUL, "found the character U+0000 (NUL), which no text may have", hint: "Remove it.")
  }

  static func csvHeader(_ cause: Diagnostic) -> Diagnostic {
    Diagnostic(.csvHeader, "the header cannot be read: \(cause.message)", hint: cause.hint, at: cause.position)
  }

  static func csvNoHeader(_ file: String) -> Diagnostic {
    Diagnostic(
      .csvHeader, "expected a header, found the end of the file",
      hint: "Check `skipLines` and `comment`; set `header` to 0 if there are no names in the file.",
      at: SourcePosition(file: file))
  }

  static func csvDuplicateColumn(_ name: String, _ first: Int, _ second: Int) -> Diagnostic {
    Diagnostic(
      .csvDuplicateColumn, "the columns \(first) and \(second) are both called \"\(name)\"",
      hint: "Give all names anew with `columns`, together with `header: 1`.")
  }

  static func csvSeparatorLine(_ found: String, given: String) -> Diagnostic {
    Diagnostic(
      .csvSeparatorLine, "the first line says that the delimiter is \"\(found)\", `delimiter` says \"\(given)\"",
      hint: "Leave `delimiter` out, or set `separatorLine` to false if the line is the header.")
  }

  static func inputFieldTooLarge(limit: Int) -> Diagnostic {
    Diagnostic(
      .inputFieldTooLarge, "a field is larger than \(limit >> 20) MiB",
      hint: "A quote that is not closed, or another delimiter or line end than expected, looks like that.")
  }

  static func inputOtherFile(_ file: String) -> Diagnostic {
    Diagnostic(
      .inputChanged, "the place where an earlier run stopped is not in this file",
      hint: "It is not the file that the earlier run read: start again from its beginning.",
      at: SourcePosition(file: file))
  }
}

extension SourcePosition {
  init(_ file: String, _ position: RecordChunk.RecordPosition, column: Int? = nil) {
    self.init(file: file, record: position.record, line: position.line, byte: position.byte, column: column)
  }
}

extension DelimitedReader {
  /// The words for what the tokenizer found.
  func diagnostic(_ trouble: CSVTokenizer.Trouble, _ position: RecordChunk.RecordPosition) -> Diagnostic {
    let diagnostic: Diagnostic =
      switch trouble.kind {
      case .nul: .csvNUL()
      case .strayQuote: .csvStrayQuote()
      case .textAfterQuote: .csvTextAfterQuote()
      case .unterminatedQuote: .csvUnterminatedQuote(line: trouble.line, lastLine: tokenizer.line)
      }
    return diagnostic.at(SourcePosition(file, position, column: trouble.column))
  }

  func tooLarge(_ position: RecordChunk.RecordPosition) -> Diagnostic {
    .inputFieldTooLarge(limit: Self.maximumFieldSize).at(SourcePosition(file, position))
  }
}
