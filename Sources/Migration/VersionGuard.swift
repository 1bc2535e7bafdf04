package import Diagnostics
import ObjectModel

/// Compares a model with what of it was released, for continuous integration: what apps have stores of must stay.
///
/// Versions that were there are unchanged, hash by hash; the current version does not go back; and what looks renamed says so
/// by its renaming identifier, without which Core Data deletes the values of the one and adds the other empty.
package struct VersionGuard {
  private let model: ModelVersions
  private let released: ModelVersions

  package init(_ model: ModelVersions, against released: ModelVersions) {
    self.model = model
    self.released = released
  }

  /// What is wrong; empty when all is well.
  package func findings() -> [Diagnostic] {
    unchanged() + forward()
      + steps().flatMap { old, new in
        Self.renames(in: ModelComparison(source: old.model, destination: new.model), from: old.name, to: new.name)
      }
  }

  private func unchanged() -> [Diagnostic] {
    released.versions.compactMap { version in
      guard let model = model[version.name] else { return .versionGone(version.name) }
      let differing = model.entitiesDiffering(from: version.hashes)
      return differing.isEmpty ? nil : .versionChanged(version.name, differing)
    }
  }

  private func forward() -> [Diagnostic] {
    // A version that was prepared behind the current one may become it; one before may not again.
    guard released[model.current] != nil, ModelPackage.precedes(model.current, released.current) else { return [] }
    return [.versionBack(model.current, from: released.current)]
  }

  /// The released current version and those that are new, each with the next.
  private func steps() -> [(ModelVersions.Version, ModelVersions.Version)] {
    let new = model.versions.filter { released[$0.name] == nil }
    let chain = released.versions.filter { $0.name == released.current } + new
    return Array(zip(chain, chain.dropFirst()))
  }

  // MARK: Renames

  /// What was probably renamed without saying so.
  static func renames(in comparison: ModelComparison, from old: String, to new: String) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    var gone = comparison.entities.filter { $0.kind == .remove }.compactMap(\.source)
    for added in comparison.entities.filter({ $0.kind == .add }).compactMap(\.destination) {
      let name = "entity \(added.name ?? "")"
      if let identifier = added.storedRenamingIdentifier {
        guard identifier != added.name else { continue }
        let meant = comparison.source.entities.first { $0.name == identifier }?.renamingIdentifier
        findings.append(.identifierOfNothing(identifier, name, old, new, meant: meant))
      } else if let index = nearest(to: added.name, among: gone, by: \.name, where: { looksAlike($0, added) }) {
        findings.append(
          .looksRenamed("entity \(gone[index].name ?? "")", name, gone[index].renamingIdentifier, new))
        gone.remove(at: index)
      }
    }
    return findings + comparison.entities.flatMap { renames(in: $0, old, new) }
  }

  private static func renames(in entity: EntityComparison, _ old: String, _ new: String) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    var gone = entity.properties.filter { $0.destination == nil }.compactMap(\.source)
    for added in entity.properties.filter({ $0.source == nil }).compactMap(\.destination) {
      let name = "\(entity.name).\(added.name)"
      if let identifier = added.storedRenamingIdentifier {
        guard identifier != added.name else { continue }
        let meant = entity.source?.properties.first { $0.name == identifier }?.renamingIdentifier
        findings.append(.identifierOfNothing(identifier, name, old, new, meant: meant))
      } else if let index = nearest(to: added.name, among: gone, by: { $0.name }, where: { looksAlike($0, added) }) {
        findings.append(
          .looksRenamed("\(entity.name).\(gone[index].name)", name, gone[index].renamingIdentifier, new))
        gone.remove(at: index)
      }
    }
    return findings
  }

  /// Which of those that are gone is most likely what is new now: of those that look alike the one with the nearest name.
  private static func nearest<Old>(
    to name: String?, among gone: [Old], by nameOf: (Old) -> String?, where looksAlike: (Old) -> Bool
  ) -> Int? {
    gone.indices.filter { looksAlike(gone[$0]) }
      .map { (index: $0, distance: NearestName.distance(nameOf(gone[$0]) ?? "", name ?? "")) }
      .min { $0.distance < $1.distance }?.index
  }

  /// Whether at least half of the properties have the same names.
  private static func looksAlike(_ a: NSEntityDescription, _ b: NSEntityDescription) -> Bool {
    let (old, new) = (Set(a.properties.map(\.name)), Set(b.properties.map(\.name)))
    return !old.isDisjoint(with: new) && old.intersection(new).count * 2 >= max(old.count, new.count)
  }

  /// Whether both are stored in the same form, and none is derived.
  private static func looksAlike(_ a: NSPropertyDescription, _ b: NSPropertyDescription) -> Bool {
    guard !a.isTransient, !b.isTransient else { return false }
    switch (a, b) {
    case (is NSDerivedAttributeDescription, _), (_, is NSDerivedAttributeDescription): return false
    case (let a as NSAttributeDescription, let b as NSAttributeDescription): return a.attributeType == b.attributeType
    case (let a as NSRelationshipDescription, let b as NSRelationshipDescription):
      return a.isToMany == b.isToMany
        && a.destinationEntity.renamingIdentifier == b.destinationEntity.renamingIdentifier
    default: return false
    }
  }
}

extension Diagnostic.Code {
  /// A released version of a model is no longer what it was.
  package static let guardVersion = Diagnostic.Code("check.version", .store)
  /// A property or an entity was probably renamed without saying so.
  package static let guardRename = Diagnostic.Code("check.rename", .store)
}

extension Diagnostic {
  fileprivate static func versionGone(_ version: String) -> Diagnostic {
    Diagnostic(
      .guardVersion, "the version \(version) is gone: stores of it can no longer be migrated", hint: "Restore it.")
  }

  fileprivate static func versionChanged(_ version: String, _ entities: [String]) -> Diagnostic {
    Diagnostic(
      .guardVersion,
      "the version \(version) has changed: stores of it no longer open; entities that differ: "
        + entities.joined(separator: ", "),
      hint: "Restore it, and make the change in a new version.")
  }

  fileprivate static func versionBack(_ version: String, from released: String) -> Diagnostic {
    Diagnostic(
      .guardVersion, "the current version goes back from \(released) to \(version)",
      hint: "Make \(released) or a later one the current version.")
  }

  fileprivate static func looksRenamed(
    _ old: String, _ new: String, _ identifier: String?, _ version: String
  ) -> Diagnostic {
    Diagnostic(
      .guardRename,
      "in the version \(version) \(old) is gone and \(new) is new, and they are alike: a rename loses the values",
      hint: "If it is renamed, give it the renaming identifier (elementID) \(identifier ?? ""); if not, its own name.")
  }

  fileprivate static func identifierOfNothing(
    _ identifier: String, _ name: String, _ old: String, _ new: String, meant: String?
  ) -> Diagnostic {
    Diagnostic(
      .guardRename,
      "in the version \(new) \(name) has the renaming identifier (elementID) \(identifier), which nothing has in \(old): "
        + "it will be empty",
      hint: meant.map { "What is called \(identifier) there has the identifier \($0): an identifier is kept." }
        ?? "Give it the name of what it was, or its own if it is new.")
  }
}
