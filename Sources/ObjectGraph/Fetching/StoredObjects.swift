import Diagnostics
import ObjectModel
package import Predicates
import Values

/// The objects of one store as predicates look at them, without a context: rows, read when they are asked for and kept.
///
/// It is how a store answers what it cannot put into a query of its own.
package final class StoredObjects {
  private let store: any StoreRequests
  private var rows: [NSManagedObjectID: StoredRow?] = [:]
  private var destinations: [LinkKey: [NSManagedObjectID]] = [:]

  private struct LinkKey: Hashable {
    let relationship: ObjectIdentifier
    let source: NSManagedObjectID
  }

  package init(_ store: any StoreRequests) { self.store = store }

  /// The objects with some IDs, read in one request.
  package func objects(_ objectIDs: [NSManagedObjectID]) throws -> [StoredObject] {
    let missing = objectIDs.filter { rows[$0] == nil }
    for (id, row) in zip(missing, try store.rows(for: missing)) { rows[id] = .some(row) }
    return objectIDs.map { StoredObject(objectID: $0, objects: self) }
  }

  fileprivate func row(_ objectID: NSManagedObjectID) throws -> StoredRow? {
    if let known = rows[objectID] { return known }
    let row = try store.rows(for: [objectID])[0]
    rows[objectID] = .some(row)
    return row
  }

  fileprivate func destinations(
    of relationship: NSRelationshipDescription, for source: NSManagedObjectID
  ) throws -> [NSManagedObjectID] {
    let key = LinkKey(relationship: ObjectIdentifier(relationship), source: source)
    if let known = destinations[key] { return known }
    let found = try store.destinations(of: relationship, for: [source])[0]
    destinations[key] = found
    return found
  }
}

/// One row of a store, as an object with keys.
package struct StoredObject: PredicateObject {
  package let objectID: NSManagedObjectID
  fileprivate let objects: StoredObjects

  package var predicateIdentity: AnyHashable { AnyHashable(objectID) }

  /// The value of a stored property; of a row that is not there, nil.
  package func predicateValue(forKey key: String) throws -> PredicateValue {
    switch key {
    case "objectID": return .object(objectID)
    case "entity": return .object(objectID.entity)
    default: break
    }
    let row = try objects.row(objectID)
    let layout = (row?.objectID ?? objectID).entity.layout
    if let place = layout.attributeIndex[key] { return .scalar(row?.attributes[place] ?? .null) }
    if let place = layout.toOneIndex[key] {
      return row?.toOne[place].map { .object(StoredObject(objectID: $0, objects: objects)) } ?? .null
    }
    switch layout.propertiesByName[key] {
    case let relationship as NSRelationshipDescription:
      return .list(
        try objects.destinations(of: relationship, for: objectID).map {
          .object(StoredObject(objectID: $0, objects: objects))
        })
    case is NSCompositeAttributeDescription: return .object(StoredComposite(object: self, prefix: key + "."))
    default: throw Diagnostic.unknownFetchKey(key, of: objectID.entity)
    }
  }
}

/// The elements of a composite attribute, as an object with keys.
private struct StoredComposite: PredicateObject {
  let object: StoredObject
  let prefix: String

  var predicateIdentity: AnyHashable { AnyHashable([AnyHashable(object.objectID), AnyHashable(prefix)]) }

  func predicateValue(forKey key: String) throws -> PredicateValue {
    let path = prefix + key
    if object.objectID.entity.layout.attributeIndex[path] != nil { return try object.predicateValue(forKey: path) }
    return .object(StoredComposite(object: object, prefix: path + "."))
  }
}
