import ObjectModel

/// The differences of a relationship, beside what all properties have.
enum RelationshipChanges {
  static func of(
    _ a: NSRelationshipDescription, _ b: NSRelationshipDescription, _ matching: EntityMatching
  ) -> [ModelChange] {
    destination(a, b, matching) + inverse(a, b) + counts(a, b)
      + (a.isOrdered == b.isOrdered
        ? []
        : [
          b.isOrdered
            ? ModelChange("becomes ordered", .inferred, "in no particular order at first")
            : ModelChange("is no longer ordered", .inferred, "the order is lost")
        ])
      + ModelChange.difference("delete rule", a.deleteRule.modelName, b.deleteRule.modelName) { .unseen($0) }
  }

  private static func destination(
    _ a: NSRelationshipDescription, _ b: NSRelationshipDescription, _ matching: EntityMatching
  ) -> [ModelChange] {
    let (old, new): (NSEntityDescription, NSEntityDescription) = (a.destinationEntity, b.destinationEntity)
    let what = "destination \(old.name ?? "") -> \(new.name ?? "")"
    let kept = matching.destinations(of: old)
    if kept.contains(where: { $0 === new }) {
      return old.name == new.name ? [] : [ModelChange(what, .inferred, "the entity is renamed, the links stay")]
    }
    if kept.contains(where: { $0.isKindOf(entity: new) }) {
      return [
        ModelChange(
          what, .conditional,
          "Core Data does not write the entity of the rows linked to: an app may fail when it reads them")
      ]
    }
    return [ModelChange(what, .refused, "no rows of the one are rows of the other")]
  }

  private static func inverse(_ a: NSRelationshipDescription, _ b: NSRelationshipDescription) -> [ModelChange] {
    ModelChange.difference("inverse", a.inverseName, b.inverseName) { ModelChange($0, .inferred, "the links stay") }
  }

  private static func counts(_ a: NSRelationshipDescription, _ b: NSRelationshipDescription) -> [ModelChange] {
    if a.isToMany != b.isToMany {
      return [
        b.isToMany
          ? ModelChange("becomes to-many", .inferred, "the destination becomes the only one")
          : ModelChange("becomes to-one", .conditional, "which destination stays is open where there are several")
      ]
    }
    return ModelChange.difference("least count", a.minCount, b.minCount) {
      b.minCount > a.minCount
        ? ModelChange($0, .conditional, "fails where a row has fewer") : ModelChange($0, .inferred, "the links stay")
    }
      + ModelChange.difference("greatest count", a.maxCount, b.maxCount) {
        b.hasGreatestCount && (a.maxCount == 0 || b.maxCount < a.maxCount)
          ? ModelChange($0, .conditional, "fails where a row has more") : ModelChange($0, .inferred, "the links stay")
      }
  }
}

extension NSRelationshipDescription {
  fileprivate var inverseName: String { inverseRelationship?.name ?? "none" }
}
