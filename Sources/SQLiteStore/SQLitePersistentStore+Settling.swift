import Bytes
package import Foundation
import ObjectModel
import SQLiteDriver

/// A reproducible store: what is in it decides every byte of its file.
///
/// Of what a run leaves in a store, some tells how the run went about it: how often a row was written (`Z_OPT`), the gaps between the
/// keys of an order, in which order links and places came into their tables, what the files of large values are called, and which pages
/// were used and freed. Settling makes all of that follow from the rows, then the store's UUID, and then the file is written anew.
extension SQLitePersistentStore {
  /// The UUID of a store that has not been settled yet.
  static let unsettledUUID = "00000000-0000-0000-0000-000000000000"

  /// Makes everything in a new store follow from its rows, its model and the app's own keys; to be called when they are all there.
  func settle() throws {
    try speaking {
      try transaction {
        try settleVersions()
        try settleOrders()
        try settleLinks()
        try settleFiles()
        // Last: changes of rows change them, too.
        try settlePlaces()
        if uuid == Self.unsettledUUID { try settleUUID() }
      }
    }
  }

  /// What of a store is not as a reproducible run has left it, since another has made or changed it; nil if nothing is.
  ///
  /// The store's UUID is that of its content, and the names of its large values are those of theirs.
  package static func unreproduced(at url: URL) -> URL? {
    guard let untouched = try? UntouchedStore(url.path) else { return url }
    do {
      return try untouched.whole {
        let connection = untouched.connection
        guard try StoreContents(connection).uuid == UUID(derivedFrom: connection.contentHash()).uuidString else {
          return url
        }
        return try ExternalFiles(store: url).unsettled(in: connection)
      }
    } catch {
      return url
    }
  }

  // MARK: Rows

  /// Makes each row one that was written once: nobody has known another of its versions.
  private func settleVersions() throws {
    for table in schema.tables { try connection.execute("UPDATE \(table.name) SET Z_OPT = 1 WHERE Z_OPT <> 1") }
  }

  /// Gives the lists of ordered relationships the keys that they would have if they had been written at once.
  private func settleOrders() throws {
    for table in schema.tables {
      for columns in table.toOneColumns.values {
        guard let order = columns.order else { continue }
        let place = OrderKeys.sql(of: "\(order), Z_PK", by: columns.key)
        try connection.execute(
          """
          UPDATE \(table.name) AS t SET \(order) = o.place
          FROM (SELECT Z_PK AS row, \(place) AS place FROM \(table.name) WHERE \(order) NOT NULL) AS o
          WHERE o.row = t.Z_PK AND t.\(order) <> o.place
          """)
      }
    }
  }

  /// Puts the links of each join table in the order of its keys, and gives those that have an order the keys of lists written at once.
  private func settleLinks() throws {
    for table in schema.joinTables {
      let (owner, destination) = (table.ownerColumn, table.destinationColumn)
      var columns = [(owner, owner), (destination, destination)]
      if let order = table.ownerOrder {
        columns.append((order, OrderKeys.sql(of: "\(order), \(owner)", by: destination)))
      }
      if let order = table.destinationOrder {
        columns.append((order, OrderKeys.sql(of: "\(order), \(destination)", by: owner)))
      }
      try connection.execute(
        """
        CREATE TEMP TABLE links AS SELECT * FROM main.\(table.name);
        DELETE FROM main.\(table.name);
        INSERT INTO main.\(table.name) (\(columns.map(\.0).joined(separator: ", ")))
        SELECT \(columns.map(\.1).joined(separator: ", ")) FROM links ORDER BY \(owner), \(destination);
        DROP TABLE links
        """)
    }
  }

  /// Fills the indexes of places anew, in the order of the rows: what is in their nodes depends on the order.
  private func settlePlaces() throws {
    for table in schema.tables {
      let indexes = schema.indexesOfPlaces(on: table)
      guard !indexes.isEmpty else { continue }
      for index in indexes { try connection.execute("DELETE FROM \(Connection.quoted(index))") }
      // Their own triggers fill them.
      try connection.execute("UPDATE \(table.name) SET Z_PK = Z_PK")
    }
  }

  // MARK: Files

