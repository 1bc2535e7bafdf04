public import Foundation
public import ObjectModel

/// A store of objects: what a coordinator talks to. The SQLite store and the in-memory store are its subclasses.
///
/// A subclass conforms to `StoreRequests` too, which is ours.
///
/// Source: Apple, Core Data, `NSPersistentStore`.
open class NSPersistentStore: @unchecked Sendable {
  /// Where the store is.
  public let url: URL?
  /// The name of the configuration whose entities the store keeps; nil for all.
  public let configurationName: String?
  /// The model of the coordinator that the store was added to.
  public let model: NSManagedObjectModel
  /// Whether saving is refused. The default is false.
  public let isReadOnly: Bool
  /// What the store keeps beside its rows: Core Data's own keys and the app's (property-list values).
  ///
  /// A change is written by the next save, in its transaction.
  public var metadata: [String: Any] = [:] {
    didSet { hasUnsavedMetadata = true }
  }
  /// Whether the metadata were set since the store was added to its coordinator, or saved.
  package var hasUnsavedMetadata = false
  /// The coordinator that the store was added to.
  public internal(set) weak var persistentStoreCoordinator: NSPersistentStoreCoordinator?

  /// Makes the store's description; opening it is the subclass's.
  public init(url: URL?, model: NSManagedObjectModel, configurationName: String? = nil, isReadOnly: Bool = false) {
    self.url = url
    self.model = model
    self.configurationName = configurationName
    self.isReadOnly = isReadOnly
  }

  /// The store's UUID, the host of its objects' URIs.
  open var identifier: String { fatalError("a subclass of NSPersistentStore must override identifier") }
  /// The kind of store, e.g. `SQLite`.
  open var type: String { fatalError("a subclass of NSPersistentStore must override type") }
}
