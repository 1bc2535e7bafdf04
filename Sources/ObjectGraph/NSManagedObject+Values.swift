import Diagnostics
import ObjectModel
import Values

extension NSManagedObject {
  /// The value of a property by name: an attribute's (numbers as `NSNumber`), the object of a to-one relationship, a `Set` of
  /// the objects of a to-many relationship or an array if it is ordered, nil for no value.
  ///
  /// A fault is read from its store first. A key that the entity does not have is a programmer's mistake; and as with Apple's
  /// framework the program ends when the store cannot be read at that moment: `existingObject(with:)` throws instead.
  public func value(forKey key: String) -> Any? { stopping { try checkedValue(forKey: key) } }

  /// Sets a property by name, and with a relationship its inverse. Integers, `Bool`, `Double`, `Float`, `Decimal`, `String`,
  /// `Date`, `Data`, `UUID`, `URL`, objects, and sets and arrays of them are taken where the property's type fits.
  ///
  /// A value that equals the present one is no change. A key that the entity does not have and a value of a wrong type are
  /// programmer's mistakes.
  public func setValue(_ value: Any?, forKey key: String) { stopping { try setCheckedValue(value, forKey: key) } }

  /// The value of a property, for accessors of one's own; a transient one that was not set is nil, and is not made of its
  /// shadow.
  public func primitiveValue(forKey key: String) -> Any? {
    guard layout.propertiesByName[key]?.isTransient == true else { return value(forKey: key) }
    stopping { try realize() }
    return transients?[key] ?? nil
  }

  /// Sets a property without telling the context of a change, for accessors of one's own, which call `willChangeValue(forKey:)`
  /// before: else the object is saved only if something else of it is changed.
  public func setPrimitiveValue(_ value: Any?, forKey key: String) {
    stopping { try realize() }
    keepSnapshot()
    let wasSilent = state.contains(.silent)
    state.insert(.silent)
    setValue(value, forKey: key)
    if !wasSilent { state.remove(.silent) }
  }

  /// Tells the context that a property is about to be changed by a primitive accessor.
  public func willChangeValue(forKey key: String) {
    stopping { try realize() }
    willChangeStored()
  }

  /// Ends what `willChangeValue(forKey:)` began: observers of the property are told.
  public func didChangeValue(forKey key: String) { tellObservers(key) }

  /// Tells that a property is about to be read by a primitive accessor: a fault is read from its store.
  public func willAccessValue(forKey key: String?) { stopping { try realize() } }

  /// Ends what `willAccessValue(forKey:)` began.
  public func didAccessValue(forKey key: String?) {}

  private func stopping<T>(_ body: () throws -> T) -> T {
    do { return try body() } catch { preconditionFailure("\(error)") }
  }
}

// MARK: The same, throwing

extension NSManagedObject {
  /// The value of a property by name; see `value(forKey:)`.
  package func checkedValue(forKey key: String) throws -> Any? {
    if let place = layout.attributeIndex[key] { return try value(at: place).object }
    if let place = layout.toOneIndex[key] {
      return try toOneID(at: place).flatMap { managedObjectContext?.object(with: $0) }
    }
    let property = try property(key)
    if property.isTransient {
      try realize()
      if let value = shadowedValue(forKey: key) { return value }
      return transients?[key] ?? (property as? NSAttributeDescription)?.defaultValue.object
    }
    if let composite = property as? NSCompositeAttributeDescription {
      let elements = try composite.elements.compactMap { element in
        try checkedValue(forKey: "\(key).\(element.name)").map { (element.name, $0) }
      }
      return elements.isEmpty ? nil : Dictionary(elements, uniquingKeysWith: { first, _ in first })
    }
    if let fetched = property as? NSFetchedPropertyDescription {
      guard let context = managedObjectContext, let request = try fetched.fetchRequest(for: self) else { return nil }
      return try context.fetch(request)
    }
    let relationship = try relationship(property)
    let objects = try destinations(of: relationship)
    return relationship.isOrdered ? objects : Set(objects)
  }

