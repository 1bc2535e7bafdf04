import ObjectModel
import TestSupport
import Testing

@testable import ObjectGraph

@Suite struct MutableRelationshipTests {
  @Test(arguments: StoreUnderTest.all) func sets(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let rd = company.insert("Department", ["name": "R&D"])
    let people = ["Ada", "Bob", "Cy"].map { company.insert("Employee", ["name": $0]) }
    let employees = rd.mutableSetValue(forKey: "employees")
    employees.add(people[0])
    employees.addObjects(from: people)
    #expect(employees.count == 3 && employees.contains(people[2]) && Set(employees) == Set(people))
    #expect(people[1]["department"] as? NSManagedObject === rd)
    employees.remove(people[0])
    #expect(people[0]["department"] == nil)
    try company.context.save()
    #expect(try company.reread(rd).names("employees") == ["Bob", "Cy"])
    employees.intersect([people[2]])
    employees.union([people[0]])
    employees.minus([people[2]])
    try company.context.save()
    #expect(try company.reread(rd).names("employees") == ["Ada"])
    employees.setSet([people[1]])
    #expect(rd.names("employees") == ["Bob"])
    employees.removeAllObjects()
    try company.context.save()
    #expect(try company.reread(rd).names("employees") == [])
  }

  @Test(arguments: StoreUnderTest.all) func orderedSets(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let project = company.insert("Project", ["name": "X"])
    let tasks = ["a", "b", "c", "d"].map { company.insert("Task", ["name": $0]) }
    let list = project.mutableOrderedSetValue(forKey: "tasks")
    list.addObjects(from: Array(tasks.prefix(2)))
    list.insert(tasks[2], at: 0)
    list.add(tasks[3])
    list.add(tasks[2])
    #expect(list.array == [tasks[2], tasks[0], tasks[1], tasks[3]] && list.index(of: tasks[1]) == 2)
    try company.context.save()
    #expect(try company.reread(project).names("tasks") == ["c", "a", "b", "d"])
    list.exchangeObject(at: 0, withObjectAt: 3)
    list.moveObject(at: 1, to: 2)
    try company.context.save()
    #expect(try company.reread(project).names("tasks") == ["d", "b", "a", "c"])
    let new = company.insert("Task", ["name": "e"])
    list[1] = new
    company.context.delete(tasks[1])
    list.removeObject(at: 0)
    company.context.delete(tasks[3])
    #expect(list.count == 3 && list[0] === new && list.contains(tasks[0]))
    try company.context.save()
    #expect(try company.reread(project).names("tasks") == ["e", "a", "c"])
  }

  /// Adding to a large relationship must not read it.
  @Test func addingReadsNothing() throws {
    let company = try Company { model, _ in RecordingStore(model: model) }
    let store = try #require(company.store as? RecordingStore)
    let rd = company.insert("Department", ["name": "R&D"])
    try company.context.save()
    let context = company.otherContext()
    let same = try context.existingObject(with: rd.objectID)
    #expect(same.hasFault(forRelationshipNamed: "employees"))
    store.calls = []
    let ada = NSEntityDescription.insertNewObject(forEntityName: "Employee", into: context)
    same.mutableSetValue(forKey: "employees").add(ada)
    #expect(store.calls == [] && same.hasFault(forRelationshipNamed: "employees"))
    #expect(same.objectIDs(forRelationshipNamed: "employees") == [ada.objectID])
    #expect(store.calls == ["employees of 1"] && !same.hasFault(forRelationshipNamed: "employees"))
    #expect(ada.objectIDs(forRelationshipNamed: "department") == [same.objectID])
  }
}
