import Diagnostics
import ObjectModel

extension NSManagedObjectContext {
  typealias ChangesByStore = [(store: NSPersistentStore, changes: StoreChanges)]

  /// What a save must write, for each store, and the objects whose rows are updated.
  func collectChanges() throws -> (byStore: ChangesByStore, updated: [NSManagedObject]) {
    var byStore: ChangesByStore = []
    var updated: [NSManagedObject] = []
    // Orders come last: they are of links that other ends report.
    var orders: [(index: Int, change: StoreChanges.ToMany)] = []
    func collectToMany(_ object: NSManagedObject, _ index: Int) throws {
      for change in try object.toManyChanges() {
        if change.added.isEmpty && change.removed.isEmpty {
          orders.append((index, change))
        } else {
          byStore[index].changes.toMany.append(change)
        }
      }
    }
    for object in insertedList where object.isInserted {
      let index = try index(of: object, in: &byStore)
      byStore[index].changes.inserted.append(try object.row())
      try collectToMany(object, index)
    }
    for object in updatedList where object.isUpdated {
      let index = try index(of: object, in: &byStore)
      if let update = try object.update() {
        byStore[index].changes.updated.append(update)
        updated.append(object)
      }
      try collectToMany(object, index)
    }
    for object in deletedList where object.isDeleted {
      let index = try index(of: object, in: &byStore)
      byStore[index].changes.deleted.append((object.objectID, object.version))
      try collectToMany(object, index)
    }
    for (index, change) in orders { byStore[index].changes.toMany.append(change) }
    return (byStore, updated)
  }

  private func index(of object: NSManagedObject, in byStore: inout ChangesByStore) throws -> Int {
    guard let store = object.objectID.persistentStore else { throw SaveError.store(.foreignID(object.objectID)) }
    if let known = byStore.firstIndex(where: { $0.store === store }) { return known }
    if store.isReadOnly { throw SaveError.store(.readOnly(store)) }
    byStore.append((store, StoreChanges()))
    return byStore.count - 1
  }
}

extension NSManagedObject {
  fileprivate func row() throws -> StoredRow {
    for place in toOne.indices {
      guard let destination = toOne[place] else { continue }
      toOne[place] = try savable(destination, place)
    }
    return StoredRow(objectID: objectID, version: 1, attributes: values, toOne: toOne)
  }

  fileprivate func update() throws -> StoreChanges.Update? {
    let changed = changedPlaces
    guard !changed.attributes.isEmpty || !changed.toOne.isEmpty else { return nil }
    let toOne = try changed.toOne.map {
      ($0.place, try $0.destination.flatMap { [place = $0.place] in try savable($0, place) })
    }
    return StoreChanges.Update(objectID: objectID, version: version, attributes: changed.attributes, toOne: toOne)
  }

  private func savable(_ destination: NSManagedObjectID, _ place: Int) throws -> NSManagedObjectID? {
    // A new object that was deleted before it was saved, by a relationship whose rule is to do nothing.
    if destination.isTemporaryID { return nil }
    guard destination.isInStore(of: objectID) else {
      throw SaveError.store(.acrossStores(layout.toOne[place], of: entity))
    }
    return destination
  }

  /// What the to-one ends do not tell of the to-many relationships; see `StoreChanges.ToMany`.
  fileprivate func toManyChanges() throws -> [StoreChanges.ToMany] {
    var changes: [StoreChanges.ToMany] = []
    for place in toMany.indices where toMany[place].isChanged {
      let relationship = layout.toMany[place]
      let state = toMany[place]
      var change = StoreChanges.ToMany(
        relationship: relationship, owner: objectID, added: state.added.objects.map(\.objectID),
        removed: state.removed.objects.map(\.objectID))
      switch relationship.end {
      case .onlyEnd, .firstOfPairs: break
      case .ofToOne:
        guard relationship.isOrdered, !isDeleted else { continue }
      case .secondOfPairs:
        // The other end reports the pairs; what it cannot tell is their order at this end.
        change.added = []
        change.removed = []
      case .ownInverse:
        // Both ends note a pair in the same relationship: the one with the smaller key reports it.
        change.added.removeAll { $0.key < objectID.key }
        change.removed.removeAll { $0.key < objectID.key }
      }
      guard change.added.allSatisfy({ $0.isInStore(of: objectID) }) else {
        throw SaveError.store(.acrossStores(relationship, of: entity))
      }
      if !change.added.isEmpty || !change.removed.isEmpty { changes.append(change) }
      if !isDeleted, relationship.isOrdered, state.isRearranged || relationship.end.isReportedElsewhere {
        changes.append(
          StoreChanges.ToMany(
            relationship: relationship, owner: objectID, added: [], removed: [],
            order: try destinations(of: relationship).map(\.objectID)))
      }
    }
    return changes
  }
}

extension NSRelationshipDescription {
  fileprivate enum End {
    case onlyEnd, ofToOne, firstOfPairs, secondOfPairs, ownInverse
    /// Whether links are reported by other objects.
    var isReportedElsewhere: Bool { self == .secondOfPairs || self == .ownInverse }
  }

  /// What a to-many relationship is the end of; of two many-to-many ends the first reports the pairs: the ordered one if there
  /// is but one, else the first by name.
  fileprivate var end: End {
    guard let inverse = inverseRelationship else { return .onlyEnd }
    if !inverse.isToMany { return .ofToOne }
    if inverse === self { return .ownInverse }
    if isOrdered != inverse.isOrdered { return isOrdered ? .firstOfPairs : .secondOfPairs }
    return (entity.name ?? "", name) < (inverse.entity.name ?? "", inverse.name) ? .firstOfPairs : .secondOfPairs
  }
}
