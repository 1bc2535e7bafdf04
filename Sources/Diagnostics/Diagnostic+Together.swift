extension [Diagnostic] {
  /// What is wrong with one record as one diagnostic, with the code and the place of the first; nil if nothing is.
  package var together: Diagnostic? {
    guard let first, count > 1 else { return first }
    let shown = prefix(10)
    let rest = count > shown.count ? "; and \(count - shown.count) more" : ""
    let hints = shown.reduce(into: [String]()) { if !$0.contains($1.hint) { $0.append($1.hint) } }
    return Diagnostic(
      first.code, shown.map(\.message).joined(separator: "; ") + rest, hint: hints.joined(separator: " "),
      at: first.position)
  }
}
