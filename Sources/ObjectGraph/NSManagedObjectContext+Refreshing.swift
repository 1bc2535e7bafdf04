import ObjectModel

extension NSManagedObjectContext {
  /// Reads an object again: with its changes kept, or, without, at the next access, as the fault that it becomes.
  ///
  /// A new object stays as it is. As when a value is read, the program ends if the store cannot be read.
  public func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
    precondition(object.managedObjectContext === self, "an object is refreshed in the context that it lives in")
    guard !object.isInserted, !object.isFault else { return }
    do {
      if flag {
        try merge([object])
      } else {
        becomeFault(object)
      }
    } catch { preconditionFailure("\(error)") }
  }

  /// Reads all objects again that are here and no faults, in one request, and keeps their changes.
  public func refreshAllObjects() {
    readAgain(registered.objects)
  }

  /// Reads those objects again that are neither new nor faults.
  func readAgain(_ objects: [NSManagedObject]) {
    do {
      try merge(objects.filter { !$0.isInserted && !$0.isFault && $0.isThere })
    } catch { preconditionFailure("\(error)") }
  }

  private func merge(_ objects: [NSManagedObject]) throws {
    guard !objects.isEmpty else { return }
    let rows = try rowsBelow(for: objects.map(\.objectID))
    for (object, row) in zip(objects, rows) {
      guard let row else { continue }
      if object.hasChanges {
        if !object.isDeleted { try object.merge(row, .mergeByPropertyObjectTrumpMergePolicyType) }
      } else {
        object.adopt(row)
      }
      object.awake(fromSnapshotEvents: .refresh)
      if tracksEvents, object.beforeEvent == nil { refreshedInEvent.append(object) }
    }
  }

  private func becomeFault(_ object: NSManagedObject) {
    object.willTurnIntoFault()
    object.restore()
    object.state.insert(.fault)
    object.state.remove(.inaccessible)
    object.values = []
    object.toOne = []
    object.toMany = []
    if object.beforeEvent != nil {
      object.beforeEvent = nil
      changedInEvent.removeAll { $0 === object }
    }
    if tracksEvents { refreshedInEvent.append(object) }
    object.didTurnIntoFault()
    object.tellAllObservers()
  }

  /// Gives a new object to a store; without, it goes to the first that keeps its entity and can be written.
  ///
  /// The object must be new, and the store one of the coordinator's that keeps the entity: anything else is a programmer's
  /// mistake.
  public func assign(_ object: NSManagedObject, to store: NSPersistentStore) {
    precondition(
      object.isInserted && object.managedObjectContext === self,
      "only a new object of the context is assigned to a store")
    let isKept = coordinator.performAndWait { coordinator.stores(keeping: object.entity).contains { $0 === store } }
    precondition(isKept, "the store does not keep the entity \(object.entity.name ?? "")")
    precondition(
      object.knownID?.isTemporaryID ?? true, "an object that has a permanent ID is in the store that the ID names")
    assignedStores[ObjectIdentifier(object)] = store
  }

  /// Reads what is at the end of key paths of relationships (`department.employees`), in one request for each relationship,
  /// before it is asked for one by one. The context holds the objects as those that it fulfilled last.
  package func prefetch(_ keyPaths: [String], for objects: [NSManagedObject]) throws {
    var held: [NSManagedObject] = []
    for keyPath in keyPaths {
      var sources = objects
      for key in keyPath.split(separator: ".") {
        sources = try prefetch(String(key), for: sources)
        held += sources
      }
    }
    lastFulfilled = held
  }

  private func prefetch(_ key: String, for objects: [NSManagedObject]) throws -> [NSManagedObject] {
    _ = try read(objects.map(\.objectID))
    var ids: [NSManagedObjectID] = []
    for (relationship, sources) in Dictionary(grouping: objects, by: { $0.entity.relationshipsByName[key] }) {
      guard let relationship else { continue }
      if relationship.isToMany {
        try fulfill(relationship, of: sources)
        ids += try sources.flatMap { try $0.destinations(of: relationship).map(\.objectID) }
      } else {
        ids += sources.compactMap { source in
          source.layout.place(ofToOne: relationship).flatMap { source.toOne[$0] }
        }
      }
    }
    return try read(ids.uniqued()).compactMap(\.self)
  }
}

extension [NSManagedObjectID] {
  fileprivate func uniqued() -> Self {
    var seen: Set<NSManagedObjectID> = []
    return filter { seen.insert($0).inserted }
  }
}
