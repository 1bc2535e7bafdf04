import Foundation
import ObjectModel
import TestSupport
import Testing
import Values

@testable import ObjectGraph

/// Objects from rows of `AttributeColumns`, as an import makes them.
@Suite struct ColumnTests {
  private func columns(_ company: Company, _ entity: String = "Employee") throws -> AttributeColumns {
    let entity = try company.entity(entity)
    let places = ["age", "name", "salary"].compactMap { entity.layout.attributeIndex[$0] }
    let columns = AttributeColumns(entity: entity, places: places)
    let rows: [[Value]] = [
      [.integer(30), .string("Ada"), .decimal(Decimal(string: "0.1")!)],
      [.null, .string("A name of more than fifteen bytes"), .null],
      [.integer(30), .string("cafe\u{301}"), .decimal(7)],
    ]
    for (record, row) in rows.enumerated() {
      for (column, value) in row.enumerated() { columns.append(value, column: column) }
      columns.endRow(record: record)
    }
    return columns
  }

  @Test(arguments: StoreUnderTest.all) func insertedFromRows(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let columns = try columns(company)
    let objects = (0..<3).map { company.context.insert(columns, row: $0) }
    try company.context.save()
    #expect(objects.map(\.objectID.key) == [1, 2, 3])
    let read = try objects.map { try company.reread($0) }
    #expect(read.map { $0.value(forKey: "age") as? Int } == [30, nil, 30])
    #expect(read[0].value(forKey: "salary") as? Decimal == Decimal(string: "0.1"))
    #expect(read[1].value(forKey: "name") as? String == "A name of more than fifteen bytes")
    #expect(read[2].value(forKey: "active") as? Bool == true)
  }

  @Test(arguments: StoreUnderTest.all) func theSameRowAgainIsNoChange(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let columns = try columns(company)
    let ids = try (0..<3).map { row in
      let object = company.context.insert(columns, row: row)
      try company.context.save()
      return object.objectID
    }
    let other = company.otherContext()
    let objects = try other.fulfill(ids).map { try #require($0) }
    for (row, object) in objects.enumerated() { #expect(try object.update(from: columns, row: row) == false) }
    #expect(!other.hasChanges)
    #expect(try objects[0].update(from: columns, row: 1))
    try other.save()
    #expect(try company.reread(objects[0]).version == 2)
    #expect(try company.reread(objects[0]).value(forKey: "age") == nil)
  }

  /// A key can lead to an object of a subentity, whose attributes have other places.
  @Test(arguments: StoreUnderTest.all) func updatesOfASubentity(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    let boss = company.insert("Boss", ["name": "Eve", "title": "CEO", "email": "e@example.org"])
    try company.context.save()
    let columns = AttributeColumns(entity: try company.entity("Person"), places: [0, 1])
    #expect(columns.entity.layout.attributes.map(\.path) == ["email", "name"])
    for (column, text) in ["e@example.org", "Grace"].enumerated() { columns.append(.string(text), column: column) }
    columns.endRow(record: 0)
    #expect(try boss.update(from: columns, row: 0))
    #expect(boss.value(forKey: "name") as? String == "Grace" && boss.value(forKey: "title") as? String == "CEO")
  }

  @Test(arguments: StoreUnderTest.all) func whatTheRowSaysStandsAgainstAwakeFromInsert(_ kind: StoreUnderTest) throws {
    final class Named: NSManagedObject {
      override func awakeFromInsert() {
        setValue("unnamed", forKey: "name")
        setValue(2.5, forKey: "rating")
      }
    }
    let company = try Company(kind)
    company.model.register(Named.self)
    try company.entity("Employee").managedObjectClassName = "Named"
    let object = company.context.insert(try columns(company), row: 0)
    #expect(object.value(forKey: "name") as? String == "Ada" && object.value(forKey: "rating") as? Double == 2.5)
  }

  // MARK: Keys

  static let lookUps: [Case<[[Value]], [String]>] = [
    Case("one", [[.string("b@example.org")]], ["one 2"]),
    Case("none, and null", [[.string("x")], [.null]], ["none", "none"]),
    Case("case counts", [[.string("B@example.org")]], ["none"]),
    Case("several, in the order of the store", [[.string("same")]], ["several 3 4"]),
    Case("the same key twice", [[.string("b@example.org")], [.string("b@example.org")]], ["one 2", "one 2"]),
    Case("composed finds decomposed", [[.string("caf\u{E9}")]], ["one 5"]),
    Case("decomposed finds composed", [[.string("the\u{301}")]], ["one 6"]),
    Case("no compatibility folding", [[.string("ﬁ")], [.string("fi")]], ["one 7", "none"]),
    Case("kelvin sign is K", [[.string("K")]], ["one 8"]),
  ]

  @Test(arguments: StoreUnderTest.all) func lookUp(in kind: StoreUnderTest) throws {
    let company = try Company { model, folder in
      model.entitiesByName["Person"]?.uniquenessConstraints = []
      return try kind.make(model, folder)
    }
    let emails = ["a@example.org", "b@example.org", "same", "same", "cafe\u{301}", "th\u{E9}", "ﬁ", "\u{212A}"]
    for (index, email) in emails.enumerated() {
      company.insert(["Employee", "Boss"][index % 2], ["name": "x", "email": email])
    }
    company.insert("Person", ["name": "not an employee", "email": "x"])
    company.insert("Employee", ["name": "without"])
    try company.context.save()
    let entity = try company.entity("Employee")
    let place = try #require(entity.layout.attributeIndex["email"])
    for c in Self.lookUps {
      let answers = try company.context.lookUp(KeyLookupRequest(entity: entity, places: [place], keys: c.input))
      let texts = answers.map { answer in
        switch answer {
        case .none: "none"
        case .one(let id): "one \(id.key)"
        case .several(let a, let b): "several \(a.key) \(b.key)"
        }
      }
      #expect(texts == c.expected, "\(c.name)")
    }
  }

  @Test(arguments: StoreUnderTest.all) func lookUpByTwoAttributes(_ kind: StoreUnderTest) throws {
    let company = try Company(kind)
    for (name, age) in [("Ada", 30), ("Ada", 31), ("Bob", 30)] { company.insert("Boss", ["name": name, "age": age]) }
    try company.context.save()
    let entity = try company.entity("Employee")
    let places = try ["name", "age"].map { try #require(entity.layout.attributeIndex[$0]) }
    let keys: [[Value]] = [[.string("Ada"), .integer(31)], [.string("Bob"), .integer(31)], [.string("Bob"), .null]]
    let answers = try company.context.lookUp(KeyLookupRequest(entity: entity, places: places, keys: keys))
    guard case .one(let id) = answers[0], case .none = answers[1], case .none = answers[2] else {
      Issue.record("found \(answers)")
      return
    }
    // The ID tells the entity of the object itself.
    #expect(id.key == 2 && id.entity.name == "Boss")
  }
}
