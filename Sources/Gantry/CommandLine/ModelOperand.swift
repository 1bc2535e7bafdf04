import Bytes
import Diagnostics
import Foundation
import ObjectModel
import SQLiteStore

/// What a user names where a model is wanted: the source of one, a compiled one, or a store, which keeps its own.
struct ModelOperand {
  let path: String
  let isStore: Bool

  init(_ path: String) {
    self.path = path
    isStore = Self.isStore(path)
  }

  /// The model, of a version if there are several.
  func model(version: String? = nil) throws -> NSManagedObjectModel {
    // What is not there at all was meant as a model here.
    guard isStore, FileSystem.exists(path) else {
      return try NSManagedObjectModel(contentsOf: URL(fileURLWithPath: path), version: version)
    }
    if let version { throw Diagnostic.storeHasNoVersions(path, version) }
    return try NSManagedObjectModel(cachedIn: URL(fileURLWithPath: path))
  }

  /// A model is known by its name or its first bytes; whatever else a file is, it is taken for a store, which says what is wrong.
  private static func isStore(_ path: String) -> Bool {
    let name = FileSystem.name(of: path)
    let isNamedAsModel =
      ["contents", "elements", "layout"].contains(name)
      || [".xcdatamodeld", ".xcdatamodel", ".momd", ".mom", ".omo", ".xml"].contains { name.hasSuffix($0) }
    guard FileSystem.kind(of: path) == .file, let file = FileHandle(forReadingAtPath: path) else {
      return [nil, .file].contains(FileSystem.kind(of: path)) && !isNamedAsModel
    }
    defer { try? file.close() }
    let start = (try? file.read(upToCount: 16)) ?? Data()
    if start == Data("SQLite format 3\0".utf8) { return true }
    return !isNamedAsModel && !["bplist", "momv2$", "<"].contains { start.starts(with: Data($0.utf8)) }
  }
}

extension Diagnostic {
  fileprivate static func storeHasNoVersions(_ path: String, _ version: String) -> Diagnostic {
    Diagnostic(
      .usage, "\(path) is a store, which has one version of its model, not \(version)",
      hint: "Leave --model-version out.")
  }
}
