package import Values

/// Where the properties of an entity lie in a stored row: a plan made once per entity, which rows follow by index.
///
/// Attributes come sorted by name, own and inherited together, a composite's elements flattened in declared order and named
/// `composite.element`. Transient properties have no place.
package final class EntityLayout: @unchecked Sendable {
  /// A stored attribute: the description (of the element, in a composite) and its name or path.
  package struct StoredAttribute: Sendable {
    package let path: String
    package let attribute: NSAttributeDescription
  }

  unowned(unsafe) let entity: NSEntityDescription
  package let propertiesByName: [String: NSPropertyDescription]
  /// The stored attributes, in the order of `StoredRow.attributes`.
  package let attributes: [StoredAttribute]
  /// The stored to-one relationships, in the order of `StoredRow.toOne`.
  package let toOne: [NSRelationshipDescription]
  /// The stored to-many relationships.
  package let toMany: [NSRelationshipDescription]
  /// The index in `attributes` by path.
  package let attributeIndex: [String: Int]
  /// The index in `toOne` by name.
  package let toOneIndex: [String: Int]
  /// The default values, in the order of `attributes`.
  package let defaultValues: [Value]
  /// What values are checked against, in the order of `attributes`.
  let rules: [ValidationRule]
  /// How attributes are kept that are not stored as they are, by name.
  package private(set) var shadows: [String: ShadowPlan] = [:]
  /// The transient attributes that are made of their shadows when an object is read.
  package private(set) var precomputedShadows: [String] = []
  private(set) var shadowProblems: [ShadowProblem] = []

  init(_ entity: NSEntityDescription) {
    self.entity = entity
    propertiesByName = Dictionary(entity.properties.map { ($0.name, $0) }, uniquingKeysWith: { _, own in own })
    let sorted = propertiesByName.values.filter { !$0.isTransient }.sorted { $0.name < $1.name }
    attributes = sorted.compactMap { $0 as? NSAttributeDescription }.flatMap { Self.leaves($0, prefix: "") }
    defaultValues = attributes.map { $0.attribute.defaultValue }
    rules = attributes.map { ValidationRule($0.attribute) }
    let relationships = sorted.compactMap { $0 as? NSRelationshipDescription }
    toOne = relationships.filter { !$0.isToMany }
    toMany = relationships.filter { $0.isToMany }
    attributeIndex = Dictionary(attributes.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
    toOneIndex = Dictionary(toOne.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    (shadows, shadowProblems) = readShadows(entity)
    precomputedShadows = shadows.values.filter { $0.getter == .precomputed && $0.kind != nil && !$0.isItsOwnShadow }
      .map(\.attribute.name).sorted()
  }

  private static func leaves(_ attribute: NSAttributeDescription, prefix: String) -> [StoredAttribute] {
    guard let composite = attribute as? NSCompositeAttributeDescription else {
      return [StoredAttribute(path: prefix + attribute.name, attribute: attribute)]
    }
    return composite.elements.flatMap { leaves($0, prefix: prefix + composite.name + ".") }
  }
}
