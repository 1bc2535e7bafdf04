import ObjectModel

// What a context's objects come from and go to: its parent or, without one, the stores. IDs that pass from a parent to its
// children are permanent: the parent numbers its new objects as soon as a child asks for anything.

extension NSManagedObjectContext {
  func rowsBelow(for objectIDs: [NSManagedObjectID]) throws -> [StoredRow?] {
    guard let parent else { return try coordinator.rows(for: objectIDs) }
    return try parent.performAndWait { try parent.rows(for: objectIDs) }
  }

  func destinationsBelow(
    of relationship: NSRelationshipDescription, for sources: [NSManagedObjectID]
  ) throws -> [[NSManagedObjectID]] {
    guard let parent else { return try coordinator.destinations(of: relationship, for: sources) }
    return try parent.performAndWait { try parent.destinations(of: relationship, for: sources) }
  }

  func saveBelow(_ changes: ChangesByStore, whenSaved: (NSPersistentStore) -> Void) throws {
    guard let parent else { return try coordinator.save(changes, whenSaved: whenSaved) }
    try parent.performAndWait {
      for (_, changes) in changes { try parent.take(changes) }
      parent.processPendingChanges()
    }
  }

  /// The ID that an object has by now: the permanent one for a temporary one of the parent's.
  func currentID(_ objectID: NSManagedObjectID) -> NSManagedObjectID {
    guard objectID.isTemporaryID, hasChildren || parent != nil, registered[objectID] == nil else { return objectID }
    if let known = permanentIDs[objectID] { return known }
    guard let parent else { return objectID }
    return parent.performAndWait {
      try? parent.numberNewObjects()
      return parent.currentID(objectID)
    }
  }

  // MARK: As a parent

  /// Gives new objects permanent IDs, and lets them be found by them.
  func numberNewObjects() throws {
    hasChildren = true
    guard numberedCount < insertedList.count else { return }
    let new = insertedList[numberedCount...].filter(\.isInserted)
    try obtainPermanentIDs(for: new)
    for object in new { registered.insert(object) }
    numberedCount = insertedList.count
  }

  private func rows(for objectIDs: [NSManagedObjectID]) throws -> [StoredRow?] {
    try numberNewObjects()
    return try read(objectIDs).map { object in
      guard let object, object.isPresent else { return nil }
      // A child takes a version of 0 for an object that is new there.
      return StoredRow(
        objectID: object.objectID, version: max(object.version, 1), attributes: object.values, toOne: object.toOne)
    }
  }

  private func destinations(
    of relationship: NSRelationshipDescription, for sources: [NSManagedObjectID]
  ) throws -> [[NSManagedObjectID]] {
    try numberNewObjects()
    let objects = try read(sources)
    try fulfill(relationship, of: objects.compactMap(\.self))
    return try objects.map { object in
      guard let object, object.isPresent else { return [] }
      let destinations = try object.destinations(of: relationship).filter(\.isPresentOrFault).map(\.objectID)
      return relationship.isOrdered ? destinations : destinations.sorted { $0.key < $1.key }
    }
  }

  /// Makes a child's changes those of this context; relationships are followed here as if they were set here.
  private func take(_ changes: StoreChanges) throws {
    let ids = changes.updated.map(\.objectID) + changes.deleted.map(\.objectID)
    let known = try read(ids)
    let gone = zip(ids, known).filter { !($1?.isPresent ?? false) }.map(\.0)
    guard gone.isEmpty else { throw SaveError.conflict(gone.map { .init($0) }) }
    for row in changes.inserted { insert(row) }
    for (update, object) in zip(changes.updated, known) {
      for (place, value) in update.attributes { object?.setValue(value, at: place) }
    }
    for change in changes.toMany where change.order == nil { try take(change) }
    for row in changes.inserted {
      let object = object(with: row.objectID)
      for (place, destination) in row.toOne.enumerated() { try object.setToOne(place, to: destination) }
    }
    for (update, object) in zip(changes.updated, known) {
      for (place, destination) in update.toOne { try object?.setToOne(place, to: destination) }
    }
    for change in changes.toMany where change.order != nil { try take(change) }
    try delete(known.suffix(changes.deleted.count).compactMap(\.self))
  }

  private func insert(_ row: StoredRow) {
    let object = make(row.objectID.entity)
    object.values = row.attributes
    take(object)
    object.knownID = row.objectID
    registered.insert(object)
  }

  private func take(_ change: StoreChanges.ToMany) throws {
    let owner = object(with: change.owner)
    if let order = change.order {
      try owner.setToMany(change.relationship, to: order.map { object(with: $0) })
    } else {
      try owner.removeFromMany(change.relationship, change.removed.map { object(with: $0) })
      try owner.addToMany(change.relationship, change.added.map { object(with: $0) })
    }
  }
}

extension NSManagedObject {
  fileprivate var isPresentOrFault: Bool { isFault || isPresent }
}
