import Bytes
import Diagnostics
import Foundation
import Migration
import ObjectModel

/// `gantry check` of a model: its shadow attributes, and its versions beside those that were released.
enum CheckModelCommand {
  static let options = [
    OptionDescription(
      "against", .text("FOLDER|GIT-REF"),
      "what was released: a folder with the model or the project, or a commit, tag or branch of the model's git repository"
    )
  ]

  static func findings(_ path: String, _ arguments: Arguments, _ console: Console) throws -> [Diagnostic] {
    let shadows = try shadowFindings(of: try ModelOperand(path).model(), console)
    guard let against = arguments.value("against") else {
      if shadows.isEmpty { console.note("\(path): sound by itself; --against compares it with what was released") }
      return shadows
    }
    let model = try ModelVersions(contentsOf: URL(fileURLWithPath: path))
    guard let released = try released(path, against) else {
      console.note("\(path) is new: it is not in \(against)")
      return shadows
    }
    let findings = VersionGuard(model, against: released).findings()
    if findings.isEmpty {
      console.note("\(path): \(released.versions.count) released versions are unchanged since \(against)")
    }
    return shadows + findings
  }

  /// What is wrong with the shadow attributes of a model; what may go wrong later is said as a warning.
  static func shadowFindings(
    of model: NSManagedObjectModel, told: [String: Set<String>] = [:], _ console: Console
  ) throws -> [Diagnostic] {
    // What reading the model says of shadows is said again by the check.
    for warning in model.warnings where warning.code != .modelShadow { console.warn(warning) }
    let found = model.checkShadows(told: told)
    for warning in found where warning.code == .modelLateShadow { console.warn(warning) }
    return found.filter { $0.code != .modelLateShadow }
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
