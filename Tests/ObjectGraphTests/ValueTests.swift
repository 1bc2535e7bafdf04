import Diagnostics
import Foundation
import ObjectModel
import TestSupport
import Testing
import Values

@testable import ObjectGraph

@Suite struct ValueTests {
  /// What an attribute is set to, and how it reads back.
  static let takenValues: [Case<(String, @Sendable () -> Any), Value>] = [
    Case("Int16", ("age", { Int16(30) }), .integer(30)),
    Case("Int", ("age", { 30 }), .integer(30)),
    Case("NSNumber", ("age", { NSNumber(value: 30) }), .integer(30)),
    Case("Int64", ("serial", { Int64.min }), .integer(.min)),
    Case("UInt8", ("serial", { UInt8(200) }), .integer(200)),
    Case("whole Double for an integer", ("age", { 30.0 }), .integer(30)),
    Case("Bool", ("active", { false }), .boolean(false)),
    Case("1 for a Bool", ("active", { 1 }), .boolean(true)),
    Case("Double", ("rating", { 4.5 }), .real(4.5)),
    Case("Float", ("weight", { Float(0.1) }), .real(Double(Float(0.1)))),
    Case("Double for a Float, not rounded, as an import has it", ("weight", { 0.1 }), .real(0.1)),
    Case("Decimal", ("salary", { Decimal(string: "1234.56")! }), .decimal(Decimal(string: "1234.56")!)),
    Case("Double for a Decimal", ("salary", { 0.1 }), .decimal(Decimal(string: "0.1")!)),
    Case("Int for a Decimal", ("salary", { 7 }), .decimal(7)),
    Case("String", ("name", { "Ada" }), .string("Ada")),
    Case("Substring's String", ("name", { String("Ada L.".prefix(3)) }), .string("Ada")),
    Case("Date", ("born", { Date(timeIntervalSinceReferenceDate: 5) }), .date(Date(timeIntervalSinceReferenceDate: 5))),
    Case("Data", ("photo", { Data([1, 2]) }), .data(Data([1, 2]))),
    Case(
      "UUID", ("badge", { UUID(uuidString: "C0FFEE00-0000-4000-8000-000000000001")! }),
      .uuid(UUID(uuidString: "C0FFEE00-0000-4000-8000-000000000001")!)),
    Case("URL", ("site", { URL(string: "https://example.org/a")! }), .url(URL(string: "https://example.org/a")!)),
    Case("element of a composite", ("place.town", { "Turin" }), .string("Turin")),
  ]

  @Test(arguments: StoreUnderTest.all) func taken(by kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let objects = try Self.takenValues.map { c in
      let object = company.insert("Employee", ["name": "Ada"])
      try object.setCheckedValue(c.input.1(), forKey: c.input.0)
      return object
    }
    try company.context.save()
    let read = try company.otherContext().fulfill(objects.map(\.objectID))
    for (c, (object, read)) in zip(Self.takenValues, zip(objects, read)) {
      let place = try #require(object.layout.attributeIndex[c.input.0])
      #expect(try object.value(at: place) == c.expected, "\(c.name)")
      #expect(try read?.value(at: place) == c.expected, "\(c.name), read again")
    }
  }

  static let refusedValues: [Case<(String, @Sendable () -> Any), String>] = [
    Case(
      "text for a number", ("age", { "thirty" }),
      "Employee.age takes an integer of 16 bits, found String thirty [object.value-type]"),
    Case(
      "too large", ("age", { 40_000 }),
      "Employee.age takes an integer of 16 bits, found Int 40000 [object.value-type]"),
    Case(
      "fraction", ("age", { 1.5 }), "Employee.age takes an integer of 16 bits, found Double 1.5 [object.value-type]"),
    Case(
      "beyond Int64", ("serial", { UInt64.max }),
      "Employee.serial takes an integer, found UInt64 18446744073709551615 [object.value-type]"),
    Case("2 for a Bool", ("active", { 2 }), "Employee.active takes a Bool, found Int 2 [object.value-type]"),
    Case("number for text", ("name", { 1 }), "Employee.name takes a String, found Int 1 [object.value-type]"),
    Case("text for a URL", ("site", { "x" }), "Employee.site takes a URL, found String x [object.value-type]"),
    Case(
      "number for a composite", ("place", { 1 }),
      "Employee.place takes a dictionary of its elements, found Int 1 [object.value-type]"),
    Case(
      "object for text", ("label", { 1 }), "Employee.label takes a String, found Int 1 [object.value-type]"),
    Case(
      "text for an object", ("desk", { "x" }),
      "Employee.desk takes an object of Desk, found String x [object.value-type]"),
    Case(
      "text for a set", ("projects", { "x" }),
      "Employee.projects takes a set or an array of objects of Project, found String x [object.value-type]"),
    Case(
      "unknown key", ("agge", { 1 }),
      """
      Employee has no property agge [object.unknown-key]
        It has active, age, badge, born, boss, color, department, desk, email, friends, label, name, photo, place, projects, \
      rating, salary, serial, site, watched, weight.
      """),
    Case(
      "unknown element", ("place", { ["city": "Turin"] }),
      """
      Employee has no property place.city [object.unknown-key]
        It has active, age, badge, born, boss, color, department, desk, email, friends, label, name, photo, place, projects, \
      rating, salary, serial, site, watched, weight.
      """),
  ]

