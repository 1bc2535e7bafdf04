import Foundation
import TestSupport
import Testing

/// A copy of what a user of the tool has: the documentation, the pipelines and the sample data.
final class ProjectCopy {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let files = FileManager.default
    for name in ["README.md", "SampleData"] {
      try files.copyItem(at: ToolRun.project.appendingPathComponent(name), to: url(name))
    }
    try files.createDirectory(at: url("Pipelines"), withIntermediateDirectories: false)
    // The stores that the pipelines have made where the project lies stay there.
    for name in try Self.pipelines() + ["README.md"] {
      try files.copyItem(
        at: ToolRun.project.appendingPathComponent("Pipelines/\(name)"), to: url("Pipelines/\(name)"))
    }
  }

  func url(_ path: String) -> URL { folder.url.appendingPathComponent(path) }

  /// The pipeline files, by name.
  static func pipelines() throws -> [String] {
    let folder = ToolRun.project.appendingPathComponent("Pipelines").path
    return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".json5") }.sorted()
  }

  /// A text of the project.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: ToolRun.project.appendingPathComponent(path), encoding: .utf8)
  }
}

extension ToolRun {
  /// Runs a Python program.
  static func python(_ arguments: [String]) throws -> ToolRun {
    try ToolRun(["python3"] + arguments, tool: URL(fileURLWithPath: "/usr/bin/env"))
  }

  /// Whether there is Python to run.
  static let hasPython = (try? python(["-c", ""]).status) == 0
}
