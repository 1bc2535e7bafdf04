import Foundation
import ObjectModel
import TestSupport
import Testing
import Values

@testable import ObjectGraph

@Suite struct SavingTests {
  @Test(arguments: StoreUnderTest.all) func insertedObjectsAreStored(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let object = company.insert("Employee", ["name": "Ada"])
    #expect(object.isInserted && object.objectID.isTemporaryID && company.context.hasChanges)
    #expect(company.context.insertedObjects == [object])
    try company.context.save()
    #expect(!object.hasChanges && !object.objectID.isTemporaryID && !company.context.hasChanges)
    #expect(object.objectID.persistentStore === company.store)
    #expect(company.context.object(with: object.objectID) === object)
    #expect(try company.reread(object).value(forKey: "name") as? String == "Ada")
  }

  @Test(arguments: StoreUnderTest.all) func keysFollowTheOrderOfInsertion(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    var objects: [NSManagedObject] = []
    for index in 0..<20 {
      let object = company.insert(["Employee", "Person", "Boss"][index % 3], ["name": "\(index)"])
      // Whether somebody has asked for the temporary ID makes no difference.
      if index % 2 == 0 { _ = object.objectID }
      objects.append(object)
      company.insert("Department", ["name": "\(index)"])
    }
    try company.context.save()
    #expect(objects.map(\.objectID.key) == Array(1...20))
  }

  @Test(arguments: StoreUnderTest.all) func updatesRaiseTheVersion(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let object = company.insert("Employee", ["name": "Ada", "rating": 1.5])
    try company.context.save()
    #expect(object.version == 1)
    object.setValue("Grace", forKey: "name")
    #expect(object.isUpdated && company.context.updatedObjects == [object])
    try company.context.save()
    #expect(object.version == 2)
    let read = try company.reread(object)
    #expect(read.version == 2 && read.value(forKey: "name") as? String == "Grace")
    #expect(read.value(forKey: "rating") as? Double == 1.5)
  }

  @Test(arguments: StoreUnderTest.all) func equalValuesAreNoChange(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let object = company.insert("Employee", ["name": "Ada", "rating": 1.5, "age": 30])
    try company.context.save()
    object.setValue("Ada", forKey: "name")
    object.setValue(30, forKey: "age")
    object.setValue(nil, forKey: "desk")
    #expect(!object.hasChanges && !company.context.hasChanges)
    object.setValue("Grace", forKey: "name")
    object.setValue("Ada", forKey: "name")
    try company.context.save()
    #expect(try company.reread(object).version == 1)
  }

  /// Canonically equivalent texts are different texts where they are stored.
  @Test(arguments: StoreUnderTest.all) func otherBytesOfTheSameTextAreAChange(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    for (composed, decomposed) in [("caf\u{E9}", "cafe\u{301}"), ("\u{212B}", "A\u{30A}")] {
      let object = company.insert("Employee", ["name": composed])
      try company.context.save()
      object.setValue(decomposed, forKey: "name")
      #expect(object.isUpdated)
      try company.context.save()
      let name = try company.reread(object).value(forKey: "name") as? String
      #expect(name.map { Array($0.utf8) } == Array(decomposed.utf8))
    }
  }

  // MARK: Validation

  static let invalidValues: [Case<[String: Int], [Int]>] = [
    Case("one error is itself", ["age": 12], [1620]),
    Case("another", ["age": 120], [1610]),
  ]

  @Test(arguments: StoreUnderTest.all, invalidValues)
  func oneErrorIsItself(_ kind: StoreUnderTest, _ c: Case<[String: Int], [Int]>) throws {
    let company = try Company(kind)
    let object = company.insert("Employee", ["name": "Ada"])
    for (key, value) in c.input { object.setValue(value, forKey: key) }
    let error = #expect(throws: SaveError.self) { try company.context.save() }
    #expect(error?.errorCode == c.expected[0])
    #expect(object.isInserted && object.objectID.isTemporaryID)
  }

