import Bytes
import Diagnostics
import Foundation
import Migration

/// `gantry check` of a model: its versions beside those that were released.
enum CheckModelCommand {
  static let options = [
    OptionDescription(
      "against", .text("FOLDER|GIT-REF"),
      "what was released: a folder with the model or the project, or a commit, tag or branch of the model's git repository"
    )
  ]

  static func findings(_ path: String, _ arguments: Arguments, _ console: Console) throws -> [Diagnostic] {
    guard let against = arguments.value("against") else {
      throw Diagnostic.usage(
        "--against is missing", hint: "Name a folder, or a commit, tag or branch of git, with the released model.")
    }
    let model = try ModelVersions(contentsOf: URL(fileURLWithPath: path))
    guard let released = try released(path, against) else {
      console.note("\(path) is new: it is not in \(against)")
      return []
    }
    let findings = VersionGuard(model, against: released).findings()
    if findings.isEmpty {
      console.note("\(path): \(released.versions.count) released versions are unchanged since \(against)")
    }
    return findings
  }

  /// The released versions; nil if the commit does not have the model.
  private static func released(_ path: String, _ against: String) throws -> ModelVersions? {
    if FileSystem.kind(of: against) == .folder {
      return try ModelVersions(contentsOf: URL(fileURLWithPath: try folder(of: path, in: against)))
    }
    return try GitModel(path, at: against)?.versions()
  }

  /// The model in a folder: the folder itself, or the one of the same name in it, or by the same path.
  private static func folder(of path: String, in against: String) throws(Diagnostic) -> String {
    let name = FileSystem.name(of: path)
    let known = [
      FileSystem.name(of: FileSystem.resolved(against)) == name ? against : nil, against + "/" + name,
      path.hasPrefix("/") ? nil : against + "/" + path,
      [".xcdatamodeld", ".momd", ".xcdatamodel"].contains { FileSystem.resolved(against).hasSuffix($0) }
        ? against : nil,
    ].compactMap(\.self)
    guard let folder = known.first(where: { FileSystem.kind(of: $0) == .folder }) else {
      throw .releasedMissing(name, in: against)
    }
    return folder
  }
}

extension Diagnostic {
  fileprivate static func releasedMissing(_ name: String, in folder: String) -> Diagnostic {
    Diagnostic(
      Code("check.released", .store), "the folder \(folder) has no \(name)",
      hint: "Name the folder of the model, or the one that it lies in.")
  }
}
