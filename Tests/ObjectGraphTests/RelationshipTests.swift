import ObjectModel
import TestSupport
import Testing
import Values

@testable import ObjectGraph

@Suite struct RelationshipTests {
  @Test(arguments: StoreUnderTest.all) func oneToMany(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let rd = company.insert("Department", ["name": "R&D"])
    let sales = company.insert("Department", ["name": "Sales"])
    let ada = company.insert("Employee", ["name": "Ada", "department": rd])
    let bob = company.insert("Employee", ["name": "Bob"])
    rd.setValue(Set([ada, bob]), forKey: "employees")
    #expect(bob.value(forKey: "department") as? NSManagedObject === rd)
    try company.context.save()
    #expect(rd.names("employees") == ["Ada", "Bob"])
    bob.setValue(sales, forKey: "department")
    #expect(rd.names("employees") == ["Ada"] && sales.names("employees") == ["Bob"])
    try company.context.save()
    #expect(try company.reread(rd).names("employees") == ["Ada"])
    #expect(try company.reread(sales).names("employees") == ["Bob"])
    #expect(try company.reread(bob).names("department") == ["Sales"])
    #expect(rd.version == 1 && sales.version == 1 && ada.version == 1 && bob.version == 2)
  }

  @Test(arguments: StoreUnderTest.all) func thereAndBackAgainIsNoChange(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let rd = company.insert("Department", ["name": "R&D"])
    let ada = company.insert("Employee", ["name": "Ada", "department": rd])
    try company.context.save()
    ada.setValue(nil, forKey: "department")
    ada.setValue(rd, forKey: "department")
    #expect(rd.names("employees") == ["Ada"])
    try company.context.save()
    #expect(try company.reread(ada).version == 1)
    #expect(rd.names("employees") == ["Ada"])
  }

  @Test(arguments: StoreUnderTest.all) func oneToOne(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let desks = (1...2).map { company.insert("Desk", ["number": $0]) }
    let ada = company.insert("Employee", ["name": "Ada", "desk": desks[0]])
    let bob = company.insert("Employee", ["name": "Bob", "desk": desks[1]])
    try company.context.save()
    // Ada takes Bob's desk: Bob has none, and nobody has Ada's.
    ada.setValue(desks[1], forKey: "desk")
    #expect(bob.value(forKey: "desk") == nil && desks[0].value(forKey: "owner") == nil)
    #expect(desks[1].names("owner") == ["Ada"])
    try company.context.save()
    #expect(try company.reread(desks[1]).names("owner") == ["Ada"])
    #expect(try company.reread(bob).value(forKey: "desk") == nil)
    desks[1].setValue(bob, forKey: "owner")
    #expect(ada.value(forKey: "desk") == nil && bob.value(forKey: "desk") as? NSManagedObject === desks[1])
  }

  @Test(arguments: StoreUnderTest.all, [false, true]) func manyToMany(_ kind: StoreUnderTest, fromTheOtherEnd: Bool)
    throws
  {
    let company = try Company(kind)
    let people = ["Ada", "Bob", "Eve"].map { company.insert("Employee", ["name": $0]) }
    let projects = ["X", "Y"].map { company.insert("Project", ["name": $0]) }
    if fromTheOtherEnd {
      projects[0].setValue(Set(people), forKey: "members")
      projects[1].setValue(Set([people[0]]), forKey: "members")
    } else {
      people[0].setValue(Set(projects), forKey: "projects")
      for person in people[1...] { person.setValue(Set([projects[0]]), forKey: "projects") }
    }
    #expect(projects[0].names("members") == ["Ada", "Bob", "Eve"])
    try company.context.save()
    #expect(try company.reread(projects[0]).names("members") == ["Ada", "Bob", "Eve"])
    #expect(try company.reread(people[0]).names("projects") == ["X", "Y"])

    let members = try company.relationship("Project", "members")
    let again = try company.reread(projects[0])
    let context = try #require(again.managedObjectContext)
    let same = people.map { context.object(with: $0.objectID) }
    // Without reading what there is: one that is there, and one that goes.
    #expect(try again.addToMany(members, [same[0]]))
    #expect(try again.removeFromMany(members, [same[1]]))
    #expect(again.names("members") == ["Ada", "Eve"])
    #expect(same[1].names("projects") == [])
    try context.save()
    #expect(try company.reread(projects[0]).names("members") == ["Ada", "Eve"])
    #expect(try company.reread(people[0]).names("projects") == ["X", "Y"])
    #expect(try company.reread(people[1]).names("projects") == [])
    #expect(try company.reread(projects[0]).version == 1)
  }

  @Test(arguments: StoreUnderTest.all) func itsOwnInverse(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let people = ["Ada", "Bob", "Eve"].map { company.insert("Person", ["name": $0]) }
    people[2].setValue(Set(people), forKey: "friends")
    #expect(people[0].names("friends") == ["Eve"])
    try company.context.save()
    #expect(try company.reread(people[0]).names("friends") == ["Eve"])
    #expect(try company.reread(people[2]).names("friends") == ["Ada", "Bob", "Eve"])
    people[0].setValue(nil, forKey: "friends")
    try company.context.save()
    #expect(try company.reread(people[2]).names("friends") == ["Bob", "Eve"])
    #expect(try company.reread(people[0]).names("friends") == [])
  }

  @Test(arguments: StoreUnderTest.all) func withoutAnInverse(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let lists = ["A", "B"].map { company.insert("List", ["name": $0]) }
    let notes = (0..<2).map { company.insert("Note", ["text": "\($0)"]) }
    lists[0].setValue(Set(notes), forKey: "notes")
    try company.context.save()
    func texts(_ list: NSManagedObject) throws -> [String] {
      let notes = try company.reread(list).value(forKey: "notes") as? Set<NSManagedObject> ?? []
      return notes.map { $0.value(forKey: "text") as? String ?? "" }.sorted()
    }
    #expect(try texts(lists[0]) == ["0", "1"])
    lists[1].setValue(Set([notes[0]]), forKey: "notes")
    try company.context.save()
    #expect(try texts(lists[1]) == ["0"])
    // The row of a note has room for one list.
    #expect(try texts(lists[0]) == ["1"])
  }

  /// A million employees of one department: the department's own row and its employees are neither read nor written.
  @Test func linkingToOneReadsNothing() throws {
    let company = try Company { model, _ in RecordingStore(model: model) }
    let store = try #require(company.store as? RecordingStore)
    let department = company.insert("Department", ["name": "R&D"])
    try company.context.save()
    let id = department.objectID
    let employee = try company.entity("Employee")
    let place = try #require(employee.layout.toOneIndex["department"])
    store.calls = []
    for _ in 0..<3 {
      let context = company.otherContext()
      for name in ["Ada", "Bob"] {
        let object = NSManagedObject(entity: employee, insertInto: context)
        object.setValue(name, forKey: "name")
        #expect(try object.setToOne(place, to: id))
      }
      #expect(context.object(with: id).isFault)
      try context.save()
    }
    #expect(store.calls == Array(repeating: ["reserve 2 Person", "save +2 ~0 -0 *0"], count: 3).flatMap { $0 })
    let read = try company.reread(department)
    #expect(read.version == 1 && (read.value(forKey: "employees") as? Set<NSManagedObject>)?.count == 6)
  }
}
