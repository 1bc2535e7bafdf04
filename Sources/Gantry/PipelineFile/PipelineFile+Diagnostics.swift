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
      case .file?, .other?: "the file cannot be read"
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
    let near = NearestName.of(key, in: known).map { "Did you mean \($0)? " } ?? ""
    return Diagnostic(
      .pipelineKey, "\(name) has an unknown key \(key)",
      hint: "\(near)Known keys: \(known.joined(separator: ", ")).", at: position)
  }

  static func wrongKind(_ name: String, _ node: JSONNode, expected: String, in file: String) -> Diagnostic {
    let found =
      switch node.content {
      case .string(let text): "\"\(text)\""
      case .number(let text): text
      default: node.kind
      }
    return Diagnostic(
      .pipelineValue, "\(name) is \(found), expected \(expected)",
      at: SourcePosition(file: file, line: node.line, column: node.column))
  }

  /// A value that fits the shape, but not the struct: a key that must be there is not, or a value is out of bounds.
  static func undecodable(_ error: DecodingError, _ tree: JSONNode, in file: String) -> Diagnostic {
    let message: String
    let path: [any CodingKey]
    switch error {
    case .keyNotFound(let key, let context):
      message = "the key \(key.stringValue) is missing"
      path = context.codingPath
    case .valueNotFound(_, let context), .typeMismatch(_, let context), .dataCorrupted(let context):
      let name = context.codingPath.last { $0.intValue == nil }?.stringValue ?? "the pipeline"
      message = "\(name): \(context.debugDescription)"
      path = context.codingPath
    @unknown default:
      message = "\(error)"
      path = []
    }
    let node = path.reduce(tree) { node, key in
      (key.intValue.flatMap { node[$0] } ?? node[key.stringValue]) ?? node
    }
    return Diagnostic(
      .pipelineValue, message, at: SourcePosition(file: file, line: node.line, column: node.column))
  }
}
