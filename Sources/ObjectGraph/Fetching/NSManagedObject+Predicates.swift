import Diagnostics
public import ObjectModel
public import Predicates

extension NSManagedObject: PredicateObject {
  /// The value of a property by name, for predicates; `objectID` and `entity` are keys too.
  ///
  /// - Throws: when there is no such property, or the object cannot be read.
  public func predicateValue(forKey key: String) throws -> PredicateValue {
    if let place = layout.attributeIndex[key] { return .scalar(try value(at: place)) }
    switch layout.propertiesByName[key] {
    case let relationship as NSRelationshipDescription where relationship.isToMany && !relationship.isTransient:
      // In an order that does not differ from run to run.
      let objects = try destinations(of: relationship)
      let sorted = relationship.isOrdered ? objects : objects.sorted { $0.objectID.key < $1.objectID.key }
      return .list(sorted.map { .object($0) })
    case nil where key == "objectID": return .object(objectID)
    case nil where key == "entity": return .object(entity)
    default: return PredicateValue(try checkedValue(forKey: key))
    }
  }

  /// The object's ID: an object is equal to its ID.
  public var predicateIdentity: AnyHashable { AnyHashable(objectID) }
}

extension NSManagedObjectID: PredicateObject {
  /// The ID itself, under its own name; it has no other key.
  ///
  /// - Throws: for any other key.
  public func predicateValue(forKey key: String) throws -> PredicateValue {
    guard key == "objectID" else { throw Diagnostic.unknownKey(key, of: entity) }
    return .object(self)
  }

  /// The ID.
  public var predicateIdentity: AnyHashable { AnyHashable(self) }
}

extension NSEntityDescription: PredicateObject {
  /// The entity's `name`; it has no other key for predicates.
  ///
  /// - Throws: for any other key.
  public func predicateValue(forKey key: String) throws -> PredicateValue {
    guard key == "name" else { throw Diagnostic.unknownKey(key, of: self) }
    return PredicateValue(name)
  }
}
