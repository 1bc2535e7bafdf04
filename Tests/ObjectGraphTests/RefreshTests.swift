import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import ObjectGraph

@Suite struct RefreshTests {
  /// An object that somebody else has changed since it was read.
  private func prepared(_ kind: StoreUnderTest) throws -> (Company, NSManagedObject) {
    let company = try Company(kind)
    let rd = company.insert("Department", ["name": "R&D"])
    let ada = company.insert("Employee", ["name": "Ada", "rating": 1.0])
    try company.context.save()
    _ = ada.names("projects")
    let other = company.otherContext()
    let same = try other.existingObject(with: ada.objectID)
    same["name"] = "Eve"
    same["rating"] = 2.0
    same["department"] = try other.existingObject(with: rd.objectID)
    let project = NSEntityDescription.insertNewObject(forEntityName: "Project", into: other)
    project["name"] = "X"
    project["members"] = Set([same])
    try other.save()
    return (company, ada)
  }

  @Test(arguments: StoreUnderTest.all) func withChangesKept(_ kind: StoreUnderTest) throws {
    let (company, ada) = try prepared(kind)
    ada["name"] = "Grace"
    company.context.refresh(ada, mergeChanges: true)
    #expect(ada["name", as: String.self] == "Grace" && ada["rating", as: Double.self] == 2)
    #expect(ada.names("department") == ["R&D"] && ada.names("projects") == ["X"] && ada.isUpdated)
    // It was read again: nobody is in the way of the save.
    try company.context.save()
    #expect(try company.reread(ada)["name", as: String.self] == "Grace")
  }

  @Test(arguments: StoreUnderTest.all) func withChangesLost(_ kind: StoreUnderTest) throws {
    let (company, ada) = try prepared(kind)
    ada["name"] = "Grace"
    company.context.refresh(ada, mergeChanges: false)
    #expect(ada.isFault && !ada.hasChanges && !company.context.hasChanges)
    #expect(ada["name", as: String.self] == "Eve" && ada.names("projects") == ["X"])
    // It may be changed again, and is saved once.
    ada["name"] = "Zoe"
    company.context.refresh(ada, mergeChanges: false)
    ada["name"] = "Ida"
    try company.context.save()
    #expect(try company.reread(ada)["name", as: String.self] == "Ida")
  }

  @Test(arguments: StoreUnderTest.all) func allObjects(_ kind: StoreUnderTest) throws {
    let (company, ada) = try prepared(kind)
    let new = company.insert("Employee", ["name": "New"])
    company.context.refreshAllObjects()
    #expect(ada["name", as: String.self] == "Eve" && !ada.hasChanges && new["name", as: String.self] == "New")
    company.context.refresh(new, mergeChanges: false)
    #expect(new.isInserted && new["name", as: String.self] == "New")
  }

  @Test func prefetching() throws {
    let company = try Company { model, _ in RecordingStore(model: model) }
    let store = try #require(company.store as? RecordingStore)
    for index in 0..<20 {
      let rd = company.insert("Department", ["name": "\(index)"])
      let desk = company.insert("Desk")
      company.insert("Employee", ["name": "\(index)", "department": rd, "desk": desk])
    }
    try company.context.save()
    let ids = try store.requests.objectIDs(of: company.entity("Department"), includingSubentities: true)
    let context = company.otherContext()
    let departments = ids.map { context.object(with: $0) }
    store.calls = []
    try context.prefetch(["employees.desk"], for: departments)
    #expect(store.calls == ["rows 20", "employees of 20", "rows 20", "rows 20"])
    for department in departments {
      let desks = department.value(forKeyPath: "employees.desk") as? [NSManagedObject]
      #expect(desks?.count == 1 && desks?.first?.isFault == false)
    }
    #expect(store.calls.count == 4)
  }

  // MARK: What others save

