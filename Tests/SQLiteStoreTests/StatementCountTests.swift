import ObjectGraph
import ObjectModel
import SQLiteDriver
import TestSupport
import Testing
import Values

@testable import SQLiteStore

/// What contexts ask of a store grows with the objects, never faster: pinned per object for 1,000 and for 10,000 of them.
struct StatementCountTests {
  static let model = """
    <entity name="Author">
      <attribute name="code" attributeType="String"/>
      <relationship name="books" optional="YES" toMany="YES" deletionRule="Cascade" \
    destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
      <uniquenessConstraints>
        <uniquenessConstraint><constraint value="code"/></uniquenessConstraint>
      </uniquenessConstraints>
    </entity>
    <entity name="Book">
      <attribute name="title" optional="YES" attributeType="String"/>
      <relationship name="author" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Author" \
    inverseName="books" inverseEntity="Author"/>
    </entity>
    """

  private func counted(_ test: TestStore, _ body: () throws -> Void) rethrows -> [String: Int] {
    let counter = StatementCounter()
    test.store.connection.counter = counter
    try body()
    test.store.connection.counter = nil
    return counter.executed
  }

  @Test(arguments: [1_000, 10_000], [false, true])
  func insertedReadChangedAndDeleted(count: Int, isBatch: Bool) throws {
    let test = try TestStore(Self.model)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: test.store.model)
    coordinator.add(test.store)
    let context = NSManagedObjectContext(coordinator: coordinator)
    context.isBatch = isBatch
    let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
    author["code"] = "a"
    try context.save()

    let inserted = try counted(test) {
      for index in 0..<count {
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book["title"] = "\(index)"
        book["author"] = author
      }
      try context.save()
    }
    // A row each; the greatest key is read twice at first use and raised once, whatever the number.
    #expect(inserted["INSERT"] == count && inserted["UPDATE"] == 1 && inserted["SELECT"] == 2, "\(inserted)")

    let reader = NSManagedObjectContext(coordinator: coordinator)
    reader.isBatch = isBatch
    let ids = try test.store.objectIDs(of: test.entity("Book"), includingSubentities: true)
    var found = 0
    let read = try counted(test) { found = try reader.fulfill(ids).compactMap(\.self).count }
    #expect(found == count)
    #expect(read["SELECT"] == 1, "\(read)")

    let request = KeyLookupRequest(
      entity: try test.entity("Author"), places: [0], keys: (0..<count).map { [.string("\($0)")] })
    // The first look-up finds out what indexes there are.
    for statements in [2, 1] {
      let looked = try counted(test) { _ = try reader.lookUp(request) }
      #expect(looked["SELECT"] == statements, "\(looked)")
    }

    let changed = try counted(test) {
      for case let book? in try reader.fulfill(ids) { book["title"] = "changed" }
      try reader.save()
    }
    #expect(changed["UPDATE"] == count && changed["INSERT"] == nil, "\(changed)")

    let deleter = NSManagedObjectContext(coordinator: coordinator)
    deleter.isBatch = isBatch
    let deleted = try counted(test) {
      deleter.delete(try deleter.existingObject(with: author.objectID))
      try deleter.save()
    }
    #expect(deleted["DELETE"] == count + 1, "\(deleted)")
    // The author, its books' IDs, and their rows in one.
    #expect(deleted["SELECT"] == 3, "\(deleted)")
    #expect(try test.store.objectIDs(of: test.entity("Book"), includingSubentities: true).isEmpty)
  }

  /// A batch is one statement, and between batches nothing is kept but a number for each object.
  @Test func fetchedInBatches() throws {
    let test = try TestStore(Self.model)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: test.store.model)
    coordinator.add(test.store)
    let writer = NSManagedObjectContext(coordinator: coordinator)
    for index in 0..<5_000 {
      NSEntityDescription.insertNewObject(forEntityName: "Book", into: writer)["title"] = "\(index)"
    }
    try writer.save()
    let context = NSManagedObjectContext(coordinator: coordinator)
    context.isBatch = true
    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    var (found, greatest) = (0, 0)
    let fetched = try counted(test) {
      try context.fetch(request, inBatchesOf: 500) { books in
        found += books.count
        greatest = max(greatest, context.registeredObjects.count)
      }
    }
    #expect(found == 5_000 && greatest == 500)
    #expect(fetched["SELECT"] == 11, "\(fetched)")
  }
}
