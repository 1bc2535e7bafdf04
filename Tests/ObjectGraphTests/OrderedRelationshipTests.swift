import ObjectModel
import TestSupport
import Testing

@testable import ObjectGraph

@Suite struct OrderedRelationshipTests {
  @Test(arguments: StoreUnderTest.all) func listsKeepTheirOrder(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let project = company.insert("Project")
    let tasks = ["c", "a", "b", "d"].map { company.insert("Task", ["name": $0]) }
    project.setValue(tasks, forKey: "tasks")
    try company.context.save()
    #expect(try company.reread(project).names("tasks") == ["c", "a", "b", "d"])
    project.setValue([tasks[1], tasks[2], tasks[0], tasks[3]], forKey: "tasks")
    #expect(project.names("tasks") == ["a", "b", "c", "d"])
    try company.context.save()
    #expect(try company.reread(project).names("tasks") == ["a", "b", "c", "d"])
    #expect(project.names("tasks") == ["a", "b", "c", "d"])
  }

  @Test(arguments: StoreUnderTest.all, [false, true])
  func whatIsAddedGoesToTheEnd(_ kind: StoreUnderTest, byTheToOneEnd: Bool) throws {
    let company = try Company(kind)
    let project = company.insert("Project")
    for chunk in [["c", "a"], ["d"], ["b", "e"]] {
      let context = company.otherContext()
      if project.isInserted { try company.context.save() }
      let owner = context.object(with: project.objectID)
      let tasks = chunk.map { name in
        let task = NSEntityDescription.insertNewObject(forEntityName: "Task", into: context)
        task.setValue(name, forKey: "name")
        return task
      }
      if byTheToOneEnd {
        for task in tasks { task.setValue(owner, forKey: "project") }
      } else {
        try owner.addToMany(company.relationship("Project", "tasks"), tasks)
      }
      try context.save()
    }
    #expect(try company.reread(project).names("tasks") == ["c", "a", "d", "b", "e"])
  }

  @Test(arguments: StoreUnderTest.all) func whatComesBackGoesToTheEnd(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let project = company.insert("Project")
    let tasks = ["a", "b", "c"].map { company.insert("Task", ["name": $0, "project": project]) }
    try company.context.save()
    tasks[0].setValue(nil, forKey: "project")
    #expect(project.names("tasks") == ["b", "c"])
    tasks[0].setValue(project, forKey: "project")
    #expect(project.names("tasks") == ["b", "c", "a"])
    try company.context.save()
    #expect(try company.reread(project).names("tasks") == ["b", "c", "a"])
  }

  @Test(arguments: StoreUnderTest.all) func removalKeepsTheRestInOrder(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let project = company.insert("Project")
    let tasks = ["d", "c", "b", "a"].map { company.insert("Task", ["name": $0]) }
    project.setValue(tasks, forKey: "tasks")
    try company.context.save()
    company.context.delete(tasks[1])
    #expect(project.names("tasks") == ["d", "b", "a"])
    try company.context.save()
    #expect(try company.reread(project).names("tasks") == ["d", "b", "a"])
  }

  @Test(arguments: StoreUnderTest.all, [false, true])
  func manyToManyWithOrderAtOneEnd(_ kind: StoreUnderTest, fromTheOtherEnd: Bool) throws {
    let company = try Company(kind)
    let people = ["Eve", "Ada", "Bob"].map { company.insert("Employee", ["name": $0]) }
    let projects = ["X", "Y"].map { company.insert("Project", ["name": $0]) }
    if fromTheOtherEnd {
      for person in people { person.setValue(Set(projects), forKey: "watched") }
    } else {
      for project in projects { project.setValue(people, forKey: "watchers") }
    }
    try company.context.save()
    #expect(try company.reread(projects[1]).names("watchers") == ["Eve", "Ada", "Bob"])
    projects[1].setValue([people[2], people[0]], forKey: "watchers")
    try company.context.save()
    #expect(try company.reread(projects[1]).names("watchers") == ["Bob", "Eve"])
    #expect(try company.reread(people[1]).names("watched") == ["X"])
  }

  /// Both ends ordered: each keeps its own order, whichever end reports the links.
  @Test(arguments: StoreUnderTest.all) func manyToManyWithOrderAtBothEnds(_ kind: StoreUnderTest) throws {
    let company = try Company { model, folder in
      model.entitiesByName["Employee"]?.relationshipsByName["watched"]?.isOrdered = true
      return try kind.make(model, folder)
    }
    let people = ["Eve", "Ada", "Bob"].map { company.insert("Employee", ["name": $0]) }
    let projects = ["Y", "X"].map { company.insert("Project", ["name": $0]) }
    people[0].setValue(projects, forKey: "watched")
    people[2].setValue(Array(projects.reversed()), forKey: "watched")
    projects[0].setValue([people[2], people[1], people[0]], forKey: "watchers")
    try company.context.save()
    #expect(try company.reread(people[0]).names("watched") == ["Y", "X"])
    #expect(try company.reread(people[2]).names("watched") == ["X", "Y"])
    #expect(try company.reread(projects[0]).names("watchers") == ["Bob", "Ada", "Eve"])
    #expect(try company.reread(projects[1]).names("watchers") == ["Eve", "Bob"])
  }
}
