internal import XMLEvents

/// Which names of a document are meant by the names in paths, found out once for each pair.
final class XMLNames {
  /// A name in a path, by its number.
  struct Pattern: Hashable {
    fileprivate let index: Int
  }

  private enum Answer { case unknown, yes, no }

  private var patterns: [(pattern: XMLNamePattern, isAttribute: Bool)] = []
  /// By pattern and name.
  @exclusivity(unchecked) private var answers: [[Answer]] = []
  private var rootNamespaces: Set<String>?

  func element(_ pattern: XMLNamePattern) -> Pattern { add(pattern, isAttribute: false) }

  func attribute(_ pattern: XMLNamePattern) -> Pattern { add(pattern, isAttribute: true) }

  private func add(_ pattern: XMLNamePattern, isAttribute: Bool) -> Pattern {
    patterns.append((pattern, isAttribute))
    answers.append([])
    return Pattern(index: patterns.count - 1)
  }

  /// The root element begins: its namespaces are those that names without a prefix may be in.
  func setRoot(_ name: XMLNameID, in reader: XMLEventReader) {
    rootNamespaces = Set([reader.name(name).namespace, reader.rootDefaultNamespace].compactMap(\.self))
  }

  func matches(_ name: XMLNameID, _ pattern: Pattern, in reader: XMLEventReader) -> Bool {
    if name.index < answers[pattern.index].count, answers[pattern.index][name.index] != .unknown {
      return answers[pattern.index][name.index] == .yes
    }
    return findOut(name, pattern, reader)
  }

  private func findOut(_ name: XMLNameID, _ pattern: Pattern, _ reader: XMLEventReader) -> Bool {
    let (meant, isAttribute) = patterns[pattern.index]
    let full = reader.name(name)
    let isMeant =
      isAttribute ? meant.matchesAttribute(full) : meant.matchesElement(full, rootNamespaces: rootNamespaces ?? [])
    let missing = name.index + 1 - answers[pattern.index].count
    if missing > 0 { answers[pattern.index].append(contentsOf: repeatElement(.unknown, count: missing)) }
    answers[pattern.index][name.index] = isMeant ? .yes : .no
    return isMeant
  }
}