  @Test(arguments: StoreUnderTest.all) func mergingWhatAnotherContextSaved(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let rd = company.insert("Department", ["name": "R&D"])
    let people = ["Ada", "Bob", "Cy"].map { company.insert("Employee", ["name": $0, "department": rd]) }
    try company.context.save()
    #expect(rd.names("employees").count == 3)
    company.context.undoManager = UndoManager()
    let other = company.otherContext()
    let saved = Saved(other)
    let same = try people.map { try other.existingObject(with: $0.objectID) }
    same[0]["name"] = "Ida"
    same[0]["rating"] = 2.0
    other.delete(same[1])
    other.delete(same[2])
    NSEntityDescription.insertNewObject(forEntityName: "Employee", into: other)["name"] = "New"
    other.insertedObjects.first?["department"] = try other.existingObject(with: rd.objectID)
    try other.save()
    people[0]["name"] = "Grace"
    people[2]["age"] = 30
    company.context.mergeChanges(fromContextDidSave: try #require(saved.notification))
    #expect(people[0]["name", as: String.self] == "Grace" && people[0]["rating", as: Double.self] == 2)
    #expect(people[1].managedObjectContext == nil && people[2].isUpdated)
    #expect(Set(rd.names("employees")).isSuperset(of: ["Grace", "New"]))
    // Merging is nothing to undo.
    company.context.undo()
    #expect(people[0]["name", as: String.self] == "Ada" && people[1].managedObjectContext == nil)
  }

  /// What a batch request did past the contexts is told to them by IDs.
  @Test(arguments: StoreUnderTest.all) func mergingWhatABatchDid(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let people = ["Ada", "Bob", "Cy"].map { company.insert("Employee", ["name": $0]) }
    try company.context.save()
    let other = company.otherContext()
    let bob = try other.existingObject(with: people[1].objectID)
    let update = NSBatchUpdateRequest(entityName: "Employee")
    update.propertiesToUpdate = ["rating": 3.0]
    update.resultType = .updatedObjectIDsResultType
    let updated = try #require((try company.context.execute(update) as? NSBatchUpdateResult)?.result)
    let deletion = NSBatchDeleteRequest(objectIDs: [people[2].objectID])
    deletion.resultType = .resultTypeObjectIDs
    let deleted = try #require((try company.context.execute(deletion) as? NSBatchDeleteResult)?.result)
    #expect(people[0]["rating"] == nil && bob["rating"] == nil && people[2].managedObjectContext != nil)
    NSManagedObjectContext.mergeChanges(
      fromRemoteContextSave: [NSUpdatedObjectsKey: updated, NSDeletedObjectIDsKey: deleted],
      into: [company.context, other])
    #expect(people[0]["rating", as: Double.self] == 3 && bob["rating", as: Double.self] == 3)
    #expect(people[2].managedObjectContext == nil && !company.context.hasChanges)
    people[0]["name"] = "Ida"
    try company.context.save()
    // URIs and objects serve as well.
    try company.reread(people[0]).managedObjectContext?.execute(update)
    let uris = [people[0].objectID.uriRepresentation()]
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: uris], into: [company.context])
    people[0]["name"] = "Eve"
    try company.context.save()
  }

  @Test(arguments: StoreUnderTest.all) func mergingByItself(_ kind: StoreUnderTest) async throws {
    let company = try Company(kind)
    let context = company.context
    let id = try await context.perform {
      let ada = NSEntityDescription.insertNewObject(forEntityName: "Employee", into: context)
      ada["name"] = "Ada"
      try context.save()
      context.automaticallyMergesChangesFromParent = true
      context.undoManager = UndoManager()
      // Held by the undo manager.
      ada["age"] = 30
      return ada.objectID
    }
    let other = company.otherContext()
    try await other.perform {
      try other.existingObject(with: id)["name"] = "Eve"
      try other.save()
    }
    let names = await context.perform(schedule: .enqueued) {
      [context.object(with: id)["name", as: String.self], context.object(with: id).isUpdated ? "updated" : ""]
    }
    #expect(names == ["Eve", "updated"])
  }

  private final class Saved: @unchecked Sendable {
    private(set) var notification: Notification?
    private var token: (any NSObjectProtocol)?

    init(_ context: NSManagedObjectContext) {
      let name = NSManagedObjectContext.didSaveObjectsNotification
      token = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { [weak self] in
        self?.notification = $0
      }
    }

    deinit { if let token { NotificationCenter.default.removeObserver(token) } }
  }
}
