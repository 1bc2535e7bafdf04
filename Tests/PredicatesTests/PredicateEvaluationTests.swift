import Diagnostics
import Foundation
import TestSupport
import Testing
import Values

@testable import Predicates

@Suite struct PredicateEvaluationTests {
  static var ada: [String: Any] {
    [
      "name": "Ada", "age": 36, "rating": 2.5, "active": true, "born": Date(timeIntervalSinceReferenceDate: 100),
      "salary": Decimal(string: "0.3") ?? 0, "site": URL(fileURLWithPath: "/a"), "photo": Data([1, 2]),
      "id": UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)), "town": "Müncheń", "empty": NSNull(),
      "tags": ["x", "y"], "nothing": [String](),
      "department": ["name": "R&D", "floor": 3] as [String: Any],
      "friends": [
        ["name": "Bob", "age": 20], ["name": "Cyd", "age": 50], ["name": nil, "age": nil] as [String: Any?],
      ],
    ]
  }

  /// A condition and whether it holds: `true`, `false` or `unknown`.
  static let conditions: [Case<String, String>] =
    texts.flatMap { truth, list in list.map { Case($0, $0, truth) } }

  static let texts: [(String, [String])] = [
    (
      "true",
      [
        "name = 'Ada'", "name ==[c] 'aDA'", "name != 'ada'", "age > 35", "age >= 36", "age < 36.5", "rating = 2.5",
        "active = YES", "active = 1", "born > CAST(99, 'NSDate')", "born < now()", "salary = 0.3", "salary * 2 = 0.6",
        "site = 'file:///a'", "photo = CAST('AQI=', 'NSData')", "id = '00010203-0405-0607-0809-0a0b0c0d0e0f'",
        "age = '36'", "born < '2001-01-02'", "town ==[d] 'Munchen'", "town ==[cd] 'MUNCHEN'",
        "town BEGINSWITH[cd] 'mun'",
        "town ENDSWITH 'ń'", "town CONTAINS 'nche'", "town CONTAINS[c] 'NCHE'", "town LIKE 'M*n*'",
        "town LIKE[d] 'Munch?n'",
        "name MATCHES 'A.a|x'", "name MATCHES[c] 'a.A'", "name IN {'Bob', 'Ada'}", "'d' IN name", "name IN[c] {'ADA'}",
        "age BETWEEN {30, 36}", "empty = nil", "missing = nil", "name != nil", "tags CONTAINS 'x'", "'x' IN tags",
        "NOT 'z' IN tags", "ANY tags = 'x'", "ALL tags BEGINSWITH ''", "NONE tags = 'z'", "ALL nothing = 'x'",
        "department.name = 'R&D'", "ANY friends.age > 40", "NOT ALL friends.age > 10", "ANY friends.name = nil",
        "friends.@count = 3", "friends.@max.age = 50", "friends.@min.age = 20", "friends.@sum.age = 70",
        "friends.@avg.age = 35", "tags[0] = 'x'", "tags[LAST] = 'y'", "tags[SIZE] = 2", "tags[9] = nil",
        "SUBQUERY(friends, $f, $f.age > 30).@count = 1", "SUBQUERY(friends, $f, $f.age < age).@count = 1",
        "SUBQUERY(friends, $f, SUBQUERY(friends, $g, $g.age > $f.age).@count = 1).@count = 1",
        "TERNARY(age > 3, 'a', 'b') = 'a'", "uppercase:(name) = 'ADA'", "lowercase:(name) = 'ada'",
        "canonical:(town) = 'munchen'", "length:(town) = 7", "name.length = 3", "age + 4 = 40", "age / 5 = 7",
        "age / 5.0 = 7.2", "2 ** 3 = 8", "modulus:by:(age, 10) = 6", "abs:(-3) = 3", "ceiling:(2.1) = 3",
        "floor:(-2.1) = -3", "trunc:(-2.9) = -2", "sqrt:(9) = 3", "max:(1, 5, 3) = 5", "sum:(1, 2.5) = 3.5",
        "median:(1, 2, 9, 10) = 5.5", "mode:(1, 2, 2) = 2", "stddev:(1, 3) = 1", "count:(tags) = 2", "age & 4 = 4",
        "age | 1 = 37", "age ^ 36 = 0", "1 << 3 = 8", "~0 = -1", "CAST(born, 'NSNumber') = 100",
        "CAST('12', 'NSNumber') = 12", "CAST(age, 'NSString') = '36'", "9007199254740993 != 9007199254740992.0",
        "9223372036854775807 + 1 > 9e18", "TRUEPREDICATE", "self.name = 'Ada'", "empty.whatever = nil",
        "$x = 5", "$n = nil", "FUNCTION($x, 'plus:', 2) = 7",
        "tags = {'y', 'x'}", "name BETWEEN {'A', 'B'}", "friends.age.@max = 50",
        "friends.@distinctUnionOfObjects.age[SIZE] = 2",
      ]
    ),
    (
      "false",
      [
        "name = 'ada'", "name IN {}", "empty IN {}", "age BETWEEN {40, 50}", "name = nil", "empty != nil",
        "FALSEPREDICATE",
        "name CONTAINS 'ad'", "name MATCHES 'A'", "name LIKE '?a'", "ALL tags = 'x'", "ANY nothing = 'x'",
        "ANY empty = nil",
        "age != '36'", "town = 'Munchen'", "empty = 1 AND age = 1", "friends = nil",
        "ANY friends.age = nil AND age = 0",
      ]
    ),
    (
      "unknown",
      [
        "empty = 'x'", "empty != 'x'", "NOT empty = 'x'", "empty < 3", "empty = missing", "empty IN {1}",
        "name IN {nil}",
        "empty BETWEEN {1, 2}", "empty CONTAINS 'x'", "name > 3", "age CONTAINS '3'", "age / 0 = 1", "empty + 1 = 1",
        "name + 1 = 1", "empty = 'x' OR age = 1", "empty = 'x' AND age = 36", "born = 'soon'", "photo = 'x'",
        "abs:(name) = 1", "nothing.@max = 1", "age BETWEEN {1}",
      ]
    ),
  ]

  @Test(arguments: conditions) func truth(_ c: Case<String, String>) throws {
    let truth = try PredicateTree(format: c.input).truth(
      for: Self.ada, variables: ["x": 5, "n": NSNull()]
    ) { object, selector, arguments in
      #expect(selector == "plus:")
      return try PredicateFunction.add.apply([object] + arguments)
    }
    #expect(truth.map { "\($0)" } ?? "unknown" == c.expected)
  }

  static let failures: [Case<String, String>] = [
    Case("a key of a number", "age.foo = 1", #"36 has no key "foo""#),
    Case("a collection operator", "tags.@median = 1", "there is no collection operator @median"),
    Case("a regular expression", "name MATCHES '('", #""(" is not a regular expression"#),
    Case("a variable", "name = $y", "the predicate's variable $y has no value"),
    Case("a call", "FUNCTION(name, 'f') = 1", #"nothing answers FUNCTION(…, "f") here"#),
    Case("a cast", "CAST(age, name) = 1", #"CAST knows no type "Ada""#),
  ]

  @Test(arguments: failures) func failure(_ c: Case<String, String>) throws {
    let tree = try PredicateTree(format: c.input)
    let error = #expect(throws: Diagnostic.self) { try tree.holds(for: Self.ada) }
    #expect(error?.message == c.expected)
  }

  @Test func values() throws {
    func value(_ text: String) throws -> Any? {
      try ExpressionTree(format: text).value(with: Self.ada, variables: ["source": ["title": "T"]]).object
    }
    #expect(try value("name") as? String == "Ada")
    #expect(try value("$source.title") as? String == "T")
    #expect(try value("age + 1") as? Int == 37)
    #expect(try value("salary * 3") as? Decimal == Decimal(string: "0.9"))
    #expect(try value("born") as? Date == Date(timeIntervalSinceReferenceDate: 100))
    #expect(try value("nil") == nil)
    #expect(try value("friends.name") as? [AnyHashable] == ["Bob", "Cyd", NSNull()])
    #expect(try value("{1, 'a'}") as? [AnyHashable] == [1, "a"])
    #expect(try value("active") as? Bool == true)
    #expect(try value("@count") as? Int == 1)
    #expect(try value("SELF") as? [String: Any] != nil)
  }

  @Test func calls() throws {
    final class Manager {}
    let manager = Manager()
    let expression = try ExpressionTree(format: #"FUNCTION($manager, "instances:of:", $source.name, 2)"#)
    let value = try expression.value(with: nil, variables: ["manager": manager, "source": Self.ada]) {
      #expect($0.object as? Manager === manager)
      #expect($1 == "instances:of:")
      #expect($2.compactMap(\.object) as? [AnyHashable] == ["Ada", 2])
      return PredicateValue(["x"])
    }
    #expect(value.object as? [String] == ["x"])
  }
}
