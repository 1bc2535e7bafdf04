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
    /// The places of the innermost optional composite around it; nil where there is none.
    package let optionalComposite: Range<Int>?
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
    attributes = Self.leaves(of: sorted.compactMap { $0 as? NSAttributeDescription })
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

  private static func leaves(of attributes: [NSAttributeDescription]) -> [StoredAttribute] {
    var leaves: [StoredAttribute] = []
    func add(_ attribute: NSAttributeDescription, prefix: String, within outer: Range<Int>?) {
      guard let composite = attribute as? NSCompositeAttributeDescription else {
        leaves.append(.init(path: prefix + attribute.name, attribute: attribute, optionalComposite: outer))
        return
      }
      let places = leaves.count..<leaves.count + composite.leafCount
      for element in composite.elements {
        add(element, prefix: prefix + composite.name + ".", within: composite.isOptional ? places : outer)
      }
    }
    for attribute in attributes { add(attribute, prefix: "", within: nil) }
    return leaves
  }
}

extension EntityLayout {
  /// Whether a row must have a value of the attribute at a place.
  ///
  /// A composite that is nil has none in all its places, so one that is optional asks for its elements only when it has any.
  /// What a derived attribute has is the store's to say.
  ///
  /// - Parameter hasValue: whether the row has a value at another place.
  package func requiresValue(at place: Int, where hasValue: (_ place: Int) throws -> Bool) rethrows -> Bool {
    let attribute = attributes[place]
    guard !attribute.attribute.isOptional, !(attribute.attribute is NSDerivedAttributeDescription) else { return false }
    return try attribute.optionalComposite?.contains(where: hasValue) ?? true
  }
}

extension NSAttributeDescription {
  /// The number of places that the attribute takes.
  fileprivate var leafCount: Int {
    (self as? NSCompositeAttributeDescription)?.elements.reduce(0) { $0 + $1.leafCount } ?? 1
  }
}
