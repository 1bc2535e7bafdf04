import ObjectGraph
import SQLiteDriver

extension SQLitePersistentStore {
  /// Ends the writing: the store is one file, whatever journal it keeps, and takes no more saves.
  ///
  /// SQLite removes the files of a write-ahead log when the last connection closes, which is when the store is let go of.
  public func finish() throws {
    guard !isFinished else { return }
    isFinished = true
    guard !isReadOnly else { return }
    try speaking {
      connection.forgetStatements()
      if try connection.pragma("journal_mode") == "wal" { try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    }
  }

  /// Notes in the file that its journal is a write-ahead log, for whoever opens it next.
  func keepLog() throws { try speaking { _ = try connection.setPragma("journal_mode", "WAL") } }
}
