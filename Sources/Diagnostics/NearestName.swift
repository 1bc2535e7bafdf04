/// Finds the name that a user probably meant.
public enum NearestName {
  /// The known name nearest to a wrong one by edit distance, case ignored; nil if none is near enough to be meant.
  public static func of(_ name: String, in known: some Sequence<String>) -> String? {
    let limit = max(1, name.count / 3)
    let nearest = known.map { ($0, distance(name.lowercased(), $0.lowercased())) }.min { $0.1 < $1.1 }
    guard let nearest, nearest.1 <= limit else { return nil }
    return nearest.0
  }

  /// The number of insertions, deletions and replacements between two texts (Levenshtein).
  static func distance(_ a: String, _ b: String) -> Int {
    let a = Array(a)
    let b = Array(b)
    var row = Array(0...b.count)
    for i in a.indices {
      var diagonal = row[0]
      row[0] = i + 1
      for j in b.indices {
        let cost = a[i] == b[j] ? diagonal : 1 + min(diagonal, row[j], row[j + 1])
        diagonal = row[j + 1]
        row[j + 1] = cost
      }
    }
    return row[b.count]
  }
}
