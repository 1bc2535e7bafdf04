import Diagnostics
import ObjectModel

/// The way of a store through the versions of its model.
struct MigrationPath {
  private let versions: KnownVersions

  init(_ versions: KnownVersions) { self.versions = versions }

  /// The versions that a store becomes one after the other, its own first: the destination at once if a mapping can be inferred,
  /// else the fewest versions between in the order of their names.
  func path(from source: KnownVersions.Version) throws(Diagnostic) -> [KnownVersions.Version] {
    let destination = versions.destination
    if source.model.entityVersionHashesByName == destination.model.entityVersionHashesByName { return [source] }
    let refusals = MappingInference(source.model, destination.model).refusals
    if refusals.isEmpty { return [source, destination] }
    if let path = stepwise(from: source) { return path }
    throw .noPath(source.name, destination.name, .notInferred(refusals))
  }

  /// The fewest versions between the two of which each follows from the one before.
  private func stepwise(from source: KnownVersions.Version) -> [KnownVersions.Version]? {
    guard let start = versions.versions.firstIndex(where: { $0.name == source.name }),
      let end = versions.versions.firstIndex(where: { $0.name == versions.destination.name }), start < end
    else { return nil }
    var paths: [Int: [Int]] = [start: [start]]
    // Versions follow each other in order, so every way to one is known when its turn comes.
    for next in (start + 1)...end {
      let ways = (start..<next).compactMap { paths[$0] }.sorted { $0.count < $1.count }
      paths[next] = ways.first { way in
        let before = versions.versions[way[way.count - 1]].model
        return MappingInference(before, versions.versions[next].model).refusals.isEmpty
      }.map { $0 + [next] }
    }
    return paths[end]?.map { versions.versions[$0] }
  }
}
