import Bytes
import Diagnostics
import Foundation

/// Reads a pipeline from JSON5, with the place of everything that is wrong.
enum PipelineFile {
  /// Whether a file is a pipeline by its name.
  static func isNamedSo(_ path: String) -> Bool { path.hasSuffix(".json5") || path.hasSuffix(".json") }

  /// The pipeline in a file.
  static func read(_ path: String) throws(Diagnostic) -> Pipeline {
    let kind = FileSystem.kind(of: path)
    // A device may have no end.
    guard kind == .file, let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
      throw .pipelineUnreadable(path, kind)
    }
    guard let text = String(bytes: data, encoding: .utf8) else { throw .pipelineEncoding(path) }
    return try decode(text, file: path)
  }

  /// The pipeline in a text.
  static func decode(_ text: String, file: String) throws(Diagnostic) -> Pipeline {
    try decode(JSON5Scanner.scan(text, file: file), file: file)
  }

  /// The pipeline in a tree.
  static func decode(_ tree: JSONNode, file: String) throws(Diagnostic) -> Pipeline {
    try PipelineShape.pipeline.check(tree, in: file)
    do {
      return try JSONDecoder().decode(Pipeline.self, from: Data(tree.json.utf8))
    } catch let error as Diagnostic {
      throw error.at(SourcePosition(file: file))
    } catch let error as DecodingError {
      throw .undecodable(error, tree, in: file)
    } catch {
      throw Diagnostic(
        .pipelineValue, "\(error)", hint: "Compare the step with Pipelines/README.md.", at: SourcePosition(file: file))
    }
  }
}
