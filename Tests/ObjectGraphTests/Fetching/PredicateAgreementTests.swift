import Diagnostics
import Foundation
import ObjectModel
import Predicates
import TestSupport
import Testing

@testable import ObjectGraph
@testable import SQLiteStore

/// One predicate has one answer: of the SQLite store, of the store in memory, and of objects one by one.
@Suite struct PredicateAgreementTests {
  /// Two stores of the same objects.
  struct Stores {
    let memory: Company
    let sqlite: Company
    /// All objects, held so that they are read once.
    private let objects: [NSManagedObject]

    init(seed: UInt64) throws {
      memory = try Company(.memory)
      sqlite = try Company(.sqlite)
      for company in [memory, sqlite] {
        var filler = CompanyFiller(company, seed: seed)
        try filler.fill()
      }
      let context = sqlite.context
      objects = try ["Person", "Department", "Project", "Task", "Desk"].flatMap { name in
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: name))
      }
    }

    /// What the three ways give, and whether SQL alone answered; an error in place of an answer is one too.
    func answers(_ entity: String, _ text: String) -> (answers: [String], isExact: Bool) {
      let inMemory = answer(memory) { Array(try $0.requests.objectIDs(of: $1)) }
      var isExact = false
      let inSQL = answer(sqlite) { store, query in
        guard let store = store as? SQLitePersistentStore else { return [] }
        isExact = FetchPlan(query, store).isExact
        let count = try store.count(of: query)
        let ids = Array(try store.objectIDs(of: query))
        #expect(count == ids.count, "\(text)")
        return ids
      }
      let byObjects = answer(sqlite) { store, query in
        let all = try store.requests.objectIDs(of: query.entity, includingSubentities: true)
        return try query.filter(try sqlite.context.read(all).compactMap(\.self)).map(\.objectID)
      }
      func answer(
        _ company: Company, _ ask: (NSPersistentStore, FetchQuery) throws -> [NSManagedObjectID]
      ) -> String {
        do {
          let request = NSFetchRequest<NSManagedObjectID>(entityName: entity)
          request.predicate = NSPredicate(try PredicateTree(format: text))
          let query = try FetchQuery(request, in: company.coordinator)
          return try ask(company.store, query).map { "\($0.entity.name ?? "")\($0.key)" }.joined(separator: " ")
        } catch {
          // No error is expected of any.
          Issue.record("\(entity): \(text): \(error)")
          return ""
        }
      }
      return ([inMemory, inSQL, byObjects], isExact)
    }
  }

  @Test func table() throws {
    let stores = try Stores(seed: 1)
    var exact = 0
    var selective = 0
    for (entity, predicate) in PredicateTable.all {
      let (answers, isExact) = stores.answers(entity, predicate)
      #expect(Set(answers).count == 1, "\(entity): \(predicate)")
      if isExact { exact += 1 }
      if !answers[0].isEmpty { selective += 1 }
    }
    #expect(PredicateTable.all.count > 600)
    // Most are answered by SQL alone, and most find something: the agreement is not one of nothing.
    #expect(exact * 10 > PredicateTable.all.count * 8, "\(exact) of \(PredicateTable.all.count)")
    #expect(selective * 2 > PredicateTable.all.count, "\(selective) of \(PredicateTable.all.count)")
  }

  /// As many as the environment asks for, 600 if it does not.
  @Test func randomPredicates() throws {
    let count = ProcessInfo.processInfo.environment["GANTRY_RANDOM_PREDICATES"].flatMap { Int($0) } ?? 600
    var grammar = PredicateGrammar(seed: 42)
    var (exact, selective) = (0, 0)
    for seed in 2...5 {
      let stores = try Stores(seed: UInt64(seed))
      for _ in 0..<count / 4 {
        let predicate = grammar.predicate()
        let (answers, isExact) = stores.answers("Employee", predicate)
        #expect(Set(answers).count == 1, "seed \(seed): \(predicate)")
        if isExact { exact += 1 }
        if !answers[0].isEmpty { selective += 1 }
      }
    }
    #expect(exact * 2 > count, "\(exact)")
    #expect(selective * 2 > count, "\(selective)")
  }
}

