import Diagnostics

extension NSManagedObjectContext {
  /// Writes all changes to the stores, each in one transaction; if one is refused, the context keeps them all.
  ///
  /// Objects are validated, then `willSave` is called, then what it changed is validated again. New objects get permanent
  /// IDs in the order in which they were inserted, just before the stores are asked; they keep them if those refuse.
  ///
  /// - Throws: `SaveError`.
  public func save() throws {
    do { try write() } catch let diagnostic as Diagnostic { throw SaveError.store(diagnostic) }
  }

  private func write() throws {
    if let deletionError { throw deletionError }
    processPendingChanges()
    guard hasChanges || parent == nil && coordinator.hasUnsavedMetadata else { return }
    if !isBatch { post(.NSManagedObjectContextWillSave, [:]) }
    try prepareToSave()
    processPendingChanges()
    try obtainPermanentIDs(for: insertedList.filter(\.isInserted))
    finishSave(updated: try writeBelow())
  }

  /// Writes what is changed, and gives the objects whose rows were updated. Who else changed or made what is written is met as
  /// the merge policy says, again and again until nobody does.
  private func writeBelow() throws -> [NSManagedObject] {
    var roundsLeft = 100
    while true {
      let changes = try collectChanges()
      var savedStores: [NSPersistentStore] = []
      do {
        try saveBelow(changes.byStore) { savedStores.append($0) }
        return changes.updated
      } catch {
        // Of several stores those before the one that refused have what is theirs.
        if !savedStores.isEmpty { finishSave(updated: changes.updated, in: savedStores) }
        // A refused object must be found by the ID that the error tells.
        for object in insertedList where object.isInserted { registered.insert(object) }
        roundsLeft -= 1
        guard roundsLeft > 0, let error = error as? SaveError else { throw error }
        let merged = try resolve(error)
        processPendingChanges()
        try throwInvalid(among: merged.filter(\.hasChanges))
      }
    }
  }

  // MARK: Before

  private func prepareToSave() throws {
    let objects = changedObjects
    try throwInvalid(among: objects)
    changedWhileSaving = []
    defer { changedWhileSaving = nil }
    for object in objects { try object.prepareToBeSaved() }
    // Most objects have nothing to say to that.
    if let changed = changedWhileSaving, !changed.isEmpty { try followChanges(after: objects) }
  }

  /// What `willSave` changes in other objects makes them be saved, and asked, too; and what it changed is validated again.
  private func followChanges(after objects: [NSManagedObject]) throws {
    var called = Set(objects)
    while true {
      let next = changedObjects.filter { called.insert($0).inserted }
      if next.isEmpty { break }
      for object in next { try object.prepareToBeSaved() }
    }
    var changed = ObjectList()
    for object in changedWhileSaving ?? [] where object.hasChanges { changed.append(object) }
    try throwInvalid(among: changed.objects)
  }

  private func throwInvalid(among objects: [NSManagedObject]) throws {
    guard validatesOnSave else { return }
    let invalid = try validate(objects)
    if !invalid.isEmpty { throw SaveError.validation(invalid) }
  }

  var changedObjects: [NSManagedObject] {
    insertedList.filter(\.isInserted) + updatedList.filter(\.isUpdated) + deletedList.filter(\.isDeleted)
  }

  // MARK: After

  /// Some of the stores have what is theirs: their objects are as saved.
  private func finishSave(updated: [NSManagedObject], in stores: [NSPersistentStore]) {
    let objects = changedObjects
    let isSaved = { (object: NSManagedObject) in stores.contains { $0 === object.objectID.persistentStore } }
    let left = objects.filter { !isSaved($0) }
    let states = left.map(\.state)
    for object in left { object.state.subtract(.changed) }
    finishSave(updated: updated.filter(isSaved))
    for (object, state) in zip(left, states) {
      object.state.formUnion(state)
      if object.isInserted { insertedList.append(object) }
      if state.contains(.listedAsUpdated) { updatedList.append(object) }
      if state.contains(.listedAsDeleted) { deletedList.append(object) }
    }
  }

  /// The stores have everything: objects are as saved.
  private func finishSave(updated: [NSManagedObject]) {
    for object in updated { object.version += 1 }
    var inserted = insertedList
    let others = updatedList.filter(\.isUpdated) + deletedList.filter(\.isDeleted)
    let saved = isBatch ? nil : savedSets
    forgetChanges()
    for object in inserted where object.isInserted {
      object.version = 1
      object.becomeSaved()
    }
    for object in others { object.becomeSaved() }
    for object in inserted where object.version == 1 && object.isPresent { object.didSave() }
    for object in others {
      object.didSave()
      guard object.isDeleted, let id = object.knownID else { continue }
      registered.remove(id)
      object.leaveContext()
    }
    // What nobody else holds is about to go: a chunk of an import is never registered.
    for index in inserted.indices where !isKnownUniquelyReferenced(&inserted[index]) {
      if !inserted[index].state.contains(.detached) { registered.insert(inserted[index]) }
    }
    if let saved { post(.NSManagedObjectContextDidSave, saved) }
  }

  private var savedSets: [String: Set<NSManagedObject>] {
    [NSInsertedObjectsKey: insertedObjects, NSUpdatedObjectsKey: updatedObjects, NSDeletedObjectsKey: deletedObjects]
  }
}

extension NSManagedObject {
  fileprivate func prepareToBeSaved() throws {
    willSave()
    if !isDeleted { try updateLateShadows() }
  }

  fileprivate func becomeSaved() {
    state.subtract([.inserted, .updated, .listed])
    snapshot = nil
    for place in toMany.indices { toMany[place].commit() }
  }
}
