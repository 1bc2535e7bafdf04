import Foundation
import Values

extension PredicateTree: CustomStringConvertible {
  /// The condition in the format language, as Apple's `predicateFormat` prints it.
  public var description: String {
    switch self {
    case .always(let truth): truth ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let comparison): comparison.description
    case .and(let trees): trees.isEmpty ? "TRUEPREDICATE" : trees.map(\.part).joined(separator: " AND ")
    case .or(let trees): trees.isEmpty ? "FALSEPREDICATE" : trees.map(\.part).joined(separator: " OR ")
    case .not(.and(let trees)): "NOT (\(PredicateTree.and(trees)))"
    case .not(.or(let trees)): "NOT (\(PredicateTree.or(trees)))"
    case .not(let tree): "NOT \(tree)"
    case .block: "BLOCKPREDICATE"
    }
  }

  /// As a part of a compound one.
  private var part: String {
    switch self {
    case .and, .or, .not: "(\(self))"
    default: description
    }
  }
}

extension PredicateTree.Comparison: CustomStringConvertible {
  /// The comparison in the format language.
  public var description: String {
    let quantifier = modifier == .direct ? "" : modifier.rawValue + " "
    return "\(quantifier)\(left) \(operation.rawValue)\(options) \(right)"
  }
}

extension PredicateTree.Options: CustomStringConvertible {
  /// The letters in brackets; nothing for none.
  public var description: String {
    let letters = [(Self.caseInsensitive, "c"), (.diacriticInsensitive, "d"), (.normalized, "n")]
    return isEmpty ? "" : "[\(letters.filter { contains($0.0) }.map(\.1).joined())]"
  }
}

extension ExpressionTree: CustomStringConvertible {
  /// The expression in the format language, as Apple's framework prints it.
  public var description: String {
    switch self {
    case .constant(let value): return Self.text(of: value)
    case .evaluatedObject: return "SELF"
    case .variable(let name): return "$\(name)"
    case .keyPath(let base, let keys): return Self.text(of: keys, behind: base)
    case .function(let function, let arguments): return Self.text(of: function, arguments)
    case .call(let object, let selector, let arguments):
      let parts = ["\(object)", Self.quoted(selector)] + arguments.map(\.description)
      return "FUNCTION(\(parts.joined(separator: ", ")))"
    case .aggregate(let elements): return "{\(elements.map(\.description).joined(separator: ", "))}"
    case .subquery(let collection, let variable, let tree): return "SUBQUERY(\(collection), $\(variable), \(tree))"
    case .conditional(let condition, let one, let other): return "TERNARY(\(condition), \(one), \(other))"
    }
  }

  // MARK: Key paths

  private static func text(of keys: [String], behind base: ExpressionTree) -> String {
    if case .evaluatedObject = base, let last = keys.last, keys.count > 1,
      let function = CollectionOperator(rawValue: String(last.dropFirst()))?.function, last.hasPrefix("@"),
      function == .count || function == .sum
    {
      // Apple's parser makes a function of an operator that a path ends in.
      return "\(function.rawValue)(\(text(of: keys.dropLast(), behind: base)))"
    }
    var text = keys.map { reserved.contains($0.uppercased()) ? "#\($0)" : $0 }.joined(separator: ".")
    switch base {
    case .evaluatedObject: break
    case .variable, .subquery, .conditional, .call, .keyPath: text = "\(base).\(text)"
    default: text = "(\(base)).\(text)"
    }
    return text
  }

  /// Source: Apple, Predicate Programming Guide, "Predicate Format String Syntax", reserved words.
  private static let reserved: Set<String> = [
    "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "CASEINSENSITIVE", "CI", "MATCHES", "CONTAINS",
    "BEGINSWITH", "ENDSWITH", "BETWEEN", "NULL", "NIL", "SELF", "TRUE", "YES", "FALSE", "NO", "FIRST", "LAST", "SIZE",
    "ANYKEY", "SUBQUERY", "FETCH", "CAST", "TRUEPREDICATE", "FALSEPREDICATE",
  ]

  // MARK: Functions

  private static func text(of function: PredicateFunction, _ arguments: [ExpressionTree]) -> String {
    if let sign = function.sign, arguments.count == 2 {
      let left = arguments[0].operand(of: function, isRight: false)
      return "\(left) \(sign) \(arguments[1].operand(of: function, isRight: true))"
    }
    let list = arguments.map(\.description).joined(separator: ", ")
    switch function {
    case .cast: return "CAST(\(list))"
    case .item: return "\(arguments[0])[\(arguments[1])]"
    case .first: return "\(arguments[0])[FIRST]"
    case .last: return "\(arguments[0])[LAST]"
    case .size: return "\(arguments[0])[SIZE]"
    default: return "\(function.rawValue)(\(list))"
    }
  }

  private func operand(of function: PredicateFunction, isRight: Bool) -> String {
    guard case .function(let inner, _) = self, let binding = inner.binding, let outer = function.binding else {
      return description
    }
    // `**` binds to the right, all others to the left.
    let bindsTight = binding > outer || binding == outer && isRight == (function == .raise)
    return bindsTight ? description : "(\(self))"
  }

  // MARK: Constants

  private static func text(of value: PredicateValue) -> String {
    switch value {
    case .scalar(let value): text(of: value)
    case .list(let list): "{\(list.map { text(of: $0) }.joined(separator: ", "))}"
    case .object(let object): "\(object)"
    case .other(let other): "\(other)"
    }
  }

  private static func text(of value: Value) -> String {
    switch value {
    case .null: "nil"
    case .integer(let integer): "\(integer)"
    case .boolean(let boolean): boolean ? "1" : "0"
    case .real(let real): Decimal(shortestOf: real)?.description ?? "\(real)"
    case .decimal(let decimal): decimal.description
    case .string(let string): quoted(string)
    case .date(let date): "CAST(\(String(format: "%.6f", date.timeIntervalSinceReferenceDate)), \"NSDate\")"
    case .uuid(let uuid): "CAST(\"\(uuid.uuidString)\", \"NSUUID\")"
    case .url(let url): "CAST(\(quoted(url.absoluteString)), \"NSURL\")"
    case .data(let data): "CAST(\"\(data.base64EncodedString())\", \"NSData\")"
    }
  }

  private static let escapes: [Character: String] = ["\"": "\\\"", "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"]

  private static func quoted(_ text: String) -> String { "\"\(text.map { escapes[$0] ?? String($0) }.joined())\"" }
}

extension PredicateFunction {
  /// How tight its sign binds.
  fileprivate var binding: Int? {
    switch self {
    case .bitwiseOr: 0
    case .bitwiseXor: 1
    case .bitwiseAnd: 2
    case .leftShift, .rightShift: 3
    case .add, .subtract: 4
    case .multiply, .divide: 5
    case .raise: 6
    default: nil
    }
  }
}
