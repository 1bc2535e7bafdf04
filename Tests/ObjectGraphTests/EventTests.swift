import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import ObjectGraph

/// Who is told of changes: by notifications and by observation of one key.
@Suite struct EventTests {
  /// The notifications of one context.
  private final class Notes: @unchecked Sendable {
    private(set) var lines: [String] = []
    private var tokens: [any NSObjectProtocol] = []

    init(_ context: NSManagedObjectContext) {
      let names: [(Notification.Name, String)] = [
        (.NSManagedObjectContextObjectsDidChange, "change"), (.NSManagedObjectContextWillSave, "willSave"),
        (.NSManagedObjectContextDidSave, "didSave"),
      ]
      for (name, label) in names {
        tokens.append(
          NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { [unowned self] in
            note(label, $0)
          })
      }
    }

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }

    private func note(_ label: String, _ notification: Notification) {
      var parts = [label]
      let userInfo = notification.userInfo ?? [:]
      for key in userInfo.keys.compactMap({ $0 as? String }).sorted() {
        if let objects = userInfo[key] as? Set<NSManagedObject> {
          if !objects.isEmpty { parts.append("\(key) \(objects.compactMap { $0["name", as: String.self] }.sorted())") }
        } else {
          parts.append("\(key) \(userInfo[key] ?? "")")
        }
      }
      lines.append(parts.joined(separator: " "))
    }

    func take() -> [String] {
      defer { lines = [] }
      return lines
    }
  }

  @Test(arguments: StoreUnderTest.all) func changesAreToldWhenTheyAreProcessed(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let notes = Notes(company.context)
    let ada = company.insert("Employee", ["name": "Ada"])
    let bob = company.insert("Employee", ["name": "Bob"])
    #expect(notes.take() == [])
    company.context.processPendingChanges()
    company.context.processPendingChanges()
    #expect(notes.take() == [#"change inserted ["Ada", "Bob"]"#])
    ada["age"] = 30
    company.context.processPendingChanges()
    #expect(notes.take() == [#"change updated ["Ada"]"#])
    try company.context.save()
    #expect(notes.take() == ["willSave", #"didSave inserted ["Ada", "Bob"]"#])
    ada["age"] = 31
    let cy = company.insert("Employee", ["name": "Cy"])
    company.context.delete(cy)
    company.context.delete(bob)
    try company.context.save()
    #expect(
      notes.take() == [
        #"change deleted ["Bob"] updated ["Ada"]"#, "willSave", #"didSave deleted ["Bob"] updated ["Ada"]"#,
      ])
    try company.context.save()
    #expect(notes.take() == [])
  }

  @Test(arguments: StoreUnderTest.all) func refreshingRollingBackAndResetting(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let ada = company.insert("Employee", ["name": "Ada"])
    try company.context.save()
    let notes = Notes(company.context)
    company.context.refresh(ada, mergeChanges: true)
    company.context.processPendingChanges()
    #expect(notes.take() == [#"change refreshed ["Ada"]"#])
    ada["age"] = 30
    company.context.rollback()
    #expect(notes.take() == [#"change refreshed ["Ada"]"#])
    company.context.reset()
    #expect(notes.take() == ["change invalidatedAll true"])
  }

  @Test(arguments: StoreUnderTest.all) func performProcessesPendingChanges(_ kind: StoreUnderTest) async throws {
    let company = try Company(kind)
    let notes = Notes(company.context)
    let context = company.context
    await context.perform {
      NSEntityDescription.insertNewObject(forEntityName: "Project", into: context).setValue("X", forKey: "name")
    }
    #expect(notes.take() == [#"change inserted ["X"]"#])
    context.performAndWait { _ = company.insert("Project", ["name": "Y"]) }
    #expect(notes.take() == [])
  }

  @Test(arguments: StoreUnderTest.all) func batchContextsTellNothing(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    company.context.isBatch = true
    let notes = Notes(company.context)
    let ada = company.insert("Employee", ["name": "Ada"])
    company.context.processPendingChanges()
    try company.context.save()
    ada["age"] = 30
    company.context.rollback()
    company.context.reset()
    #expect(notes.take() == [] && company.context.changedInEvent.isEmpty && ada.beforeEvent == nil)
  }

  @Test(arguments: StoreUnderTest.all) func changedValuesForCurrentEvent(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let rd = company.insert("Department", ["name": "R&D"])
    let ada = company.insert("Employee", ["name": "Ada", "age": 30])
    try company.context.save()
    #expect(ada.changedValuesForCurrentEvent().isEmpty)
    ada["age"] = 31
    ada["age"] = 32
    ada["department"] = rd
    let changed = ada.changedValuesForCurrentEvent()
    #expect(changed.keys.sorted() == ["age", "department"] && changed["age"] as? Int == 30)
    #expect(rd.changedValuesForCurrentEvent().keys.sorted() == ["employees"])
    company.context.processPendingChanges()
    #expect(ada.changedValuesForCurrentEvent().isEmpty && ada.changedValues().count == 2)
  }

  // MARK: One key

  @Test(arguments: StoreUnderTest.all) func observingOneKey(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let rd = company.insert("Department", ["name": "R&D"])
    let ada = company.insert("Employee", ["name": "Ada"])
    try company.context.save()
    var told: [String] = []
    func text(_ value: Any?) -> String {
      switch value {
      case nil: "-"
      case let set as Set<NSManagedObject>: "\(set.count)"
      case let object as NSManagedObject: object["name", as: String.self] ?? ""
      case let value?: "\(value)"
      }
    }
    let observations = [(ada, "name"), (ada, "department"), (rd, "employees"), (ada, "label")].map { object, key in
      object.observe(key) { told.append("\(key) \(text($1.oldValue)) \(text($1.newValue))") }
    }
    ada["age"] = 30
    ada["name"] = "Ada"
    ada["name"] = "Grace"
    ada["label"] = "fancy"
    #expect(told == ["name Ada Grace", "label plain fancy"])
    told = []
    ada["department"] = rd
    #expect(told.sorted() == ["department - R&D", "employees 0 1"])
    told = []
    company.context.rollback()
    #expect(told.sorted() == ["department R&D -", "employees 1 0", "label fancy plain", "name Grace Ada"])
    told = []
    ada.willChangeValue(forKey: "name")
    ada.setPrimitiveValue("Eve", forKey: "name")
    #expect(told == [])
    ada.didChangeValue(forKey: "name")
    #expect(told == ["name Ada Eve"])
    observations[0].invalidate()
    ada["name"] = "nobody"
    #expect(told.count == 1)
  }

  @Test(arguments: StoreUnderTest.all) func anObservationEndsWithItsHolder(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let ada = company.insert("Employee", ["name": "Ada"])
    var count = 0
    do {
      let observation = ada.observe("name") { _, _ in count += 1 }
      ada["name"] = "Grace"
      withExtendedLifetime(observation) {}
    }
    ada["name"] = "Eve"
    #expect(count == 1)
  }
}
