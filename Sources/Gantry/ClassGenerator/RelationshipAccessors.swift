import ObjectModel

/// The accessors of one relationship: its objects, and the functions that add and remove some.
struct RelationshipAccessors {
  private let name: String
  private let destination: String
  private let isOrdered: Bool
  private let isToMany: Bool

  init(_ relationship: NSRelationshipDescription) {
    name = relationship.name
    let type = relationship.destinationEntity.className
    destination = type
    isOrdered = relationship.isOrdered
    isToMany = relationship.isToMany
  }

  /// The Swift of them.
  var text: String {
    guard isToMany else { return toOne }
    return (isOrdered ? ordered : unordered) + "\n\n" + changes
  }

  private var toOne: String {
    """
    /// The object of the relationship `\(name)`.
    public var \(name.escaped): \(destination)? {
      get { value(forKey: "\(name)") as? \(destination) }
      set { setValue(newValue, forKey: "\(name)") }
    }
    """
  }

  private var unordered: String {
    """
    /// The objects of the relationship `\(name)`.
    public var \(name.escaped): Set<\(destination)> {
      get { value(forKey: "\(name)") as? Set<\(destination)> ?? [] }
      set { setValue(newValue, forKey: "\(name)") }
    }
    """
  }

  private var ordered: String {
    """
    /// The objects of the relationship `\(name)`, in their order.
    public var \(name.escaped): [\(destination)] {
      get {
        #if canImport(ObjectiveC)
          (value(forKey: "\(name)") as? NSOrderedSet)?.array as? [\(destination)] ?? []
        #else
          value(forKey: "\(name)") as? [\(destination)] ?? []
        #endif
      }
      set {
        #if canImport(ObjectiveC)
          setValue(NSOrderedSet(array: newValue), forKey: "\(name)")
        #else
          setValue(newValue, forKey: "\(name)")
        #endif
      }
    }
    """
  }

  private var changes: String {
    let end = name.capitalisedFirst
    let several = isOrdered ? "[\(destination)]" : "Set<\(destination)>"
    let list = isOrdered ? "values" : "Array(values)"
    let set = isOrdered ? "mutableOrderedSetValue" : "mutableSetValue"
    var text = """
      /// Adds an object to `\(name)`\(isOrdered ? ", at the end" : "").
      public func addTo\(end)(_ value: \(destination)) { addTo\(end)([value]) }

      /// Removes an object from `\(name)`.
      public func removeFrom\(end)(_ value: \(destination)) { removeFrom\(end)([value]) }

      /// Adds objects to `\(name)`\(isOrdered ? ", at the end" : "").
      public func addTo\(end)(_ values: \(several)) {
        #if canImport(ObjectiveC)
          \(set)(forKey: "\(name)").addObjects(from: \(list))
        #else
          add(\(list), toRelationship: "\(name)")
        #endif
      }

      /// Removes objects from `\(name)`.
      public func removeFrom\(end)(_ values: \(several)) {
        #if canImport(ObjectiveC)
          \(set)(forKey: "\(name)").\(isOrdered ? "removeObjects(in: values)" : "minus(values)")
        #else
          remove(\(list), fromRelationship: "\(name)")
        #endif
      }
      """
    guard isOrdered else { return text }
    text += """


      /// Puts an object into `\(name)`.
      public func insertInto\(end)(_ value: \(destination), at index: Int) { \(name.escaped).insert(value, at: index) }

      /// Removes the object at a place of `\(name)`.
      public func removeFrom\(end)(at index: Int) { \(name.escaped).remove(at: index) }

      /// Puts another object at a place of `\(name)`.
      public func replace\(end)(at index: Int, with value: \(destination)) { \(name.escaped)[index] = value }
      """
    return text
  }
}
