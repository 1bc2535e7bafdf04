import Bytes
import Diagnostics
package import Foundation
package import ObjectGraph
package import ObjectModel

extension SQLiteStoreMigrator {
  /// Fills a store out of another, object by object: a new one, or one that is there and keeps what it has.
  ///
  /// The other stays as it is. The store is at its place, or takes it, when it is complete and on the disk.
  package static func fill(
    _ destination: URL, of destinationModel: NSManagedObjectModel, from source: URL,
    of sourceModel: NSManagedObjectModel, by body: (ObjectMigration) throws -> Void
  ) throws {
    guard !FileSystem.isSameFile(source.path, destination.path) else { throw Diagnostic.sameStore(source.path) }
    let old = try SQLitePersistentStore.open(at: source, model: sourceModel, readOnly: true)
    func fill(_ new: any PagedStore) throws {
      let file = place(ofStep: 0, of: destination).path
      let associations = try speaking { try SQLiteAssociations(file: file) }
      defer { _ = try? FileSystem.remove(file) }
      try body(ObjectMigration(source: old, destination: new, associations: associations))
    }
    guard !FileSystem.exists(destination.path) else {
      let migrator = try SQLiteStoreMigrator(of: destination)
      try migrator.begin()
      defer { migrator.end() }
      try migrator.change(destinationModel, fill)
      return try migrator.exchange(backup: nil)
    }
    let lock = try FileLock(store: destination.path)
    defer { lock.release() }
    let builder = try StoreBuilder(at: destination, model: destinationModel)
    try builder.store.keepOwnKeys(of: old)
    try fill(builder.store)
    try builder.complete()
  }
}

extension SQLitePersistentStore {
  /// Takes over the keys that an app keeps in the metadata of another store.
  func keepOwnKeys(of old: SQLitePersistentStore) throws {
    let own = Set(StoreMetadata.new(for: old.model, options: SQLiteStoreOptions()).keys)
    metadata.merge(old.metadata.filter { !own.contains($0.key) }) { new, _ in new }
    try save(StoreChanges())
  }
}

extension Diagnostic {
  fileprivate static func sameStore(_ path: String) -> Diagnostic {
    Diagnostic(
      Code("migration.place", .usage), "the store \(path) cannot be filled out of itself",
      hint: "Name another place for the new store; what is there is kept until then.")
  }
}
