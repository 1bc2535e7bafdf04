import Bytes
import Diagnostics
import Foundation
import Migration

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
    try check(tree, ["from", "to", "entities"], "the mapping", file)
    if case .object(let entities)? = tree["entities"]?.content {
      for entity in entities {
        try check(entity.value, ["from", "where", "values"], entity.key, file)
        guard case .object(let values)? = entity.value["values"]?.content else { continue }
        for value in values where value.value.kind == "an object" {
          let name = "\(entity.key).\(value.key)"
          if value.value["table"] == nil {
            try PipelineShape.conversion.check(value.value, in: file, called: name)
          } else {
            try check(value.value, ["of", "table"], name, file)
          }
        }
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
