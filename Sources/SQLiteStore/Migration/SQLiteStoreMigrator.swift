import Bytes
import Diagnostics
package import Foundation
package import ObjectGraph
package import ObjectModel
import SQLiteDriver

/// A Core Data store in SQLite as a migration sees it.
///
/// It is looked at untouched. When the migration begins it is held against all others, and each step builds a new store beside it,
/// `.NAME.migrating` and so on, from the one before by SQL. The last of them takes its place by a rename: at every moment
/// one of the two, whole, is there. What a killed run left behind is removed by the next.
package final class SQLiteStoreMigrator: StoreMigrator {
  package let identity: StoreIdentity
  /// The file itself, beside which the new store is built; the identity has the name that was given.
  let url: URL
  /// What keeps the store from being changed; nil before `begin()`.
  var guardian: StoreGuard?
  /// The stores that were made, one for each step; the last is read by the next step.
  var made: [URL] = []
  /// The files of external storage of what was made, all steps', once they are others than the store's own.
  var ownFiles: ExternalFiles?
  /// What was found wrong in what was checked last.
  var lastFindings: [StoreFinding]?
  /// The store that is being filled object by object, and its associations.
  var filling: (store: SQLitePersistentStore, place: URL, associations: SQLiteAssociations)?
  /// The store as it is looked at.
  private var untouched: UntouchedStore?
  /// The last of the stores that were made, as it is looked at.
  private var madeLast: Connection?
  package var isReproducible = false
  /// The SQL of the transfer that was asked about last.
  var asked: TransferSQL?

  package required init(of store: URL) throws {
    url = store.behindLink
    let untouched = try UntouchedStore(store.path)
    let contents = try Self.speaking { try StoreContents(untouched.connection) }
    let version = contents.metadata[StoreMetadata.hashesVersion] as? Int ?? 0
    guard let hashes = contents.metadata[StoreMetadata.hashes] as? [String: Data] else {
      throw Diagnostic.metadataDamaged(store.path)
    }
    guard version <= StoreMetadata.knownHashesVersion else {
      throw Diagnostic.newer(store.path, hashesVersion: version)
    }
    identity = StoreIdentity(
      url: store, hashes: hashes,
      versionIdentifiers: contents.metadata[StoreMetadata.identifiers] as? [String] ?? [])
    self.untouched = untouched
  }

  deinit { end() }

  package func cachedModel() throws -> NSManagedObjectModel {
    guard let untouched else { return try NSManagedObjectModel(cachedIn: url) }
    return try NSManagedObjectModel(cachedIn: untouched.connection)
  }

  /// What the next step reads.
  var current: URL { made.last ?? url }

  /// The files of external storage of what the next step reads.
  var files: ExternalFiles { ownFiles ?? ExternalFiles(store: url) }

  /// Runs a body over a connection to what the next step reads.
  func reading<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    try Self.speaking {
      if let untouched { return try body(untouched.connection) }
      // Nobody writes it: it is held, or ours.
      let connection = try madeLast ?? Connection(current.path, .immutable)
      madeLast = connection
      return try body(connection)
    }
  }

  /// Forgets how what the step before read was looked at.
  func lookAnew() { (untouched, madeLast, asked) = (nil, nil, nil) }

  package func begin() throws {
    lookAnew()
    try FileSystem.checkFolderIsWritable(of: url.path)
    let guardian = try StoreGuard(url)
    self.guardian = guardian
    try removeMade()
    let metadata = try reading { try StoreContents($0).metadata }
    guard metadata[StoreMetadata.hashes] as? [String: Data] == identity.hashes else {
      throw Self.becameAnother(url.path)
    }
  }

  package func end() {
    lookAnew()
    filling = nil
    // What cannot be removed now is removed by the next run.
    if guardian != nil { try? removeMade() }
    guardian?.release()
    guardian = nil
    made = []
  }

  // MARK: Files beside the store

  /// Where the store of a step is built.
  func place(ofStep number: Int) -> URL { Self.place(ofStep: number, of: url) }

  static func place(ofStep number: Int, of url: URL) -> URL {
    let suffix = number == 1 ? "" : "-\(number)"
    return url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).migrating\(suffix)")
  }

  /// Removes the stores that this or an earlier run has built.
  private func removeMade() throws {
    try Self.removeMade(of: url)
    (ownFiles, lastFindings) = (nil, nil)
  }

  /// Removes the stores that runs have built which are over.
  static func removeMade(of url: URL) throws {
    let prefix = place(ofStep: 1, of: url).lastPathComponent
    let folder = url.deletingLastPathComponent()
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
      guard name.hasPrefix(prefix), isSuffix(name.dropFirst(prefix.count)) else { continue }
      let file = folder.appendingPathComponent(name)
      ExternalFiles(store: file).removeAll()
      try FileSystem.remove(file.path)
    }
  }

  /// Whether a name ends as those of a step's store and its journal do: other files are not ours.
  private static func isSuffix(_ text: Substring) -> Bool {
    var text = text
    for journal in ["-journal", "-wal", "-shm"] where text.hasSuffix(journal) { text = text.dropLast(journal.count) }
    return text.isEmpty || text.first == "-" && text.count > 1 && text.dropFirst().allSatisfy(\.isNumber)
  }

  /// Runs a body whose errors of SQLite are told as users read them.
  static func speaking<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as SQLiteError { throw error.diagnostic }
  }
}
