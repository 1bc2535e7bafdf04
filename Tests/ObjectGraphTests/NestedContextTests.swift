import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import ObjectGraph

@Suite struct NestedContextTests {
  private func child(of company: Company) -> NSManagedObjectContext {
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = company.context
    return child
  }

  @discardableResult
  private func insert(_ entity: String, _ values: [String: Any], _ context: NSManagedObjectContext) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    for (key, value) in values.sorted(by: { $0.key < $1.key }) { object[key] = value }
    return object
  }

  @Test(arguments: StoreUnderTest.all) func aChildSavesToItsParent(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let rd = company.insert("Department", ["name": "R&D"])
    let bob = company.insert("Employee", ["name": "Bob", "department": rd])
    let cy = company.insert("Employee", ["name": "Cy", "department": rd])
    try company.context.save()
    let child = child(of: company)
    #expect(child.persistentStoreCoordinator === company.coordinator)
    let same = try child.existingObject(with: rd.objectID)
    let ada = insert("Employee", ["name": "Ada", "department": same], child)
    child.delete(try child.existingObject(with: bob.objectID))
    try child.existingObject(with: cy.objectID)["name"] = "Cyd"
    #expect(rd.names("employees") == ["Bob", "Cy"] && !company.context.hasChanges)
    try child.save()
    #expect(!child.hasChanges && rd.names("employees") == ["Ada", "Cyd"] && bob.isDeleted)
    #expect(company.context.insertedObjects.map(\.objectID) == [ada.objectID] && cy.isUpdated)
    #expect(try company.reread(cy)["name", as: String.self] == "Cy")
    try company.context.save()
    #expect(try company.reread(rd).names("employees") == ["Ada", "Cyd"])
    #expect(ada["name", as: String.self] == "Ada" && same.names("employees") == ["Ada", "Cyd"])
  }

  @Test(arguments: StoreUnderTest.all) func aChildSeesWhatItsParentHasNotSaved(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let rd = company.insert("Department", ["name": "R&D"])
    try company.context.save()
    rd["name"] = "Labs"
    let ada = company.insert("Employee", ["name": "Ada", "department": rd, "desk": company.insert("Desk")])
    let temporary = ada.objectID
    #expect(temporary.isTemporaryID)
    let child = child(of: company)
    let same = try child.existingObject(with: temporary)
    #expect(same.objectID == ada.objectID && !same.objectID.isTemporaryID)
    #expect(same === child.object(with: temporary) && same === child.registeredObject(for: ada.objectID))
    #expect(same.names("department") == ["Labs"] && same["desk"] != nil)
    #expect(try child.existingObject(with: rd.objectID).names("employees") == ["Ada"])
    same["age"] = 30
    same["desk"] = nil
    try child.save()
    #expect(ada["age", as: Int.self] == 30 && ada["desk"] == nil && ada.isInserted)
    try company.context.save()
    #expect(company.context.object(with: temporary) === ada)
    #expect(try company.reread(ada)["age", as: Int.self] == 30)
    company.context.delete(ada)
    #expect(throws: (any Error).self) { try self.child(of: company).existingObject(with: ada.objectID) }
  }

  @Test(arguments: StoreUnderTest.all) func everyKindOfRelationship(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let x = company.insert("Project", ["name": "X"])
    let people = ["Ada", "Bob", "Cy"].map { company.insert("Employee", ["name": $0]) }
    for name in ["a", "b", "c"] { company.insert("Task", ["name": name, "project": x]) }
    people[0]["projects"] = Set([x])
    x["watchers"] = [people[0], people[1]]
    people[0]["friends"] = Set([people[1]])
    try company.context.save()
    let child = child(of: company)
    let project = try child.existingObject(with: x.objectID)
    let same = try people.map { try child.existingObject(with: $0.objectID) }
    project.mutableSetValue(forKey: "members").add(same[2])
    project.mutableSetValue(forKey: "members").remove(same[0])
    project["watchers"] = [same[2], same[1], same[0]]
    let task = insert("Task", ["name": "d"], child)
    project.mutableOrderedSetValue(forKey: "tasks").insert(task, at: 1)
    same[2]["friends"] = Set([same[0]])
    let y = insert("Project", ["name": "Y", "members": Set(same)], child)
    func check(_ project: NSManagedObject, _ ada: NSManagedObject, _ other: NSManagedObject) {
      #expect(project.names("members") == ["Cy"] && project.names("watchers") == ["Cy", "Bob", "Ada"])
      #expect(project.names("tasks") == ["a", "d", "b", "c"] && ada.names("friends") == ["Bob", "Cy"])
      #expect(other.names("members") == ["Ada", "Bob", "Cy"])
    }
    check(project, same[0], y)
    try child.save()
    check(x, people[0], company.context.object(with: y.objectID))
    try company.context.save()
    check(try company.reread(x), try company.reread(people[0]), try company.reread(y))
  }

  @Test(arguments: StoreUnderTest.all) func grandchildren(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let child = child(of: company)
    let grandchild = NSManagedObjectContext(.privateQueue)
    grandchild.parent = child
    let ada = insert("Employee", ["name": "Ada"], grandchild)
    try grandchild.save()
    #expect(child.insertedObjects.count == 1 && company.context.insertedObjects.isEmpty)
    try child.save()
    try company.context.save()
    #expect(try company.reread(ada)["name", as: String.self] == "Ada")
  }

  @Test(arguments: StoreUnderTest.all) func refusals(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let ada = company.insert("Employee", ["name": "Ada"])
    try company.context.save()
    let child = child(of: company)
    let same = try child.existingObject(with: ada.objectID)
    same["age"] = 5
    #expect(throws: SaveError.self) { try child.save() }
    #expect(!ada.hasChanges && same.isUpdated)
    same["age"] = 30
    company.context.delete(ada)
    // What the parent has deleted is not saved to it.
    let error = #expect(throws: SaveError.self) { try child.save() }
    #expect(error?.errorCode == NSManagedObjectMergeError)
    child.rollback()
    #expect(!child.hasChanges)
  }

  /// A child's save is one step to undo in its parent, and one event to its observers.
  @Test(arguments: StoreUnderTest.all) func undoingAChildsSave(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    company.context.undoManager = UndoManager()
    let rd = company.insert("Department", ["name": "R&D"])
    try company.context.save()
    let child = child(of: company)
    let same = try child.existingObject(with: rd.objectID)
    for name in ["Ada", "Bob"] { insert("Employee", ["name": name, "department": same], child) }
    same["name"] = "Labs"
    try child.save()
    #expect(rd.names("employees") == ["Ada", "Bob"])
    company.context.undo()
    #expect(rd.names("employees") == [] && rd["name", as: String.self] == "R&D")
    #expect(company.context.insertedObjects.isEmpty)
  }
}
