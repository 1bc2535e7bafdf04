import Diagnostics
import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import ObjectGraph

@Suite struct FaultingTests {
  @Test(arguments: StoreUnderTest.all) func faultsFireOnAccess(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let ada = company.insert("Employee", ["name": "Ada"])
    try company.context.save()
    let other = company.otherContext()
    let object = other.object(with: ada.objectID)
    #expect(object.isFault && object !== ada)
    #expect(object.value(forKey: "name") as? String == "Ada" && !object.isFault)
    let another = company.otherContext().object(with: ada.objectID)
    another.setValue("Eve", forKey: "name")
    #expect(!another.isFault || another.managedObjectContext == nil)
  }

  @Test(arguments: StoreUnderTest.all) func oneObjectForEachID(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let rd = company.insert("Department", ["name": "R&D"])
    let ada = company.insert("Employee", ["name": "Ada", "department": rd])
    try company.context.save()
    let other = company.otherContext()
    let same = try other.existingObject(with: rd.objectID)
    let employees = try #require(same.value(forKey: "employees") as? Set<NSManagedObject>)
    #expect(employees.first?.value(forKey: "department") as? NSManagedObject === same)
    #expect(other.object(with: ada.objectID) === employees.first)
    #expect(other.registeredObject(for: rd.objectID) === same)
    #expect(other.registeredObjects == employees.union([same]))
  }

  @Test func manyFaultsAreReadInOneRequest() throws {
    let company = try Company { model, _ in RecordingStore(model: model) }
    let store = try #require(company.store as? RecordingStore)
    let objects = (0..<100).map { company.insert("Employee", ["name": "\($0)"]) }
    try company.context.save()
    let ids = objects.map(\.objectID)
    let stranger = NSManagedObjectID(
      entity: try company.entity("Employee"), store: store, key: 1_000, isTemporary: false)
    let other = company.otherContext()
    let held = try other.existingObject(with: ids[7])
    store.calls = []
    let found = try other.fulfill(ids + [stranger, ids[3]])
    #expect(store.calls == ["rows 101"])
    #expect(found[7] === held && found[100] == nil && found[101] === found[3])
    #expect(found.prefix(100).map { $0?.value(forKey: "name") as? String } == (0..<100).map { "\($0)" })
    #expect(store.calls.count == 1)
  }

  @Test func destinationsAreReadInOneRequest() throws {
    let company = try Company { model, _ in RecordingStore(model: model) }
    let store = try #require(company.store as? RecordingStore)
    let projects = (0..<3).map { company.insert("Project", ["name": "\($0)"]) }
    for index in 0..<6 { company.insert("Task", ["name": "\(index)", "project": projects[index % 3]]) }
    try company.context.save()
    let other = company.otherContext()
    let same = projects.map { other.object(with: $0.objectID) }
    store.calls = []
    try other.fulfill(company.relationship("Project", "tasks"), of: same)
    #expect(store.calls == ["tasks of 3"])
    let tasks = try same.flatMap { try $0.destinations(of: company.relationship("Project", "tasks")) }
    try other.fulfill(tasks.map(\.objectID))
    #expect(same.map { $0.names("tasks") } == [["0", "3"], ["1", "4"], ["2", "5"]])
    #expect(store.calls == ["tasks of 3", "rows 6"])
  }

  /// What was fulfilled is there for whoever asks next, though nobody else holds it; and goes when the chunk is done.
  @Test func theContextHoldsWhatItFulfilledLast() throws {
    let company = try Company { model, _ in RecordingStore(model: model) }
    let store = try #require(company.store as? RecordingStore)
    let ids = try (0..<5).map { index in
      let object = company.insert("Employee", ["name": "\(index)"])
      try company.context.save()
      return object.objectID
    }
    company.context.reset()
    store.calls = []
    try company.context.fulfill(ids)
    for (index, id) in ids.enumerated() {
      #expect(try company.context.existingObject(with: id).value(forKey: "name") as? String == "\(index)")
    }
    #expect(store.calls == ["rows 5"])
    try company.context.fulfill([])
    #expect(company.context.registeredObjects.isEmpty)
  }

