import Diagnostics
import Foundation
import Values

extension PredicateParser {
  /// The signs between expressions, and how tight they bind.
  private static let signs: [String: (function: PredicateFunction, binding: Int)] = [
    "|": (.bitwiseOr, 0), "^": (.bitwiseXor, 1), "&": (.bitwiseAnd, 2), "<<": (.leftShift, 3), ">>": (.rightShift, 3),
    "+": (.add, 4), "-": (.subtract, 4), "*": (.multiply, 5), "/": (.divide, 5),
  ]

  /// An expression, or a condition in parentheses; of signs only those that bind so tight.
  mutating func operand(binding least: Int = 0) throws(Diagnostic) -> Node {
    var left = try power()
    while case .sign(let text) = token.kind, let sign = Self.signs[text], sign.binding >= least {
      try advance()
      left = try binary(sign.function, left, try operand(binding: sign.binding + 1))
    }
    return left
  }

  private func binary(_ function: PredicateFunction, _ left: Node, _ right: Node) throws(Diagnostic) -> Node {
    let arguments = [try expression(of: left), try expression(of: right)]
    return try node(.expression(.function(function, arguments)), over: left, right, at: left.column)
  }

  private mutating func power() throws(Diagnostic) -> Node {
    let base = try prefixed()
    guard token.kind == .sign("**") else { return base }
    try advance()
    return try deeper { parser throws(Diagnostic) in try parser.binary(.raise, base, try parser.power()) }
  }

  private mutating func prefixed() throws(Diagnostic) -> Node {
    let column = token.column
    switch token.kind {
    case .sign("-"):
      try advance()
      // The least integer has no positive counterpart, but its digits as a number are exact.
      if case .real(0x1p63) = token.kind, !token.text.contains(where: { !$0.isNumber }) {
        try advance()
        return try node(.expression(.constant(.scalar(.integer(.min)))), at: column)
      }
      let operand = try deeper { parser throws(Diagnostic) in try parser.prefixed() }
      switch try expression(of: operand) {
      case .constant(.scalar(.integer(let integer))) where integer != .min:
        return try node(.expression(.constant(.scalar(.integer(-integer)))), at: column)
      case .constant(.scalar(.real(let real))):
        return try node(.expression(.constant(.scalar(.real(-real)))), at: column)
      case let expression:
        let zero = ExpressionTree.constant(.scalar(.integer(0)))
        return try node(.expression(.function(.subtract, [zero, expression])), over: operand, at: column)
      }
    case .sign("+"):
      try advance()
      return try deeper { parser throws(Diagnostic) in try parser.prefixed() }
    case .sign("~"):
      try advance()
      let operand = try deeper { parser throws(Diagnostic) in try parser.prefixed() }
      return try node(
        .expression(.function(.onesComplement, [try expression(of: operand)])), over: operand, at: column)
    default: return try suffixed()
    }
  }

  /// A primary, and the keys and indexes behind it.
  private mutating func suffixed() throws(Diagnostic) -> Node {
    var node = try primary()
    while true {
      if token.kind == .sign(".") {
        try advance()
        let key = try key()
        node = try self.node(
          .expression(try expression(of: node).appending([key])), over: node.isKeyPath ? [] : [node], at: node.column)
      } else if token.kind == .sign("[") {
        node = try index(of: node)
      } else {
        return node
      }
    }
  }

  private mutating func key() throws(Diagnostic) -> String {
    switch token.kind {
    case .word(let word, _):
      try advance()
      return word
    case .collectionOperator(let name):
      try advance()
      return "@\(name)"
    default: throw unexpected("a key")
    }
  }

  private mutating func index(of node: Node) throws(Diagnostic) -> Node {
    try expect("[")
    let expression = try expression(of: node)
    let function: PredicateFunction? =
      switch keyword {
      case "FIRST": .first
      case "LAST": .last
      case "SIZE": .size
      default: nil
      }
    if let function {
      try advance()
      try expect("]")
      return try self.node(.expression(.function(function, [expression])), over: node, at: node.column)
    }
    let index = try self.node()
    try expect("]")
    return try self.node(
      .expression(.function(.item, [expression, try self.expression(of: index)])), over: node, index, at: node.column)
  }

  /// Goes a level down, not too deep.
  private mutating func deeper(_ body: (inout Self) throws(Diagnostic) -> Node) throws(Diagnostic) -> Node {
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= Self.nestingLimit else { throw .predicateDepth(Self.nestingLimit) }
    return try body(&self)
  }
}

// MARK: - Primaries

