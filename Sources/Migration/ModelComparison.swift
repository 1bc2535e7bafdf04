import Foundation
package import ObjectModel

/// How the entities and properties of two versions of a model correspond, as Core Data matches them when it infers a mapping,
/// and what their differences mean for stores.
///
/// What corresponds has the same canonical name: the renaming identifier, or else the name. An identifier is kept in all later
/// versions, so that versions may be skipped. A destination whose canonical name the source does not have is added, whatever
/// its plain name; several destinations with one canonical name all take the source's values.
///
/// Source: Apple, Core Data, "Using Lightweight Migration", and stores and models of public apps.
package struct ModelComparison {
  package let source: NSManagedObjectModel
  package let destination: NSManagedObjectModel
  /// The entities of the destination by name, and behind them those that only the source has.
  package let entities: [EntityComparison]

  package init(source: NSManagedObjectModel, destination: NSManagedObjectModel) {
    self.source = source
    self.destination = destination
    let pairs = CanonicalMatch.pairs(source.entities, destination.entities, canonical: { $0.renamingIdentifier ?? "" })
    let matching = EntityMatching(pairs)
    let (old, new) = (source.versionHashes, destination.versionHashes)
    entities = pairs.map { a, b in
      EntityComparison(a, b, matching, hashDiffers: a.flatMap { old[$0] } != b.flatMap { new[$0] })
    }
    .sorted { a, b in
      (a.destination == nil) == (b.destination == nil) ? a.name < b.name : b.destination == nil
    }
  }

  /// The entities whose hashes differ, and those that only one version has.
  package var entitiesWithOtherHash: [EntityComparison] { entities.filter(\.hashDiffers) }

  /// What a store of the source takes to become one of the destination: nothing, if all hashes are equal.
  package var migration: ModelChange.Migration {
    guard !entitiesWithOtherHash.isEmpty else { return .none }
    return max(.inferred, entities.map(\.migration).max() ?? .none)
  }
}

/// An entity of either version, or the same of both.
package struct EntityComparison {
  /// What Core Data's mapping of the entity is called.
  package enum Kind: String, Sendable { case add, remove, copy, transform }

  package let source: NSEntityDescription?
  package let destination: NSEntityDescription?
  /// The differences of the entity itself.
  package let changes: [ModelChange]
  /// The properties that differ: of the destination by name, and behind them those that only the source has.
  package let properties: [PropertyComparison]
  /// Whether the version hashes differ.
  package let hashDiffers: Bool

  init(
    _ source: NSEntityDescription?, _ destination: NSEntityDescription?, _ matching: EntityMatching, hashDiffers: Bool
  ) {
    self.source = source
    self.destination = destination
    self.hashDiffers = hashDiffers
    switch (source, destination) {
    case (let source?, let destination?):
      changes = EntityChanges.of(source, destination, matching)
      properties = PropertyComparison.all(source, destination, matching)
    case (nil, let destination?):
      changes = [ModelChange("added", .inferred, destination.isAbstract ? nil : "it has no rows")]
      properties = []
    default:
      changes = [ModelChange("removed", .inferred, "its rows are deleted")]
      properties = []
    }
  }

  /// The name in the destination, or else in the source.
  package var name: String { destination?.name ?? source?.name ?? "" }

  /// The kind of Core Data's mapping.
  package var kind: Kind {
    guard source != nil else { return .add }
    guard destination != nil else { return .remove }
    return hashDiffers ? .transform : .copy
  }

  /// What the entity takes in a migration.
  package var migration: ModelChange.Migration {
    (changes + properties.flatMap(\.changes)).map(\.migration).max() ?? .none
  }

  /// Whether anything is different.
  package var isEmpty: Bool { changes.isEmpty && properties.isEmpty && !hashDiffers }
}

/// Matching by canonical name.
enum CanonicalMatch {
  /// Each destination with the source of its canonical name, if there is one; then the sources that have no destination.
  static func pairs<T>(_ sources: [T], _ destinations: [T], canonical: (T) -> String) -> [(T?, T?)] {
    let byName = Dictionary(sources.map { (canonical($0), $0) }, uniquingKeysWith: { first, _ in first })
    let taken = Set(destinations.map(canonical))
    return destinations.map { (byName[canonical($0)], $0) }
      + sources.filter { !taken.contains(canonical($0)) }.map { ($0, nil) }
  }
}

/// Which entities of two versions correspond.
struct EntityMatching {
  private let pairs: [(source: NSEntityDescription, destination: NSEntityDescription)]

  init(_ pairs: [(NSEntityDescription?, NSEntityDescription?)]) {
    self.pairs = pairs.compactMap { source, destination in
      guard let source, let destination else { return nil }
      return (source, destination)
    }
  }

  /// The entity of the source that corresponds to one of the destination; nil for one that is added.
  func source(of destination: NSEntityDescription) -> NSEntityDescription? {
    pairs.first { $0.destination === destination }?.source
  }

  /// The entities of the destination that correspond to one of the source.
  func destinations(of source: NSEntityDescription) -> [NSEntityDescription] {
    pairs.filter { $0.source === source }.map(\.destination)
  }

  /// The tables of the source whose rows come into the table of an entity of the destination.
  func sourceRoots(of destination: NSEntityDescription) -> Set<NSEntityDescription> {
    Set(pairs.filter { $0.destination.rootEntity === destination.rootEntity }.map(\.source.rootEntity))
  }
}
