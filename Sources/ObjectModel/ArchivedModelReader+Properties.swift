import Diagnostics
import Foundation
import KeyedArchives
import Values

extension ArchivedModelReader {
  /// The classes of properties that are read, and those that have no part in a store.
  private enum PropertyClass: String, CaseIterable {
    case derived = "NSDerivedAttributeDescription"
    case composite = "NSCompositeAttributeDescription"
    case attribute = "NSAttributeDescription"
    case relationship = "NSRelationshipDescription"
    case fetched = "NSFetchedPropertyDescription"
    case expression = "NSExpressionDescription"
  }

  /// A property; nil for one that is only an expression.
  mutating func property(_ node: ArchivedNode, of entity: String) throws(Diagnostic) -> NSPropertyDescription? {
    guard let name = text(node, "NSPropertyName") else {
      throw .modelArchiveLacks("NSPropertyName", "a property of \(entity)", file)
    }
    let owner = "\(entity).\(name)"
    // A model that was made in code may have subclasses of its own.
    guard let kind = node.classes.lazy.compactMap(PropertyClass.init(rawValue:)).first else {
      throw .modelArchivePropertyClass(node.className, owner, file)
    }
    let property: NSPropertyDescription
    switch kind {
    case .expression: return nil
    case .relationship: property = try relationship(node, owner)
    case .fetched: property = fetchedProperty(node, owner)
    case .attribute, .derived, .composite: property = try attribute(node, kind, owner, depth: 0)
    }
    fill(property, named: name, node)
    return property
  }

  private func fill(_ property: NSPropertyDescription, named name: String, _ node: ArchivedNode) {
    property.name = name
    property.isOptional = node["NSIsOptional"]?.flag ?? false
    property.isTransient = node["NSIsTransient"]?.flag ?? false
    property.isIndexed = node["NSIsIndexed"]?.flag ?? false
    property.versionHashModifier = text(node, "NSVersionHashModifier")
    property.storedRenamingIdentifier = renamingIdentifier(node, of: name)
    property.userInfo = userInfo(node)
  }

  private mutating func relationship(
    _ node: ArchivedNode, _ owner: String
  ) throws(Diagnostic) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.minCount = try count(node, "NSMinCount", owner)
    relationship.maxCount = try count(node, "NSMaxCount", owner)
    relationship.isOrdered = node["NSIsOrdered"]?.flag ?? false
    if let number = node["NSDeleteRule"]?.integer {
      guard let rule = UInt(exactly: number).flatMap(NSDeleteRule.init(rawValue:)) else {
        throw .modelArchiveNumber("delete rule", Int(number), owner, file)
      }
      relationship.deleteRule = rule
    }
    return relationship
  }

  /// A number of destinations, which code may have set to the greatest number there is.
  private func count(_ node: ArchivedNode, _ key: String, _ owner: String) throws(Diagnostic) -> Int {
    guard let count = node[key]?.integer else { throw .modelArchiveLacks(key, owner, file) }
    return count < 0 ? Int(UInt32.max) : Int(count)
  }

  private mutating func fetchedProperty(_ node: ArchivedNode, _ owner: String) -> NSFetchedPropertyDescription {
    let property = NSFetchedPropertyDescription()
    let request = node["NSFetchRequest"]
    property.fetchEntityName = text(node, "_NSFetchRequestEntityName") ?? request?["NSEntity"].flatMap(Self.entityName)
    property.predicateString = predicate(request?["NSPredicate"], of: owner)
    return property
  }

  // MARK: Attributes

  private mutating func attribute(
    _ node: ArchivedNode, _ kind: PropertyClass, _ owner: String, depth: Int
  ) throws(Diagnostic) -> NSAttributeDescription {
    let attribute: NSAttributeDescription
    switch kind {
    case .derived:
      let derived = NSDerivedAttributeDescription()
      // Both enter the version hash: without them the model would be another one.
      guard let expression = node["NSDerivationExpression"].flatMap({ ArchivedFormat.expression($0) }) else {
        throw .modelArchiveDerivation(owner, file)
      }
      derived.derivationExpressionFormat = expression
      if let filter = node["NSFilteringPredicate"] {
        guard let format = ArchivedFormat.predicate(filter) else { throw .modelArchiveDerivation(owner, file) }
        derived.filteringPredicateFormat = format
      }
      attribute = derived
    case .composite:
      let composite = NSCompositeAttributeDescription()
      composite.elements = try elements(node, owner, depth: depth)
      attribute = composite
    default: attribute = NSAttributeDescription()
    }
    attribute.attributeType = try type(node, owner)
    attribute.valueTransformerName = text(node, "NSValueTransformerName")
    let flags = node["NSFlagsKey"]?.integer ?? 0
    attribute.allowsExternalBinaryDataStorage = flags & 4 != 0
    attribute.preservesValueInHistoryOnDeletion = flags & 16 != 0
    attribute.allowsCloudEncryption = node["NSAllowsCloudEncryption"]?.flag ?? false
    if attribute.attributeType == .transformableAttributeType {
      attribute.attributeValueClassName = text(node, "NSAttributeValueClassName")
    }
    readDefault(of: attribute, node, owner)
    readLimits(of: attribute, node, owner)
    return attribute
  }

  private func type(_ node: ArchivedNode, _ owner: String) throws(Diagnostic) -> NSAttributeType {
    guard let number = node["NSAttributeType"]?.integer else {
      throw .modelArchiveLacks("NSAttributeType", owner, file)
    }
    guard let type = UInt(exactly: number).flatMap(NSAttributeType.init(rawValue:)) else {
      throw .modelArchiveNumber("type of attribute", Int(number), owner, file)
    }
    return type
  }

  private mutating func elements(
    _ node: ArchivedNode, _ owner: String, depth: Int
  ) throws(Diagnostic) -> [NSAttributeDescription] {
    guard depth < 20 else { throw .modelArchiveEndless(file) }
    var elements: [NSAttributeDescription] = []
    for item in node["NSCompositeElements"]?.items ?? [] {
      try step()
      guard let name = text(item, "NSPropertyName") else { throw .modelArchiveLacks("NSPropertyName", owner, file) }
      let path = "\(owner).\(name)"
      guard let kind = item.classes.lazy.compactMap(PropertyClass.init(rawValue:)).first,
        kind == .attribute || kind == .composite
      else { throw .modelArchivePropertyClass(item.className, path, file) }
      guard !elements.contains(where: { $0.name == name }) else { throw .modelArchiveDuplicate(path, file) }
      let element = try attribute(item, kind, path, depth: depth + 1)
      fill(element, named: name, item)
      elements.append(element)
    }
    return elements
  }
}
