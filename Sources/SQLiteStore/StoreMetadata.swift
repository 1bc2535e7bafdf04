import Diagnostics
import Foundation
import KeyedArchives
import ObjectModel

/// What a store says of itself: the keys of `Z_METADATA`, a property list.
enum StoreMetadata {
  static let storeType = "NSStoreType"
  static let frameworkVersion = "NSPersistenceFrameworkVersion"
  static let hashes = "NSStoreModelVersionHashes"
  static let hashesVersion = "NSStoreModelVersionHashesVersion"
  static let identifiers = "NSStoreModelVersionIdentifiers"
  static let autoVacuum = "_NSAutoVacuumLevel"
  static let digest = "NSStoreModelVersionHashesDigest"
  static let checksum = "NSStoreModelVersionChecksumKey"

  /// The version of the algorithm of version hashes; a store with a greater one is of a newer system.
  static let knownHashesVersion = 3

  /// The metadata of a new store.
  static func new(for model: NSManagedObjectModel, options: SQLiteStoreOptions) -> [String: Any] {
    let made = model.versionHashes
    return [
      storeType: "SQLite",
      frameworkVersion: options.frameworkVersion,
      hashes: made.byName,
      hashesVersion: knownHashesVersion,
      identifiers: model.versionIdentifiers.isEmpty ? [""] : model.versionIdentifiers,
      autoVacuum: "2",
      digest: made.digest,
      checksum: made.checksum,
    ]
  }

  static func encode(_ metadata: [String: Any]) throws(Diagnostic) -> Data {
    guard PropertyListSerialization.propertyList(metadata, isValidFor: .binary),
      let data = try? PropertyListSerialization.data(fromPropertyList: metadata, format: .binary, options: 0)
    else { throw .metadataValue(metadata) }
    // Foundation writes a dictionary in the order of this process's hashes: equal stores would differ.
    return (try? PropertyList(binary: data))?.sortedByKey.binary ?? data
  }

  /// The property list of a store; nil when it is not one.
  static func decode(_ data: Data) -> [String: Any]? {
    (try? PropertyListSerialization.propertyList(from: data, format: nil)) as? [String: Any]
  }
}

/// How the hashes of a store differ from a model's: the names of the entities.
struct HashDifference: Equatable {
  /// In the model and not in the store.
  var missing: [String] = []
  /// In the store and not in the model.
  var extra: [String] = []
  /// In both, with other hashes.
  var changed: [String] = []

  init(store: [String: Data], model: [String: Data]) {
    missing = model.keys.filter { store[$0] == nil }.sorted()
    extra = store.keys.filter { model[$0] == nil }.sorted()
    changed = model.filter { store[$0.key] != nil && store[$0.key] != $0.value }.keys.sorted()
  }

  var isEmpty: Bool { missing.isEmpty && extra.isEmpty && changed.isEmpty }
}
