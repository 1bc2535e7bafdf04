import Diagnostics
package import ObjectModel
import Values

extension NSManagedObjectContext {
  /// The object with an ID; an object that is not here is read from the store at once.
  ///
  /// - Throws: when there is no such object, or when the store cannot be read.
  public func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
    guard let object = try read([objectID])[0] else { throw Diagnostic.noSuchObject(objectID) }
    return object
  }

  /// The objects with some IDs, with their values: those that are not here or are faults are read in one request.
  ///
  /// They stand in the order asked; nil for those that the store does not have. The context holds them until the next such
  /// request, a save, a rollback or a reset, so that those of a chunk are not read again one by one.
  @discardableResult package func fulfill(_ objectIDs: [NSManagedObjectID]) throws -> [NSManagedObject?] {
    lastFulfilled = try read(objectIDs)
    return lastFulfilled
  }

  func read(_ objectIDs: [NSManagedObjectID]) throws -> [NSManagedObject?] {
    let objectIDs = parent == nil ? objectIDs : objectIDs.map(currentID)
    var objects = objectIDs.map { registered[$0] }
    let missing = objectIDs.indices.filter { objects[$0]?.isFault ?? !objectIDs[$0].isTemporaryID }
    guard !missing.isEmpty else { return objects.map { $0.flatMap { $0.isThere ? $0 : nil } } }
    let rows = try rowsBelow(for: missing.map { objectIDs[$0] })
    for (index, row) in zip(missing, rows) {
      if let row {
        // An ID may stand twice among those asked for, and may tell a superentity of the object's.
        let known = objects[index] ?? registered[row.objectID]
        let object = known.flatMap { $0.entity === row.objectID.entity ? $0 : nil } ?? makeFault(row.objectID)
        if object.isFault { object.awake(with: row) }
        objects[index] = object
      } else {
        objects[index]?.becomeInaccessible()
      }
    }
    return objects.map { $0.flatMap { $0.isThere ? $0 : nil } }
  }

  /// Reads the destinations of a to-many relationship for many objects in one request, where they are not known yet.
  package func fulfill(_ relationship: NSRelationshipDescription, of objects: [NSManagedObject]) throws {
    var unread: [(object: NSManagedObject, place: Int)] = []
    for object in objects {
      guard let place = object.layout.place(ofToMany: relationship) else { continue }
      object.prepareToMany()
      if object.toMany[place].stored == nil { unread.append((object, place)) }
    }
    guard !unread.isEmpty else { return }
    let lists = try destinationsBelow(of: relationship, for: unread.map(\.object.objectID))
    for ((object, place), list) in zip(unread, lists) where object.toMany[place].stored == nil {
      object.toMany[place].read(list)
    }
  }

  /// Finds objects in the stores by key; see `KeyLookupRequest`.
  package func lookUp(_ request: KeyLookupRequest) throws -> [KeyLookupRequest.Answer] {
    try coordinator.lookUp(request)
  }

  var coordinator: NSPersistentStoreCoordinator {
    guard let persistentStoreCoordinator else {
      preconditionFailure("a context needs a persistent store coordinator before it can read or save")
    }
    return persistentStoreCoordinator
  }
}

extension NSManagedObject {
  /// Reads the values if they have not been read.
  func realize() throws {
    guard state.contains(.fault) else { return }
    guard let managedObjectContext, let knownID else { return becomeInaccessible() }
    _ = try managedObjectContext.read(managedObjectContext.batch(of: knownID))
  }

  /// Whether the store has the object, as far as the context knows.
  var isThere: Bool { state.isDisjoint(with: [.inaccessible, .detached]) }

  func awake(with row: StoredRow) {
    values = row.attributes
    toOne = row.toOne
    version = row.version
    state.remove(.fault)
    // What an object makes of its values when it is read is no change.
    state.insert(.silent)
    if !layout.precomputedShadows.isEmpty { precomputeShadowedValues() }
    awakeFromFetch()
    state.remove(.silent)
  }

  /// A reference led to a row that is not there: the object reads as empty, as Apple's contexts have it by default.
  func becomeInaccessible() {
    values = Array(repeating: .null, count: layout.attributes.count)
    toOne = layout.noDestinations
    state.remove(.fault)
    state.insert(.inaccessible)
  }

  /// Gives up the context; pending links are dropped, so that objects do not hold one another.
  func leaveContext() {
    if state.contains(.fault) { becomeInaccessible() }
    state = state.intersection(.lists).union(.detached)
    beforeEvent = nil
    toMany = []
    snapshot = nil
    managedObjectContext = nil
  }

  /// As it was read.
  func restore() {
    if let snapshot {
      values = snapshot.values
      toOne = snapshot.toOne
    }
    snapshot = nil
    transients = nil
    lateShadows = []
    for place in toMany.indices { toMany[place].discard() }
    state.subtract(.changed)
  }
}
