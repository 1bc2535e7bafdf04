import ObjectModel

extension NSManagedObjectContext {
  /// Marks an object for deletion by the next save, and lets its relationships follow their delete rules.
  ///
  /// When the store cannot be read for that, the next save throws the reason, until the changes are rolled back.
  public func delete(_ object: NSManagedObject) {
    do { try delete([object]) } catch { deletionError = deletionError ?? error }
  }

  /// Deletes many objects at once: the store is asked once for each relationship and generation, not for each object.
  package func delete(_ objects: [NSManagedObject]) throws {
    var generation = objects
    while !generation.isEmpty { generation = try deleteGeneration(generation) }
  }

  /// Deletes objects and gives back what their cascading relationships lead to.
  private func deleteGeneration(_ objects: [NSManagedObject]) throws -> [NSManagedObject] {
    try fulfillFaults(among: objects)
    var doomed: [NSManagedObject] = []
    for object in objects where !object.isDeleted && object.isThere {
      precondition(object.managedObjectContext === self, "an object is deleted in the context that it lives in")
      object.prepareForDeletion()
      markDeleted(object)
      doomed.append(object)
    }
    var next: [NSManagedObject] = []
    // In the order of first appearance, so that a deletion is repeatable.
    for entity in doomed.map(\.entity).uniqued() {
      let ofEntity = doomed.filter { $0.entity === entity }
      for relationship in entity.layout.toOne + entity.layout.toMany {
        next += try followDeleteRule(of: relationship, from: ofEntity)
      }
    }
    for object in doomed { forgetIfNew(object) }
    return next
  }

  /// Marks an object alone, without a look at its relationships.
  func markDeleted(_ object: NSManagedObject) {
    if tracksEvents { object.keepForEvent() }
    object.state.subtract([.inserted, .updated])
    object.state.insert(.deleted)
    if object.version > 0, !object.state.contains(.listedAsDeleted) {
      object.state.insert(.listedAsDeleted)
      deletedList.append(object)
    }
    changedWhileSaving?.append(object)
  }

  /// Lets a deleted object go that was never saved: there is nothing left to do.
  func forgetIfNew(_ object: NSManagedObject) {
    guard object.version == 0 else { return }
    if let id = object.knownID { registered.remove(id) }
    let before = object.beforeEvent
    object.leaveContext()
    object.beforeEvent = before
  }

  private func followDeleteRule(
    of relationship: NSRelationshipDescription, from objects: [NSManagedObject]
  ) throws -> [NSManagedObject] {
    switch relationship.deleteRule {
    case .noActionDeleteRule, .denyDeleteRule: return []  // Denial is found at the save, when all deletions are known.
    case .nullifyDeleteRule, .cascadeDeleteRule: break
    }
    if relationship.isToMany { try fulfill(relationship, of: objects) }
    let links = try objects.flatMap { object in try survivors(of: object, relationship).map { (object, $0) } }
    if let inverse = relationship.inverseRelationship, !inverse.isToMany { try fulfillFaults(among: links.map(\.1)) }
    for (object, destination) in links { try object.unlink(destination, relationship) }
    return relationship.deleteRule == .cascadeDeleteRule ? links.map(\.1) : []
  }

  /// The destinations of a relationship that are not deleted.
  func survivors(of object: NSManagedObject, _ relationship: NSRelationshipDescription) throws -> [NSManagedObject] {
    if relationship.isToMany { return try object.destinations(of: relationship).filter { !$0.isDeleted } }
    guard let place = object.layout.place(ofToOne: relationship), let id = object.toOne[place] else { return [] }
    let destination = self.object(with: id)
    return destination.isDeleted ? [] : [destination]
  }

  private func fulfillFaults(among objects: [NSManagedObject]) throws {
    let faults = objects.filter(\.isFault)
    if !faults.isEmpty { _ = try read(faults.map(\.objectID)) }
  }
}

extension NSManagedObject {
  /// Takes a deleted object out of the inverse, so that no survivor refers to it.
  fileprivate func unlink(_ destination: NSManagedObject, _ relationship: NSRelationshipDescription) throws {
    if let inverse = relationship.inverseRelationship { try destination.lose(self, through: inverse) }
    // Links that stand in no row, of a many-to-many relationship or one without an inverse, are taken away by both ends.
    if relationship.isToMany { try forget(destination, relationship) }
  }
}

extension Sequence where Element: AnyObject {
  fileprivate func uniqued() -> [Element] {
    var seen: Set<ObjectIdentifier> = []
    return filter { seen.insert(ObjectIdentifier($0)).inserted }
  }
}
