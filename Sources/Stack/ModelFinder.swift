import Bytes
import Diagnostics
import Foundation
import Migration
import ObjectModel

/// Finds the file of a model by its name.
enum ModelFinder {
  /// What the file's name may end with; in a folder with several the first is taken.
  static let extensions = ["momd", "mom", "xcdatamodeld"]

  /// The model of a name in the first of some folders that has it; the program's own resources are looked at last.
  static func model(_ name: String, in folders: [URL]) throws(Diagnostic) -> NSManagedObjectModel {
    let all = folders + [Bundle.main.resourceURL ?? Bundle.main.bundleURL]
    for folder in all {
      for fileExtension in extensions {
        let url = folder.appendingPathComponent("\(name).\(fileExtension)")
        if FileSystem.exists(url.path) { return try NSManagedObjectModel(contentsOf: url) }
      }
    }
    throw .modelNotFound(name, in: all)
  }

  /// All versions of all models in a folder that can be read, with the names of the files.
  static func versions(in folder: URL) -> [(file: String, version: KnownVersions.Version)] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let files = names.sorted().map { folder.appendingPathComponent($0) }.filter {
      extensions.contains($0.pathExtension)
    }
    return files.flatMap { file in
      let versions = (try? versions(of: file)) ?? []
      return versions.map { (file.deletingPathExtension().lastPathComponent, $0) }
    }
  }

  /// The versions of a model that can be read.
  static func versions(of url: URL) throws(Diagnostic) -> [KnownVersions.Version] {
    let name = url.deletingPathExtension().lastPathComponent
    guard let package = try ModelPackage(url) else {
      return [.init(name: name, model: try NSManagedObjectModel(contentsOf: url))]
    }
    return package.versions.compactMap { version in
      (try? NSManagedObjectModel(contentsOf: url, version: version)).map { .init(name: version, model: $0) }
    }
  }
}
