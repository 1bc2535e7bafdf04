/// A property of an entity: an attribute, a relationship or a fetched property.
///
/// A subentity's `propertiesByName` holds the very descriptions of its superentity; Apple's framework copies them.
///
/// Source: Apple, Core Data, `NSPropertyDescription`.
open class NSPropertyDescription: @unchecked Sendable {
  /// The name of the property.
  public var name: String = ""
  /// The entity that declares the property; set when the entity takes it.
  public internal(set) unowned(unsafe) var entity: NSEntityDescription!
  /// Whether the property may be nil when it is saved. The default is true, as Apple's; a model file without `optional` means false.
  public var isOptional = true
  /// Whether the property is not stored. The default is false.
  public var isTransient = false
  /// The modeller's own keys and values. The default is none.
  public var userInfo: [String: String] = [:]
  /// A text that changes the version hash when the meaning of the property changes. The default is none.
  public var versionHashModifier: String?
  /// The name of the property in the version before, if it was renamed (`elementID` in a model file). The default is the name.
  public var renamingIdentifier: String? {
    get { storedRenamingIdentifier ?? name }
    set { storedRenamingIdentifier = newValue }
  }
  package var storedRenamingIdentifier: String?
  /// Whether the model file says `indexed="YES"`: an index of the attribute's own name.
  package var isIndexed = false

  /// Makes one with the defaults.
  public init() {}

  /// Takes the entity that declares the property.
  func belong(to entity: NSEntityDescription) { self.entity = entity }
}

/// A fetched property: a fetch request on the model, not stored.
public final class NSFetchedPropertyDescription: NSPropertyDescription, @unchecked Sendable {
  /// The name of the entity that is fetched.
  package var fetchEntityName: String?
  /// The predicate's text as the model has it.
  package var predicateString: String?
}

extension NSPropertyDescription: Hashable {
  /// Properties are equal when they are the same object.
  public static func == (a: NSPropertyDescription, b: NSPropertyDescription) -> Bool { a === b }
  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
