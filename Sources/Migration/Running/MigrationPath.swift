import Diagnostics
import ObjectModel

/// The way of a store through the versions of its model.
struct MigrationPath {
  typealias Version = KnownVersions.Version

  /// From one version to another: by mapping models, or by a mapping that is inferred.
  struct Leg {
    let source: Version
    let destination: Version
    /// The mapping models; none where the mapping is inferred.
    let files: [any VersionMapping]
    let inference: MappingInference
    /// What is called before and after it.
    var handlers = StageHandlers()
  }

  private let versions: KnownVersions
  private let mappings: [any VersionMapping]

  init(_ versions: KnownVersions, _ mappings: [any VersionMapping]) {
    self.versions = versions
    self.mappings = mappings
  }

  /// The fewest legs to the destination of which none passes over a mapping model; none if there is nothing to do.
  ///
  /// A mapping model from the store's own version to the destination is taken at once. Otherwise versions follow each other in the
  /// order of their names, and a mapping is inferred only where no mapping model would be skipped.
  func legs(from source: Version) throws(Diagnostic) -> [Leg] {
    let destination = versions.destination
    if source.hashes == destination.hashes { return [] }
    let direct = files(from: source, to: destination)
    let inference = MappingInference(source.model, destination.model)
    if !direct.isEmpty {
      return [Leg(source: source, destination: destination, files: direct, inference: inference)]
    }
    let all = versions.versions
    guard let start = all.firstIndex(where: { $0.name == source.name }),
      let end = all.firstIndex(where: { $0.name == destination.name }), start < end
    else {
      try inference.check(from: source.name, to: destination.name)
      return [Leg(source: source, destination: destination, files: [], inference: inference)]
    }
    var ways: [Int: [Leg]] = [start: []]
    // Versions follow each other in order, so every way to one is known when its turn comes.
    for next in (start + 1)...end {
      let before = (start..<next).filter { ways[$0] != nil }.sorted { ways[$0]?.count ?? 0 < ways[$1]?.count ?? 0 }
      for place in before {
        guard let way = ways[place],
          let leg = leg(from: place, to: next, place == start && next == end ? inference : nil)
        else { continue }
        ways[next] = way + [leg]
        break
      }
    }
    if let way = ways[end] { return way }
    try inference.check(from: source.name, to: destination.name)
    throw .mappingSkipped(source.name, destination.name, mappings.map(\.name))
  }

  /// - Parameter known: the inference of the two versions, if it was made before.
  private func leg(from start: Int, to end: Int, _ known: MappingInference?) -> Leg? {
    let (source, destination) = (versions.versions[start], versions.versions[end])
    let files = files(from: source, to: destination)
    let isSkipping = mappings.contains { mapping in
      guard let first = place(mapping.source), let last = place(mapping.destination) else { return false }
      return start <= first && first < last && last <= end
    }
    if files.isEmpty, isSkipping { return nil }
    let inference = known ?? MappingInference(source.model, destination.model)
    if files.isEmpty, !inference.refusals.isEmpty { return nil }
    return Leg(source: source, destination: destination, files: files, inference: inference)
  }

  private func place(_ name: String) -> Int? { versions.versions.firstIndex { $0.name == name } }

  private func files(from source: Version, to destination: Version) -> [any VersionMapping] {
    let fitting = mappings.filter { isOf($0.source, source) && isOf($0.destination, destination) }
    let exact = fitting.filter { $0.source == source.name && $0.destination == destination.name }
    return exact.isEmpty ? fitting : exact
  }

  /// Whether a name is a version's, or that of another with the same hashes: stores cannot tell such versions apart.
  private func isOf(_ name: String, _ version: Version) -> Bool {
    name == version.name || versions.versions.contains { $0.name == name && $0.hashes == version.hashes }
  }
}

// MARK: - Mappings that somebody has named

extension MigrationPath {
  /// Throws for a mapping that was named and is of no use on a way: to infer in its place would be to guess.
  ///
  /// One from a version that the store has left behind is for other stores.
  ///
  /// - Returns: Words on those that pass over the store's version.
  static func check(
    _ mappings: [any VersionMapping], on legs: [Leg], from source: Version, in versions: KnownVersions
  ) throws(Diagnostic) -> [Diagnostic] {
    let used = Set(legs.flatMap(\.files).map(\.name))
    let names = versions.versions.map(\.name)
    var passing: [Diagnostic] = []
    for mapping in mappings where mapping.isNamed && !legs.isEmpty && !used.contains(mapping.name) {
      let path = [source.name] + legs.map(\.destination.name)
      guard let first = names.firstIndex(of: mapping.source), let last = names.firstIndex(of: mapping.destination),
        let start = names.firstIndex(of: source.name), first < last, first < start
      else { throw .mappingUnused(mapping, path) }
      if last > start { passing.append(.mappingPassing(mapping, path)) }
    }
    return passing
  }
}

extension MappingInference {
  /// Throws where no mapping can be inferred, with the names of the versions.
  func check(from source: String, to destination: String) throws(Diagnostic) {
    if !refusals.isEmpty { throw .noPath(source, destination, .notInferred(refusals)) }
  }
}

extension Diagnostic {
  fileprivate static func mappingUnused(_ mapping: any VersionMapping, _ path: [String]) -> Diagnostic {
    Diagnostic(
      .mappingModel, unused(mapping, path),
      hint: "Correct the versions that it names, or leave it out: then the mapping is inferred.")
  }

  fileprivate static func mappingPassing(_ mapping: any VersionMapping, _ path: [String]) -> Diagnostic {
    Diagnostic(
      .migrationMappingUnused, "\(unused(mapping, path)); it is not used",
      hint: "It is for stores of \(mapping.source). For this one write a mapping from \(path[0]), if it needs one.")
  }

  private static func unused(_ mapping: any VersionMapping, _ path: [String]) -> String {
    "\(mapping.name) is from \(mapping.source) to \(mapping.destination), and the store goes \(path.joined(separator: " -> "))"
  }

  fileprivate static func mappingSkipped(_ source: String, _ destination: String, _ files: [String]) -> Diagnostic {
    Diagnostic(
      .migrationInference,
      "from \(source) to \(destination) no way leads that does not pass over a mapping model: \(files.joined(separator: ", "))",
      hint: "Say --infer to let the mapping be inferred nevertheless.")
  }
}
