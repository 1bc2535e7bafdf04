import Bytes
import Diagnostics
import Foundation
import SQLiteDriver

/// A store held by this process alone: by our lock, and by SQLite's against programs that know nothing of ours.
///
/// A write-ahead log is brought into the file first, which also shows whether another program has the store open: then it is
/// left as it is. The file alone is the store until the guard lets go of it.
final class StoreGuard {
  /// Whether the store kept a write-ahead log.
  let keepsLog: Bool
  private let lock: FileLock
  private let connection: Connection
  private var isHeld = true

  init(_ store: URL) throws {
    lock = try FileLock(store: store.path)
    do {
      connection = try Connection(store.path, .readWrite)
      keepsLog = try connection.pragma("journal_mode") == "wal"
      // Fails where another connection is open, be it idle; a log that a crash left behind is played into the file.
      if keepsLog, try connection.setPragma("journal_mode", "DELETE") != "delete" {
        throw SQLiteStoreMigrator.inUse(store.path)
      }
      // No page is changed, so no journal is made: it is a lock, and ends with the process.
      try connection.execute("BEGIN EXCLUSIVE")
    } catch let error as SQLiteError {
      throw error.kind == .busy ? SQLiteStoreMigrator.inUse(store.path) : error.diagnostic
    }
  }

  deinit { release() }

  /// Lets go of the store.
  ///
  /// - Parameter isReplaced: whether another store is in its place, whose files must not be touched.
  func release(isReplaced: Bool = false) {
    guard isHeld else { return }
    isHeld = false
    try? connection.rollback()
    connection.forgetStatements()
    if keepsLog, !isReplaced { _ = try? connection.setPragma("journal_mode", "WAL") }
    lock.release()
  }
}

extension SQLiteStoreMigrator {
  static func inUse(_ store: String) -> Diagnostic {
    Diagnostic(
      .storeBusy, "\(store) is in use by another program: it cannot be migrated now",
      hint: "Close the app or tool that has it open, then start again. The store is as it was.")
  }

  static func becameAnother(_ store: String) -> Diagnostic {
    Diagnostic(
      .storeBusy, "\(store) became one of another version while it was looked at, by another program",
      hint: "Start again. The store is as that program left it.")
  }
}
