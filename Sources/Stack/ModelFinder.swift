import Bytes
import Diagnostics
import Foundation
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
}
