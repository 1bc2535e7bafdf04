import Bytes
import Diagnostics
package import Foundation
package import ObjectGraph
import ObjectModel
import SQLiteDriver

extension SQLiteStoreMigrator {
  package func check(_ transfer: StoreTransfer) throws -> StoreVerdict {
    guard let made = made.last else { preconditionFailure("a store is checked after it was built") }
    let store = try open(made, transfer.destination)
    let found = try store.findings()
    let counts = try store.counts().map { ($0.entity, Int($0.count)) }
    // What is wrong is looked for in the old store only where there is something.
    let before = found.isEmpty ? [] : try self.before(transfer)
    let isOld = { (finding: StoreFinding) in
      before.contains { $0.code == finding.code && $0.count >= finding.count }
    }
    return StoreVerdict(
      rows: Dictionary(counts) { first, _ in first },
      newFindings: found.filter { !isOld($0) }.map(\.description),
      oldFindings: found.filter(isOld).map(\.description))
  }

  /// What was wrong with the store that the last step was made of; nothing if that is gone.
  private func before(_ transfer: StoreTransfer) throws -> [StoreFinding] {
    made.count == 1 ? try open(url, transfer.source).findings() : []
  }

  /// Opens one of the files of the migration; those of external storage are beside the store itself.
  private func open(_ file: URL, _ model: NSManagedObjectModel) throws -> SQLitePersistentStore {
    try Self.speaking {
      try SQLitePersistentStore(
        opened: Connection(file.path, .immutable), url: url, model: model, configurationName: nil,
        externalFiles: ExternalFiles(store: url))
    }
  }

  package func exchange(backup: URL?) throws {
    guard let new = made.last, let guardian else { preconditionFailure("stores are exchanged after one was built") }
    if guardian.keepsLog {
      try Self.speaking { _ = try Connection(new.path, .readWrite).setPragma("journal_mode", "WAL") }
    }
    let before = FileIdentity(path: url.path)
    if let backup { try StoreFiles(url).link(to: StoreFiles(backup)) }
    // Where a copy had to be read, the system has let go of SQLite's lock.
    guard FileIdentity(path: url.path) == before else { throw Self.inUse(url.path) }
    try FileSystem.rename(from: new.path, to: url.path, replacing: true)
    made.removeAll()
    guardian.release(isReplaced: true)
    self.guardian = nil
  }
}
