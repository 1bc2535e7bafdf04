package import Diagnostics
package import ObjectGraph
package import ObjectModel

/// What is called before and after a step, with a store of the rows as they are then, and its model.
package struct StageHandlers {
  package typealias Handler = (_ store: NSPersistentStore, _ model: NSManagedObjectModel) throws -> Void

  package var willMigrate: Handler?
  package var didMigrate: Handler?

  package init(willMigrate: Handler? = nil, didMigrate: Handler? = nil) {
    (self.willMigrate, self.didMigrate) = (willMigrate, didMigrate)
  }
}

/// The way of a store through stages: from each custom stage to the next one, and from the last to the destination.
///
/// Between custom stages the way is the shortest through the versions of the lightweight ones, in their order.
package struct StagedPath {
  package typealias Version = KnownVersions.Version

  package enum Stage {
    /// Versions, by their checksums, that follow each other by inferred mappings.
    case lightweight([String])
    /// One version that becomes the next, with what is called before and after.
    case custom(Version, Version, StageHandlers)

    fileprivate var checksums: [String] {
      switch self {
      case .lightweight(let checksums): checksums
      case .custom(let source, let destination, _): [source.checksum, destination.checksum]
      }
    }
  }

  private let stages: [Stage]
  private let destination: Version
  private let mappings: [any VersionMapping]
  /// The versions whose models are known, by checksum.
  private let versions: [String: Version]
  /// The checksums of all stages in their order.
  private let order: [String]

  /// - Throws: a version that is in two stages which do not follow each other, or at both ends of a stage.
  package init(_ stages: [Stage], _ versions: KnownVersions, _ mappings: [any VersionMapping]) throws(Diagnostic) {
    (self.stages, self.mappings, destination) = (stages, mappings, versions.destination)
    self.versions = Dictionary(versions.versions.map { ($0.checksum, $0) }, uniquingKeysWith: { first, _ in first })
    order = stages.flatMap(\.checksums)
    for case .custom(let source, let destination, _) in stages where source.checksum == destination.checksum {
      throw .stageOfOne(source.name)
    }
    let runs = order.indices.filter { $0 == 0 || order[$0] != order[$0 - 1] }.map { order[$0] }
    if let twice = runs.first(where: { checksum in runs.count { $0 == checksum } > 1 }) {
      throw .stagesRepeat(self.versions[twice]?.name ?? twice)
    }
  }

  func legs(from source: Version) throws(Diagnostic) -> [MigrationPath.Leg] {
    if source.checksum == destination.checksum { return [] }
    guard let start = order.lastIndex(of: source.checksum) else {
      throw .stagesWithoutSource(source.name, order.map { versions[$0]?.name ?? $0 })
    }
    if let end = order.lastIndex(of: destination.checksum), end < start {
      throw .stagesBackward(source.name, destination.name)
    }
    var legs: [MigrationPath.Leg] = []
    var reached = source
    var place = 0
    for stage in stages {
      defer { place += stage.checksums.count }
      guard case .custom(let from, let to, let handlers) = stage, place >= start else { continue }
      if [reached.checksum, from.checksum].contains(destination.checksum) { break }
      legs += try self.legs(from: reached, to: from, among: versions(behind: reached, before: from, source))
      for var leg in try self.legs(from: from, to: to, among: []) {
        leg.handlers = handlers
        legs.append(leg)
      }
      reached = to
    }
    return try legs
      + self.legs(from: reached, to: destination, among: versions(behind: reached, before: destination, source))
  }

  private func legs(
    from source: Version, to destination: Version, among between: [Version]
  ) throws(Diagnostic) -> [MigrationPath.Leg] {
    if source.checksum == destination.checksum { return [] }
    return try MigrationPath(KnownVersions([source] + between + [destination], to: destination), mappings)
      .legs(from: source)
  }

  /// The versions that stages have between two others, as far as their models are known.
  private func versions(behind first: Version, before last: Version, _ source: Version) -> [Version] {
    guard let start = order.lastIndex(of: first.checksum) else { return [] }
    let end = order.firstIndex(of: last.checksum) ?? order.endIndex
    guard start < end else { return [] }
    return order[start..<end].dropFirst().compactMap { $0 == source.checksum ? nil : versions[$0] }
  }
}

extension ModelVersions.Version {
  fileprivate var checksum: String { model.versionChecksum }
}

extension Diagnostic.Code {
  /// The stages of a migration do not serve.
  package static let migrationStages = Diagnostic.Code("migration.stages", .store)
}

extension Diagnostic {
  fileprivate static func stagesRepeat(_ version: String) -> Diagnostic {
    Diagnostic(
      .migrationStages, "the version \(version) is in several stages",
      hint: "Name each version once; a custom stage may begin with the version that the one before ends with.")
  }

  fileprivate static func stagesWithoutSource(_ version: String, _ known: [String]) -> Diagnostic {
    Diagnostic(
      .migrationStages, "the store is of the version \(version), which is in no stage",
      hint: "The stages have \(known.joined(separator: ", ")). The store is as it was.")
  }

  fileprivate static func stagesBackward(_ source: String, _ destination: String) -> Diagnostic {
    Diagnostic(
      .migrationStages, "the stages lead from \(destination) to \(source), and the store is of the later one",
      hint: "Stages are not gone back. The store is as it was.")
  }

  fileprivate static func stageOfOne(_ version: String) -> Diagnostic {
    Diagnostic(
      .migrationStages, "a custom stage leads from the version \(version) to itself",
      hint: "Name two versions whose models differ.")
  }
}
