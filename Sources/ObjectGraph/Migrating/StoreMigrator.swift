package import Foundation
package import ObjectModel

/// What only the store itself can do for its migration: say what it is, answer questions of its rows, be held against all
/// others, become a store of another model beside itself, and be replaced by it.
///
/// The rules of migrations are not here: a migration asks, decides, and hands over a `StoreTransfer`.
package protocol StoreMigrator: AnyObject {
  /// Looks at a store, with not a byte changed.
  init(of store: URL) throws

  /// What the store says of itself.
  var identity: StoreIdentity { get }
  /// Whether the bytes of the new store are to follow from those of the old one and the mappings alone.
  var isReproducible: Bool { get }
  /// The model that the store keeps of itself, of its own version.
  func cachedModel() throws -> NSManagedObjectModel
  /// What it has beside the rows of its model that does not come along when it becomes one of another.
  func leftBehind(by transfer: StoreTransfer) throws -> [LeftBehind]
  /// Answers a question of the rows.
  func answer(_ question: RowQuestion, of transfer: StoreTransfer) throws -> RowAnswer
  /// The objects of what the next step reads, to be looked at.
  func objects(_ model: NSManagedObjectModel) throws -> any PagedStore

  /// Takes the store for this migration alone: nobody else reads or writes it until `end()`.
  func begin() throws
  /// Makes a store of another model beside the one that was begun with, or beside the one made last.
  func build(_ transfer: StoreTransfer, progress: (_ rows: Int) -> Void) throws
  /// Lets a body change the rows of what the next step reads, or of what was made last: never of the store itself, but of a copy.
  func change(_ model: NSManagedObjectModel, _ body: (any PagedStore) throws -> Void) throws
  /// Opens what the next step reads, and makes an empty store of another model beside it, to be filled object by object.
  func beginObjects(_ source: NSManagedObjectModel, _ destination: NSManagedObjectModel) throws -> ObjectMigration
  /// Ends that: what was filled is the store that was made last.
  func finishObjects() throws
  /// What is wrong with the store that was made last and was not wrong before; rows counted by entity.
  func check(_ source: NSManagedObjectModel, _ destination: NSManagedObjectModel) throws -> StoreVerdict
  /// Puts the store that was made last into the place of the first, which gets another name if asked.
  func exchange(backup: URL?) throws
  /// Lets go of the store, and removes what was made beside it.
  func end()
}

/// What a store says of itself.
package struct StoreIdentity: Sendable {
  package let url: URL
  /// The version hashes of its entities.
  package let hashes: [String: Data]
  package let versionIdentifiers: [String]

  package init(url: URL, hashes: [String: Data], versionIdentifiers: [String]) {
    self.url = url
    self.hashes = hashes
    self.versionIdentifiers = versionIdentifiers
  }
}

/// A question of the rows of a store that is to be migrated.
package enum RowQuestion {
  /// The rows of an entity of the source, those of its subentities not among them.
  case rows(NSEntityDescription)
  /// The rows that have a value of a stored attribute of the source, own rows only.
  case values(NSEntityDescription, path: String)
  /// The links of a relationship of the source from own rows.
  case links(NSEntityDescription, NSRelationshipDescription)
  /// The links of a relationship of the source, from rows of the source's entity, that none of the destination takes.
  case lostLinks(EntityTransfer, NSRelationshipDescription)
  /// The rows of an entity of the source, own rows only, that have several links of a relationship of the source.
  case lists(NSEntityDescription, NSRelationshipDescription)
  /// The rows of an entity of the destination that will have no value of a stored attribute.
  case withoutValue(EntityTransfer, path: String)
  /// The rows of an entity of the destination that will have fewer destinations of a relationship than it must have.
  case tooFewLinks(EntityTransfer, NSRelationshipDescription)
  /// The rows of an entity of the destination that will have more destinations of a relationship than it may have.
  case tooManyLinks(EntityTransfer, NSRelationshipDescription)
  /// The rows whose value will not be the same number.
  case changedNumbers(EntityTransfer, path: String)
  /// The rows of an entity of the destination that have several links where one is kept.
  case severalLinks(EntityTransfer, NSRelationshipDescription)
  /// The values of properties of the destination, by name, that several of its rows will have.
  case duplicates(NSEntityDescription, [String])
  /// The links of a relationship of the source that its new inverse does not have as well.
  case contradictions(NSRelationshipDescription, NSRelationshipDescription)
}

/// How many rows there are, and the first of them as people know them: `p3`, or their values.
package struct RowAnswer: Sendable, Hashable {
  package let count: Int
  package let examples: [String]

  package init(count: Int, examples: [String] = []) {
    self.count = count
    self.examples = examples
  }
}

/// Something of a store that a migration does not bring along.
package struct LeftBehind: Sendable, Hashable {
  /// The name by which its loss is allowed; nil if it may not be lost.
  package let name: String?
  /// What it is, and why it does not come along.
  package let what: String

  package init(name: String?, what: String) {
    self.name = name
    self.what = what
  }
}

/// What was found in a store that was made.
package struct StoreVerdict: Sendable {
  /// The rows by entity of the destination, own rows only.
  package let rows: [String: Int]
  /// What is wrong, and was not wrong before.
  package let newFindings: [String]
  /// What was wrong before, and still is.
  package let oldFindings: [String]

  package init(rows: [String: Int], newFindings: [String], oldFindings: [String]) {
    self.rows = rows
    self.newFindings = newFindings
    self.oldFindings = oldFindings
  }
}
