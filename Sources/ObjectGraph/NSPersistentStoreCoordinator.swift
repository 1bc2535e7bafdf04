public import ObjectModel

/// Brings contexts, a model and stores together.
///
/// Source: Apple, Core Data, `NSPersistentStoreCoordinator`.
public final class NSPersistentStoreCoordinator: @unchecked Sendable {
  /// The model of all its stores.
  public let managedObjectModel: NSManagedObjectModel
  /// The stores in the order added.
  public private(set) var persistentStores: [NSPersistentStore] = []

  /// Makes one from its parts.
  public init(managedObjectModel: NSManagedObjectModel) {
    self.managedObjectModel = managedObjectModel
  }

  /// Adds a store that is open.
  public func add(_ store: NSPersistentStore) {
    store.persistentStoreCoordinator = self
    persistentStores.append(store)
  }

  /// Sets a store's metadata, which the next save writes in its transaction.
  public func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
    store.metadata = metadata ?? [:]
  }

  /// A store's metadata.
  public func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata }
}
