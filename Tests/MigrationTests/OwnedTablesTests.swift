import Diagnostics
import Foundation
import ObjectModel
import SQLiteDriver
import SQLiteStore
import TestSupport
import Testing

@testable import Migration

/// What a store has beside the rows of its model: the history of changes, the mirror in CloudKit, tables of the app.
struct OwnedTablesTests {
  private static let name = "<attribute name=\"name\" optional=\"YES\" attributeType=\"String\"/>"
  private static let rank = "<attribute name=\"rank\" attributeType=\"Integer 16\" defaultValueString=\"7\"/>"

  /// The tables as Core Data makes them, with a change of the second row of the entity with the number 1.
  private static let history = """
    CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, ZENTITY INTEGER, \
    ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB );
    CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, ZTIMESTAMP FLOAT );
    CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
    CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID);
    INSERT INTO ACHANGE VALUES (1, 16001, NULL, 1, 1, 2, 1, X'02');
    INSERT INTO ATRANSACTION VALUES (1, 16002, NULL, 1, 700000000.5);
    INSERT INTO ATRANSACTIONSTRING VALUES (1, 16003, NULL, 'app');
    INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 1), (16002, 'TRANSACTION', 0, 1), (16003, 'TRANSACTIONSTRING', 0, 1);
    """
  private static let mirror = """
    CREATE TABLE ANSCKRECORDMETADATA ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZENTITYID INTEGER, \
    ZENTITYPK INTEGER, ZCKRECORDNAME VARCHAR );
    INSERT INTO ANSCKRECORDMETADATA VALUES (1, 17001, 1, 1, 2, 'record');
    """
  private static let own = """
    CREATE TABLE notes ( id INTEGER PRIMARY KEY, text TEXT ); CREATE INDEX notes_text ON notes (text);
    INSERT INTO notes VALUES (3, 'mine'); CREATE VIEW names AS SELECT ZNAME FROM ZMOVIE
    """
  private static let virtual = """
    CREATE VIRTUAL TABLE notes USING fts5(text); INSERT INTO notes VALUES ('found');
    CREATE TABLE notes_archive ( text TEXT ); INSERT INTO notes_archive VALUES ('mine')
    """
  private static let marks = "PRAGMA user_version = 7; PRAGMA application_id = 99"

  struct Migration: Sendable {
    var tables: String
    /// Whether an entity is added whose name comes before the others', so that their numbers change.
    var renumbers = false
    /// Whether objects are made one by one, by a mapping.
    var isCustom = false
    var allowed: [String] = []
    /// Rows of these tables are what they were, and indexes; all other tables of the store are gone.
    var kept: [String] = []
  }

