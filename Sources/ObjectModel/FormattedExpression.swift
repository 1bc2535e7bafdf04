/// The text that Core Data's expressions print for the derivation of an attribute, which enters the version hash.
///
/// A key path prints as it is, one that ends in a collection operator as a function: `pages.@count` as `count:(pages)`.
/// Functions print as `name:(argument, argument)`, arithmetic with single spaces, key paths with a `#` before words that
/// the grammar of predicates reserves. What this does not understand prints as it is written.
struct FormattedExpression: CustomStringConvertible {
  let description: String

  init(_ text: String) {
    var parser = Parser(text)
    if let formatted = parser.sum(), parser.isAtEnd {
      description = formatted
    } else {
      description = text.trimmed
    }
  }
}

extension FormattedExpression {
  /// A descent by precedence over the text; each step gives the formatted text, or nil when it does not understand.
  private struct Parser {
    private var rest: Substring

    init(_ text: String) { rest = text[...] }

    var isAtEnd: Bool {
      mutating get {
        skipBlanks()
        return rest.isEmpty
      }
    }

    mutating func sum() -> String? { chain("+-") { $0.product() } }

    private mutating func product() -> String? { chain("*/") { $0.operand() } }

    private mutating func chain(_ operators: String, _ term: (inout Self) -> String?) -> String? {
      guard var text = term(&self) else { return nil }
      while let sign = take(where: operators.contains) {
        guard let next = term(&self) else { return nil }
        text += " \(sign) \(next)"
      }
      return text
    }

    private mutating func operand() -> String? {
      if take(where: { $0 == "(" }) != nil {
        guard let inner = sum(), take(where: { $0 == ")" }) != nil else { return nil }
        return "(\(inner))"
      }
      skipBlanks()
      let word = rest.prefix { $0.isLetter || $0.isNumber || "_.@$#".contains($0) }
      guard !word.isEmpty else { return nil }
      rest = rest[word.endIndex...]
      let isFunction = rest.hasPrefix(":") || rest.hasPrefix("(")
      if rest.hasPrefix(":") { rest = rest.dropFirst() }
      guard isFunction else { return keyPath(String(word)) }
      return arguments().map { "\(word)\($0.isEmpty ? "" : ":")(\($0.joined(separator: ", ")))" }
    }

    private mutating func arguments() -> [String]? {
      guard take(where: { $0 == "(" }) != nil else { return nil }
      var arguments: [String] = []
      if take(where: { $0 == ")" }) != nil { return arguments }
      repeat {
        guard let argument = sum() else { return nil }
        arguments.append(argument)
      } while take(where: { $0 == "," }) != nil
      return take(where: { $0 == ")" }) == nil ? nil : arguments
    }

    private func keyPath(_ text: String) -> String {
      if let first = text.first, first.isNumber { return text }
      for (suffix, function) in [(".@count", "count"), (".@sum", "sum"), (".@total", "sum")]
      where text.hasSuffix(suffix) {
        return "\(function):(\(escaped(String(text.dropLast(suffix.count)))))"
      }
      return escaped(text)
    }

    private func escaped(_ keyPath: String) -> String {
      keyPath.split(separator: ".", omittingEmptySubsequences: false)
        .map { reservedWords.contains($0.uppercased()) ? "#\($0)" : String($0) }.joined(separator: ".")
    }

    private mutating func take(where matches: (Character) -> Bool) -> Character? {
      skipBlanks()
      guard let first = rest.first, matches(first) else { return nil }
      rest = rest.dropFirst()
      return first
    }

    private mutating func skipBlanks() { rest = rest.drop { $0 == " " } }
  }
}

/// Source: Apple, Predicate Programming Guide, "Predicate Format String Syntax", reserved words.
private let reservedWords: Set<String> = [
  "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "CASEINSENSITIVE", "CI", "MATCHES", "CONTAINS",
  "BEGINSWITH", "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO", "FIRST", "LAST", "SIZE",
  "ANYKEY", "SUBQUERY", "FETCH", "CAST", "TRUEPREDICATE", "FALSEPREDICATE",
]
