import Bytes
public import Diagnostics
public import Foundation
public import Migration
public import ObjectGraph
public import ObjectModel
import SQLiteStore

/// One store with its own model: a file and a model's name are all it takes.
///
/// The model is looked for beside the store, then in the given folders, then among the program's resources; in a folder as
/// `.momd`, `.mom` and `.xcdatamodeld`, in this order. A store that is not there is made. One that cannot be opened is
/// reported and left as it is.
public final class ManagedObjectStorage: Sendable {
  /// The file of the store.
  public let fileURL: URL
  /// The store's model, which no other storage shares.
  public let managedObjectModel: NSManagedObjectModel
  /// The coordinator, which has this store alone.
  public let persistentStoreCoordinator: NSPersistentStoreCoordinator
  /// The store.
  public let store: NSPersistentStore
  /// A context of the main queue.
  public let viewContext: NSManagedObjectContext
  /// Where a store went that could not be opened; nil if none was moved.
  public let movedAside: URL?

  /// Opens or makes a store.
  ///
  /// - Parameters:
  ///   - modelName: the name of the model's file, without its extension.
  ///   - folders: where the model may be, beside the store's own folder and the program's resources.
  ///   - isReadOnly: whether saving is refused. The default is false.
  ///   - shouldMigrateStoreAutomatically: whether a store of another version becomes one of the current version, by an
  ///     inferred mapping. The default is true.
  ///   - migrationOptions: what may be lost then. The default is nothing.
  ///   - recreate: whether a store that cannot be opened, since it is damaged or of another model, is moved aside, to
  ///     `NAME.old.sqlite` and so on, and a new one made. The default is false.
  ///   - prepare: what is done with the model before the store is opened: classes are registered here.
  public init(
    fileURL: URL, modelName: String, folders: [URL] = [], isReadOnly: Bool = false,
    shouldMigrateStoreAutomatically: Bool = true, migrationOptions: MigrationOptions = .init(), recreate: Bool = false,
    prepare: (NSManagedObjectModel) -> Void = { _ in }
  ) throws(Diagnostic) {
    let model = try ModelFinder.model(modelName, in: [fileURL.deletingLastPathComponent()] + folders)
    prepare(model)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    func open() throws(Diagnostic) -> NSPersistentStore {
      try coordinator.addPersistentStore(
        .sqlite, nil, at: fileURL, isReadOnly: isReadOnly,
        AutomaticMigration(
          isAllowed: shouldMigrateStoreAutomatically, infersMapping: true, options: migrationOptions))
    }
    var movedAside: URL?
    do throws(Diagnostic) { store = try open() } catch {
      // What is wrong with the machine or the folder is not mended by another store.
      guard recreate, !isReadOnly, error.code.fate == .store, FileSystem.exists(fileURL.path) else { throw error }
      movedAside = try StoreFiles(fileURL).moveAside()
      store = try open()
    }
    self.fileURL = fileURL
    self.movedAside = movedAside
    managedObjectModel = model
    persistentStoreCoordinator = coordinator
    viewContext = NSManagedObjectContext(coordinator: coordinator, .mainQueue)
  }

  /// A new context with a queue of its own.
  public func newBackgroundContext() -> NSManagedObjectContext {
    NSManagedObjectContext(coordinator: persistentStoreCoordinator)
  }
}
