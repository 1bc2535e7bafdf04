import Bytes
import Diagnostics
import Foundation
package import SQLiteDriver

/// A store that is read without a byte changed or left in its folder, which need not be writable.
///
/// SQLite makes the files `-wal` and `-shm` beside a store that keeps a write-ahead log. While there is no log, nobody has such
/// a store open, and it is read without locks; a store that keeps no log is read with them. One with a log or a journal is
/// copied with it to a temporary folder, and opened there; the copy has no name any more once it is open, so that nothing of it is
/// left however the process ends. If another program writes its log so often that no copy is of one
/// moment, the store is read beside that program, as SQLite means it: both files are there then.
package final class UntouchedStore {
  /// The connection to the store, or to its copy.
  package let connection: Connection
  /// The file as it was when it was opened without locks: nobody who writes waits then.
  private let unlocked: FileIdentity?
  private let path: String

  /// Opens the store at a path.
  package init(_ path: String) throws {
    self.path = path
    do {
      try Connection.checkIsFile(path)
      // SQLite's own files are beside the store itself, not beside a link to it.
      let real = FileSystem.behindLink(path)
      guard Self.journals(of: real).isEmpty else {
        connection = try Self.besideJournal(real, alias: path)
        unlocked = nil
        return
      }
      let keepsLog = Self.keepsLog(path)
      unlocked = keepsLog ? FileIdentity(path: path) : nil
      connection = try Connection(path, keepsLog ? .immutable : .readOnly)
    } catch let error as SQLiteError {
      throw error.diagnostic
    }
  }

  /// Opens a store that has a log or a journal: in a copy, or itself if it is written all the time.
  private static func besideJournal(_ path: String, alias: String) throws -> Connection {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gantry-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appendingPathComponent("store").path
      try copy(path, to: file)
      // Writing: a journal that a crash left behind must be played back, and a log be brought into the file, in the copy.
      let connection = try Connection(file, .readWrite, alias: alias)
      _ = try connection.setPragma("journal_mode", "DELETE")
      // The first look at the file plays back.
      try connection.prepare("SELECT COUNT(*) FROM sqlite_master").run()
      return connection
    } catch {
      guard (error as? Diagnostic)?.code == .storeBusy, keepsLog(path) else { throw error }
      return try Connection(path, .readOnly, alias: alias)
    }
  }

  /// Runs a body that reads the store, and throws if another program wrote the store meanwhile where that was not locked out:
  /// what was read may be of several moments then.
  package func whole<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      let result = try body()
      try checkIsUnchanged()
      return result
    } catch {
      // What was read of several moments may look like damage.
      try checkIsUnchanged()
      throw error
    }
  }

  private func checkIsUnchanged() throws {
    guard let unlocked, FileIdentity(path: path) != unlocked else { return }
    throw Diagnostic.storeWrittenMeanwhile(path)
  }

  /// Whether a database keeps a write-ahead log, as its header says.
  private static func keepsLog(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    let header = (try? file.read(upToCount: 20)) ?? Data()
    return header.count == 20 && header[19] == 2
  }

  /// The journals beside a store that hold some of it.
  private static func journals(of path: String) -> [String] {
    ["-wal", "-journal"].filter { (FileIdentity(path: path + $0)?.size ?? 0) > 0 }
  }

  /// Copies a store with its journals, as they are together at one moment.
  static func copy(_ path: String, to target: String) throws {
    do {
      for _ in 0..<3 {
        let files = [""] + journals(of: path)
        let before = files.map { FileIdentity(path: path + $0) }
        for file in files {
          try? FileManager.default.removeItem(atPath: target + file)
          // A journal goes when its program is done.
          guard file.isEmpty || FileSystem.exists(path + file) else { continue }
          try Data(contentsOf: URL(fileURLWithPath: path + file), options: .mappedIfSafe)
            .write(to: URL(fileURLWithPath: target + file))
        }
        if files.map({ FileIdentity(path: path + $0) }) == before, files == [""] + journals(of: path) { return }
      }
    } catch {
      throw Diagnostic.storeNotCopied(path, error)
    }
    throw Diagnostic.storeBusyWriting(path)
  }
}

extension Diagnostic {
  fileprivate static func storeNotCopied(_ path: String, _ error: any Error) -> Diagnostic {
    Diagnostic(
      .environmentFile,
      "\(path) cannot be copied: \((error as NSError).localizedDescription)",
      hint:
        "A store with a journal is read in a copy in the temporary folder: name another with TMPDIR, or close the app.")
  }

  fileprivate static func storeWrittenMeanwhile(_ path: String) -> Diagnostic {
    Diagnostic(
      .storeBusy, "\(path) was written by another program while it was read: what was read is of several moments",
      hint: "Start again, or close that program first.")
  }

  fileprivate static func storeBusyWriting(_ path: String) -> Diagnostic {
    Diagnostic(
      .storeBusy, "\(path) is being written by another program",
      hint: "Close the app or tool that writes it, then start again.")
  }
}
