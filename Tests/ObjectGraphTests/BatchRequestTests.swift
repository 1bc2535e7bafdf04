import Diagnostics
import Foundation
import ObjectModel
import Predicates
import Testing
import Values

@testable import ObjectGraph

/// Batch requests, the same on every kind of store.
struct BatchRequestTests {
  // MARK: Inserting

  @Test(arguments: StoreUnderTest.all)
  func dictionaries(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let badge = UUID()
    let request = NSBatchInsertRequest(
      entityName: "Employee",
      objects: [
        [
          "name": "Ada", "age": 36, "badge": badge, "salary": Decimal(string: "1.10")!, "photo": Data([0, 1, 255]),
          "site": URL(string: "https://example.org/a%20b")!, "place": ["town": "Rome", "floor": 2],
          "born": Date(timeIntervalSinceReferenceDate: 0.5), "active": true,
        ],
        ["name": "Bob", "place.town": "Pisa", "rating": NSNull()],
      ])
    request.resultType = .objectIDs
    let result = try #require(try company.context.execute(request) as? NSBatchInsertResult)
    let ids = try #require(result.result as? [NSManagedObjectID])
    #expect(ids.count == 2 && company.context.registeredObjects.isEmpty)

    let ada = try company.context.existingObject(with: ids[0])
    #expect(ada.value(forKey: "name") as? String == "Ada")
    #expect(ada.value(forKey: "age") as? Int == 36)
    #expect(ada.value(forKey: "badge") as? UUID == badge)
    #expect(ada.value(forKey: "salary") as? Decimal == Decimal(string: "1.10"))
    #expect(ada.value(forKey: "photo") as? Data == Data([0, 1, 255]))
    #expect((ada.value(forKey: "site") as? URL)?.absoluteString == "https://example.org/a%20b")
    #expect(ada.value(forKey: "place.floor") as? Int == 2)
    #expect(ada.value(forKey: "born") as? Date == Date(timeIntervalSinceReferenceDate: 0.5))
    #expect(ada.value(forKey: "active") as? Bool == true)
    #expect(ada.value(forKey: "department") == nil)
    let bob = try company.context.existingObject(with: ids[1])
    #expect(bob.value(forKey: "place.town") as? String == "Pisa")
    #expect(bob.value(forKey: "rating") == nil)

    // Objects go on behind the last key.
    let next = company.insert("Person", ["name": "Cy"])
    try company.context.save()
    #expect(next.objectID.key == ids[1].key + 1)
  }

  /// More rows than a chunk has, filled in by functions.
  @Test(arguments: StoreUnderTest.all)
  func handlers(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    var number = 0
    let dictionaries = NSBatchInsertRequest(
      entityName: "Desk",
      dictionaryHandler: { dictionary in
        if number == 5001 { return true }
        dictionary["number"] = number
        number += 1
        return false
      })
    dictionaries.resultType = .count
    var result = try company.context.execute(dictionaries) as? NSBatchInsertResult
    #expect(result?.result as? Int == 5001)

    let objects = NSBatchInsertRequest(
      entity: try company.entity("Desk"),
      managedObjectHandler: { desk in
        if number == 5003 { return true }
        // What the call before has set is not there any more.
        if desk.value(forKey: "number") == nil { desk.setValue(number, forKey: "number") }
        number += 1
        return false
      })
    result = try company.context.execute(objects) as? NSBatchInsertResult
    #expect(result?.result as? Bool == true)
    let ids = try company.store.requests.objectIDs(of: company.entity("Desk"), includingSubentities: false)
    let numbers = try company.store.requests.rows(for: ids).map { $0?.attributes[0] }
    #expect(numbers == (0..<5003).map { .integer($0) })
  }

  @Test(arguments: StoreUnderTest.all)
  func noRows(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let request = NSBatchInsertRequest(entityName: "Desk", objects: [])
    request.resultType = .count
    #expect(try (company.context.execute(request) as? NSBatchInsertResult)?.result as? Int == 0)
  }

  /// Rows that break the model's rules, all of the chunk, and nothing is inserted.
  @Test(arguments: StoreUnderTest.all)
  func invalidRows(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let request = NSBatchInsertRequest(
      entityName: "Employee", objects: [["name": "Ada"], ["age": 30], ["name": "Bob"], ["age": 40]])
    do {
      try company.context.execute(request)
      Issue.record("two employees have no name")
    } catch SaveError.validation(let invalid) {
      #expect(invalid.map(\.row) == [1, 3])
      #expect(invalid[0].error.description == "Employee.name is required, found no value")
      #expect(SaveError.validation(invalid).errorCode == 1560)
    }
    #expect(try count("Employee", in: company) == 0)
  }

