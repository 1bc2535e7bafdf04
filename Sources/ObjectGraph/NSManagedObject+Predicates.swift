import Diagnostics
public import Predicates

extension NSManagedObject: PredicateObject {
  /// The value of a property by name, for predicates; `objectID` and `entity` are keys too.
  ///
  /// - Throws: when there is no such property, or the object cannot be read.
  public func predicateValue(forKey key: String) throws -> PredicateValue {
    switch key {
    case "objectID": .object(objectID)
    case "entity": .other(entity)
    default: PredicateValue(try checkedValue(forKey: key))
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
