import Bytes
package import Diagnostics
public import Foundation
public import ObjectModel
import SQLiteDriver

/// Builds a new store beside its place, `.NAME.importing` in the same folder, and moves it there when it is complete.
///
/// Until then nothing is at the store's place; what a killed run left behind is removed by the next. Files of external storage
/// are built and moved with the store. Whoever builds holds the store's lock.
public final class StoreBuilder {
  /// The store that is being built.
  public let store: SQLitePersistentStore
  /// The store's place.
  public let url: URL
  private let file: String
  private let options: SQLiteStoreOptions
  /// Whether a store is at the place, which the new one takes from it.
  private let isReplacing: Bool
  private var isOver = false

  /// Begins a store.
  ///
  /// - Throws: A file that is at the store's place already, a model that has no layout, or trouble of the environment.
  public convenience init(
    at url: URL, model: NSManagedObjectModel, options: SQLiteStoreOptions = .init(), configurationName: String? = nil
  ) throws {
    guard !FileSystem.exists(url.path) else { throw Diagnostic.storeExists(url.path) }
    try Self.checkPlace(of: url.path, isReproducible: options.reproducible)
    try self.init(place: url, model, options, configurationName, isReplacing: false)
  }

  /// Begins an empty store that takes the place of one that the caller holds.
  convenience init(replacing url: URL, model: NSManagedObjectModel) throws {
    try FileSystem.checkFolderIsWritable(of: url.path)
    try self.init(place: url, model, .init(), nil, isReplacing: true)
  }

  private init(
    place url: URL, _ model: NSManagedObjectModel, _ options: SQLiteStoreOptions, _ configurationName: String?,
    isReplacing: Bool
  ) throws {
    self.url = url
    self.isReplacing = isReplacing
    file = Self.file(for: url)
    try Self.removeFiles(for: url)
    self.options = options
    do {
      store =
        if let template = options.template {
          try SQLitePersistentStore.copy(
            URL(fileURLWithPath: template), withRows: options.append, file: file, url: url, model: model,
            configurationName: configurationName)
        } else {
          try SQLitePersistentStore.create(
            file: file, url: url, model: model, options: options, configurationName: configurationName, isDurable: false
          )
        }
    } catch {
      try? Self.removeFiles(for: url)
      throw error
    }
  }

  deinit { if !isOver { try? abandon() } }

  /// Throws if no store can be made at a path, or opened for writing: what could only be told at the end otherwise.
  ///
  /// - Parameter isReproducible: whether all files of a new store must be its own.
  package static func checkPlace(of path: String, isReproducible: Bool = false) throws(Diagnostic) {
    try FileSystem.checkPlaceOfNewFile(path, affix: "..importing".utf8.count)
    guard !FileSystem.exists(path) else { return }
    // SQLite would take them for those of the new store, and bring into it what they hold.
    for suffix in ["-wal", "-journal"] where FileSystem.exists(path + suffix) {
      throw .journalWithoutStore(path, path + suffix)
    }
    let support = ExternalFiles(store: URL(fileURLWithPath: path)).support.path
    if isReproducible, FileSystem.exists(support) { throw .filesWithoutStore(path, support) }
  }

  /// Where a store is while it is being built.
  package static func file(for url: URL, _ word: String = "importing") -> String {
    url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).\(word)").path
  }

  /// Ends the building: the file is on the disk, whole, and at the store's place.
  ///
  /// The store can be read on, and takes no more saves.
  public func complete() throws {
    try finish()
    try takePlace()
  }

  /// Ends the building of a store that takes the place of another.
  ///
  /// - Parameter aside: the name that the other keeps with all of its files. It has it before it loses its place.
  func complete(keeping aside: URL) throws {
    try finish()
    try FileSystem.sync(file)
    try StoreFiles(url).link(to: StoreFiles(aside))
    try takePlace()
    ExternalFiles(store: url).removeFiles(sharedWith: ExternalFiles(store: aside))
  }

  private func finish() throws {
    precondition(!isOver, "a store is completed or abandoned once")
    if options.reproducible { try store.settle() }
    try store.finish()
    if options.reproducible { try writeAnew() }
    // Last of all: reading on would make the log's file.
    if options.journal == .wal, !options.reproducible { try store.keepLog() }
  }

  private func takePlace() throws {
    // The files first: a store is never in its place without them.
    try store.externalFiles.move(to: url)
    try FileSystem.rename(from: file, to: url.path, replacing: isReplacing)
    isOver = true
  }

  /// Ends the building, and lets another store be made of the file before it takes the store's place.
  ///
  /// The store that was filled serves no more.
  ///
  /// - Parameter remake: makes the other store at the place of the file that it is given.
  package func complete(remaking remake: (URL) throws -> Void) throws {
    precondition(!isOver, "a store is completed or abandoned once")
    if options.reproducible { try store.settle() }
    try store.finish()
    let place = URL(fileURLWithPath: file)
    try remake(place)
    if options.journal == .wal {
      try SQLiteStoreMigrator.speaking { _ = try Connection(file, .readWrite).setPragma("journal_mode", "WAL") }
    }
    var files = ExternalFiles(store: place)
    try files.move(to: url)
    try FileSystem.rename(from: file, to: url.path)
    isOver = true
  }

  /// Ends the building and removes the file.
  public func abandon() throws {
    isOver = true
    try Self.removeFiles(for: url)
  }

  /// Puts a file in the place of the one that was built of which no byte tells how the store came about.
  private func writeAnew() throws {
    let anew = Self.file(for: url, "settling")
    try store.speaking {
      try store.connection.writeAnew(to: anew)
      if options.journal == .wal { try Connection(anew, .readWrite).setPragma("journal_mode", "WAL") }
    }
    try FileSystem.rename(from: anew, to: file, replacing: true)
  }

  private static func removeFiles(for url: URL) throws {
    // A run may have been killed while another store was made of the file.
    try SQLiteStoreMigrator.removeMade(of: URL(fileURLWithPath: file(for: url)))
    ExternalFiles(store: URL(fileURLWithPath: file(for: url))).removeAll()
    for file in [file(for: url), file(for: url, "settling")] {
      for suffix in ["", "-journal", "-wal", "-shm", ".lock"] { try FileSystem.remove(file + suffix) }
    }
  }
}
