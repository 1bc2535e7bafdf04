import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import ObjectGraph

@Suite struct MergePolicyTests {
  private struct Outcome: Sendable {
    var name: String
    var rating: Double
    var age: Int
    var department: String
  }

  /// The object was read with name Ada, rating 1, age 20 and department A; somebody else made it name Eve, rating 2, department B.
  /// Here it is made name Grace, age 30, department C.
  private static let outcomes: [Case<NSMergePolicy, Outcome>] = [
    Case("store trumps", .mergeByPropertyStoreTrump, Outcome(name: "Eve", rating: 2, age: 30, department: "B")),
    Case("object trumps", .mergeByPropertyObjectTrump, Outcome(name: "Grace", rating: 2, age: 30, department: "C")),
    Case("overwrite", .overwrite, Outcome(name: "Grace", rating: 1, age: 30, department: "C")),
    Case("rollback", .rollback, Outcome(name: "Eve", rating: 2, age: 20, department: "B")),
  ]

  private func prepared(_ kind: StoreUnderTest) throws -> (Company, NSManagedObject) {
    let company = try Company(kind)
    let departments = ["A", "B", "C"].map { company.insert("Department", ["name": $0]) }
    let ada = company.insert(
      "Employee", ["name": "Ada", "rating": 1.0, "age": 20, "department": departments[0]])
    try company.context.save()
    let other = company.otherContext()
    let same = try other.existingObject(with: ada.objectID)
    same["name"] = "Eve"
    same["rating"] = 2.0
    same["department"] = try other.existingObject(with: departments[1].objectID)
    try other.save()
    ada["name"] = "Grace"
    ada["age"] = 30
    ada["department"] = departments[2]
    return (company, ada)
  }

  @Test(arguments: StoreUnderTest.all, outcomes)
  private func changedByBoth(_ kind: StoreUnderTest, _ c: Case<NSMergePolicy, Outcome>) throws {
    let (company, ada) = try prepared(kind)
    company.context.mergePolicy = c.input
    let bystander = company.insert("Project", ["name": "X"])
    try company.context.save()
    for object in [ada, try company.reread(ada)] {
      #expect(object["name", as: String.self] == c.expected.name)
      #expect(object["rating", as: Double.self] == c.expected.rating)
      #expect(object["age", as: Int.self] == c.expected.age)
      #expect(object.names("department") == [c.expected.department])
    }
    #expect(!ada.hasChanges && !bystander.objectID.isTemporaryID)
    // The next save finds the version that this one left.
    ada["name"] = "Zoe"
    try company.context.save()
    #expect(try company.reread(ada)["name", as: String.self] == "Zoe")
  }

