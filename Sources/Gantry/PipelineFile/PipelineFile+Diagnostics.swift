import Bytes
import Diagnostics

extension Diagnostic.Code {
  static let pipelineFile = Self("pipeline.file", .usage)
  static let pipelineSyntax = Self("pipeline.syntax", .usage)
  static let pipelineKey = Self("pipeline.key", .usage)
  static let pipelineValue = Self("pipeline.value", .usage)
}

extension Diagnostic {
  static func pipelineUnreadable(_ path: String, _ kind: FileSystem.Kind?) -> Diagnostic {
    let found =
      switch kind {
      case nil: "there is no such file"
      case .folder?: "this is a folder"
      case .file?: "the file cannot be read"
      case .other?: "this is a pipe or a device"
      }
    return Diagnostic(
      .pipelineFile, "\(found), expected a pipeline", hint: "Check the path and its permissions.",
      at: SourcePosition(file: path))
  }

  static func pipelineEncoding(_ path: String) -> Diagnostic {
    Diagnostic(
      .pipelineSyntax, "the file is not UTF-8", hint: "Save it as UTF-8.", at: SourcePosition(file: path))
  }

  static func unknownKey(
    _ key: String, in name: String, known: [String], at position: SourcePosition
  ) -> Diagnostic {
    let near = NearestName.question(key, in: known)
    return Diagnostic(
      .pipelineKey, "\(name) has an unknown key \(key)",
      hint: "\(near)Known keys: \(known.joined(separator: ", ")).", at: position)
  }

  static func wrongKind(
    _ name: String, _ node: JSONNode, expected: String, hint: String = "Pipelines/README.md has examples.",
    in file: String
  ) -> Diagnostic {
    let found =
      switch node.content {
      case .string(let text): "\"\(ShownText.excerpt(text))\""
      case .number(let text): ShownText.excerpt(text)
      default: node.kind
      }
    return Diagnostic(
      .pipelineValue, "\(name) is \(found), expected \(expected)", hint: hint, at: node.position(in: file))
  }

  /// A value that fits the shape, but not the struct: a key that must be there is not, or a value is out of bounds.
  static func undecodable(_ error: DecodingError, _ tree: JSONNode, in file: String) -> Diagnostic {
    switch error {
    case .keyNotFound(let key, let context):
      return Diagnostic(
        .pipelineValue, "the key \(key.stringValue) is missing",
        hint: "Add it: `\(key.stringValue)` has no default.", at: tree[context.codingPath].position(in: file))
    case .typeMismatch(let type, let context):
      return wrongValue(context, tree, expected: type is any RandomAccessCollection.Type ? "a list" : "an object", file)
    case .valueNotFound(_, let context), .dataCorrupted(let context):
      if let diagnostic = context.underlyingError as? Diagnostic {
        return diagnostic.at(tree[context.codingPath].position(in: file))
      }
      return wrongValue(context, tree, expected: context.debugDescription, file)
    @unknown default:
      return Diagnostic(
        .pipelineValue, "\(error)", hint: "Compare the file with Pipelines/README.md.", at: SourcePosition(file: file))
    }
  }

  private static func wrongValue(
    _ context: DecodingError.Context, _ tree: JSONNode, expected: String, _ file: String
  ) -> Diagnostic {
    let name = context.codingPath.last { $0.intValue == nil }?.stringValue ?? "the pipeline"
    return wrongKind(name, tree[context.codingPath], expected: expected, in: file)
  }
}

extension JSONNode {
  /// The value at a path, or the innermost around it that is there.
  fileprivate subscript(_ path: [any CodingKey]) -> JSONNode {
    path.reduce(self) { node, key in (key.intValue.flatMap { node[$0] } ?? node[key.stringValue]) ?? node }
  }
}
