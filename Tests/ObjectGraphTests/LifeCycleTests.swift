import ObjectModel
import TestSupport
import Testing

@testable import ObjectGraph

/// An employee that notes what happens to it.
private final class Employee: NSManagedObject {
  var events: [String] = []
  var onSave: ((Employee) -> Void)?

  override func awakeFromInsert() {
    events.append("insert")
    setValue("unnamed", forKey: "name")
    setValue(50, forKey: "age")
  }
  override func awakeFromFetch() {
    events.append("fetch")
    setValue("set by awakeFromFetch", forKey: "label")
  }
  override func willSave() {
    events.append("willSave")
    onSave?(self)
  }
  override func didSave() { events.append("didSave") }
  override func prepareForDeletion() { events.append("prepareForDeletion") }
}

private final class Boss: NSManagedObject {}

@Suite struct LifeCycleTests {
  private func company(_ kind: StoreUnderTest, className: String = "Employee") throws -> Company {
    let company = try Company { model, folder in
      model.entitiesByName["Employee"]?.managedObjectClassName = className
      model.register(Employee.self)
      return try kind.make(model, folder)
    }
    return company
  }

  @Test(arguments: ["Employee", "App.Employee", ".Employee"]) func registeredClasses(_ name: String) throws {
    let company = try company(.memory, className: name)
    #expect(company.insert("Employee") is Employee)
    #expect(type(of: company.insert("Department")) == NSManagedObject.self)
    #expect(type(of: company.insert("Boss", ["name": "Eve"])) == NSManagedObject.self)
  }

  @Test func unregisteredClassesArePlainObjects() throws {
    let company = try company(.memory, className: "Nobody")
    #expect(type(of: company.insert("Employee")) == NSManagedObject.self)
  }

  @Test(arguments: StoreUnderTest.all) func eventsInAppleOrder(_ kind: StoreUnderTest) throws {
    let company = try company(kind)
    let ada = try #require(company.insert("Employee", ["name": "Ada"]) as? Employee)
    try company.context.save()
    ada.setValue(30, forKey: "age")
    try company.context.save()
    company.context.delete(ada)
    try company.context.save()
    #expect(
      ada.events == [
        "insert", "willSave", "didSave", "willSave", "didSave", "prepareForDeletion", "willSave", "didSave",
      ])
  }

  @Test(arguments: StoreUnderTest.all) func awakingFromFetchIsNoChange(_ kind: StoreUnderTest) throws {
    let company = try company(kind)
    let ada = company.insert("Employee")
    try company.context.save()
    let read = try #require(try company.reread(ada) as? Employee)
    #expect(read.events == ["fetch"] && !read.hasChanges)
    #expect(read.value(forKey: "label") as? String == "set by awakeFromFetch")
    #expect(read.value(forKey: "age") as? Int == 50)
  }

  @Test(arguments: StoreUnderTest.all) func changesOfWillSaveAreSaved(_ kind: StoreUnderTest) throws {
    let company = try company(kind)
    let ada = try #require(company.insert("Employee", ["name": "Ada"]) as? Employee)
    let bob = try #require(company.insert("Employee", ["name": "Bob"]) as? Employee)
    try company.context.save()
    ada.onSave = { _ in bob.setValue("Bert", forKey: "name") }
    ada.setValue("Grace", forKey: "name")
    try company.context.save()
    #expect(try company.reread(bob).value(forKey: "name") as? String == "Bert")
    #expect(bob.events == ["insert", "willSave", "didSave", "willSave", "didSave"])
  }

  /// A required value that is only set late fails: validation comes first, as Apple documents.
  @Test(arguments: StoreUnderTest.all) func willSaveComesAfterValidation(_ kind: StoreUnderTest) throws {
    let company = try company(kind)
    let ada = try #require(company.insert("Employee") as? Employee)
    ada.setValue(nil, forKey: "name")
    ada.onSave = { $0.setValue("late", forKey: "name") }
    #expect(throws: SaveError.self) { try company.context.save() }
    #expect(ada.events == ["insert"])
  }

  @Test(arguments: StoreUnderTest.all) func whatWillSaveBreaksIsRefused(_ kind: StoreUnderTest) throws {
    let company = try company(kind)
    let ada = try #require(company.insert("Employee") as? Employee)
    ada.onSave = { $0.setValue(5, forKey: "age") }
    let error = #expect(throws: SaveError.self) { try company.context.save() }
    #expect(error?.errorCode == 1620)
    #expect(try company.store.requests.objectIDs(of: company.entity("Employee"), includingSubentities: true).isEmpty)
  }

  @Test(arguments: StoreUnderTest.all) func objectsInsertedByWillSaveAreSaved(_ kind: StoreUnderTest) throws {
    let company = try company(kind)
    let ada = try #require(company.insert("Employee") as? Employee)
    ada.onSave = { object in
      guard object.value(forKey: "desk") == nil else { return }
      object.setValue(company.insert("Desk", ["number": 7]), forKey: "desk")
    }
    try company.context.save()
    let desk = try #require(try company.reread(ada).value(forKey: "desk") as? NSManagedObject)
    #expect(desk.value(forKey: "number") as? Int == 7)
  }
}
