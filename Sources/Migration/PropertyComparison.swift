import Foundation
package import ObjectModel
import Values

/// A property of either version, or the same of both.
package struct PropertyComparison {
  package let source: NSPropertyDescription?
  package let destination: NSPropertyDescription?
  /// The differences, at least one.
  package let changes: [ModelChange]

  /// The name in the destination, or else in the source.
  package var name: String { destination?.name ?? source?.name ?? "" }

  /// The properties that differ in entities that correspond, inherited ones too.
  ///
  /// A property is told of where either version declares it, and where one comes from or goes with an entity of one version.
  static func all(
    _ source: NSEntityDescription, _ destination: NSEntityDescription, _ matching: EntityMatching
  ) -> [PropertyComparison] {
    pairs(source, destination).compactMap { a, b in
      let isTold =
        a.map { $0.entity === source || matching.destinations(of: $0.entity).isEmpty } ?? false
        || b.map { $0.entity === destination || matching.source(of: $0.entity) == nil } ?? false
      guard isTold else { return nil }
      let changes = changes(a, b, matching)
      return changes.isEmpty ? nil : PropertyComparison(source: a, destination: b, changes: changes)
    }.sorted { a, b in (a.destination == nil) == (b.destination == nil) ? a.name < b.name : b.destination == nil }
  }

  /// Attributes correspond to attributes, relationships to relationships.
  static func pairs(
    _ source: NSEntityDescription, _ destination: NSEntityDescription
  ) -> [(NSPropertyDescription?, NSPropertyDescription?)] {
    let kinds: [(NSPropertyDescription) -> Bool] = [
      { $0 is NSAttributeDescription }, { $0 is NSRelationshipDescription }, { $0 is NSFetchedPropertyDescription },
    ]
    return kinds.flatMap { kind in
      CanonicalMatch.pairs(
        source.properties.filter(kind), destination.properties.filter(kind), canonical: { $0.renamingIdentifier ?? "" })
    }
  }

  private static func changes(
    _ a: NSPropertyDescription?, _ b: NSPropertyDescription?, _ matching: EntityMatching
  ) -> [ModelChange] {
    guard let a else { return b.map { [AddedProperty.change(of: $0)] } ?? [] }
    guard let b else { return [AddedProperty.removal(of: a)] }
    var changes = common(a, b)
    switch (a, b) {
    case (let a as NSAttributeDescription, let b as NSAttributeDescription): changes += AttributeChanges.of(a, b)
    case (let a as NSRelationshipDescription, let b as NSRelationshipDescription):
      changes += RelationshipChanges.of(a, b, matching)
    case (let a as NSFetchedPropertyDescription, let b as NSFetchedPropertyDescription):
      changes += ModelChange.difference("predicate", a.predicateString.text, b.predicateString.text) { .unseen($0) }
    default: break
    }
    if !changes.isEmpty {
      // What does not enter the hash in one form (transient, derived) changes nothing, whatever it is called.
      let (old, new) = (a.countedHash, b.countedHash)
      for index in changes.indices where old == new {
        changes[index].changesHash = false
        if old == nil { changes[index].migration = .none }
      }
    }
    if !matching.destinations(of: a.entity).contains(where: { $0 === b.entity }) {
      changes.append(
        ModelChange("moved from \(a.entity.name ?? "") to \(b.entity.name ?? "")", .inferred, "the values stay"))
    }
    return changes
  }

  /// What all kinds of property have in common.
  private static func common(_ a: NSPropertyDescription, _ b: NSPropertyDescription) -> [ModelChange] {
    var changes: [ModelChange] = []
    if a.name != b.name { changes.append(ModelChange("renamed from \(a.name)", .inferred, "the values stay")) }
    if a.isTransient != b.isTransient {
      changes.append(
        b.isTransient
          ? ModelChange("becomes transient", .inferred, "the values are lost")
          : ModelChange("is stored", AddedProperty.change(of: b).migration, AddedProperty.change(of: b).note))
    }
    if a.isOptional != b.isOptional {
      changes.append(b.isOptional ? ModelChange("becomes optional") : becomesRequired(b))
    }
    changes += ModelChange.difference("hash modifier", a.versionHashModifier.text, b.versionHashModifier.text) {
      ModelChange($0, .inferred, "the values stay")
    }
    if a.userInfo != b.userInfo { changes.append(.unseen("user info")) }
    return changes
  }

  private static func becomesRequired(_ property: NSPropertyDescription) -> ModelChange {
    if let attribute = property as? NSAttributeDescription, !attribute.defaultValue.isNull {
      return ModelChange("becomes required", .inferred, "rows without a value get the default")
    }
    if property.isTransient { return ModelChange("becomes required", .none) }
    if let relationship = property as? NSRelationshipDescription, !relationship.hasLeastCount {
      return ModelChange("becomes required", .inferred, "it may be empty")
    }
    return ModelChange("becomes required", .conditional, "fails where a row has no value")
  }
}

extension NSPropertyDescription {
  /// The version hash, if it enters the entity's.
  fileprivate var countedHash: Data? {
    if self is NSDerivedAttributeDescription { return versionHash }
    return isTransient || self is NSFetchedPropertyDescription ? nil : versionHash
  }
}

/// What it means that only one version has a property.
enum AddedProperty {
  static func change(of property: NSPropertyDescription) -> ModelChange {
    switch property {
    case is NSDerivedAttributeDescription: return ModelChange("added", .inferred, "it is computed")
    case _ where property.isTransient || property is NSFetchedPropertyDescription: return .unseen("added")
    case let attribute as NSAttributeDescription where !attribute.defaultValue.isNull:
      return ModelChange("added", .inferred, "every row gets the default")
    case _ where property.isOptional: return ModelChange("added", .inferred, "rows have no value")
    case let relationship as NSRelationshipDescription where !relationship.hasLeastCount:
      return ModelChange("added", .inferred, "rows have no value")
    case is NSRelationshipDescription:
      return ModelChange("added, required", .conditional, "fails where there are rows")
    default:
      return ModelChange("added, required without a default", .conditional, "fails where there are rows")
    }
  }

  static func removal(of property: NSPropertyDescription) -> ModelChange {
    let isStored = !property.isTransient && !(property is NSFetchedPropertyDescription)
    if property is NSDerivedAttributeDescription || !isStored {
      return ModelChange("removed", hash: property is NSDerivedAttributeDescription, isStored ? .inferred : .none)
    }
    return ModelChange("removed", .inferred, "the values are lost")
  }
}