/// Makes predicates about employees at random.
struct PredicateGrammar {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func predicate(depth: Int = 3) -> String {
    switch Int.random(in: 0..<(depth == 0 ? 6 : 10), using: &random) {
    case 0...5: return comparison(depth: depth)
    case 6: return "(\(predicate(depth: depth - 1)) AND \(predicate(depth: depth - 1)))"
    case 7, 8: return "(\(predicate(depth: depth - 1)) OR \(predicate(depth: depth - 1)))"
    default: return "NOT (\(predicate(depth: depth - 1)))"
    }
  }

  private static let toMany = [
    "projects", "friends", "department.employees", "projects.tasks", "projects.members", "boss.reports",
  ]
  private static let numbers = [
    "age", "rating", "salary", "serial", "weight", "active", "born", "place.floor", "boss.age", "desk.number",
  ]
  private static let texts = [
    "name", "place.town", "department.name", "department.code", "boss.name", "boss.department.code", "site",
  ]

  private mutating func comparison(depth: Int) -> String {
    switch Int.random(in: 0..<10, using: &random) {
    case 0...2: return "\(number(depth)) \(pick(["=", "!=", "<", "<=", ">", ">="])) \(number(depth))"
    case 3, 4:
      let sign = pick(["=", "!=", "<", ">", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "IN"])
      return "\(text()) \(sign)\(pick(["", "", "[c]", "[d]", "[cd]"])) \(text())"
    case 5: return "\(pick(Self.numbers + Self.texts + ["boss", "department"])) \(pick(["=", "!="])) nil"
    case 6: return "\(number(depth)) IN {\(number(0)), \(number(0)), \(pick(["nil", "36", "0.1", "'20'"]))}"
    case 7: return "\(number(depth)) BETWEEN {\(number(0)), \(number(0))}"
    case 8:
      let leaf = pick(["name", "name", "objectID"])
      let quantifier = pick(["ANY", "ALL", "NONE"])
      let sign = leaf == "name" ? pick(["=", "!=", "<", "CONTAINS[c]"]) : pick(["=", "!="])
      return
        "\(quantifier) \(pick(Self.toMany)).\(leaf) \(sign) \(leaf == "name" ? text() : pick(["SELF", "boss", "nil"]))"
    default:
      guard depth > 0 else { return "\(pick(Self.toMany)).@count \(pick(["=", ">", "<"])) \(pick(["0", "1", "3"]))" }
      let list = pick(["friends", "projects.members", "department.employees", "boss.reports"])
      return
        "SUBQUERY(\(list), $x, $x.name \(pick(["=", "!=", "<", ">"])) \(text()) OR $x = boss).@count \(pick(["=", ">", "<"])) \(pick(["0", "1", "3"]))"
    }
  }

  private mutating func number(_ depth: Int) -> String {
    switch Int.random(in: 0..<(depth == 0 ? 7 : 9), using: &random) {
    case 0...4: return pick(Self.numbers)
    case 5, 6:
      return pick(["0", "1", "36", "2.5", "0.1", "-1", "9007199254740993", "'20'", "1e300", "CAST(100, 'NSDate')"])
    case 7: return "(\(number(depth - 1)) \(pick(["+", "-", "*", "/"])) \(number(depth - 1)))"
    default:
      return pick([
        "length:(name)", "abs:(\(number(depth - 1)))", "floor:(rating)", "department.employees.@max.age",
        "projects.@count", "TERNARY(age > 20, age, 1)",
      ])
    }
  }

  private mutating func text() -> String {
    switch Int.random(in: 0..<5, using: &random) {
    case 0, 1: return pick(Self.texts)
    case 2: return pick(["uppercase:(name)", "lowercase:(place.town)", "canonical:(name)", "boss.place.town"])
    default:
      return
        "'\(pick(CompanyFiller.names.filter { !$0.contains("'") } + ["*a*", "?d?", "D1", "x", "https://example.org/a"]))'"
    }
  }

  private mutating func pick(_ list: [String]) -> String { list[Int.random(in: list.indices, using: &random)] }
}