  @Test(arguments: StoreUnderTest.all) func theDefaultIsToFail(_ kind: StoreUnderTest) throws {
    let (company, ada) = try prepared(kind)
    #expect(company.context.mergePolicy.mergeType == .errorMergePolicyType)
    let error = #expect(throws: SaveError.self) { try company.context.save() }
    let shown = try #require(error as NSError?)
    #expect(shown.domain == NSCocoaErrorDomain && shown.code == NSManagedObjectMergeError)
    #expect(shown.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObjectID] == [ada.objectID])
    let conflicts = try #require(shown.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict])
    #expect(conflicts.map(\.sourceObject) == [ada])
    #expect(conflicts[0].oldVersionNumber == 1 && conflicts[0].newVersionNumber == 2)
    let department = ada["department"] as? NSManagedObject
    #expect(conflicts[0].objectSnapshot["department"] as? NSManagedObjectID == department?.objectID)
    #expect(
      conflicts[0].persistedSnapshot?["name"] as? String == "Eve"
        && conflicts[0].cachedSnapshot["name"] as? String == "Ada")
    #expect(shown.localizedDescription.hasSuffix("/Employee/p1 was changed or deleted by somebody else"))
  }

  @Test(arguments: StoreUnderTest.all, outcomes.map(\.input.mergeType))
  func deletedBySomebodyElse(_ kind: StoreUnderTest, _ type: NSMergePolicy.MergeType) throws {
    let company = try Company(kind)
    let ada = company.insert("Employee", ["name": "Ada", "age": 20])
    try company.context.save()
    let id = ada.objectID
    let other = company.otherContext()
    other.delete(try other.existingObject(with: id))
    try other.save()
    ada["name"] = "Grace"
    company.context.mergePolicy = NSMergePolicy(merge: type)
    try company.context.save()
    let found = try company.otherContext().fulfill([id])[0]
    if type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType {
      #expect(found?["name", as: String.self] == "Grace" && found?["age", as: Int.self] == 20)
      #expect(!ada.hasChanges && ada.objectID == id)
    } else {
      #expect(found == nil && ada.managedObjectContext == nil)
    }
  }

  @Test(arguments: StoreUnderTest.all, outcomes.map(\.input.mergeType))
  func deletedHereAndChangedElsewhere(_ kind: StoreUnderTest, _ type: NSMergePolicy.MergeType) throws {
    let company = try Company(kind)
    let ada = company.insert("Employee", ["name": "Ada"])
    try company.context.save()
    let id = ada.objectID
    let other = company.otherContext()
    try other.existingObject(with: id)["name"] = "Eve"
    try other.save()
    company.context.delete(ada)
    company.context.mergePolicy = NSMergePolicy(merge: type)
    try company.context.save()
    let found = try company.otherContext().fulfill([id])[0]
    if type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType {
      #expect(found == nil)
    } else {
      #expect(found?["name", as: String.self] == "Eve" && ada["name", as: String.self] == "Eve" && !ada.isDeleted)
    }
  }

  // MARK: Unique values

  @Test(arguments: StoreUnderTest.all, outcomes.map(\.input.mergeType))
  func newObjectsTakeThePlaceOfRows(_ kind: StoreUnderTest, _ type: NSMergePolicy.MergeType) throws {
    let company = try Company(kind)
    let rd = company.insert("Department", ["name": "R&D", "code": "1"])
    let ada = company.insert("Employee", ["name": "Ada", "department": rd])
    for index in 0..<150 { company.insert("Department", ["name": "\(index)", "code": "old"]) }
    try company.context.save()
    let context = company.otherContext()
    context.mergePolicy = NSMergePolicy(merge: type)
    func insert(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
      let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
      for (key, value) in values { object[key] = value }
      return object
    }
    let same = insert("Department", ["name": "R&D"])
    let bob = insert("Employee", ["name": "Bob", "department": same])
    for index in 0..<150 { _ = insert("Department", ["name": "\(index)", "code": "new"]) }
    try context.save()
    #expect(same.objectID == rd.objectID && !same.hasChanges && !context.hasChanges)
    let read = try company.reread(rd)
    // Overwriting writes the new object's state, the others what was set or nothing.
    #expect(read["code", as: String.self] == (type == .overwriteMergePolicyType ? nil : "1"))
    #expect(read.names("employees") == ["Ada", "Bob"] && same.names("employees") == ["Ada", "Bob"])
    #expect(try company.reread(bob).names("department") == ["R&D"])
    let ids = try company.store.requests.objectIDs(of: company.entity("Department"), includingSubentities: true)
    let isOurs = type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType
    let codes = try company.otherContext().fulfill(ids).dropFirst().compactMap { $0?["code", as: String.self] }
    #expect(ids.count == 151 && Set(codes) == [isOurs ? "new" : "old"])
    _ = ada
  }

  /// Without a policy that merges, the error has the conflicts as Core Data tells them.
  @Test(arguments: StoreUnderTest.all) func constraintConflictsAreTold(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let old = company.insert("Department", ["name": "R&D", "code": "1"])
    try company.context.save()
    let new = company.insert("Department", ["name": "R&D", "code": "2"])
    let doubles = (0..<3).map { company.insert("Department", ["name": "Sales", "code": "\($0)"]) }
    company.insert("Department", ["name": "Law"])
    let error = try #require(#expect(throws: SaveError.self) { try company.context.save() })
    let shown = error as NSError
    #expect(shown.code == NSManagedObjectConstraintMergeError)
    #expect(
      shown.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObjectID]
        == ([new] + doubles.dropFirst()).map(\.objectID))
    let conflicts = try #require(shown.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict])
    #expect(conflicts.map(\.conflictingObjects) == [[new], doubles])
    #expect(conflicts.map(\.databaseObject) == [old, nil] && conflicts.allSatisfy { $0.constraint == ["name"] })
    #expect(conflicts.map { $0.constraintValues["name"] as? String } == ["R&D", "Sales"])
    #expect(conflicts[0].databaseSnapshot?["code"] as? String == "1" && conflicts[1].databaseSnapshot == nil)
    #expect(conflicts[1].conflictingSnapshots.map { $0["code"] as? String } == ["0", "1", "2"])
    #expect(
      error.localizedDescription
        == Array(repeating: "another Department has the same name", count: 3).joined(separator: "\n"))
    #expect(company.context.insertedObjects.count == 5)
  }

  /// Of new objects with the same values the first stays, with the links of all; the policy says whose values it has.
  @Test(arguments: StoreUnderTest.all, outcomes.map(\.input.mergeType))
  func newDoublesBecomeOne(_ kind: StoreUnderTest, _ type: NSMergePolicy.MergeType) throws {
    let company = try Company(kind)
    company.context.mergePolicy = NSMergePolicy(merge: type)
    let first = company.insert("Employee", ["name": "Ada", "email": "a@x", "rating": 1.0])
    let department = company.insert("Department", ["name": "R&D"])
    let project = company.insert("Project", ["name": "X"])
    let friend = company.insert("Person", ["name": "Bob"])
    let second = company.insert(
      "Employee",
      [
        "name": "Grace", "email": "a@x", "age": 30, "department": department, "projects": Set([project]),
        "friends": Set([friend]),
      ])
    let third = company.insert("Employee", ["name": "Zoe", "email": "a@x"])
    third["friends"] = Set([first, second])
    try company.context.save()
    #expect(!company.context.hasChanges && second.managedObjectContext == nil && third.managedObjectContext == nil)
    let read = try company.reread(first)
    let isOurs = type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType
    let isWhole = type == .overwriteMergePolicyType
    #expect(read["name", as: String.self] == (isOurs ? "Zoe" : "Ada"))
    #expect(read["rating", as: Double.self] == (isWhole ? nil : 1))
    #expect(read["age", as: Int.self] == (isOurs && !isWhole ? 30 : nil))
    #expect(read.names("department") == (isOurs && !isWhole ? ["R&D"] : []))
    #expect(read.names("projects") == ["X"] && read.names("friends") == ["Bob"])
    #expect(try company.reread(friend).names("friends") == [isOurs ? "Zoe" : "Ada"])
    let ids = try company.store.requests.objectIDs(of: company.entity("Employee"), includingSubentities: true)
    #expect(ids == [first.objectID])
  }

  /// Doubles that a row has the values of become one, and that takes the place of the row.
  @Test(arguments: StoreUnderTest.all) func doublesOfARow(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let old = company.insert("Department", ["name": "R&D", "code": "1"])
    try company.context.save()
    let context = company.otherContext()
    context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    let notes = ["2", "3"].map { code in
      let department = NSEntityDescription.insertNewObject(forEntityName: "Department", into: context)
      department["name"] = "R&D"
      department["code"] = code
      let employee = NSEntityDescription.insertNewObject(forEntityName: "Employee", into: context)
      employee["name"] = code
      employee["department"] = department
      return employee
    }
    try context.save()
    #expect(notes.allSatisfy { ($0["department"] as? NSManagedObject)?.objectID == old.objectID })
    let read = try company.reread(old)
    #expect(read["code", as: String.self] == "3" && read.names("employees") == ["2", "3"])
    #expect(
      try company.store.requests.objectIDs(of: company.entity("Department"), includingSubentities: true).count == 1)
  }

  /// A changed object has a row, and so has the one whose values it takes: two rows do not become one.
  @Test(arguments: StoreUnderTest.all) func changedObjectsDoNotTakeValuesOfRows_DEVIATION(_ kind: StoreUnderTest) throws
  {
    let company = try Company(kind)
    let names = ["R&D", "Sales"]
    let both = names.map { company.insert("Department", ["name": $0]) }
    try company.context.save()
    company.context.mergePolicy = .overwrite
    both[0]["name"] = "Sales"
    let error = #expect(throws: SaveError.self) { try company.context.save() }
    let conflicts = (error as NSError?)?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
    #expect(conflicts?.map(\.conflictingObjects) == [[both[0]]] && conflicts?.map(\.databaseObject) == [both[1]])
    company.context.rollback()
    #expect(both[0]["name", as: String.self] == "R&D")
  }

  /// A policy of one's own may settle doubles, in the store or not, by deleting or changing what it likes.
  @Test(arguments: StoreUnderTest.all) func constraintPoliciesOfOnesOwn(_ kind: StoreUnderTest) throws {
    final class KeepOld: NSMergePolicy, @unchecked Sendable {
      override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        for conflict in list {
          for object in conflict.conflictingObjects.dropFirst(conflict.databaseObject == nil ? 1 : 0) {
            object.managedObjectContext?.delete(object)
          }
        }
      }
    }
    let company = try Company(kind)
    company.insert("Department", ["name": "R&D", "code": "1"])
    try company.context.save()
    company.context.mergePolicy = KeepOld(merge: .errorMergePolicyType)
    company.insert("Department", ["name": "R&D", "code": "2"])
    for code in ["3", "4"] { company.insert("Department", ["name": "Sales", "code": code]) }
    try company.context.save()
    let all = NSFetchRequest<NSManagedObject>(entityName: "Department")
    let codes = try company.otherContext().fetch(all).map { $0["code", as: String.self] }
    #expect(codes == ["1", "3"])
  }

  /// A policy of one's own sees the conflict, and may settle it by the objects' own means.
  @Test(arguments: StoreUnderTest.all) func policiesOfOnesOwn(_ kind: StoreUnderTest) throws {
    final class Longest: NSMergePolicy, @unchecked Sendable {
      override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        let texts = list.map { conflict in
          [conflict.objectSnapshot, conflict.persistedSnapshot ?? [:], conflict.cachedSnapshot]
            .compactMap { $0["name"] as? String }
        }
        #expect(texts == [["Grace", "Eve", "Ada"]] && list[0].oldVersionNumber == 1 && list[0].newVersionNumber == 2)
        try super.resolve(optimisticLockingConflicts: list)
        for (conflict, texts) in zip(list, texts) { conflict.sourceObject["name"] = texts.joined(separator: "/") }
      }
    }
    let (company, ada) = try prepared(kind)
    company.context.mergePolicy = Longest(merge: .mergeByPropertyStoreTrumpMergePolicyType)
    try company.context.save()
    #expect(try company.reread(ada)["name", as: String.self] == "Grace/Eve/Ada")
  }
}
