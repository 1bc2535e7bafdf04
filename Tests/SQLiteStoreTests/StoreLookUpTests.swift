import Foundation
import ObjectGraph
import ObjectModel
import SQLiteDriver
import TestSupport
import Testing
import Values

@testable import SQLiteStore

struct StoreLookUpTests {
  /// The same keys with an index and without.
  static let paths = [
    "",
    "<fetchIndex name=\"byKey\"><fetchIndexElement property=\"KEY\" type=\"Binary\" order=\"ascending\"/></fetchIndex>",
  ]

  static func item(_ type: String, _ index: String) throws -> TestStore {
    try TestStore(
      """
      <entity name="Item">
        <attribute name="k" optional="YES" attributeType="\(type)"/><attribute name="n" optional="YES" attributeType="Integer 32"/>
        \(index.replacingOccurrences(of: "KEY", with: "k"))
      </entity>
      <entity name="Special" parentEntity="Item"/>
      """)
  }

  static let keys: [(type: String, keys: [Value])] = [
    ("String", [.string("a"), .string("A"), .string("a "), .string("1"), .string("")]),
    ("Integer 64", [.integer(1), .integer(-1), .integer(.max)]),
    ("Date", [.date(Date(timeIntervalSinceReferenceDate: 5)), .date(Date(timeIntervalSinceReferenceDate: 5.5))]),
    ("Decimal", [.decimal(Decimal(string: "0.1")!), .decimal(3), .decimal(Decimal(string: "3.25")!)]),
    ("Double", [.real(0), .real(0.1)]),
    ("Boolean", [.boolean(true), .boolean(false)]),
    ("UUID", [.uuid(StoreSavingTests.uuid)]),
    ("URI", [.url(URL(string: "https://a.example/")!)]),
    ("Binary", [.data(Data([1, 2])), .data(Data())]),
  ]

  @Test(arguments: paths, keys.indices) func everyTypeIsFound(index: String, _ number: Int) throws {
    let (type, keys) = Self.keys[number]
    let test = try Self.item(type, index)
    let ids = try keys.map { try test.insert("Item", ["k": $0]) }
    try test.insert("Item")
    #expect(try test.lookUp("Item", ["k"], keys.reversed().map { [$0] }) == ids.reversed().map { "Item/\($0.key)" })
    #expect(try test.lookUp("Item", ["k"], [[.null]]) == ["none"])
    #expect(try test.lookUp("Item", ["k"], []).isEmpty)
    // By a map that is there already, too.
    let more = try test.insert("Special", ["k": keys[0]])
    #expect(try test.lookUp("Item", ["k"], [[keys[0]]]) == ["\(ids[0].key)&\(more.key)"])
    #expect(try test.lookUp("Special", ["k"], [[keys[0]]]) == ["Special/\(more.key)"])
  }

  @Test(arguments: paths) func textsAreComparedInFormC(index: String) throws {
    let test = try Self.item("String", index)
    let (composed, decomposed, angstrom) = ("caff\u{E8}", "caffe\u{300}", "\u{212B}")
    try test.insert("Item", ["k": .string(decomposed)])
    try test.insert("Item", ["k": .string(angstrom)])
    try test.insert("Item", ["k": .string("caffe")])
    let keys = [composed, decomposed, "\u{C5}", "A\u{30A}", "caffe", "caf"].map { [Value.string($0)] }
    #expect(try test.lookUp("Item", ["k"], keys) == ["Item/1", "Item/1", "Item/2", "Item/2", "Item/3", "none"])
    // The text itself is kept as it came.
    #expect(try test.rows("SELECT length(CAST(ZK AS BLOB)) FROM ZITEM WHERE Z_PK = 1") == ["7"])
    try test.update(try test.id("Item", 1), ["k": .string(composed)])
    #expect(try test.lookUp("Item", ["k"], keys)[...1] == ["Item/1", "Item/1"])
    try test.update(try test.id("Item", 1), version: 2, ["k": .string("other")])
    #expect(try test.lookUp("Item", ["k"], keys)[...1] == ["none", "none"])
  }

