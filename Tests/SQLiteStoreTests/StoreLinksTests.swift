import ObjectGraph
import ObjectModel
import TestSupport
import Testing
import Values

@testable import SQLiteStore

struct StoreLinksTests {
  static let zoo = """
    <entity name="Animal">
      <attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="cage" optional="YES" maxCount="1" destinationEntity="Cage" inverseName="animals" inverseEntity="Cage"/>
      <relationship name="friends" optional="YES" toMany="YES" destinationEntity="Animal" inverseName="friends" inverseEntity="Animal"/>
      <relationship name="keeper" optional="YES" maxCount="1" destinationEntity="Person" inverseName="animals" inverseEntity="Person"/>
    </entity>
    <entity name="Bear" parentEntity="Animal"/>
    <entity name="Cage">
      <relationship name="animals" optional="YES" toMany="YES" ordered="YES" destinationEntity="Animal" inverseName="cage" inverseEntity="Animal"/>
      <relationship name="signs" optional="YES" toMany="YES" destinationEntity="Sign"/>
      <relationship name="guards" optional="YES" toMany="YES" ordered="YES" destinationEntity="Person" inverseName="cages" inverseEntity="Person"/>
      <relationship name="occupant" optional="YES" maxCount="1" destinationEntity="Animal"/>
    </entity>
    <entity name="Person">
      <relationship name="animals" optional="YES" toMany="YES" destinationEntity="Animal" inverseName="keeper" inverseEntity="Animal"/>
      <relationship name="cages" optional="YES" toMany="YES" ordered="YES" destinationEntity="Cage" inverseName="guards" inverseEntity="Cage"/>
      <relationship name="notes" optional="YES" toMany="YES" ordered="YES" destinationEntity="Sign"/>
    </entity>
    <entity name="Sign"/>
    """

  @Test func aReferenceTellsTheEntityOfItsRow() throws {
    let test = try TestStore(Self.zoo)
    let bear = try test.insert("Bear")
    let cage = try test.insert("Cage", [:], ["occupant": bear])
    #expect(try test.rows("SELECT ZOCCUPANT, Z1_OCCUPANT FROM ZCAGE") == ["1 2"])
    let row = try #require(try test.store.rows(for: [cage])[0])
    #expect(row.toOne == [bear])
    #expect(row.toOne[0]?.entity.name == "Bear")
    try test.expectSound()
    try test.update(cage, cleared: ["occupant"])
    #expect(try test.rows("SELECT ZOCCUPANT, Z1_OCCUPANT FROM ZCAGE") == ["NULL NULL"])
  }

  @Test func rowsComeAsTheyWereAskedFor() throws {
    let test = try TestStore(Self.zoo)
    let animals = try ["Animal", "Bear", "Animal"].map { try test.insert($0, ["name": .string($0)]) }
    // An ID of the superentity finds the row of a subentity, and tells so.
    let asked = [animals[2], try test.id("Animal", 2), try test.id("Animal", 99), animals[0], animals[0]]
    let rows = try test.store.rows(for: asked)
    #expect(rows.map { $0?.objectID.key } == [3, 2, nil, 1, 1])
    #expect(rows.map { $0?.objectID.entity.name } == ["Animal", "Bear", nil, "Animal", "Animal"])
    #expect(try test.store.rows(for: []).isEmpty)
    let all = try test.store.objectIDs(of: test.entity("Animal"), includingSubentities: true)
    #expect(all.map(\.key) == [1, 2, 3])
    #expect(try test.store.objectIDs(of: test.entity("Animal"), includingSubentities: false).map(\.key) == [1, 3])
    #expect(try test.store.objectIDs(of: test.entity("Bear"), includingSubentities: true).map(\.key) == [2])
  }

