import Bytes
import Diagnostics
package import Foundation
package import ObjectGraph
package import ObjectModel
import SQLiteDriver

extension SQLiteStoreMigrator {
  package func check(
    _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel
  ) throws -> StoreVerdict {
    guard let made = made.last else { preconditionFailure("a store is checked after it was built") }
    let store = try open(made, destination)
    let found = try store.findings()
    let counts = try store.counts().map { ($0.entity, Int($0.count)) }
    // What is wrong is looked for in the old store only where there is something.
    let before = found.isEmpty ? [] : try lastFindings ?? open(url, source).findings()
    lastFindings = found
    let isOld = { (finding: StoreFinding) in
      before.contains { $0.code == finding.code && $0.count >= finding.count }
    }
    return StoreVerdict(
      rows: Dictionary(counts) { first, _ in first },
      newFindings: found.filter { !isOld($0) }.map(\.description),
      oldFindings: found.filter(isOld).map(\.description))
  }

  /// Opens one of the files of the migration; those of external storage are beside the store itself.
  func open(_ file: URL, _ model: NSManagedObjectModel) throws -> SQLitePersistentStore {
    try Self.speaking {
      try SQLitePersistentStore(
        opened: Connection(file.path, .immutable), url: url, model: model, configurationName: nil,
        externalFiles: file == url ? ExternalFiles(store: url) : files)
    }
  }

  package func exchange(backup: URL?) throws {
    guard let new = made.last, let guardian else { preconditionFailure("stores are exchanged after one was built") }
    if isReproducible { try writeAnew(new) }
    if guardian.keepsLog {
      try Self.speaking { _ = try Connection(new.path, .readWrite).setPragma("journal_mode", "WAL") }
    }
    let left = try filesLeft(by: new)
    for file in left.made { try? FileManager.default.removeItem(at: file) }
    let before = FileIdentity(path: url.path)
    if let backup { try StoreFiles(url).link(to: StoreFiles(backup)) }
    // Where a copy had to be read, the system has let go of SQLite's lock.
    guard FileIdentity(path: url.path) == before else { throw Self.inUse(url.path) }
    // The files first: a store is never in its place without them.
    if var ownFiles { try ownFiles.move(to: url) }
    try FileSystem.rename(from: new.path, to: url.path, replacing: true)
    // A file that stays is in nobody's way: no row names it.
    for file in left.own { try? FileManager.default.removeItem(at: file) }
    made.removeAll()
    guardian.release(isReplaced: true)
    self.guardian = nil
  }
}

extension SQLiteStoreMigrator {
  /// Puts a file in the place of a store that was made of which no byte tells how the store came about.
  private func writeAnew(_ store: URL) throws {
    lookAnew()
    let anew = place(ofStep: made.count + 1).path
    try Self.speaking { try Connection(store.path, .readOnly).writeAnew(to: anew) }
    try FileSystem.rename(from: anew, to: store.path, replacing: true)
  }

  /// The files of external storage that a new store does not name: those of the store, and of the steps before.
  private func filesLeft(by new: URL) throws -> (own: [URL], made: [URL]) {
    let folders = [ExternalFiles(store: url).folder] + (ownFiles.map { [$0.folder] } ?? [])
    guard folders.contains(where: { FileSystem.exists($0.path) }) else { return ([], []) }
    return try Self.speaking {
      let named = try ExternalFiles.names(in: Connection(new.path, .immutable))
      let own = try ExternalFiles.names(in: Connection(url.path, .immutable)).subtracting(named)
      let made = folders.dropFirst().flatMap { folder in
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { !named.contains($0) }
          .map { folder.appendingPathComponent($0) }
      }
      return (own.map { folders[0].appendingPathComponent($0) }, made)
    }
  }
}

extension ExternalFiles {
  /// The names of the files that any row of a store names.
  fileprivate static func names(in connection: Connection) throws -> Set<String> {
    var names: Set<String> = []
    try forEachNamed(in: connection) { names.insert($1) }
    return names
  }
}
