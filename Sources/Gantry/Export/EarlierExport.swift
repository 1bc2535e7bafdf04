import Bytes
import Foundation
import ObjectModel

/// What an export of a model may have left in a folder: all that another one replaces.
struct EarlierExport {
  /// What files are called without their format's name, and folders of side files.
  private let names: Set<String>

  init(of entities: [NSEntityDescription]) {
    var names: Set<String> = []
    for entity in entities {
      let name = entity.name ?? ""
      names.insert(name)
      for stored in entity.layout.attributes { names.insert("\(name).\(stored.path)") }
      for relationship in entity.layout.toMany { names.insert("\(name).\(relationship.name)") }
    }
    self.names = names
  }

  /// Whether something in a folder is of an export.
  func contains(_ name: String, in folder: String) -> Bool {
    let path = FileSystem.path(name, in: folder)
    switch FileSystem.kind(of: path) {
    case .file?:
      return name == ExportFolder.pipeline
        || ExportFormat.allCases.contains { format in
          name.hasSuffix(".\(format.rawValue)") && names.contains(String(name.dropLast(format.rawValue.count + 1)))
        }
    case .folder?:
      let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
      return names.contains(name) && files.allSatisfy { $0.first == "p" && Int64($0.dropFirst()) != nil }
    default: return false
    }
  }
}
