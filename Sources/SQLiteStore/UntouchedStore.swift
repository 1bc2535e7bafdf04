import Bytes
import Diagnostics
import Foundation
package import SQLiteDriver

/// A store that is read without a byte changed or left in its folder, which need not be writable.
///
/// SQLite makes the files `-wal` and `-shm` beside a store that keeps a write-ahead log. While there is no log, nobody has such
/// a store open, and it is read without locks; a store that keeps no log is read with them. One with a log or a journal is
/// copied with it to a temporary folder, and opened there.
package final class UntouchedStore {
  /// The connection to the store, or to its copy.
  package let connection: Connection
  private let copy: URL?

  /// Opens the store at a path.
  package init(_ path: String) throws {
    do {
      try Connection.checkIsFile(path)
      if Self.journals(of: path).isEmpty {
        copy = nil
        connection = try Connection(path, Self.keepsLog(path) ? .immutable : .readOnly)
      } else {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gantry-\(UUID().uuidString)")
        copy = folder
        do {
          // Writing: a journal that a crash left behind must be played back, in the copy.
          try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
          let file = folder.appendingPathComponent("store").path
          try Self.copy(path, to: file)
          connection = try Connection(file, .readWrite, alias: path)
        } catch {
          try? FileManager.default.removeItem(at: folder)
          throw error
        }
      }
    } catch let error as SQLiteError {
      throw error.diagnostic
    }
  }

  deinit {
    connection.forgetStatements()
    if let copy { try? FileManager.default.removeItem(at: copy) }
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

  fileprivate static func storeBusyWriting(_ path: String) -> Diagnostic {
    Diagnostic(
      .storeBusy, "\(path) is being written by another program",
      hint: "Close the app or tool that writes it, then start again.")
  }
}
