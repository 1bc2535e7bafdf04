import Bytes
import Predicates

/// The bytes that make up Core Data's version hashes.
///
/// Source: the hashes of some 5,000 entities in stores and compiled models that Apple's tools wrote; Apple describes no
/// algorithm. What counts: names, types, optionality, counts, order, destinations, inverses, modifiers, constraints. What
/// does not: classes, defaults, limits, delete rules, indexes, renaming identifiers, user info.
enum VersionHash {
  /// The hash of an entity alone; those of a model are made together.
  static func of(_ entity: NSEntityDescription) -> [UInt8] {
    var known = Known()
    return of(entity, &known)
  }

  /// The hashes of entities, in their order.
  static func of(_ entities: [NSEntityDescription]) -> [[UInt8]] {
    var known = Known()
    return entities.map { of($0, &known) }
  }

  /// The hashes that were made so far: what is inherited counts for each entity below.
  private struct Known {
    var entities: [NSEntityDescription: [UInt8]] = [:]
    var properties: [NSPropertyDescription: [UInt8]] = [:]
  }

  private static func of(_ entity: NSEntityDescription, _ known: inout Known) -> [UInt8] {
    if let hash = known.entities[entity] { return hash }
    var bytes = Array((entity.name ?? "").utf8) + [entity.isAbstract ? 1 : 0]
    if let superentity = entity.superentity { bytes += of(superentity, &known) }
    // Inherited properties count again, beside the superentity.
    for property in sorted(entity.properties, by: \.name) where counts(property) {
      let hash = known.properties[property] ?? of(property)
      known.properties[property] = hash
      bytes += hash
    }
    bytes += (entity.versionHashModifier ?? "").utf8
    for constraint in sorted(entity.uniquenessConstraints.map({ $0.joined(separator: ".") }), by: \.self) {
      bytes += constraint.utf8
    }
    let hash = SHA256.hash(bytes)
    known.entities[entity] = hash
    return hash
  }

  /// The hashes of the properties that count for an entity, own and inherited, by name.
  static func ofProperties(of entity: NSEntityDescription) -> [String: [UInt8]] {
    Dictionary(entity.properties.filter(counts).map { ($0.name, of($0)) }, uniquingKeysWith: { _, own in own })
  }

  /// A derivation as Core Data prints it; what cannot be read, as it is written.
  static func printedExpression(_ text: String) -> String {
    (try? ExpressionTree(format: text))?.description ?? text.trimmed
  }

  private static func printedPredicate(_ text: String) -> String {
    (try? PredicateTree(format: text))?.description ?? text.trimmed
  }

  static func of(_ property: NSPropertyDescription) -> [UInt8] {
    switch property {
    case let derived as NSDerivedAttributeDescription:
      // Neither its name nor its type counts: Core Data hashes the texts alone.
      let filter = derived.filteringPredicateFormat.map(printedPredicate) ?? ""
      return SHA256.hash(Array((printedExpression(derived.derivationExpressionFormat) + filter).utf8))
    case let composite as NSCompositeAttributeDescription:
      return SHA256.hash(sorted(leaves(composite), by: \.name).filter { !$0.isTransient }.flatMap { of($0) })
    case let attribute as NSAttributeDescription:
      return SHA256.hash(
        common(attribute) + littleEndian(attribute.attributeType.rawValue)
          + (attribute.allowsExternalBinaryDataStorage ? [1] : [])
          + (attribute.preservesValueInHistoryOnDeletion ? [1] : []))
    case let relationship as NSRelationshipDescription: return of(relationship)
    default: return common(property)
    }
  }

  private static func of(_ relationship: NSRelationshipDescription) -> [UInt8] {
    var bytes = common(relationship)
    let destination: NSEntityDescription? = relationship.destinationEntity
    bytes += (destination?.name ?? "").utf8
    // A relationship that is its own inverse counts as one without.
    if let inverse = relationship.inverseRelationship, inverse !== relationship { bytes += inverse.name.utf8 }
    bytes += littleEndian(relationship.maxCount) + littleEndian(relationship.minCount)
    return SHA256.hash(bytes + (relationship.isOrdered ? [1, 0] : []))
  }

  /// What attributes and relationships have in common, as a hash of its own.
  private static func common(_ property: NSPropertyDescription) -> [UInt8] {
    let flags: UInt8 = (property.isOptional ? 1 : 0) | (property.isTransient ? 2 : 0)
    return SHA256.hash(Array(property.name.utf8) + [flags, 0] + Array((property.versionHashModifier ?? "").utf8))
  }

  private static func counts(_ property: NSPropertyDescription) -> Bool {
    property is NSDerivedAttributeDescription
      || !property.isTransient && !(property is NSFetchedPropertyDescription)
  }

  private static func leaves(_ composite: NSCompositeAttributeDescription) -> [NSAttributeDescription] {
    composite.elements.flatMap { element in
      (element as? NSCompositeAttributeDescription).map(leaves) ?? [element]
    }
  }

  private static func littleEndian(_ number: some BinaryInteger) -> [UInt8] {
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).littleEndian) { Array($0) }
  }

  /// Sorted by UTF-16 code unit: upper case before lower, as `NSString.compare(_:)`.
  static func sorted<T>(_ items: [T], by name: (T) -> String) -> [T] {
    items.sorted { name($0).utf16.lexicographicallyPrecedes(name($1).utf16) }
  }
}
