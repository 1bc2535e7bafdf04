import ObjectModel

/// The differences of an attribute, beside what all properties have.
enum AttributeChanges {
  static func of(_ a: NSAttributeDescription, _ b: NSAttributeDescription) -> [ModelChange] {
    var changes = type(a, b) + derivation(a, b)
    if let a = a as? NSCompositeAttributeDescription, let b = b as? NSCompositeAttributeDescription {
      changes += elements(a, b)
    }
    if a.defaultValue != b.defaultValue { changes.append(.unseen("default", "rows that exist keep their values")) }
    if a.limits != b.limits {
      changes.append(.unseen("limits", "values that exist are checked when they are saved again"))
    }
    if a.allowsExternalBinaryDataStorage != b.allowsExternalBinaryDataStorage {
      changes.append(
        ModelChange(
          b.allowsExternalBinaryDataStorage ? "external storage allowed" : "external storage no longer allowed",
          .inferred, "the values stay, in another form"))
    }
    if a.preservesValueInHistoryOnDeletion != b.preservesValueInHistoryOnDeletion {
      changes.append(
        ModelChange(
          b.preservesValueInHistoryOnDeletion
            ? "kept in the history of deletions" : "not kept in the history of deletions"))
    }
    changes += ModelChange.difference("transformer", a.valueTransformerName.text, b.valueTransformerName.text) {
      .unseen($0, "the stored bytes stay as the old one made them")
    }
    changes += ModelChange.difference("class", a.attributeValueClassName.text, b.attributeValueClassName.text) {
      .unseen($0)
    }
    if a.allowsCloudEncryption != b.allowsCloudEncryption { changes.append(.unseen("encryption in CloudKit")) }
    return changes
  }

  // MARK: Type

  private static func type(_ a: NSAttributeDescription, _ b: NSAttributeDescription) -> [ModelChange] {
    let (old, new) = (a.attributeType, b.attributeType)
    guard old != new else { return [] }
    let what = "type \(old.modelName) -> \(new.modelName)"
    // What is not stored in one of the versions has no values that would change.
    if a.isTransient || b.isTransient { return [ModelChange(what)] }
    if let from = integerSize[old], let to = integerSize[new] {
      return [
        from <= to
          ? ModelChange(what, .inferred, "the values stay")
          : ModelChange(what, .conditional, "values beyond \(new.modelName) do not fit")
      ]
    }
    if isNumber(old) && isNumber(new) {
      return [ModelChange(what, .conditional, "converted as numbers, which Apple does not promise")]
    }
    return [ModelChange(what, .refused, "source and destination attribute types are incompatible")]
  }

  /// The types that are stored as integers, and how much they hold.
  private static let integerSize: [NSAttributeType: Int] = [
    .booleanAttributeType: 1, .integer16AttributeType: 16, .integer32AttributeType: 32, .integer64AttributeType: 64,
  ]

  private static func isNumber(_ type: NSAttributeType) -> Bool {
    switch type {
    case .decimalAttributeType, .doubleAttributeType, .floatAttributeType: true
    default: integerSize[type] != nil
    }
  }

  // MARK: Derivations and composites

  private static func derivation(_ a: NSAttributeDescription, _ b: NSAttributeDescription) -> [ModelChange] {
    switch (a as? NSDerivedAttributeDescription, b as? NSDerivedAttributeDescription) {
    case (nil, let b?): return [ModelChange("derived by \(b.derivationExpressionFormat)", .inferred, "it is computed")]
    case (_?, nil): return [ModelChange("no longer derived", .inferred, "the values stay")]
    case (let a?, let b?):
      return ModelChange.difference("derivation", a.derivationExpressionFormat, b.derivationExpressionFormat) {
        ModelChange($0, .inferred, "it is computed anew")
      }
    default: return []
    }
  }

  /// The elements, which are stored as attributes under the composite's name.
  private static func elements(
    _ a: NSCompositeAttributeDescription, _ b: NSCompositeAttributeDescription
  ) -> [ModelChange] {
    CanonicalMatch.pairs(a.elements, b.elements, canonical: { $0.renamingIdentifier ?? "" }).flatMap { old, new in
      let changes: [ModelChange]
      switch (old, new) {
      case (let old?, let new?):
        changes =
          ModelChange.difference("name", old.name, new.name) { ModelChange($0, .inferred, "the values stay") }
          + (old.isOptional == new.isOptional
            ? [] : [ModelChange(new.isOptional ? "becomes optional" : "becomes required")])
          + of(old, new)
      case (nil, let new?): changes = [AddedProperty.change(of: new)]
      case (let old?, nil): changes = [AddedProperty.removal(of: old)]
      default: changes = []
      }
      let name = new?.name ?? old?.name ?? ""
      return changes.map { change in
        var change = change
        change.what = "element \(name): \(change.what)"
        return change
      }
    }
  }
}
