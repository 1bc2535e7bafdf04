import Diagnostics
import Foundation
import ObjectGraph
import ObjectModel
import TestSupport
import Testing

@testable import Stack

struct NSPersistentContainerTests {
  @Test(arguments: [NSSQLiteStoreType, NSInMemoryStoreType])
  func contexts(_ type: String) async throws {
    let folder = try TemporaryFolder()
    let container = try container(folder, type)
    var loaded: [String] = []
    container.loadPersistentStores { description, error in
      loaded.append("\(description.type) \(error.map { "\($0)" } ?? "")")
    }
    #expect(loaded == ["\(type) "])
    #expect(container.viewContext.concurrencyType == .mainQueue)

    let id = try await container.performBackgroundTask { context in
      let contact = NSEntityDescription.insertNewObject(forEntityName: "Contact", into: context)
      contact.setValue("Ada", forKey: "name")
      try context.save()
      return contact.objectID
    }
    let other = container.newBackgroundContext()
    #expect(other !== container.newBackgroundContext())
    let name = try other.performAndWait { try other.existingObject(with: id).value(forKey: "name") as? String }
    #expect(name == "Ada")
    await withCheckedContinuation { done in
      container.performBackgroundTask { context in
        #expect(context.persistentStoreCoordinator === container.persistentStoreCoordinator)
        done.resume()
      }
    }
  }

  @Test func defaults() throws {
    let container = NSPersistentContainer(name: "Contacts", managedObjectModel: try Fixtures.model())
    let url = container.persistentStoreDescriptions[0].url
    #expect(url == NSPersistentContainer.defaultDirectoryURL().appendingPathComponent("Contacts.sqlite"))
    #expect(container.persistentStoreDescriptions[0].type == NSSQLiteStoreType)
    #expect(throws: Diagnostic.self) { try NSPersistentContainer(name: "NoSuchModel") }
  }

  /// What was saved is there when the store is loaded again, also for reading alone, which makes no store.
  @Test func storesThatAreThere() throws {
    let folder = try TemporaryFolder()
    #expect(try errors(folder) { $0.isReadOnly = true }.count == 1)
    #expect(try Fixtures.files(of: folder.url).isEmpty)
    #expect(try errors(folder).isEmpty)
    #expect(try errors(folder).isEmpty)
    let before = try Fixtures.files(of: folder.url)
    #expect(before.keys.contains("s.sqlite"))
    #expect(try errors(folder) { $0.isReadOnly = true }.isEmpty)
    #expect(try Fixtures.files(of: folder.url) == before)
    let container = try container(folder)
    container.persistentStoreDescriptions[0].isReadOnly = true
    container.loadPersistentStores { _, _ in }
    NSEntityDescription.insertNewObject(forEntityName: "Contact", into: container.viewContext)
      .setValue("Ada", forKey: "name")
    #expect(throws: SaveError.self) { try container.viewContext.save() }
  }

  static let wrong: [Case<@Sendable (NSPersistentStoreDescription) -> Void, String>] = [
    Case("a type", { $0.type = "Binary" }, "there are no stores of the type Binary"),
    Case("no place", { $0.url = nil }, "an SQLite store needs the URL of a file"),
    Case("a configuration", { $0.configuration = "Owm" }, "the model has no configuration Owm"),
  ]

  @Test(arguments: wrong)
  func wrongDescriptions(_ c: Case<@Sendable (NSPersistentStoreDescription) -> Void, String>) throws {
    let folder = try TemporaryFolder()
    #expect(try errors(folder, c.input).map { ($0 as? Diagnostic)?.message } == [c.expected])
    #expect(try Fixtures.files(of: folder.url).isEmpty)
  }

  /// One store that cannot be opened does not keep the others from it.
  @Test func severalStores() throws {
    let folder = try TemporaryFolder()
    try folder.write("not a database, but long enough to be taken for one by its size", to: "bad.sqlite")
    let container = try container(folder)
    container.persistentStoreDescriptions = ["bad.sqlite", "s.sqlite"].map {
      NSPersistentStoreDescription(url: folder.url.appendingPathComponent($0))
    }
    container.persistentStoreDescriptions[1].configuration = "Own"
    var codes: [String] = []
    container.loadPersistentStores { codes.append(($1 as? Diagnostic)?.code.name ?? "loaded") }
    #expect(codes == ["store.not-sqlite", "loaded"])
    #expect(container.persistentStoreCoordinator.persistentStores.map(\.configurationName) == ["Own"])
  }

  /// The store of a configuration has the hashes of the whole model, by which an app opens it.
  @Test func aStoreOfOneConfiguration() throws {
    let folder = try TemporaryFolder()
    let contents = Fixtures.contents().replacingOccurrences(
      of: "<configuration", with: "<entity name=\"Other\"/><configuration")
    let container = try container(folder, contents: contents)
    container.persistentStoreDescriptions[0].configuration = "Own"
    container.loadPersistentStores { #expect($1 == nil) }
    let hashes = container.persistentStoreCoordinator.persistentStores[0].metadata["NSStoreModelVersionHashes"]
    #expect((hashes as? [String: Data])?.keys.sorted() == ["Contact", "Other"])
  }

  @Test func options() throws {
    let folder = try TemporaryFolder()
    let coordinator = try container(folder).persistentStoreCoordinator
    #expect(throws: Diagnostic.self) {
      try coordinator.addPersistentStore(type: .inMemory, options: ["NSIgnoredOption": true])
    }
    let store = try coordinator.addPersistentStore(type: .inMemory, options: [NSReadOnlyPersistentStoreOption: true])
    #expect(store.isReadOnly)
  }

  @Test func metadataOfAStoreThatIsNotOpen() throws {
    let folder = try TemporaryFolder()
    let url = folder.url.appendingPathComponent("s.sqlite")
    let coordinator = try container(folder).persistentStoreCoordinator
    let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
    coordinator.setMetadata(coordinator.metadata(for: store).merging(["mine": 1]) { $1 }, for: store)
    try NSManagedObjectContext(coordinator: coordinator).save()
    coordinator.remove(store)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
    #expect(metadata["mine"] as? Int == 1)
    let hashes = coordinator.managedObjectModel.entityVersionHashesByName
    #expect(metadata["NSStoreModelVersionHashes"] as? [String: Data] == hashes)
    let errors = [(NSPersistentStore.StoreType.inMemory, url), (.sqlite, folder.url.appendingPathComponent("none"))].map
    {
      type, url in
      #expect(throws: Diagnostic.self) {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(type: type, at: url)
      }
    }
    #expect(errors.map { $0?.code.name } == ["store.type", "store.missing"])
    #expect(errors[0]?.message == "a store of the type InMemory has no file")
  }

  private func container(
    _ folder: TemporaryFolder, _ type: String = NSSQLiteStoreType, contents: String = Fixtures.contents()
  ) throws -> NSPersistentContainer {
    let container = NSPersistentContainer(name: "M", managedObjectModel: try Fixtures.model(contents))
    let description = NSPersistentStoreDescription(url: folder.url.appendingPathComponent("s.sqlite"))
    description.type = type
    container.persistentStoreDescriptions = [description]
    return container
  }

  private func errors(
    _ folder: TemporaryFolder, _ change: (NSPersistentStoreDescription) -> Void = { _ in }
  ) throws -> [any Error] {
    let container = try container(folder)
    change(container.persistentStoreDescriptions[0])
    var errors: [any Error] = []
    container.loadPersistentStores { if let error = $1 { errors.append(error) } }
    return errors
  }
}
