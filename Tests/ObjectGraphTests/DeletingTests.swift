import Diagnostics
import ObjectModel
import TestSupport
import Testing

@testable import ObjectGraph

@Suite struct DeletingTests {
  @Test(arguments: StoreUnderTest.all) func deletedObjectsLeaveStoreAndContext(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let ada = company.insert("Employee", ["name": "Ada"])
    try company.context.save()
    let id = ada.objectID
    company.context.delete(ada)
    #expect(ada.isDeleted && company.context.deletedObjects == [ada])
    try company.context.save()
    #expect(ada.managedObjectContext == nil && company.context.registeredObject(for: id) == nil)
    #expect(throws: Diagnostic.self) { try company.context.existingObject(with: id) }
    // A key is never given again.
    let next = company.insert("Employee", ["name": "Bob"])
    try company.context.save()
    #expect(next.objectID.key == 2)
  }

  @Test(arguments: StoreUnderTest.all) func newObjectsAreDeletedAtOnce(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let rd = company.insert("Department", ["name": "R&D"])
    let ada = company.insert("Employee", ["name": "Ada", "department": rd])
    company.context.delete(ada)
    #expect(ada.managedObjectContext == nil && !ada.isInserted && !ada.isDeleted)
    #expect(company.context.insertedObjects == [rd] && rd.names("employees") == [])
    try company.context.save()
    #expect(try company.store.requests.objectIDs(of: company.entity("Person"), includingSubentities: true).isEmpty)
  }

  @Test(arguments: StoreUnderTest.all, [(false, false), (false, true), (true, true)])
  func deletedObjectsCanBeInsertedAgain(_ kind: StoreUnderTest, saving: (before: Bool, after: Bool)) throws {
    let company = try Company(kind)
    let ada = company.insert("Employee", ["name": "Ada"])
    if saving.before { try company.context.save() }
    company.context.delete(ada)
    if saving.after { try company.context.save() }
    company.context.insert(ada)
    #expect(ada.isInserted && company.context.insertedObjects == [ada])
    try company.context.save()
    let ids = try company.store.requests.objectIDs(of: company.entity("Person"), includingSubentities: true)
    #expect(ids == [ada.objectID] && ids[0].key == (saving.before ? 2 : 1))
    #expect(try company.reread(ada).value(forKey: "name") as? String == "Ada")
  }

  @Test(arguments: StoreUnderTest.all, [false, true]) func nullify(_ kind: StoreUnderTest, afterRereading: Bool) throws
  {
    let company = try Company(kind)
    let rd = company.insert("Department", ["name": "R&D"])
    let desk = company.insert("Desk")
    let project = company.insert("Project", ["name": "X"])
    let people = ["Ada", "Bob"].map {
      company.insert("Employee", ["name": $0, "department": rd, "projects": Set([project])])
    }
    people[0].setValue(desk, forKey: "desk")
    try company.context.save()
    if afterRereading { company.context.reset() }
    func current(_ object: NSManagedObject) -> NSManagedObject { company.context.object(with: object.objectID) }
    company.context.delete(current(rd))
    company.context.delete(current(people[0]))
    #expect(current(people[1]).value(forKey: "department") == nil)
    #expect(current(desk).value(forKey: "owner") == nil)
    #expect(current(project).names("members") == ["Bob"])
    try company.context.save()
    #expect(try company.reread(people[1]).value(forKey: "department") == nil)
    #expect(try company.reread(desk).value(forKey: "owner") == nil)
    #expect(try company.reread(project).names("members") == ["Bob"])
  }

  @Test(arguments: StoreUnderTest.all) func cascade(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let project = company.insert("Project")
    let other = company.insert("Project")
    for index in 0..<5 { company.insert("Task", ["name": "\(index)", "project": index < 3 ? project : other]) }
    try company.context.save()
    company.context.reset()
    company.context.delete(company.context.object(with: project.objectID))
    #expect(company.context.deletedObjects.count == 4)
    try company.context.save()
    #expect(try company.store.requests.objectIDs(of: company.entity("Task"), includingSubentities: true).count == 2)
    #expect(try company.reread(other).names("tasks") == ["3", "4"])
  }

