import Foundation
import KeyedArchives

/// Archived expressions and predicates as text, as the source of a model spells them: `pages.@count`, `rating > 3 AND ...`.
///
/// What is of a class or form that is not known, or too large to be meant, has no text.
struct ArchivedFormat {
  static func expression(_ node: ArchivedNode) -> String? {
    var format = ArchivedFormat()
    return format.expression(node, 0)
  }

  static func predicate(_ node: ArchivedNode) -> String? {
    var format = ArchivedFormat()
    return format.predicate(node, 0)
  }

  /// How much longer the text may become; objects may be shared, and unfold to far more than the archive.
  private var room = 1 << 16

  private init() {}

  private mutating func take(_ text: String?) -> String? {
    guard let text else { return nil }
    room -= text.utf8.count + 1
    return room > 0 ? text : nil
  }

  // MARK: Expressions

  private mutating func expression(_ node: ArchivedNode?, _ depth: Int) -> String? {
    guard let node, depth < 40 else { return nil }
    switch node.className {
    case "NSSelfExpression"?: return take("SELF")
    case "NSKeyPathSpecifierExpression"?: return take(node["NSKeyPath"]?.text)
    case "NSVariableExpression"?: return take(node["NSVariable"]?.text.map { "$\($0)" })
    case "NSConstantValueExpression"?: return constant(node, depth)
    case "NSAggregateExpression"?: return list(node["NSCollection"]?.items, depth)
    case "NSKeyPathExpression"?: return keyPath(node, depth)
    case "NSFunctionExpression"?: return function(node, depth)
    default: return nil
    }
  }

  private mutating func keyPath(_ node: ArchivedNode, _ depth: Int) -> String? {
    guard let path = expression(node["NSArguments"]?.items?.first, depth + 1) else { return nil }
    guard let operand = node["NSOperand"], operand.className != "NSSelfExpression" else { return path }
    return expression(operand, depth + 1).map { "\($0).\(path)" }
  }

  private mutating func constant(_ node: ArchivedNode, _ depth: Int) -> String? {
    guard let value = node["NSConstantValue"] else { return take("nil") }
    if let items = value.items {
      var texts: [String] = []
      for item in items {
        guard let text = take(Self.literal(item)) else { return nil }
        texts.append(text)
      }
      return "{\(texts.joined(separator: ", "))}"
    }
    return take(Self.literal(value))
  }

  private static func literal(_ value: ArchivedNode) -> String? {
    if let text = value.text { return quoted(text) }
    if let integer = value.integer { return "\(integer)" }
    if let number = value.number { return number.isFinite ? "\(number)" : nil }
    if let flag = value.flag { return flag ? "1" : "0" }
    if let decimal = value.decimal { return "\(decimal)" }
    return value.date.map { "CAST(\($0.timeIntervalSinceReferenceDate), \"NSDate\")" }
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "\""
  }

  private mutating func list(_ nodes: [ArchivedNode]?, _ depth: Int) -> String? {
    texts(nodes, depth).map { "{\($0.joined(separator: ", "))}" }
  }

  private mutating func texts(_ nodes: [ArchivedNode]?, _ depth: Int) -> [String]? {
    guard let nodes else { return nil }
    var texts: [String] = []
    for node in nodes {
      guard let text = expression(node, depth + 1) else { return nil }
      texts.append(text)
    }
    return texts
  }