  /// Sets a property by name; see `setValue(_:forKey:)`.
  ///
  /// - Throws: a `Diagnostic` for an unknown key and for a value of a wrong type.
  package func setCheckedValue(_ value: Any?, forKey key: String) throws {
    if let place = layout.attributeIndex[key] {
      try realize()
      setValue(try attributeValue(value, of: layout.attributes[place].attribute, key), at: place)
    } else if let place = layout.toOneIndex[key] {
      try setToOne(place, to: try related(value, layout.toOne[place]).first)
    } else {
      let property = try property(key)
      if property.isTransient {
        try setTransient(value, property)
      } else if let composite = property as? NSCompositeAttributeDescription {
        try setComposite(value, composite, key)
      } else {
        let relationship = try relationship(property)
        try setToMany(relationship, to: try related(value, relationship))
      }
    }
  }

  private func property(_ key: String) throws -> NSPropertyDescription {
    guard let property = layout.propertiesByName[key] else { throw Diagnostic.unknownKey(key, of: entity) }
    return property
  }

  private func relationship(_ property: NSPropertyDescription) throws -> NSRelationshipDescription {
    guard let relationship = property as? NSRelationshipDescription else {
      throw Diagnostic.fetchedProperty(property.name, of: entity)
    }
    return relationship
  }

  private func attributeValue(_ value: Any?, of attribute: NSAttributeDescription, _ key: String) throws -> Value {
    guard let found = Value(value, as: attribute.attributeType) else {
      throw Diagnostic.valueType(value ?? "nil", forKey: key, of: entity, expected: attribute.attributeType.takenTypes)
    }
    return found
  }

  /// A transient attribute without a type holds whatever it is given.
  private func setTransient(_ value: Any?, _ property: NSPropertyDescription) throws {
    if try setShadowedValue(value, forKey: property.name) { return }
    if let attribute = property as? NSAttributeDescription, !attribute.attributeType.holdsAnything {
      _ = try attributeValue(value, of: attribute, property.name)
    }
    try realize()
    noteChange()
    transients = transients ?? [:]
    transients?.updateValue(value, forKey: property.name)
    if observers != nil { tellObservers(property.name) }
  }

  private func setComposite(_ value: Any?, _ composite: NSCompositeAttributeDescription, _ key: String) throws {
    guard value == nil || value is [String: Any] else {
      throw Diagnostic.valueType(value ?? "nil", forKey: key, of: entity, expected: composite.attributeType.takenTypes)
    }
    let elements = value as? [String: Any] ?? [:]
    let names = Set(composite.elements.map(\.name))
    if let unknown = elements.keys.filter({ !names.contains($0) }).min() {
      throw Diagnostic.unknownKey("\(key).\(unknown)", of: entity)
    }
    for name in names.sorted() { try setCheckedValue(elements[name], forKey: "\(key).\(name)") }
  }

  /// The objects that a relationship is set to.
  private func related(_ value: Any?, _ relationship: NSRelationshipDescription) throws -> [NSManagedObject] {
    let objects: [NSManagedObject]? =
      switch value {
      case nil: []
      case let object as NSManagedObject: relationship.isToMany ? nil : [object]
      case let list as [NSManagedObject]: relationship.isToMany ? list : nil
      // In an order that does not differ from run to run.
      case let set as Set<NSManagedObject>:
        relationship.isToMany ? set.sorted { $0.objectID.key < $1.objectID.key } : nil
      default: nil
      }
    guard let objects, objects.allSatisfy({ $0.entity.isKindOf(entity: relationship.destinationEntity) }) else {
      let name = relationship.destinationEntity.name ?? ""
      throw Diagnostic.valueType(
        value ?? "nil", forKey: relationship.name, of: entity,
        expected: relationship.isToMany ? "a set or an array of objects of \(name)" : "an object of \(name)")
    }
    guard objects.allSatisfy({ $0.managedObjectContext === managedObjectContext }), managedObjectContext != nil else {
      throw Diagnostic.acrossContexts(relationship, of: entity)
    }
    return objects
  }
}

extension NSAttributeType {
  fileprivate var holdsAnything: Bool {
    self == .undefinedAttributeType || self == .transformableAttributeType || self == .objectIDAttributeType
  }
}
