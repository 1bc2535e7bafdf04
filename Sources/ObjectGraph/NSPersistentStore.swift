public import Foundation
public import ObjectModel

/// A store of objects: what a coordinator talks to. The SQLite store and the in-memory store are its subclasses.
///
/// Source: Apple, Core Data, `NSPersistentStore`. What a subclass overrides is ours, and below Apple's names.
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

  // MARK: What coordinators ask of a store

  /// Hands out keys for new objects of one hierarchy: the first of `count` consecutive ones.
  ///
  /// Keys of a save that fails may be lost; none is given twice.
  package func reserveKeys(_ count: Int, for rootEntity: NSEntityDescription) throws -> Int64 { unimplemented() }

  /// Writes changes and the metadata, all or nothing.
  ///
  /// - Throws: `SaveError`: a conflict (a row's version differs or the row is gone), a duplicate, or trouble of the
  ///   environment; a `Diagnostic` counts as the last.
  package func save(_ changes: StoreChanges) throws { unimplemented() }

  /// The rows of some objects of one hierarchy, in the order asked; nil for those that do not exist.
  package func rows(for objectIDs: [NSManagedObjectID]) throws -> [StoredRow?] { unimplemented() }

  /// The destinations of a to-many relationship for each of some sources, in the relationship's order if it has one,
  /// else by key.
  package func destinations(of relationship: NSRelationshipDescription, for sources: [NSManagedObjectID]) throws
    -> [[NSManagedObjectID]]
  { unimplemented() }

  /// The IDs of all objects of an entity, with its subentities if asked, by key.
  package func objectIDs(of entity: NSEntityDescription, includingSubentities: Bool) throws -> [NSManagedObjectID] {
    unimplemented()
  }

  /// For each key of the request the object that has it, or nil. See `KeyLookupRequest`.
  package func lookUp(_ request: KeyLookupRequest) throws -> [KeyLookupRequest.Answer] { unimplemented() }

  private func unimplemented(_ function: StaticString = #function) -> Never {
    fatalError("a subclass of NSPersistentStore must override \(function)")
  }
}
