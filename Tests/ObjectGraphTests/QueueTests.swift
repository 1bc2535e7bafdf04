import ObjectModel
import TestSupport
import Testing

@testable import ObjectGraph

@Suite struct QueueTests {
  private struct Trouble: Error, Equatable {}

  @Test(arguments: StoreUnderTest.all) func performAndWaitNests(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let context = company.context
    let name = context.performAndWait {
      let ada = company.insert("Employee", ["name": "Ada"])
      return context.performAndWait { ada.value(forKey: "name") as? String }
    }
    #expect(name == "Ada")
    #expect(throws: Trouble.self) { try context.performAndWait { () throws(Trouble) in throw Trouble() } }
  }

  @Test(arguments: StoreUnderTest.all) func performGivesBackWhatTheBlockGives(_ kind: StoreUnderTest) async throws {
    let company = try Company(kind)
    let context = company.context
    let count = await context.perform {
      NSEntityDescription.insertNewObject(forEntityName: "Project", into: context)
      return context.insertedObjects.count
    }
    #expect(count == 1)
    let enqueued = await context.perform(schedule: .enqueued) { context.hasChanges }
    #expect(enqueued)
    await #expect(throws: Trouble.self) { try await context.perform { () throws(Trouble) in throw Trouble() } }
  }

  /// Contexts of several threads on one coordinator: nothing is lost, no key is given twice.
  @Test(arguments: StoreUnderTest.all) func contextsOnManyThreads(_ kind: StoreUnderTest) async throws {
    let company = try Company(kind)
    let coordinator = company.coordinator
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<8 {
        group.addTask {
          let context = NSManagedObjectContext(coordinator: coordinator)
          try await context.perform {
            for round in 0..<5 {
              for index in 0..<10 {
                let object = NSEntityDescription.insertNewObject(forEntityName: "Project", into: context)
                object.setValue("\(thread) \(round) \(index)", forKey: "name")
              }
              try context.save()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    let ids = try company.store.requests.objectIDs(of: company.entity("Project"), includingSubentities: true)
    #expect(ids.map(\.key) == Array(1...400))
    let names = try company.context.fulfill(ids).compactMap { $0?.value(forKey: "name") as? String }
    #expect(Set(names).count == 400)
  }
}
