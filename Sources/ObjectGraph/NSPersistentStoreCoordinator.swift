public import Diagnostics
public import Foundation
public import ObjectModel

/// Brings contexts, a model and stores together.
///
/// Requests of several contexts, on whatever threads, are answered one after another: a lock guards all that changes.
///
/// Source: Apple, Core Data, `NSPersistentStoreCoordinator`.
public final class NSPersistentStoreCoordinator: @unchecked Sendable {
  /// The model of all its stores.
  public let managedObjectModel: NSManagedObjectModel

  private let lock = NSRecursiveLock()
  private var stores: [NSPersistentStore] = []
  private var storesByEntity: [ObjectIdentifier: [NSPersistentStore]] = [:]

  /// Takes what deserves a word: a class that is not registered. The default writes to standard error; set it before the
  /// coordinator is used.
  public var onWarning: @Sendable (Diagnostic) -> Void = {
    FileHandle.standardError.write(Data("\($0)\n".utf8))
  }
  /// The classes that were said to be not registered.
  var unregisteredClasses: Set<String> = []

  /// Makes one from its parts.
  public init(managedObjectModel: NSManagedObjectModel) {
    self.managedObjectModel = managedObjectModel
    // Made once when first asked for, which contexts on several threads must not do at the same time.
    _ = managedObjectModel.entitiesByName
    for entity in managedObjectModel.entities { _ = entity.layout }
  }

  /// Runs a block while no other thread uses the coordinator.
  public func performAndWait<T, E: Error>(_ block: () throws(E) -> T) throws(E) -> T {
    lock.lock()
    defer { lock.unlock() }
    return try block()
  }
}

// MARK: Stores

extension NSPersistentStoreCoordinator {
  /// The stores in the order added.
  public var persistentStores: [NSPersistentStore] { performAndWait { stores } }

  /// Adds a store that is open.
  public func add(_ store: NSPersistentStore) {
    performAndWait {
      store.persistentStoreCoordinator = self
      store.hasUnsavedMetadata = false
      stores.append(store)
      storesByEntity = [:]
    }
  }

  /// Takes a store away; its objects can be neither read nor saved any more.
  public func remove(_ store: NSPersistentStore) {
    performAndWait {
      stores.removeAll { $0 === store }
      storesByEntity = [:]
      store.persistentStoreCoordinator = nil
    }
  }

  /// The store at a place.
  public func persistentStore(for url: URL) -> NSPersistentStore? {
    persistentStores.first { $0.url?.standardizedFileURL == url.standardizedFileURL }
  }

  /// Sets a store's metadata, which the next save writes in its transaction, even if it changes no object.
  public func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
    performAndWait { store.metadata = metadata ?? [:] }
  }

  /// A store's metadata.
  public func metadata(for store: NSPersistentStore) -> [String: Any] { performAndWait { store.metadata } }

  var hasUnsavedMetadata: Bool { performAndWait { stores.contains(where: \.hasUnsavedMetadata) } }

  /// The stores that keep an entity.
  func stores(keeping entity: NSEntityDescription) -> [NSPersistentStore] {
    if let known = storesByEntity[ObjectIdentifier(entity)] { return known }
    let keeping = stores.filter { store in
      let entities = managedObjectModel.entities(forConfigurationName: store.configurationName) ?? []
      return entities.contains { $0 === entity || $0.name == entity.name }
    }
    storesByEntity[ObjectIdentifier(entity)] = keeping
    return keeping
  }

  /// The store that takes new objects of an entity: the first that keeps it and can be written.
  func store(for entity: NSEntityDescription) throws -> NSPersistentStore {
    try performAndWait { () throws(Diagnostic) in
      let keeping = stores(keeping: entity)
      guard let store = keeping.first(where: { !$0.isReadOnly }) ?? keeping.first else { throw .noStore(for: entity) }
      return store
    }
  }
}

// MARK: IDs

extension NSPersistentStoreCoordinator {
  /// The ID that a URI spells (`x-coredata://STORE-UUID/Entity/p42`); nil if it is none, or of no store of this coordinator.
  ///
  /// Whether there is such an object is not asked.
  public func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
    let parts = url.path.split(separator: "/")
    guard url.scheme == "x-coredata", let host = url.host, parts.count == 2, parts[1].first == "p",
      let key = Int64(parts[1].dropFirst()), key > 0,
      let entity = managedObjectModel.entitiesByName[String(parts[0])],
      let store = persistentStores.first(where: { $0.identifier.lowercased() == host.lowercased() })
    else { return nil }
    return NSManagedObjectID(entity: entity, store: store, key: key, isTemporary: false)
  }
}