extension PredicateParser {
  private mutating func primary() throws(Diagnostic) -> Node {
    let column = token.column
    switch token.kind {
    case .integer(let integer): return try constant(.integer(integer))
    case .real(let real): return try constant(.real(real))
    case .string(let string): return try constant(.string(string))
    case .variable(let name):
      try advance()
      return try node(.expression(.variable(name)), at: column)
    case .argument(let specifier):
      try advance()
      return try argument(specifier, at: column)
    case .collectionOperator: return try node(.expression(.keyPath(.evaluatedObject, keys: [try key()])), at: column)
    case .sign("("):
      try advance()
      let inner = try node()
      try expect(")")
      return inner
    case .sign("{"): return try aggregate()
    case .word(let word, let isEscaped):
      return try isEscaped ? keyPath(word) : self.word(word)
    default: throw unexpected("a value or a key path")
    }
  }

  private mutating func constant(_ value: Value) throws(Diagnostic) -> Node {
    let column = token.column
    try advance()
    return try node(.expression(.constant(.scalar(value))), at: column)
  }

  private mutating func aggregate() throws(Diagnostic) -> Node {
    let column = token.column
    let elements = try list("{", "}")
    var expressions: [ExpressionTree] = []
    for element in elements { expressions.append(try expression(of: element)) }
    return try node(.expression(.aggregate(expressions)), over: elements, at: column)
  }

  /// Nodes between two signs, with commas between them.
  private mutating func list(_ open: String, _ close: String) throws(Diagnostic) -> [Node] {
    try expect(open)
    var nodes: [Node] = []
    if try take(close) { return nodes }
    repeat { nodes.append(try node()) } while try take(",")
    guard try take(close) else { throw unexpected("\(close) or a comma") }
    return nodes
  }

  private static let reserved: Set<String> = [
    "AND", "OR", "NOT", "IN", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH", "BETWEEN", "ANY", "SOME", "ALL",
    "NONE", "TRUEPREDICATE", "FALSEPREDICATE",
  ]

  private mutating func word(_ word: String) throws(Diagnostic) -> Node {
    let column = token.column
    switch word.uppercased() {
    case "NIL", "NULL": return try constant(.null)
    case "TRUE", "YES": return try constant(.boolean(true))
    case "FALSE", "NO": return try constant(.boolean(false))
    case "SELF":
      try advance()
      return try node(.expression(.evaluatedObject), at: column)
    case let upper where Self.reserved.contains(upper):
      throw unexpected("a value or a key path", hint: "A key that is a reserved word is written with a sign: #\(word).")
    case let upper:
      try advance()
      switch (upper, token.kind) {
      case ("SUBQUERY", .sign("(")): return try subquery(at: column)
      case ("TERNARY", .sign("(")): return try conditional(at: column)
      case ("CAST", .sign("(")): return try cast(at: column)
      case ("FUNCTION", .sign("(")): return try call(at: column)
      case ("FETCH", .sign("(")):
        throw .predicateSyntax(
          column: column, found: "FETCH", expected: "a value or a key path", in: scalars,
          hint: "No fetch is made within a predicate: fetch first, and compare with what was found, by IN.")
      case (_, .sign("(")), (_, .sign(":")): return try function(word, at: column)
      default: return try node(.expression(.keyPath(.evaluatedObject, keys: [word])), at: column)
      }
    }
  }

  private mutating func keyPath(_ key: String) throws(Diagnostic) -> Node {
    let column = token.column
    try advance()
    return try node(.expression(.keyPath(.evaluatedObject, keys: [key])), at: column)
  }

  private func argumentList(_ nodes: [Node], _ counts: ClosedRange<Int>, of name: String) throws(Diagnostic)
    -> [ExpressionTree]
  {
    guard counts.contains(nodes.count) else {
      let number = counts.upperBound == .max ? "\(counts.lowerBound) or more" : "\(counts.lowerBound)"
      throw unexpected("\(number) argument\(number == "1" ? "" : "s") of \(name), not \(nodes.count)")
    }
    var expressions: [ExpressionTree] = []
    for node in nodes { expressions.append(try expression(of: node)) }
    return expressions
  }
}

// MARK: - Functions

extension PredicateParser {
  /// `name:(…)`, `name:other:(…)` or `name(…)`.
  private mutating func function(_ first: String, at column: Int) throws(Diagnostic) -> Node {
    var name = first
    while try take(":") {
      name += ":"
      if case .word(let part, _) = token.kind {
        name += part
        try advance()
      }
    }
    guard let function = PredicateFunction(named: name) else {
      let known = PredicateFunction.allCases.map(\.rawValue)
      throw .predicateSyntax(
        column: column, found: name, expected: "a function", in: scalars,
        hint: NearestName.question(name, in: known) + "The functions are \(known.joined(separator: ", ")).")
    }
    let nodes = try list("(", ")")
    let arguments = try argumentList(nodes, function.argumentCounts, of: name)
    return try node(.expression(.function(function, arguments)), over: nodes, at: column)
  }

