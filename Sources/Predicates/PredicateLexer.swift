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
  // Not scalars, which a quote and an accent behind it would make one of.
  private let scalars: [Unicode.Scalar]
  private var place = 0

  init(_ text: String) { scalars = Array(text.unicodeScalars) }

  /// The next token; `.end` again and again behind the last.
  mutating func next() throws(Diagnostic) -> PredicateToken {
    while peek?.properties.isWhitespace == true { place += 1 }
    let start = place
    let kind = try kind()
    return PredicateToken(kind: kind, column: start + 1, text: String(scalars[start..<place]))
  }

  private var peek: Unicode.Scalar? { place < scalars.count ? scalars[place] : nil }

  private func peek(_ offset: Int) -> Unicode.Scalar? {
    place + offset < scalars.count ? scalars[place + offset] : nil
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
    return String(scalars[start..<place])
  }

  private mutating func name(behind sign: Unicode.Scalar, _ expected: String) throws(Diagnostic) -> String {
    place += 1
    let name = word()
    guard !name.isEmpty else {
      throw .predicateSyntax(column: place, found: "\(sign)", expected: expected, in: scalars)
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
    while let character = peek, character.isDigit || "lhqjzt.-+".unicodeScalars.contains(character) { place += 1 }
    guard let letter = peek, "diuxXoDUOfFeEgGaAscCS".unicodeScalars.contains(letter) else {
      throw .predicateSyntax(
        column: start + 1, found: "%", expected: "%@, %K, %d, %f or another argument", in: scalars,
        hint: "A % sign stands for an argument. What a division leaves is modulus:by:(a, b).")
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
    for sign in Self.signs where scalars[place...].starts(with: sign.unicodeScalars) {
      place += sign.utf8.count
      return .sign(sign)
    }
    switch peek {
    case "≤": place += 1; return .sign("<=")
    case "≥": place += 1; return .sign(">=")
    case "≠": place += 1; return .sign("!=")
    default:
      throw .predicateSyntax(
        column: place + 1, found: String(scalars[place]), expected: "a word, a value or an operator", in: scalars)
    }
  }

  // MARK: Numbers

  private mutating func number() throws(Diagnostic) -> PredicateToken.Kind {
    let start = place
    if peek == "0", let radix = ["x": 16, "o": 8, "b": 2][peek(1).map { String($0).lowercased() } ?? ""] {
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
    let text = String(scalars[start..<place])
    if !isReal, let integer = Int64(text) { return .integer(integer) }
    guard let real = Double(text), real.isFinite else { throw noNumber(start) }
    return .real(real)
  }

  private mutating func skipDigits() { while peek?.isDigit == true { place += 1 } }

  private func noNumber(_ start: Int) -> Diagnostic {
    .predicateSyntax(
      column: start + 1, found: String(scalars[start..<max(place, start + 1)]), expected: "a number", in: scalars)
  }

  // MARK: Texts in quotes

  private mutating func string(_ quote: Unicode.Scalar) throws(Diagnostic) -> String {
    let end: Unicode.Scalar = quote == "\u{201C}" ? "\u{201D}" : quote == "\u{2018}" ? "\u{2019}" : quote
    let start = place
    var text = ""
    place += 1
    while let character = peek {
      place += 1
      if character == end { return text }
      guard character == "\\" else {
        text.unicodeScalars.append(character)
        continue
      }
      guard let escaped = peek else { break }
      place += 1
      switch escaped {
      case "n": text.append("\n")
      case "t": text.append("\t")
      case "r": text.append("\r")
      case "u": text.unicodeScalars.append(try unicodeEscape())
      // A backslash of a pattern: `MATCHES "\\d+"` and, as people write it, `MATCHES "\d+"`.
      case _ where escaped.isPartOfName: text += "\\\(escaped)"
      default: text.unicodeScalars.append(escaped)
      }
    }
    throw .predicateSyntax(
      column: start + 1, found: String(quote), expected: "a closing quote behind it", in: scalars)
  }

  private mutating func unicodeEscape() throws(Diagnostic) -> Unicode.Scalar {
    let digits = scalars[place...].prefix(4)
    guard digits.count == 4, let value = UInt32(String(digits), radix: 16), let scalar = Unicode.Scalar(value) else {
      throw .predicateSyntax(
        column: place - 1, found: "\\u", expected: "four hexadecimal digits behind \\u", in: scalars)
    }
    place += 4
    return scalar
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
  fileprivate var isPartOfName: Bool {
    properties.isAlphabetic || properties.numericType != nil || self == "_"
      || properties.canonicalCombiningClass != .notReordered
  }
}

extension String {
  fileprivate init(_ scalars: some Sequence<Unicode.Scalar>) {
    var view = UnicodeScalarView()
    view.append(contentsOf: scalars)
    self.init(view)
  }
}
