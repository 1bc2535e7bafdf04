public import Foundation
public import ObjectModel

/// The identity of an object: its entity, its store and its number there.
///
/// A new object's ID is temporary until its first save. Source: Apple, Core Data, `NSManagedObjectID`.
public final class NSManagedObjectID: Hashable, @unchecked Sendable {
  /// The entity of the object itself, not a superentity.
  public let entity: NSEntityDescription
  /// The store; nil for a temporary ID of an object that no store has been chosen for.
  public private(set) weak var persistentStore: NSPersistentStore?
  /// The primary key in the store (`Z_PK`); for a temporary ID a number unique in the process.
  package let key: Int64
  /// Whether the object has not been saved yet.
  public let isTemporaryID: Bool

  package init(entity: NSEntityDescription, store: NSPersistentStore?, key: Int64, isTemporary: Bool) {
    self.entity = entity
    persistentStore = store
    self.key = key
    isTemporaryID = isTemporary
  }

  /// `x-coredata://STORE-UUID/Entity/p42`, or `/tUUID...` for a temporary ID.
  public func uriRepresentation() -> URL {
    let host = isTemporaryID ? "" : persistentStore?.identifier ?? ""
    return URL(string: "x-coredata://\(host)/\(entity.name ?? "")/\(isTemporaryID ? "t" : "p")\(key)")!
  }

  /// IDs are equal when they name the same row: the hierarchy, the store and the key.
  public static func == (a: NSManagedObjectID, b: NSManagedObjectID) -> Bool {
    a === b
      || a.key == b.key && a.isTemporaryID == b.isTemporaryID && a.persistentStore === b.persistentStore
        && a.entity.rootEntity === b.entity.rootEntity
  }

  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(isTemporaryID)
  }
}
