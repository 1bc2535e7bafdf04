import Bytes
package import Diagnostics
public import Foundation
public import ObjectModel
package import SQLiteDriver

extension NSManagedObjectModel {
  /// Reads the model that a store keeps of itself, with not a byte changed or left in its folder.
  ///
  /// Core Data writes it into every store since iOS 9 and OS X 10.11. Its version hashes must be those of the store.
  ///
  /// - Throws: A file that is no Core Data store, a store without the model, or with one that is damaged or of another version.
  public convenience init(cachedIn store: URL) throws {
    let untouched = try UntouchedStore(store.path)
    try self.init(cachedIn: untouched.connection)
    try untouched.whole {}
  }

  /// Reads the model that an open store keeps of itself.
  package convenience init(cachedIn connection: Connection) throws {
    let store = connection.path ?? ""
    do {
      let contents = try StoreContents(connection)
      guard let cache = try Self.cache(connection, contents) else { throw Diagnostic.noModelCache(store) }
      guard let archive = Deflate.decompress(cache, limit: 1 << 28) else { throw Diagnostic.modelCacheDamaged(store) }
      try self.init(archive: Data(archive), file: store)
      origin = (store, nil)
      let hashes = contents.metadata[StoreMetadata.hashes] as? [String: Data]
      let differing = entitiesDiffering(from: hashes ?? [:])
      guard differing.isEmpty else { throw Diagnostic.modelCacheStale(store, differing) }
    } catch let error as SQLiteError {
      throw error.diagnostic
    }
  }

  private static func cache(_ connection: Connection, _ contents: StoreContents) throws -> [UInt8]? {
    guard contents.columns["Z_MODELCACHE"]?.contains("Z_CONTENT") == true else { return nil }
    var cache: [UInt8]?
    try connection.prepare("SELECT Z_CONTENT FROM Z_MODELCACHE WHERE Z_CONTENT NOT NULL").forEachRow { row in
      cache = cache ?? Array(row.blobBytes(0))
    }
    return cache
  }
}

extension Diagnostic.Code {
  package static let storeModelCache = Diagnostic.Code("store.model-cache", .store)
}

extension Diagnostic {
  private static let giveSource = "Give the source of the model, the .xcdatamodeld, or the app's .momd, by --model."

  fileprivate static func noModelCache(_ store: String) -> Diagnostic {
    Diagnostic(
      .storeModelCache,
      "\(store) keeps no model of itself, as stores of systems before iOS 9 and OS X 10.11, and those that Gantry makes",
      hint: giveSource)
  }

  fileprivate static func modelCacheDamaged(_ store: String) -> Diagnostic {
    Diagnostic(.storeModelCache, "the model that \(store) keeps of itself is no DEFLATE data", hint: giveSource)
  }

  fileprivate static func modelCacheStale(_ store: String, _ entities: [String]) -> Diagnostic {
    Diagnostic(
      .storeModelCache,
      "the model that \(store) keeps of itself is not the one of its version hashes; entities that differ: "
        + entities.joined(separator: ", "),
      hint: giveSource)
  }
}