  @Test(arguments: StoreUnderTest.all, refusedValues)
  func refused(_ kind: StoreUnderTest, _ c: Case<(String, @Sendable () -> Any), String>) throws {
    let company = try Company(kind)
    let object = company.insert("Employee", ["name": "Ada"])
    let error = #expect(throws: Diagnostic.self) { try object.setCheckedValue(c.input.1(), forKey: c.input.0) }
    #expect(error?.text(like: c.expected) == c.expected)
  }

  @Test(arguments: StoreUnderTest.all) func objectOfAWrongEntity(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let object = company.insert("Employee", ["name": "Ada"])
    let project = company.insert("Project")
    let error = #expect(throws: Diagnostic.self) { try object.setCheckedValue(project, forKey: "desk") }
    #expect(error?.message.hasPrefix("Employee.desk takes an object of Desk, found NSManagedObject") ?? false)
  }

  @Test(arguments: StoreUnderTest.all) func objectOfAnotherContext(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let object = company.insert("Employee", ["name": "Ada"])
    let desk = NSManagedObject(entity: try company.entity("Desk"), insertInto: nil)
    let error = #expect(throws: Diagnostic.self) { try object.setCheckedValue(desk, forKey: "desk") }
    #expect(error?.code.name == "object.other-context")
  }

  @Test(arguments: StoreUnderTest.all) func numbersReadAsTheTypeAskedFor(_ kind: StoreUnderTest) throws {
    let object = try Company(kind).insert("Employee", ["age": 30, "active": true, "salary": Decimal(2)])
    #expect(object.value(forKey: "age") as? Int == 30)
    #expect(object.value(forKey: "age") as? Int16 == 30)
    #expect(object.value(forKey: "active") as? Bool == true)
    #expect(object.value(forKey: "salary") as? Decimal == 2)
    #expect(object.value(forKey: "born") == nil)
  }

  @Test(arguments: StoreUnderTest.all) func newObjectsHaveDefaults(_ kind: StoreUnderTest) throws {
    let object = try Company(kind).insert("Employee")
    #expect(object.value(forKey: "active") as? Bool == true)
    #expect(object.value(forKey: "label") as? String == "plain")
    #expect(object.value(forKey: "age") == nil)
    #expect(NSManagedObject(entity: object.entity, insertInto: nil).value(forKey: "active") as? Bool == true)
  }

  @Test(arguments: StoreUnderTest.all) func composites(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let object = company.insert("Employee", ["name": "Ada", "place": ["town": "Turin", "floor": 3]])
    #expect(object.value(forKey: "place.floor") as? Int == 3)
    try company.context.save()
    let place = try company.reread(object).value(forKey: "place") as? [String: Any]
    #expect(place?["town"] as? String == "Turin" && place?.count == 2)
    object.setValue(nil, forKey: "place")
    #expect(object.value(forKey: "place") == nil)
  }

  @Test(arguments: StoreUnderTest.all) func transientsHoldAnythingAndAreNotSaved(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    struct Color: Equatable { var red = 0.5 }
    let object = company.insert("Employee", ["name": "Ada", "color": Color()])
    try company.context.save()
    #expect(object.value(forKey: "color") as? Color == Color())
    object.setValue(nil, forKey: "label")
    #expect(object.value(forKey: "label") == nil)
    #expect(object.isUpdated && !object.hasPersistentChangedValues)
    try company.context.save()
    #expect(object.version == 1)
    #expect(try company.reread(object).value(forKey: "color") == nil)
  }

  @Test(arguments: StoreUnderTest.all) func changedValues(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let object = company.insert("Employee", ["name": "Ada", "age": 30])
    #expect(object.changedValues().keys.sorted() == ["age", "name"])
    try company.context.save()
    #expect(object.changedValues().isEmpty)
    object.setValue(nil, forKey: "age")
    object.setValue(company.insert("Department", ["name": "R&D"]), forKey: "department")
    object.setValue([company.insert("Project")], forKey: "projects")
    #expect(object.changedValues().keys.sorted() == ["age", "department", "projects"])
    #expect(object.changedValues()["age"] as? Int == nil)
  }

  @Test(arguments: StoreUnderTest.all) func primitiveValuesAreNoChange(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let object = company.insert("Employee", ["name": "Ada"])
    try company.context.save()
    object.setPrimitiveValue("Grace", forKey: "name")
    #expect(object.primitiveValue(forKey: "name") as? String == "Grace")
    #expect(!object.hasChanges && !company.context.hasChanges)
    object.willChangeValue(forKey: "name")
    #expect(object.isUpdated)
    try company.context.save()
    #expect(try company.reread(object).value(forKey: "name") as? String == "Grace")
  }
}
