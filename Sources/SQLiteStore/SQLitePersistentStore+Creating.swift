import Bytes
import Diagnostics
public import Foundation
public import ObjectModel
import SQLiteDriver

extension SQLitePersistentStore {
  /// Makes an empty store of a model, and opens it.
  ///
  /// A store that is filled at once is made with a `StoreBuilder`: faster, and in its place only when it is complete.
  ///
  /// - Throws: A file that is there already, a model that has no layout, or trouble of the environment.
  public static func create(
    at url: URL, model: NSManagedObjectModel, options: SQLiteStoreOptions = .init(), configurationName: String? = nil
  ) throws -> SQLitePersistentStore {
    guard !FileSystem.exists(url.path) else { throw Diagnostic.storeExists(url.path) }
    return try create(
      file: url.path, url: url, model: model, options: options, configurationName: configurationName, isDurable: true)
  }

  /// Makes an empty store in a file that will have its place at a URL.
  ///
  /// - Parameter isDurable: whether each save waits for the disk; without, a crash leaves a file that serves for nothing.
  static func create(
    file: String, url: URL, model: NSManagedObjectModel, options: SQLiteStoreOptions, configurationName: String?,
    isDurable: Bool
  ) throws -> SQLitePersistentStore {
    let schema = try StoreSchema(model)
    let metadata = StoreMetadata.new(for: model, options: options)
    let uuid = UUID().uuidString
    let plist = try StoreMetadata.encode(metadata)
    do throws(SQLiteError) {
      let connection = try Connection(file, .create)
      // Before the first table: later they have no effect.
      try connection.setPragma("page_size", "4096")
      try connection.setPragma("auto_vacuum", "INCREMENTAL")
      try connection.setPragma("encoding", "'UTF-8'")
      try connection.setPragma("journal_mode", isDurable ? "DELETE" : "MEMORY")
      try connection.setPragma("synchronous", isDurable ? "FULL" : "OFF")
      try connection.begin()
      // A cache of the model without the model in it would be read as one: it is there with its row or not at all.
      for statement in schema.ddl() where statement != StoreSchema.modelCacheTable { try connection.execute(statement) }
      let row = try connection.prepare("INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, 0)")
      for (number, name, superNumber) in schema.primaryKeyRows {
        row.bind(1, Int64(number))
        row.bind(2, name)
        row.bind(3, Int64(superNumber))
        try row.run()
      }
      let insert = try connection.prepare("INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)")
      insert.bind(1, uuid)
      insert.bind(2, StoredValue.blob(plist))
      try insert.run()
      try connection.commit()
      return try SQLitePersistentStore(
        connection: connection, schema: schema, uuid: uuid, metadata: metadata, url: url,
        configurationName: configurationName)
    } catch {
      // There was no such file: what there is of it now serves nobody.
      for suffix in ["", "-journal"] { _ = try? FileSystem.remove(file + suffix) }
      throw error.diagnostic
    }
  }
}
