import Diagnostics
import ObjectModel
import Values

extension NSManagedObjectContext {
  /// Settles what a store refused, as the merge policy says, and gives the objects that were merged; throws what it does not
  /// settle.
  func resolve(_ error: SaveError) throws -> [NSManagedObject] {
    guard parent == nil else { throw error }
    switch error {
    case .conflict: return try resolveConflicts(error)
    case .duplicate(let duplicates): return try resolveDuplicates(duplicates, error)
    case .validation, .store: throw error
    }
  }

  /// All conflicts at once, for a store may name but the first.
  private func resolveConflicts(_ error: SaveError) throws -> [NSManagedObject] {
    if mergePolicy.mergeType == .errorMergePolicyType, type(of: mergePolicy) == NSMergePolicy.self { throw error }
    let objects = updatedList.filter(\.isUpdated) + deletedList.filter(\.isDeleted)
    let rows = try coordinator.rows(for: objects.map(\.objectID))
    let conflicts = zip(objects, rows).filter { $0.version != $1?.version ?? 0 }.map { NSMergeConflict($0, $1) }
    // A key that somebody else gave a row of its own is no conflict that merging could settle.
    if conflicts.isEmpty { throw error }
    try mergePolicy.resolve(optimisticLockingConflicts: conflicts)
    return conflicts.map(\.sourceObject)
  }

  // MARK: Unique values

  private func resolveDuplicates(_ duplicates: [SaveError.Duplicate], _ error: SaveError) throws -> [NSManagedObject] {
    if mergePolicy.mergeType == .errorMergePolicyType, type(of: mergePolicy) == NSMergePolicy.self { throw error }
    var conflicts: [NSConstraintConflict] = []
    var replaced: Set<NSManagedObjectID> = []
    // All new objects that the constraints concern, for a store may name but the first.
    for constraint in Set(duplicates.map(\.constraint)).sorted(by: { $0.joined() < $1.joined() }) {
      let entities = Set(duplicates.filter { $0.constraint == constraint }.map(\.objectID.entity.rootEntity))
      let concerned = insertedList.filter { $0.isInserted && entities.contains($0.entity.rootEntity) }
      for (entity, objects) in Dictionary(grouping: concerned, by: \.entity) {
        for (object, row) in zip(objects, try rows(withValuesOf: objects, of: entity, constraint)) {
          guard let row, replaced.insert(row.objectID).inserted else { continue }
          conflicts.append(NSConstraintConflict(object, constraint, row))
        }
      }
    }
    if conflicts.isEmpty { throw error }
    try mergePolicy.resolve(constraintConflicts: conflicts)
    insertedList.removeAll { !$0.isInserted && $0.version > 0 }
    return conflicts.map(\.conflictingObject)
  }

  /// The rows that have the values of new objects under a constraint, where the objects can take their places.
  private func rows(
    withValuesOf objects: [NSManagedObject], of entity: NSEntityDescription, _ constraint: [String]
  ) throws -> [StoredRow?] {
    let places = constraint.compactMap { entity.layout.attributeIndex[$0] }
    guard places.count == constraint.count else { return objects.map { _ in nil } }
    let keys = objects.map { object in places.map { object.values[$0] } }
    let ids: [NSManagedObjectID?] = try lookUp(KeyLookupRequest(entity: entity, places: places, keys: keys)).map {
      if case .one(let id) = $0 { id } else { nil }
    }
    let found = try coordinator.rows(for: ids.compactMap(\.self))
    let rows = Dictionary(
      found.compactMap(\.self).map { ($0.objectID, $0) }, uniquingKeysWith: { first, _ in first })
    return zip(ids, keys).map { id, key in
      // Keys are looked up by normal form, constraints compare bytes. An object that is changed here has a will of its own.
      guard let row = id.flatMap({ rows[$0] }), row.objectID.entity === entity,
        zip(places, key).allSatisfy({ row.attributes[$0].isStoredAlike($1) }),
        !(registered[row.objectID]?.hasChanges ?? false)
      else { return nil }
      return row
    }
  }

  /// Lets a new object take the place of a row: its ID, and all that refers to it. An object that had it leaves the context.
  fileprivate func replace(_ row: StoredRow, by object: NSManagedObject) {
    let oldID = object.objectID
    if let former = registered[row.objectID] { former.leaveContext() }
    registered.remove(oldID)
    object.knownID = row.objectID
    registered.insert(object)
    for other in changedObjects where !other.isFault {
      for place in other.toOne.indices where other.toOne[place] == oldID { other.toOne[place] = row.objectID }
    }
    object.version = row.version
    object.state.subtract([.inserted, .listed])
    object.state.formUnion([.updated, .listedAsUpdated])
    updatedList.append(object)
    for place in object.toMany.indices { object.toMany[place].forgetStored() }
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

extension NSConstraintConflict {
  func resolve(_ type: NSMergePolicy.MergeType) throws {
    let object = conflictingObject
    guard let context = object.managedObjectContext, object.isInserted else { return }
    context.replace(row, by: object)
    object.snapshot = NSManagedObject.Snapshot(
      values: object.layout.defaultValues, toOne: object.layout.noDestinations)
    try object.merge(row, type == .mergeByPropertyStoreTrumpMergePolicyType ? .rollbackMergePolicyType : type)
    object.awake(fromSnapshotEvents: .mergePolicy)
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

  func attributesByPath(_ values: [Value]) -> [String: Any?] {
    Dictionary(
      zip(layout.attributes, values).map { ($0.path, $1.object) }, uniquingKeysWith: { first, _ in first })
  }
}
