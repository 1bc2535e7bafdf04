import Diagnostics
import Foundation
import ObjectGraph
import ObjectModel
import SQLiteDriver
import TestSupport
import Testing
import Values

@testable import SQLiteStore

struct StoreSavingTests {
  static let thing = """
    <entity name="Thing">
      <attribute name="bin" optional="YES" attributeType="Binary"/>
      <attribute name="ext" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
      <attribute name="flag" optional="YES" attributeType="Boolean"/>
      <attribute name="int" optional="YES" attributeType="Integer 64"/>
      <attribute name="money" optional="YES" attributeType="Decimal"/>
      <attribute name="ratio" optional="YES" attributeType="Double"/>
      <attribute name="small" optional="YES" attributeType="Float"/>
      <attribute name="text" optional="YES" attributeType="String"/>
      <attribute name="trans" optional="YES" attributeType="Transformable"/>
      <attribute name="uid" optional="YES" attributeType="UUID"/>
      <attribute name="uri" optional="YES" attributeType="URI"/>
      <attribute name="when" optional="YES" attributeType="Date"/>
    </entity>
    """

  /// The objects of the conflict that a save ends in.
  func conflicts(_ save: () throws -> Void) throws -> [NSManagedObjectID] {
    let error = try #require(throws: SaveError.self) { try save() }
    guard case .conflict(let conflicts) = error else { throw error }
    return conflicts.map(\.objectID)
  }

  static let uuid = UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!
  static let values: [(attribute: String, value: Value, stored: String)] = [
    ("bin", .data(Data([0, 255])), "blob x0.ff"),
    ("bin", .data(Data()), "blob x"),
    ("ext", .data(Data([0, 255])), "blob x1.0.ff"),
    ("ext", .data(Data(count: 100_000)), "blob length 100001"),
    ("ext", .data(Data(count: 100_001)), "blob length 38"),
    ("flag", .boolean(true), "integer 1"),
    ("flag", .boolean(false), "integer 0"),
    ("int", .integer(.min), "integer -9223372036854775808"),
    ("int", .integer(.max), "integer 9223372036854775807"),
    ("money", .decimal(Decimal(string: "12.50")!), "real 12.5"),
    ("money", .decimal(Decimal(string: "0.1")!), "real 0.1"),
    ("money", .decimal(12), "integer 12"),
    ("ratio", .real(5), "real 5.0"),
    ("ratio", .real(.infinity), "real inf"),
    ("small", .real(0.5), "real 0.5"),
    ("text", .string("caffè"), "text caffè"),
    ("text", .string(""), "text "),
    ("text", .string("a\0b"), "text a\0b"),
    ("trans", .data(Data([1])), "blob x1"),
    ("uid", .uuid(uuid), "blob x0.11.22.33.44.55.66.77.88.99.aa.bb.cc.dd.ee.ff"),
    ("uri", .url(URL(string: "https://a.example/b?c=d")!), "text https://a.example/b?c=d"),
    ("when", .date(Date(timeIntervalSinceReferenceDate: 0.25)), "real 0.25"),
    ("when", .date(Date(timeIntervalSinceReferenceDate: -86400)), "integer -86400"),
    ("text", .null, "null NULL"),
  ]