  @Test func aListKeepsItsOrder() throws {
    let test = try TestStore(Self.zoo)
    let cage = try test.insert("Cage")
    let other = try test.insert("Cage")
    let animals = try (0..<4).map { _ in try test.insert("Animal", [:], ["cage": cage]) }
    func keys() throws -> [Int64] {
      try test.store.destinations(of: test.relationship("animals", of: "Cage"), for: [cage])[0].map(\.key)
    }
    func places() throws -> [String] { try test.rows("SELECT Z_FOK_CAGE FROM ZANIMAL ORDER BY Z_PK") }

    try test.link(cage, "animals", add: [animals[1], animals[0]])
    #expect(try places() == ["3072", "2048", "NULL", "NULL"])
    try test.link(cage, "animals", add: [animals[3], animals[2]])
    #expect(try keys() == [2, 1, 4, 3])
    try test.link(cage, "animals", order: [animals[0], animals[1], animals[2], animals[3]])
    #expect(try keys() == [1, 2, 3, 4])

    // Moving to another owner gives up the place; an update that names the same owner keeps it.
    let kept = try places()
    try test.update(animals[3], [:], ["cage": cage])
    #expect(try places() == kept)
    try test.update(animals[1], [:], ["cage": other])
    #expect(try test.rows("SELECT ZCAGE, Z_FOK_CAGE FROM ZANIMAL WHERE Z_PK = 2") == ["2 NULL"])
    try test.link(other, "animals", add: [animals[1]])
    #expect(try test.rows("SELECT ZCAGE, Z_FOK_CAGE FROM ZANIMAL WHERE Z_PK = 2") == ["2 2048"])
    #expect(try keys() == [1, 3, 4])
    try test.expectSound()
  }

  @Test func destinationsComePerSource() throws {
    let test = try TestStore(Self.zoo)
    let people = try (0..<3).map { _ in try test.insert("Person") }
    let bear = try test.insert("Bear", [:], ["keeper": people[2]])
    let animal = try test.insert("Animal", [:], ["keeper": people[0]])
    let second = try test.insert("Animal", [:], ["keeper": people[2]])
    let found = try test.store.destinations(
      of: test.relationship("animals", of: "Person"), for: [people[2], people[1], people[0]])
    #expect(found == [[bear, second], [], [animal]])
    #expect(found[0].map(\.entity.name) == ["Bear", "Animal"])
  }

