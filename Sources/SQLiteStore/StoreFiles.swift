import Bytes
package import Diagnostics
package import Foundation
package import ObjectModel

/// The files of an SQLite store, which belong together: the store, its journals, and the folder of its large values.
package struct StoreFiles {
  package let url: URL

  /// Names the files of a store; those of the store itself where the place is a link to it.
  package init(_ url: URL) { self.url = url.behindLink }

  /// Gives all files another name, so that they still are one store.
  ///
  /// - Returns: the new place of the store: `NAME.old.sqlite`, `NAME.old-2.sqlite` and so on.
  package func moveAside() throws(Diagnostic) -> URL {
    let lock = try FileLock(store: url.path)
    defer { lock.release() }
    let aside = unused("old")
    for (old, new) in zip(all, StoreFiles(aside).all) where FileSystem.exists(old) {
      try FileSystem.rename(from: old, to: new)
    }
    return aside
  }

  /// Puts a new, empty store in the place of this one, which keeps all of its files under another name.
  ///
  /// The new one is complete and on the disk before, and the exchange is one step: at every moment one of them is in the place.
  ///
  /// - Returns: the new place of this store: `NAME.old.sqlite`, `NAME.old-2.sqlite` and so on.
  /// - Throws: `store.busy` if another program has the store open; whatever is thrown, this store is as it was.
  package func recreate(_ model: NSManagedObjectModel) throws -> URL {
    let guardian = try StoreGuard(url)
    let before = FileIdentity(path: url.path)
    let builder = try StoreBuilder(replacing: url, model: model)
    let aside = unused("old")
    // Where the file had to be read, the system has let go of SQLite's lock.
    guard FileIdentity(path: url.path) == before else { throw SQLiteStoreMigrator.inUse(url.path) }
    try builder.complete(keeping: aside)
    guardian.release(isReplaced: true)
    return aside
  }

  /// Brings all files to a place where no store is.
  package func move(to other: URL) throws {
    var files = ExternalFiles(store: url)
    // The files first: a store is never in its place without them.
    try files.move(to: other)
    try FileSystem.rename(from: url.path, to: other.path)
  }

  /// Copies all files to a place where none is: the store with its journals as they are at one moment, then the large values.
  package func copy(to other: URL) throws {
    try UntouchedStore.copy(url.path, to: other.path)
    try ExternalFiles(store: other).copy(ExternalFiles(store: url))
  }

  /// Removes all files, the store first: it is never in its place without the others.
  package func remove() throws(Diagnostic) {
    for path in all.dropLast() { try FileSystem.remove(path) }
    ExternalFiles(store: url).removeAll()
  }

  /// A place beside the store that no other file has: `NAME.WORD.sqlite`, `NAME.WORD-2.sqlite` and so on.
  ///
  /// One that is a second name of the store, which a killed run has given it, is as good.
  package func unused(_ word: String) -> URL {
    let base = url.deletingPathExtension().path
    let suffix = url.pathExtension.isEmpty ? "" : ".\(url.pathExtension)"
    var number = 1
    while true {
      let path = base + (number == 1 ? ".\(word)" : ".\(word)-\(number)") + suffix
      let isFree = !StoreFiles(URL(fileURLWithPath: path)).all.contains(where: FileSystem.exists)
      if isFree || FileSystem.isSameFile(path, url.path) {
        return URL(fileURLWithPath: path)
      }
      number += 1
    }
  }

  /// The store, then what goes with it.
  private var all: [String] {
    ["", "-wal", "-shm", "-journal"].map { url.path + $0 } + [ExternalFiles(store: url).support.path]
  }

  /// Gives the store a second name, and its large values with it, on the disk when it returns; copies where names cannot be given.
  ///
  /// It must be one file, without journals, that nobody writes.
  func link(to other: StoreFiles) throws(Diagnostic) {
    try ExternalFiles(store: other.url).link(ExternalFiles(store: url))
    try FileSystem.linkOrCopy(from: url.path, to: other.url.path)
    try FileSystem.syncFolder(of: other.url.path)
  }
}

extension URL {
  /// The file itself where the place is a link to it.
  var behindLink: URL {
    let real = FileSystem.behindLink(path)
    return real == path ? self : URL(fileURLWithPath: real)
  }
}
