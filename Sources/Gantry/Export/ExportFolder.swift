import Bytes
import Diagnostics
import Foundation

/// A folder that is filled beside its place, and is there as a whole or not at all.
struct ExportFolder {
  /// The pipeline that imports the files.
  static let pipeline = "import.json5"

  /// Where it will be.
  let target: String
  /// Where it is filled.
  let path: String
  /// What its place is called in messages.
  private let name: String
  private let earlier: EarlierExport?

  /// Makes the folder beside its place.
  ///
  /// - Parameter earlier: what may be replaced; nil for nothing, so that the folder must be empty if it is there.
  init(_ target: String, replacing earlier: EarlierExport?) throws(Diagnostic) {
    self.target = FileSystem.resolved(target)
    name = target
    self.earlier = earlier
    let parent = FileSystem.folder(of: self.target)
    path = FileSystem.path(".\(FileSystem.name(of: self.target)).exporting", in: parent)
    try FileSystem.checkFolderIsWritable(of: self.target)
    // An export was stopped between the two renames that replace a folder, or behind them.
    if FileSystem.exists(before) {
      if FileSystem.exists(self.target) {
        try? FileManager.default.removeItem(atPath: before)
      } else {
        try FileSystem.rename(from: before, to: self.target, replacing: true)
      }
    }
    switch FileSystem.kind(of: self.target) {
    case nil: break
    case .folder?: _ = try isFull()
    default: throw .targetIsFile(target)
    }
    // One that was stopped has left it.
    try? FileManager.default.removeItem(atPath: path)
    try FileSystem.makeFolder(path)
  }

  /// Where the folder that is replaced is until the new one is there.
  private var before: String { path + ".before" }

  /// The path of a file in it.
  func file(_ name: String) -> String { FileSystem.path(name, in: path) }

  /// Moves the folder to its place.
  func complete() throws(Diagnostic) {
    let isFull = try isFull()
    if isFull {
      try FileSystem.rename(from: target, to: before, replacing: true)
    }
    do throws(Diagnostic) {
      try FileSystem.rename(from: path, to: target, replacing: true)
    } catch {
      if isFull { try? FileSystem.rename(from: before, to: target, replacing: true) }
      throw error
    }
    if isFull { try? FileManager.default.removeItem(atPath: before) }
  }

  /// Whether there is something in its place; throws if that must not be replaced.
  private func isFull() throws(Diagnostic) -> Bool {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: target)) ?? []
    guard let earlier else {
      if names.isEmpty { return false }
      throw .folderNotEmpty(name)
    }
    // The order of a folder is anybody's.
    for entry in names.sorted() where !earlier.contains(entry, in: target) { throw .notOfExport(entry, name) }
    return !names.isEmpty
  }

  /// Removes what was written.
  func abandon() { try? FileManager.default.removeItem(atPath: path) }
}

extension Diagnostic.Code {
  static let exportTarget = Self("export.target", .usage)
  static let exportCharacter = Self("export.character", .store)
  static let exportNull = Self("export.null", .warning)
  static let exportValue = Self("export.value", .warning)
  static let exportRows = Self("export.rows", .warning)
}

extension Diagnostic {
  fileprivate static func folderNotEmpty(_ path: String) -> Diagnostic {
    Diagnostic(
      .exportTarget, "the folder \(path) is not empty",
      hint: "Name another, or say --force to replace an earlier export.")
  }

  fileprivate static func notOfExport(_ name: String, _ folder: String) -> Diagnostic {
    Diagnostic(
      .exportTarget,
      "the folder \(folder) holds \(ShownText.excerpt(name)), expected nothing but an earlier export of this model",
      hint: "Move that elsewhere, or name another folder: --force replaces what `gantry export` wrote, nothing else.")
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

  static func exportNull(_ attribute: String, _ count: Int) -> Diagnostic {
    Diagnostic(
      .exportNull,
      "\(attribute) is required and has no value in \(count == 1 ? "1 row" : "\(count) rows"), which an import rejects",
      hint: "`gantry check` lists them; the `map` of import.json5 may say what stands for no value, as `whenNull`.")
  }

  static func exportForeignValues(_ attribute: String, _ count: Int) -> Diagnostic {
    Diagnostic(
      .exportValue,
      "\(attribute) is not of its type in \(count == 1 ? "1 row" : "\(count) rows"): an import refuses such a value, or changes it",
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