  /// With what the refusal says; empty where it goes through.
  static let migrations: [Case<Migration, String>] = [
    Case(
      "history stays while numbers stay",
      Migration(tables: history, kept: ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]), ""),
    Case(
      "history of other numbers", Migration(tables: history, renumbers: true),
      "history (the history of changes, whose numbers of entities would mean others in the new version)"),
    Case("history that may be lost", Migration(tables: history, renumbers: true, allowed: ["history"]), ""),
    Case(
      "history of objects made anew", Migration(tables: history, isCustom: true),
      "history (the history of changes, whose keys would mean other objects, since all are made anew)"),
    Case("history of these that may be lost", Migration(tables: history, isCustom: true, allowed: ["history"]), ""),
    Case("a mirror stays while numbers stay", Migration(tables: mirror, kept: ["ANSCKRECORDMETADATA"]), ""),
    Case(
      "a mirror of other numbers", Migration(tables: mirror, renumbers: true, allowed: ["history"]),
      "the mirror in CloudKit, whose numbers of entities would mean others in the new version, cannot come along"),
    Case(
      "a mirror of objects made anew", Migration(tables: mirror, isCustom: true),
      "the mirror in CloudKit, whose keys would mean other objects, since all are made anew, cannot come along"),
    Case("a view of the app", Migration(tables: own), "names (the view names)"),
    Case("an app's own table", Migration(tables: own, renumbers: true, allowed: ["names"], kept: ["notes"]), ""),
    Case(
      "and beside objects made anew", Migration(tables: own, isCustom: true, allowed: ["names"], kept: ["notes"]), ""),
    Case(
      "an app's own table that is called as a part of a virtual one",
      Migration(tables: virtual, allowed: ["notes"], kept: ["notes_archive"]), ""),
    Case(
      "the same beside objects made anew",
      Migration(tables: virtual, isCustom: true, allowed: ["notes"], kept: ["notes_archive"]), ""),
    Case(
      "an app's own index on a table of the model", Migration(tables: "CREATE UNIQUE INDEX mine ON ZMOVIE (ZNAME)"),
      "mine (the index mine on ZMOVIE, which is the app's own)"),
    Case("an index of Core Data", Migration(tables: "CREATE INDEX ZMOVIE_ZNAME_INDEX ON ZMOVIE (ZNAME)"), ""),
    Case("the head of the file", Migration(tables: marks), ""),
    Case("the head of the file beside objects made anew", Migration(tables: marks, isCustom: true), ""),
    Case("a view beside these", Migration(tables: own, isCustom: true), "names (the view names)"),
  ]

  private static func model(_ entities: String, in folder: TemporaryFolder, _ name: String) throws
    -> NSManagedObjectModel
  {
    try NSManagedObjectModel(
      contentsOf: URL(fileURLWithPath: folder.write("<model>\(entities)</model>", to: "\(name).xcdatamodel/contents")))
  }

  @Test(arguments: migrations)
  func comesAlong(_ test: Case<Migration, String>) throws {
    let folder = try TemporaryFolder()
    let movie = "<entity name=\"Movie\">\(Self.name)"
    let actor = "<entity name=\"Actor\">\(Self.name)</entity>"
    let source = try Self.model(movie + "</entity>", in: folder, "V1")
    let destination = try Self.model(
      movie + Self.rank + "</entity>" + (test.input.renumbers ? actor : ""), in: folder, "V2")
    let store = folder.url.appendingPathComponent("s.sqlite")
    try SQLitePersistentStore.create(at: store, model: source).finish()
    try Connection(store.path, .readWrite).execute(
      "INSERT INTO ZMOVIE (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (2, 1, 1, 'a'), (5, 1, 3, 'b'); "
        + "UPDATE Z_PRIMARYKEY SET Z_MAX = 5; \(test.input.tables)")
    let before = try Data(contentsOf: store)
    let backup = folder.url.appendingPathComponent("before.sqlite")
    let versions = [
      KnownVersions.Version(name: "V1", model: source), KnownVersions.Version(name: "V2", model: destination),
    ]
    let mapping = DeclaredMapping(MappingDeclaration(from: "V1", to: "V2", entities: [:]), name: "m.json5")
    var options = MigrationOptions()
    options.allowLoss = test.input.allowed
    let migration = StoreMigration(
      of: try SQLiteStoreMigrator(of: store), to: KnownVersions(versions, to: versions[1]),
      mappings: test.input.isCustom ? [mapping] : [], options)
    guard test.expected.isEmpty else {
      let error = #expect(throws: Diagnostic.self) { try migration.run(migration.plan(), backup: backup) }
      #expect(error?.message.contains(test.expected) == true, "\(error?.message ?? "")")
      #expect(try Data(contentsOf: store) == before)
      return
    }
    try migration.run(migration.plan(), backup: backup)
    #expect(try rows("SELECT ZNAME, ZRANK FROM ZMOVIE ORDER BY 1", store) == ["a|7", "b|7"])
    let tables = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'Z%' ORDER BY 1"
    #expect(try rows(tables, store) == test.input.kept)
    for mark in ["PRAGMA user_version", "PRAGMA application_id"] {
      #expect(try rows(mark, store) == rows(mark, backup))
    }
    for table in test.input.kept {
      let indexes = "SELECT name, sql FROM sqlite_master WHERE tbl_name = '\(table)' ORDER BY 1"
      for query in ["SELECT * FROM \(table)", indexes] { #expect(try rows(query, store) == rows(query, backup)) }
    }
    let numbers = "SELECT Z_ENT, Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY 1"
    #expect(try rows(numbers, store) == (test.input.kept.contains("ACHANGE") ? rows(numbers, backup) : []))
    #expect(try rows("PRAGMA integrity_check", store) == ["ok"])
  }

  private func rows(_ sql: String, _ store: URL) throws -> [String] {
    let select = try Connection(store.path, .readOnly).prepare(sql)
    var rows: [String] = []
    while try select.step() {
      rows.append((0..<select.columnCount).map { select.text($0) ?? "NULL" }.joined(separator: "|"))
    }
    return rows
  }

  // MARK: Stores that Apple's framework made

  /// Their history stays row by row, while their model gets another attribute.
  @Test(
    .enabled(if: Shared.isThere, Shared.comment),
    arguments: [
      "MatthewHunt84__MetaCocktailsSwiftData/PreloadedCocktails.store",
      "alemar11__CoreDataPlus__Fixtures_SampleModel2_V1.sqlite__d16ce86f",
      "alemar11__CoreDataPlus__Fixtures_SampleModel2_V2.sqlite__3b1893d7",
      "log2timeline__plaso__ios_RMAdminStore-Local.sqlite__74bd2f3c",
      "log2timeline__plaso__macos_knowledgec-10.13.db__a50f44c5",
    ])
  func realHistory(_ name: String) throws {
    let folder = try TemporaryFolder()
    let store = folder.url.appendingPathComponent("s.sqlite")
    try FileManager.default.copyItem(at: Shared.url("corpus/stores/\(name)"), to: store)
    let (source, destination) = (try NSManagedObjectModel(cachedIn: store), try NSManagedObjectModel(cachedIn: store))
    let entity = try #require(destination.entities.first { $0.superentity == nil && !$0.isAbstract })
    let added = NSAttributeDescription()
    (added.name, added.attributeType, added.isOptional) = ("gantryAdded", .stringAttributeType, true)
    entity.properties.append(added)
    let entities = destination.entities
    // What the model was read from is not what it is any more.
    destination.entities = entities
    let versions = [
      KnownVersions.Version(name: "old", model: source), KnownVersions.Version(name: "new", model: destination),
    ]
    let backup = folder.url.appendingPathComponent("before.sqlite")
    let migration = StoreMigration(
      of: try SQLiteStoreMigrator(of: store), to: KnownVersions(versions, to: versions[1]))
    try migration.run(migration.plan(), backup: backup)
    #expect(try rows("SELECT COUNT(*) FROM ATRANSACTION", store) != ["0"])
    for table in ["ACHANGE", "ATRANSACTION"] {
      #expect(try rows("SELECT * FROM \(table)", store) == rows("SELECT * FROM \(table)", backup))
    }
  }
}
