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
    #expect(shown.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSManagedObjectID] == [ada.objectID])
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

  /// Two new objects with the same values: none is in the store, and no policy says which is meant.
  @Test(arguments: StoreUnderTest.all) func newDoublesAreRefused(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    company.context.mergePolicy = .overwrite
    for _ in 0..<2 { company.insert("Department", ["name": "R&D"]) }
    let error = #expect(throws: SaveError.self) { try company.context.save() }
    #expect(error?.errorCode == NSManagedObjectConstraintMergeError)
    #expect(error?.localizedDescription == "another Department has the same name")
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
