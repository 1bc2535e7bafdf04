import Bytes
package import ObjectGraph
import ObjectModel
import SQLiteDriver

/// Names of objects in a temporary table: SQLite keeps it in a file of its own where it is large.
///
/// It is no part of the store's file, and goes with the connection.
final class StoredObjectNames: ObjectNames {
  private static let table = "temp.gantry_names"
  private let store: SQLitePersistentStore

  init(_ store: SQLitePersistentStore) throws {
    self.store = store
    try store.speaking {
      try store.connection.execute(
        """
        CREATE TABLE IF NOT EXISTS \(Self.table) (name TEXT UNIQUE, ent INTEGER, pk INTEGER);
        DELETE FROM \(Self.table);
        """)
    }
  }

  func add(_ names: [String], of objectIDs: [NSManagedObjectID]) throws {
    guard !names.isEmpty else { return }
    let entities = RawColumn(kind: .integer, capacity: names.count)
    let keys = RawColumn(kind: .integer, capacity: names.count)
    for objectID in objectIDs {
      entities.append(Int64(store.schema.numbers[objectID.entity] ?? 0))
      keys.append(objectID.key)
    }
    try store.speaking {
      let batch = try store.batchTables.table(columns: 3, of: store.connection)
      batch.show([RawColumn(texts: names), entities, keys], rowCount: names.count)
      defer { batch.showNothing() }
      let columns = "SELECT k0, k1, k2 FROM \(batch.name) ORDER BY rowid"
      // Without this each of the rows would be a transaction.
      try store.connection.transaction {
        try store.connection.statement("INSERT INTO \(Self.table) (name, ent, pk) \(columns)").run()
      }
    }
  }

  func remove(_ names: [String]) throws {
    guard !names.isEmpty else { return }
    try store.speaking {
      let batch = try store.batchTables.table(columns: 1, of: store.connection)
      batch.show([RawColumn(texts: names)], rowCount: names.count)
      defer { batch.showNothing() }
      try store.connection.statement("DELETE FROM \(Self.table) WHERE name IN (SELECT k0 FROM \(batch.name))").run()
    }
  }

  func objectIDs(named names: [String]) throws -> [NSManagedObjectID?] {
    var found = [NSManagedObjectID?](repeating: nil, count: names.count)
    let batch = KeyBatch(columns: [RawColumn(texts: names)], rowCount: names.count)
    try store.speaking {
      try store.forEachMatch(of: batch, select: "n.ent, n.pk", join: "\(Self.table) AS n ON n.name = b.k0") {
        index, row in found[index] = objectID(row, 1)
      }
    }
    return found
  }

  func forEach(_ body: (String, NSManagedObjectID) throws -> Void) throws {
    try store.speaking {
      let select = try store.connection.prepare("SELECT name, ent, pk FROM \(Self.table) ORDER BY rowid")
      try select.forEachRow { row in
        if let objectID = objectID(row, 1) { try body(row.text(0) ?? "", objectID) }
      }
    }
  }

  private func objectID(_ row: Statement, _ column: Int) -> NSManagedObjectID? {
    store.entity(row.integer(column)).map {
      NSManagedObjectID(entity: $0, store: store, key: row.integer(column + 1), isTemporary: false)
    }
  }
}

extension SQLitePersistentStore {
  package func makeObjectNames() throws -> any ObjectNames { try StoredObjectNames(self) }
}

extension RawColumn {
  /// A column of texts.
  fileprivate convenience init(texts: [String]) {
    self.init(kind: .text, capacity: texts.count)
    for var text in texts { text.withUTF8 { append(UnsafeRawBufferPointer($0)) } }
  }
}
