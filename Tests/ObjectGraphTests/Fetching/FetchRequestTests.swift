import Diagnostics
import Foundation
import ObjectModel
import Predicates
import TestSupport
import Testing
import Values

@testable import ObjectGraph

@Suite struct FetchRequestTests {
  /// A company of three departments and five employees, saved.
  static func company(_ kind: StoreUnderTest) throws -> Company {
    let company = try Company(kind)
    let research = company.insert("Department", ["name": "Research"])
    let sales = company.insert("Department", ["name": "Sales"])
    company.insert("Department", ["name": "Empty"])
    for (name, age, department) in [
      ("Ada", 36, research), ("Bob", 20, research), ("Cyd", 50, sales), ("Dan", 20, sales),
    ] {
      company.insert("Employee", ["name": name, "age": age, "department": department])
    }
    company.insert("Boss", ["name": "Eve", "title": "Dr", "department": sales])
    try company.context.save()
    company.context.reset()
    return company
  }

  static func names(_ objects: [NSManagedObject]) -> [String] {
    objects.map { $0.value(forKey: "name") as? String ?? "" }
  }

  private func request(
    _ entity: String = "Employee", _ format: String = "TRUEPREDICATE", sort: [(String, Bool)] = []
  ) -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: format)
    request.sortDescriptors = sort.map { NSSortDescriptor(key: $0.0, ascending: $0.1) }
    return request
  }

  @Test(arguments: StoreUnderTest.all) func objects(_ kind: StoreUnderTest) throws {
    let company = try Self.company(kind)
    let context = company.context
    #expect(Self.names(try context.fetch(request())) == ["Ada", "Bob", "Cyd", "Dan", "Eve"])
    #expect(Self.names(try context.fetch(request("Employee", "age = 20"))) == ["Bob", "Dan"])
    #expect(Self.names(try context.fetch(request("Employee", "department.name = 'Sales'"))) == ["Cyd", "Dan", "Eve"])
    #expect(
      Self.names(try context.fetch(request(sort: [("age", false), ("name", false)]))) == [
        "Cyd", "Ada", "Dan", "Bob", "Eve",
      ])
    #expect(
      Self.names(try context.fetch(request(sort: [("department.name", true), ("name", false)])))
        == ["Bob", "Ada", "Eve", "Dan", "Cyd"])
    #expect(
      Self.names(try context.fetch(request("Department", sort: [("employees.@count", true)]))) == [
        "Empty", "Research", "Sales",
      ])
    // The objects themselves are in the order of their keys.
    for key in ["self", "objectID"] {
      let keys = try context.fetch(request(sort: [("active", true), (key, false)])).map(\.objectID.key)
      #expect(keys == keys.sorted(by: >) && keys.count == 5, "\(key) \(keys)")
    }
    let some = request(sort: [("name", false)])
    some.fetchOffset = 1
    some.fetchLimit = 2
    #expect(Self.names(try context.fetch(some)) == ["Dan", "Cyd"])
    #expect(try context.count(for: some) == 2)
    some.fetchOffset = 4
    #expect(Self.names(try context.fetch(some)) == ["Ada"])
    let own = request()
    own.includesSubentities = false
    #expect(try context.count(for: own) == 4)
    let insensitive = request()
    insensitive.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false, textOrder: .caseInsensitive)]
    #expect(Self.names(try context.fetch(insensitive)) == ["Eve", "Dan", "Cyd", "Bob", "Ada"])
    insensitive.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true, textOrder: .localizedStandard)]
    insensitive.fetchLimit = 1
    #expect(Self.names(try context.fetch(insensitive)) == ["Ada"])
  }

  @Test(arguments: StoreUnderTest.all) func resultTypes(_ kind: StoreUnderTest) throws {
    let company = try Self.company(kind)
    let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Employee")
    ids.predicate = NSPredicate(format: "age > %d", 30)
    ids.resultType = .managedObjectIDResultType
    #expect(try company.context.fetch(ids).count == 2)
    let count = NSFetchRequest<NSNumber>(entityName: "Employee")
    count.resultType = .countResultType
    #expect(try company.context.fetch(count) == [5])
    let wrong = NSFetchRequest<NSNumber>(entityName: "Employee")
    let error = #expect(throws: Diagnostic.self) { try company.context.fetch(wrong) }
    #expect(error?.message == "the request is for NSNumber, and its result type gives NSManagedObject")
  }

  @Test(arguments: StoreUnderTest.all) func dictionaries(_ kind: StoreUnderTest) throws {
    let company = try Self.company(kind)
    let request = NSFetchRequest<NSDictionary>(entityName: "Employee")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["name", "age", "department.name"]
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    #expect(
      try company.context.fetch(request).first
        == ["name": "Ada", "age": 36, "department.name": "Research"] as NSDictionary)
    #expect(try company.context.fetch(request).last == ["name": "Eve", "department.name": "Sales"] as NSDictionary)
    request.propertiesToFetch = ["age"]
    request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
    request.returnsDistinctResults = true
    #expect(try company.context.fetch(request).map { $0["age"] as? Int } == [nil, 20, 36, 50])
    request.fetchOffset = 1
    request.fetchLimit = 1
    #expect(try company.context.fetch(request) == [["age": 20]])
    let all = NSFetchRequest<[String: Any]>(entityName: "Department")
    all.resultType = .dictionaryResultType
    #expect(try company.context.fetch(all).map { $0["name"] as? String } == ["Research", "Sales", "Empty"])
    let linked = NSFetchRequest<[String: Any]>(entityName: "Employee")
    linked.resultType = .dictionaryResultType
    linked.propertiesToFetch = ["department"]
    let id = try company.context.fetch(linked)[0]["department"] as? NSManagedObjectID
    #expect(id?.entity.name == "Department")
  }

  @Test(arguments: StoreUnderTest.all) func groups(_ kind: StoreUnderTest) throws {
    let company = try Self.company(kind)
    func column(_ name: String, _ format: String, _ type: NSAttributeType = .undefinedAttributeType) throws
      -> NSExpressionDescription
    {
      let description = NSExpressionDescription()
      description.name = name
      description.expression = try ExpressionTree(format: format)
      description.expressionResultType = type
      return description
    }
    let request = NSFetchRequest<NSDictionary>(entityName: "Employee")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = [
      "department.name", try column("count", "count:(name)"), try column("oldest", "max:(age)"),
      try column("mean", "average:(age)", .integer32AttributeType), try column("total", "sum:(age)"),
    ]
    request.propertiesToGroupBy = ["department.name"]
    request.sortDescriptors = [NSSortDescriptor(key: "department.name", ascending: false)]
    let sales = ["department.name": "Sales", "count": 3, "oldest": 50, "mean": 35, "total": 70] as NSDictionary
    let research = ["department.name": "Research", "count": 2, "oldest": 36, "mean": 28, "total": 56] as NSDictionary
    #expect(try company.context.fetch(request) == [sales, research])
    request.havingPredicate = NSPredicate(format: "count > 2")
    #expect(try company.context.fetch(request) == [sales])
    request.havingPredicate = NSPredicate(format: "sum:(age) < 60 AND department.name != nil")
    #expect(try company.context.fetch(request) == [research])
    request.propertiesToGroupBy = nil
    request.havingPredicate = nil
    request.sortDescriptors = nil
    request.propertiesToFetch = [try column("youngest", "min:(age)"), try column("count", "count:(SELF)")]
    #expect(try company.context.fetch(request) == [["youngest": 20, "count": 5]])
    request.predicate = NSPredicate(format: "age > 100")
    #expect(try company.context.fetch(request) == [["count": 0]])
  }

  /// What was changed and not saved counts, and not what was deleted.
  @Test(arguments: StoreUnderTest.all) func pendingChanges(_ kind: StoreUnderTest) throws {
    let company = try Self.company(kind)
    let context = company.context
    let all = try context.fetch(request())
    all[0].setValue(20, forKey: "age")
    context.delete(all[1])
    company.insert("Employee", ["name": "Fay", "age": 20])
    company.insert("Desk", ["number": 3])
    let young = request("Employee", "age = 20")
    #expect(Self.names(try context.fetch(young)) == ["Ada", "Dan", "Fay"])
    #expect(try context.count(for: young) == 3)
    young.includesPendingChanges = false
    #expect(try context.fetch(young).map(\.objectID.key) == [2, 4])
    young.includesPendingChanges = true
    young.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
    young.fetchLimit = 2
    #expect(Self.names(try context.fetch(young)) == ["Fay", "Dan"])
    // What leads over relationships is asked of the objects as they are here.
    let sales = try #require(try context.fetch(request("Department", "name = 'Sales'")).first)
    sales.setValue("Trade", forKey: "name")
    #expect(Self.names(try context.fetch(request("Employee", "department.name = 'Trade'"))) == ["Cyd", "Dan", "Eve"])
    #expect(try context.fetch(request("Employee", "department.name = 'Sales'")).isEmpty)
    all[0].setValue(sales, forKey: "department")
    #expect(Self.names(try context.fetch(request("Department", "employees.@count = 4"))) == ["Trade"])
    try context.save()
    #expect(
      Self.names(try context.fetch(request("Employee", "department.name = 'Trade'"))) == ["Ada", "Cyd", "Dan", "Eve"])
  }

  /// A context with a parent fetches what the parent has, saved or not.
  @Test(arguments: StoreUnderTest.all) func parents(_ kind: StoreUnderTest) throws {
    let company = try Self.company(kind)
    company.insert("Employee", ["name": "Fay", "age": 20])
    let child = NSManagedObjectContext()
    child.parent = company.context
    let objects = try child.fetch(request("Employee", "age = 20"))
    #expect(Self.names(objects) == ["Bob", "Dan", "Fay"])
    #expect(objects.allSatisfy { $0.managedObjectContext === child })
    objects[0].setValue(21, forKey: "age")
    #expect(Self.names(try child.fetch(request("Employee", "age = 20"))) == ["Dan", "Fay"])
    #expect(try child.count(for: request("Employee", "age = 21")) == 1)
    #expect(try company.context.count(for: request("Employee", "age = 21")) == 0)
  }

  @Test(arguments: StoreUnderTest.all) func objectsInPredicates(_ kind: StoreUnderTest) throws {
    let company = try Self.company(kind)
    let context = company.context
    let sales = try #require(try context.fetch(request("Department", "name = 'Sales'")).first)
    let of = NSFetchRequest<NSManagedObject>(entityName: "Employee")
    of.predicate = NSPredicate(format: "department = %@ AND age != nil", sales)
    #expect(Self.names(try context.fetch(of)) == ["Cyd", "Dan"])
    of.predicate = NSPredicate(format: "department != %@", sales.objectID)
    #expect(Self.names(try context.fetch(of)) == ["Ada", "Bob"])
    of.predicate = NSPredicate(format: "SELF IN %@", try Array(context.fetch(request("Employee", "age = 20"))))
    #expect(Self.names(try context.fetch(of)) == ["Bob", "Dan"])
    let dan = try context.fetch(of)[1]
    let with = request("Department", "TRUEPREDICATE")
    with.predicate = NSPredicate(format: "ANY employees = %@", dan)
    #expect(Self.names(try context.fetch(with)) == ["Sales"])
    with.predicate = NSPredicate(format: "%@ IN employees", dan)
    #expect(Self.names(try context.fetch(with)) == ["Sales"])
    with.predicate = NSPredicate(format: "employees CONTAINS %@", dan)
    #expect(Self.names(try context.fetch(with)) == ["Sales"])
    with.predicate = NSPredicate(format: "SUBQUERY(employees, $e, $e = %@).@count = 0", dan)
    #expect(Self.names(try context.fetch(with)) == ["Research", "Empty"])
    let new = company.insert("Department", ["name": "New"])
    of.predicate = NSPredicate(format: "department = %@", new)
    #expect(try context.fetch(of).isEmpty)
  }

  /// Somebody's own code is asked of objects.
  @Test(arguments: StoreUnderTest.all) func blocks(_ kind: StoreUnderTest) throws {
    let company = try Self.company(kind)
    let request = request(sort: [("name", false)])
    let block = NSPredicate { object, _ in (object as? NSManagedObject)?.value(forKey: "age") as? Int == 20 }
    request.predicate = NSCompoundPredicate(
      andPredicateWithSubpredicates: [block, NSPredicate(format: "name != 'Bob'")])
    #expect(Self.names(try company.context.fetch(request)) == ["Dan"])
    #expect(try company.context.count(for: request) == 1)
  }

  @Test(arguments: StoreUnderTest.all) func batchesAndPrefetching(_ kind: StoreUnderTest) throws {
    let company = try Self.company(kind)
    let context = company.context
    let batched = request()
    batched.fetchBatchSize = 2
    let objects = try context.fetch(batched)
    #expect(objects.map(\.isFault) == [true, true, true, true, true])
    _ = objects[2].value(forKey: "name")
    #expect(objects.map(\.isFault) == [true, true, false, false, true])
    context.reset()
    let faults = request()
    faults.includesPropertyValues = false
    #expect(try context.fetch(faults).map(\.isFault) == [true, true, true, true, true])
    context.reset()
    let prefetched = request("Department")
    prefetched.relationshipKeyPathsForPrefetching = ["employees.department"]
    let departments = try context.fetch(prefetched)
    let employees = departments[1].value(forKey: "employees") as? Set<NSManagedObject> ?? []
    #expect(employees.count == 3 && employees.allSatisfy { !$0.isFault })
    context.reset()
    var sizes: [Int] = []
    try context.fetch(request(), inBatchesOf: 2) { sizes.append($0.count) }
    #expect(sizes == [2, 2, 1])
  }

  /// Longer than SQLite takes a statement, and with more values than it takes parameters.
  @Test(arguments: StoreUnderTest.all) func longPredicates(_ kind: StoreUnderTest) throws {
    let company = try Self.company(kind)
    let long = request("Employee", (30..<20_000).map { "age = \($0)" }.joined(separator: " OR "))
    #expect(Self.names(try company.context.fetch(long)) == ["Ada", "Cyd"])
    let longer = request("Employee", (30..<40_000).map { "age = \($0)" }.joined(separator: " OR "))
    #expect(Self.names(try company.context.fetch(longer)) == ["Ada", "Cyd"])
    longer.predicate = NSPredicate(format: "age IN %@", Array(30..<40_000))
    #expect(Self.names(try company.context.fetch(longer)) == ["Ada", "Cyd"])
  }

  static let mistakes: [Case<(entity: String, predicate: String), String>] = [
    Case("entity", ("Nobody", "TRUEPREDICATE"), "the model has no entity Nobody"),
    Case("key", ("Employee", "nam = 1"), "Employee has no property nam"),
    Case("key of a subentity", ("Employee", "title = 'x'"), "Employee has no property title"),
    Case("key behind a relationship", ("Employee", "department.nam = 1"), "Department has no property nam"),
    Case("transient", ("Employee", "label = 'x'"), "Employee.label is not stored: no store can be asked for it"),
    Case(
      "to-many", ("Department", "employees.name = 'x'"),
      "employees.name leads to several objects: employees.name == \"x\" does not say how many of them are meant"),
    Case("variable", ("Employee", "name = $x"), "the predicate's variable $x has no value"),
    Case("in a subquery", ("Employee", "SUBQUERY(projects, $p, $p.nam = 1).@count > 0"), "Project has no property nam"),
    Case("method", ("Employee", "FUNCTION(name, 'f') = 1"), "FUNCTION(…, \"f\") is a method, which no store can call"),
    Case("regular expression", ("Employee", "name MATCHES '('"), "\"(\" is not a regular expression"),
    Case("operator", ("Employee", "projects.@median.name = 1"), "there is no collection operator @median"),
  ]

  @Test(arguments: StoreUnderTest.all, mistakes)
  func mistake(_ kind: StoreUnderTest, _ c: Case<(entity: String, predicate: String), String>) throws {
    let company = try Company(kind)
    let error = #expect(throws: Diagnostic.self) {
      try company.context.fetch(request(c.input.entity, c.input.predicate))
    }
    #expect(error?.message == c.expected)
  }

  @Test(
    arguments: StoreUnderTest.all,
    [("Employee", "department"), ("Employee", "department.objectID"), ("Department", "employees.name")])
  func objectsHaveNoOrder(_ kind: StoreUnderTest, _ key: (entity: String, path: String)) throws {
    let company = try Company(kind)
    let request = request(key.entity, "TRUEPREDICATE")
    request.sortDescriptors = [NSSortDescriptor(key: key.path, ascending: true)]
    let error = #expect(throws: Diagnostic.self) { try company.context.fetch(request) }
    #expect(error?.message == "\(key.entity) cannot be sorted by \(key.path), which leads to no single value")
  }

  @Test func hints() throws {
    let company = try Company(.memory)
    func hint(_ entity: String, _ predicate: String) -> String? {
      do { _ = try company.context.fetch(request(entity, predicate)) } catch { return (error as? Diagnostic)?.hint }
      return nil
    }
    #expect(hint("Department", "nam = 1") == "Did you mean name? It has code, employees, name.")
    #expect(hint("Employee", "title = 1") == "Its subentity Boss has one: fetch that.")
    #expect(hint("Department", "employees.age > 3") == "Write ANY, ALL or NONE before it.")
  }
}
