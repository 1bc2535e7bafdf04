package import Diagnostics

extension Diagnostic.Code {
  package static let txtLineLength = Diagnostic.Code("txt.line-length", .reject)
  package static let txtSplitCharacter = Diagnostic.Code("txt.split-character", .reject)
}

extension Diagnostic {
  static func txtLineLength(
    expected: Int, found: Int, unit: ReaderConfiguration.Unit, isExact: Bool
  ) -> Diagnostic {
    let other = unit == .characters ? "bytes" : "characters"
    let setting =
      found < expected
      ? "set `missingFields` to \"null\" if blanks at the end of lines are left out"
      : "set `extraFields` to \"ignore\" if what follows the last column means nothing"
    return Diagnostic(
      .txtLineLength, "expected a line of \(isExact ? "" : "at least ")\(expected) \(unit.rawValue), found \(found)",
      hint: "Check the widths; set `unit` to \"\(other)\" if they count \(other); \(setting).")
  }

  static func txtSplitCharacter(column: String) -> Diagnostic {
    Diagnostic(
      .txtSplitCharacter, "the column \"\(column)\" begins or ends inside a character of several bytes",
      hint: "Set `unit` to \"characters\" if the widths count characters.")
  }
}
