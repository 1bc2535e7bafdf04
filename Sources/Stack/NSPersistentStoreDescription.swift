public import Foundation
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
