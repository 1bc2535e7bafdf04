import Diagnostics
import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import ObjectGraph

private final class Project: NSManagedObject {
  var events: [String] = []
  override func awakeFromInsert() { events.append("insert") }
  override func awakeFromFetch() { events.append("fetch") }
  override func willTurnIntoFault() { events.append("willTurnIntoFault \(value(forKey: "name") ?? "")") }
  override func didTurnIntoFault() { events.append("didTurnIntoFault \(isFault || managedObjectContext == nil)") }
}

/// What was said, by whatever thread.
private final class Said: @unchecked Sendable {
  private let lock = NSLock()
  private var lines: [String] = []
  var all: [String] { lock.withLock { lines } }
  func add(_ diagnostic: Diagnostic) { lock.withLock { lines.append(diagnostic.description) } }
}

@Suite struct CreatingTests {
  private func company(_ kind: StoreUnderTest) throws -> Company {
    try Company { model, folder in
      model.entitiesByName["Project"]?.managedObjectClassName = "Project"
      model.register(Project.self)
      return try kind.make(model, folder)
    }
  }

  @Test(arguments: StoreUnderTest.all) func byTheClassAlone(_ kind: StoreUnderTest) throws {
    let company = try company(kind)
    let project = Project(context: company.context)
    #expect(project.entity.name == "Project" && project.isInserted && project.events == ["insert"])
    #expect(company.context.insertedObjects == [project])
    try company.context.save()
    let ids = try company.store.requests.objectIDs(of: company.entity("Project"), includingSubentities: true)
    #expect(ids == [project.objectID])
  }

  /// A class finds its entity by the model that it was registered with last, as long as that is there.
  @Test func theEntityOfAClass() throws {
    final class Registered: NSManagedObject {}
    func model() -> NSManagedObjectModel {
      let model = CompanyModel.make()
      model.entitiesByName["Desk"]?.managedObjectClassName = "Registered"
      model.register(Registered.self)
      return model
    }
    let first = model()
    #expect(Registered.entity() === first.entitiesByName["Desk"])
    do {
      let second = model()
      #expect(Registered.entity() === second.entitiesByName["Desk"])
      withExtendedLifetime(second) {}
    }
    #expect(Registered.entity() === first.entitiesByName["Desk"])
    withExtendedLifetime(first) {}
  }

