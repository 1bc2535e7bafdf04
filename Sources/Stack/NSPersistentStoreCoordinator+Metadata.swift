public import Diagnostics
public import Foundation
public import ObjectGraph
import SQLiteStore

extension NSPersistentStoreCoordinator {
  /// Opens a store, or makes it if it is not there, and adds it: by the older labels.
  @discardableResult
  public func addPersistentStore(
    ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
    options: [AnyHashable: Any]? = nil
  ) throws(Diagnostic) -> NSPersistentStore {
    try addPersistentStore(
      type: .init(rawValue: storeType), configuration: configuration, at: storeURL, options: options)
  }

  /// The metadata of an SQLite store that need not be open, among them the hashes of its model's entities; the store stays
  /// untouched.
  public static func metadataForPersistentStore(
    type: NSPersistentStore.StoreType, at url: URL
  ) throws(Diagnostic) -> [String: Any] {
    guard type == .sqlite else { throw .storeWithoutFile(type.rawValue) }
    return try withDiagnostics { try SQLitePersistentStore.metadata(at: url) }
  }
}
