public import Foundation
public import Migration
public import ObjectGraph

/// A store as it will be opened, or made if it is not there.
///
/// Source: Apple, Core Data, `NSPersistentStoreDescription`.
public final class NSPersistentStoreDescription {
  /// Where the store is; nil for a store in memory.
  public var url: URL?
  /// The kind of store: `NSSQLiteStoreType`, the default, or `NSInMemoryStoreType`.
  public var type = NSSQLiteStoreType
  /// The name of the configuration whose entities the store keeps. The default is all.
  public var configuration: String?
  /// Whether saving is refused; a store that is only read must be there. The default is false.
  public var isReadOnly = false
  /// Whether a store of another version of the model is migrated when it is opened. The default is true.
  public var shouldMigrateStoreAutomatically = true
  /// Whether the mapping of such a store is inferred where none is found. The default is true.
  public var shouldInferMappingModelAutomatically = true
  /// What may be lost in a migration; ours. The default is nothing.
  public var migrationOptions = MigrationOptions()
  /// What is called while rows are migrated, with how many are done of those planned; ours. The default does nothing.
  public var migrationProgress: (_ rows: Int, _ planned: Int) -> Void = { _, _ in }

  /// Makes the description of an SQLite store at a place.
  public init(url: URL) { self.url = url }

  /// Makes the description of a store of a kind.
  public init(type: String) { self.type = type }
}

/// The kind of store that is an SQLite file.
public let NSSQLiteStoreType = NSPersistentStore.StoreType.sqlite.rawValue
/// The kind of store that lives in memory.
public let NSInMemoryStoreType = NSPersistentStore.StoreType.inMemory.rawValue
/// The option, a `Bool`, for a store that is only read.
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"

extension NSPersistentStore {
  /// A kind of store.
  ///
  /// Source: Apple, Core Data, `NSPersistentStore.StoreType`.
  public struct StoreType: RawRepresentable, Hashable, Sendable {
    /// The name of the kind, as a store's `type` tells it.
    public let rawValue: String
    /// Makes one from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// An SQLite file.
    public static let sqlite = StoreType(rawValue: "SQLite")
    /// In memory.
    public static let inMemory = StoreType(rawValue: "InMemory")
  }
}
