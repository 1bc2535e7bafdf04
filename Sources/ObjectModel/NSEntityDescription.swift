/// An entity of a model: its name, class, place in the hierarchy and properties.
///
/// Source: Apple, Core Data, `NSEntityDescription`.
public final class NSEntityDescription: @unchecked Sendable {
  /// The name.
  public var name: String?
  /// The class of the entity's objects. The default is `NSManagedObject`.
  public var managedObjectClassName = "NSManagedObject"
  /// Whether no object may be made of this entity itself. The default is false.
  public var isAbstract = false
  /// The modeller's own keys and values. The default is none.
  public var userInfo: [String: String] = [:]
  /// A text that changes the version hash when the meaning of the entity changes. The default is none.
  public var versionHashModifier: String?
  /// The name of the entity in the version before, if it was renamed. The default is the name.
  public var renamingIdentifier: String? {
    get { storedRenamingIdentifier ?? name }
    set { storedRenamingIdentifier = newValue }
  }
  package var storedRenamingIdentifier: String?
  /// Sets of attributes and to-one relationships, by name, of which no two objects may have the same values.
  public var uniquenessConstraints: [[String]] = []
  /// The indexes in declared order, those before them that Apple's model compiler makes of other words of the model.
  public var indexes: [NSFetchIndexDescription] = []
  /// Whose task the entity's class is (`class`, `category`), as the model spells it; nil where it does not say.
  package var codeGenerationType: String?
  /// The older form of indexes over several properties.
  package var compoundIndexes: [[String]] = []

  /// The model that the entity belongs to.
  public internal(set) unowned(unsafe) var managedObjectModel: NSManagedObjectModel!
  /// The entity that this one inherits from.
  public internal(set) unowned(unsafe) var superentity: NSEntityDescription?
  /// The entities that inherit from this one directly, in declared order.
  public var subentities: [NSEntityDescription] = [] {
    didSet { for entity in subentities { entity.superentity = self } }
  }
  /// The properties that this entity itself declares, in declared order.
  package var ownProperties: [NSPropertyDescription] = [] {
    didSet { for property in ownProperties { property.belong(to: self) } }
  }

  /// Where properties lie in stored rows; made once, when the model is complete.
  package lazy var layout = EntityLayout(self)

  /// Makes one with the defaults.
  public init() {}
}

extension NSEntityDescription {
  /// The properties, own and inherited; setting it sets the own ones.
  public var properties: [NSPropertyDescription] {
    get { (superentity?.properties ?? []) + ownProperties }
    set { ownProperties = newValue }
  }

  /// The properties by name, own and inherited.
  public var propertiesByName: [String: NSPropertyDescription] { layout.propertiesByName }

  /// The attributes by name, own and inherited.
  public var attributesByName: [String: NSAttributeDescription] {
    propertiesByName.compactMapValues { $0 as? NSAttributeDescription }
  }

  /// The relationships by name, own and inherited.
  public var relationshipsByName: [String: NSRelationshipDescription] {
    propertiesByName.compactMapValues { $0 as? NSRelationshipDescription }
  }

  /// The subentities by name.
  public var subentitiesByName: [String: NSEntityDescription] {
    Dictionary(subentities.map { ($0.name ?? "", $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether this entity is the given one or inherits from it.
  public func isKindOf(entity other: NSEntityDescription) -> Bool {
    self === other || superentity?.isKindOf(entity: other) ?? false
  }

  /// The top of the entity's hierarchy; its table holds the rows of all of it.
  package var rootEntity: NSEntityDescription { superentity?.rootEntity ?? self }
}

extension NSEntityDescription: Hashable {
  /// Entities are equal when they are the same object.
  public static func == (a: NSEntityDescription, b: NSEntityDescription) -> Bool { a === b }
  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// An index of an entity.
///
/// Source: Apple, Core Data, `NSFetchIndexDescription`.
public struct NSFetchIndexDescription: Hashable, Sendable {
  /// One element of an index.
  public struct Element: Hashable, Sendable {
    /// How an element is indexed.
    public enum Kind: String, Hashable, Sendable { case binary = "Binary", rTree = "RTree" }
    /// The property's name; nil when an expression is indexed.
    public var propertyName: String?
    /// The expression's text (`self`, `entity`), when it is not a property.
    public var expression: String?
    /// How it is indexed. The default is binary.
    public var kind = Kind.binary
    /// Whether the order is ascending. The default is true.
    public var isAscending = true
    /// Makes one from its parts.
    public init(propertyName: String? = nil) { self.propertyName = propertyName }
  }
  /// The name.
  public var name: String
  /// The elements in order.
  public var elements: [Element]
  /// The predicate of a partial index, as the model spells it.
  public var partialIndexPredicate: String?

  /// Makes one from its parts.
  public init(name: String, elements: [Element], partialIndexPredicate: String? = nil) {
    self.name = name
    self.elements = elements
    self.partialIndexPredicate = partialIndexPredicate
  }
}
