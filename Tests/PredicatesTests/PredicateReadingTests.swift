import Diagnostics
import Foundation
import TestSupport
import Testing
import Values

@testable import Predicates

@Suite struct PredicateReadingTests {
  /// A text and how it is printed, as Apple's framework would.
  static let texts: [Case<String, String>] = [
    Case("equality", "name = 'Ada'", #"name == "Ada""#), Case("doubled", "name == 'Ada'", #"name == "Ada""#),
    Case("inequality", "age <> 3", "age != 3"), Case("its other sign", "age != 3", "age != 3"),
    Case("greater or equal", "age => 3", "age >= 3"), Case("less or equal", "age =< 3", "age <= 3"),
    Case("mathematical signs", "age ≥ 3 AND age ≤ 5 AND age ≠ 4", "age >= 3 AND age <= 5 AND age != 4"),
    Case("AND binds tighter", "a = 1 OR b = 2 AND c = 3", "a == 1 OR (b == 2 AND c == 3)"),
    Case("parentheses", "(a = 1 OR b = 2) AND c = 3", "(a == 1 OR b == 2) AND c == 3"),
    Case("signs of logic", "a = 1 && b = 2 || !c = 3", "(a == 1 AND b == 2) OR (NOT c == 3)"),
    Case("NOT of a compound", "not (a = 1 or b = 2)", "NOT (a == 1 OR b == 2)"),
    Case("NOT of NOT", "NOT NOT a = 1", "NOT NOT a == 1"),
    Case("several", "a=1 and b=2 and c=3", "a == 1 AND b == 2 AND c == 3"),
    Case("keywords in any case", "Name BeginsWith[Cd] 'a'", #"Name BEGINSWITH[cd] "a""#),
    Case("normalised", "name ==[n] 'a'", #"name ==[n] "a""#),
    Case("options of a sign", "name =[c] 'a'", #"name ==[c] "a""#),
    Case("text operators", "a ENDSWITH 'b' AND a CONTAINS[d] 'c'", #"a ENDSWITH "b" AND a CONTAINS[d] "c""#),
    Case("patterns", #"a LIKE '*b?' AND a MATCHES "x\\d+""#, #"a LIKE "*b?" AND a MATCHES "x\\d+""#),
    Case("a bare backslash of a pattern", #"a MATCHES "\d""#, #"a MATCHES "\\d""#),
    Case("range", "age BETWEEN {1, 3.5}", "age BETWEEN {1, 3.5}"),
    Case("list", "name IN {'a', \"b\", nil}", #"name IN {"a", "b", nil}"#), Case("no list", "name IN {}", "name IN {}"),
    Case("any", "ANY a.b > 3", "ANY a.b > 3"), Case("some", "some a.b > 3", "ANY a.b > 3"),
    Case("all", "ALL a.b > 3", "ALL a.b > 3"), Case("none", "NONE a.b > 3", "NOT ANY a.b > 3"),
    Case("none of several", "NONE a.b > 3 AND c = 1", "(NOT ANY a.b > 3) AND c == 1"),
    Case("constants", "a = TRUE OR a = no OR a = NULL OR a = nil", "a == 1 OR a == 0 OR a == nil OR a == nil"),
    Case("always", "TRUEPREDICATE OR falsepredicate", "TRUEPREDICATE OR FALSEPREDICATE"),
    Case("SELF", "SELF = 1 AND self.name = 2", "SELF == 1 AND name == 2"),
    Case("variable", "$a.b = $c", "$a.b == $c"),
    Case("numbers", "a IN {1, -2, 3.25, 1e3, 0x1F, 0b11, 0o17, .5}", "a IN {1, -2, 3.25, 1000, 31, 3, 15, 0.5}"),
    Case(
      "greatest integers", "a IN {9223372036854775807, -9223372036854775808}",
      "a IN {9223372036854775807, -9223372036854775808}"),
    Case("arithmetic", "a+b*2-c/3**2 > -d", "a + b * 2 - c / 3 ** 2 > 0 - d"),
    Case("its parentheses", "(a+b)*(c-(d-e)) = 1", "(a + b) * (c - (d - e)) == 1"),
    Case("powers", "(a**b)**c = a**b**c", "(a ** b) ** c == a ** b ** c"),
    Case(
      "bits", "(flags & 4) != 0 AND (a | b ^ ~c) << 2 = 1",
      "flags & 4 != 0 AND (a | b ^ onesComplement:(c)) << 2 == 1"),
    Case("count", "employees.@count > 3", "count:(employees) > 3"),
    Case("operator in between", "employees.@max.age > 3", "employees.@max.age > 3"),
    Case(
      "functions", "uppercase:(name) = canonical(other) AND max:(a, b) = 1",
      "uppercase:(name) == canonical:(other) AND max:(a, b) == 1"),
    Case("functions of two words", "modulus:by:(a, 2) = 1", "modulus:by:(a, 2) == 1"),
    Case("now", "date < now()", "date < now()"),
    Case("date", #"d > CAST(700000000, "NSDate")"#, #"d > CAST(700000000.000000, "NSDate")"#),
    Case("cast of a key", #"CAST(d, "NSNumber") > 3"#, #"CAST(d, "NSNumber") > 3"#),
    Case(
      "uuid", #"u = CAST("6f9619ff-8b86-d011-b42d-00c04fc964ff", "NSUUID")"#,
      #"u == CAST("6F9619FF-8B86-D011-B42D-00C04FC964FF", "NSUUID")"#),
    Case("data", #"u = CAST("AQI=", "NSData")"#, #"u == CAST("AQI=", "NSData")"#),
    Case(
      "subquery", "SUBQUERY(employees, $e, $e.age > 3 AND $e.name = 'x').@count > 1",
      #"SUBQUERY(employees, $e, $e.age > 3 AND $e.name == "x").@count > 1"#),
    Case("conditional", "TERNARY(a > 3, 'x', b) = 'x'", #"TERNARY(a > 3, "x", b) == "x""#),
    Case("call", "FUNCTION($m, 'f:with:', a, 1) = 2", #"FUNCTION($m, "f:with:", a, 1) == 2"#),
    Case(
      "index", "a[0] = 1 AND a[FIRST] = 2 AND a[last] = 3 AND a[SIZE] = 4",
      "a[0] == 1 AND a[FIRST] == 2 AND a[LAST] == 3 AND a[SIZE] == 4"),
    Case("reserved keys", "#in.#like = 1 AND a.first = 2", "#in.#like == 1 AND a.#first == 2"),
    Case("escapes", #"a = 'it\'s "x"\n\t\\ \u00e9'"#, #"a == "it's \"x\"\n\t\\ é""#),
    Case("no specifier in quotes", "a = '%@ $x'", #"a == "%@ $x""#),
    Case("typographic quotes", "a = “x”", #"a == "x""#),
    Case("keys of other alphabets", "имя = 'Ада'", #"имя == "Ада""#),
    Case("no blanks", "a>1&&b<2||c==3", "(a > 1 AND b < 2) OR c == 3"),
    Case("expressions in parentheses", "((a)) = ((1))", "a == 1"),
    Case("a condition in many", "(((a = 1)))", "a == 1"),
  ]

  @Test(arguments: texts) func reads(_ c: Case<String, String>) throws {
    let tree = try PredicateTree(format: c.input)
    #expect(tree.description == c.expected)
    // What is printed is read as the same.
    #expect(try PredicateTree(format: tree.description).description == tree.description)
  }

  @Test func takesArguments() throws {
    let id = try #require(UUID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF"))
    let predicate = NSPredicate(
      format: "%K == %@ AND n = %d AND x > %f AND %K IN %@ AND id = %@ AND l = %ld AND d = %@ AND z = %@ AND s = %s",
      "address.city", "O'Hara \"x\"", 3, 2.5, "tag", ["a", "b"], id, Int64.max,
      Date(timeIntervalSinceReferenceDate: 5), nil, "%@")
    #expect(
      predicate.formatString == #"""
        address.city == "O'Hara \"x\"" AND n == 3 AND x > 2.5 AND tag IN {"a", "b"} AND \#
        id == CAST("6F9619FF-8B86-D011-B42D-00C04FC964FF", "NSUUID") AND l == 9223372036854775807 AND \#
        d == CAST(5.000000, "NSDate") AND z == nil AND s == "%@"
        """#)
    #expect(NSPredicate(format: "a = %@", true).formatString == "a == 1")
    #expect(
      NSPredicate(format: "a = 1 AND %@", NSPredicate(format: "b = 2 OR c = 3")).formatString
        == "a == 1 AND (b == 2 OR c == 3)")
    #expect(NSPredicate(format: "a IN %@", argumentArray: [Set([1])]).formatString == "a IN {1}")
  }

  /// A text and what is said of it.
  static let errors: [Case<String, String>] = [
    Case("nothing", "", "column 1 of the predicate: expected a value or a key path, found the end"),
    Case(
      "no comparison", "name",
      "column 5 of the predicate: expected a comparison such as = or CONTAINS, found the end: name⏵"),
    Case(
      "nothing behind an operator", "a = ",
      "column 5 of the predicate: expected a value or a key path, found the end: a = ⏵"),
    Case("no operator", "a 3", "column 3 of the predicate: expected a comparison such as = or CONTAINS, found 3: a ⏵3"),
    Case(
      "two comparisons", "a < b < c", "column 7 of the predicate: expected an operator or the end, found <: a < b ⏵< c"),
    Case("an open parenthesis", "(a = 1", "column 7 of the predicate: expected ), found the end: (a = 1⏵"),
    Case("one too many", "a = 1)", "column 6 of the predicate: expected an operator or the end, found ): a = 1⏵)"),
    Case("an open quote", "a = 'x", "column 5 of the predicate: expected a closing quote behind it, found ': a = ⏵'x"),
    Case("a list", "a IN {1, 2", "column 11 of the predicate: expected } or a comma, found the end: a IN {1, 2⏵"),
    Case("options", "a ==[x] 1", "column 6 of the predicate: expected c, d, cd or n in brackets, found x: a ==[⏵x] 1"),
    Case(
      "the option of a language", "a CONTAINS[cdl] 'x'",
      "column 12 of the predicate: expected c, d, cd or n in brackets, found cdl: a CONTAINS[⏵cdl] 'x'"),
    Case(
      "a fetch", "a IN FETCH($request, $context, NO)",
      "column 6 of the predicate: expected a value or a key path, found FETCH: a IN ⏵FETCH($request, $context, NO)"),
    Case(
      "a reserved word", "a = IN",
      "column 5 of the predicate: expected a value or a key path, found IN: a = ⏵IN"),
    Case("a function", "foo:(a) = 1", "column 1 of the predicate: expected a function, found foo:: ⏵foo:(a) = 1"),
    Case(
      "arguments of a function", "now(1) = 2",
      "column 8 of the predicate: expected 0 arguments of now, not 1, found =: now(1) ⏵= 2"),
    Case("a sign", "a ? 1", "column 3 of the predicate: expected a word, a value or an operator, found ?: a ⏵? 1"),
    Case("a number", "a = 1x", "column 5 of the predicate: expected a number, found 1x: a = ⏵1x"),
    Case(
      "condition as a value", "(a = 1) + 2 = 3",
      "column 2 of the predicate: expected a value or a key path, found a condition: (⏵a = 1) + 2 = 3"),
    Case(
      "ANY of nothing", "ANY (a = 1 AND b = 2)",
      "column 6 of the predicate: expected a comparison behind ANY, found a condition: ANY (⏵a = 1 AND b = 2)"),
    Case(
      "a subquery", "SUBQUERY(a, b, c = 1).@count = 1",
      "column 13 of the predicate: expected a variable such as $x, found b: SUBQUERY(a, ⏵b, c = 1).@count = 1"),
    Case("too few arguments", "a = %@", "the predicate has more % signs than its 0 arguments"),
    Case(
      "an unknown argument", "a = %y",
      "column 5 of the predicate: expected %@, %K, %d, %f or another argument, found %: a = ⏵%y"),
    Case("a cast", #"CAST(1, "NSColor") = 1"#, #"CAST knows no type "NSColor""#),
    Case("too deep", String(repeating: "(", count: 300) + "a = 1", "the predicate is nested more than 64 levels deep"),
    Case(
      "too many NOT", String(repeating: "NOT ", count: 300) + "a = 1",
      "the predicate is nested more than 64 levels deep"),
    Case(
      "too long a sum", "a" + String(repeating: " + a", count: 300) + " = 1",
      "the predicate is nested more than 200 levels deep"),
    Case(
      "too many signs", String(repeating: "-", count: 100_000) + "a = 1",
      "the predicate is nested more than 64 levels deep"),
    Case(
      "too many powers", String(repeating: "a**", count: 100_000) + "a = 1",
      "the predicate is nested more than 64 levels deep"),
    Case(
      "too many keys in functions", String(repeating: "abs:(", count: 100_000),
      "the predicate is nested more than 64 levels deep"),
  ]

  @Test(arguments: errors) func message(_ c: Case<String, String>) {
    let error = #expect(throws: Diagnostic.self) { try PredicateTree(format: c.input) }
    #expect(error?.message == c.expected)
  }

  @Test func hints() throws {
    let reserved = #expect(throws: Diagnostic.self) { try PredicateTree(format: "in = 1") }
    #expect(reserved?.hint == "A key that is a reserved word is written with a sign: #in.")
    let function = #expect(throws: Diagnostic.self) { try PredicateTree(format: "upercase:(a) = 1") }
    #expect(function?.hint.hasPrefix("Did you mean uppercase:? ") == true)
    let argument = #expect(throws: Diagnostic.self) { try PredicateTree(format: "%K = 1", 5) }
    #expect(argument?.message == "%K of the predicate takes a key path, not 5")
    let number = #expect(throws: Diagnostic.self) { try PredicateTree(format: "a = %d", "x") }
    #expect(number?.message == "%d of the predicate takes a number, not x")
    let unused = #expect(throws: Diagnostic.self) { try PredicateTree(format: "a = 1", 5) }
    #expect(unused?.message == "the predicate uses 0 of its 1 arguments")
  }

  /// Many comparisons in a row are no depth.
  @Test func longConditions() throws {
    let text = (0..<20_000).map { "a = \($0)" }.joined(separator: " OR ")
    guard case .or(let trees) = try PredicateTree(format: text) else {
      Issue.record("no disjunction")
      return
    }
    #expect(trees.count == 20_000)
  }

  /// Whatever is cut off or put in, there is a message and no crash.
  @Test func damagedTexts() {
    var random = SeededGenerator(seed: 7)
    let pieces = [
      "(", ")", "{", "'", "\\", "%@", "$", "@", ".", "[", "NOT", "ANY ", "**", "~", "SUBQUERY(", "#", "0x", "é", "-",
    ]
    var refused = 0
    for text in Self.texts.map(\.input) {
      for _ in 0..<20 {
        var characters = Array(text)
        characters.removeSubrange(Int.random(in: 0..<characters.count, using: &random)...)
        characters +=
          Array(pieces.randomElement(using: &random) ?? "") + Array(text.suffix(Int.random(in: 0..<8, using: &random)))
        if (try? PredicateTree(format: String(characters))) == nil { refused += 1 }
      }
    }
    #expect(refused > 500)
  }
}
