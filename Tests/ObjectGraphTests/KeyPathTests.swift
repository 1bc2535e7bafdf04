import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import ObjectGraph

@Suite struct KeyPathTests {
  private enum Grade: Int16, ScalarEnumeration, CaseIterable { case unknown, junior = 20, senior = 40 }

  private func filled(_ kind: StoreUnderTest) throws -> (company: Company, rd: NSManagedObject) {
    let company = try Company(kind)
    let rd = company.insert("Department", ["name": "R&D"])
    for (name, age, rating) in [("Ada", 30, 1.5), ("Bob", 40, 2.5), ("Cy", 30, 0.5)] {
      company.insert("Employee", ["name": name, "age": age, "rating": rating, "department": rd])
    }
    try company.context.save()
    return (company, try company.reread(rd))
  }

  @Test(arguments: StoreUnderTest.all) func pathsOverRelationships(_ kind: StoreUnderTest) throws {
    let (company, rd) = try filled(kind)
    #expect(rd.value(forKeyPath: "name") as? String == "R&D")
    #expect(rd.value(forKeyPath: "employees.name") as? [String] == ["Ada", "Bob", "Cy"])
    #expect(rd.value(forKeyPath: "employees.desk") as? [NSManagedObject] == [])
    let ada = try #require((rd.value(forKey: "employees") as? Set<NSManagedObject>)?.first { $0.names("desk") == [] })
    #expect(ada.value(forKeyPath: "department.name") as? String == "R&D")
    #expect(ada.value(forKeyPath: "department.employees.name") as? [String] == ["Ada", "Bob", "Cy"])
    #expect(ada.value(forKeyPath: "boss.name") == nil && ada.value(forKeyPath: "place.town") == nil)
    ada.setValue("Milano", forKeyPath: "place.town")
    ada.setValue("Labs", forKeyPath: "department.name")
    ada.setValue("nobody", forKeyPath: "boss.name")
    #expect(ada.value(forKeyPath: "place.town") as? String == "Milano" && rd.value(forKey: "name") as? String == "Labs")
    _ = company
  }

  static let operators: [Case<String, String>] = [
    Case("count", "employees.@count", "3"), Case("sum", "employees.@sum.age", "100"),
    Case("average", "employees.@avg.rating", "1.5"), Case("least number", "employees.@min.age", "30"),
    Case("greatest text", "employees.@max.name", "Cy"), Case("union", "employees.@unionOfObjects.age", "[30, 40, 30]"),
    Case("distinct", "employees.@distinctUnionOfObjects.age", "[30, 40]"),
    Case("least of nothing", "employees.@min.born", "nil"), Case("sum of nothing", "employees.@sum.weight", "0"),
  ]

  @Test(arguments: StoreUnderTest.all, operators)
  func collectionOperators(_ kind: StoreUnderTest, _ c: Case<String, String>) throws {
    let (company, rd) = try filled(kind)
    let value = rd.value(forKeyPath: c.input)
    #expect(value.map { "\($0)" } ?? "nil" == c.expected)
    _ = company
  }

  @Test(arguments: StoreUnderTest.all) func subscripts(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let ada = company.insert("Employee")
    ada["name"] = "Ada"
    ada["age"] = 30
    #expect(ada["name"] as? String == "Ada" && ada["age", as: Int.self] == 30 && ada["age", as: String.self] == nil)
    try company.context.save()
    #expect(try company.reread(ada)["name", as: String.self] == "Ada")
  }

  @Test(arguments: StoreUnderTest.all) func scalarEnumerations(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let ada = company.insert("Employee", ["name": "Ada"])
    func grade() throws -> Grade { try company.reread(ada).scalarValue(forKey: "age") }
    try company.context.save()
    #expect(try grade() == .unknown)
    ada.setScalarValue(Grade.senior, forKey: "age")
    try company.context.save()
    #expect(try grade() == .senior && ada["age", as: Int.self] == 40)
    ada["age"] = 30
    #expect(ada.scalarValue(forKey: "age") == Grade.unknown)
    // A number that the raw type does not even hold.
    ada["serial"] = Int64.max
    #expect(ada.scalarValue(forKey: "serial") == Grade.unknown)
  }

  @Test(arguments: StoreUnderTest.all) func severalKeys(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let ada = company.insert("Employee", ["age": 30])
    ada.setValuesForKeys(["name": "Ada", "age": NSNull(), "department": company.insert("Department", ["name": "R&D"])])
    try company.context.save()
    let values = try company.reread(ada).dictionaryWithValues(forKeys: ["name", "age"])
    #expect(values.count == 2 && values["name"] as? String == "Ada" && values["age"] is NSNull)
    #expect(try company.reread(ada).names("department") == ["R&D"])
  }

  @Test(arguments: StoreUnderTest.all) func committedValues(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let ada = company.insert("Employee", ["name": "Ada", "age": 30])
    #expect(ada.committedValues(forKeys: nil).isEmpty)
    try company.context.save()
    ada["name"] = "Grace"
    let committed = ada.committedValues(forKeys: ["name", "age", "desk"])
    #expect(committed.count == 3 && committed["name"] as? String == "Ada" && committed["age"] as? Int == 30)
  }

  /// Whoever sets a primitive value tells of it, and reads nothing but what is there.
  @Test(arguments: StoreUnderTest.all) func accessorsOfOnesOwn(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let ada = company.insert("Employee", ["name": "Ada"])
    try company.context.save()
    let context = company.otherContext()
    let read = context.object(with: ada.objectID)
    read.willAccessValue(forKey: "name")
    #expect(!read.isFault && read.primitiveValue(forKey: "name") as? String == "Ada")
    read.didAccessValue(forKey: "name")
    read.willChangeValue(forKey: "name")
    read.setPrimitiveValue("Grace", forKey: "name")
    read.didChangeValue(forKey: "name")
    try context.save()
    #expect(try company.reread(ada)["name", as: String.self] == "Grace")
  }
}
