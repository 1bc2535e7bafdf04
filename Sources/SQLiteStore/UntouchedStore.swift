import Bytes
import Diagnostics
import Foundation
package import SQLiteDriver

/// A store that is read without a byte changed or left in its folder, which need not be writable.
///
/// SQLite makes a file `-shm` beside a store with a write-ahead log. A store without one is opened as a file that nobody
/// writes; one with a log or a journal is copied with it to a temporary folder, and opened there.
package final class UntouchedStore {
  /// The connection to the store, or to its copy.
  package let connection: Connection
  private let copy: URL?

  /// Opens the store at a path.
  package init(_ path: String) throws {
    let journals = ["-wal", "-journal"].filter { (FileIdentity(path: path + $0)?.size ?? 0) > 0 }
    do {
      if journals.isEmpty {
        copy = nil
        connection = try Connection(path, .immutable)
      } else {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("gantry-\(UUID().uuidString)")
        copy = folder
        do {
          // Writing: a journal that a crash left behind must be played back, in the copy.
          connection = try Connection(try Self.copy(path, journals, to: folder), .readWrite)
        } catch {
          try? FileManager.default.removeItem(at: folder)
          throw error
        }
      }
    } catch let error as SQLiteError {
      throw error.named(path).diagnostic
    }
  }

  deinit {
    connection.forgetStatements()
    if let copy { try? FileManager.default.removeItem(at: copy) }
  }

  /// Copies a store with its journals, as they are together at one moment.
  private static func copy(_ path: String, _ journals: [String], to folder: URL) throws -> String {
    let target = folder.appendingPathComponent("store").path
    let files = [""] + journals
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for _ in 0..<3 {
        let before = files.map { FileIdentity(path: path + $0) }
        for file in files {
          try? FileManager.default.removeItem(atPath: target + file)
          try Data(contentsOf: URL(fileURLWithPath: path + file), options: .mappedIfSafe)
            .write(to: URL(fileURLWithPath: target + file))
        }
        if files.map({ FileIdentity(path: path + $0) }) == before { return target }
      }
    } catch {
      throw Diagnostic.storeNotCopied(path, error)
    }
    throw Diagnostic.storeBusyWriting(path)
  }
}

extension SQLiteError {
  /// The same error, of the file that the user named.
  fileprivate func named(_ path: String) -> SQLiteError {
    var copy = self
    copy.path = path
    return copy
  }
}

extension Diagnostic {
  fileprivate static func storeNotCopied(_ path: String, _ error: any Error) -> Diagnostic {
    Diagnostic(
      .environmentFile,
      "\(path) has a journal, and cannot be copied to the temporary folder: \((error as NSError).localizedDescription)",
      hint: "Name another temporary folder with TMPDIR, or let the app close the store.")
  }

  fileprivate static func storeBusyWriting(_ path: String) -> Diagnostic {
    Diagnostic(
      .storeBusy, "\(path) is being written by another program",
      hint: "Close the app or tool that writes it, then start again.")
  }
}
