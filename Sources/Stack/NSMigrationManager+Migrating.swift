import Diagnostics
public import Foundation
public import Migration
public import ObjectGraph
import ObjectModel
import SQLiteStore

extension NSMigrationManager {
  /// Makes the objects of one store out of those of another, as a mapping model says; the other stays as it is.
  ///
  /// The new store is at its place when it is complete. Where there is one already the objects are added to it, so that several
  /// mapping models may share the work, and it takes the place of the one before in one step. Nothing is asked of what no mapping
  /// takes: the other store has it still.
  ///
  /// - Throws: what a policy throws, or `cancelMigrationWithError(_:)` was told; a `Diagnostic` for what does not fit.
  public func migrateStore(
    from sourceURL: URL, type sourceType: NSPersistentStore.StoreType, options sourceOptions: [AnyHashable: Any]? = nil,
    mapping: NSMappingModel, to destinationURL: URL, type destinationType: NSPersistentStore.StoreType,
    options destinationOptions: [AnyHashable: Any]? = nil
  ) throws {
    for (type, options) in [(sourceType, sourceOptions), (destinationType, destinationOptions)] {
      guard type == .sqlite else { throw Diagnostic.storeWithoutFile(type.rawValue) }
      try NSPersistentStoreDescription(type: type, options: options).checkOptions()
    }
    try SQLiteStoreMigrator.fill(destinationURL, of: destinationModel, from: sourceURL, of: sourceModel) {
      try run(mapping, in: $0)
    }
  }

  /// Makes the objects of one store out of those of another: by the older labels.
  ///
  /// A mapping model that is nil is inferred.
  public func migrateStore(
    from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil,
    with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String,
    destinationOptions dOptions: [AnyHashable: Any]? = nil
  ) throws {
    let mapping =
      try mappings
      ?? NSMappingModel.inferredMappingModel(forSourceModel: sourceModel, destinationModel: destinationModel)
    try migrateStore(
      from: sourceURL, type: .init(rawValue: sStoreType), options: sOptions, mapping: mapping, to: dURL,
      type: .init(rawValue: dStoreType), options: dOptions)
  }
}
