/// Texts of users as people are shown them: on one line, and with nothing that a terminal obeys or that cannot be seen.
///
/// Names, fields and paths come from files of anybody's making. Whatever of them is written to a terminal goes through here;
/// what is shown once does not change when it is shown again.
public enum ShownText {
  /// A whole line of talk; of one that nobody would read, the middle is left out.
  public static func line(_ text: String) -> String {
    let shown = escaped(text)
    guard shown.utf8.count > lineLimit else { return shown }
    return "\(shown.prefix(lineLimit / 2)) … \(shown.suffix(lineLimit / 4))"
  }

  /// One name, field or value within a line, cut at its end.
  public static func excerpt(_ text: some StringProtocol) -> String {
    let start = text.unicodeScalars.prefix(excerptLimit + 1)
    guard start.count > excerptLimit else { return escaped(text) }
    return escaped(String(String.UnicodeScalarView(start.prefix(excerptLimit)))) + "…"
  }

  /// Several names, with commas between; the number of those that are too many for anybody to read.
  public static func list(_ names: some Collection<String>) -> String {
    let shown = names.prefix(listLimit).map(excerpt).joined(separator: ", ")
    return names.count > listLimit ? "\(shown) and \(names.count - listLimit) more" : shown
  }

  /// A noun behind its article: `an entity`, `a Binary`.
  public static func withArticle(_ noun: String) -> String {
    let isVowel = noun.first.map { "aeioAEIO".contains($0) } ?? false
    // Of the nouns in u only this one begins with a vowel to the ear: a URI, a unit.
    return (isVowel || noun == "Undefined" ? "an " : "a ") + noun
  }

  /// A text of which all is wanted, without what a terminal obeys.
  public static func escaped(_ text: some StringProtocol) -> String {
    var shown = ""
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return String(text) }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": shown += "\\n"
      case "\r": shown += "\\r"
      case "\t": shown += "\\t"
      case "\0": shown += "\\0"
      default:
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator:
          shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        default: shown.unicodeScalars.append(scalar)
        }
      }
    }
    return shown
  }

  private static let lineLimit = 4000
  /// How many characters of a name, a field or a value are shown.
  package static let excerptLimit = 60
  private static let listLimit = 40
}