  /// Rows whose values are taken, by the store or by another row, are told by their numbers, and nothing is inserted.
  @Test(arguments: StoreUnderTest.all)
  func rowsThatAreNotUnique(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    company.insert("Department", ["name": "IT"])
    try company.context.save()
    let names = ["HR", "IT", "R&D", "HR"]
    let request = NSBatchInsertRequest(entityName: "Department", objects: names.map { ["name": $0] })
    do {
      try company.context.execute(request)
      Issue.record("two departments have names that are taken")
    } catch SaveError.duplicate(let duplicates) {
      #expect(duplicates.map(\.row) == [1, 3])
      #expect(duplicates.allSatisfy { $0.constraint == ["name"] })
    }
    #expect(try count("Department", in: company) == 1)
  }

  private var refused: [(objects: [[String: Any]], message: String)] {
    [
      ([["name": "Ada"], ["nom": "Bob"]], "row 1: nom is no attribute of Employee that a batch request can set"),
      ([["department": 1]], "row 0: department is no attribute of Employee that a batch request can set"),
      ([["age": "old"]], "row 0: Employee.age takes an integer of 16 bits, found String old"),
      ([["place": 1]], "row 0: Employee.place takes a dictionary of its elements, found Int 1"),
      ([["label": "x"]], "row 0: label is no attribute of Employee that a batch request can set"),
    ]
  }

