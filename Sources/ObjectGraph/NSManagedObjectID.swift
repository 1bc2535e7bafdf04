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

  // Compared instead of the weak reference, which is slow to read where IDs are looked up by the million.
  private let storeIdentity: ObjectIdentifier?

  package init(entity: NSEntityDescription, store: NSPersistentStore?, key: Int64, isTemporary: Bool) {
    self.entity = entity
    persistentStore = store
    storeIdentity = store.map { ObjectIdentifier($0) }
    self.key = key
    isTemporaryID = isTemporary
  }

  /// `x-coredata://STORE-UUID/Entity/p42`, or `x-coredata:///Entity/t42` for a temporary ID.
  public func uriRepresentation() -> URL {
    var parts = URLComponents()
    parts.scheme = "x-coredata"
    parts.host = isTemporaryID ? "" : persistentStore?.identifier ?? ""
    parts.path = "/\(entity.name ?? "")/\(isTemporaryID ? "t" : "p")\(key)"
    guard let url = parts.url else { preconditionFailure("a path that begins with a slash makes a URL") }
    return url
  }

  func isInStore(of other: NSManagedObjectID) -> Bool { storeIdentity == other.storeIdentity }

  /// IDs are equal when they name the same row: the hierarchy, the store and the key.
  public static func == (a: NSManagedObjectID, b: NSManagedObjectID) -> Bool {
    a === b
      || a.key == b.key && a.isTemporaryID == b.isTemporaryID && a.storeIdentity == b.storeIdentity
        && (a.entity === b.entity || a.entity.rootEntity === b.entity.rootEntity)
  }

  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(isTemporaryID)
  }
}

extension NSManagedObjectID {
  private static let lock = NSLock()
  nonisolated(unsafe) private static var lastTemporaryKey: Int64 = 0

  static func temporary(_ entity: NSEntityDescription) -> NSManagedObjectID {
    let key = lock.withLock {
      lastTemporaryKey += 1
      return lastTemporaryKey
    }
    return NSManagedObjectID(entity: entity, store: nil, key: key, isTemporary: true)
  }
}
