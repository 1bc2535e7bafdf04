import Diagnostics
import Foundation
import ObjectGraph
import ObjectModel
import SQLiteDriver
import TestSupport
import Testing

@testable import SQLiteStore

/// What a store that somebody else made has beside rows: history, mirroring, triggers, tables of the app.
struct StoreAppendingTests {
  static let author = """
    <entity name="Author">
      <attribute name="count" optional="YES" attributeType="Integer 64" derived="YES" derivationExpression="books.@count"/>
      <attribute name="folded" optional="YES" attributeType="String" derived="YES" derivationExpression="canonical:(name)"/>
      <attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="books" optional="YES" toMany="YES" destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
    </entity>
    <entity name="Book">
      <relationship name="author" optional="YES" maxCount="1" destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
    </entity>
    """

  static let folded =
    "Author.folded is derived by 'canonical:(name)', and no trigger of the store computes it: it is not written"

  /// What another program did to the store, and the warnings of opening it; FILE stands for its path.
  static let cases: [Case<String, [String]>] = [
    Case("as we made it", "", [folded]),
    Case(
      "history", "CREATE TABLE ATRANSACTION (Z_PK INTEGER)",
      ["FILE tracks the history of its changes; what is imported is not recorded in it", folded]),
    Case(
      "mirroring", "CREATE TABLE ANSCKEVENT (Z_PK INTEGER)",
      ["FILE is mirrored to CloudKit; what is imported is not marked for upload", folded]),
    Case(
      "no triggers",
      "DROP TRIGGER Z_DA_ZBOOK_Author_count_PARAMETER_INSERT; DROP TRIGGER Z_DA_ZBOOK_Author_count_PARAMETER_DELETE;"
        + "DROP TRIGGER Z_DA_ZBOOK_Author_count_PARAMETER_UPDATE_INCREMENT;"
        + "DROP TRIGGER Z_DA_ZBOOK_Author_count_PARAMETER_UPDATE_DECREMENT;"
        + "DROP TRIGGER Z_DA_ZAUTHOR_Author_count_SOURCE_INSERT",
      [
        "Author.count is derived by 'books.@count', and no trigger of the store computes it: it is not written", folded,
      ]),
    Case(
      "an app's trigger", "CREATE TRIGGER OWN AFTER INSERT ON ZBOOK BEGIN UPDATE ZAUTHOR SET ZNAME = 'x'; END", [folded]
    ),
    Case(
      "Core Data's functions",
      "CREATE TRIGGER OWN AFTER INSERT ON ZBOOK BEGIN SELECT NSCoreDataTriggerUpdateAffectedObjectValue('a', 1, 2, 'b', 3);"
        + " END", [folded]),
  ]

  @Test(arguments: cases) func warnings(_ c: Case<String, [String]>) throws {
    let test = try TestStore(Self.author)
    try test.outside(c.input)
    try test.reopen()
    let expected = c.expected.map { $0.replacingOccurrences(of: "FILE", with: test.url.path) }
    #expect(test.store.warnings.map(\.message) == expected)
    #expect(test.store.warnings.allSatisfy { $0.code.fate == .warning })
    try test.reopen(readOnly: true)
    #expect(test.store.warnings == [])
  }

  /// Triggers that call what only an app has: the store is refused before anything is written.
  static let triggers = [
    "AFTER INSERT ON ZAUTHOR BEGIN SELECT APPS_OWN(NEW.Z_PK); END",
    "AFTER UPDATE OF ZNAME ON ZAUTHOR BEGIN SELECT APPS_OWN(NEW.Z_PK); END",
    "BEFORE DELETE ON ZAUTHOR BEGIN SELECT APPS_OWN(OLD.Z_PK); END",
  ]

  @Test(arguments: triggers) func aTriggerThatCannotRun(_ trigger: String) throws {
    let test = try TestStore(Self.author)
    let writer = try Connection(test.url.path, .readWrite)
    try writer.addFunction("APPS_OWN", argumentCount: 1) { _ in .null }
    try writer.execute("CREATE TRIGGER OWN \(trigger)")
    let before = try Data(contentsOf: test.url)
    let error = try #require(throws: Diagnostic.self) { try test.reopen() }
    #expect(error.code.name == "store.trigger" && error.code.fate == .store)
    #expect(
      error.message
        == "a trigger on the table ZAUTHOR of \(test.url.path) cannot run outside the app that made it: "
        + "no such function: APPS_OWN")
    #expect(try Data(contentsOf: test.url) == before)
    // Reading runs no trigger.
    try test.reopen(readOnly: true)
  }

  @Test func aNewStoreWarnsOfWhatItLeavesOut() throws {
    let test = try TestStore(Self.author)
    #expect(test.store.warnings.map(\.code.name) == ["store.derivation"])
  }
}
