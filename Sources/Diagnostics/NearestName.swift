/// Finds the name that a user probably meant.
public enum NearestName {
  /// The known name nearest to a wrong one by edit distance, case ignored; nil if none is near enough to be meant.
  public static func of(_ name: String, in known: some Sequence<String>) -> String? {
    let limit = max(1, name.count / 3)
    let nearest = known.map { ($0, distance(name.lowercased(), $0.lowercased())) }.min { $0.1 < $1.1 }
    guard let nearest, nearest.1 <= limit else { return nil }
    return nearest.0
  }

  /// What a hint begins with, e.g. `Did you mean quote? `, a blank behind it; empty if no name is near enough to be meant.
  public static func question(_ name: String, in known: some Sequence<String>) -> String {
    of(name, in: known).map { "Did you mean \($0)? " } ?? ""
  }

  /// The number of insertions, deletions, replacements and exchanges of neighbours between two texts (optimal string
  /// alignment).
  package static func distance(_ a: String, _ b: String) -> Int {
    let a = Array(a)
    let b = Array(b)
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var least = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, beforeLast[j - 1] + 1) }
        row.append(least)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
