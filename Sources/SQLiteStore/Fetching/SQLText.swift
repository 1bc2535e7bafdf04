import ObjectModel

/// A piece of SQL with the values of its parameters, which stay in step however pieces are put together.
struct SQLText: ExpressibleByStringInterpolation {
  private(set) var text: String
  private(set) var values: [StoredValue] = []

  init(stringLiteral text: String) { self.text = text }

  init(raw text: String) { self.text = text }

  init(stringInterpolation pieces: Pieces) { self = pieces.sql }

  /// Whether SQLite takes it: statements have a greatest length, and a greatest number of parameters.
  var isAcceptable: Bool { text.utf8.count < 500_000 && values.count < 30_000 }

  struct Pieces: StringInterpolationProtocol {
    fileprivate var sql = SQLText(raw: "")

    init(literalCapacity: Int, interpolationCount: Int) {}

    mutating func appendLiteral(_ text: String) { sql.text += text }

    /// A name or an operator.
    mutating func appendInterpolation(_ text: String) { sql.text += text }

    mutating func appendInterpolation(_ number: Int) { sql.text += "\(number)" }

    mutating func appendInterpolation(_ piece: SQLText) {
      sql.text += piece.text
      sql.values += piece.values
    }

    /// A value as a parameter.
    mutating func appendInterpolation(value: StoredValue) {
      sql.text += "?"
      sql.values.append(value)
    }
  }
}

extension [SQLText] {
  /// The pieces with a separator between them.
  func joined(_ separator: String) -> SQLText {
    guard let first else { return "" }
    return dropFirst().reduce(first) { "\($0)\(separator)\($1)" }
  }

  /// Conditions under one operator, as a tree that is no deeper than it must be: SQLite limits how deep one may be.
  func balanced(_ word: String) -> SQLText {
    guard count > 1 else { return self[0] }
    let half = count / 2
    return "(\(Array(self[..<half]).balanced(word)) \(word) \(Array(self[half...]).balanced(word)))"
  }
}
