/// The keys that give an ordered relationship its order (`Z_FOK_` columns): any increasing numbers.
///
/// Core Data's are 2048, 3072, 4096 and so on, with halves of the gaps for what comes in between later.
enum OrderKeys {
  /// The key of the first element of a list.
  static let first: Int64 = 2048
  /// The distance from one element to the next.
  static let step: Int64 = 1024

  /// The key for an element behind the one that has the greatest key.
  static func following(_ greatest: Int64?) -> Int64 {
    guard let greatest, greatest <= .max - step else { return first }
    return greatest + step
  }

  /// The keys of lists whose owners are in a column, in the order of others.
  static func sql(of key: String, by owner: String) -> String {
    "\(step) + \(step) * ROW_NUMBER() OVER (PARTITION BY \(owner) ORDER BY \(key))"
  }

  /// The keys of a whole list, from those its elements have; nil for an element that has none.
  ///
  /// As many keys as can be are kept; where a gap has no room for what must go in, all are handed out anew.
  static func assign(_ present: [Int64?]) -> [Int64] {
    var keys = present
    let kept = longestIncreasing(present)
    var previous: (index: Int, key: Int64)?
    for next in kept {
      guard let key = present[next] else { continue }
      let start = previous.map { $0.index + 1 } ?? 0
      guard fill(&keys, start..<next, between: previous?.key ?? 0, and: key) else { return renumbered(present.count) }
      previous = (next, key)
    }
    for index in (previous.map { $0.index + 1 } ?? 0)..<present.count {
      let key = following(previous?.key)
      guard key > previous?.key ?? 0 else { return renumbered(present.count) }
      keys[index] = key
      previous = (index, key)
    }
    return keys.compactMap(\.self)
  }

  private static func renumbered(_ count: Int) -> [Int64] { (0..<count).map { first + Int64($0) * step } }

  /// Spreads keys evenly over a gap; false if it has no room.
  private static func fill(_ keys: inout [Int64?], _ range: Range<Int>, between low: Int64, and high: Int64) -> Bool {
    guard !range.isEmpty else { return true }
    let (gap, overflow) = high.subtractingReportingOverflow(low)
    let parts = Int64(range.count) + 1
    guard !overflow, gap >= parts else { return false }
    for (offset, index) in range.enumerated() {
      // Quotient and rest apart, so that no product is too great.
      let number = Int64(offset) + 1
      keys[index] = low + gap / parts * number + gap % parts * number / parts
    }
    return true
  }

  /// The places of a longest increasing run of keys, which need not be neighbours.
  private static func longestIncreasing(_ keys: [Int64?]) -> [Int] {
    var tails: [Int] = []  // tails[n]: the place of the least key that ends a run of n + 1
    var before = [Int?](repeating: nil, count: keys.count)
    for (place, key) in keys.enumerated() {
      guard let key, key > 0 else { continue }
      var (low, high) = (0, tails.count)
      while low < high {
        let middle = (low + high) / 2
        if let tail = keys[tails[middle]], tail < key { low = middle + 1 } else { high = middle }
      }
      before[place] = low == 0 ? nil : tails[low - 1]
      if low == tails.count { tails.append(place) } else { tails[low] = place }
    }
    return Array(
      sequence(first: tails.last, next: { $0.map { before[$0] } ?? nil }).prefix { $0 != nil }.compactMap(\.self)
    )
    .reversed()
  }
}
