import Bytes
import Diagnostics
import Foundation
package import ObjectGraph
package import ObjectModel
import SQLiteDriver

extension SQLiteStoreMigrator {
  package func beginObjects(
    _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel
  ) throws -> ObjectMigration {
    precondition(guardian != nil, "a store is built after `begin()`")
    let place = place(ofStep: made.count + 1)
    let old = try open(current, source)
    var options = SQLiteStoreOptions()
    options.reproducible = isReproducible
    let new = try SQLitePersistentStore.create(
      file: place.path, url: place, model: destination, options: options, configurationName: nil, isDurable: false)
    try new.keepOwnKeys(of: old)
    try Self.speaking {
      try copyOwnedTables(StoreTransfer(source: source, destination: destination, entities: []), to: new)
    }
    let associations = try Self.speaking { try SQLiteAssociations(file: self.place(ofStep: 0).path) }
    filling = (new, place, associations)
    return ObjectMigration(source: old, destination: new, associations: associations)
  }

  /// Copies what comes along of the tables that no model has.
  private func copyOwnedTables(_ transfer: StoreTransfer, to new: SQLitePersistentStore) throws {
    let reading = try Connection(current.path, .immutable)
    let contents = try StoreContents(reading)
    let source = try Self.schema(of: transfer.source, contents)
    let owned = try OwnedTables(contents, reading)
    try owned.copyMarks(to: new.connection)
    let kept = owned.kept(by: transfer, source, new.schema)
    guard !kept.isEmpty else { return }
    try new.connection.attachImmutable(current.path, as: "old")
    for table in kept { try table.copy(from: "old", in: new.connection) }
    new.connection.forgetStatements()
    try new.connection.execute("DETACH old")
  }

  package func finishObjects() throws {
    guard let (store, place, _) = filling else { preconditionFailure("objects are finished after they were begun") }
    if isReproducible { try store.settle() }
    try store.finish()
    filling = nil
    try FileSystem.remove(self.place(ofStep: 0).path)
    if let before = made.last { try FileSystem.remove(before.path) }
    lookAnew()
    ownFiles = store.externalFiles
    made.append(place)
  }
}

extension SQLitePersistentStore: PagedStore {
  package func objectIDs(of entity: NSEntityDescription, behind key: Int64, limit: Int) throws -> [NSManagedObjectID] {
    let number = Int64(schema.numbers[entity] ?? 0)
    var objectIDs: [NSManagedObjectID] = []
    try speaking {
      try connection.statement(
        "SELECT Z_PK FROM \(schema.table(of: entity).name) WHERE Z_ENT = ? AND Z_PK > ? ORDER BY Z_PK LIMIT ?"
      ).forEachRow(number, key, Int64(limit)) { row in
        objectIDs.append(objectID(row.integer(0), entityNumber: number, declared: entity))
      }
    }
    return objectIDs
  }
}

/// Which objects were made of which, in a database of its own beside the store.
final class SQLiteAssociations: MigrationAssociations {
  private let connection: Connection

  init(file: String) throws {
    _ = try FileSystem.remove(file)
    connection = try Connection(file, .create)
    // It serves this run alone.
    try connection.setPragma("journal_mode", "OFF")
    try connection.setPragma("synchronous", "OFF")
    try connection.setPragma("locking_mode", "EXCLUSIVE")
    try connection.execute(
      """
      CREATE TABLE a (n INTEGER PRIMARY KEY, m INTEGER, se INTEGER, sk INTEGER, de INTEGER, dk INTEGER);
      CREATE INDEX s ON a (m, sk); CREATE INDEX d ON a (m, dk)
      """)
    try connection.begin()
  }

  func add(mapping: Int, source: AssociatedRow?, destination: AssociatedRow) throws {
    let insert = try connection.statement("INSERT INTO a (m, se, sk, de, dk) VALUES (?, ?, ?, ?, ?)")
    insert.bind(1, mapping)
    if let source {
      insert.bind(2, source.entity)
      insert.bind(3, source.key)
    }
    insert.bind(4, destination.entity)
    insert.bind(5, destination.key)
    try insert.run()
  }

  func destinations(mapping: Int, source: AssociatedRow) throws -> [AssociatedRow] {
    try rows("SELECT de, dk FROM a WHERE m = ? AND sk = ? AND se = ? ORDER BY n", mapping, source)
  }

  func sources(mapping: Int, destination: AssociatedRow) throws -> [AssociatedRow] {
    try rows("SELECT se, sk FROM a WHERE m = ? AND dk = ? AND de = ? AND se NOT NULL ORDER BY n", mapping, destination)
  }

  func destinations(
    mapping: Int, after number: Int64, limit: Int
  ) throws -> [(number: Int64, row: AssociatedRow, source: AssociatedRow?)] {
    // By number: an index of the mapping would have all of its rows read and sorted for each part.
    let select = try connection.statement(
      "SELECT n, de, dk, se, sk FROM a WHERE +m = ? AND n > ? AND n = (SELECT MIN(b.n) FROM a AS b "
        + "WHERE b.m = a.m AND b.dk = a.dk AND b.de = a.de) ORDER BY n LIMIT ?")
    var found: [(Int64, AssociatedRow, AssociatedRow?)] = []
    try select.forEachRow(Int64(mapping), number, Int64(limit)) { row in
      let source = row.optionalInteger(3).map { AssociatedRow(entity: Int($0), key: row.integer(4)) }
      found.append((row.integer(0), AssociatedRow(entity: Int(row.integer(1)), key: row.integer(2)), source))
    }
    return found
  }

  private func rows(_ sql: String, _ mapping: Int, _ row: AssociatedRow) throws -> [AssociatedRow] {
    var found: [AssociatedRow] = []
    try connection.statement(sql).forEachRow(Int64(mapping), row.key, Int64(row.entity)) { row in
      found.append(AssociatedRow(entity: Int(row.integer(0)), key: row.integer(1)))
    }
    return found
  }
}
