import Diagnostics
public import Foundation
import Migration
public import ObjectModel

/// One version of a model, read when it is needed.
///
/// Source: Apple, Core Data, `NSManagedObjectModelReference`.
public final class NSManagedObjectModelReference {
  private enum Place {
    case model(NSManagedObjectModel)
    case file(URL)
    case name(String, URL)
    case hashes([String: Data], URL)
  }

  /// The checksum of the model; see `NSManagedObjectModel.versionChecksum`.
  public let versionChecksum: String
  private let place: Place
  private var resolved: NSManagedObjectModel?

  /// Refers to a model that is there.
  public init(model: NSManagedObjectModel, versionChecksum: String) {
    (place, self.versionChecksum) = (.model(model), versionChecksum)
  }

  /// Refers to a model in a file, or to one of the versions in a package of them.
  public init(fileURL: URL, versionChecksum: String) {
    (place, self.versionChecksum) = (.file(fileURL), versionChecksum)
  }

  /// Refers to a model by its name, or by that of a version in a package, among the resources of a bundle; the program's own if
  /// none is named.
  public init(name modelName: String, in bundle: Bundle?, versionChecksum: String) {
    (place, self.versionChecksum) = (.name(modelName, (bundle ?? .main).modelFolder), versionChecksum)
  }

  /// Refers to the model among the resources of a bundle whose entities have these hashes.
  public init(entityVersionHashes versionHash: [AnyHashable: Any], in bundle: Bundle?, versionChecksum: String) {
    let hashes = versionHash.compactMap { name, hash in
      (name.base as? String).flatMap { name in (hash as? Data).map { (name, $0) } }
    }
    place = .hashes(Dictionary(hashes, uniquingKeysWith: { first, _ in first }), (bundle ?? .main).modelFolder)
    self.versionChecksum = versionChecksum
  }

  /// The model, read at the first time.
  ///
  /// - Throws: `model.not-found` where there is none of the checksum.
  public var resolvedModel: NSManagedObjectModel { get throws { try resolve() } }

  func resolve() throws(Diagnostic) -> NSManagedObjectModel {
    if let resolved { return resolved }
    let found = try candidates()
    guard let model = found.first(where: { $0.versionChecksum == versionChecksum }) else {
      throw .referenceNotFound(versionChecksum, in: text, found.map(\.versionChecksum))
    }
    resolved = model
    return model
  }

  /// The models at the place, of whatever checksum.
  private func candidates() throws(Diagnostic) -> [NSManagedObjectModel] {
    switch place {
    case .model(let model): [model]
    case .file(let url): try ModelFinder.versions(of: url).map(\.model)
    case .name(let name, let folder):
      ModelFinder.versions(in: folder).filter { $0.file == name || $0.version.name == name }.map(\.version.model)
    case .hashes(let hashes, let folder):
      ModelFinder.versions(in: folder).map(\.version.model).filter { $0.entityVersionHashesByName == hashes }
    }
  }

  /// What it refers to, as messages tell it.
  private var text: String {
    switch place {
    case .model: "the model"
    case .file(let url): url.relativePath
    case .name(let name, let folder): "\(folder.path), \(name)"
    case .hashes(_, let folder): folder.path
    }
  }
}

extension Bundle {
  /// Where its models are.
  fileprivate var modelFolder: URL { resourceURL ?? bundleURL }
}

extension Diagnostic {
  fileprivate static func referenceNotFound(_ checksum: String, in place: String, _ found: [String]) -> Diagnostic {
    Diagnostic(
      Code("model.not-found", .store), "\(place) has no model of the checksum \(checksum)",
      hint: found.isEmpty
        ? "Look whether the model is there." : "The checksums there are \(found.joined(separator: ", ")).")
  }
}
