import ObjectGraph
import ObjectModel
import SQLiteDriver

/// What a store has that no model says: the history of changes, the mirror in CloudKit, and what an app made by itself.
///
/// Core Data's tables name entities by their numbers and objects by their keys, so they come along only while these stay what they
/// are: not where objects are made one by one, of which a transfer has no entities. An app's own tables come along as they are; its triggers, views, virtual tables and its indexes on Core Data's tables do not: nobody can tell what they mean to the new tables.
struct OwnedTables {
  fileprivate struct Object {
    let type: String
    let name: String
    let table: String
    let sql: String
  }

  private let contents: StoreContents
  private let objects: [Object]
  /// SQLite's own parts of virtual tables.
  private let shadows: Set<String>
  /// The numbers that an app keeps in the head of the file.
  private let marks: [(pragma: String, value: String)]

  init(_ contents: StoreContents, _ connection: Connection) throws {
    self.contents = contents
    var objects: [Object] = []
    let select = try connection.prepare(
      "SELECT type, name, tbl_name, sql FROM main.sqlite_master WHERE sql NOT NULL AND name NOT LIKE 'sqlite!_%' ESCAPE '!'"
    )
    try select.forEachRow { row in
      objects.append(
        Object(type: row.text(0) ?? "", name: row.text(1) ?? "", table: row.text(2) ?? "", sql: row.text(3) ?? ""))
    }
    self.objects = objects
    var shadows: Set<String> = []
    // Only the module knows which tables are parts of its own: any other may have such a name.
    try connection.prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'")
      .forEachRow { shadows.insert($0.text(0) ?? "") }
    self.shadows = shadows
    marks = try ["user_version", "application_id"].map { ($0, try connection.pragma($0) ?? "0") }
  }

  /// Gives a new store what an app keeps in the head of the old one.
  func copyMarks(to connection: Connection) throws(SQLiteError) {
    for mark in marks where mark.value != "0" { try connection.setPragma(mark.pragma, mark.value) }
  }

  // MARK: What is whose

  fileprivate static let history = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]

  /// The tables that are neither of the model nor SQLite's own parts of virtual tables.
  private func tables(_ source: StoreSchema) -> [Object] {
    let known = Self.known(source)
    return objects.filter { object in
      object.type == "table" && !known.contains(object.name) && !object.name.hasPrefix("Z_RT_")
        && !shadows.contains(object.name)
    }
  }

  /// The tables that Core Data makes of a model.
  private static func known(_ source: StoreSchema) -> Set<String> {
    Set(source.tables.map(\.name) + source.joinTables.map(\.name) + ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"])
  }

  /// Whether every number means the entity that it meant before.
  private func keepsNumbers(_ transfer: StoreTransfer, _ source: StoreSchema, _ destination: StoreSchema) -> Bool {
    guard !transfer.entities.isEmpty else { return false }
    return destination.entities.allSatisfy { entity in
      guard let old = source.entities.first(where: { source.numbers[$0] == destination.numbers[entity] }) else {
        return true
      }
      return transfer.transfer(from: old)?.destination === entity
    }
  }

  // MARK: What comes along

  /// A table that comes along as it is.
  struct Kept {
    fileprivate let table: Object
    fileprivate let indexes: [Object]

    /// Makes the table with its rows and indexes.
    func copy(from database: String, in connection: Connection) throws(SQLiteError) {
      let name = Connection.quoted(table.name)
      try connection.execute(table.sql)
      try connection.execute("INSERT INTO main.\(name) SELECT * FROM \(database).\(name)")
      for index in indexes { try connection.execute(index.sql) }
      guard OwnedTables.history.first == table.name else { return }
      try connection.execute(
        "INSERT OR IGNORE INTO main.Z_PRIMARYKEY SELECT * FROM \(database).Z_PRIMARYKEY "
          + "WHERE Z_ENT >= \(StoreContents.firstOwnNumber)")
    }
  }

  func kept(by transfer: StoreTransfer, _ source: StoreSchema, _ destination: StoreSchema) -> [Kept] {
    let isKept = keepsNumbers(transfer, source, destination)
    return tables(source).filter { isKept || !$0.isCoreData }.filter { !$0.isVirtual }.map { table in
      Kept(table: table, indexes: objects.filter { $0.type == "index" && $0.table == table.name })
    }
  }

  func leftBehind(by transfer: StoreTransfer, _ source: StoreSchema, _ destination: StoreSchema) -> [LeftBehind] {
    var left: [LeftBehind] = []
    let tables = tables(source)
    if !keepsNumbers(transfer, source, destination) {
      let reason =
        transfer.entities.isEmpty
        ? "whose keys would mean other objects, since all are made anew"
        : "whose numbers of entities would mean others in the new version"
      if contents.tracksHistory {
        left.append(LeftBehind(name: "history", what: "the history of changes, \(reason)"))
      }
      if contents.isMirrored {
        left.append(LeftBehind(name: nil, what: "the mirror in CloudKit, \(reason)"))
      }
    }
    left += tables.filter { $0.isVirtual && !$0.isCoreData }.map {
      LeftBehind(name: $0.name, what: "the virtual table \($0.name), which is no part of a model")
    }
    left += objects.filter { $0.type == "view" }.map { LeftBehind(name: $0.name, what: "the view \($0.name)") }
    let known = Self.known(source)
    // The names of Core Data's own indexes begin with a Z, in all of its versions.
    left += objects.filter { $0.type == "index" && known.contains($0.table) && !$0.name.hasPrefix("Z") }.map {
      LeftBehind(name: $0.name, what: "the index \($0.name) on \($0.table), which is the app's own")
    }
    left += objects.filter { $0.type == "trigger" && !$0.isOfModel }.map {
      LeftBehind(name: $0.name, what: "the trigger \($0.name) on \($0.table), which is the app's own")
    }
    return left
  }
}

extension OwnedTables.Object {
  /// Whether it is a virtual table.
  fileprivate var isVirtual: Bool { sql.uppercased().hasPrefix("CREATE VIRTUAL") }
  /// Whether Core Data keeps it for its history or its mirror in CloudKit.
  fileprivate var isCoreData: Bool { OwnedTables.history.contains(name) || name.hasPrefix("ANSCK") }
  /// Whether a model makes it: of a derived attribute or of an index of places.
  fileprivate var isOfModel: Bool { name.hasPrefix("Z_DA_") || name.hasPrefix("Z_RT_") }
}