  /// Functions by selector: those of collections, arithmetic, and others by their names.
  private mutating func function(_ node: ArchivedNode, _ depth: Int) -> String? {
    guard let selector = take(node["NSSelectorName"]?.text),
      let arguments = texts(node["NSArguments"]?.items ?? [], depth)
    else { return nil }
    if let operand = node["NSOperand"], operand["NSConstantValueClassName"]?.text != "_NSPredicateUtilities" {
      guard let receiver = expression(operand, depth + 1) else { return nil }
      return "FUNCTION(\(([receiver, Self.quoted(selector)] + arguments).joined(separator: ", ")))"
    }
    if let sign = Self.arithmetic[selector], arguments.count == 2 {
      let operands = node["NSArguments"]?.items ?? []
      let left = Self.bracketed(arguments[0], operands[0], inside: sign, isRight: false)
      return "\(left) \(sign) \(Self.bracketed(arguments[1], operands[1], inside: sign, isRight: true))"
    }
    if let name = Self.collectionOperators[selector], arguments.count == 1 { return "\(arguments[0]).\(name)" }
    return "\(selector)(\(arguments.joined(separator: ", ")))"
  }

  /// An operand in brackets where it would be read as another's without.
  private static func bracketed(_ text: String, _ node: ArchivedNode, inside sign: String, isRight: Bool) -> String {
    guard let inner = node["NSSelectorName"]?.text.flatMap({ arithmetic[$0] }) else { return text }
    let (innerBinds, binds) = ("*/".contains(inner), "*/".contains(sign))
    return !innerBinds && binds || isRight && innerBinds == binds ? "(\(text))" : text
  }

  private static let arithmetic = [
    "add:to:": "+", "from:subtract:": "-", "multiply:by:": "*", "divide:by:": "/",
  ]
  private static let collectionOperators = ["count:": "@count", "sum:": "@sum"]

  // MARK: Predicates

  private mutating func predicate(_ node: ArchivedNode?, _ depth: Int) -> String? {
    guard let node, depth < 40 else { return nil }
    switch node.className {
    case "NSComparisonPredicate"?: return comparison(node, depth)
    case "NSCompoundPredicate"?: return compound(node, depth)
    case "NSTruePredicate"?: return take("TRUEPREDICATE")
    case "NSFalsePredicate"?: return take("FALSEPREDICATE")
    default: return nil
    }
  }

  private mutating func compound(_ node: ArchivedNode, _ depth: Int) -> String? {
    var parts: [String] = []
    for part in node["NSSubpredicates"]?.items ?? [] {
      guard let text = predicate(part, depth + 1) else { return nil }
      parts.append(part.className == "NSCompoundPredicate" ? "(\(text))" : text)
    }
    guard !parts.isEmpty else { return nil }
    switch node["NSCompoundPredicateType"]?.integer {
    case 0?: return parts.count == 1 ? "NOT \(parts[0])" : nil
    case 1?: return parts.joined(separator: " AND ")
    case 2?: return parts.joined(separator: " OR ")
    default: return nil
    }
  }

  private mutating func comparison(_ node: ArchivedNode, _ depth: Int) -> String? {
    guard let left = expression(node["NSLeftExpression"], depth + 1),
      let right = expression(node["NSRightExpression"], depth + 1), let comparison = node["NSPredicateOperator"],
      let number = comparison["NSOperatorType"]?.integer, let sign = Self.operators[number],
      let modifier = Self.modifiers[comparison["NSModifier"]?.integer ?? 0]
    else { return nil }
    let options = comparison["NSOptions"]?.integer ?? comparison["NSFlags"]?.integer ?? 0
    let letters = (options & 1 != 0 ? "c" : "") + (options & 2 != 0 ? "d" : "")
    return take("\(modifier)\(left) \(sign)\(letters.isEmpty ? "" : "[\(letters)]") \(right)")
  }

  /// Source: Apple, Foundation, `NSComparisonPredicate.Operator`.
  private static let operators: [Int64: String] = [
    0: "<", 1: "<=", 2: ">", 3: ">=", 4: "==", 5: "!=", 6: "MATCHES", 7: "LIKE", 8: "BEGINSWITH", 9: "ENDSWITH",
    10: "IN", 99: "CONTAINS", 100: "BETWEEN",
  ]
  private static let modifiers: [Int64: String] = [0: "", 1: "ALL ", 2: "ANY "]
}
