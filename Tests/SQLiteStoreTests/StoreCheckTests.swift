import Diagnostics
import Foundation
import ObjectGraph
import ObjectModel
import SQLiteDriver
import TestSupport
import Testing
import Values

@testable import SQLiteStore

/// What is found in a store, each kind made by another program's SQL.
struct StoreCheckTests {
  static let library = """
    <entity name="Author">
      <attribute name="count" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="books.@count"/>
      <attribute name="name" attributeType="String"/>
      <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
      <relationship name="books" optional="YES" toMany="YES" destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
      <relationship name="desk" optional="YES" maxCount="1" destinationEntity="Desk" inverseName="owner" inverseEntity="Desk"/>
    </entity>
    <entity name="Poet" parentEntity="Author"/>
    <entity name="Book">
      <attribute name="pages" optional="YES" attributeType="Integer 16"/>
      <attribute name="title" optional="YES" attributeType="String"/>
      <attribute name="when" optional="YES" attributeType="Date"/>
      <relationship name="author" maxCount="1" destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
      <relationship name="poet" optional="YES" maxCount="1" destinationEntity="Poet"/>
      <relationship name="tags" optional="YES" toMany="YES" destinationEntity="Tag" inverseName="books" inverseEntity="Tag"/>
      <uniquenessConstraints><uniquenessConstraint><constraint value="title"/><constraint value="pages"/></uniquenessConstraint></uniquenessConstraints>
    </entity>
    <entity name="Desk">
      <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Author" inverseName="desk" inverseEntity="Author"/>
    </entity>
    <entity name="Tag">
      <relationship name="books" optional="YES" toMany="YES" destinationEntity="Book" inverseName="tags" inverseEntity="Book"/>
    </entity>
    """

  /// Two authors, one a poet; two books of the first, with a tag; a desk.
  private func library() throws -> TestStore {
    let test = try TestStore(Self.library)
    let author = try test.insert("Author", ["name": .string("Levi"), "photo": .data(ExternalFilesTests.large(1))])
    let poet = try test.insert("Poet", ["name": .string("Sappho")])
    let books = try ["a", "b"].map {
      try test.insert("Book", ["title": .string($0), "pages": .integer(1)], ["author": author, "poet": poet])
    }
    try test.link(books[0], "tags", add: [try test.insert("Tag")])
    let desk = try test.insert("Desk", [:], ["owner": author])
    try test.update(author, [:], ["desk": desk])
    return test
  }

