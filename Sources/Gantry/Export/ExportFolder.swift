import Bytes
import Diagnostics
import Foundation

/// A folder that is filled beside its place, and is there as a whole or not at all.
struct ExportFolder {
  /// Where it will be.
  let target: String
  /// Where it is filled.
  let path: String
  private let replaces: Bool

  /// Makes the folder beside its place.
  ///
  /// - Parameter replacing: whether a folder that is there and not empty is replaced.
  init(_ target: String, replacing: Bool) throws(Diagnostic) {
    self.target = FileSystem.resolved(target)
    replaces = replacing
    let parent = FileSystem.folder(of: self.target)
    path = FileSystem.path(".\(FileSystem.name(of: self.target)).exporting", in: parent)
    try FileSystem.checkFolderIsWritable(of: self.target)
    switch FileSystem.kind(of: self.target) {
    case nil: break
    case .folder?:
      let names = (try? FileManager.default.contentsOfDirectory(atPath: self.target)) ?? []
      if !names.isEmpty, !replacing { throw .folderNotEmpty(target) }
    default: throw .targetIsFile(target)
    }
    // One that was stopped has left it.
    try? FileManager.default.removeItem(atPath: path)
    try FileSystem.makeFolder(path)
  }

  /// The path of a file in it.
  func file(_ name: String) -> String { FileSystem.path(name, in: path) }

  /// Moves the folder to its place.
  func complete() throws(Diagnostic) {
    let before = path + ".before"
    let isFull = ((try? FileManager.default.contentsOfDirectory(atPath: target)) ?? []).isEmpty == false
    if isFull {
      guard replaces else { throw .folderNotEmpty(target) }
      try? FileManager.default.removeItem(atPath: before)
      try FileSystem.rename(from: target, to: before, replacing: true)
    }
    try FileSystem.rename(from: path, to: target, replacing: true)
    if isFull { try? FileManager.default.removeItem(atPath: before) }
  }

  /// Removes what was written.
  func abandon() { try? FileManager.default.removeItem(atPath: path) }
}

extension Diagnostic.Code {
  static let exportTarget = Self("export.target", .usage)
  static let exportCharacter = Self("export.character", .store)
  static let exportDefault = Self("export.default", .warning)
  static let exportRows = Self("export.rows", .warning)
}

extension Diagnostic {
  fileprivate static func folderNotEmpty(_ path: String) -> Diagnostic {
    Diagnostic(
      .exportTarget, "the folder \(path) is not empty",
      hint: "Name another, or say --force to replace all that is in it.")
  }

  fileprivate static func targetIsFile(_ path: String) -> Diagnostic {
    Diagnostic(
      .exportTarget, "\(path) is a file, expected the name of a folder",
      hint: "Name a folder that is not there yet, or an empty one.")
  }

  static func exportStrayRows(_ entity: String, _ count: Int) -> Diagnostic {
    Diagnostic(
      .exportRows,
      "\(count == 1 ? "1 row is" : "\(count) rows are") not exported: no object is of their entity, \(entity)",
      hint: "`gantry check` lists them.")
  }

  static func exportDefault(_ attribute: String, _ count: Int) -> Diagnostic {
    Diagnostic(
      .exportDefault,
      "\(attribute) is required and has no value in \(count == 1 ? "1 row" : "\(count) rows"): an import gives them the default",
      hint: "`gantry check` lists them.")
  }

  /// A text that a format cannot hold.
  static func exportCharacter(_ row: String, _ column: String, _ format: ExportFormat) -> Diagnostic {
    Diagnostic(
      .exportCharacter,
      format == .xml
        ? "\(column) of \(row) holds a control character, which XML cannot"
        : "\(column) of \(row) holds a NUL character",
      hint: format == .xml
        ? "Say --format csv or json." : "No import takes it; --format json shows the text.")
  }
}
