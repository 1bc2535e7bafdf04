package import Diagnostics
package import Foundation
package import ObjectModel

/// All versions of a model, read.
package struct ModelVersions {
  /// A version and its model.
  package struct Version {
    package let name: String
    package let model: NSManagedObjectModel
    /// The version hashes of the entities by name, as they were when the model was read.
    package let hashes: [String: Data]

    package init(name: String, model: NSManagedObjectModel) {
      (self.name, self.model, hashes) = (name, model, model.entityVersionHashesByName)
    }
  }

  /// The versions in the order of their names, `Model 2` before `Model 10`.
  package let versions: [Version]
  /// The name of the current version.
  package let current: String

  /// Reads a package of versions, or a model that has one.
  package init(contentsOf url: URL) throws(Diagnostic) {
    guard let package = try ModelPackage(url) else {
      let name = url.deletingPathExtension().lastPathComponent
      versions = [Version(name: name, model: try NSManagedObjectModel(contentsOf: url))]
      current = name
      return
    }
    var versions: [Version] = []
    for name in package.versions {
      versions.append(Version(name: name, model: try NSManagedObjectModel(contentsOf: url, version: name)))
    }
    self.versions = versions
    current = try package.currentVersion()
  }

  /// The only version of a model that has no others.
  package init(_ name: String, _ model: NSManagedObjectModel) {
    versions = [Version(name: name, model: model)]
    current = name
  }

  /// The model of a version.
  package subscript(name: String) -> NSManagedObjectModel? { versions.first { $0.name == name }?.model }
}
