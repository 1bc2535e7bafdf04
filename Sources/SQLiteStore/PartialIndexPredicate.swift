/// The predicate of a partial index: comparisons of an attribute with a constant, joined by AND and OR.
///
/// It knows what SQLite can keep in an index and the corpus of models shows, no more.
indirect enum PartialIndexPredicate: Equatable {
  case comparison(attribute: String, operation: String, constant: String)
  case compound(word: String, parts: [PartialIndexPredicate])

  /// Parses a predicate's text; nil if it is not of this form.
  init?(_ text: String) {
    guard var parser = Parser(text), let predicate = parser.disjunction(), parser.isAtEnd else { return nil }
    self = predicate
  }

  /// The condition in SQL as Core Data writes it; nil if an attribute has no column.
  func sql(column: (String) -> String?) -> String? {
    switch self {
    case .comparison(let attribute, let operation, let constant):
      return column(attribute).map { "\($0) \(operation) \(constant)" }
    case .compound(let word, let parts):
      let terms = parts.compactMap { $0.sql(column: column) }
      return terms.count == parts.count ? "(\(terms.joined(separator: " \(word) ")))" : nil
    }
  }
}

private struct Parser {
  private var tokens: ArraySlice<String>

  init?(_ text: String) {
    guard let tokens = Self.tokens(of: text) else { return nil }
    self.tokens = tokens[...]
  }

  var isAtEnd: Bool { tokens.isEmpty }

  mutating func disjunction() -> PartialIndexPredicate? {
    compound("OR", "||") { parser in parser.compound("AND", "&&") { parser in parser.term() } }
  }

  private mutating func compound(
    _ word: String, _ sign: String, part: (inout Parser) -> PartialIndexPredicate?
  ) -> PartialIndexPredicate? {
    guard let first = part(&self) else { return nil }
    var parts = [first]
    while let next = tokens.first, next.uppercased() == word || next == sign {
      tokens.removeFirst()
      guard let part = part(&self) else { return nil }
      parts.append(part)
    }
    return parts.count == 1 ? first : .compound(word: word, parts: parts)
  }

  private mutating func term() -> PartialIndexPredicate? {
    guard let token = tokens.popFirst() else { return nil }
    if token == "(" {
      guard let inner = disjunction(), tokens.popFirst() == ")" else { return nil }
      return inner
    }
    guard token.first?.isLetter ?? false || token.first == "_", let sign = tokens.popFirst(),
      let operation = Self.operations[sign], let literal = tokens.popFirst()
    else { return nil }
    if ["NIL", "NULL"].contains(literal.uppercased()) {
      let test = ["=": "IS", "<>": "IS NOT"][operation]
      return test.map { .comparison(attribute: token, operation: $0, constant: "NULL") }
    }
    return Self.constant(literal).map { .comparison(attribute: token, operation: operation, constant: $0) }
  }

  private static let operations = [
    "=": "=", "==": "=", "!=": "<>", "<>": "<>", "<": "<", "<=": "<=", "=<": "<=", ">": ">", ">=": ">=", "=>": ">=",
  ]

  private static func constant(_ literal: String) -> String? {
    switch literal.uppercased() {
    case "YES", "TRUE": "1"
    case "NO", "FALSE": "0"
    // Swift's numbers are more than SQL's: `inf`, `nan` and hexadecimal ones.
    default:
      literal.first == "'" || literal.allSatisfy({ "0123456789+-.eE".contains($0) }) && Double(literal) != nil
        ? literal : nil
    }
  }

  /// Names, numbers, signs and parentheses, and texts as SQL spells them.
  private static func tokens(of text: String) -> [String]? {
    var tokens: [String] = []
    var rest = Substring(text)
    while let first = rest.first {
      let length: Int
      if first.isWhitespace {
        rest.removeFirst()
        continue
      } else if first == "'" || first == "\"" {
        guard let end = rest.dropFirst().firstIndex(of: first) else { return nil }
        let content = rest[rest.index(after: rest.startIndex)..<end]
        guard !content.contains("\\") else { return nil }
        tokens.append(
          "'" + content.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'")
        rest = rest[rest.index(after: end)...]
        continue
      } else if first == "(" || first == ")" {
        length = 1
      } else if "=<>!&|".contains(first) {
        length = rest.prefix { "=<>!&|".contains($0) }.count
      } else {
        length = rest.prefix { $0.isLetter || $0.isNumber || "_.-+@".contains($0) }.count
      }
      guard length > 0 else { return nil }
      tokens.append(String(rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    return tokens
  }
}