  @Test func valuesAreStoredAndReadBack() throws {
    let test = try TestStore(Self.thing)
    for (attribute, value, stored) in Self.values {
      let id = try test.insert("Thing", [attribute: value])
      let column = "Z\(attribute.uppercased())"
      let found = try test.rows("SELECT typeof(\(column)), \(column) FROM ZTHING WHERE Z_PK = \(id.key)")
      if stored.hasPrefix("blob length") {
        #expect(
          try test.rows("SELECT length(\(column)) FROM ZTHING WHERE Z_PK = \(id.key)") == [String(stored.dropFirst(12))]
        )
      } else {
        #expect(found == [stored])
      }
      let row = try #require(try test.store.rows(for: [id])[0])
      #expect(row.version == 1)
      #expect(row.attributes == id.entity.layout.attributes.map { $0.path == attribute ? value : .null })
    }
    try test.expectSound()
  }

  @Test func anUpdateChangesItsColumnsAlone() throws {
    let test = try TestStore(Self.thing)
    let id = try test.insert("Thing", ["int": .integer(1), "text": .string("a")])
    try test.update(id, ["int": .integer(2)])
    #expect(try test.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZINT, ZTEXT FROM ZTHING") == ["1 1 2 2 a"])
    // What a context did not change may have been changed by another.
    try test.outside("UPDATE ZTHING SET ZTEXT = 'b'")
    try test.update(id, version: 2, ["int": .null])
    #expect(try test.rows("SELECT Z_OPT, ZINT, ZTEXT FROM ZTHING") == ["3 NULL b"])
  }

  @Test func whatSomebodyElseChangedIsAConflict() throws {
    let test = try TestStore(Self.thing)
    let id = try test.insert("Thing", ["int": .integer(1)])
    let other = try test.insert("Thing")
    try test.outside("UPDATE ZTHING SET Z_OPT = 2 WHERE Z_PK = 1")
    for attempt in [{ try test.update(id, ["int": .integer(5)]) }, { try test.delete(id) }] {
      #expect(try conflicts(attempt) == [id])
    }
    // Nothing of a save is kept when a part of it is refused.
    var changes = StoreChanges()
    changes.inserted = [try test.row("Thing")]
    changes.deleted = [(other, 1), (id, 1)]
    #expect(throws: SaveError.self) { try test.store.save(changes) }
    #expect(try test.rows("SELECT Z_PK, Z_OPT, ZINT FROM ZTHING") == ["1 2 1", "2 1 NULL"])
    #expect(try test.rows("SELECT Z_MAX FROM Z_PRIMARYKEY") == ["2"])
    try test.expectSound()
  }

  @Test func keysGoOnWhereTheStoreStopped() throws {
    let test = try TestStore(Self.thing)
    try test.insert("Thing")
    let root = try test.entity("Thing")
    #expect(try test.store.reserveKeys(10, for: root) == 2)
    #expect(try test.store.reserveKeys(1, for: root) == 12)
    #expect(try test.rows("SELECT Z_MAX FROM Z_PRIMARYKEY") == ["1"])
    // Another program raised it; then one that does not keep it left it behind its rows.
    try test.outside("UPDATE Z_PRIMARYKEY SET Z_MAX = 100")
    #expect(try test.insert("Thing").key == 101)
    try test.outside("INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT) VALUES (200, 1, 1)")
    try test.reopen()
    #expect(try test.insert("Thing").key == 201)
    #expect(try test.rows("SELECT Z_MAX FROM Z_PRIMARYKEY") == ["201"])
    try test.expectSound()
  }

  @Test func aKeyThatWasTakenMeanwhileIsAConflict() throws {
    let test = try TestStore(Self.thing)
    var changes = StoreChanges()
    changes.inserted = [try test.row("Thing")]
    try test.outside("INSERT INTO ZTHING (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1)")
    #expect(try conflicts { try test.store.save(changes) }.map(\.key) == [1])
  }

  @Test func aBrokenConstraintNamesTheRowAndTheProperties() throws {
    let test = try TestStore(
      """
      <entity name="Base">
        <attribute name="a" optional="YES" attributeType="String"/><attribute name="b" optional="YES" attributeType="String"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="a"/><constraint value="b"/></uniquenessConstraint>
        </uniquenessConstraints>
      </entity>
      <entity name="Sub" parentEntity="Base"/>
      """)
    try test.insert("Base", ["a": .string("x"), "b": .string("y")])
    // Not with a null: SQLite's rule, and Core Data's.
    try test.insert("Sub", ["a": .string("x")])
    try test.insert("Sub", ["a": .string("x")])
    var changes = StoreChanges()
    changes.inserted = [try test.row("Sub"), try test.row("Sub", ["a": .string("x"), "b": .string("y")])]
    let error = try #require(throws: SaveError.self) { try test.store.save(changes) }
    guard case .duplicate(let duplicates) = error else { throw error }
    #expect(duplicates.map(\.objectID) == [changes.inserted[1].objectID])
    #expect(duplicates.map(\.constraint) == [["a", "b"]])
    #expect(try test.rows("SELECT COUNT(*) FROM ZBASE") == ["3"])
    // A value that a deletion sets free can be taken in the same save.
    changes.deleted = [(try test.id("Base", 1), 1)]
    try test.store.save(changes)
    #expect(try test.rows("SELECT Z_PK, Z_ENT FROM ZBASE ORDER BY 1") == ["2 2", "3 2", "4 2", "5 2"])
    try test.expectSound()
  }

  @Test func metadataAreWrittenWhenChangedAndWithTheSave() throws {
    let test = try TestStore(Self.thing)
    let id = try test.insert("Thing")
    test.store.metadata["progress"] = ["record": 7]
    try test.store.save(StoreChanges())
    try test.reopen()
    #expect(test.store.metadata["progress"] as? [String: Int] == ["record": 7])
    test.store.metadata["progress"] = ["record": 8]
    #expect(throws: SaveError.self) { try test.update(id, version: 9, ["int": .integer(1)]) }
    try test.reopen()
    #expect(test.store.metadata["progress"] as? [String: Int] == ["record": 7])

    test.store.metadata["when"] = Set([1])
    let error = try #require(throws: Diagnostic.self) { try test.store.save(StoreChanges()) }
    #expect(error.message == "the metadata cannot be written: no property list is in when")
  }

  @Test func aStoreForReadingTakesNoSave() throws {
    let test = try TestStore(Self.thing)
    let id = try test.insert("Thing")
    try test.reopen(readOnly: true)
    #expect(try test.store.rows(for: [id])[0] != nil)
    #expect(throws: Diagnostic.self) { try test.update(id, ["int": .integer(1)]) }
  }

  @Test func aSaveIsOneTransactionOfOneStatementARow() throws {
    let test = try TestStore(Self.thing)
    let counter = StatementCounter()
    func save(_ changes: StoreChanges) throws -> [String: Int] {
      counter.reset()
      try test.store.save(changes)
      #expect(counter.commits == 1)
      return counter.executed
    }
    let root = try test.entity("Thing")
    var changes = StoreChanges()
    let first = try test.store.reserveKeys(1000, for: root)
    changes.inserted = (0..<1000).map { offset in
      StoredRow(
        objectID: NSManagedObjectID(entity: root, store: test.store, key: first + Int64(offset), isTemporary: false),
        version: 1, attributes: root.layout.attributes.map { _ in .null }, toOne: [])
    }
    test.store.connection.counter = counter
    #expect(try save(changes) == ["BEGIN": 1, "INSERT": 1000, "UPDATE": 1, "COMMIT": 1])
    #expect(counter.prepared <= 4)

    changes.inserted = []
    let place = try #require(root.layout.attributeIndex["int"])
    changes.updated = (0..<1000).map { offset in
      .init(
        objectID: NSManagedObjectID(entity: root, store: test.store, key: first + Int64(offset), isTemporary: false),
        version: 1, attributes: [(place, .integer(Int64(offset)))], toOne: [])
    }
    #expect(try save(changes) == ["BEGIN": 1, "UPDATE": 1000, "COMMIT": 1])
    #expect(counter.prepared == 1)

    counter.reset()
    let ids = changes.updated.map(\.objectID)
    #expect(try test.store.rows(for: ids).count == 1000)
    #expect(counter.executed == ["SELECT": 1])
  }
}
