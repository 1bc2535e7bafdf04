import Diagnostics
import Foundation
import ObjectGraph
import ObjectModel
import SQLiteDriver
import TestSupport
import Testing
import Values

@testable import SQLiteStore

/// New stores: from a template, with either journal, with the model that a compiled one came with.
struct StoreTemplateTests {
  static let person = """
    <entity name="P"><attribute name="n" optional="YES" attributeType="String"/>
    <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
    <relationship name="followers" optional="YES" toMany="YES" destinationEntity="P" inverseName="following" inverseEntity="P"/>
    <relationship name="following" optional="YES" toMany="YES" destinationEntity="P" inverseName="followers" inverseEntity="P"/>
    </entity>
    """

  /// A store as an app left it: the other name of the join table, a number of its own, a cache, a table of the app, a log.
  private func template() throws -> TestStore {
    let test = try TestStore(Self.person)
    test.store.metadata["App"] = "its own"
    try test.store.save(StoreChanges())
    try test.outside(
      """
      DROP TABLE Z_1FOLLOWING;
      CREATE TABLE Z_7FOLLOWERS ( Z_7FOLLOWING INTEGER, Z_7FOLLOWERS INTEGER, PRIMARY KEY (Z_7FOLLOWING, Z_7FOLLOWERS) );
      UPDATE Z_PRIMARYKEY SET Z_ENT = 7;
      CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB); INSERT INTO Z_MODELCACHE VALUES (x'00');
      CREATE TABLE OWN (A); INSERT INTO OWN VALUES ('kept');
      """)
    return test
  }

  private func build(
    _ template: TestStore, append: Bool = false, journal: SQLiteStoreOptions.Journal = .delete
  ) throws -> URL {
    var options = SQLiteStoreOptions()
    (options.template, options.append, options.journal) = (template.url.path, append, journal)
    let url = template.folder.url.appendingPathComponent("new.sqlite")
    try StoreBuilder(at: url, model: template.store.model, options: options).complete()
    return url
  }

  private func dump(_ url: URL) throws -> String { try SQLitePersistentStore.dump(Connection(url.path, .readOnly)) }

  @Test func aNewStoreStartsFromTheTemplate() throws {
    let template = try template()
    let before = try Data(contentsOf: template.url)
    let url = try build(template)
    #expect(try dump(url) == dump(template.url))
    #expect(try Data(contentsOf: template.url) == before)
    let store = try SQLitePersistentStore.open(at: url, model: template.store.model)
    #expect(store.schema.joinTables.map(\.name) == ["Z_7FOLLOWERS"])
    #expect(store.warnings == [])
    #expect(store.metadata["App"] as? String == "its own")
  }

  @Test func whatStandsInTheTemplatesLogIsKept() throws {
    let template = try template()
    let writer = try Connection(template.url.path, .readWrite)
    try writer.setPragma("journal_mode", "WAL")
    try writer.execute("INSERT INTO OWN VALUES ('in the log')")
    let url = try build(template)
    #expect(try dump(url).contains("\"in the log\""))
    #expect(try Array(Data(contentsOf: url)[18...19]) == [1, 1])
    let names = try FileManager.default.contentsOfDirectory(atPath: template.folder.url.path)
    #expect(names.sorted() == ["new.sqlite", "s.sqlite", "s.sqlite-shm", "s.sqlite-wal"])
  }

  @Test func rowsOfTheTemplateAreKeptOnDemandAlone() throws {
    let test = try TestStore(Self.person)
    try test.insert("P", ["n": .string("Ada"), "photo": .data(ExternalFilesTests.large(1))])
    let error = try #require(throws: Diagnostic.self) { try build(test) }
    #expect(error.code.name == "store.template-rows" && error.code.fate == .store)
    #expect(error.message == "expected an empty store as the template, found rows in \(test.url.path): 1 of P")
    #expect(error.hint == "Say --append (`append: true`) to keep them in the new store.")
    let names = try FileManager.default.contentsOfDirectory(atPath: test.folder.url.path)
    #expect(names.sorted() == [".s_SUPPORT", "s.sqlite"])

    let url = try build(test, append: true)
    #expect(try dump(url) == dump(test.url))
    #expect(try ExternalFilesTests.files(ExternalFiles(store: url).folder) == [ExternalFilesTests.large(1)])
    #expect(try ExternalFilesTests.files(test.store.externalFiles.folder) == [ExternalFilesTests.large(1)])
  }

  @Test func aTemplateOfAnotherModelIsRefused() throws {
    let template = try template()
    var options = SQLiteStoreOptions()
    options.template = template.url.path
    let url = template.folder.url.appendingPathComponent("new.sqlite")
    let error = try #require(throws: Diagnostic.self) {
      try StoreBuilder(at: url, model: model("<entity name=\"P\"/>"), options: options)
    }
    #expect(error.message.hasPrefix("\(template.url.path) is of another version of the model; changed: P"))
    options.template = template.folder.path("none.sqlite")
    let missing = try #require(throws: Diagnostic.self) {
      try StoreBuilder(at: url, model: template.store.model, options: options)
    }
    #expect(missing.message == "there is no store \(template.folder.path("none.sqlite"))")
    #expect(try FileManager.default.contentsOfDirectory(atPath: template.folder.url.path) == ["s.sqlite"])
  }

  // MARK: Journal

  @Test(arguments: SQLiteStoreOptions.Journal.allCases, [false, true])
  func theFileIsCompleteByItself(_ journal: SQLiteStoreOptions.Journal, fromTemplate: Bool) throws {
    let test = try TestStore(Self.person)
    var options = SQLiteStoreOptions()
    options.journal = journal
    options.template = fromTemplate ? test.url.path : nil
    let url = test.folder.url.appendingPathComponent("new.sqlite")
    try StoreBuilder(at: url, model: test.store.model, options: options).complete()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: test.folder.url.path).sorted() == ["new.sqlite", "s.sqlite"])
    #expect(try Array(Data(contentsOf: url)[18...19]) == (journal == .wal ? [2, 2] : [1, 1]))
    #expect(try Connection(url.path, .readWrite).pragma("journal_mode") == journal.rawValue)
    let made = test.folder.url.appendingPathComponent("made.sqlite")
    options.template = nil
    let store = try SQLitePersistentStore.create(at: made, model: test.store.model, options: options)
    #expect(try store.connection.pragma("journal_mode") == journal.rawValue)
  }

  // MARK: The model cache

  @Test(.enabled(if: Shared.isThere, Shared.comment)) func theModelOfACompiledOneIsKept() throws {
    let mom = try Shared.url(
      "corpus/models/Sunic__DigitalOrder/build/Debug-iphonesimulator/Hotel.app/Hotel.mom")
    let model = try NSManagedObjectModel(contentsOf: mom)
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("s.sqlite")
    try StoreBuilder(at: url, model: model).complete()
    let cached = try NSManagedObjectModel(cachedIn: url)
    #expect(cached.entityVersionHashesByName == model.entityVersionHashesByName)
    #expect(cached.archive == model.archive && cached.archive != nil)
  }
}
