import Bytes
public import Diagnostics
public import Foundation
import Migration
public import ObjectGraph
import ObjectModel
import SQLiteStore

extension NSPersistentStoreCoordinator {
  /// Opens a store of the coordinator's model, or makes it if it is not there, and adds it.
  ///
  /// A new SQLite store is at its place only when it is complete. A store of another version of the model is refused, unless
  /// `NSMigratePersistentStoresAutomaticallyOption` and `NSInferMappingModelAutomaticallyOption` say that it becomes one of this
  /// version; `NSPersistentStoreStagedMigrationManagerOptionKey` says by which stages, and `MigrationOptions.storeOption` what may
  /// be lost. Beside these there is `NSReadOnlyPersistentStoreOption`.
  @discardableResult
  public func addPersistentStore(
    type: NSPersistentStore.StoreType, configuration: String? = nil, at url: URL? = nil,
    options: [AnyHashable: Any]? = nil
  ) throws(Diagnostic) -> NSPersistentStore {
    let description = NSPersistentStoreDescription(type: type, options: options)
    return try addPersistentStore(
      type, configuration, at: url, isReadOnly: description.isReadOnly, AutomaticMigration(description))
  }

  /// Opens or makes a store, migrated first if it is of another version and may be.
  func addPersistentStore(
    _ type: NSPersistentStore.StoreType, _ configuration: String?, at url: URL?, isReadOnly: Bool,
    _ migration: AutomaticMigration
  ) throws(Diagnostic) -> NSPersistentStore {
    if let configuration, managedObjectModel.entities(forConfigurationName: configuration) == nil {
      throw .unknownConfiguration(configuration, known: managedObjectModel.configurations)
    }
    let store = try open(type, configuration, at: url, isReadOnly: isReadOnly, migration)
    add(store)
    return store
  }

  private func open(
    _ type: NSPersistentStore.StoreType, _ configuration: String?, at url: URL?, isReadOnly: Bool,
    _ migration: AutomaticMigration
  ) throws(Diagnostic) -> NSPersistentStore {
    switch type {
    case .inMemory:
      return InMemoryStore(model: managedObjectModel, configurationName: configuration, isReadOnly: isReadOnly)
    case .sqlite:
      guard let url else { throw .storeWithoutPlace() }
      return try withDiagnostics {
        if !isReadOnly { try migration.migrate(url, to: managedObjectModel) }
        if !isReadOnly { try SQLitePersistentStore.makeIfMissing(at: url, model: managedObjectModel, configuration) }
        return try SQLitePersistentStore.open(
          at: url, model: managedObjectModel, readOnly: isReadOnly, configurationName: configuration)
      }
    default:
      throw .unknownStoreType(type.rawValue)
    }
  }
}

extension SQLitePersistentStore {
  /// Makes an empty store where none is.
  fileprivate static func makeIfMissing(at url: URL, model: NSManagedObjectModel, _ configuration: String?) throws {
    guard !FileSystem.exists(url.path) else { return }
    let lock = try FileLock(store: url.path)
    defer { lock.release() }
    // Another program may have made it while this one waited for nothing but its turn.
    guard !FileSystem.exists(url.path) else { return }
    try StoreBuilder(at: url, model: model, configurationName: configuration).complete()
  }
}

/// Runs a body whose errors are diagnostics; any other is trouble of the machine.
func withDiagnostics<Result>(_ body: () throws -> Result) throws(Diagnostic) -> Result {
  do { return try body() } catch {
    throw error as? Diagnostic
      ?? Diagnostic(
        .init("environment.unexpected", .environment), "\(error)",
        hint: "Check the folder, its disk and its permissions.")
  }
}