  @Test(arguments: StoreUnderTest.all)
  func wrongDictionaries(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    for (objects, message) in refused {
      #expect(
        self.message { try company.context.execute(NSBatchInsertRequest(entityName: "Employee", objects: objects)) }
          == message)
    }
    #expect(
      message { try company.context.execute(NSBatchInsertRequest(entityName: "Employe", objects: [])) }
        == "the model has no entity Employe")
    let other = CompanyModel.make().entitiesByName["Desk"]!
    #expect(
      message { try company.context.execute(NSBatchInsertRequest(entity: other, objects: [])) }
        == "the entity Desk is not of the coordinator's model")
  }

  @Test(arguments: StoreUnderTest.all)
  func columns(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let employee = try company.entity("Employee")
    let columns = try AttributeColumns(entity: employee, attributes: ["name", "age"])
    try columns.appendRow([.string("Ada"), .integer(36)])
    try columns.appendRow([.string("Bob"), .null])
    let request = NSBatchInsertRequest(columns: columns)
    request.resultType = .objectIDs
    let ids = try (company.context.execute(request) as? NSBatchInsertResult)?.result as? [NSManagedObjectID]
    let objects = try (ids ?? []).map(company.context.existingObject)
    #expect(objects.map { $0.value(forKey: "name") as? String } == ["Ada", "Bob"])
    #expect(objects.map { $0.value(forKey: "age") as? Int } == [36, nil])

    try columns.appendRow([.null, .integer(1)])
    do {
      try company.context.execute(NSBatchInsertRequest(columns: columns))
      Issue.record("the last row has no name")
    } catch SaveError.validation(let invalid) { #expect(invalid.map(\.row) == [2]) }
    #expect(throws: Diagnostic.self) { try columns.appendRow([.integer(1), .null]) }
    #expect(throws: Diagnostic.self) { try columns.appendRow([.null]) }
    #expect(throws: Diagnostic.self) { try AttributeColumns(entity: employee, attributes: ["nom"]) }
    #expect(columns.rowCount == 3)
  }

  // MARK: Updating

  @Test(arguments: StoreUnderTest.all)
  func updates(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let ada = company.insert("Employee", ["name": "Ada", "age": 36])
    let bob = company.insert("Boss", ["name": "Bob", "age": 50])
    company.insert("Person", ["name": "Cy"])
    try company.context.save()

    let request = NSBatchUpdateRequest(entityName: "Employee")
    request.propertiesToUpdate = ["age": 20, "place.town": "Rome", "rating": NSNull()]
    request.resultType = .updatedObjectsCountResultType
    #expect(try (company.context.execute(request) as? NSBatchUpdateResult)?.result as? Int == 2)
    #expect(ada.value(forKey: "age") as? Int == 36, "a context learns nothing of it")
    #expect(try company.reread(bob).value(forKey: "age") as? Int == 20)
    #expect(try company.reread(ada).value(forKey: "place.town") as? String == "Rome")

    // A context that read the object before must not write over it.
    ada.setValue("Ada L.", forKey: "name")
    #expect(throws: SaveError.self) { try company.context.save() }
    company.context.rollback()

    let age = try #require(try company.entity("Employee").attributesByName["age"])
    request.includesSubentities = false
    request.propertiesToUpdate = [age: 21]
    request.resultType = .updatedObjectIDsResultType
    let ids = try (company.context.execute(request) as? NSBatchUpdateResult)?.result as? [NSManagedObjectID]
    #expect(ids == [ada.objectID])
    #expect(try company.reread(bob).value(forKey: "age") as? Int == 20)

    request.includesSubentities = true
    request.predicate = NSPredicate { object, _ in (object as? NSManagedObject)?.value(forKey: "age") as? Int == 20 }
    #expect(
      try (company.context.execute(request) as? NSBatchUpdateResult)?.result as? [NSManagedObjectID] == [bob.objectID])
    #expect(try company.reread(bob).value(forKey: "age") as? Int == 21)
  }

  @Test(arguments: StoreUnderTest.all)
  func refusedUpdates(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    for name in ["HR", "IT"] { company.insert("Department", ["name": name]) }
    try company.context.save()
    let request = NSBatchUpdateRequest(entityName: "Department")
    request.propertiesToUpdate = ["name": NSNull()]
    do {
      try company.context.execute(request)
      Issue.record("a department needs a name")
    } catch SaveError.validation(let invalid) { #expect(invalid.map(\.error.errorCode) == [1570]) }
    request.propertiesToUpdate = ["name": "R&D"]
    do {
      try company.context.execute(request)
      Issue.record("two departments of one name")
    } catch SaveError.duplicate(let duplicates) { #expect(duplicates.first?.constraint == ["name"]) }
    request.propertiesToUpdate = ["employees": NSNull()]
    #expect(
      message { try company.context.execute(request) }
        == "employees is no attribute of Department that a batch request can set")
    #expect(try names("Department", in: company) == ["HR", "IT"])
  }

  /// Each object gets its own value of an expression, by the rules of the model.
  @Test(arguments: StoreUnderTest.all)
  func computedUpdates(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let department = company.insert("Department", ["name": "IT"])
    let ada = company.insert("Employee", ["name": "Ada", "age": 36, "serial": 7, "department": department])
    let bob = company.insert("Boss", ["name": "Bob", "age": 50, "title": "CTO"])
    company.insert("Person", ["name": "Cy"])
    try company.context.save()

    let request = NSBatchUpdateRequest(entityName: "Employee")
    request.propertiesToUpdate = [
      "age": try ExpressionTree(format: "age + 1"), "rating": try ExpressionTree(format: "age / 8.0"),
      "email": try ExpressionTree(format: "lowercase:(name)"),
      "place.town": try ExpressionTree(format: "department.name"),
      "serial": try ExpressionTree(format: "rating"), "active": false,
    ]
    request.resultType = .updatedObjectsCountResultType
    #expect(try (company.context.execute(request) as? NSBatchUpdateResult)?.result as? Int == 2)
    func values(_ object: NSManagedObject) throws -> [String] {
      let object = try company.reread(object)
      return ["age", "rating", "email", "place.town", "serial", "active"].map {
        object.value(forKey: $0).map { "\($0)" } ?? "nil"
      }
    }
    // All of them are of the values as they were before.
    var found = try values(ada)
    #expect(found == ["37", "4.5", "ada", "IT", "nil", "0"])
    found = try values(bob)
    #expect(found == ["51", "6.25", "bob", "nil", "nil", "0"])
    #expect(try company.reread(bob).value(forKey: "title") as? String == "CTO")

    request.predicate = NSPredicate(format: "rating > 5")
    request.resultType = .updatedObjectIDsResultType
    request.propertiesToUpdate = ["age": try ExpressionTree(format: "TERNARY(age > 40, age - 30, age)")]
    #expect(
      try (company.context.execute(request) as? NSBatchUpdateResult)?.result as? [NSManagedObjectID] == [bob.objectID])

    request.predicate = nil
    request.propertiesToUpdate = ["age": try ExpressionTree(format: "age + 70")]
    do {
      try company.context.execute(request)
      Issue.record("nobody is older than 99")
    } catch SaveError.validation(let invalid) { #expect(invalid.map(\.error.errorCode) == [1610]) }
    #expect(try values(ada)[0] == "37", "all of it or nothing")
    for (properties, expected) in [
      (["age": try ExpressionTree(format: "name")], "Employee.age takes an integer of 16 bits, found String"),
      (["age": try ExpressionTree(format: "agee + 1")], "Employee has no property agee"),
      (["age": try ExpressionTree(format: "max:(age)")], "age cannot be updated by max:(age)"),
      (["age": try ExpressionTree(format: "$x")], "the predicate's variable $x has no value"),
      (["desk": try ExpressionTree(format: "nil")], "desk is no attribute of Employee that a batch request can set"),
    ] {
      request.propertiesToUpdate = properties
      let found = message { try company.context.execute(request) }
      #expect(found?.hasPrefix(expected) == true, "\(found ?? "nothing")")
    }
  }

  // MARK: Deleting

  /// Delete rules are followed: what is nullified, what goes too, what forbids it.
  @Test(arguments: StoreUnderTest.all)
  func deletes(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let department = company.insert("Department", ["name": "IT"])
    let ada = company.insert("Employee", ["name": "Ada", "department": department])
    let project = company.insert("Project", ["name": "P", "members": [ada]])
    for name in ["a", "b"] { company.insert("Task", ["name": name, "project": project]) }
    let boss = company.insert("Boss", ["name": "Bob", "reports": [ada]])
    try company.context.save()

    let all = NSBatchDeleteRequest(entityName: "Department")
    all.resultType = .resultTypeObjectIDs
    #expect(
      try (company.context.execute(all) as? NSBatchDeleteResult)?.result as? [NSManagedObjectID]
        == [department.objectID])
    #expect(try company.reread(ada).value(forKey: "department") == nil)

    let projects = NSBatchDeleteRequest(objectIDs: [project.objectID, department.objectID])
    projects.resultType = .resultTypeCount
    #expect(try (company.context.execute(projects) as? NSBatchDeleteResult)?.result as? Int == 1)
    #expect(try count("Task", in: company) == 0)
    #expect(try company.reread(ada).names("projects") == [])

    do {
      try company.context.execute(NSBatchDeleteRequest(objectIDs: [boss.objectID]))
      Issue.record("the boss has reports")
    } catch SaveError.validation(let invalid) { #expect(invalid.map(\.error.errorCode) == [1600]) }
    let named = NSPredicate { object, _ in (object as? NSManagedObject)?.value(forKey: "name") as? String == "Ada" }
    try company.context.execute(NSBatchDeleteRequest(entityName: "Person", predicate: named))
    #expect(try names("Person", in: company) == ["Bob"])
  }

  @Test func readOnlyStores() throws {
    let company = try Company { model, _ in InMemoryStore(model: model, isReadOnly: true) }
    let insert = NSBatchInsertRequest(entityName: "Desk", objects: [[:]])
    let update = NSBatchUpdateRequest(entityName: "Desk")
    #expect(message { try company.context.execute(insert) } == "the store InMemory is read-only")
    #expect(message { try company.context.execute(update) } == "the store InMemory is read-only")
  }

  // MARK: What is looked at

  private func message(_ body: () throws -> Void) -> String? {
    do { try body() } catch SaveError.store(let diagnostic) { return diagnostic.message } catch { return "\(error)" }
    return nil
  }

  private func message(_ body: () throws -> NSPersistentStoreResult) -> String? {
    message { () throws in _ = try body() }
  }

  private func count(_ entity: String, in company: Company) throws -> Int {
    try company.store.requests.objectIDs(of: company.entity(entity), includingSubentities: true).count
  }

  private func names(_ entity: String, in company: Company) throws -> [String] {
    let ids = try company.store.requests.objectIDs(of: company.entity(entity), includingSubentities: true)
    let context = company.otherContext()
    return try ids.map { try context.existingObject(with: $0).value(forKey: "name") as? String ?? "" }
  }

  // MARK: Predicates in words

  @Test(arguments: StoreUnderTest.all)
  func byPredicates(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let department = company.insert("Department", ["name": "D"])
    for age in [20, 30, 40, 50] {
      company.insert("Employee", ["name": "E\(age)", "age": age, "department": department])
    }
    try company.context.save()
    company.context.reset()
    let update = NSBatchUpdateRequest(entityName: "Employee")
    update.predicate = NSPredicate(format: "age > %d AND department.name = 'D'", 30)
    update.propertiesToUpdate = ["name": "old"]
    update.resultType = .updatedObjectsCountResultType
    let updated = try company.context.execute(update) as? NSBatchUpdateResult
    #expect(updated?.result as? Int == 2)
    let oldest = NSFetchRequest<NSManagedObject>(entityName: "Employee")
    oldest.predicate = NSPredicate(format: "name = 'old'")
    oldest.sortDescriptors = [NSSortDescriptor(key: "age", ascending: false)]
    oldest.fetchLimit = 1
    let delete = NSBatchDeleteRequest(fetchRequest: oldest)
    delete.resultType = .resultTypeCount
    let deleted = try company.context.execute(delete) as? NSBatchDeleteResult
    #expect(deleted?.result as? Int == 1)
    let left = try company.context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Employee"))
    #expect(left.map { $0.value(forKey: "age") as? Int } == [20, 30, 40])
    oldest.predicate = NSPredicate { _, _ in true }
    let error = #expect(throws: (any Error).self) {
      try company.context.execute(NSBatchDeleteRequest(fetchRequest: oldest))
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("a predicate made from a block needs objects"))
  }
}