  /// A long chain is no deep recursion, and each generation is read in one request, however many objects it has.
  @Test func cascadesAreReadByGeneration() throws {
    let node = CompanyModel.entity("Node", [])
    CompanyModel.relate(node, "children", node, "parent", many: (true, false), rule: .cascadeDeleteRule)
    let model = NSManagedObjectModel()
    model.entities = [node]
    let store = RecordingStore(model: model)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    coordinator.add(store)
    let context = NSManagedObjectContext(coordinator: coordinator)
    func insert(_ parent: NSManagedObject?) -> NSManagedObject {
      let object = NSManagedObject(entity: node, insertInto: context)
      object.setValue(parent, forKey: "parent")
      return object
    }
    let root = insert(nil)
    for _ in 0..<100 { _ = insert(root) }
    var last = root
    for _ in 0..<200 { last = insert(last) }
    try context.save()
    let id = root.objectID
    context.reset()
    store.calls = []
    context.delete(context.object(with: id))
    try context.save()
    // One request for the rows and one for the children of each of the 201 generations, and the save.
    #expect(store.calls.count == 2 * 201 + 1)
    #expect(store.calls.prefix(3) == ["rows 1", "children of 1", "rows 101"])
    #expect(store.calls.last == "save +0 ~0 -301 *0")
  }

  @Test(arguments: StoreUnderTest.all) func deny(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let boss = company.insert("Boss", ["name": "Eve"])
    let ada = company.insert("Employee", ["name": "Ada", "boss": boss])
    try company.context.save()
    company.context.delete(boss)
    let error = #expect(throws: SaveError.self) { try company.context.save() }
    #expect(error?.errorCode == 1600)
    guard case .validation(let invalid) = error else { return }
    #expect(invalid.map(\.objectID) == [boss.objectID] && invalid[0].error.property == "reports")
    // Deleting what stands in the way too is allowed.
    company.context.delete(ada)
    try company.context.save()
    #expect(try company.store.requests.objectIDs(of: company.entity("Person"), includingSubentities: true).isEmpty)
  }

  @Test(arguments: StoreUnderTest.all) func noAction(_ kind: StoreUnderTest) throws {
    let company = try Company { model, folder in
      model.entitiesByName["Department"]?.relationshipsByName["employees"]?.deleteRule = .noActionDeleteRule
      return try kind.make(model, folder)
    }
    let rd = company.insert("Department", ["name": "R&D"])
    let ada = company.insert("Employee", ["name": "Ada", "department": rd])
    try company.context.save()
    company.context.delete(rd)
    try company.context.save()
    // The reference leads nowhere: the object behind it reads as empty.
    let lost = try #require(try company.reread(ada).value(forKey: "department") as? NSManagedObject)
    #expect(lost.isFault)
    #expect(lost.value(forKey: "name") == nil && !lost.isFault)
  }

  @Test(arguments: StoreUnderTest.all) func aRequiredInverseForbidsNullifying(_ kind: StoreUnderTest) throws {
    let company = try Company { model, folder in
      model.entitiesByName["Project"]?.relationshipsByName["tasks"]?.deleteRule = .nullifyDeleteRule
      return try kind.make(model, folder)
    }
    let project = company.insert("Project")
    company.insert("Task", ["project": project])
    try company.context.save()
    company.context.delete(project)
    let error = #expect(throws: SaveError.self) { try company.context.save() }
    #expect(error?.errorCode == 1570)
    company.context.rollback()
    #expect((project.value(forKey: "tasks") as? [NSManagedObject])?.count == 1)
  }

  @Test func trouble() throws {
    let company = try Company { model, _ in RecordingStore(model: model) }
    let store = try #require(company.store as? RecordingStore)
    let project = company.insert("Project")
    try company.context.save()
    company.context.reset()
    store.failure = Diagnostic(.init("test.broken", .environment), "the disk is gone", hint: "Bring it back.")
    company.context.delete(company.context.object(with: project.objectID))
    store.failure = nil
    let error = #expect(throws: SaveError.self) { try company.context.save() }
    guard case .store(let diagnostic) = error else { throw try #require(error) }
    #expect(diagnostic.code.name == "test.broken")
    company.context.rollback()
    try company.context.save()
  }
}
