import ObjectModel

extension NSManagedObjectContext {
  private typealias Group = (store: NSPersistentStore, root: NSEntityDescription, members: [NSManagedObject])

  /// Gives new objects permanent IDs before they are saved, in the order given.
  public func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
    let groups = try groupsToNumber(objects)
    let firstKeys = try groups.map { try coordinator.reserveKeys($0.members.count, for: $0.root, in: $0.store) }
    var permanent: [NSManagedObjectID: NSManagedObjectID] = [:]
    for (group, firstKey) in zip(groups, firstKeys) {
      for (object, key) in zip(group.members, firstKey...) {
        let id = NSManagedObjectID(entity: object.entity, store: group.store, key: key, isTemporary: false)
        let temporary = object.knownID
        object.knownID = id
        guard let temporary else { continue }
        permanent[temporary] = id
        if hasChildren { permanentIDs[temporary] = id }
        registered.remove(temporary)
        registered.insert(object)
      }
    }
    guard !permanent.isEmpty else { return }
    // Only changed objects can refer to an object that the store does not have.
    for object in changedObjects {
      for place in object.toOne.indices {
        guard let id = object.toOne[place], id.isTemporaryID, let new = permanent[id] else { continue }
        object.toOne[place] = new
      }
    }
  }

  /// Forgets all objects, and has the keys of those that no store has taken handed out again; nobody else may have their IDs.
  package func resetReturningKeys() {
    var keys: [NSEntityDescription: (store: NSPersistentStore, range: ClosedRange<Int64>)] = [:]
    for object in insertedList where object.isInserted {
      guard let id = object.knownID, !id.isTemporaryID, let store = id.persistentStore else { continue }
      let range = keys[id.entity.rootEntity]?.range ?? id.key...id.key
      keys[id.entity.rootEntity] = (store, min(range.lowerBound, id.key)...max(range.upperBound, id.key))
    }
    reset()
    for (root, given) in keys { coordinator.returnKeys(given.range, of: root, in: given.store) }
  }

  private func groupsToNumber(_ objects: [NSManagedObject]) throws -> [Group] {
    var groups: [Group] = []
    var last: (entity: NSEntityDescription, group: Int)?
    for object in objects where object.isInserted && object.knownID?.isTemporaryID ?? true {
      // Where objects are assigned to stores, the last one's group says nothing of the next.
      if last?.entity !== object.entity || !assignedStores.isEmpty {
        let root = object.entity.rootEntity
        let store = try assignedStores[ObjectIdentifier(object)] ?? coordinator.store(for: object.entity)
        let known = groups.firstIndex { $0.root === root && $0.store === store }
        if known == nil { groups.append((store, root, [])) }
        last = (object.entity, known ?? groups.count - 1)
      }
      if let last { groups[last.group].members.append(object) }
    }
    return groups
  }
}