  @Test func aSoundStore() throws {
    let test = try library()
    #expect(try test.store.findings() == [])
    try test.reopen(readOnly: true)
    #expect(try test.store.findings() == [])
    #expect(
      try test.store.counts().map { "\($0.count) \($0.entity)" } == ["1 Author", "1 Poet", "2 Book", "1 Desk", "1 Tag"])
  }

  static let cases: [Case<String, [String]>] = [
    Case(
      "a value beyond Z_MAX", "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Book'",
      ["check.greatest-key: keys of ZBOOK beyond Z_MAX: 1 (2)"]),
    Case(
      "no Z_MAX", "UPDATE Z_PRIMARYKEY SET Z_MAX = NULL WHERE Z_NAME = 'Book'",
      ["check.greatest-key: keys of ZBOOK beyond Z_MAX: 2 (1, 2)"]),
    Case(
      "Z_MAX of a subentity", "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Poet'",
      ["check.greatest-key: Z_MAX of subentities of Author: 1 (2)"]),
    Case(
      "another superentity", "UPDATE Z_PRIMARYKEY SET Z_SUPER = 3 WHERE Z_NAME = 'Poet'",
      ["check.superentity: another superentity of Poet in Z_PRIMARYKEY than the model's: 1 (2)"]),
    Case("an unknown entity", "UPDATE ZTAG SET Z_ENT = 99", ["check.entity: rows of ZTAG of no entity: 1 (1)"]),
    Case("no entity", "UPDATE ZTAG SET Z_ENT = NULL", ["check.entity: rows of ZTAG of no entity: 1 (1)"]),
    Case("no version", "UPDATE ZTAG SET Z_OPT = NULL", ["check.version: rows of ZTAG of no version: 1 (1)"]),
    Case(
      "a dangling reference", "UPDATE ZBOOK SET ZPOET = 7 WHERE Z_PK = 2",
      ["check.reference: references ZBOOK.ZPOET to no row: 1 (2)"]),
    Case(
      "a reference to another entity", "UPDATE ZBOOK SET ZPOET = 1 WHERE Z_PK = 2",
      ["check.reference-entity: references ZBOOK.ZPOET to rows that are no Poet: 1 (2)"]),
    Case(
      "another number beside a reference", "UPDATE ZBOOK SET Z1_AUTHOR = 2 WHERE Z_PK = 2",
      ["check.reference-entity: references ZBOOK.ZAUTHOR of another entity than their row's: 1 (2)"]),
    Case(
      "a dangling link", "DELETE FROM ZTAG", ["check.link: links of Z_3TAGS.Z_5TAGS to no row: 1 (1)"]),
    Case(
      "an inverse that is not there", "UPDATE ZDESK SET ZOWNER = NULL, Z1_OWNER = NULL",
      ["check.inverse: references ZAUTHOR.ZDESK whose inverse ZDESK.ZOWNER leads elsewhere: 1 (1)"]),
    Case(
      "a missing value", "UPDATE ZAUTHOR SET ZNAME = NULL",
      [
        "check.required: rows without a value of Author.name, which is required: 1 (1)",
        "check.required: rows without a value of Poet.name, which is required: 1 (2)",
      ]),
    Case(
      "a missing destination", "UPDATE ZBOOK SET ZAUTHOR = NULL, Z1_AUTHOR = NULL WHERE Z_PK = 1",
      ["check.required: rows without a destination of Book.author, which is required: 1 (1)"]),
    Case(
      "a value of another type", "UPDATE ZBOOK SET ZPAGES = 'many', ZWHEN = x'00' WHERE Z_PK = 2",
      [
        "check.value: values of Book.pages that are no Integer 16: 1 (2)",
        "check.value: values of Book.when that are no Date: 1 (2)",
      ]),
    Case(
      "equal values", "DROP INDEX Z_Book_UNIQUE_title_pages; UPDATE ZBOOK SET ZTITLE = 'a'",
      ["check.unique: rows of Book with the values of title, pages of others, which are unique: 2 (1, 2)"]),
    Case("no values are not equal", "UPDATE ZBOOK SET ZTITLE = NULL", []),
    Case(
      "a mark that is none", "UPDATE ZAUTHOR SET ZPHOTO = x'0900' WHERE Z_PK = 2",
      ["check.value: values of Poet.photo that are no Binary: 1 (2)"]),
    Case(
      "another file's name",
      "UPDATE ZAUTHOR SET ZPHOTO = CAST(x'02' || '0A1B2C3D-0000-4000-8000-00000000000F' || x'00' AS BLOB) WHERE Z_PK = 2",
      ["check.external-file: values of Poet.photo whose files are missing: 1 (2)"]),
    Case(
      "a derived value", "UPDATE ZAUTHOR SET ZCOUNT = 5 WHERE Z_PK = 2",
      ["check.derived: values of Author.count that 'books.@count' does not give: 1 (2)"]),
  ]

  @Test(arguments: cases) func isFound(_ c: Case<String, [String]>) throws {
    let test = try library()
    try test.store.connection.execute(c.input)
    #expect(try test.store.findings().map { "\($0.code): \($0.description)" } == c.expected)
  }

  static let team = """
    <composite name="Place">
      <attribute name="town" attributeType="String"/><attribute name="zone" optional="YES" attributeType="String"/>
    </composite>
    <entity name="Person">
      <relationship name="team" optional="YES" maxCount="1" destinationEntity="Team" inverseName="members" inverseEntity="Team"/>
    </entity>
    <entity name="Tag">
      <relationship name="teams" toMany="YES" minCount="1" destinationEntity="Team" inverseName="tags" inverseEntity="Team"/>
    </entity>
    <entity name="Team">
      <attribute name="at" optional="YES" attributeType="Composite" composite="Place"/>
      <attribute name="home" attributeType="Composite" composite="Place"/>
      <relationship name="members" toMany="YES" minCount="2" maxCount="3" destinationEntity="Person" inverseName="team" inverseEntity="Person"/>
      <relationship name="tags" optional="YES" toMany="YES" minCount="2" destinationEntity="Tag" inverseName="teams" inverseEntity="Tag"/>
      <relationship name="likes" toMany="YES" minCount="1" destinationEntity="Tag"/>
      <relationship name="others" toMany="YES" destinationEntity="Tag"/>
    </entity>
    <entity name="Club" parentEntity="Team"/>
    """

  static let limits: [Case<String, [String]>] = [
    Case("nothing", "", []),
    Case(
      "one member", "DELETE FROM ZPERSON WHERE Z_PK = 2",
      ["check.count: rows with fewer destinations of Team.members than 2: 1 (1)"]),
    Case(
      "no member", "UPDATE ZPERSON SET ZTEAM = NULL",
      ["check.count: rows with fewer destinations of Team.members than 2: 1 (1)"]),
    Case(
      "four members",
      "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZTEAM, Z3_TEAM) VALUES (3, 1, 1, 1, 3), (4, 1, 1, 1, 3); "
        + "UPDATE Z_PRIMARYKEY SET Z_MAX = 4 WHERE Z_NAME = 'Person'",
      ["check.count: rows with more destinations of Team.members than 3: 1 (1)"]),
    Case(
      "one tag, and a tag without a team", "DELETE FROM Z_3TAGS WHERE Z_2TAGS = 1",
      [
        "check.count: rows with fewer destinations of Tag.teams than 1: 1 (1)",
        "check.count: rows with fewer destinations of Team.tags than 2: 1 (1)",
      ]),
    Case(
      "no tag", "DELETE FROM Z_3TAGS",
      ["check.count: rows with fewer destinations of Tag.teams than 1: 2 (1, 2)"]),
    Case(
      "a subentity without any", "UPDATE ZTEAM SET Z_ENT = 4; UPDATE ZPERSON SET ZTEAM = NULL, Z3_TEAM = NULL",
      ["check.count: rows with fewer destinations of Club.members than 2: 1 (1)"]),
    Case(
      "a relationship without an inverse", "UPDATE ZTAG SET Z3LIKES = NULL",
      ["check.count: rows with fewer destinations of Team.likes than 1: 1 (1)"]),
    Case(
      "an element of a composite that is there", "UPDATE ZTEAM SET ZZONE = 'x'",
      ["check.required: rows without a value of Team.at.town, which is required: 1 (1)"]),
    Case(
      "a required composite", "UPDATE ZTEAM SET ZTOWN1 = NULL",
      ["check.required: rows without a value of Team.home.town, which is required: 1 (1)"]),
  ]

  /// A team with two members and two tags, at no place, with a home.
  @Test(arguments: limits) func limitsOfRows(_ c: Case<String, [String]>) throws {
    let test = try TestStore(Self.team)
    let team = try test.insert("Team", ["home.town": .string("Oslo")])
    for _ in 0..<2 { try test.insert("Person", [:], ["team": team]) }
    let tags = try (0..<2).map { _ in try test.insert("Tag") }
    try test.link(team, "tags", add: tags)
    try test.link(team, "likes", add: tags)
    try test.store.connection.execute(c.input)
    #expect(try test.store.findings().map { "\($0.code): \($0.description)" } == c.expected)
  }

  @Test func aRequiredValueThatNothingDerives() throws {
    let test = try TestStore(
      """
      <entity name="A"><attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="folded" attributeType="String" derived="YES" derivationExpression="canonical:(name)"/></entity>
      """)
    try test.insert("A", ["name": .string("x")])
    let found = try test.store.findings().map(\.description)
    #expect(found == ["rows without a value of A.folded, which is required: 1 (1)"])
  }

  @Test func rowsOfAnAbstractEntity() throws {
    let test = try TestStore(#"<entity name="Shape" isAbstract="YES"/><entity name="Circle" parentEntity="Shape"/>"#)
    try test.insert("Circle")
    #expect(try test.store.findings() == [])
    try test.outside("UPDATE ZSHAPE SET Z_ENT = 1")
    #expect(try test.store.findings().map(\.description) == ["rows of the abstract entity Shape: 1 (1)"])
  }

  @Test func manyRowsAreCountedAndTheFirstNamed() throws {
    let test = try TestStore(Self.library)
    for _ in 0..<8 { try test.insert("Tag") }
    try test.outside("UPDATE ZTAG SET Z_OPT = 0")
    let finding = try #require(try test.store.findings().first)
    #expect((finding.count, finding.rows.count) == (8, 5))
    #expect(finding.description == "rows of ZTAG of no version: 8 (1, 2, 3, 4, 5, …)")
  }

  /// A page of an index that is cut out of the file: SQLite tells, and nothing else is looked for.
  @Test func aDamagedFile() throws {
    let test = try library()
    let root = try #require(
      Int(try test.rows("SELECT rootpage FROM sqlite_master WHERE name = 'ZBOOK_ZAUTHOR_INDEX'")[0]))
    try test.store.finish()
    var bytes = try Data(contentsOf: test.url)
    bytes.replaceSubrange((root - 1) * 4096..<root * 4096, with: Data(count: 4096))
    try bytes.write(to: test.url)
    try test.reopen(readOnly: true)
    let findings = try test.store.findings()
    #expect(!findings.isEmpty && findings.allSatisfy { $0.code == "check.integrity" && $0.count == 0 })
  }
}
