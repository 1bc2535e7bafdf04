import Bytes
import ObjectModel
import SQLiteDriver

/// A temporary table that tells which rows of an entity have which keys, for keys that no index of the store serves.
///
/// It is filled by one scan at its first use, and temporary triggers keep it so: a save changes it in its own transaction. It
/// is no part of the store's file; SQLite keeps it in a file of its own where it is large. Texts are in normalisation form C.
struct KeyMap {
  /// Which keys of which entity it holds.
  struct Contents: Hashable {
    let entity: NSEntityDescription
    let places: [Int]
    let scope: Scope
  }

  /// Which rows it holds.
  enum Scope: Hashable {
    case all
    /// Those with a text beyond ASCII, which may have the key in another form than an index finds.
    case beyondASCII
  }

  let name: String
  /// Its rows that have the keys of a batch.
  let join: String
  /// The statements that make it.
  let statements: [String]

  init(number: Int, _ contents: Contents, schema: StoreSchema) {
    let name = "\(Self.prefix)\(number)"
    let table = schema.table(of: contents.entity).name
    let attributes = contents.places.map { contents.entity.layout.attributes[$0] }
    let columns = attributes.map { attribute in
      (
        name: schema.column(of: attribute.path, in: contents.entity) ?? "",
        isText: attribute.attribute.attributeType.columnKind == .text
      )
    }
    let keys = columns.indices.map { "k\($0)" }.joined(separator: ", ")
    let numbers = schema.numbersOfHierarchy(contents.entity).list

    func values(of row: String) -> String {
      (["Z_PK", "Z_ENT"].map { row + $0 }
        + columns.map { $0.isText ? "\(Self.normalise)(\(row)\($0.name))" : row + $0.name })
        .joined(separator: ", ")
    }
    func condition(on row: String) -> String {
      var terms = ["\(row)Z_ENT IN (\(numbers))"] + columns.map { "\(row)\($0.name) NOT NULL" }
      if contents.scope == .beyondASCII {
        let lengths = columns.filter(\.isText).map {
          "length(\(row)\($0.name)) <> length(CAST(\(row)\($0.name) AS BLOB))"
        }
        terms.append("(\(lengths.joined(separator: " OR ")))")
      }
      return terms.joined(separator: " AND ")
    }
    let insert = "INSERT INTO \(name) (pk, ent, \(keys))"
    let add = "\(insert) SELECT \(values(of: "NEW.")) WHERE \(condition(on: "NEW."));"
    let remove = "DELETE FROM \(name) WHERE pk = OLD.Z_PK;"
    let changed = (["Z_ENT"] + columns.map(\.name)).joined(separator: ", ")

    self.name = name
    join = "\(name) AS m ON \(columns.indices.map { "m.k\($0) = b.k\($0)" }.joined(separator: " AND "))"
    statements = [
      "CREATE TEMP TABLE \(name) (pk INTEGER PRIMARY KEY, ent INTEGER, \(keys))",
      "\(insert) SELECT \(values(of: "")) FROM main.\(table) WHERE \(condition(on: ""))",
      "CREATE INDEX temp.\(name)_index ON \(name) (\(keys), ent)",
      "CREATE TEMP TRIGGER \(name)_insert AFTER INSERT ON main.\(table) BEGIN \(add) END",
      "CREATE TEMP TRIGGER \(name)_update AFTER UPDATE OF \(changed) ON main.\(table) BEGIN \(remove) \(add) END",
      "CREATE TEMP TRIGGER \(name)_delete AFTER DELETE ON main.\(table) BEGIN \(remove) END",
    ]
  }

  /// The statements that remove it; its triggers belong to the store's table and do not go with it.
  var removal: [String] {
    ["insert", "update", "delete"].map { "DROP TRIGGER temp.\(name)_\($0)" } + ["DROP TABLE temp.\(name)"]
  }

  /// What the names of all such tables begin with.
  private static let prefix = "gantry_keys_"

  /// Whether a table is such a map, and none of the store's.
  static func isMap(_ table: String) -> Bool { table.hasPrefix(prefix) }

  /// The SQL function that gives a text in normalisation form C.
  static let normalise = "gantry_nfc"
}

/// The key maps of a store.
struct KeyMaps {
  var maps: [KeyMap.Contents: KeyMap] = [:]
  /// How many were ever made, for names that no trigger has seen.
  var count = 0
  /// SQLite's sign of changes by others, as of the last look-up.
  var dataVersion: String?
  /// Whether an index of the store serves a key.
  var isIndexed: [KeyMap.Contents: Bool] = [:]
}

extension SQLiteError {
  /// The error, or, where a map refused a row of the store, what that says of the store: two of its rows have one primary key,
  /// which no sound file has.
  var seenThroughKeyMaps: SQLiteError {
    guard case .constraint(.primaryKey(let table, _)) = kind, KeyMap.isMap(table) else { return self }
    return SQLiteError(.corrupt, message: "two rows of a table have one primary key", sql: sql, path: path)
  }
}
