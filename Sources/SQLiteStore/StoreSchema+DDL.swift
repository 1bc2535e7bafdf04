package import Diagnostics
import ObjectModel

extension StoreSchema {
  /// The SQL of a new store, one statement each, without a final semicolon, in the order of creation: tables and their join
  /// tables, indexes, triggers, and Core Data's own tables.
  package func ddl() -> [String] {
    let definitions = definitions
    return tableStatements + definitions.indexes + definitions.triggers + Self.ownTables
  }

  /// What of the model a new store cannot have, or may have under another name.
  package var warnings: [Diagnostic] {
    definitions.warnings
      + joinTables.filter { !$0.isReflexive && $0.relationship.entity === $0.inverse.entity }.map(Diagnostic.joinName)
  }

  /// Core Data's own tables, as current systems create them.
  package static let ownTables = [
    "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
    "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
    modelCacheTable,
  ]

  /// The table of the model cache, which a store has together with its row or not at all.
  package static let modelCacheTable = "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)"

  /// The statements that create the tables and join tables.
  var tableStatements: [String] {
    let joins = Dictionary(grouping: joinTables) { $0.relationship.entity.rootEntity }
    return tables.flatMap { table in [table.sql] + (joins[table.root] ?? []).map(\.sql) }
  }

  /// The indexes and triggers.
  var definitions: StoreDefinitions {
    var definitions = StoreDefinitions(schema: self)
    let joins = Dictionary(grouping: joinTables) { $0.relationship.entity as NSEntityDescription }
    for table in tables { definitions.addIndexes(of: table, joins) }
    for entity in entities { definitions.addDerivations(of: entity) }
    return definitions
  }
}

/// The indexes and triggers of a schema, collected in order.
struct StoreDefinitions {
  let schema: StoreSchema
  private(set) var plainIndexes: [String] = []
  private(set) var rTrees: [String] = []
  private(set) var triggers: [String] = []
  private(set) var warnings: [Diagnostic] = []

  init(schema: StoreSchema) { self.schema = schema }

  /// The plain indexes, each once, and behind them those that are virtual tables.
  var indexes: [String] {
    var seen: Set<String> = []
    return plainIndexes.filter { seen.insert($0).inserted } + rTrees
  }

  mutating func addIndex(_ sql: String) { plainIndexes.append(sql) }
  mutating func addRTree(_ sql: String) { rTrees.append(sql) }
  mutating func addTrigger(_ sql: String) { triggers.append(sql) }
  mutating func warn(_ diagnostic: Diagnostic) { warnings.append(diagnostic) }
}
