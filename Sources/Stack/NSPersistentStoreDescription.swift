import Diagnostics
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

  /// The stages by which the store is migrated. The default is none: its way is found.
  var stagedMigrationManager: NSStagedMigrationManager?
  /// Options that there are not, by key.
  private var unknownOptions: [String: Any] = [:]

  /// Makes the description of an SQLite store at a place.
  public init(url: URL) { self.url = url }

  /// Makes the description of a store of a kind.
  public init(type: String) { self.type = type }
}

// MARK: Options

extension NSPersistentStoreDescription {
  private static let keys = [
    NSReadOnlyPersistentStoreOption, NSMigratePersistentStoresAutomaticallyOption,
    NSInferMappingModelAutomaticallyOption, NSPersistentStoreStagedMigrationManagerOptionKey,
    MigrationOptions.storeOption,
  ]

  /// The description of a store by the options of the coordinator's methods, whose defaults are others.
  convenience init(type: NSPersistentStore.StoreType, options: [AnyHashable: Any]?) {
    self.init(type: type.rawValue)
    (shouldMigrateStoreAutomatically, shouldInferMappingModelAutomatically) = (false, false)
    for (key, option) in options ?? [:] { setOption(option, forKey: key.base as? String ?? "\(key)") }
  }

  /// Sets an option by its key, as `addPersistentStore` takes it; nil for its default.
  ///
  /// What is no option, or of another type, is refused when the store is opened.
  public func setOption(_ option: Any?, forKey key: String) {
    unknownOptions[key] = nil
    switch (key, option) {
    case (NSReadOnlyPersistentStoreOption, let flag as Bool?): isReadOnly = flag ?? false
    case (NSMigratePersistentStoresAutomaticallyOption, let flag as Bool?):
      shouldMigrateStoreAutomatically = flag ?? true
    case (NSInferMappingModelAutomaticallyOption, let flag as Bool?):
      shouldInferMappingModelAutomatically = flag ?? true
    case (NSPersistentStoreStagedMigrationManagerOptionKey, let manager as NSStagedMigrationManager?):
      stagedMigrationManager = manager
    case (MigrationOptions.storeOption, let options as MigrationOptions?): migrationOptions = options ?? .init()
    default: unknownOptions[key] = option
    }
  }

  /// The options by key.
  public var options: [String: Any] {
    var options: [String: Any] = [
      NSReadOnlyPersistentStoreOption: isReadOnly,
      NSMigratePersistentStoresAutomaticallyOption: shouldMigrateStoreAutomatically,
      NSInferMappingModelAutomaticallyOption: shouldInferMappingModelAutomatically,
      MigrationOptions.storeOption: migrationOptions,
    ]
    options[NSPersistentStoreStagedMigrationManagerOptionKey] = stagedMigrationManager
    return options.merging(unknownOptions) { known, _ in known }
  }

  /// Throws for what is no option.
  func checkOptions() throws(Diagnostic) {
    guard let unknown = unknownOptions.keys.sorted().first else { return }
    throw Self.keys.contains(unknown) ? .optionOfType(unknown) : .unknownOption(unknown, known: Self.keys)
  }
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
