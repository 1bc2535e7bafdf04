import Diagnostics
import Foundation
import Predicates
import TestSupport
import Testing

@testable import ObjectGraph
@testable import ObjectModel

@Suite struct FetchTemplateTests {
  @Test(arguments: StoreUnderTest.all) func templates(_ kind: StoreUnderTest) throws {
    let company = try FetchRequestTests.company(kind)
    company.model.fetchRequestTemplates = [
      "Young": FetchRequestTemplate(
        entityName: "Employee", predicateString: "age < $limit AND name != $name", attributes: ["fetchLimit": "1"]),
      "All": FetchRequestTemplate(
        entityName: "Employee", predicateString: nil, attributes: ["includeSubentities": "NO"]),
      "Broken": FetchRequestTemplate(entityName: "Employee", predicateString: "age <", attributes: [:]),
    ]
    #expect(company.model.fetchRequestTemplateNames == ["All", "Broken", "Young"])
    let young = try #require(
      try company.model.fetchRequestFromTemplate(
        withName: "Young", substitutionVariables: ["limit": 30, "name": "Bob"]))
    #expect(young.predicate?.formatString == #"age < 30 AND name != "Bob""#)
    #expect(FetchRequestTests.names(try company.context.fetch(young)) == ["Dan"])
    let all = try #require(try company.model.fetchRequestTemplate(forName: "All"))
    #expect(try company.context.count(for: all) == 4)
    #expect(try company.model.fetchRequestTemplate(forName: "None") == nil)
    #expect(throws: Diagnostic.self) { try company.model.fetchRequestTemplate(forName: "Broken") }
  }

  @Test(arguments: StoreUnderTest.all) func fetchedProperties(_ kind: StoreUnderTest) throws {
    let model = CompanyModel.make()
    let property = NSFetchedPropertyDescription()
    property.name = "peers"
    property.fetchEntityName = "Employee"
    property.predicateString = "age = $FETCH_SOURCE.age AND SELF != $FETCH_SOURCE"
    model.entities.first { $0.name == "Employee" }?.ownProperties += [property]
    let folder = try TemporaryFolder()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    coordinator.add(try kind.make(model, folder))
    let context = NSManagedObjectContext(coordinator: coordinator)
    for (name, age) in [("Ada", 20), ("Bob", 20), ("Cyd", 30)] {
      let employee = NSEntityDescription.insertNewObject(forEntityName: "Employee", into: context)
      employee.setValue(name, forKey: "name")
      employee.setValue(age, forKey: "age")
    }
    try context.save()
    let ada = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Employee")).first)
    #expect(FetchRequestTests.names(ada.value(forKey: "peers") as? [NSManagedObject] ?? []) == ["Bob"])
  }
}
