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

  /// Makes an empty store in a file that will have its place at a URL; the files of external storage are beside it until then.
  ///
  /// - Parameter isDurable: whether each save waits for the disk; without, a crash leaves a file that serves for nothing.
  static func create(
    file: String, url: URL, model: NSManagedObjectModel, options: SQLiteStoreOptions, configurationName: String?,
    isDurable: Bool
  ) throws -> SQLitePersistentStore {
    let schema = try StoreSchema(model)
    let metadata = StoreMetadata.new(for: model, options: options)
    let uuid = options.reproducible ? unsettledUUID : UUID().uuidString
    let plist = try StoreMetadata.encode(metadata)
    do throws(SQLiteError) {
      let connection = try Connection(file, .create)
      try connection.prepareForTables()
      try connection.setPragma("journal_mode", isDurable ? options.journal.rawValue : "MEMORY")
      try connection.setPragma("synchronous", isDurable ? "FULL" : "OFF")
      try connection.begin()
      // A cache of the model without the model in it would be read as one: it is there with its row or not at all.
      for statement in schema.ddl() where statement != StoreSchema.modelCacheTable || model.archive != nil {
        try connection.execute(statement)
      }
      try connection.fillOwnTables(schema, uuid: uuid, metadata: plist)
      try connection.commit()
      let store = try SQLitePersistentStore(
        connection: connection, schema: schema, uuid: uuid, metadata: metadata, url: url,
        configurationName: configurationName, externalFiles: ExternalFiles(store: URL(fileURLWithPath: file)))
      store.warnings = schema.warnings
      return store
    } catch {
      // There was no such file: what there is of it now serves nobody.
      for suffix in ["", "-journal"] { _ = try? FileSystem.remove(file + suffix) }
      throw error.diagnostic
    }
  }

  /// Makes a store, in a file that will have its place at a URL, as a copy of a template of the same model.
  ///
  /// - Parameter withRows: whether the template may have rows, which are kept.
  static func copy(
    _ template: URL, withRows: Bool, file: String, url: URL, model: NSManagedObjectModel, configurationName: String?
  ) throws -> SQLitePersistentStore {
    let rows = try open(at: template, model: model, readOnly: true).counts()
    guard rows.isEmpty || withRows else { throw Diagnostic.templateRows(template.path, rows) }
    try UntouchedStore.copy(template.path, to: file)
    let files = ExternalFiles(store: URL(fileURLWithPath: file))
    try files.copy(ExternalFiles(store: template))
    do {
      let connection = try Connection(file, .readWrite)
      // What stands in the template's log is brought into the file.
      try connection.setPragma("journal_mode", "DELETE")
      try connection.setPragma("journal_mode", "MEMORY")
      try connection.setPragma("synchronous", "OFF")
      let store = try SQLitePersistentStore(
        opened: connection, url: url, model: model, configurationName: configurationName, externalFiles: files)
      try store.checkFile()
      return store
    } catch let error as SQLiteError {
      throw error.diagnostic
    }
  }
}

extension Connection {
  /// Sets what has an effect only before the first table.
  func prepareForTables() throws(SQLiteError) {
    try setPragma("page_size", "4096")
    try setPragma("auto_vacuum", "INCREMENTAL")
    try setPragma("encoding", "'UTF-8'")
  }

  /// Fills the tables that Core Data keeps for itself: the model, the numbers of the entities, and the metadata.
  func fillOwnTables(_ schema: StoreSchema, uuid: String, metadata: Data) throws(SQLiteError) {
    if let archive = schema.model.archive {
      let cache = try prepare("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)")
      cache.bind(1, blob: Deflate.compress(Array(archive)))
      try cache.run()
    }
    let row = try prepare("INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, 0)")
    for (number, name, superNumber) in schema.primaryKeyRows {
      row.bind(1, Int64(number))
      row.bind(2, name)
      row.bind(3, Int64(superNumber))
      try row.run()
    }
    let insert = try prepare("INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)")
    insert.bind(1, uuid)
    insert.bind(2, StoredValue.blob(metadata))
    try insert.run()
  }
}
