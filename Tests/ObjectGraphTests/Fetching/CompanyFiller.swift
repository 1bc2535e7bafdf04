import Foundation
import ObjectModel
import TestSupport

@testable import ObjectGraph

/// Fills a company's store with objects whose values are often alike, often missing and sometimes nasty; the same for the same
/// seed.
struct CompanyFiller {
  static let names = [
    "Ada", "ada", "ADA", "Adam", "Bob", "bób", "Ångström", "Angstrom", "e\u{301}lan", "élan", "ÉLAN", "Straße",
    "STRASSE",
    "日本", "a%b", "a_b", "a*b", "it's", "", " ", "İstanbul", "ﬁx", "👩‍👧", "zz\u{10FFFF}", "3", "36", "1.5e1",
  ]
  static let towns = ["Rom", "rom", "Roma", "Zürich", "Zurich", "Kraków"]
  static let sites = ["https://example.org/a", "https://example.org/b", "file:///c"]

  private let company: Company
  private var random: SeededGenerator

  init(_ company: Company, seed: UInt64) {
    self.company = company
    random = SeededGenerator(seed: seed)
  }

  mutating func fill() throws {
    let departments = (0..<6).map { number in
      company.insert(
        "Department",
        ["name": "D\(number)"].merging(values(["code": pick(["x", "Y", "é", "ab"])])) { first, _ in first })
    }
    let desks = (0..<8).map { _ in company.insert("Desk", values(["number": pick([1, 2, Int64.max, -5] as [Int64])])) }
    let projects = (0..<8).map { _ in company.insert("Project", values(["name": pick(Self.names)])) }
    for _ in 0..<16 {
      company.insert(
        "Task", ["project": pick(projects)].merging(values(["name": pick(Self.names)])) { first, _ in first })
    }
    var people: [NSManagedObject] = []
    for _ in 0..<8 { people.append(company.insert("Person", ["name": pick(Self.names)])) }
    for number in 0..<40 {
      let entity = number % 7 == 0 ? "Boss" : "Employee"
      let employee = company.insert(entity, ["name": pick(Self.names)].merging(employeeValues()) { first, _ in first })
      if entity == "Boss", let title = maybe(pick(["Dr", "dr", "Prof"])) { employee.setValue(title, forKey: "title") }
      if let department = maybe(pick(departments)) { employee.setValue(department, forKey: "department") }
      if number < desks.count, let desk = maybe(desks[number]) { employee.setValue(desk, forKey: "desk") }
      employee.setValue(some(projects), forKey: "projects")
      people.append(employee)
    }
    let bosses = people.filter { $0.entity.name == "Boss" }
    for person in people {
      if person.entity.name == "Employee", let boss = maybe(pick(bosses)) { person.setValue(boss, forKey: "boss") }
      person.setValue(some(people), forKey: "friends")
    }
    for project in projects {
      project.setValue(
        some(people.filter { $0.entity.name != "Person" }).sorted { $0.objectID.key < $1.objectID.key },
        forKey: "watchers")
    }
    try company.context.save()
    company.context.reset()
  }

  private mutating func employeeValues() -> [String: Any] {
    values([
      "age": pick([16, 20, 36, 40, 99]), "active": pick([true, false]),
      "born": pick([0, 100, 86_400.5, -1]).date, "rating": pick([0, 2.5, -0.0, 1e300, 0.1, 3]),
      "salary": pick(["0.1", "0.3", "1000", "99999.99", "-1"]).decimal,
      "serial": pick([0, 1, 9_007_199_254_740_993, Int64.max, Int64.min]),
      "weight": pick([1.5, 70, 0.1] as [Float]), "site": URL(string: pick(Self.sites)) ?? URL(fileURLWithPath: "/"),
      "badge": pick([1, 2]).uuid, "photo": pick([Data(), Data([1, 2]), Data([255])]),
      "place.town": pick(Self.towns), "place.floor": pick([1, 2, 3]),
    ])
  }

  /// Those of the values that chance leaves.
  private mutating func values(_ all: [String: Any]) -> [String: Any] {
    var values: [String: Any] = [:]
    for (key, value) in all.sorted(by: { $0.key < $1.key }) where maybe(()) != nil { values[key] = value }
    return values
  }

  private mutating func pick<T>(_ list: [T]) -> T { list[Int.random(in: list.indices, using: &random)] }

  private mutating func maybe<T>(_ value: T) -> T? { Int.random(in: 0..<5, using: &random) == 0 ? nil : value }

  private mutating func some(_ objects: [NSManagedObject]) -> Set<NSManagedObject> {
    Set((0..<Int.random(in: 0..<4, using: &random)).map { _ in pick(objects) })
  }
}

extension Double {
  fileprivate var date: Date { Date(timeIntervalSinceReferenceDate: self) }
}

extension String {
  fileprivate var decimal: Decimal { Decimal(string: self) ?? 0 }
}

extension Int {
  fileprivate var uuid: UUID { UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, UInt8(self))) }
}
