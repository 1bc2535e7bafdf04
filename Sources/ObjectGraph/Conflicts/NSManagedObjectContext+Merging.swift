import Diagnostics
import ObjectModel
import Values

extension NSManagedObjectContext {
  /// Settles what a store refused, as the merge policy says, and gives the objects that were merged; throws what it does not
  /// settle.
  ///
  /// A context for mass work that is to fail is told of what the store has found, without a look at the rows.
  func resolve(_ error: SaveError) throws -> [NSManagedObject] {
    if parent != nil {
      // A parent refuses nothing but what it has no more.
      guard case .conflict(let conflicts) = error else { throw error }
      throw SaveError.conflict(conflicts.map { .init(NSMergeConflict(object(with: $0.objectID), nil)) })
    }
    let isToFail = mergePolicy.mergeType == .errorMergePolicyType && type(of: mergePolicy) == NSMergePolicy.self
    if isBatch && isToFail { throw error }
    switch error {
    case .conflict: return try resolveConflicts(error)
    case .duplicate(let duplicates): return try resolveDuplicates(duplicates)
    case .validation, .store: throw error
    }
  }

  /// All conflicts at once, for a store may name but the first.
  private func resolveConflicts(_ error: SaveError) throws -> [NSManagedObject] {
    let objects = updatedList.filter(\.isUpdated) + deletedList.filter(\.isDeleted)
    let rows = try coordinator.rows(for: objects.map(\.objectID))
    let conflicts = zip(objects, rows).filter { $0.version != $1?.version ?? 0 }.map { NSMergeConflict($0, $1) }
    // A key that somebody else gave a row of its own is no conflict that merging could settle.
    if conflicts.isEmpty { throw error }
    try mergePolicy.resolve(optimisticLockingConflicts: conflicts)
    return conflicts.map(\.sourceObject)
  }

  fileprivate func insertAnew(_ object: NSManagedObject) {
    object.state.subtract([.updated, .deleted])
    object.state.formUnion([.inserted, .listed])
    object.version = 0
    object.snapshot = nil
    insertedList.append(object)
  }

  fileprivate func letGo(_ object: NSManagedObject) {
    registered.remove(object.objectID)
    object.leaveContext()
  }
}

extension NSMergeConflict {
  func resolve(_ type: NSMergePolicy.MergeType) throws {
    guard let context = sourceObject.managedObjectContext else { return }
    let isOurs = type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType
    guard let row else {
      // The row is gone: what is written makes it anew, what is not goes with it.
      if isOurs, !sourceObject.isDeleted { context.insertAnew(sourceObject) } else { context.letGo(sourceObject) }
      return
    }
    if sourceObject.isDeleted {
      if isOurs {
        sourceObject.version = row.version
      } else {
        sourceObject.restore()
        sourceObject.adopt(row)
      }
      return
    }
    try sourceObject.merge(row, type)
    sourceObject.awake(fromSnapshotEvents: .mergePolicy)
  }
}

extension NSManagedObject {
  /// Merges what the object has with the row that the store has, which is what it was read from afterwards.
  func merge(_ row: StoredRow, _ type: NSMergePolicy.MergeType) throws {
    keepForEvent()
    let before = snapshot ?? Snapshot(values: values, toOne: toOne)
    func isOurs(changedHere: Bool, changedThere: Bool) -> Bool {
      switch type {
      case .errorMergePolicyType, .mergeByPropertyObjectTrumpMergePolicyType: changedHere
      case .mergeByPropertyStoreTrumpMergePolicyType: changedHere && !changedThere
      case .overwriteMergePolicyType: true
      case .rollbackMergePolicyType: false
      }
    }
    for place in values.indices {
      let changedHere = !values[place].isStoredAlike(before.values[place])
      let changedThere = !row.attributes[place].isStoredAlike(before.values[place])
      if !isOurs(changedHere: changedHere, changedThere: changedThere) { setValue(row.attributes[place], at: place) }
    }
    for place in toOne.indices {
      let changedHere = toOne[place] != before.toOne[place]
      let changedThere = row.toOne[place] != before.toOne[place]
      if !isOurs(changedHere: changedHere, changedThere: changedThere) {
        // The other ends of what was changed here must follow; those of what somebody else changed are in the store.
        if changedHere { try setToOne(place, to: row.toOne[place]) } else { toOne[place] = row.toOne[place] }
      }
    }
    snapshot = Snapshot(values: row.attributes, toOne: row.toOne)
    version = row.version
    for place in toMany.indices {
      if type == .rollbackMergePolicyType { toMany[place].discard() }
      toMany[place].forgetStored()
    }
    if type == .rollbackMergePolicyType { state.remove(.updated) }
    tellAllObservers()
  }

  /// Takes the values of a row, which was read again.
  func adopt(_ row: StoredRow) {
    values = row.attributes
    toOne = row.toOne
    version = row.version
    toMany = []
    transients = nil
    lateShadows = []
    tellAllObservers()
  }

  /// Attributes and to-one relationships, these as IDs, by name.
  func namedValues(_ stored: Snapshot) -> [String: Any?] {
    let attributes = zip(layout.attributes, stored.values).map { ($0.path, $1.object) }
    let destinations = zip(layout.toOne, stored.toOne).map { ($0.name, $1 as Any?) }
    return Dictionary(attributes + destinations, uniquingKeysWith: { first, _ in first })
  }
}