  @Test(arguments: StoreUnderTest.all) func severalErrorsAre1560WithAllDetails(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let nameless = company.insert("Employee", ["age": 12])
    let task = company.insert("Task")
    company.insert("Employee", ["name": "fine"])
    let error = #expect(throws: SaveError.self) { try company.context.save() }
    guard case .validation(let invalid) = error else { throw try #require(error) }
    #expect(error?.errorCode == 1560)
    #expect(invalid.map(\.error.errorCode) == [1620, 1570, 1570])
    #expect(invalid.map(\.error.property) == ["age", "name", "project"])
    #expect(company.context.registeredObject(for: invalid[0].objectID) === nameless)
    #expect(company.context.registeredObject(for: invalid[2].objectID) === task)
    #expect(try company.store.requests.objectIDs(of: company.entity("Person"), includingSubentities: true).isEmpty)
    nameless.setValue(20, forKey: "age")
    nameless.setValue("Ada", forKey: "name")
    task.setValue(company.insert("Project"), forKey: "project")
    try company.context.save()
    #expect(nameless.objectID.key == 1)
  }

  @Test(arguments: StoreUnderTest.all) func updatedObjectsAreValidated(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let object = company.insert("Employee", ["name": "Ada"])
    try company.context.save()
    object.setValue(nil, forKey: "name")
    #expect(throws: SaveError.self) { try company.context.save() }
    #expect(object.isUpdated)
    #expect(try company.reread(object).value(forKey: "name") as? String == "Ada")
  }

  @Test(arguments: StoreUnderTest.all) func countsAreValidated(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let list = company.insert("List")
    list.setValue([company.insert("Note"), company.insert("Note"), company.insert("Note")], forKey: "notes")
    let error = #expect(throws: SaveError.self) { try company.context.save() }
    #expect(error?.errorCode == 1590)
  }

  // MARK: Conflicts

  @Test(arguments: StoreUnderTest.all, [false, true]) func conflicts(_ kind: StoreUnderTest, byDeletion: Bool) throws {
    let company = try Company(kind)
    let object = company.insert("Employee", ["name": "Ada"])
    let bystander = company.insert("Employee", ["name": "Bob"])
    try company.context.save()
    let other = company.otherContext()
    let same = try other.existingObject(with: object.objectID)
    if byDeletion { other.delete(same) } else { same.setValue("Eve", forKey: "name") }
    try other.save()
    object.setValue("Grace", forKey: "name")
    bystander.setValue("Bert", forKey: "name")
    let error = #expect(throws: SaveError.self) { try company.context.save() }
    guard case .conflict(let conflicts) = error else { throw try #require(error) }
    #expect(conflicts.map(\.objectID) == [object.objectID] && error?.errorCode == 133020)
    #expect(object.isUpdated && bystander.isUpdated)
    #expect(try company.reread(bystander).value(forKey: "name") as? String == "Bob")
  }

  @Test(arguments: StoreUnderTest.all) func duplicates(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let first = company.insert("Person", ["name": "Ada", "email": "a@example.org"])
    company.insert("Person", ["name": "Nobody"])
    company.insert("Person", ["name": "Nobody"])
    try company.context.save()
    let second = company.insert("Boss", ["name": "Eve", "email": "a@example.org"])
    let error = #expect(throws: SaveError.self) { try company.context.save() }
    guard case .duplicate(let duplicates) = error else { throw try #require(error) }
    #expect(error?.errorCode == 133021 && duplicates.map(\.constraint) == [["email"]])
    #expect(company.context.registeredObject(for: duplicates[0].objectID) === second)
    #expect(duplicates[0].other == nil || duplicates[0].other == first.objectID)
    first.setValue("b@example.org", forKey: "email")
    try company.context.save()
    #expect(try company.reread(second).value(forKey: "email") as? String == "a@example.org")
  }

  @Test(arguments: StoreUnderTest.all) func aDeletedObjectFreesItsValues(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let first = company.insert("Person", ["name": "Ada", "email": "a@example.org"])
    try company.context.save()
    company.context.delete(first)
    company.insert("Person", ["name": "Eve", "email": "a@example.org"])
    try company.context.save()
    #expect(try company.store.requests.objectIDs(of: company.entity("Person"), includingSubentities: true).count == 1)
  }

  // MARK: Throwing away

  @Test(arguments: StoreUnderTest.all) func rollback(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let department = company.insert("Department", ["name": "R&D"])
    let ada = company.insert("Employee", ["name": "Ada", "department": department])
    let bob = company.insert("Employee", ["name": "Bob", "department": department])
    try company.context.save()
    ada.setValue("Grace", forKey: "name")
    ada.setValue(nil, forKey: "department")
    company.context.delete(bob)
    let eve = company.insert("Employee", ["name": "Eve", "department": department])
    company.context.rollback()
    #expect(!company.context.hasChanges && !ada.hasChanges && !bob.isDeleted)
    #expect(eve.managedObjectContext == nil && !eve.isInserted)
    #expect(ada.value(forKey: "name") as? String == "Ada")
    #expect(department.names("employees") == ["Ada", "Bob"])
    try company.context.save()
    #expect(try company.reread(ada).version == 1)
  }

  @Test(arguments: StoreUnderTest.all) func reset(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let ada = company.insert("Employee", ["name": "Ada"])
    try company.context.save()
    ada.setValue("Grace", forKey: "name")
    company.context.reset()
    #expect(!company.context.hasChanges && company.context.registeredObjects.isEmpty)
    #expect(ada.managedObjectContext == nil && !ada.hasChanges)
    #expect(try company.reread(ada).value(forKey: "name") as? String == "Ada")
  }

  @Test(arguments: StoreUnderTest.all) func metadataAreSavedWithoutObjects(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    #expect(!company.coordinator.hasUnsavedMetadata)
    var metadata = company.coordinator.metadata(for: company.store)
    metadata["checkpoint"] = 5
    company.coordinator.setMetadata(metadata, for: company.store)
    #expect(company.coordinator.hasUnsavedMetadata)
    try company.context.save()
    #expect(!company.coordinator.hasUnsavedMetadata)
    #expect(company.store.metadata["checkpoint"] as? Int == 5)
  }

  @Test(arguments: StoreUnderTest.all) func permanentIDsBeforeTheSave(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let desk = company.insert("Desk")
    let ada = company.insert("Employee", ["name": "Ada", "desk": desk])
    let temporary = desk.objectID
    try company.context.obtainPermanentIDs(for: [desk])
    #expect(!desk.objectID.isTemporaryID && desk.isInserted && desk.objectID != temporary)
    #expect(ada.value(forKey: "desk") as? NSManagedObject === desk)
    try company.context.save()
    #expect(try company.reread(ada).value(forKey: "desk") as? NSManagedObject != nil)
  }
}
