import Diagnostics
import Foundation
import KeyedArchives
import Predicates
import Values

/// Expressions as Xcode keeps them in a mapping model: keyed archives of `NSExpression`, read without a class of them.
///
/// Source: the archives in mapping models of public apps.
enum ArchivedExpression {
  /// More than any expression has; an archive may lead in a circle.
  private static let greatestDepth = 64

  static func decode(_ data: Data) throws(Diagnostic) -> ExpressionTree {
    guard let root = try KeyedArchive(data).rootNode else { throw .mappingExpression("nothing") }
    return try expression(root, depth: 0)
  }

  private static func expression(_ node: ArchivedNode, depth: Int) throws(Diagnostic) -> ExpressionTree {
    guard depth < greatestDepth else { throw .mappingExpression("one in itself") }
    func inner(_ node: ArchivedNode?) throws(Diagnostic) -> ExpressionTree {
      guard let node else { throw .mappingExpression("one without its part") }
      return try expression(node, depth: depth + 1)
    }
    switch node.className {
    case "NSConstantValueExpression": return .constant(constant(node["NSConstantValue"]))
    case "NSVariableExpression":
      guard let name = node["NSVariable"]?.text else { throw .mappingExpression("a variable without a name") }
      return .variable(name)
    case "NSSelfExpression": return .evaluatedObject
    case "NSKeyPathSpecifierExpression":
      guard let path = node["NSKeyPath"]?.text else { throw .mappingExpression("a key path without keys") }
      return .keyPath(.evaluatedObject, keys: path.split(separator: ".").map(String.init))
    case "NSKeyPathExpression", "NSFunctionExpression":
      let selector = node["NSSelectorName"]?.text ?? ""
      let arguments = node["NSArguments"]?.items ?? []
      if ["valueForKeyPath:", "valueForKey:"].contains(selector) {
        guard let path = arguments.first?["NSKeyPath"]?.text ?? arguments.first?["NSConstantValue"]?.text else {
          throw .mappingExpression("a key path without keys")
        }
        return .keyPath(try inner(node["NSOperand"]), keys: path.split(separator: ".").map(String.init))
      }
      var values: [ExpressionTree] = []
      for argument in arguments { values.append(try inner(argument)) }
      if node["NSOperand"]?["NSConstantValueClassName"]?.text == "_NSPredicateUtilities" {
        guard let function = PredicateFunction(rawValue: selector) else {
          throw .mappingExpression("the function \(selector)")
        }
        return .function(function, values)
      }
      return .call(try inner(node["NSOperand"]), selector: selector, values)
    case "NSAggregateExpression":
      var elements: [ExpressionTree] = []
      for element in node["NSCollection"]?.items ?? [] { elements.append(try inner(element)) }
      return .aggregate(elements)
    case let name: throw .mappingExpression(name ?? "no expression")
    }
  }

  private static func constant(_ node: ArchivedNode?) -> PredicateValue {
    guard let node else { return .null }
    if let text = node.text { return .scalar(.string(text)) }
    if let integer = node.integer { return .scalar(.integer(integer)) }
    if let number = node.number { return .scalar(.real(number)) }
    if let flag = node.flag { return .scalar(.boolean(flag)) }
    if let date = node.date { return .scalar(.date(date)) }
    if let decimal = node.decimal { return .scalar(.decimal(decimal)) }
    if let data = node.data { return .scalar(.data(data)) }
    return .null
  }
}

extension Diagnostic {
  fileprivate static func mappingExpression(_ what: String) -> Diagnostic {
    Diagnostic(
      .mappingModel, "a value expression cannot be read: it is \(what)",
      hint: "Known are constants, variables, key paths, the functions of the format language, and FUNCTION.")
  }
}
