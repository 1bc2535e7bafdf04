import Diagnostics
import Foundation
import Values

/// Reads the format language by precedence: expressions bind tighter than comparisons, these than NOT, AND and OR.
///
/// A parenthesis may hold either, so that both are read by one function and told apart by what they are.
///
/// Source: Apple, Predicate Programming Guide, "Predicate Format String Syntax" and "BNF Definition of Cocoa Predicates".
struct PredicateParser {
  /// How deep a predicate may be nested: what follows a tree down must not use up a thread's stack.
  static let depthLimit = 200
  /// How deep parentheses and the like may be nested: the parser needs more of the stack for a level than the tree does.
  static let nestingLimit = 64

  /// What was read, and how deep it is.
  struct Node {
    enum Content {
      case expression(ExpressionTree)
      case tree(PredicateTree)
    }
    let content: Content
    let depth: Int
    let column: Int
  }

  let scalars: [Unicode.Scalar]
  private var lexer: PredicateLexer
  private(set) var token: PredicateToken
  private let arguments: [Any?]
  private var usedArguments = 0
  /// How many levels down the parser itself is.
  var nesting = 0

  init(_ text: String, arguments: [Any?]) throws(Diagnostic) {
    scalars = Array(text.unicodeScalars)
    lexer = PredicateLexer(text)
    self.arguments = arguments
    token = try lexer.next()
  }

  /// The whole text as a condition.
  mutating func tree() throws(Diagnostic) -> PredicateTree {
    let node = try node()
    let tree = try tree(of: node)
    try end()
    return tree
  }

  /// The whole text as an expression.
  mutating func expression() throws(Diagnostic) -> ExpressionTree {
    let node = try node()
    let expression = try expression(of: node)
    try end()
    return expression
  }

  private func end() throws(Diagnostic) {
    guard token.kind == .end else { throw unexpected("an operator or the end") }
    guard usedArguments == arguments.count else {
      throw .predicateArgumentCount(given: arguments.count, used: usedArguments)
    }
  }
}

// MARK: - Tokens and nodes

extension PredicateParser {
  mutating func advance() throws(Diagnostic) { token = try lexer.next() }

  func unexpected(_ expected: String) -> Diagnostic {
    .predicateSyntax(column: token.column, found: foundText, expected: expected, in: scalars)
  }

  func unexpected(_ expected: String, hint: String) -> Diagnostic {
    .predicateSyntax(column: token.column, found: foundText, expected: expected, in: scalars, hint: hint)
  }

  private var foundText: String { token.kind == .end ? "the end" : token.text }

  mutating func take(_ sign: String) throws(Diagnostic) -> Bool {
    guard token.kind == .sign(sign) else { return false }
    try advance()
    return true
  }

  mutating func expect(_ sign: String) throws(Diagnostic) {
    guard try take(sign) else { throw unexpected(sign) }
  }

  /// The reserved word that the token is, in upper case; nil for another token.
  var keyword: String? {
    guard case .word(let word, isEscaped: false) = token.kind else { return nil }
    return word.uppercased()
  }

  func node(_ content: Node.Content, over nodes: Node..., at column: Int) throws(Diagnostic) -> Node {
    try node(content, over: nodes, at: column)
  }

  func node(_ content: Node.Content, over nodes: [Node], at column: Int) throws(Diagnostic) -> Node {
    let depth = (nodes.map(\.depth).max() ?? 0) + 1
    guard depth <= Self.depthLimit else { throw .predicateDepth(Self.depthLimit) }
    return Node(content: content, depth: depth, column: column)
  }

  func tree(of node: Node) throws(Diagnostic) -> PredicateTree {
    guard case .tree(let tree) = node.content else { throw unexpected("a comparison such as = or CONTAINS") }
    return tree
  }

  func expression(of node: Node) throws(Diagnostic) -> ExpressionTree {
    guard case .expression(let expression) = node.content else {
      throw .predicateSyntax(
        column: node.column, found: "a condition", expected: "a value or a key path", in: scalars)
    }
    return expression
  }

  /// The next argument, for a `%` sign.
  mutating func nextArgument() throws(Diagnostic) -> Any? {
    guard usedArguments < arguments.count else {
      throw .predicateArgumentCount(given: arguments.count, used: arguments.count + 1)
    }
    usedArguments += 1
    return arguments[usedArguments - 1]
  }
}

// MARK: - Conditions

