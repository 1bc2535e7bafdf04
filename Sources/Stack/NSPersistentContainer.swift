public import Diagnostics
public import Foundation
public import ObjectGraph
public import ObjectModel

/// A model, a coordinator with its stores, and contexts on them.
///
/// Source: Apple, Core Data, `NSPersistentContainer`.
open class NSPersistentContainer: @unchecked Sendable {
  /// The name: that of the model, and of the store if no other is described.
  public let name: String
  /// The model.
  public let managedObjectModel: NSManagedObjectModel
  /// The coordinator that the stores are added to.
  public let persistentStoreCoordinator: NSPersistentStoreCoordinator
  /// The context of the main queue.
  public let viewContext: NSManagedObjectContext
  /// The stores that `loadPersistentStores` opens. The default is an SQLite store of the container's name in the default folder.
  public var persistentStoreDescriptions: [NSPersistentStoreDescription]

  /// Makes one for a model.
  public init(name: String, managedObjectModel model: NSManagedObjectModel) {
    self.name = name
    managedObjectModel = model
    persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    viewContext = NSManagedObjectContext(coordinator: persistentStoreCoordinator, .mainQueue)
    let store = Self.defaultDirectoryURL().appendingPathComponent("\(name).sqlite")
    persistentStoreDescriptions = [NSPersistentStoreDescription(url: store)]
  }

  /// Makes one for the model of the same name among the program's resources: `.momd`, `.mom` or `.xcdatamodeld`.
  public convenience init(name: String) throws(Diagnostic) {
    self.init(name: name, managedObjectModel: try ModelFinder.model(name, in: []))
  }

  /// The folder of stores that have no other place: one of the program's name where the system keeps applications' data.
  open class func defaultDirectoryURL() -> URL {
    let files = FileManager.default
    let support = files.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
    return (support ?? files.homeDirectoryForCurrentUser).appendingPathComponent(ProcessInfo.processInfo.processName)
  }
}

// MARK: Stores

extension NSPersistentContainer {
  /// Opens the described stores, makes those that are not there, and tells of each how that went, before it returns.
  ///
  /// A store that cannot be opened is left as it is.
  public func loadPersistentStores(completionHandler block: (NSPersistentStoreDescription, (any Error)?) -> Void) {
    for description in persistentStoreDescriptions {
      do throws(Diagnostic) {
        try load(description)
        block(description, nil)
      } catch {
        block(description, error)
      }
    }
  }

  private func load(_ description: NSPersistentStoreDescription) throws(Diagnostic) {
    let folder = Self.defaultDirectoryURL()
    if let url = description.url, url.deletingLastPathComponent().standardizedFileURL == folder.standardizedFileURL {
      // The default folder is nobody's task to make.
      try withDiagnostics { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
    }
    _ = try persistentStoreCoordinator.addPersistentStore(
      .init(rawValue: description.type), description.configuration, at: description.url,
      isReadOnly: description.isReadOnly, AutomaticMigration(description))
  }
}

// MARK: Contexts

extension NSPersistentContainer {
  /// A new context with a queue of its own.
  public func newBackgroundContext() -> NSManagedObjectContext {
    NSManagedObjectContext(coordinator: persistentStoreCoordinator)
  }

  /// Runs a block with a new context on that context's queue, later.
  public func performBackgroundTask(_ block: @escaping @Sendable (NSManagedObjectContext) -> Void) {
    let context = newBackgroundContext()
    context.perform { block(context) }
  }

  /// Runs a block with a new context on that context's queue and gives back what it gives.
  public func performBackgroundTask<T: Sendable, E: Error>(
    _ block: @escaping @Sendable (NSManagedObjectContext) throws(E) -> T
  ) async throws(E) -> T {
    let context = newBackgroundContext()
    return try await context.perform { () throws(E) in try block(context) }
  }
}
