import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import ObjectGraph

private struct Rule: Error, CustomStringConvertible {
  let description: String
}

private final class Employee: NSManagedObject {
  var calls: [String] = []

  override func validateForInsert() throws {
    calls.append("insert")
    try super.validateForInsert()
    if self["name", as: String.self] == "Nobody" { throw Rule(description: "nobody is nobody") }
  }
  override func validateForUpdate() throws {
    calls.append("update")
    try super.validateForUpdate()
  }
  override func validateForDelete() throws {
    calls.append("delete")
    try super.validateForDelete()
    if self["rating", as: Double.self] == 5 { throw Rule(description: "the best stay") }
  }
  override func validateValue(_ value: inout Any?, forKey key: String) throws {
    if key == "name", let text = value as? String { value = text.trimmingCharacters(in: .whitespaces) }
    if key == "serial", value as? Int == 13 { throw Rule(description: "no 13") }
    try super.validateValue(&value, forKey: key)
  }
}

@Suite struct OwnValidationTests {
  private func company(_ kind: StoreUnderTest) throws -> Company {
    try Company { model, folder in
      model.entitiesByName["Employee"]?.managedObjectClassName = "Employee"
      model.register(Employee.self)
      return try kind.make(model, folder)
    }
  }

  private func error(_ company: Company) throws -> NSError {
    try #require(#expect(throws: SaveError.self) { try company.context.save() } as NSError?)
  }

  @Test(arguments: StoreUnderTest.all) func hooksAreCalled(_ kind: StoreUnderTest) throws {
    let company = try company(kind)
    let ada = try #require(company.insert("Employee", ["name": "  Ada "]) as? Employee)
    try company.context.save()
    #expect(ada["name", as: String.self] == "Ada")
    #expect(try company.reread(ada)["name", as: String.self] == "Ada")
    ada["age"] = 30
    try company.context.save()
    company.context.delete(ada)
    try company.context.save()
    #expect(ada.calls == ["insert", "update", "delete"])
  }

  @Test(arguments: StoreUnderTest.all) func whatTheyThrowIsTold(_ kind: StoreUnderTest) throws {
    let company = try company(kind)
    let nobody = company.insert("Employee", ["name": "Nobody"])
    let error = try error(company)
    #expect(error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectValidationError)
    #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === nobody)
    #expect((error.userInfo[NSUnderlyingErrorKey] as? Rule)?.description == "nobody is nobody")
    #expect(error.localizedDescription == "Employee is not valid: nobody is nobody")
    nobody["name"] = "Ada"
    nobody["rating"] = 5.0
    try company.context.save()
    company.context.delete(nobody)
    #expect(try self.error(company).localizedDescription == "Employee is not valid: the best stay")
  }

  @Test(arguments: StoreUnderTest.all) func theModelsRulesAndTheirOwnTogether(_ kind: StoreUnderTest) throws {
    let company = try company(kind)
    company.insert("Employee", ["age": 5, "serial": 13])
    company.insert("Person")
    let details = try #require(try error(company).userInfo[NSDetailedErrorsKey] as? [NSError])
    #expect(details.map(\.code) == [1620, 1570, 1550, 1570])
    #expect(
      details.map { $0.userInfo[NSValidationKeyErrorKey] as? String } == ["age", "name", nil, "name"])
    #expect(details[0].userInfo[NSValidationValueErrorKey] as? Int == 5)
    #expect(details[0].userInfo[NSValidationPredicateErrorKey] as? String == "16")
    #expect(details[2].localizedDescription == "Employee is not valid: no 13")
  }

  @Test(arguments: StoreUnderTest.all) func oneValueAlone(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let ada = company.insert("Employee", ["name": "Ada"])
    func code(_ value: Any?, _ key: String) -> Int? {
      var value = value
      do {
        try ada.validateValue(&value, forKey: key)
        return nil
      } catch { return (error as? ValidationError)?.errorCode }
    }
    #expect(code(30, "age") == nil && code(5, "age") == 1620 && code(500, "age") == 1610 && code("x", "age") == 1550)
    #expect(code(nil, "name") == 1570 && code(nil, "department") == nil && code("anything", "label") == nil)
    #expect(ada["age"] == nil)
    #expect(throws: Never.self) { try ada.validateForInsert() }
    ada["name"] = nil
    let error = #expect(throws: ValidationError.self) { try ada.validateForInsert() }
    #expect(error?.errorCode == NSValidationMissingMandatoryPropertyError && error?.property == "name")
  }
}