extension PredicateParser {
  /// A condition or an expression, whatever stands there.
  mutating func node() throws(Diagnostic) -> Node {
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= Self.nestingLimit else { throw .predicateDepth(Self.nestingLimit) }
    return try compound("OR", "||", PredicateTree.or) { parser throws(Diagnostic) in
      try parser.compound("AND", "&&", PredicateTree.and) { parser throws(Diagnostic) in try parser.negation() }
    }
  }

  private mutating func compound(
    _ word: String, _ sign: String, _ make: ([PredicateTree]) -> PredicateTree,
    part: (inout Self) throws(Diagnostic) -> Node
  ) throws(Diagnostic) -> Node {
    var nodes = [try part(&self)]
    while keyword == word || token.kind == .sign(sign) {
      _ = try tree(of: nodes[nodes.count - 1])
      try advance()
      nodes.append(try part(&self))
    }
    guard nodes.count > 1 else { return nodes[0] }
    var trees: [PredicateTree] = []
    for node in nodes { trees.append(try tree(of: node)) }
    return try node(.tree(make(trees)), over: nodes, at: nodes[0].column)
  }

  private mutating func negation() throws(Diagnostic) -> Node {
    let column = token.column
    guard keyword == "NOT" || token.kind == .sign("!") else { return try comparison() }
    try advance()
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= Self.nestingLimit else { throw .predicateDepth(Self.nestingLimit) }
    let node = try negation()
    return try self.node(.tree(.not(try tree(of: node))), over: node, at: column)
  }

  private static let quantifiers = ["ANY", "SOME", "ALL", "NONE"]

  private mutating func comparison() throws(Diagnostic) -> Node {
    let column = token.column
    guard let quantifier = keyword, Self.quantifiers.contains(quantifier) else { return try directComparison() }
    try advance()
    let node = try directComparison()
    guard case .comparison(var comparison) = try tree(of: node), comparison.modifier == .direct else {
      throw .predicateSyntax(
        column: node.column, found: "a condition", expected: "a comparison behind \(quantifier)", in: scalars)
    }
    comparison.modifier = quantifier == "ALL" ? .all : .any
    let tree = PredicateTree.comparison(comparison)
    return try self.node(.tree(quantifier == "NONE" ? .not(tree) : tree), over: node, at: column)
  }

  private mutating func directComparison() throws(Diagnostic) -> Node {
    let column = token.column
    switch keyword {
    case "TRUEPREDICATE":
      try advance()
      return try node(.tree(.always(true)), at: column)
    case "FALSEPREDICATE":
      try advance()
      return try node(.tree(.always(false)), at: column)
    default: break
    }
    let left = try operand()
    guard let operation = comparisonOperator else { return left }
    let leftExpression = try expression(of: left)
    try advance()
    let options = try options()
    let right = try operand()
    let comparison = PredicateTree.Comparison(
      leftExpression, operation, try expression(of: right), options: options)
    return try node(.tree(.comparison(comparison)), over: left, right, at: column)
  }

  private static let comparisonSigns: [String: PredicateTree.Operator] = [
    "=": .equal, "==": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual, "=<": .lessOrEqual,
    ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
  ]

  private var comparisonOperator: PredicateTree.Operator? {
    switch token.kind {
    case .sign(let sign): Self.comparisonSigns[sign]
    case .word(let word, isEscaped: false):
      word.first?.isLetter == true ? PredicateTree.Operator(rawValue: word.uppercased()) : nil
    default: nil
    }
  }

  /// `[cd]` behind an operator.
  private mutating func options() throws(Diagnostic) -> PredicateTree.Options {
    guard token.kind == .sign("[") else { return [] }
    try advance()
    let letters: [Character: PredicateTree.Options] = [
      "c": .caseInsensitive, "d": .diacriticInsensitive, "n": .normalized,
    ]
    guard case .word(let word, isEscaped: false) = token.kind, word.lowercased().allSatisfy({ letters[$0] != nil })
    else {
      guard case .word(let word, _) = token.kind, word.lowercased().contains("l") else {
        throw unexpected("c, d, cd or n in brackets")
      }
      throw unexpected(
        "c, d, cd or n in brackets",
        hint:
          "l compares as the user's language does: it would be answered otherwise elsewhere. [cd] is answered alike everywhere."
      )
    }
    try advance()
    try expect("]")
    return word.lowercased().reduce(into: []) { $0.formUnion(letters[$1] ?? []) }
  }
}
