/// Names that a run has for objects: known while it goes on, and never stored.
///
/// Names are compared character by character, as they stand. One name is one object's; an object may have several.
package protocol ObjectNames: AnyObject {
  /// Gives names, none of which is given yet, to objects that are in the store.
  func add(_ names: [String], of objectIDs: [NSManagedObjectID]) throws

  /// Takes names back: their objects are gone.
  func remove(_ names: [String]) throws

  /// The objects of some names, in the order asked; nil for a name that is not given.
  func objectIDs(named names: [String]) throws -> [NSManagedObjectID?]

  /// Hands over all names, in the order in which they were given.
  func forEach(_ body: (_ name: String, _ objectID: NSManagedObjectID) throws -> Void) throws
}

extension StoreRequests {
  package func makeObjectNames() throws -> any ObjectNames { ObjectNamesInMemory() }
}

/// Names in memory, for stores that are there, too.
final class ObjectNamesInMemory: ObjectNames {
  private var indices: [[UInt8]: Int] = [:]
  private var names: [(name: String, objectID: NSManagedObjectID?)] = []

  func add(_ names: [String], of objectIDs: [NSManagedObjectID]) {
    for (name, objectID) in zip(names, objectIDs) {
      indices[Array(name.utf8)] = self.names.count
      self.names.append((name, objectID))
    }
  }

  func remove(_ names: [String]) {
    for name in names {
      if let index = indices.removeValue(forKey: Array(name.utf8)) { self.names[index].objectID = nil }
    }
  }

  func objectIDs(named names: [String]) -> [NSManagedObjectID?] {
    names.map { indices[Array($0.utf8)].flatMap { self.names[$0].objectID } }
  }

  func forEach(_ body: (String, NSManagedObjectID) throws -> Void) rethrows {
    for case (let name, let objectID?) in names { try body(name, objectID) }
  }
}