  @Test func linksWithoutAnInverseStandInTheDestination() throws {
    let test = try TestStore(Self.zoo)
    let (cage, person) = (try test.insert("Cage"), try test.insert("Person"))
    let signs = try (0..<3).map { _ in try test.insert("Sign") }
    try test.link(cage, "signs", add: [signs[0], signs[2]])
    try test.link(person, "notes", add: [signs[2], signs[1]])
    #expect(
      try test.rows("SELECT Z3SIGNS, Z4NOTES, Z_FOK_4NOTES FROM ZSIGN")
        == ["1 NULL NULL", "NULL 1 3072", "1 1 2048"])
    #expect(
      try test.store.destinations(of: test.relationship("signs", of: "Cage"), for: [cage]) == [[signs[0], signs[2]]])
    #expect(
      try test.store.destinations(of: test.relationship("notes", of: "Person"), for: [person]) == [
        [signs[2], signs[1]]
      ])
    try test.link(person, "notes", remove: [signs[2]])
    try test.link(cage, "signs", remove: [signs[1], signs[2]])
    #expect(
      try test.rows("SELECT Z3SIGNS, Z4NOTES, Z_FOK_4NOTES FROM ZSIGN")
        == ["1 NULL NULL", "NULL 1 3072", "NULL NULL NULL"])
  }

  @Test func bothEndsOfManyToManyHaveTheirOrder() throws {
    let test = try TestStore(Self.zoo)
    let cages = try (0..<2).map { _ in try test.insert("Cage") }
    let people = try (0..<2).map { _ in try test.insert("Person") }
    let (guards, cagesOf) = (try test.relationship("guards", of: "Cage"), try test.relationship("cages", of: "Person"))
    try test.link(cages[0], "guards", add: [people[1], people[0]])
    try test.link(people[0], "cages", add: [cages[1], cages[0]], order: [cages[1], cages[0]])
    // The same again changes nothing.
    try test.link(cages[0], "guards", add: [people[1], people[0]])
    #expect(try test.store.destinations(of: guards, for: cages) == [[people[1], people[0]], [people[0]]])
    #expect(try test.store.destinations(of: cagesOf, for: people) == [[cages[1], cages[0]], [cages[0]]])
    try test.link(people[0], "cages", remove: [cages[0]], order: [cages[1]])
    #expect(try test.store.destinations(of: guards, for: cages) == [[people[1]], [people[0]]])
    try test.expectSound()
  }

  @Test func aLinkThatIsItsOwnInverseLeadsBothWays() throws {
    let test = try TestStore(Self.zoo)
    let animals = try (0..<3).map { _ in try test.insert("Animal") }
    let friends = try test.relationship("friends", of: "Animal")
    try test.link(animals[0], "friends", add: [animals[1], animals[0]])
    #expect(try test.store.destinations(of: friends, for: animals) == [[animals[0], animals[1]], [animals[0]], []])
    try test.link(animals[1], "friends", remove: [animals[0]])
    #expect(try test.store.destinations(of: friends, for: animals) == [[animals[0]], [], []])
  }

  @Test func brokenReferencesAreFound() throws {
    let test = try TestStore(Self.zoo)
    let cage = try test.insert("Cage")
    try test.insert("Animal", [:], ["cage": cage])
    try test.link(cage, "guards", add: [try test.insert("Person")])
    try test.link(cage, "signs", add: [try test.insert("Sign")])
    try test.insert("Cage", [:], ["occupant": try test.insert("Bear")])
    try test.expectSound()
    try test.outside(
      """
      DELETE FROM ZCAGE WHERE Z_PK = 1; DELETE FROM ZPERSON; UPDATE ZANIMAL SET Z_ENT = 9 WHERE Z_PK = 1;
      UPDATE ZCAGE SET Z1_OCCUPANT = 1, Z_OPT = 0; UPDATE Z_PRIMARYKEY SET Z_MAX = 1;
      """)
    #expect(
      try test.store.brokenInvariants() == [
        "keys of ZANIMAL beyond Z_MAX: 1 (2)", "rows of ZANIMAL of no entity: 1 (1)",
        "Z_MAX of subentities of Animal: 1 (2)", "keys of ZCAGE beyond Z_MAX: 1 (2)",
        "rows of ZCAGE of no version: 1 (2)",
        "references ZANIMAL.ZCAGE to no row: 1 (1)",
        "references ZCAGE.ZOCCUPANT of another entity than their row's: 1 (2)",
        "references ZSIGN.Z3SIGNS to no row: 1 (1)",
        "links of Z_3GUARDS.Z_3CAGES to no row: 1 (1)", "links of Z_3GUARDS.Z_4GUARDS to no row: 1 (1)",
      ])
  }

  @Test func triggersOfDerivedAttributesCount() throws {
    let test = try TestStore(
      """
      <entity name="Author">
        <attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="count" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="books.@count"/>
        <relationship name="books" optional="YES" toMany="YES" destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
      </entity>
      <entity name="Book">
        <attribute name="authorName" optional="YES" attributeType="String" derived="YES" derivationExpression="author.name"/>
        <relationship name="author" optional="YES" maxCount="1" destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
      </entity>
      """)
    let author = try test.insert("Author", ["name": .string("Levi")])
    let book = try test.insert("Book", ["authorName": .string("not written")], ["author": author])
    try test.insert("Book", [:], ["author": author])
    #expect(try test.rows("SELECT ZCOUNT, Z_OPT FROM ZAUTHOR") == ["2 1"])
    try test.update(author, ["name": .string("Primo Levi"), "count": .integer(77)])
    try test.update(book, cleared: ["author"])
    #expect(try test.rows("SELECT ZCOUNT FROM ZAUTHOR") == ["1"])
    #expect(try test.rows("SELECT ZAUTHORNAME FROM ZBOOK") == ["NULL", "Primo Levi"])
  }
}
