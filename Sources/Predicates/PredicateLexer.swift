import Diagnostics

/// One word or sign of the format language, and where it begins.
struct PredicateToken {
  enum Kind: Equatable {
    /// A name; `isEscaped` for one behind `#`, which is no reserved word.
    case word(String, isEscaped: Bool)
    /// Text in quotes.
    case string(String)
    case integer(Int64)
    case real(Double)
    /// `$name`
    case variable(String)
    /// `@count`
    case collectionOperator(String)
    /// `%@`, `%K`, `%d` without the percent sign.
    case argument(String)
    case sign(String)
    case end
  }

  let kind: Kind
  /// The number of the first character, from 1.
  let column: Int
  /// The token as it is written.
  let text: String
}

/// Cuts a predicate's text into words and signs.
struct PredicateLexer {
  private let characters: [Character]
  private var place = 0

  init(_ text: String) { characters = Array(text) }

  /// The next token; `.end` again and again behind the last.
  mutating func next() throws(Diagnostic) -> PredicateToken {
    while peek?.isWhitespace == true { place += 1 }
    let start = place
    let kind = try kind()
    return PredicateToken(kind: kind, column: start + 1, text: String(characters[start..<place]))
  }

  private var peek: Character? { place < characters.count ? characters[place] : nil }

  private func peek(_ offset: Int) -> Character? {
    place + offset < characters.count ? characters[place + offset] : nil
  }

  private mutating func kind() throws(Diagnostic) -> PredicateToken.Kind {
    guard let first = peek else { return .end }
    switch first {
    case "\"", "'", "\u{201C}", "\u{2018}": return .string(try string(first))
    case "$": return .variable(try name(behind: "$", "the name of a variable"))
    case "@": return .collectionOperator(try name(behind: "@", "a collection operator such as @count"))
    case "#": return .word(try name(behind: "#", "a key"), isEscaped: true)
    case "%": return try argument()
    case _ where first.isDigit || (first == "." && peek(1)?.isDigit == true): return try number()
    case _ where first.isPartOfName: return .word(word(), isEscaped: false)
    default: return try sign()
    }
  }

  private mutating func word() -> String {
    let start = place
    while let character = peek, character.isPartOfName { place += 1 }
    return String(characters[start..<place])
  }

  private mutating func name(behind sign: Character, _ expected: String) throws(Diagnostic) -> String {
    place += 1
    let name = word()
    guard !name.isEmpty else {
      throw .predicateSyntax(column: place, found: "\(sign)", expected: expected, in: characters)
    }
    return name
  }

  private mutating func argument() throws(Diagnostic) -> PredicateToken.Kind {
    let start = place
    place += 1
    if let sign = peek, sign == "@" || sign == "K" {
      place += 1
      return .argument(String(sign))
    }
    // Sizes and widths say nothing here.
    while let character = peek, character.isDigit || "lhqjzt.-+".contains(character) { place += 1 }
    guard let letter = peek, "diuxXoDUOfFeEgGaAscCS".contains(letter) else {
      throw .predicateSyntax(
        column: start + 1, found: "%", expected: "%@, %K, %d, %f or another argument", in: characters)
    }
    place += 1
    return .argument(String(letter))
  }

  private static let signs = [
    "**", "<<", ">>", "==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", ":=", "=", "<", ">", "!", "(", ")", "{",
    "}",
    "[", "]", ",", ".", ":", "+", "-", "*", "/", "&", "|", "^", "~",
  ]

  private mutating func sign() throws(Diagnostic) -> PredicateToken.Kind {
    for sign in Self.signs where characters[place...].starts(with: sign) {
      place += sign.count
      return .sign(sign)
    }
    switch peek {
    case "≤": place += 1; return .sign("<=")
    case "≥": place += 1; return .sign(">=")
    case "≠": place += 1; return .sign("!=")
    default:
      throw .predicateSyntax(
        column: place + 1, found: String(characters[place]), expected: "a word, a value or an operator", in: characters)
    }
  }

  // MARK: Numbers

  private mutating func number() throws(Diagnostic) -> PredicateToken.Kind {
    let start = place
    if peek == "0", let radix = ["x": 16, "o": 8, "b": 2][peek(1)?.lowercased() ?? ""] {
      place += 2
      let digits = word()
      guard let integer = Int64(digits, radix: radix) else { throw noNumber(start) }
      return .integer(integer)
    }
    skipDigits()
    var isReal = false
    if peek == ".", peek(1)?.isDigit == true {
      isReal = true
      place += 1
      skipDigits()
    }
    if peek == "e" || peek == "E" {
      let signed = peek(1) == "-" || peek(1) == "+"
      if peek(signed ? 2 : 1)?.isDigit == true {
        isReal = true
        place += signed ? 2 : 1
        skipDigits()
      }
    }
    // `3abc` is neither a number nor a name.
    if peek?.isPartOfName == true {
      _ = word()
      throw noNumber(start)
    }
    let text = String(characters[start..<place])
    if !isReal, let integer = Int64(text) { return .integer(integer) }
    guard let real = Double(text), real.isFinite else { throw noNumber(start) }
    return .real(real)
  }

  private mutating func skipDigits() { while peek?.isDigit == true { place += 1 } }

  private func noNumber(_ start: Int) -> Diagnostic {
    .predicateSyntax(
      column: start + 1, found: String(characters[start..<max(place, start + 1)]), expected: "a number", in: characters)
  }

  // MARK: Texts in quotes

  private mutating func string(_ quote: Character) throws(Diagnostic) -> String {
    let end: Character = quote == "\u{201C}" ? "\u{201D}" : quote == "\u{2018}" ? "\u{2019}" : quote
    let start = place
    var text = ""
    place += 1
    while let character = peek {
      place += 1
      if character == end { return text }
      guard character == "\\" else {
        text.append(character)
        continue
      }
      guard let escaped = peek else { break }
      place += 1
      switch escaped {
      case "n": text.append("\n")
      case "t": text.append("\t")
      case "r": text.append("\r")
      case "u": text.append(try unicodeEscape())
      // A backslash of a pattern: `MATCHES "\\d+"` and, as people write it, `MATCHES "\d+"`.
      case _ where escaped.isPartOfName: text += "\\\(escaped)"
      default: text.append(escaped)
      }
    }
    throw .predicateSyntax(
      column: start + 1, found: String(quote), expected: "a closing quote behind it", in: characters)
  }

  private mutating func unicodeEscape() throws(Diagnostic) -> Character {
    let digits = characters[place...].prefix(4)
    guard digits.count == 4, let value = UInt32(String(digits), radix: 16), let scalar = Unicode.Scalar(value) else {
      throw .predicateSyntax(
        column: place - 1, found: "\\u", expected: "four hexadecimal digits behind \\u", in: characters)
    }
    place += 4
    return Character(scalar)
  }
}

extension Character {
  fileprivate var isDigit: Bool { isASCII && isNumber }
  fileprivate var isPartOfName: Bool { isLetter || isNumber || self == "_" }
}