  /// Calls each file of a large value by the row and the column that it is of, and by its bytes.
  private func settleFiles() throws {
    for column in schema.columnsOfFiles {
      let rows = try connection.prepare(
        "SELECT Z_PK, \(column.name) FROM \(column.table) WHERE substr(\(column.name), 1, 1) = X'02' ORDER BY Z_PK")
      var files: [(key: Int64, stored: Data)] = []
      try rows.forEachRow { files.append(($0.integer(0), Data($0.blobBytes(1)))) }
      let update = try connection.prepare("UPDATE \(column.table) SET \(column.name) = ? WHERE Z_PK = ?")
      for (key, stored) in files {
        guard let renamed = try externalFiles.settle(stored, in: "\(column.table).\(column.name) \(key)") else {
          continue
        }
        update.bind(1, StoredValue.blob(renamed))
        update.bind(2, key)
        try update.run()
      }
    }
  }

  // MARK: The UUID

  /// Derives the store's UUID from all else that is in it.
  private func settleUUID() throws {
    uuid = UUID(derivedFrom: try connection.contentHash()).uuidString
    let update = try connection.prepare("UPDATE Z_METADATA SET Z_UUID = ?")
    update.bind(1, uuid)
    try update.run()
  }
}

extension Connection {
  /// The SHA-256 of everything in a store but its UUID: the statements that make it, and the values of all rows.
  func contentHash() throws -> [UInt8] {
    var hash = SHA256()
    var tables: [(name: String, columns: String)] = []
    let schema = try prepare("SELECT type, name, sql FROM main.sqlite_master ORDER BY name")
    try schema.forEachRow { row in
      for index in 0..<3 { hash.update(row, index) }
      let isTable = row.text(0) == "table" && row.text(2)?.hasPrefix("CREATE VIRTUAL") == false
      if isTable, let name = row.text(1) { tables.append((name, name == "Z_METADATA" ? "Z_VERSION, Z_PLIST" : "*")) }
    }
    for table in tables {
      hash.update(Array(table.name.utf8))
      let rows = try prepare(
        "SELECT \(table.columns) FROM main.\(Connection.quoted(table.name)) ORDER BY rowid")
      let columns = 0..<rows.columnCount
      try rows.forEachRow { row in for index in columns { hash.update(row, index) } }
    }
    return hash.finish()
  }

  /// Writes the database to a file, as if by one transaction and without a page that is free.
  func writeAnew(to file: String) throws {
    try FileSystem.remove(file)
    forgetStatements()
    let vacuum = try prepare("VACUUM main INTO ?")
    vacuum.bind(1, file)
    try vacuum.run()
  }
}

extension SHA256 {
  /// Adds a value with its kind and its length, so that no two rows are alike that differ.
  fileprivate mutating func update(_ row: Statement, _ index: Int) {
    let kind = row.kind(index)
    switch kind {
    case .null: update([0])
    case .integer: update(1, UInt64(bitPattern: row.integer(index)))
    case .real: update(2, row.real(index).bitPattern)
    case .text, .blob:
      let bytes = kind == .text ? row.textBytes(index) : row.blobBytes(index)
      update(kind == .text ? 3 : 4, UInt64(bytes.count))
      update(bytes)
    }
  }

  private mutating func update(_ kind: UInt8, _ word: UInt64) {
    withUnsafeBytes(of: (word.littleEndian, kind)) { update($0) }
  }
}

extension UUID {
  /// A UUID of version 8, that of the user's own derivations (RFC 9562), from the first bytes of a hash.
  init(derivedFrom hash: [UInt8]) {
    var bytes = Array(hash.prefix(16))
    bytes[6] = bytes[6] & 0x0f | 0x80
    bytes[8] = bytes[8] & 0x3f | 0x80
    self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}

extension StoreSchema {
  /// The columns that may name files of large values.
  fileprivate var columnsOfFiles: [(table: String, name: String)] {
    tables.flatMap { table in
      let names = table.hierarchy.flatMap { entity in
        entity.layout.attributes.filter(\.attribute.allowsExternalBinaryDataStorage)
          .compactMap { column(of: $0.path, in: entity) }
      }
      return Set(names).sorted().map { (table.name, $0) }
    }
  }
}