  @Test(arguments: paths) func answersFollowEverySave(index: String) throws {
    let test = try Self.item("String", index)
    func found(_ keys: String...) throws -> [String] {
      try test.lookUp("Item", ["k"], keys.map { [.string($0)] })
    }
    #expect(try found("a") == ["none"])
    let a = try test.insert("Item", ["k": .string("a")])
    #expect(try found("a") == ["Item/1"])
    try test.update(a, ["k": .string("b")])
    #expect(try found("a", "b") == ["none", "Item/1"])
    try test.update(a, version: 2, ["n": .integer(3)])
    #expect(try found("b") == ["Item/1"])
    // A save that is rolled back leaves no trace.
    var changes = StoreChanges()
    changes.inserted = [try test.row("Item", ["k": .string("c")])]
    changes.deleted = [(a, 77)]
    #expect(throws: SaveError.self) { try test.store.save(changes) }
    #expect(try found("b", "c") == ["Item/1", "none"])
    // Another program's changes are seen.
    try test.outside("UPDATE ZITEM SET ZK = 'd'; INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZK) VALUES (9, 2, 1, 'd')")
    #expect(try found("b", "d") == ["none", "1&9"])
    try test.delete(a, version: 3)
    #expect(try found("d") == ["Special/9"])
    try test.reopen()
    #expect(try test.rows("SELECT name FROM sqlite_master WHERE name LIKE 'gantry%'") == [])
  }

  @Test func aKeyMayHaveSeveralAttributes() throws {
    let test = try TestStore(
      """
      <entity name="City">
        <attribute name="name" optional="YES" attributeType="String"/><attribute name="country" optional="YES" attributeType="String"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="name"/><constraint value="country"/></uniquenessConstraint>
        </uniquenessConstraints>
      </entity>
      """)
    for (name, country) in [("Roma", "IT"), ("Roma", "US"), ("Paris", "FR")] {
      try test.insert("City", ["name": .string(name), "country": .string(country)])
    }
    let keys: [[Value]] = [
      [.string("US"), .string("Roma")], [.string("FR"), .string("Roma")], [.null, .string("Roma")],
      [.string("IT"), .string("Roma")],
    ]
    #expect(try test.lookUp("City", ["country", "name"], keys) == ["City/2", "none", "none", "City/1"])
    #expect(try test.lookUp("City", ["name"], [[.string("Roma")], [.string("Paris")]]) == ["1&2", "City/3"])
  }

  @Test(arguments: paths) func aLookUpIsOneStatementThatSeeks(index: String) throws {
    let test = try Self.item("String", index)
    for number in 0..<10 { try test.insert("Item", ["k": .string("\(number)")]) }
    let keys = (0..<1000).map { [Value.string("\($0)")] }
    _ = try test.lookUp("Item", ["k"], keys)
    let counter = StatementCounter()
    test.store.connection.counter = counter
    #expect(try test.lookUp("Item", ["k"], keys).filter { $0 != "none" }.count == 10)
    #expect(counter.executed == ["SELECT": 1, "PRAGMA": 1])

    let entity = try test.entity("Item")
    let place = try #require(entity.layout.attributeIndex["k"])
    let join =
      test.store.keyMaps.maps.values.first?.join
      ?? test.store.tableJoin(KeyLookupRequest(entity: entity, places: [place], keys: []))
    let plan = try test.rows("EXPLAIN QUERY PLAN SELECT b.rowid FROM gantry_batch_1 AS b CROSS JOIN \(join)")
    #expect(plan.count == 2)
    #expect(
      plan.last?.contains(
        index.isEmpty ? "SEARCH m USING COVERING INDEX gantry_keys_1_index" : "SEARCH t USING INDEX Z_Item_") == true,
      "\(plan)")
  }
}