  private mutating func subquery(at column: Int) throws(Diagnostic) -> Node {
    try expect("(")
    let collection = try node()
    try expect(",")
    guard case .variable(let variable) = token.kind else { throw unexpected("a variable such as $x") }
    try advance()
    try expect(",")
    let condition = try node()
    guard case .tree(let tree) = condition.content else { throw unexpected("a comparison such as = or CONTAINS") }
    try expect(")")
    return try node(
      .expression(.subquery(try expression(of: collection), variable: variable, tree)), over: collection, condition,
      at: column)
  }

  private mutating func conditional(at column: Int) throws(Diagnostic) -> Node {
    let nodes = try list("(", ")")
    guard nodes.count == 3 else { throw unexpected("a condition and two values in TERNARY") }
    return try node(
      .expression(
        .conditional(try tree(of: nodes[0]), try expression(of: nodes[1]), try expression(of: nodes[2]))),
      over: nodes, at: column)
  }

  private mutating func cast(at column: Int) throws(Diagnostic) -> Node {
    let nodes = try list("(", ")")
    let arguments = try argumentList(nodes, 2...2, of: "CAST")
    let cast = ExpressionTree.function(.cast, arguments)
    // A constant's cast is a constant: what the printer prints of one is read back as one.
    if case .constant(let value) = arguments[0], case .constant(let type) = arguments[1] {
      let cast = try value.cast(to: type)
      // A nil that nobody wrote would be equal to all that has no value.
      if cast.isNull, !value.isNull {
        throw .predicateSyntax(
          column: nodes[0].column, found: "\(arguments[0])", expected: "what CAST makes a value of", in: scalars,
          hint: "Dates are seconds since 2001 or by ISO 8601; a UUID has 36 characters, bytes are base64.")
      }
      return try node(.expression(.constant(cast)), over: nodes, at: column)
    }
    return try node(.expression(cast), over: nodes, at: column)
  }

  private mutating func call(at column: Int) throws(Diagnostic) -> Node {
    let nodes = try list("(", ")")
    let arguments = try argumentList(nodes, 2...Int.max, of: "FUNCTION")
    guard case .constant(.scalar(.string(let selector))) = arguments[1] else {
      throw .predicateSyntax(
        column: nodes[1].column, found: "another expression", expected: "a selector in quotes", in: scalars)
    }
    return try node(
      .expression(.call(arguments[0], selector: selector, Array(arguments[2...]))), over: nodes, at: column)
  }
}

// MARK: - Arguments

extension PredicateParser {
  private mutating func argument(_ specifier: String, at column: Int) throws(Diagnostic) -> Node {
    let argument = try nextArgument()
    if specifier == "K" {
      guard let path = argument as? String, !path.isEmpty else {
        throw .predicateArgument(specifier, argument, expected: "a key path")
      }
      let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      return try node(.expression(.keyPath(.evaluatedObject, keys: keys)), at: column)
    }
    if specifier == "@" {
      switch argument {
      case let predicate as NSPredicate: return try node(.tree(predicate.tree), at: column)
      case let expression as ExpressionTree: return try node(.expression(expression), at: column)
      default: return try node(.expression(.constant(PredicateValue(argument))), at: column)
      }
    }
    let value = PredicateValue(argument)
    switch (specifier, value) {
    case ("s", .scalar(.string)), ("S", .scalar(.string)), ("c", .scalar(.string)), ("C", .scalar(.string)):
      return try node(.expression(.constant(value)), at: column)
    case ("s", _), ("S", _): throw .predicateArgument(specifier, argument, expected: "a text")
    case (_, .scalar(.integer)), (_, .scalar(.boolean)), (_, .scalar(.real)), (_, .scalar(.decimal)):
      return try node(.expression(.constant(value)), at: column)
    default: throw .predicateArgument(specifier, argument, expected: "a number")
    }
  }
}

extension PredicateParser.Node {
  fileprivate var isKeyPath: Bool {
    if case .expression(.keyPath) = content { true } else { false }
  }
}

extension ExpressionTree {
  /// The expression with keys behind it.
  func appending(_ keys: [String]) -> ExpressionTree {
    if case .keyPath(let base, let first) = self { return .keyPath(base, keys: first + keys) }
    return .keyPath(self, keys: keys)
  }
}

extension PredicateFunction {
  /// The function of a name, with or without the colons' last one: `max:` and `max`.
  init?(named name: String) {
    guard let function = Self(rawValue: name) ?? Self(rawValue: name + ":") else { return nil }
    self = function
  }
}
