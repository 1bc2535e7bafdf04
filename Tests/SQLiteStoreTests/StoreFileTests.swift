import Diagnostics
import Foundation
import ObjectGraph
import ObjectModel
import SQLiteDriver
import TestSupport
import Testing
import Values

@testable import SQLiteStore

/// The file of a store: how it is made, opened, refused and finished.
struct StoreFileTests {
  static let city = """
    <entity name="City"><attribute name="name" optional="YES" attributeType="String"/></entity>
    <entity name="Town" parentEntity="City"/>
    """

  func header(_ url: URL) throws -> [UInt8] { Array(try Data(contentsOf: url).prefix(100)) }

  func files(_ folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func aNewStoreHasTheFormOfCoreDatas() throws {
    let test = try TestStore(Self.city)
    try test.insert("City")
    let header = try header(test.url)
    #expect(header[16...17] == [0x10, 0])  // page size 4096
    #expect(header[18...19] == [1, 1])  // no write-ahead log
    #expect(header[44...47] == [0, 0, 0, 4])  // schema format
    #expect(header[52...55] != [0, 0, 0, 0] && header[64...67] == [0, 0, 0, 1])  // auto_vacuum incremental
    #expect(header[56...59] == [0, 0, 0, 1])  // UTF-8
    #expect(header[60...63] == [0, 0, 0, 0] && header[68...71] == [0, 0, 0, 0])  // user version, application ID
    #expect(try test.rows("SELECT rootpage FROM sqlite_master WHERE name = 'ZCITY'") == ["3"])
    #expect(try test.rows("SELECT * FROM Z_PRIMARYKEY") == ["1 City 0 1", "2 Town 1 0"])
    #expect(
      try test.rows("SELECT name FROM sqlite_master")
        == ["ZCITY", "ZCITY_Z_ENT_INDEX", "Z_PRIMARYKEY", "Z_METADATA"])
    #expect(try files(test.folder.url) == ["s.sqlite"])
  }

