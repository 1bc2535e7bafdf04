import Bytes
import Diagnostics
public import Foundation
import ObjectGraph
public import ObjectModel
import SQLiteDriver

extension SQLitePersistentStore {
  /// Opens a store that exists; its model must be the given one, hash by hash.
  ///
  /// Reading changes no byte of the store, and leaves none in its folder. It is meant for a look, not for a store that another
  /// program goes on writing: one with a write-ahead log is read as it was when it was opened.
  ///
  /// - Throws: A file that is missing, damaged, not of SQLite or not of Core Data; a store of another model, with the names
  ///   of the entities that differ; a store of a newer system; a trigger that cannot run outside the app.
  public static func open(
    at url: URL, model: NSManagedObjectModel, readOnly: Bool = false, configurationName: String? = nil
  ) throws -> SQLitePersistentStore {
    do {
      let untouched = readOnly ? try UntouchedStore(url.path) : nil
      let connection = try untouched?.connection ?? Connection(url.path, .readWrite)
      if !readOnly { try connection.setPragma("synchronous", "FULL") }
      return try SQLitePersistentStore(
        opened: connection, url: url, model: model, configurationName: configurationName, untouched: untouched)
    } catch let error as SQLiteError {
      throw error.diagnostic
    }
  }

  /// The metadata of a store, which stays untouched and may be of any model.
  package static func metadata(at url: URL) throws -> [String: Any] {
    let untouched = try UntouchedStore(url.path)
    do {
      return try untouched.whole { try StoreContents(untouched.connection).metadata }
    } catch let error as SQLiteError {
      throw error.diagnostic
    }
  }

  /// Lays a model upon a store that is open.
  convenience init(
    opened connection: Connection, url: URL, model: NSManagedObjectModel, configurationName: String?,
    externalFiles: ExternalFiles? = nil, untouched: UntouchedStore? = nil
  ) throws {
    let contents = try StoreContents(connection)
    try contents.check(against: model, store: connection.path ?? "") {
      try? NSManagedObjectModel(cachedIn: connection)
    }
    let schema = try StoreSchema(model, numbers: contents.numbers(for: model)).adopting(contents.columns)
    try self.init(
      connection: connection, schema: schema, uuid: contents.uuid, metadata: contents.metadata, url: url,
      configurationName: configurationName, externalFiles: externalFiles, untouched: untouched)
    if !isReadOnly {
      try checkTriggers(contents)
      warnings = contents.warnings(for: schema, store: url.path)
    }
  }

  /// The size in bytes up to which a file is checked in full before anything is written into it.
  private static let largestFullCheck = 64 << 20

  /// Throws if the file is damaged: what is written into such a store is lost, or damages it further.
  ///
  /// A file up to 64 MB is checked in full, which takes half a second at most. Of a larger one the pages and records are, a
  /// second for each gigabyte, but not whether each index has its rows: that took ten times as long.
  public func checkFile() throws {
    try speaking {
      let isSmall = FileIdentity(path: connection.path ?? "")?.size ?? 0 <= Self.largestFullCheck
      // Of more than the first finding nothing would be told.
      let check = try connection.prepare("PRAGMA \(isSmall ? "integrity_check" : "quick_check")(1)")
      guard try check.step(), let trouble = check.text(0), trouble != "ok" else { return }
      let line = trouble.split(separator: "\n").last.map(String.init) ?? trouble
      throw SQLiteError(.corrupt, message: line, path: connection.path)
    }
  }

  /// Checks that the triggers of the store can run: one that calls what exists only inside the app would stop the first save.
  private func checkTriggers(_ contents: StoreContents) throws {
    for table in Set(contents.triggers.map(\.table)).sorted() {
      let name = Connection.quoted(table)
      let all = (contents.columns[table] ?? []).map { Connection.quoted($0) }.map { "\($0) = \($0)" }
      guard !all.isEmpty else { continue }
      let changes = [
        "INSERT INTO \(name) DEFAULT VALUES", "UPDATE \(name) SET \(all.joined(separator: ", "))",
        "DELETE FROM \(name)",
      ]
      for change in changes {
        do throws(SQLiteError) {
          // Compiled with the triggers of the table, and never run.
          _ = try connection.prepare(change)
        } catch {
          throw error.kind == .other ? Diagnostic.trigger(of: table, url?.path ?? "", error.message) : error
        }
      }
    }
  }
}
