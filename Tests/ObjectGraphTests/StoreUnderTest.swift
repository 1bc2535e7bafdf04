import Foundation
import ObjectModel
import SQLiteStore
import TestSupport
import Testing

@testable import ObjectGraph

/// A kind of store on which the behaviour of objects is tested: they must all behave the same.
struct StoreUnderTest: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Makes a new, empty store; a file of it lies in the folder.
  let make: @Sendable (NSManagedObjectModel, TemporaryFolder) throws -> NSPersistentStore

  var isInMemory: Bool { testDescription == Self.memory.testDescription }

  static let memory = StoreUnderTest(testDescription: "in memory") { model, _ in InMemoryStore(model: model) }
  static let sqlite = StoreUnderTest(testDescription: "SQLite") { model, folder in
    try SQLitePersistentStore.create(at: folder.url.appendingPathComponent("company.sqlite"), model: model)
  }
  static let all = [memory, sqlite]
}

extension NSManagedObject {
  /// The names of the objects of a relationship: in order if it has one, else sorted.
  func names(_ key: String) -> [String] {
    switch value(forKey: key) {
    case let list as [NSManagedObject]: list.map { $0.value(forKey: "name") as? String ?? "" }
    case let set as Set<NSManagedObject>: set.map { $0.value(forKey: "name") as? String ?? "" }.sorted()
    case let object as NSManagedObject: [object.value(forKey: "name") as? String ?? ""]
    default: []
    }
  }
}

/// A company's store with a context on it.
final class Company {
  let model = CompanyModel.make()
  let store: NSPersistentStore
  let coordinator: NSPersistentStoreCoordinator
  let context: NSManagedObjectContext
  private let folder: TemporaryFolder
  private var readers: [NSManagedObjectContext] = []

  convenience init(_ kind: StoreUnderTest) throws { try self.init(kind.make) }

  init(_ make: (NSManagedObjectModel, TemporaryFolder) throws -> NSPersistentStore) throws {
    folder = try TemporaryFolder()
    store = try make(model, folder)
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    coordinator.add(store)
    context = NSManagedObjectContext(coordinator: coordinator)
  }

  /// Another context on the same store, which knows nothing yet.
  func otherContext() -> NSManagedObjectContext { NSManagedObjectContext(coordinator: coordinator) }

  func entity(_ name: String) throws -> NSEntityDescription { try #require(model.entitiesByName[name]) }

  func relationship(_ entity: String, _ name: String) throws -> NSRelationshipDescription {
    try #require(self.entity(entity).relationshipsByName[name])
  }

  @discardableResult func insert(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    for (key, value) in values.sorted(by: { $0.key < $1.key }) { object.setValue(value, forKey: key) }
    return object
  }

  /// The object as another context reads it.
  func reread(_ object: NSManagedObject) throws -> NSManagedObject {
    readers.append(otherContext())
    return try readers[readers.count - 1].existingObject(with: object.objectID)
  }
}
