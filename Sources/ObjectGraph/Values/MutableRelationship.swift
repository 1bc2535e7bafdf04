import ObjectModel
import Values

/// The objects of a to-many relationship, to be changed: what is done to it is done to the relationship and its inverse.
///
/// It has the methods of Foundation's `NSMutableSet`. Adding and removing reads nothing from the store.
public struct MutableManagedSet: Sequence {
  fileprivate let owner: NSManagedObject
  fileprivate let key: String

  /// The objects.
  public var allObjects: [NSManagedObject] { owner.currentObjects(key) }
  /// How many there are.
  public var count: Int { allObjects.count }
  /// Whether an object is among them.
  public func contains(_ object: NSManagedObject) -> Bool { allObjects.contains(object) }
  /// The objects one after another.
  public func makeIterator() -> IndexingIterator<[NSManagedObject]> { allObjects.makeIterator() }

  /// Adds an object.
  public func add(_ object: NSManagedObject) { owner.add([object], toRelationship: key) }
  /// Adds objects.
  public func addObjects(from objects: [NSManagedObject]) { owner.add(objects, toRelationship: key) }
  /// Removes an object.
  public func remove(_ object: NSManagedObject) { owner.remove([object], fromRelationship: key) }
  /// Removes all objects.
  public func removeAllObjects() { owner.remove(allObjects, fromRelationship: key) }
  /// Adds the objects of a set.
  public func union(_ other: Set<NSManagedObject>) { owner.add(Array(other), toRelationship: key) }
  /// Removes the objects of a set.
  public func minus(_ other: Set<NSManagedObject>) { owner.remove(Array(other), fromRelationship: key) }
  /// Removes what is not in a set.
  public func intersect(_ other: Set<NSManagedObject>) {
    owner.remove(allObjects.filter { !other.contains($0) }, fromRelationship: key)
  }
  /// Replaces the objects.
  public func setSet(_ other: Set<NSManagedObject>) { owner.setValue(other, forKey: key) }
}

/// The objects of an ordered to-many relationship, to be changed; see `MutableManagedSet`.
///
/// It has the methods of Foundation's `NSMutableOrderedSet`. An object is in it once. An index that there is not is a
/// programmer's mistake.
public struct MutableManagedOrderedSet: Sequence {
  fileprivate let owner: NSManagedObject
  fileprivate let key: String

  /// The objects in order.
  public var array: [NSManagedObject] { owner.currentObjects(key) }
  /// How many there are.
  public var count: Int { array.count }
  /// Whether an object is among them.
  public func contains(_ object: NSManagedObject) -> Bool { array.contains(object) }
  /// Where an object is; nil if it is not among them.
  public func index(of object: NSManagedObject) -> Int? { array.firstIndex(of: object) }
  /// The objects one after another.
  public func makeIterator() -> IndexingIterator<[NSManagedObject]> { array.makeIterator() }

  /// The object at an index; one that is set must not be among the others.
  public subscript(index: Int) -> NSManagedObject {
    get { array[index] }
    nonmutating set { replaceObject(at: index, with: newValue) }
  }

  /// Adds an object at the end, unless it is there; the store is not read.
  public func add(_ object: NSManagedObject) { owner.add([object], toRelationship: key) }
  /// Adds objects at the end that are not there.
  public func addObjects(from objects: [NSManagedObject]) { owner.add(objects, toRelationship: key) }
  /// Puts an object at an index, unless it is there.
  public func insert(_ object: NSManagedObject, at index: Int) {
    change { if !$0.contains(object) { $0.insert(object, at: index) } }
  }
  /// Removes an object.
  public func remove(_ object: NSManagedObject) { owner.remove([object], fromRelationship: key) }
  /// Removes the object at an index.
  public func removeObject(at index: Int) { change { $0.remove(at: index) } }
  /// Removes all objects.
  public func removeAllObjects() { change { $0 = [] } }
  /// Puts another object in the place of one, unless it is there.
  public func replaceObject(at index: Int, with object: NSManagedObject) {
    change { if !$0.contains(object) { $0[index] = object } }
  }
  /// Lets two objects change places.
  public func exchangeObject(at first: Int, withObjectAt second: Int) { change { $0.swapAt(first, second) } }
  /// Moves an object to another index.
  public func moveObject(at index: Int, to newIndex: Int) {
    change { $0.insert($0.remove(at: index), at: newIndex) }
  }

  private func change(_ body: (inout [NSManagedObject]) -> Void) {
    var objects = array
    body(&objects)
    owner.setValue(objects, forKey: key)
  }
}

extension NSManagedObject {
  /// The objects of a to-many relationship, to be changed.
  ///
  /// A key of anything else is a programmer's mistake.
  public func mutableSetValue(forKey key: String) -> MutableManagedSet {
    requireToMany(key, isOrdered: false)
    return MutableManagedSet(owner: self, key: key)
  }

  /// The objects of an ordered to-many relationship, to be changed.
  ///
  /// A key of anything else is a programmer's mistake.
  public func mutableOrderedSetValue(forKey key: String) -> MutableManagedOrderedSet {
    requireToMany(key, isOrdered: true)
    return MutableManagedOrderedSet(owner: self, key: key)
  }

  private func requireToMany(_ key: String, isOrdered: Bool) {
    let relationship = entity.relationshipsByName[key]
    precondition(
      relationship.map { $0.isToMany && $0.isOrdered == isOrdered } ?? false,
      "\(entity.name ?? "") has no \(isOrdered ? "ordered" : "unordered") to-many relationship \(key)")
  }

  fileprivate func currentObjects(_ key: String) -> [NSManagedObject] {
    switch value(forKey: key) {
    case let list as [NSManagedObject]: list
    case let set as Set<NSManagedObject>: set.sorted { $0.objectID.key < $1.objectID.key }
    default: []
    }
  }

  /// Whether the objects of a relationship would have to be read from the store.
  public func hasFault(forRelationshipNamed key: String) -> Bool {
    guard let relationship = entity.relationshipsByName[key] else { return false }
    if let place = layout.place(ofToMany: relationship) {
      return place < toMany.count ? toMany[place].stored == nil : version > 0 || isFault
    }
    guard !isFault, let place = layout.place(ofToOne: relationship), let id = toOne[place] else { return isFault }
    return managedObjectContext?.registeredObject(for: id)?.isFault ?? true
  }

  /// The IDs of the objects of a relationship, none of which is read.
  public func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
    switch value(forKey: key) {
    case let object as NSManagedObject: [object.objectID]
    default: currentObjects(key).map(\.objectID)
    }
  }

  /// The values of stored attributes and to-one relationships as they were last read or saved, by name; of all for nil.
  ///
  /// Nothing for a new object.
  public func committedValues(forKeys keys: [String]?) -> [String: Any?] {
    var committed: [String: Any?] = [:]
    guard !isInserted else { return committed }
    willAccessValue(forKey: nil)
    let stored = snapshot ?? Snapshot(values: values, toOne: toOne)
    for (place, attribute) in layout.attributes.enumerated() where keys?.contains(attribute.path) ?? true {
      committed.updateValue(stored.values[place].object, forKey: attribute.path)
    }
    for (place, relationship) in layout.toOne.enumerated() where keys?.contains(relationship.name) ?? true {
      committed.updateValue(
        stored.toOne[place].flatMap { managedObjectContext?.object(with: $0) }, forKey: relationship.name)
    }
    return committed
  }
}
