import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import ObjectGraph

/// Parent, child and sibling contexts on eight threads; run under the thread sanitizer too.
@Suite struct ThreadTests {
  private static let threads = 8
  private static let rounds = 5

  @Test(arguments: StoreUnderTest.all) func parentsChildrenAndSiblings(_ kind: StoreUnderTest) async throws {
    let company = try Company(kind)
    let coordinator = company.coordinator
    let root = company.insert("Department", ["name": "root"])
    try company.context.save()
    let rootID = root.objectID
    let parent = NSManagedObjectContext(coordinator: coordinator)
    parent.mergePolicy = .mergeByPropertyObjectTrump
    try await withThrowingTaskGroup(of: Void.self) { group in
      for thread in 0..<Self.threads {
        // Every third works on the parent itself, on a child of it, on a sibling of its own.
        let context: NSManagedObjectContext
        switch thread % 3 {
        case 0: context = parent
        case 1:
          context = NSManagedObjectContext(.privateQueue)
          context.parent = parent
        default: context = NSManagedObjectContext(coordinator: coordinator)
        }
        context.mergePolicy = .mergeByPropertyObjectTrump
        group.addTask {
          for round in 0..<Self.rounds {
            try await context.perform {
              for index in 0..<5 {
                let object = NSEntityDescription.insertNewObject(forEntityName: "Employee", into: context)
                object["name"] = "\(thread) \(round) \(index)"
                object["department"] = context.object(with: rootID)
              }
              _ = try context.existingObject(with: rootID)["name", as: String.self]
              try context.save()
            }
            // Changes of the same object by all of them.
            await context.perform { context.object(with: rootID)["code"] = "\(thread) \(round)" }
            try await context.perform { try context.save() }
          }
        }
      }
      try await group.waitForAll()
    }
    try await parent.perform { try parent.save() }
    let ids = try company.store.requests.objectIDs(of: company.entity("Employee"), includingSubentities: true)
    #expect(ids.count == Self.threads * Self.rounds * 5)
    let reader = company.otherContext()
    let names = try reader.fulfill(ids).compactMap { $0?["name", as: String.self] }
    #expect(Set(names).count == ids.count)
    #expect(try reader.existingObject(with: rootID).names("employees").count == ids.count)
  }

  @Test(arguments: StoreUnderTest.all) func blocksOfOneContextComeOneAfterAnother(_ kind: StoreUnderTest) async throws {
    let company = try Company(kind)
    let context = company.context
    let counter = Counter()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<Self.threads {
        group.addTask {
          for _ in 0..<50 {
            await context.perform { counter.count += 1 }
            context.performAndWait { counter.count += 1 }
          }
        }
      }
    }
    #expect(context.performAndWait { counter.count } == Self.threads * 100)
  }

  /// Guarded by a context's queue alone.
  private final class Counter: @unchecked Sendable { var count = 0 }
}
