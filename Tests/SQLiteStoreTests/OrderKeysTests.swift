import TestSupport
import Testing

@testable import SQLiteStore

struct OrderKeysTests {
  static let lists: [Case<[Int64?], [Int64]>] = [
    Case("a new list", [nil, nil, nil], [2048, 3072, 4096]),
    Case("nothing", [], []),
    Case("nothing changed", [2048, 3072], [2048, 3072]),
    Case("at the end", [2048, nil, nil], [2048, 3072, 4096]),
    Case("in between", [2048, nil, 3072], [2048, 2560, 3072]),
    Case("several in between", [2048, nil, nil, nil, 3072], [2048, 2304, 2560, 2816, 3072]),
    Case("at the beginning", [nil, 2048], [1024, 2048]),
    Case("no room", [2048, nil, 2049], [2048, 3072, 4096]),
    Case("no room at the beginning", [nil, 1, 2], [2048, 3072, 4096]),
    Case("one moved to the front", [4096, 2048, 3072], [1024, 2048, 3072]),
    Case("one moved to the end", [3072, 4096, 2048], [3072, 4096, 5120]),
    Case("two exchanged", [3072, 2048], [1024, 2048]),
    Case("equal keys", [5, 5, 5], [1, 3, 5]),
    Case("keys that are no keys", [-7, 0, nil], [2048, 3072, 4096]),
    Case("the end of numbers", [.max, nil], [2048, 3072]),
  ]

  @Test(arguments: lists) func keys(_ c: Case<[Int64?], [Int64]>) {
    #expect(OrderKeys.assign(c.input) == c.expected)
  }

  /// Every short list: what comes out increases, and a list that increases is left alone.
  @Test func keysAlwaysIncrease() {
    let choices: [Int64?] = [nil, 1, 2, 3, 2048, 2049, 3072, .max]
    func lists(_ count: Int) -> [[Int64?]] {
      count == 0 ? [[]] : lists(count - 1).flatMap { list in choices.map { list + [$0] } }
    }
    for list in (0...4).flatMap(lists) {
      let keys = OrderKeys.assign(list)
      #expect(
        keys.count == list.count && zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 } && keys.allSatisfy { $0 > 0 },
        "\(list)")
      let given = list.compactMap(\.self)
      if given.count == list.count, zip(given, given.dropFirst()).allSatisfy({ $0 < $1 }) { #expect(keys == given) }
    }
  }
}
