import Foundation
import TestSupport
import Testing

@testable import Predicates

@Suite struct NSPredicateTests {
  @Test func evaluation() {
    let people = [["name": "Ada", "age": 36], ["name": "Bob", "age": 20]] as [[String: Any]]
    #expect(NSPredicate(format: "age > %d", 30).evaluate(with: people[0]))
    #expect(!NSPredicate(format: "age > %d", 30).evaluate(with: people[1]))
    #expect(!NSPredicate(format: "height > 3").evaluate(with: people[1]))
    #expect(NSPredicate(format: "name = $n").evaluate(with: people[0], substitutionVariables: ["n": "Ada"]))
    #expect((people as NSArray).filtered(using: NSPredicate(format: "name BEGINSWITH 'B'")).count == 1)
    #expect(NSPredicate(format: "SELF > 3").evaluate(with: 4))
  }

  @Test func substitution() {
    let predicate = NSPredicate(format: "a = $x AND SUBQUERY(b, $x, $x.c = $y).@count > $z.d")
    let substituted = predicate.withSubstitutionVariables(["x": 1, "y": "é"])
    #expect(substituted.formatString == #"a == 1 AND SUBQUERY(b, $x, $x.c == "é").@count > $z.d"#)
    #expect(NSPredicate(format: "a = $x").withSubstitutionVariables(["x": NSNull()]).evaluate(with: ["b": 1]))
  }

  /// Predicates of all makes have a tree.
  @Test func trees() {
    let one = NSPredicate(format: "a = 1")
    let all = NSCompoundPredicate(andPredicateWithSubpredicates: [one, NSPredicate(value: true)])
    #expect(all.formatString == "a == 1 AND TRUEPREDICATE")
    #expect(
      NSCompoundPredicate(orPredicateWithSubpredicates: [one, NSPredicate(value: false)]).formatString
        == "a == 1 OR FALSEPREDICATE")
    #expect(NSCompoundPredicate(notPredicateWithSubpredicate: all).formatString == "NOT (a == 1 AND TRUEPREDICATE)")
    let block = NSPredicate { object, _ in object as? Int == 3 }
    #expect(block.formatString == "BLOCKPREDICATE")
    #expect(NSPredicate(.and([block.tree, .always(true)])).evaluate(with: 3))
    #expect(all.evaluate(with: ["a": 1]) && !all.evaluate(with: ["a": 2]))
  }

  @Test func identity() {
    let one = NSPredicate(format: "a = 1")
    #expect(
      one == NSPredicate(format: "a == 1") && one != NSPredicate(format: "a == 2")
        && one.hash == NSPredicate(format: "a == 1").hash)
    #expect((one.copy() as? NSPredicate)?.formatString == "a == 1")
    #expect(one.description == "a == 1")
    #expect(one != NSPredicate(value: false))
  }

  @Test func sorting() {
    let people =
      [
        ["n": "b", "a": 1], ["n": "B", "a": 3], ["a": 2], ["n": "a", "a": 3], ["n": "ä10", "a": 0],
        ["n": "ä9", "a": 0],
      ] as [[String: Any]]
    func sorted(_ descriptors: NSSortDescriptor...) -> [String] {
      (people as NSArray).sortedArray(using: descriptors).map { (($0 as? [String: Any])?["n"] as? String) ?? "-" }
    }
    #expect(sorted(NSSortDescriptor(key: "n", ascending: true)) == ["-", "B", "a", "b", "ä10", "ä9"])
    #expect(
      sorted(NSSortDescriptor(key: "a", ascending: false), NSSortDescriptor(key: "n", ascending: true)) == [
        "B", "a", "-", "b", "ä10", "ä9",
      ])
    #expect(sorted(NSSortDescriptor(key: "n", ascending: true, textOrder: .localizedStandard)).last == "B")
    let descriptor = NSSortDescriptor(key: "a.b", ascending: false, textOrder: .caseInsensitive)
    #expect(descriptor.key == "a.b" && !descriptor.ascending && descriptor.textOrder == .caseInsensitive)
    #expect((descriptor.reversedSortDescriptor as? NSSortDescriptor)?.ascending == true)
    #expect(descriptor == NSSortDescriptor(key: "a.b", ascending: false, textOrder: .caseInsensitive))
    #expect(NSSortDescriptor(keyPath: \String.count, ascending: true).key == nil)
  }
}
