import Diagnostics
import Foundation
import ObjectModel
import SQLiteStore
import TestSupport
import Testing
import Values

@testable import ObjectGraph

@Suite struct CoordinatorTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A new store of a kind; a file of it has the name.
  private func store(
    _ kind: StoreUnderTest, _ name: String, _ model: NSManagedObjectModel, configuration: String? = nil,
    isReadOnly: Bool = false
  ) throws -> NSPersistentStore {
    if kind.isInMemory {
      return InMemoryStore(model: model, configurationName: configuration, isReadOnly: isReadOnly)
    }
    let url = folder.url.appendingPathComponent("\(name).sqlite")
    let store = try SQLitePersistentStore.create(at: url, model: model, configurationName: configuration)
    guard isReadOnly else { return store }
    return try SQLitePersistentStore.open(at: url, model: model, readOnly: true, configurationName: configuration)
  }

  /// Departments in one store, everything else in another.
  private func twoStores(_ kind: StoreUnderTest, readOnly: Bool = false) throws -> (
    coordinator: NSPersistentStoreCoordinator, stores: [NSPersistentStore]
  ) {
    let model = CompanyModel.make()
    model.configurationEntityNames = [
      "Offices": ["Department", "Desk"], "Rest": ["Person", "Employee", "Boss", "Project", "Task", "List", "Note"],
    ]
    let stores = try ["Offices", "Rest"].map {
      try store(kind, $0, model, configuration: $0, isReadOnly: readOnly && $0 == "Offices")
    }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    for store in stores { coordinator.add(store) }
    return (coordinator, stores)
  }

  private func insert(_ entity: String, _ name: String, _ context: NSManagedObjectContext) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    object.setValue(name, forKey: "name")
    return object
  }

  @Test(arguments: StoreUnderTest.all) func objectsGoToTheStoreOfTheirEntity(_ kind: StoreUnderTest) throws {
    let (coordinator, stores) = try twoStores(kind)
    let context = NSManagedObjectContext(coordinator: coordinator)
    let rd = insert("Department", "R&D", context)
    let ada = insert("Employee", "Ada", context)
    try context.save()
    #expect(rd.objectID.persistentStore === stores[0] && ada.objectID.persistentStore === stores[1])
    let other = NSManagedObjectContext(coordinator: coordinator)
    let found = try other.fulfill([ada.objectID, rd.objectID])
    #expect(found.map { $0?.value(forKey: "name") as? String } == ["Ada", "R&D"])
    // The same key and hierarchy in another store is another object.
    #expect(rd.objectID.key == ada.objectID.key && rd.objectID != ada.objectID)
  }

  @Test(arguments: StoreUnderTest.all) func noRelationshipsAcrossStores(_ kind: StoreUnderTest) throws {
    let (coordinator, _) = try twoStores(kind)
    let context = NSManagedObjectContext(coordinator: coordinator)
    let ada = insert("Employee", "Ada", context)
    ada.setValue(insert("Department", "R&D", context), forKey: "department")
    let error = #expect(throws: SaveError.self) { try context.save() }
    guard case .store(let diagnostic) = error else { throw try #require(error) }
    #expect(
      diagnostic.description == """
        Employee.department leads to an object of another store [store.relationship-across]
          Keep both entities in one configuration.
        """)
  }

  @Test(arguments: StoreUnderTest.all) func readOnlyStores(_ kind: StoreUnderTest) throws {
    let (coordinator, _) = try twoStores(kind, readOnly: true)
    let context = NSManagedObjectContext(coordinator: coordinator)
    _ = insert("Employee", "Ada", context)
    try context.save()
    _ = insert("Department", "R&D", context)
    let error = #expect(throws: SaveError.self) { try context.save() }
    guard case .store(let diagnostic) = error else { throw try #require(error) }
    #expect(diagnostic.code.name == "store.read-only")
  }

  @Test func entitiesWithoutAStore() throws {
    let model = CompanyModel.make()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let context = NSManagedObjectContext(coordinator: coordinator)
    _ = insert("Project", "X", context)
    let error = #expect(throws: SaveError.self) { try context.save() }
    guard case .store(let diagnostic) = error else { throw try #require(error) }
    #expect(diagnostic.code.name == "store.none-for-entity")
  }

  /// Two stores that keep everything: new objects go to the first, both are searched.
  @Test(arguments: StoreUnderTest.all) func lookUpInSeveralStores(_ kind: StoreUnderTest) throws {
    let model = CompanyModel.make()
    let stores = try ["a", "b"].map { try store(kind, $0, model) }
    for (store, names) in zip(stores, [["a", "b"], ["b", "c"]]) {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      coordinator.add(store)
      let context = NSManagedObjectContext(coordinator: coordinator)
      for name in names { _ = insert("Project", name, context) }
      try context.save()
    }
    let both = NSPersistentStoreCoordinator(managedObjectModel: model)
    for store in stores { both.add(store) }
    let entity = try #require(model.entitiesByName["Project"])
    let request = KeyLookupRequest(
      entity: entity, places: [0], keys: ["a", "b", "c", "d"].map { [.string($0)] })
    let answers = try NSManagedObjectContext(coordinator: both).lookUp(request)
    guard case .one(let a) = answers[0], case .several(let b, let b2) = answers[1], case .one(let c) = answers[2],
      case .none = answers[3]
    else {
      Issue.record("found \(answers)")
      return
    }
    #expect(a.persistentStore === stores[0] && c.persistentStore === stores[1])
    #expect(b.persistentStore === stores[0] && b2.persistentStore === stores[1])
  }

  @Test func storesByPlace() throws {
    let folder = try TemporaryFolder()
    let company = try Company { model, _ in try StoreUnderTest.sqlite.make(model, folder) }
    let url = folder.url.appendingPathComponent("company.sqlite")
    #expect(company.coordinator.persistentStore(for: url) === company.store)
    #expect(company.coordinator.persistentStore(for: folder.url) == nil)
    company.coordinator.remove(company.store)
    #expect(company.coordinator.persistentStores.isEmpty && company.store.persistentStoreCoordinator == nil)
  }

  // MARK: Several stores

  /// Two stores of a kind that keep all entities.
  private func equalStores(_ kind: StoreUnderTest) throws -> (NSPersistentStoreCoordinator, [NSPersistentStore]) {
    let model = CompanyModel.make()
    let stores = try ["a", "b"].map { try store(kind, $0, model) }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    for store in stores { coordinator.add(store) }
    return (coordinator, stores)
  }

  /// The same of stores that can be made to fail.
  private func recordingStores() -> (NSPersistentStoreCoordinator, [RecordingStore]) {
    let model = CompanyModel.make()
    let stores = [RecordingStore(model: model), RecordingStore(model: model)]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    for store in stores { coordinator.add(store) }
    return (coordinator, stores)
  }

  @Test(arguments: StoreUnderTest.all) func objectsAreAssignedToStores(_ kind: StoreUnderTest) throws {
    let (coordinator, stores) = try equalStores(kind)
    let context = NSManagedObjectContext(coordinator: coordinator)
    let projects = (0..<6).map { insert("Project", "\($0)", context) }
    for index in [1, 3, 4] { context.assign(projects[index], to: stores[1]) }
    try context.save()
    #expect(projects.map { $0.objectID.persistentStore === stores[1] } == [false, true, false, true, true, false])
    #expect(projects.map(\.objectID.key) == [1, 1, 2, 2, 3, 3])
    let found = try NSManagedObjectContext(coordinator: coordinator).fulfill(projects.map(\.objectID))
    #expect(found.map { $0?["name", as: String.self] } == (0..<6).map { "\($0)" })
  }

  /// Links in rows of their own are refused across stores as those in columns are.
  @Test(arguments: StoreUnderTest.all) func noManyToManyLinksAcrossStores(_ kind: StoreUnderTest) throws {
    let (coordinator, stores) = try equalStores(kind)
    let context = NSManagedObjectContext(coordinator: coordinator)
    let project = insert("Project", "X", context)
    let ada = insert("Employee", "Ada", context)
    context.assign(ada, to: stores[1])
    ada["projects"] = Set([project])
    let error = #expect(throws: SaveError.self) { try context.save() }
    guard case .store(let diagnostic) = error else { throw try #require(error) }
    #expect(diagnostic.message == "Employee.projects leads to an object of another store")
    let persons = try #require(coordinator.managedObjectModel.entitiesByName["Person"])
    #expect(try stores.allSatisfy { try $0.requests.objectIDs(of: persons, includingSubentities: true).isEmpty })
  }

  /// What one store has written stays written when the next refuses; the rest stays a change.
  @Test func oneStoreOfTwoRefuses() throws {
    let (coordinator, stores) = recordingStores()
    let context = NSManagedObjectContext(coordinator: coordinator)
    let old = ["a", "b"].map { insert("Project", $0, context) }
    context.assign(old[1], to: stores[1])
    let gone = insert("Project", "gone", context)
    try context.save()
    let new = ["c", "d"].map { insert("Project", $0, context) }
    context.assign(new[1], to: stores[1])
    for object in old { object["name"] = "changed" }
    context.delete(gone)
    stores[1].savingFails = true
    #expect(throws: SaveError.self) { try context.save() }
    #expect(!old[0].hasChanges && !new[0].hasChanges && gone.managedObjectContext == nil)
    #expect(context.insertedObjects == [new[1]] && context.updatedObjects == [old[1]])
    stores[1].savingFails = false
    try context.save()
    #expect(!context.hasChanges)
    let reader = NSManagedObjectContext(coordinator: coordinator)
    let names = try reader.fulfill((old + new).map(\.objectID)).map { $0?["name", as: String.self] }
    #expect(names == ["changed", "changed", "c", "d"])
  }
}
