package import Diagnostics
package import Foundation
package import ObjectModel

/// The versions among which stores are migrated, and the one that they become.
package struct KnownVersions {
  package typealias Version = ModelVersions.Version

  /// The versions in the order of their names, `Model 2` before `Model 10`.
  package let versions: [Version]
  /// The version that stores become.
  package let destination: Version
  /// The versions that cannot be read, with the reason.
  package let unreadable: [(name: String, reason: Diagnostic)]
  /// What they were read from.
  package let path: String

  /// Reads a package of versions, a model that has one, or a folder of models.
  ///
  /// - Parameter name: the version that stores become; the current one by default.
  package init(contentsOf url: URL, to name: String? = nil) throws(Diagnostic) {
    path = url.relativePath
    let models = Self.models(in: url)
    var versions: [Version] = []
    var unreadable: [(name: String, reason: Diagnostic)] = []
    for model in models {
      let prefix = models.count > 1 ? model.deletingPathExtension().lastPathComponent + "/" : ""
      let names: [String?] = try ModelPackage(model)?.versions ?? [nil]
      for version in names {
        let name = prefix + (version ?? model.deletingPathExtension().lastPathComponent)
        do throws(Diagnostic) {
          versions.append(Version(name: name, model: try NSManagedObjectModel(contentsOf: model, version: version)))
        } catch {
          unreadable.append((name, error))
        }
      }
    }
    self.versions = versions
    self.unreadable = unreadable
    destination = try Self.destination(name, of: models, in: versions, unreadable, path)
  }

  /// The versions that lie beside a model, which stores become; the model alone if it was made in code.
  package init(besides model: NSManagedObjectModel) throws(Diagnostic) {
    guard let origin = model.origin else {
      let only = Version(name: "the model", model: model)
      self.init([only], to: only)
      return
    }
    let all = try KnownVersions(contentsOf: URL(fileURLWithPath: origin.path), to: origin.version)
    // The very model, which may have been changed since it was read.
    let own = Version(name: all.destination.name, model: model)
    self.init(all.versions.map { $0.name == own.name ? own : $0 }, to: own)
  }

  /// The versions of models that were made in code, the last of which stores become.
  package init(_ versions: [Version], to destination: Version) {
    (self.versions, self.destination, unreadable, path) = (versions, destination, [], "")
  }

  /// The models in a folder that is none itself.
  private static func models(in url: URL) -> [URL] {
    let isModel = ["xcdatamodeld", "momd", "xcdatamodel", "mom"].contains(url.pathExtension)
    let files = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
    let names = files.filter { $0.hasSuffix(".xcdatamodeld") || $0.hasSuffix(".momd") }
    guard !isModel, !names.isEmpty else { return [url] }
    return names.sorted(by: ModelPackage.precedes).map { url.appendingPathComponent($0) }
  }

  private static func destination(
    _ name: String?, of models: [URL], in versions: [Version], _ unreadable: [(name: String, reason: Diagnostic)],
    _ path: String
  ) throws(Diagnostic) -> Version {
    let wanted: String
    if let name {
      wanted = name
    } else if models.count == 1 {
      wanted = try ModelPackage(models[0])?.currentVersion() ?? models[0].deletingPathExtension().lastPathComponent
    } else {
      throw .destinationOpen(path, versions.map(\.name))
    }
    return try version(named: wanted, in: versions, unreadable, path)
  }

  static func version(
    named name: String, in versions: [Version], _ unreadable: [(name: String, reason: Diagnostic)], _ path: String
  ) throws(Diagnostic) -> Version {
    let wanted = [".xcdatamodel", ".mom"].reduce(name) { $0.hasSuffix($1) ? String($0.dropLast($1.count)) : $0 }
    if let found = versions.first(where: { $0.name == wanted }) { return found }
    if let failed = unreadable.first(where: { $0.name == wanted }) { throw failed.reason }
    throw .destinationUnknown(wanted, path, versions.map(\.name))
  }

  // MARK: Recognising

  /// The version of a store, by its hashes; of several that are alike the one that stores become, or else the last.
  package func version(of hashes: [String: Data]) -> Version? { version(of: hashes, in: []) }

  /// The same, but that of several which are alike one is taken that a mapping begins with.
  func version(of hashes: [String: Data], in mappings: [any VersionMapping]) -> Version? {
    let alike = versions.filter { $0.hashes == hashes }
    let direct = mappings.filter { $0.destination == destination.name }
    func start(of mappings: [any VersionMapping]) -> Version? {
      alike.last { version in mappings.contains { $0.source == version.name } }
    }
    return alike.first { $0.name == destination.name } ?? start(of: direct) ?? start(of: mappings) ?? alike.last
  }

  /// The version whose hashes differ from a store's in the fewest entities, and these.
  func nearest(to hashes: [String: Data]) -> (version: Version, entities: [String])? {
    versions.map { ($0, $0.model.entitiesDiffering(from: hashes)) }.min { $0.1.count < $1.1.count }
  }
}
