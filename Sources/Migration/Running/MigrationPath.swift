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
    mappings.filter { $0.source == source.name && $0.destination == destination.name }
  }
}

extension MappingInference {
  /// Throws where no mapping can be inferred, with the names of the versions.
  func check(from source: String, to destination: String) throws(Diagnostic) {
    if !refusals.isEmpty { throw .noPath(source, destination, .notInferred(refusals)) }
  }
}

extension Diagnostic {
  fileprivate static func mappingSkipped(_ source: String, _ destination: String, _ files: [String]) -> Diagnostic {
    Diagnostic(
      .migrationInference,
      "from \(source) to \(destination) no way leads that does not pass over a mapping model: \(files.joined(separator: ", "))",
      hint: "Say --infer to let the mapping be inferred nevertheless.")
  }
}
