import Diagnostics
import Foundation
import Migration
import ObjectGraph
import ObjectModel
import TestSupport
import Testing

@testable import Stack

/// Stores of another version become stores of the current one when they are opened, if asked.
struct AutomaticMigrationTests {
  private static func contents(_ attributes: String) -> String {
    "<model><entity name=\"Contact\">\(attributes)</entity></model>"
  }

  private static let name = "<attribute name=\"name\" optional=\"YES\" attributeType=\"String\"/>"
  private static let age = "<attribute name=\"age\" attributeType=\"Integer 16\" defaultValueString=\"7\"/>"

  /// A folder with a model of two versions, the first of which is current, and a store of it with one contact.
  private static func ground(second: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(contents(name), to: "M.xcdatamodeld/V1.xcdatamodel/contents")
    try folder.write(contents(second), to: "M.xcdatamodeld/V2.xcdatamodel/contents")
    try setCurrent("V1", in: folder)
    let storage = try ManagedObjectStorage(fileURL: folder.url.appendingPathComponent("s.sqlite"), modelName: "M")
    let contact = NSEntityDescription.insertNewObject(forEntityName: "Contact", into: storage.viewContext)
    contact.setValue("Ada", forKey: "name")
    try storage.viewContext.save()
    try setCurrent("V2", in: folder)
    return folder
  }

  private static func setCurrent(_ version: String, in folder: TemporaryFolder) throws {
    let list: [String: Any] = ["_XCCurrentVersionName": "\(version).xcdatamodel"]
    try folder.write(
      PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0),
      to: "M.xcdatamodeld/.xccurrentversion")
  }

  private static func contacts(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
    let store = try #require(context.persistentStoreCoordinator?.persistentStores.first as? any StoreRequests)
    let entity = try #require(context.persistentStoreCoordinator?.managedObjectModel.entitiesByName["Contact"])
    return try store.objectIDs(of: entity, includingSubentities: true).map { try context.existingObject(with: $0) }
  }

  @Test func storageMigrates() throws {
    let folder = try Self.ground(second: Self.name + Self.age)
    let storage = try ManagedObjectStorage(fileURL: folder.url.appendingPathComponent("s.sqlite"), modelName: "M")
    let contact = try #require(Self.contacts(storage.viewContext).first)
    #expect(contact.value(forKey: "name") as? String == "Ada")
    #expect(contact.value(forKey: "age") as? Int == 7 || contact.value(forKey: "age") as? Int16 == 7)
    #expect(storage.movedAside == nil)
  }

  @Test func containerMigratesWithProgress() throws {
    let folder = try Self.ground(second: Self.name + Self.age)
    let model = try NSManagedObjectModel(contentsOf: folder.url.appendingPathComponent("M.xcdatamodeld"))
    let container = NSPersistentContainer(name: "M", managedObjectModel: model)
    let description = NSPersistentStoreDescription(url: folder.url.appendingPathComponent("s.sqlite"))
    var progress: [[Int]] = []
    description.migrationProgress = { progress.append([$0, $1]) }
    container.persistentStoreDescriptions = [description]
    var errors: [String] = []
    container.loadPersistentStores { if let error = $1 { errors.append("\(error)") } }
    #expect(errors.isEmpty && progress == [[1, 1]])
    #expect(try Self.contacts(container.viewContext).count == 1)
  }

  /// Without the options, and where something would be lost, the store is left byte by byte.
  @Test(arguments: [
    Case("not asked", [false, true], "is of another version of the model"),
    Case("not inferred", [true, false], "must be migrated, and there is no mapping model"),
    Case("a loss", [true, true], "the migration would lose Contact.name (1 value"),
  ])
  func refuses(_ test: Case<[Bool], String>) throws {
    let folder = try Self.ground(second: Self.age)
    let url = folder.url.appendingPathComponent("s.sqlite")
    let before = try Fixtures.files(of: folder.url)
    let model = try NSManagedObjectModel(contentsOf: folder.url.appendingPathComponent("M.xcdatamodeld"))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let options = [
      NSMigratePersistentStoresAutomaticallyOption: test.input[0],
      NSInferMappingModelAutomaticallyOption: test.input[1],
    ]
    let error = #expect(throws: Diagnostic.self) {
      try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
    }
    #expect(error?.message.contains(test.expected) == true, "\(String(describing: error))")
    #expect(try Fixtures.files(of: folder.url) == before)
  }

  @Test func recreatesOnlyWhenAsked() throws {
    let folder = try Self.ground(second: Self.age)
    let url = folder.url.appendingPathComponent("s.sqlite")
    let before = try Data(contentsOf: url)
    #expect(throws: Diagnostic.self) { try ManagedObjectStorage(fileURL: url, modelName: "M") }
    #expect(try Data(contentsOf: url) == before)
    let anew = try ManagedObjectStorage(fileURL: url, modelName: "M", recreate: true)
    #expect(try Self.contacts(anew.viewContext).isEmpty)
    #expect(try anew.movedAside.map { try Data(contentsOf: $0) } == before)
  }

  @Test func allowedLoss() throws {
    let folder = try Self.ground(second: Self.age)
    var options = MigrationOptions()
    options.allowLoss = ["Contact.name"]
    let storage = try ManagedObjectStorage(
      fileURL: folder.url.appendingPathComponent("s.sqlite"), modelName: "M", migrationOptions: options)
    #expect(try Self.contacts(storage.viewContext).count == 1)
  }
}