  /// A class may do more when its objects are made, new ones and faults.
  @Test(arguments: StoreUnderTest.all) func initializersOfOnesOwn_DEVIATION(_ kind: StoreUnderTest) throws {
    final class Desk: NSManagedObject {
      var isMade = false
      required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        super.init(entity: entity, insertInto: context)
        isMade = true
      }
    }
    let company = try Company { model, folder in
      model.entitiesByName["Desk"]?.managedObjectClassName = "Desk"
      model.register(Desk.self)
      return try kind.make(model, folder)
    }
    let desk = Desk(context: company.context)
    try company.context.save()
    let read = try company.reread(desk) as? Desk
    #expect(desk.isMade && read?.isMade == true)
  }

  /// An object tells itself in one line, and fires no fault for that.
  @Test(arguments: StoreUnderTest.all) func descriptions(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let ada = company.insert(
      "Employee", ["name": "Ada", "age": 36, "born": Date(timeIntervalSinceReferenceDate: .nan)])
    #expect("\(ada)".hasPrefix("Employee not saved ("))
    ada["born"] = Date(timeIntervalSinceReferenceDate: 0)
    try company.context.save()
    let id = "x-coredata://\(company.store.identifier)/Employee/p1"
    #expect("\(ada)" == "\(id) (active: true, age: 36, born: 2001-01-01T00:00:00Z, name: Ada)")
    let other = company.otherContext()
    let fault = other.object(with: ada.objectID)
    #expect("\(fault)" == "\(id) (fault)" && fault.isFault && "\(ada.objectID)" == id)
    #expect(Mirror(reflecting: fault).children.isEmpty && Mirror(reflecting: fault.objectID).children.isEmpty)
  }

  @Test(arguments: StoreUnderTest.all) func whatAProgramKeepsWithAContext(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    company.context.userInfo["reason"] = "test"
    company.context.name = "main"
    #expect(company.context.userInfo["reason"] as? String == "test" && company.otherContext().userInfo.count == 0)
  }

  @Test(arguments: StoreUnderTest.all) func withAnEntityAndWithoutAContext(_ kind: StoreUnderTest) throws {
    let company = try company(kind)
    let project = Project(entity: try company.entity("Project"), insertInto: nil)
    project.setValue("X", forKey: "name")
    #expect(project.managedObjectContext == nil && !company.context.hasChanges && project.events == [])
    company.context.insert(project)
    try company.context.save()
    #expect(try company.reread(project).value(forKey: "name") as? String == "X")
  }

  @Test(arguments: StoreUnderTest.all) func turningIntoAFault(_ kind: StoreUnderTest) throws {
    let company = try company(kind)
    let project = Project(context: company.context)
    project.setValue("X", forKey: "name")
    try company.context.save()
    company.context.refresh(project, mergeChanges: false)
    #expect(project.events == ["insert", "willTurnIntoFault X", "didTurnIntoFault true"])
    #expect(project.isFault && project.value(forKey: "name") as? String == "X")
    company.context.reset()
    #expect(project.events.dropFirst(3) == ["fetch", "willTurnIntoFault X", "didTurnIntoFault true"])
  }

  /// Once for each class, however many objects and contexts there are; and not at all in batch contexts.
  @Test func unregisteredClassesAreSaidOnce() throws {
    let company = try Company { model, _ in
      model.entitiesByName["Task"]?.managedObjectClassName = "App.Task"
      model.entitiesByName["Desk"]?.managedObjectClassName = "App.Desk"
      return InMemoryStore(model: model)
    }
    let said = Said()
    company.coordinator.onWarning = { said.add($0) }
    let batch = company.otherContext()
    batch.isBatch = true
    NSEntityDescription.insertNewObject(forEntityName: "Task", into: batch)
    #expect(said.all == [])
    for _ in 0..<3 {
      for name in ["Task", "Project", "Desk"] { company.insert(name) }
      NSEntityDescription.insertNewObject(forEntityName: "Task", into: company.otherContext())
    }
    #expect(
      said.all == [
        """
        the class App.Task of the entity Task is not registered: its objects are plain NSManagedObjects \
        [object.unregistered-class]
          Call `model.register(Task.self)` before the model is used.
        """,
        """
        the class App.Desk of the entity Desk is not registered: its objects are plain NSManagedObjects \
        [object.unregistered-class]
          Call `model.register(Desk.self)` before the model is used.
        """,
      ])
  }

  /// A new object that was deleted in one context belongs to another now.
  @Test(arguments: StoreUnderTest.all) func deletedInOneContextAndInsertedIntoAnother(_ kind: StoreUnderTest) throws {
    let company = try company(kind)
    let project = Project(context: company.context)
    company.context.delete(project)
    let other = company.otherContext()
    other.insert(project)
    try other.save()
    #expect(!company.context.hasChanges && !project.objectID.isTemporaryID)
    #expect(try company.reread(project).objectID == project.objectID)
  }

  @Test(arguments: StoreUnderTest.all) func aDeletionIsTakenBackByInserting(_ kind: StoreUnderTest) throws {
    let company = try company(kind)
    let project = Project(context: company.context)
    try company.context.save()
    company.context.delete(project)
    company.context.insert(project)
    #expect(!project.isDeleted && company.context.deletedObjects.isEmpty)
    try company.context.save()
    #expect(try company.reread(project).objectID == project.objectID)
  }

  /// Nobody is called where nobody holds the object any more: it has given up its values already.
  @Test(arguments: StoreUnderTest.all) func anObjectThatGoesDoesNotTurnIntoAFault_DEVIATION(_ kind: StoreUnderTest)
    throws
  {
    let company = try company(kind)
    company.insert("Project", ["name": "X"])
    try company.context.save()
    let ids = try company.store.requests.objectIDs(of: company.entity("Project"), includingSubentities: true)
    var count = 0
    func read() throws -> Int {
      let project = try #require(try company.context.existingObject(with: ids[0]) as? Project)
      count += 1
      return project.events.count
    }
    #expect(try [read(), read()] == [1, 1] && count == 2 && company.context.registeredObjects.isEmpty)
  }
}
