import Diagnostics

/// Reads a JSON5 text as a tree with places: comments, trailing commas, unquoted keys, single quotes, hexadecimal numbers,
/// line continuations.
///
/// Source: the JSON5 specification, https://spec.json5.org. Infinity and NaN are refused: no option takes them. A key that
/// stands twice in an object is refused: one of the two would be ignored in silence.
struct JSON5Scanner {
  private let scalars: [Unicode.Scalar]
  private let file: String
  private var index = 0
  private var depth = 0
  // Places are looked up by offset, so that scanning need not count lines.
  private let lineStarts: [Int]

  /// The value that a text holds.
  static func scan(_ text: String, file: String) throws(Diagnostic) -> JSONNode {
    var scanner = JSON5Scanner(text, file: file)
    try scanner.skipBlanks()
    let node = try scanner.value()
    try scanner.skipBlanks()
    guard scanner.current == nil else { throw scanner.unexpected("the end of the file") }
    return node
  }

  private init(_ text: String, file: String) {
    var scalars = Array(text.unicodeScalars)
    if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
    self.scalars = scalars
    self.file = file
    // CR LF ends one line.
    let lineEnds = scalars.indices.filter { index in
      scalars[index] == "\n" || scalars[index] == "\r" && !scalars[index...].dropFirst().starts(with: ["\n"])
    }
    lineStarts = [0] + lineEnds.map { $0 + 1 }
  }

  // MARK: Values

  private mutating func value() throws(Diagnostic) -> JSONNode {
    let place = place(index)
    // Deep nesting is refused before it can overflow the stack.
    guard depth < 100 else {
      throw syntax("lists and objects nested more than 100 deep", hint: "A pipeline nests no deeper than 5.")
    }
    depth += 1
    defer { depth -= 1 }
    let content: JSONNode.Content
    switch current {
    case "{": content = try object()
    case "[": content = try array()
    case "\"", "'": content = .string(try string())
    case let sign? where "+-.".unicodeScalars.contains(sign) || sign.isDigit: content = .number(try number())
    default:
      switch try identifier(expected: "a value") {
      case "null": content = .null
      case "true": content = .boolean(true)
      case "false": content = .boolean(false)
      case let word:
        index -= word.unicodeScalars.count
        throw syntax("found \(word), expected a value", hint: "Put texts in quotes.")
      }
    }
    return JSONNode(content: content, place: place)
  }

  private mutating func object() throws(Diagnostic) -> JSONNode.Content {
    var members: [JSONNode.Member] = []
    index += 1
    while true {
      try skipBlanks()
      if take("}") { return .object(members) }
      let place = place(index)
      let keyStart = index
      let key = current == "\"" || current == "'" ? try string() : try identifier(expected: "a key or }")
      if members.contains(where: { $0.key == key }) {
        index = keyStart
        throw syntax("the key \(key) stands twice in one object", hint: "Remove one of them.")
      }
      try skipBlanks()
      guard take(":") else { throw unexpected(": behind the key \(key)") }
      try skipBlanks()
      members.append(.init(key: key, place: place, value: try value()))
      try skipBlanks()
      guard take(",") || current == "}" else { throw unexpected(", or }") }
    }
  }

  private mutating func array() throws(Diagnostic) -> JSONNode.Content {
    var elements: [JSONNode] = []
    index += 1
    while true {
      try skipBlanks()
      if take("]") { return .array(elements) }
      elements.append(try value())
      try skipBlanks()
      guard take(",") || current == "]" else { throw unexpected(", or ]") }
    }
  }

  // MARK: Texts and numbers

  private mutating func string() throws(Diagnostic) -> String {
    let start = index
    let quote = scalars[index]
    var text = String.UnicodeScalarView()
    index += 1
    while let scalar = current {
      index += 1
      switch scalar {
      case quote: return String(text)
      case "\\": if let escaped = try escape() { text.append(escaped) }
      case "\n", "\r":
        index = start
        throw syntax("the text is not closed on its line", hint: "Close it, or end the line with a backslash.")
      default: text.append(scalar)
      }
    }
    index = start
    throw syntax("the text is not closed", hint: "Close it with the quote that it begins with.")
  }

  /// The scalar that an escape stands for; nil for a line continuation.
  private mutating func escape() throws(Diagnostic) -> Unicode.Scalar? {
    guard let scalar = current else {
      throw syntax("the text is not closed", hint: "Close it with the quote that it begins with.")
    }
    index += 1
    switch scalar {
    case "n": return "\n"
    case "t": return "\t"
    case "r": return "\r"
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "v": return "\u{B}"
    case "0":
      guard current?.isDigit != true else { throw unexpected("no digit behind \\0") }
      return "\0"
    case "1"..."9":
      index -= 1
      throw unexpected("no digit behind a backslash")
    case "x": return Unicode.Scalar(try hex(2))
    case "u":
      let unit = try hex(4)
      guard (0xD800..<0xDC00).contains(unit) else {
        guard let scalar = Unicode.Scalar(unit) else {
          throw syntax("half of a surrogate pair", hint: "Write the character itself.")
        }
        return scalar
      }
      guard take("\\"), take("u") else { throw syntax("half of a surrogate pair", hint: "Write the character itself.") }
      let low = try hex(4)
      guard (0xDC00..<0xE000).contains(low) else {
        throw syntax("half of a surrogate pair", hint: "Write the character itself.")
      }
      return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    case "\r":
      _ = take("\n")
      return nil
    case "\n", "\u{2028}", "\u{2029}": return nil
    default: return scalar
    }
  }