  @Test func metadataHaveEveryKeyOfCurrentSystems() throws {
    let folder = try TemporaryFolder()
    let model = try model(Self.city)
    var options = SQLiteStoreOptions()
    #expect(options.frameworkVersion == 1345)
    options.frameworkVersion = 1447
    let url = folder.url.appendingPathComponent("s.sqlite")
    _ = try SQLitePersistentStore.create(at: url, model: model, options: options)
    let store = try SQLitePersistentStore.open(at: url, model: model)
    let metadata = store.metadata
    #expect(
      Set(metadata.keys) == [
        "NSStoreType", "NSPersistenceFrameworkVersion", "NSStoreModelVersionHashes", "NSStoreModelVersionHashesVersion",
        "NSStoreModelVersionIdentifiers", "NSStoreModelVersionHashesDigest", "NSStoreModelVersionChecksumKey",
        "_NSAutoVacuumLevel",
      ])
    #expect(metadata["NSStoreType"] as? String == "SQLite")
    #expect(metadata["NSPersistenceFrameworkVersion"] as? Int == 1447)
    #expect(metadata["NSStoreModelVersionHashes"] as? [String: Data] == model.entityVersionHashesByName)
    #expect(metadata["NSStoreModelVersionHashesVersion"] as? Int == 3)
    #expect(metadata["NSStoreModelVersionIdentifiers"] as? [String] == [""])
    #expect(metadata["_NSAutoVacuumLevel"] as? String == "2")
    #expect(Data(base64Encoded: try #require(metadata["NSStoreModelVersionHashesDigest"] as? String))?.count == 64)
    #expect(Data(base64Encoded: try #require(metadata["NSStoreModelVersionChecksumKey"] as? String))?.count == 32)
    #expect(UUID(uuidString: store.identifier)?.uuidString == store.identifier)
    let row = try store.connection.prepare("SELECT Z_VERSION, Z_PLIST FROM Z_METADATA")
    try row.forEachRow { row in
      #expect(row.integer(0) == 1)
      #expect(Data(row.blobBytes(1)).starts(with: Data("bplist00".utf8)))
    }
  }

  @Test func optionsAreDecodedWithMissingKeys() throws {
    #expect(try JSONDecoder().decode(SQLiteStoreOptions.self, from: Data("{}".utf8)) == SQLiteStoreOptions())
    #expect(
      try JSONDecoder().decode(SQLiteStoreOptions.self, from: Data("{\"frameworkVersion\":7}".utf8)).frameworkVersion
        == 7)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(SQLiteStoreOptions.self, from: Data("{\"frameworkVersion\":-5}".utf8))
    }
    #expect(
      SQLiteStoreOptions.options.map(\.key) == ["frameworkVersion", "journal", "template", "append", "reproducible"])
  }

  // MARK: Refusals

  /// What is put in the place of a store, and how it is refused.
  static let refused: [(what: String, sql: String?, bytes: String?, code: String, message: String)] = [
    ("nothing", nil, nil, "store.missing", "there is no store FILE"),
    (
      "another file", nil, "hello, this is a text and not a database", "store.not-sqlite",
      "expected an SQLite database, found another kind of file: FILE"
    ),
    (
      "an empty file", nil, "", "store.empty", "expected a Core Data store, found an empty file: FILE"
    ),
    (
      "another database", "DROP TABLE Z_METADATA", nil, "store.not-core-data",
      "expected a Core Data store, found an SQLite database without Z_METADATA and Z_PRIMARYKEY: FILE"
    ),
    (
      "metadata that are none", "UPDATE Z_METADATA SET Z_PLIST = x'00'", nil, "store.metadata",
      "the metadata of FILE are no property list of an SQLite store with its model's hashes"
    ),
    (
      "no metadata", "DELETE FROM Z_METADATA", nil, "store.metadata",
      "the metadata of FILE are no property list of an SQLite store with its model's hashes"
    ),
    (
      "a text for metadata", "UPDATE Z_METADATA SET Z_PLIST = 'x'", nil, "store.metadata",
      "the metadata of FILE are no property list of an SQLite store with its model's hashes"
    ),
    (
      "an entity without number", "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 2", nil, "store.entity-missing",
      "the store has no number for the entity Town in Z_PRIMARYKEY"
    ),
    (
      "a column less", "ALTER TABLE ZCITY DROP COLUMN ZNAME", nil, "store.columns-missing",
      "the model's hashes are the store's, yet the store lacks ZNAME in the table ZCITY"
    ),
    (
      "a table less", "DROP TABLE ZCITY", nil, "store.columns-missing",
      "the model's hashes are the store's, yet the store lacks Z_PK, Z_ENT, Z_OPT, ZNAME in the table ZCITY"
    ),
  ]

  @Test(arguments: refused.indices) func isRefused(_ index: Int) throws {
    let c = Self.refused[index]
    let test = try TestStore(Self.city)
    if let sql = c.sql {
      try test.outside(sql)
    } else {
      try FileManager.default.removeItem(at: test.url)
      if let bytes = c.bytes { try test.folder.write(bytes, to: "s.sqlite") }
    }
    let before = try? Data(contentsOf: test.url)
    for readOnly in [true, false] {
      let error = try #require(throws: Diagnostic.self, "\(c.what)") { try test.reopen(readOnly: readOnly) }
      #expect(error.code.name == c.code)
      #expect(error.message == c.message.replacingOccurrences(of: "FILE", with: test.url.path))
      #expect(error.code.fate == .store)
    }
    #expect((try? Data(contentsOf: test.url)) == before)
  }

  @Test func anotherModelIsRefusedByTheNamesOfItsEntities() throws {
    let test = try TestStore(Self.city)
    let other = try model(
      """
      <entity name="City"><attribute name="name" optional="YES" attributeType="Binary"/></entity><entity name="River"/>
      """)
    let error = try #require(throws: Diagnostic.self) { try SQLitePersistentStore.open(at: test.url, model: other) }
    #expect(error.code.name == "store.incompatible-model")
    #expect(
      error.message
        == "\(test.url.path) is of another version of the model; not in the store: River; not in the model: Town; changed: City"
    )
  }

  @Test func theVersionThatFitsIsNamed() throws {
    let folder = try TemporaryFolder()
    for (version, type) in [("V1", "Date"), ("V2", "String"), ("V3", "Double")] {
      try folder.write(
        #"<model><entity name="A"><attribute name="x" attributeType="\#(type)"/></entity></model>"#,
        to: "M.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    let source = folder.url.appendingPathComponent("M.xcdatamodeld")
    let url = folder.url.appendingPathComponent("s.sqlite")
    _ = try SQLitePersistentStore.create(at: url, model: NSManagedObjectModel(contentsOf: source, version: "V2"))
    let other = try NSManagedObjectModel(contentsOf: source, version: "V3")
    let error = try #require(throws: Diagnostic.self) { try SQLitePersistentStore.open(at: url, model: other) }
    #expect(
      error.hint.hasPrefix(
        "Name the version that made the store, by --model-version V2, or migrate it: gantry migrate "))
  }

  /// A store that keeps its model tells the properties, too, and how to bring it to the other version.
  @Test(.enabled(if: Shared.isThere, Shared.comment)) func theStoresOwnModelTellsTheProperties() throws {
    let store = try Shared.url("corpus/stores/objcio__core-data__MigrationsTests_Moody_4.moody__800cbcf9")
    let source = try Shared.url("corpus/models/objcio__core-data/Migrations/Migrations/Moody.xcdatamodeld")
    let model = try NSManagedObjectModel(contentsOf: source, version: "Moody 5")
    let error = try #require(throws: Diagnostic.self) {
      try SQLitePersistentStore.open(at: store, model: model, readOnly: true)
    }
    #expect(
      error.message
        == "\(store.path) is of another version of the model; not in the model: Continent; "
        + "changed: Country (continent, isoContinent), Mood (continent)")
    #expect(
      error.hint
        == "Name the version that made the store, by --model-version Moody 4, or migrate it: gantry migrate \(store.path) --model \(source.path) "
        + "--to 'Moody 5'")
  }

  @Test func aNewerSystemsStoreIsRefused() throws {
    let test = try TestStore(Self.city)
    test.store.metadata["NSStoreModelVersionHashesVersion"] = 4
    try test.store.save(StoreChanges())
    let error = try #require(throws: Diagnostic.self) { try test.reopen() }
    #expect(error.code.name == "store.newer")
    #expect(
      error.message == "expected version hashes of version 3 at most, found 4: \(test.url.path) is of a newer system")
  }

  @Test func aStoreIsNeverReplaced() throws {
    let test = try TestStore(Self.city)
    let before = try Data(contentsOf: test.url)
    for make in [
      { _ = try SQLitePersistentStore.create(at: test.url, model: test.store.model) },
      { _ = try StoreBuilder(at: test.url, model: test.store.model) },
    ] {
      let error = try #require(throws: Diagnostic.self) { try make() }
      #expect(error.code.name == "store.exists")
    }
    #expect(try Data(contentsOf: test.url) == before)
  }

  // MARK: What others made

  @Test func numbersAndNamesAreTheStores() throws {
    let entities = """
      <entity name="P"><attribute name="n" optional="YES" attributeType="String"/>
      <relationship name="followers" optional="YES" toMany="YES" destinationEntity="P" inverseName="following" inverseEntity="P"/>
      <relationship name="following" optional="YES" toMany="YES" destinationEntity="P" inverseName="followers" inverseEntity="P"/>
      </entity>
      """
    let test = try TestStore(entities)
    let people = try (0..<2).map { _ in try test.insert("P") }
    try test.link(people[0], "following", add: [people[1]])
    #expect(try test.rows("SELECT Z_1FOLLOWERS, Z_1FOLLOWING FROM Z_1FOLLOWING") == ["1 2"])
    // The other name of the table, the columns in another order, another number, history, and a table of the app.
    try test.outside(
      """
      DROP TABLE Z_1FOLLOWING;
      CREATE TABLE Z_7FOLLOWERS ( Z_7FOLLOWING1 INTEGER, Z_7FOLLOWERS INTEGER, PRIMARY KEY (Z_7FOLLOWING1, Z_7FOLLOWERS) );
      INSERT INTO Z_7FOLLOWERS (Z_7FOLLOWERS, Z_7FOLLOWING1) VALUES (1, 2);
      UPDATE Z_PRIMARYKEY SET Z_ENT = 7; UPDATE ZP SET Z_ENT = 7;
      INSERT INTO Z_PRIMARYKEY VALUES (16001, 'CHANGE', 0, 5); CREATE TABLE OWN (A); INSERT INTO OWN VALUES ('kept');
      """)
    try test.reopen()
    let (first, second) = (try test.id("P", 1), try test.id("P", 2))
    let (followers, following) = (
      try test.relationship("followers", of: "P"), try test.relationship("following", of: "P")
    )
    #expect(try test.store.destinations(of: following, for: [first, second]) == [[second], []])
    #expect(try test.store.destinations(of: followers, for: [first, second]) == [[], [first]])
    try test.link(second, "following", add: [first])
    #expect(try test.rows("SELECT Z_7FOLLOWERS, Z_7FOLLOWING1 FROM Z_7FOLLOWERS ORDER BY 1") == ["1 2", "2 1"])
    let third = try test.insert("P", ["n": .string("x")])
    #expect(try test.rows("SELECT Z_PK, Z_ENT FROM ZP WHERE ZN = 'x'") == ["3 7"])
    #expect(try test.store.rows(for: [third])[0]?.attributes == [.string("x")])
    #expect(try test.rows("SELECT * FROM Z_PRIMARYKEY") == ["7 P 0 3", "16001 CHANGE 0 5"])
    #expect(try test.rows("SELECT * FROM OWN") == ["kept"])
    try test.expectSound()
  }

  @Test func aRenamedEntityIsFoundByItsOldName() throws {
    let test = try TestStore("<entity name=\"Car\" elementID=\"Wagon\"/>")
    try test.insert("Car")
    try test.outside("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Wagon'")
    try test.reopen()
    #expect(try test.insert("Car").key == 2)
  }

  @Test func aWriteAheadLogIsKeptAndEmptied() throws {
    let test = try TestStore(Self.city)
    try test.outside("PRAGMA journal_mode = WAL")
    do {
      let store = try SQLitePersistentStore.open(at: test.url, model: test.store.model)
      store.metadata["x"] = 1
      try store.save(StoreChanges())
      #expect(try store.connection.pragma("synchronous") == "2")
      #expect(try files(test.folder.url).contains("s.sqlite-wal"))
      try store.finish()
      #expect(throws: Diagnostic.self) { try store.save(StoreChanges()) }
    }
    #expect(try header(test.url)[18...19] == [2, 2])
    let copy = test.folder.url.appendingPathComponent("copy.sqlite")
    try FileManager.default.copyItem(at: test.url, to: copy)
    #expect(try SQLitePersistentStore.open(at: copy, model: test.store.model).metadata["x"] as? Int == 1)
  }

  @Test func aValueThatIsNoneOfItsTypeIsReported() throws {
    let test = try TestStore(StoreSavingTests.thing)
    let id = try test.insert("Thing", ["int": .integer(1)])
    try test.outside("UPDATE ZTHING SET ZINT = 'seven'")
    var error = try #require(throws: Diagnostic.self) { try test.store.rows(for: [id]) }
    #expect(error.message == "Thing.int of row 1 holds a text, which is no Integer 64")
    try test.outside("UPDATE ZTHING SET ZINT = 1, ZEXT = x'0941'")
    error = try #require(throws: Diagnostic.self) { try test.store.rows(for: [id]) }
    #expect(error.message == "Thing.ext of row 1 cannot be read: it begins with none of the marks of such values")
  }

  @Test func aValueBesideTheStoreIsRead() throws {
    let test = try TestStore(StoreSavingTests.thing)
    let id = try test.insert("Thing", ["int": .integer(1)])
    let name = "0A1B2C3D-0000-4000-8000-00000000000F"
    let stored = "02" + name.utf8.map { String($0, radix: 16) }.joined() + "00"
    try test.outside("UPDATE ZTHING SET ZEXT = x'\(stored)'")
    let error = try #require(throws: Diagnostic.self) { try test.store.rows(for: [id]) }
    let file = ".s_SUPPORT/_EXTERNAL_DATA/\(name)"
    #expect(error.message == "Thing.ext of row 1 cannot be read: its file \(test.folder.path(file)) is missing")
    try test.folder.write("large", to: file)
    let place = try #require(id.entity.layout.attributeIndex["ext"])
    #expect(try test.store.rows(for: [id])[0]?.attributes[place] == .data(Data("large".utf8)))
  }

  // MARK: Building

  @Test func aStoreIsInItsPlaceWhenItIsComplete() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("new.sqlite")
    for suffix in ["", "-journal"] { try folder.write("left behind", to: ".new.sqlite.importing" + suffix) }
    let builder = try StoreBuilder(at: url, model: model(Self.city))
    builder.store.metadata["x"] = 1
    try builder.store.save(StoreChanges())
    #expect(builder.store.url == url)
    #expect(try files(folder.url) == [".new.sqlite.importing"])
    try builder.complete()
    #expect(try files(folder.url) == ["new.sqlite"])
    #expect(throws: Diagnostic.self) { try builder.store.save(StoreChanges()) }
    let store = try SQLitePersistentStore.open(at: url, model: builder.store.model)
    #expect(store.metadata["x"] as? Int == 1)
    #expect(try store.brokenInvariants() == [])
    #expect(try header(url)[18...19] == [1, 1])
  }

  @Test func anAbandonedStoreLeavesNothing() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("new.sqlite")
    try StoreBuilder(at: url, model: model(Self.city)).abandon()
    #expect(try files(folder.url) == [])
    do { _ = try StoreBuilder(at: url, model: model(Self.city)) }
    #expect(try files(folder.url) == [])
    let error = try #require(throws: Diagnostic.self) {
      try StoreBuilder(
        at: url.deletingLastPathComponent().appendingPathComponent("no/new.sqlite"), model: model(Self.city))
    }
    #expect(error.code.name == "environment.folder")
  }

  @Test func whatCameInTheMeantimeIsNotReplaced() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("new.sqlite")
    let builder = try StoreBuilder(at: url, model: model(Self.city))
    try folder.write("somebody's", to: "new.sqlite")
    #expect(throws: Diagnostic.self) { try builder.complete() }
    #expect(try String(contentsOf: url, encoding: .utf8) == "somebody's")
  }

  // MARK: Dumping

  @Test func twoStoresOfEqualContentsHaveOneDump() throws {
    let stores = try (0..<2).map { _ in try TestStore(model(Self.city)) }
    for test in stores {
      try test.insert("City", ["name": .string("San\tMarino\n")])
      try test.insert("Town")
    }
    let dump = try stores[0].store.dump()
    #expect(try stores[1].store.dump() == dump)
    let lines = dump.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      lines.prefix(4) == ["ZCITY", "Z_PK\tZ_ENT\tZ_OPT\tZNAME", "1\t1\t1\t\"San\\tMarino\\n\"", "2\t2\t1\tNULL"])
    #expect(lines.contains("NSPersistenceFrameworkVersion\t1345"))
    #expect(!dump.contains(stores[0].store.identifier))
    try stores[1].insert("City")
    #expect(try stores[1].store.dump() != dump)
  }
}
