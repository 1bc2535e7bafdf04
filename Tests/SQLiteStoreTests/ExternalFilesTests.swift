import Diagnostics
import Foundation
import ObjectGraph
import ObjectModel
import TestSupport
import Testing
import Values

@testable import SQLiteStore

/// Large values of attributes with external storage: a file for each, there exactly as long as a row names it.
struct ExternalFilesTests {
  static let photo = """
    <entity name="Photo">
      <attribute name="data" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
      <attribute name="name" optional="YES" attributeType="String"/>
    </entity>
    """

  /// The files of a store in order of their first bytes.
  static func files(_ folder: URL) throws -> [Data] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return try names.map { try Data(contentsOf: folder.appendingPathComponent($0)) }
      .sorted { ($0.first ?? 0) < ($1.first ?? 0) }
  }

  static func large(_ byte: UInt8) -> Data { Data(repeating: byte, count: 100_001) }

  private func read(_ test: TestStore, _ id: NSManagedObjectID) throws -> Value? {
    try test.store.rows(for: [id])[0]?.attributes[0]
  }

  @Test(arguments: [0, 1, 99_999, 100_000]) func upTo100000BytesStandInTheRow(_ count: Int) throws {
    let test = try TestStore(Self.photo)
    let id = try test.insert("Photo", ["data": .data(Data(count: count))])
    #expect(try test.rows("SELECT length(ZDATA), hex(substr(ZDATA, 1, 1)) FROM ZPHOTO") == ["\(count + 1) 01"])
    #expect(try read(test, id) == .data(Data(count: count)))
    #expect(try FileManager.default.contentsOfDirectory(atPath: test.folder.url.path) == ["s.sqlite"])
  }

  @Test func aLargerOneStandsInAFile() throws {
    let test = try TestStore(Self.photo)
    let id = try test.insert("Photo", ["data": .data(Self.large(7))])
    let folder = test.folder.url.appendingPathComponent(".s_SUPPORT/_EXTERNAL_DATA")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder.path).first)
    #expect(name.count == 36 && name == UUID(uuidString: name)?.uuidString)
    let form = "02" + name.utf8.map { String($0, radix: 16, uppercase: true) }.joined() + "00"
    #expect(try test.rows("SELECT hex(ZDATA) FROM ZPHOTO") == [form])
    #expect(try Self.files(folder) == [Self.large(7)])
    #expect(try read(test, id) == .data(Self.large(7)))
    try test.reopen(readOnly: true)
    #expect(try read(test, test.id("Photo", 1)) == .data(Self.large(7)))
  }

  @Test func aFileGoesWithTheValue() throws {
    let test = try TestStore(Self.photo)
    let files = { try Self.files(test.store.externalFiles.folder) }
    let (first, second) = (
      try test.insert("Photo", ["data": .data(Self.large(1))]), try test.insert("Photo", ["data": .data(Self.large(2))])
    )
    try test.update(first, ["name": .string("kept")])
    #expect(try files() == [Self.large(1), Self.large(2)])
    try test.update(first, version: 2, ["data": .data(Self.large(3))])
    #expect(try files() == [Self.large(2), Self.large(3)])
    try test.update(first, version: 3, ["data": .data(Data([4]))])
    #expect(try files() == [Self.large(2)])
    try test.delete(second)
    #expect(try files() == [])
    try test.expectSound()
  }

  /// A save that fails leaves the files as they were: those of its own are gone, those that it would have removed are there.
  @Test func aFileOfASaveThatFailsIsRemoved() throws {
    let test = try TestStore(Self.photo)
    let id = try test.insert("Photo", ["data": .data(Self.large(1))])
    let attempts: [() throws -> Void] = [
      { try test.update(id, version: 9, ["data": .data(Self.large(2))]) }, { try test.delete(id, version: 9) },
      {
        var changes = StoreChanges()
        changes.deleted = [(id, 1)]
        changes.inserted = [try test.row("Photo", ["data": .data(Self.large(3))])]
        changes.updated = [.init(objectID: id, version: 1, attributes: [(0, .null)], toOne: [])]
        try test.store.save(changes)
      },
    ]
    for attempt in attempts {
      #expect(throws: SaveError.self) { try attempt() }
      #expect(try Self.files(test.store.externalFiles.folder) == [Self.large(1)])
      #expect(try read(test, id) == .data(Self.large(1)))
    }
  }

  /// A file that cannot be made ends the save as trouble of the machine, with rows and with batches.
  @Test func aFileThatCannotBeMade() throws {
    let test = try TestStore(Self.photo)
    try test.folder.write("in the way", to: ".s_SUPPORT")
    for attempt in [
      { _ = try test.insert("Photo", ["data": .data(Self.large(1))]) },
      { try self.insert([.data(Self.large(1))], into: test) },
    ] {
      let error = try #require(throws: Diagnostic.self) { try attempt() }
      #expect(error.code.fate == .environment, "\(error)")
    }
    #expect(try test.rows("SELECT COUNT(*) FROM ZPHOTO") == ["0"])
  }

  // MARK: Batches

  private func insert(_ values: [Value], into test: TestStore) throws {
    let entity = try test.entity("Photo")
    var chunk: AttributeColumns? = AttributeColumns(entity: entity, places: [0], capacity: values.count)
    for (record, value) in values.enumerated() {
      chunk?.append(value, column: 0)
      chunk?.endRow(record: record)
    }
    _ = try test.store.insert {
      defer { chunk = nil }
      return chunk
    }
  }

  @Test func rowsOfBatchesHaveFilesToo() throws {
    let test = try TestStore(Self.photo)
    try insert([.data(Self.large(1)), .null, .data(Data([5])), .data(Self.large(2))], into: test)
    #expect(try Self.files(test.store.externalFiles.folder) == [Self.large(1), Self.large(2)])
    let ids = try (1...4).map { try test.id("Photo", $0) }
    #expect(
      try test.store.rows(for: ids).map { $0?.attributes[0] }
        == [.data(Self.large(1)), .null, .data(Data([5])), .data(Self.large(2))])
    // One value for several rows stands in each of them.
    let update = BatchUpdate(
      entity: try test.entity("Photo"), includesSubentities: true, objectIDs: Array(ids[1...]),
      values: [(0, .data(Self.large(9)))])
    #expect(try test.store.update(update) == 3)
    #expect(try Self.files(test.store.externalFiles.folder) == [Self.large(1)])
    #expect(try test.rows("SELECT length(ZDATA) FROM ZPHOTO") == ["38", "100002", "100002", "100002"])
    #expect(try read(test, ids[3]) == .data(Self.large(9)))
  }

  // MARK: Building

  private func build(_ url: URL, _ model: NSManagedObjectModel, _ value: Data) throws -> StoreBuilder {
    let builder = try StoreBuilder(at: url, model: model)
    let entity = try #require(model.entitiesByName["Photo"])
    let key = try builder.store.reserveKeys(1, for: entity)
    var changes = StoreChanges()
    changes.inserted = [
      StoredRow(
        objectID: NSManagedObjectID(entity: entity, store: builder.store, key: key, isTemporary: false), version: 1,
        attributes: [.data(value), .null], toOne: [])
    ]
    try builder.store.save(changes)
    return builder
  }

  @Test func theFolderMovesWithANewStore() throws {
    let folder = try TemporaryFolder()
    let model = try model(Self.photo)
    let url = folder.url.appendingPathComponent("new.sqlite")
    let names = { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }

    do { _ = try build(url, model, Self.large(1)) }
    #expect(try names() == [], "abandoned")

    try build(url, model, Self.large(2)).complete()
    #expect(try names() == [".new_SUPPORT", "new.sqlite"])
    #expect(try Self.files(ExternalFiles(store: url).folder) == [Self.large(2)])

    // What a store that is gone has left stays; what a killed run left of its own goes.
    try FileManager.default.removeItem(at: url)
    try folder.write("left behind", to: "..new.sqlite_SUPPORT/_EXTERNAL_DATA/x")
    let builder = try build(url, model, Self.large(3))
    #expect(try names() == [".new.sqlite.importing", "..new.sqlite_SUPPORT", ".new_SUPPORT"].sorted())
    try builder.complete()
    #expect(try names() == [".new_SUPPORT", "new.sqlite"])
    #expect(try Self.files(ExternalFiles(store: url).folder) == [Self.large(2), Self.large(3)])
    let store = try SQLitePersistentStore.open(at: url, model: model, readOnly: true)
    let id = NSManagedObjectID(
      entity: try #require(model.entitiesByName["Photo"]), store: store, key: 1, isTemporary: false)
    #expect(try store.rows(for: [id])[0]?.attributes[0] == .data(Self.large(3)))
    #expect(try builder.store.rows(for: [id])[0]?.attributes[0] == .data(Self.large(3)))
  }
}
