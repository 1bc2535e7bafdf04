import XMLEvents

/// The elements and keys that Xcode writes into a model file, by element.
///
/// Source: the `contents` files of Xcode 4 to 26.
enum ModelVocabulary {
  struct Element {
    var keys: Set<String>
    var children: Set<String> = []
  }

  static let elements: [String: Element] = [
    "model": Element(
      keys: [
        "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion", "name",
        "userDefinedModelVersionIdentifier", "sourceLanguage", "macOSVersion", "iOSVersion", "tvOSVersion",
        "watchOSVersion", "visionOSVersion", "usedWithCloudKit", "usedWithSwiftData",
      ],
      children: ["entity", "composite", "fetchRequest", "configuration", "elements"]),
    "entity": Element(
      keys: [
        "name", "representedClassName", "parentEntity", "isAbstract", "syncable", "codeGenerationType",
        "versionHashModifier", "elementID", "coreSpotlightDisplayNameExpression",
      ],
      children: [
        "attribute", "relationship", "fetchedProperty", "fetchIndex", "compoundIndexes", "uniquenessConstraints",
        "userInfo",
      ]),
    "attribute": Element(
      keys: property.union([
        "attributeType", "defaultValueString", "defaultDateTimeInterval", "minDateTimeInterval", "maxDateTimeInterval",
        "minValueString", "maxValueString", "regularExpressionString", "usesScalarValueType", "indexed",
        "allowsExternalBinaryDataStorage", "valueTransformerName", "customClassName", "composite",
        "preserveAfterDeletion", "derived", "derivationExpression", "allowsCloudEncryption",
      ]),
      children: ["userInfo"]),
    "relationship": Element(
      keys: property.union([
        "deletionRule", "destinationEntity", "inverseName", "inverseEntity", "toMany", "maxCount", "minCount",
        "ordered", "indexed",
      ]),
      children: ["userInfo"]),
    "fetchedProperty": Element(keys: property, children: ["fetchRequest", "userInfo"]),
    "fetchRequest": Element(keys: [
      "name", "entity", "predicateString", "resultType", "fetchLimit", "fetchBatchSize", "includeSubentities",
      "includePropertyValues", "includesPendingChanges", "returnObjectsAsFaults", "returnDistinctResults",
    ]),
    "fetchIndex": Element(keys: ["name", "partialIndexPredicate"], children: ["fetchIndexElement"]),
    "fetchIndexElement": Element(keys: ["property", "type", "order", "expression", "expressionType"]),
    "compoundIndexes": Element(keys: [], children: ["compoundIndex"]),
    "compoundIndex": Element(keys: [], children: ["index"]),
    "index": Element(keys: ["value"]),
    "uniquenessConstraints": Element(keys: [], children: ["uniquenessConstraint"]),
    "uniquenessConstraint": Element(keys: [], children: ["constraint"]),
    "constraint": Element(keys: ["value"]),
    "userInfo": Element(keys: [], children: ["entry"]),
    "entry": Element(keys: ["key", "value"]),
    "configuration": Element(keys: ["name", "usedWithCloudKit"], children: ["memberEntity"]),
    "memberEntity": Element(keys: ["name"]),
    "composite": Element(keys: ["name"], children: ["attribute"]),
    // Positions in Xcode's diagram.
    "elements": Element(keys: [], children: ["element"]),
    "element": Element(keys: ["name", "positionX", "positionY", "width", "height"]),
  ]

  private static let property: Set<String> = [
    "name", "optional", "transient", "syncable", "versionHashModifier", "elementID", "spotlightIndexingEnabled",
    "storedInTruthFile",
  ]
}

extension ModelElement {
  /// Calls for each key and each child element that the vocabulary does not know; what is inside such a child is not looked at.
  func forEachUnknown(key: (ModelElement, String) -> Void, child: (ModelElement, ModelElement) -> Void) {
    guard let known = ModelVocabulary.elements[kind] else { return }
    for name in node.attributes.map(\.name) where name.namespace == nil && !known.keys.contains(name.local) {
      key(self, name.local)
    }
    for element in children {
      guard known.children.contains(element.kind) else {
        child(self, element)
        continue
      }
      element.forEachUnknown(key: key, child: child)
    }
  }
}