  private mutating func hex(_ digits: Int) throws(Diagnostic) -> UInt32 {
    var result: UInt32 = 0
    for _ in 0..<digits {
      guard let digit = current.flatMap({ $0.isASCII ? Character($0).hexDigitValue : nil })
      else { throw unexpected("\(digits) hexadecimal digits") }
      result = result * 16 + UInt32(digit)
      index += 1
    }
    return result
  }

  /// A number, spelled as plain JSON wants it.
  private mutating func number() throws(Diagnostic) -> String {
    let start = index
    var sign = ""
    if take("-") { sign = "-" } else { _ = take("+") }
    if current == "0", let x = peek(1), x == "x" || x == "X" {
      index += 2
      let digits = takeWhile { Character($0).isHexDigit && $0.isASCII }
      guard let value = Int64(digits, radix: 16) else {
        index = start
        throw syntax("found a hexadecimal number that cannot be read", hint: "Write the number in decimal digits.")
      }
      try endOfNumber()
      return sign + String(value)
    }
    let whole = takeWhile(\.isDigit)
    if whole.count > 1, whole.hasPrefix("0") {
      // A code such as 007 is a text; JSON5 has no such numbers.
      index = start
      throw syntax("found \(sign)\(whole), expected a number without zeros before it", hint: "Put texts in quotes.")
    }
    var fraction = ""
    if take(".") { fraction = takeWhile(\.isDigit) }
    guard !(whole + fraction).isEmpty else {
      index = start
      throw unexpected("a number")
    }
    var exponent = ""
    if take("e") || take("E") {
      exponent = "e"
      if take("-") { exponent += "-" } else { _ = take("+") }
      let digits = takeWhile(\.isDigit)
      guard !digits.isEmpty else { throw unexpected("the digits of an exponent") }
      exponent += digits
    }
    try endOfNumber()
    return sign + (whole.isEmpty ? "0" : whole) + (fraction.isEmpty ? "" : "." + fraction) + exponent
  }

  private func endOfNumber() throws(Diagnostic) {
    if let next = current, next.properties.isIDContinue { throw unexpected("the end of the number") }
  }

  private mutating func identifier(expected: String) throws(Diagnostic) -> String {
    guard let first = current, first.properties.isIDStart || first == "_" || first == "$" else {
      throw unexpected(expected)
    }
    return takeWhile { $0.properties.isIDContinue || $0 == "$" || $0 == "_" }
  }

  // MARK: Scalars

  private var current: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private func peek(_ ahead: Int) -> Unicode.Scalar? {
    index + ahead < scalars.count ? scalars[index + ahead] : nil
  }

  private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard current == scalar else { return false }
    index += 1
    return true
  }

  private mutating func takeWhile(_ condition: (Unicode.Scalar) -> Bool) -> String {
    let start = index
    while let scalar = current, condition(scalar) { index += 1 }
    return String(String.UnicodeScalarView(scalars[start..<index]))
  }

  private mutating func skipBlanks() throws(Diagnostic) {
    while let scalar = current {
      if scalar == "/", peek(1) == "/" {
        _ = takeWhile { $0 != "\n" && $0 != "\r" }
      } else if scalar == "/", peek(1) == "*" {
        let start = index
        index += 2
        while !(current == "*" && peek(1) == "/") {
          guard current != nil else {
            index = start
            throw syntax("the comment is not closed", hint: "Close it with */.")
          }
          index += 1
        }
        index += 2
      } else if scalar.properties.isWhitespace || scalar == "\u{FEFF}" {
        index += 1
      } else {
        return
      }
    }
  }

  // MARK: Places and errors

  private func place(_ index: Int) -> JSONNode.Place {
    let line = lineStarts.lastIndex { $0 <= index } ?? 0
    return JSONNode.Place(line: line + 1, column: index - lineStarts[line] + 1)
  }

  private func unexpected(_ expected: String) -> Diagnostic {
    let found = current.map { $0 == "\n" ? "the end of the line" : String($0) } ?? "the end of the file"
    return syntax(
      "found \(found), expected \(expected)", hint: "Look at what stands before it, too: a comma, a bracket, a quote.")
  }

  private func syntax(_ message: String, hint: String) -> Diagnostic {
    let place = place(index)
    return Diagnostic(
      .pipelineSyntax, message, hint: hint, at: SourcePosition(file: file, line: place.line, column: place.column))
  }
}

extension Unicode.Scalar {
  fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
