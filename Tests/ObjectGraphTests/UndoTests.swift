import ObjectModel
import TestSupport
import Testing

@testable import ObjectGraph

@Suite struct UndoTests {
  private func company(_ kind: StoreUnderTest) throws -> (Company, UndoManager) {
    let company = try Company(kind)
    let manager = UndoManager()
    company.context.undoManager = manager
    return (company, manager)
  }

  /// All that a context has, in words.
  private func picture(_ company: Company, _ objects: [NSManagedObject]) -> [String] {
    objects.filter { $0.managedObjectContext != nil && !$0.isDeleted }.map { object in
      let relationships = object.entity.relationshipsByName.keys.sorted().map { "\($0)=\(object.names($0))" }
      return
        (["\(object["name"] ?? "")", "\(object.entity.attributesByName["age"] == nil ? "" : object["age"] ?? "")"]
        + relationships).joined(separator: " ")
    }
  }

  @Test(arguments: StoreUnderTest.all, [false, true])
  func everyKindOfChange(_ kind: StoreUnderTest, isSavedBetween: Bool) throws {
    let (company, manager) = try company(kind)
    let context = company.context
    let rd = company.insert("Department", ["name": "R&D"])
    let ops = company.insert("Department", ["name": "Ops"])
    let projects = ["X", "Y"].map { company.insert("Project", ["name": $0]) }
    let people = ["Ada", "Bob", "Cy"].map { company.insert("Employee", ["name": $0, "department": rd]) }
    let tasks = ["a", "b", "c"].map { company.insert("Task", ["name": $0, "project": projects[0]]) }
    try context.save()
    manager.removeAllActions()
    let all = [rd, ops] + projects + people + tasks
    var new: [NSManagedObject] = []

    let steps: [() -> Void] = [
      { people[0]["age"] = 30 },
      { people[0]["department"] = ops },
      { people[1].mutableSetValue(forKey: "projects").addObjects(from: projects) },
      { projects[0]["watchers"] = [people[2], people[0], people[1]] },
      { projects[0].mutableOrderedSetValue(forKey: "tasks").moveObject(at: 2, to: 0) },
      { projects[0].mutableOrderedSetValue(forKey: "watchers").removeObject(at: 0) },
      { new = [company.insert("Employee", ["name": "New", "department": ops, "projects": Set(projects)])] },
      { context.delete(people[1]) },
      { context.delete(projects[0]) },  // and its tasks
      { people[0]["friends"] = Set([people[2]]) },
    ]
    var pictures = [picture(company, all)]
    for step in steps {
      step()
      context.processPendingChanges()
      if isSavedBetween { try context.save() }
      pictures.append(picture(company, all + new))
    }
    for expected in pictures.dropLast().reversed() {
      #expect(manager.canUndo)
      context.undo()
      if isSavedBetween { try context.save() }
      #expect(picture(company, all + new) == expected)
    }
    #expect(!manager.canUndo)
    if !isSavedBetween { #expect(new.allSatisfy { $0.managedObjectContext == nil }) }
    for expected in pictures.dropFirst() {
      #expect(manager.canRedo)
      context.redo()
      if isSavedBetween { try context.save() }
      #expect(picture(company, all + new) == expected)
    }
    #expect(!manager.canRedo)
    try context.save()
    for object in (all + new) where object.managedObjectContext != nil {
      let read = try company.reread(object)
      #expect(picture(company, [read]) == picture(company, [object]))
    }
  }

  @Test(arguments: StoreUnderTest.all) func oneStepForEachProcessing(_ kind: StoreUnderTest) throws {
    let (company, manager) = try company(kind)
    let ada = company.insert("Employee", ["name": "Ada"])
    company.context.processPendingChanges()
    ada["age"] = 20
    ada["age"] = 21
    ada["name"] = "Grace"
    company.context.processPendingChanges()
    ada["age"] = 22
    company.context.undo()
    #expect(ada["age", as: Int.self] == 21)
    company.context.undo()
    #expect(ada["age"] == nil && ada["name", as: String.self] == "Ada")
    company.context.redo()
    #expect(ada["age", as: Int.self] == 21 && ada["name", as: String.self] == "Grace" && manager.canRedo)
    // A new change leaves nothing to redo.
    ada["age"] = 40
    #expect(!manager.canRedo)
    company.context.undo()
    company.context.undo()
    company.context.undo()
    #expect(!company.context.hasChanges && ada.managedObjectContext == nil)
    company.context.undo()
  }

  @Test(arguments: StoreUnderTest.all) func groups(_ kind: StoreUnderTest) throws {
    let (company, manager) = try company(kind)
    let ada = company.insert("Employee", ["name": "Ada"])
    company.context.processPendingChanges()
    manager.beginUndoGrouping()
    manager.setActionName("Age")
    ada["age"] = 20
    company.context.processPendingChanges()
    ada["age"] = 21
    manager.beginUndoGrouping()
    ada["age"] = 22
    manager.endUndoGrouping()
    #expect(manager.groupingLevel == 1)
    manager.endUndoGrouping()
    #expect(manager.undoActionName == "Age" && manager.canUndo)
    manager.undo()
    #expect(ada["age"] == nil && ada.isInserted && manager.redoActionName == "Age")
    manager.redo()
    #expect(ada["age", as: Int.self] == 22)
  }

  @Test(arguments: StoreUnderTest.all) func withoutRegistration(_ kind: StoreUnderTest) throws {
    let (company, manager) = try company(kind)
    manager.disableUndoRegistration()
    let ada = company.insert("Employee", ["name": "Ada"])
    manager.enableUndoRegistration()
    #expect(!manager.canUndo)
    ada["age"] = 20
    #expect(manager.canUndo)
    manager.undo()
    #expect(ada["age"] == nil && ada.isInserted)
  }

  @Test(arguments: StoreUnderTest.all) func levels(_ kind: StoreUnderTest) throws {
    let (company, manager) = try company(kind)
    manager.levelsOfUndo = 2
    let ada = company.insert("Employee", ["name": "Ada"])
    for age in 20..<30 {
      company.context.processPendingChanges()
      ada["age"] = age
    }
    for _ in 0..<5 { company.context.undo() }
    #expect(ada["age", as: Int.self] == 27)
  }

  @Test(arguments: StoreUnderTest.all) func rollbackAndResetLeaveNothingToUndo(_ kind: StoreUnderTest) throws {
    let (company, manager) = try company(kind)
    let ada = company.insert("Employee", ["name": "Ada"])
    try company.context.save()
    ada["age"] = 20
    company.context.rollback()
    #expect(!manager.canUndo && !manager.canRedo && ada["age"] == nil)
    ada["age"] = 20
    company.context.processPendingChanges()
    company.context.reset()
    #expect(!manager.canUndo)
  }

  @Test(arguments: StoreUnderTest.all) func notInBatchContexts(_ kind: StoreUnderTest) throws {
    let (company, manager) = try company(kind)
    company.context.isBatch = true
    company.insert("Employee", ["name": "Ada"])
    company.context.processPendingChanges()
    #expect(!manager.canUndo)
  }

  @Test(arguments: StoreUnderTest.all) func theDefaultIsNoUndoManager_DEVIATION(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    #expect(company.context.undoManager == nil)
    company.insert("Employee")
    company.context.undo()
    #expect(company.context.hasChanges)
  }

  @Test func stepsOfOnesOwn() {
    final class Counter { var count = 0 }
    let manager = UndoManager()
    let counter = Counter()
    func add(_ counter: Counter, _ number: Int) {
      counter.count += number
      manager.registerUndo(withTarget: counter) { add($0, -number) }
    }
    add(counter, 5)
    manager.undo()
    #expect(counter.count == 0 && !manager.isUndoing)
    manager.redo()
    #expect(counter.count == 5)
    manager.removeAllActions(withTarget: counter)
    #expect(!manager.canUndo)
  }
}
