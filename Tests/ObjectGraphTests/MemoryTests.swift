import ObjectModel
import TestSupport
import Testing

@testable import ObjectGraph

/// What a context holds, and what it lets go of.
@Suite struct MemoryTests {
  private struct Weak {
    weak var object: NSManagedObject?
  }

  /// Objects linked to one another in every way.
  private func linked(_ company: Company) -> [Weak] {
    let rd = company.insert("Department", ["name": "R&D"])
    let project = company.insert("Project", ["name": "X"])
    let objects = (0..<10).map { company.insert("Employee", ["name": "\($0)", "department": rd]) }
    for object in objects {
      object.setValue(Set([project]), forKey: "projects")
      object.setValue(Set(objects), forKey: "friends")
    }
    project.setValue(objects, forKey: "watchers")
    return (objects + [rd, project]).map { Weak(object: $0) }
  }

  @Test(arguments: StoreUnderTest.all) func savedObjectsThatNobodyHoldsGo(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let objects = linked(company)
    #expect(objects.allSatisfy { $0.object != nil })
    try company.context.save()
    #expect(objects.allSatisfy { $0.object == nil })
    #expect(company.context.registeredObjects.isEmpty)
  }

  @Test(arguments: StoreUnderTest.all) func objectsGoWithAReset(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let objects = linked(company)
    company.context.reset()
    #expect(objects.allSatisfy { $0.object == nil })
  }

  @Test(arguments: StoreUnderTest.all) func objectsGoWithARollback(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let objects = linked(company)
    company.context.rollback()
    #expect(objects.allSatisfy { $0.object == nil })
  }

  @Test(arguments: StoreUnderTest.all) func objectsGoWithTheirContext(_ kind: StoreUnderTest) throws {
    var company: Company? = try Company(kind)
    let objects = linked(try #require(company))
    weak let context = company?.context
    company = nil
    #expect(context == nil && objects.allSatisfy { $0.object == nil })
  }

  @Test(arguments: StoreUnderTest.all) func changedObjectsAreHeld(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let ada = company.insert("Employee", ["name": "Ada"])
    try company.context.save()
    let context = company.otherContext()
    try context.existingObject(with: ada.objectID).setValue("Grace", forKey: "name")
    #expect(context.registeredObject(for: ada.objectID)?.value(forKey: "name") as? String == "Grace")
    try context.save()
    #expect(context.registeredObject(for: ada.objectID) == nil)
  }

  /// A store is read through with one context, and the table of objects does not grow with it.
  @Test func theTableOfObjectsForgetsThoseThatAreGone() {
    let entity = CompanyModel.entity("Node", [])
    var registered = RegisteredObjects()
    for key in 1...10_000 {
      let object = NSManagedObject(entity: entity, insertInto: nil)
      object.knownID = NSManagedObjectID(entity: entity, store: nil, key: Int64(key), isTemporary: false)
      registered.insert(object)
    }
    #expect(registered.count <= 1_025)
  }
}
