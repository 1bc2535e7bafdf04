extension NSPropertyDescription {
  /// The name of the column that fills the property, when it is not the property's own: the model's `userInfo` key `importName`,
  /// or MagicalRecord's `mappedKeyName`.
  public var importName: String? { importNames.first }

  /// All names that the model gives to the column.
  ///
  /// Source: MagicalRecord, Docs/Importing-Data.md: `mappedKeyName`, and `mappedKeyName.1` to `mappedKeyName.9` in their order.
  package var importNames: [String] {
    let keys = ["importName", "mappedKeyName"] + (1...9).map { "mappedKeyName.\($0)" }
    return keys.compactMap { userInfo[$0] }
  }
}

extension NSRelationshipDescription {
  /// The attribute by which MagicalRecord finds the destination, when the model says it: `relatedByAttribute` in the
  /// relationship's `userInfo`, or in that of its destination.
  package var relatedByAttribute: String? {
    userInfo["relatedByAttribute"] ?? destinationEntity.userInfo["relatedByAttribute"]
  }
}
