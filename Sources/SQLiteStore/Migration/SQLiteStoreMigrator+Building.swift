import Bytes
import Diagnostics
import Foundation
import ObjectGraph
package import ObjectModel
import SQLiteDriver

extension SQLiteStoreMigrator {
  package func build(_ transfer: StoreTransfer, progress: (_ rows: Int) -> Void) throws {
    precondition(guardian != nil, "a store is built after `begin()`")
    let place = place(ofStep: made.count + 1)
    let old = current
    do {
      try Self.speaking {
        try fill(Connection(place.path, .create), from: old, transfer, progress: progress)
      }
    } catch {
      for suffix in ["", "-journal"] { _ = try? FileSystem.remove(place.path + suffix) }
      throw error
    }
    // The step before is read no more.
    lookAnew()
    if let before = made.last { try FileSystem.remove(before.path) }
    made.append(place)
  }

  private func fill(
    _ connection: Connection, from old: URL, _ transfer: StoreTransfer, progress: (_ rows: Int) -> Void
  ) throws {
    try connection.prepareForTables()
    // A crash leaves a file that serves for nothing; the whole is brought to the disk before it takes the store's place.
    try connection.setPragma("journal_mode", "OFF")
    try connection.setPragma("synchronous", "OFF")
    try connection.setPragma("locking_mode", "EXCLUSIVE")
    try connection.setPragma("cache_size", "-65536")
    try connection.attachImmutable(old.path, as: "old")
    try TransferFunctions.add(to: connection, files: files)
    let reading = try Connection(old.path, .immutable)
    let contents = try StoreContents(reading)
    let source = try Self.schema(of: transfer.source, contents)
    let schema = try StoreSchema(transfer.destination)
    let sql = TransferSQL(transfer, source: source, destination: schema, from: "old.")
    let definitions = schema.definitions

    try connection.begin()
    for statement in schema.tableStatements + StoreSchema.ownTables
    where statement != StoreSchema.modelCacheTable || transfer.destination.archive != nil {
      try connection.execute(statement)
    }
    try connection.fillOwnTables(schema, uuid: contents.uuid, metadata: metadata(for: transfer, contents))
    var rows = 0
    for entity in transfer.entities where !entity.source.isAbstract && !entity.destination.isAbstract {
      try connection.execute(sql.insert(entity))
      rows += connection.changes
      progress(rows)
    }
    let links = schema.joinTables.flatMap(sql.insert)
    for statement in links + sql.orders() { try connection.execute(statement) }
    for statement in definitions.indexes { try connection.execute(statement) }
    for statement in sql.derivations() { try connection.execute(statement) }
    for statement in definitions.triggers { try connection.execute(statement) }
    // An index of places is filled by its own triggers.
    for table in schema.tables where !schema.indexesOfPlaces(on: table).isEmpty {
      try connection.execute("UPDATE \(table.name) SET Z_PK = Z_PK")
    }
    for table in schema.tables {
      let number = schema.numbers[table.root] ?? 0
      try connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = \(sql.greatestKey(of: table)) WHERE Z_ENT = \(number)")
    }
    let owned = try OwnedTables(contents, reading)
    for table in owned.kept(by: transfer, source, schema) { try table.copy(from: "old", in: connection) }
    try owned.copyMarks(to: connection)
    try connection.commit()
    connection.forgetStatements()
  }

  /// The metadata of a new store, and the keys that an app keeps in the old one.
  private func metadata(for transfer: StoreTransfer, _ contents: StoreContents) throws(Diagnostic) -> Data {
    var options = SQLiteStoreOptions()
    options.frameworkVersion = max(
      options.frameworkVersion, contents.metadata[StoreMetadata.frameworkVersion] as? Int ?? 0)
    let new = StoreMetadata.new(for: transfer.destination, options: options)
    return try StoreMetadata.encode(contents.metadata.merging(new) { _, new in new })
  }

  /// Where the properties of a model are in a store.
  static func schema(of model: NSManagedObjectModel, _ contents: StoreContents) throws -> StoreSchema {
    try StoreSchema(model, numbers: contents.numbers(for: model)).adopting(contents.columns)
  }
}
