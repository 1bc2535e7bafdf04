package import ObjectModel

// Of a to-one relationship the object itself keeps the destination's ID. A one-to-many relationship is told by its to-one end;
// its to-many end only notes who comes and goes. A many-to-many relationship is noted at both ends.

extension NSManagedObject {
  // MARK: To-one

  /// The destination's ID of the to-one relationship at a place of the layout.
  package func toOneID(at place: Int) throws -> NSManagedObjectID? {
    try realize()
    return toOne[place]
  }

  /// Sets the destination of the to-one relationship at a place of the layout, and the inverse, and says whether it changed.
  ///
  /// The destination's to-many inverse is not read.
  @discardableResult package func setToOne(_ place: Int, to destination: NSManagedObject?) throws -> Bool {
    try realize()
    let old = toOne[place]
    guard old != destination?.objectID else { return false }
    if let destination { requireSameContext(destination) }
    willChangeStored()
    toOne[place] = destination?.objectID
    let relationship = layout.toOne[place]
    if let inverse = relationship.inverseRelationship {
      if let old { try managedObjectContext?.object(with: old).lose(self, through: inverse) }
      try destination?.gain(self, through: inverse)
    }
    if observers != nil { tellObservers(relationship.name) }
    return true
  }

  /// The same with the destination's ID; the object need not be here.
  @discardableResult package func setToOne(_ place: Int, to destination: NSManagedObjectID?) throws -> Bool {
    try realize()
    guard toOne[place] != destination else { return false }
    return try setToOne(place, to: destination.map { requireContext().object(with: $0) })
  }

  // MARK: To-many

  /// The destinations of a to-many relationship: in their order if it has one, else those in the store by key, then the new.
  package func destinations(of relationship: NSRelationshipDescription) throws -> [NSManagedObject] {
    let place = try readToMany(relationship)
    guard let managedObjectContext else { return [] }
    return toMany[place].current(in: managedObjectContext)
  }

  /// Adds destinations to a to-many relationship, at the end if it has an order, and says whether it may have changed.
  ///
  /// What the store has is not read; where it was not, an object that is there already counts as a change but is none to the
  /// store.
  @discardableResult
  package func addToMany(_ relationship: NSRelationshipDescription, _ objects: [NSManagedObject]) throws -> Bool {
    var changed = false
    for object in objects {
      requireSameContext(object)
      if try change(relationship, object, isAddition: true) { changed = true }
    }
    return changed
  }

  /// Removes destinations from a to-many relationship, and says whether it may have changed.
  @discardableResult
  package func removeFromMany(_ relationship: NSRelationshipDescription, _ objects: [NSManagedObject]) throws -> Bool {
    var changed = false
    for object in objects where try change(relationship, object, isAddition: false) { changed = true }
    return changed
  }

  /// Replaces the destinations of a to-many relationship, with their order if it has one, and says whether that changed them.
  @discardableResult
  package func setToMany(_ relationship: NSRelationshipDescription, to objects: [NSManagedObject]) throws -> Bool {
    let place = try readToMany(relationship)
    let old = try destinations(of: relationship)
    var new = ObjectList()
    for object in objects { new.append(object) }
    var before = ObjectList()
    for object in old { before.append(object) }
    var changed = try removeFromMany(relationship, old.filter { !new.contains($0) })
    if try addToMany(relationship, new.objects.filter { !before.contains($0) }) { changed = true }
    if relationship.isOrdered, try destinations(of: relationship) != new.objects {
      noteChange()
      toMany[place].rearrange(new.objects)
      if observers != nil { tellObservers(relationship.name) }
      changed = true
    }
    return changed
  }

  private func change(
    _ relationship: NSRelationshipDescription, _ object: NSManagedObject, isAddition: Bool
  ) throws -> Bool {
    guard let inverse = relationship.inverseRelationship else {
      return try note(object, at: relationship, isAddition: isAddition)
    }
    if !inverse.isToMany, let place = object.layout.place(ofToOne: inverse) {
      if !isAddition, try object.toOneID(at: place) != objectID { return false }
      return try object.setToOne(place, to: isAddition ? self : nil)
    }
    guard try note(object, at: relationship, isAddition: isAddition) else { return false }
    _ = try object.note(self, at: inverse, isAddition: isAddition)
    return true
  }

  /// Notes in the object's own end of a to-many relationship that a destination comes or goes.
  private func note(_ object: NSManagedObject, at relationship: NSRelationshipDescription, isAddition: Bool) throws
    -> Bool
  {
    guard let place = layout.place(ofToMany: relationship) else { return false }
    prepareToMany()
    guard toMany[place].contains(object) != isAddition else { return false }
    noteChange()
    if isAddition, relationship.isOrdered, toMany[place].removed.contains(object), !toMany[place].isRearranged {
      // It comes back, and belongs at the end now.
      let others = try destinations(of: relationship)
      toMany[place].rearrange(others)
    }
    if isAddition { toMany[place].add(object) } else { toMany[place].remove(object) }
    if observers != nil { tellObservers(relationship.name) }
    return true
  }

  // MARK: The other end

  /// Lets a relationship of this object, the inverse of one that was set, follow.
  private func gain(_ source: NSManagedObject, through inverse: NSRelationshipDescription) throws {
    if inverse.isToMany {
      _ = try note(source, at: inverse, isAddition: true)
    } else if let place = layout.place(ofToOne: inverse) {
      let former = try toOneID(at: place)
      guard former != source.objectID else { return }
      willChangeStored()
      toOne[place] = source.objectID
      if let former, let back = inverse.inverseRelationship {
        try managedObjectContext?.object(with: former).lose(self, through: back)
      }
      if observers != nil { tellObservers(inverse.name) }
    }
  }

  func lose(_ source: NSManagedObject, through inverse: NSRelationshipDescription) throws {
    if inverse.isToMany {
      _ = try note(source, at: inverse, isAddition: false)
    } else if let place = layout.place(ofToOne: inverse), try toOneID(at: place) == source.objectID {
      willChangeStored()
      toOne[place] = nil
      if observers != nil { tellObservers(inverse.name) }
    }
  }

  /// Takes a destination out of a to-many relationship's own end.
  func forget(_ destination: NSManagedObject, _ relationship: NSRelationshipDescription) throws {
    _ = try note(destination, at: relationship, isAddition: false)
  }

  // MARK: State

  /// Makes room for what is known of the to-many relationships.
  func prepareToMany() {
    guard toMany.count < layout.toMany.count else { return }
    let isInStore = version > 0 || state.contains(.fault)
    toMany = Array(repeating: ToManyState(stored: isInStore ? nil : []), count: layout.toMany.count)
  }

  /// Reads what the store has of a relationship if it was not read, and gives the relationship's place.
  func readToMany(_ relationship: NSRelationshipDescription) throws -> Int {
    guard let place = layout.place(ofToMany: relationship) else {
      preconditionFailure("\(entity.name ?? "") has no stored to-many relationship \(relationship.name)")
    }
    prepareToMany()
    if toMany[place].stored == nil { try managedObjectContext?.fulfill(relationship, of: [self]) }
    return place
  }

  private func requireContext() -> NSManagedObjectContext {
    guard let managedObjectContext else {
      preconditionFailure("an object must be in a context before it is related to others")
    }
    return managedObjectContext
  }

  private func requireSameContext(_ other: NSManagedObject) {
    precondition(requireContext() === other.managedObjectContext, "related objects must be in the same context")
  }
}