  @Test(arguments: StoreUnderTest.all) func subentitiesHaveTheirOwnLayout(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let boss = company.insert("Boss", ["name": "Eve", "title": "CEO", "rating": 2.5])
    let ada = company.insert("Employee", ["name": "Ada", "boss": boss])
    boss.setValue(boss, forKey: "boss")
    try company.context.save()
    let read = try company.reread(ada)
    let same = try #require(read.value(forKey: "boss") as? NSManagedObject)
    #expect(same.entity.name == "Boss" && same.value(forKey: "title") as? String == "CEO")
    #expect(same.names("reports") == ["Ada", "Eve"])
  }

  @Test(arguments: StoreUnderTest.all) func idsAsURIs(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let ada = company.insert("Employee", ["name": "Ada"])
    let temporary = ada.objectID.uriRepresentation()
    #expect(temporary.absoluteString.hasPrefix("x-coredata:///Employee/t"))
    #expect(company.coordinator.managedObjectID(forURIRepresentation: temporary) == nil)
    try company.context.save()
    let uri = ada.objectID.uriRepresentation()
    #expect(uri.absoluteString == "x-coredata://\(company.store.identifier)/Employee/p1")
    #expect(company.coordinator.managedObjectID(forURIRepresentation: uri) == ada.objectID)
  }

  static let strangers = [
    "https://example.org/Employee/p1", "x-coredata://OTHER/Employee/p1", "x-coredata://HOST/Employee/1",
    "x-coredata://HOST/Nobody/p1", "x-coredata://HOST/Employee/p0", "x-coredata://HOST/Employee/p99999999999999999999",
    "x-coredata://HOST/Employee", "x-coredata://HOST/Employee/p1/x", "x-coredata:", "x",
  ]

  @Test(arguments: StoreUnderTest.all, strangers)
  func strangeURIs(_ kind: StoreUnderTest, _ text: String) throws {
    let company = try Company(kind)
    let uri = try #require(URL(string: text.replacingOccurrences(of: "HOST", with: company.store.identifier)))
    #expect(company.coordinator.managedObjectID(forURIRepresentation: uri) == nil)
  }

  /// An ID of a superentity, as somebody may spell it, gives the object that the store has.
  @Test(arguments: StoreUnderTest.all) func anIDOfASuperentity(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    company.insert("Boss", ["name": "Eve"])
    try company.context.save()
    let uri = try #require(URL(string: "x-coredata://\(company.store.identifier)/Person/p1"))
    let id = try #require(company.coordinator.managedObjectID(forURIRepresentation: uri))
    let context = company.otherContext()
    #expect(try context.existingObject(with: id).entity.name == "Boss")
    #expect(try context.existingObject(with: id).value(forKey: "name") as? String == "Eve")
  }

  @Test(arguments: StoreUnderTest.all) func missingObjects(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let id = NSManagedObjectID(
      entity: try company.entity("Employee"), store: company.store, key: 5, isTemporary: false)
    let error = #expect(throws: Diagnostic.self) { try company.context.existingObject(with: id) }
    #expect(
      error?.description == """
        the store has no object x-coredata://\(company.store.identifier)/Employee/p5 [object.missing]
          It was deleted, or the store was replaced by another.
        """)
    let object = company.context.object(with: id)
    #expect(object.isFault)
    #expect(object.value(forKey: "active") == nil && object.names("projects") == [])
  }

  @Test(arguments: StoreUnderTest.all) func idsOfAStoreThatIsGone(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let ada = company.insert("Employee", ["name": "Ada"])
    try company.context.save()
    company.coordinator.remove(company.store)
    let error = #expect(throws: Diagnostic.self) { try company.otherContext().existingObject(with: ada.objectID) }
    #expect(error?.code.name == "object.foreign")
  }
}
