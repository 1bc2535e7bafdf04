import Bytes
import Diagnostics
import Foundation
import Migration
import Predicates

/// Reads the declaration of a mapping from JSON5, with the place of what is wrong.
enum MappingFile {
  static func read(_ path: String) throws(Diagnostic) -> MappingDeclaration {
    guard FileSystem.kind(of: path) == .file, let data = try? Data(contentsOf: URL(fileURLWithPath: path)),
      let text = String(bytes: data, encoding: .utf8)
    else { throw .mappingUnreadable(path) }
    return try decode(text, file: path)
  }

  static func decode(_ text: String, file: String) throws(Diagnostic) -> MappingDeclaration {
    let tree = try JSON5Scanner.scan(text, file: file)
    try expect(.object, tree, "the mapping", file)
    try check(tree, ["from", "to", "entities", "drop"], "the mapping", file)
    if let drop = tree["drop"] { try expect(.texts, drop, "drop", file) }
    for key in ["from", "to"] { if let node = tree[key] { try expect(.text, node, key, file) } }
    for (name, entity) in try members(tree["entities"], "entities", file) {
      try expect(.object, entity, name, file)
      try check(entity, ["from", "where", "values"], name, file)
      if let from = entity["from"] { try expect(.texts, from, "\(name).from", file) }
      if let condition = entity["where"] {
        try parse(condition, "\(name).where", file) { text throws(Diagnostic) in _ = try PredicateTree(format: text) }
      }
      for (key, value) in try members(entity["values"], "\(name).values", file) {
        try check(value: value, "\(name).\(key)", file)
      }
    }
    do {
      return try JSONDecoder().decode(MappingDeclaration.self, from: Data(tree.json.utf8))
    } catch let error as DecodingError {
      throw .undecodable(error, tree, in: file)
    } catch {
      throw Diagnostic(
        .pipelineValue, "\(error)", hint: "The README shows what a mapping file has.", at: SourcePosition(file: file))
    }
  }

  private static func check(value: JSONNode, _ name: String, _ file: String) throws(Diagnostic) {
    var expression = value
    if case .object = value.content {
      if let table = value["table"] {
        try check(value, ["of", "table"], name, file)
        for (text, result) in try members(table, "\(name).table", file) {
          try expect(.text, result, "\(name).table.\(text)", file)
        }
      } else {
        try PipelineShape.conversion.check(value, in: file, called: name)
      }
      guard let of = value["of"] else { return }
      expression = of
    } else {
      try expect(.expression, value, name, file)
    }
    try parse(expression, name, file) { text throws(Diagnostic) in _ = try ExpressionTree(format: text) }
  }

  // MARK: Kinds of values

  /// What stands in a place of the file.
  private enum Kind: String {
    case object = "an object"
    case text = "a text"
    case texts = "a list of texts"
    case expression = "an expression as text, or an object with `of`"
  }

  private static func expect(_ kind: Kind, _ node: JSONNode, _ name: String, _ file: String) throws(Diagnostic) {
    let fits =
      switch (kind, node.content) {
      case (.object, .object), (.text, .string), (.expression, .string): true
      case (.texts, .array(let elements)): elements.allSatisfy { if case .string = $0.content { true } else { false } }
      default: false
      }
    guard fits else {
      throw .wrongKind(
        name, node, expected: kind.rawValue, hint: "The README shows what a mapping file has.", in: file)
    }
  }

  /// The members of an object, in their order; none where it is left out.
  private static func members(
    _ node: JSONNode?, _ name: String, _ file: String
  ) throws(Diagnostic) -> [(key: String, value: JSONNode)] {
    guard let node else { return [] }
    try expect(.object, node, name, file)
    guard case .object(let members) = node.content else { return [] }
    return members.map { ($0.key, $0.value) }
  }

  /// Reads a text in the format language; what is wrong in it is told with the place of the text.
  private static func parse(
    _ node: JSONNode, _ name: String, _ file: String, _ body: (String) throws(Diagnostic) -> Void
  ) throws(Diagnostic) {
    try expect(.text, node, name, file)
    guard case .string(let text) = node.content else { return }
    do throws(Diagnostic) { try body(text) } catch {
      throw Diagnostic(error.code, "\(name): \(error.message)", hint: error.hint, at: node.position(in: file))
    }
  }

  /// A key that nobody reads would be a change that nobody makes.
  private static func check(_ node: JSONNode, _ known: [String], _ name: String, _ file: String) throws(Diagnostic) {
    guard case .object(let members) = node.content else { return }
    for member in members where !known.contains(member.key) {
      throw .unknownKey(member.key, in: name, known: known, at: member.position(in: file))
    }
  }
}

extension Diagnostic {
  fileprivate static func mappingUnreadable(_ path: String) -> Diagnostic {
    Diagnostic(
      .pipelineFile, "there is no mapping in UTF-8 at \(path)", hint: "Check the path and its permissions.",
      at: SourcePosition(file: path))
  }
}
