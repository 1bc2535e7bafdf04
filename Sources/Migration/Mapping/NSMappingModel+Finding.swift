public import Diagnostics
public import Foundation
public import ObjectModel

extension NSMappingModel {
  /// The mapping model for two versions of a model among the resources of some bundles, the program's own by default; nil if there
  /// is none.
  ///
  /// It is an `.xcmappingmodel` folder as Xcode keeps it, which names the files of its two versions: the models were read from
  /// them. One that cannot be used is none; `init(contentsOf:forSourceModel:destinationModel:)` says why.
  public convenience init?(
    from bundles: [Bundle]?, forSourceModel sourceModel: NSManagedObjectModel?,
    destinationModel: NSManagedObjectModel?
  ) {
    guard let sourceModel, let destinationModel else { return nil }
    let folders = (bundles ?? [.main]).map { $0.resourceURL ?? $0.bundleURL }
    let found = folders.lazy.flatMap(MappingModelFile.urls).compactMap { url -> NSMappingModel? in
      guard let file = try? MappingModelFile(contentsOf: url), file.source == sourceModel.versionName,
        file.destination == destinationModel.versionName
      else { return nil }
      return try? file.mappingModel(sourceModel, destinationModel)
    }.first
    guard let found else { return nil }
    self.init()
    entityMappings = found.entityMappings
  }

  /// Reads an `.xcmappingmodel` folder for two versions of a model; ours, since Apple reads compiled mapping models only.
  ///
  /// - Throws: `migration.mapping-model`, with what cannot be read or does not fit.
  public convenience init(
    contentsOf url: URL, forSourceModel sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel
  ) throws(Diagnostic) {
    self.init()
    entityMappings = try MappingModelFile(contentsOf: url).mappingModel(sourceModel, destinationModel).entityMappings
  }
}

extension NSManagedObjectModel {
  /// The name of the version that the model was read as.
  fileprivate var versionName: String? {
    guard let origin else { return nil }
    let url = URL(fileURLWithPath: origin.path)
    if let version = origin.version { return version }
    return (try? ModelPackage(url)?.currentVersion()) ?? url.deletingPathExtension().lastPathComponent
  }
}
