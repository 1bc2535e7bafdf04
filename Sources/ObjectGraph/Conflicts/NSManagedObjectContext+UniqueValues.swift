import ObjectModel
import Values

extension NSManagedObjectContext {
  /// Settles what stores refused because of uniqueness constraints, and gives the objects that were merged.
  func resolveDuplicates(_ duplicates: [SaveError.Duplicate]) throws -> [NSManagedObject] {
    var conflicts: [NSConstraintConflict] = []
    // All objects that the constraints concern, for a store may name but the first.
    for constraint in Set(duplicates.map(\.constraint)).sorted(by: { $0.joined() < $1.joined() }) {
      let entities = Set(
        duplicates.filter { $0.constraint == constraint }.compactMap { $0.objectID.entity.owner(of: constraint) })
      conflicts += try constraintConflicts(constraint, of: entities)
    }
    let found = Set(conflicts.flatMap(\.conflictingObjects))
    for duplicate in duplicates {
      let object = object(with: duplicate.objectID)
      if found.contains(object) { continue }
      let other = duplicate.other.map { self.object(with: $0) }
      conflicts.append(NSConstraintConflict([object], duplicate.constraint, row: nil, databaseObject: other))
    }
    try mergePolicy.resolve(constraintConflicts: conflicts)
    insertedList.removeAll { !$0.isInserted && $0.version > 0 }
    return conflicts.flatMap(\.conflictingObjects)
  }

  private func constraintConflicts(
    _ constraint: [String], of entities: Set<NSEntityDescription>
  ) throws -> [NSConstraintConflict] {
    let changed = insertedList.filter(\.isInserted) + updatedList.filter(\.isUpdated)
    var groups: [[NSManagedObject]] = []
    var groupsByValues: [UniqueValues: Int] = [:]
    for object in changed where !object.isFault {
      guard let owner = object.entity.owner(of: constraint), entities.contains(owner),
        let values = UniqueValues(object.asRow, UniquenessConstraint(entity: owner, properties: constraint))
      else { continue }
      if let group = groupsByValues[values] {
        groups[group].append(object)
      } else {
        groupsByValues[values] = groups.count
        groups.append([object])
      }
    }
    let rows = try rows(withValuesOf: groups.map { $0[0] }, constraint)
    return zip(groups, rows).compactMap { objects, row in
      guard row != nil || objects.count > 1 else { return nil }
      return NSConstraintConflict(
        objects, constraint, row: row, databaseObject: row.map { object(with: $0.objectID) })
    }
  }

  /// The rows that have the values of objects under a constraint, where the objects can take their places.
  private func rows(withValuesOf objects: [NSManagedObject], _ constraint: [String]) throws -> [StoredRow?] {
    var rows: [StoredRow?] = Array(repeating: nil, count: objects.count)
    for (entity, indices) in Dictionary(grouping: objects.indices, by: { objects[$0].entity }) {
      let places = constraint.compactMap { entity.layout.attributeIndex[$0] }
      guard places.count == constraint.count else { continue }
      let keys = indices.map { index in places.map { objects[index].values[$0] } }
      let answers = try lookUp(KeyLookupRequest(entity: entity, places: places, keys: keys))
      let ids: [NSManagedObjectID?] = answers.map { if case .one(let id) = $0 { id } else { nil } }
      let found = Dictionary(
        try coordinator.rows(for: ids.compactMap(\.self)).compactMap(\.self).map { ($0.objectID, $0) },
        uniquingKeysWith: { first, _ in first })
      for (index, (id, key)) in zip(indices, zip(ids, keys)) {
        // Keys are looked up by normal form, constraints compare bytes. An object that is changed here has a will of its own.
        guard let row = id.flatMap({ found[$0] }), row.objectID.entity === entity,
          zip(places, key).allSatisfy({ row.attributes[$0].isStoredAlike($1) }),
          !(registered[row.objectID]?.hasChanges ?? false)
        else { continue }
        rows[index] = row
      }
    }
    return rows
  }

  /// Lets a new object take the place of a row: its ID, and all that refers to it. An object that had it leaves the context.
  func replace(_ row: StoredRow, by object: NSManagedObject) {
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
}

extension NSManagedObject {
  /// The object as a row of its store, which it has no version of.
  fileprivate var asRow: StoredRow {
    StoredRow(objectID: objectID, version: version, attributes: values, toOne: toOne)
  }
}

extension NSEntityDescription {
  /// The entity that a uniqueness constraint of this one or of its superentities stands in.
  fileprivate func owner(of constraint: [String]) -> NSEntityDescription? {
    sequence(first: self, next: \.superentity).first { $0.uniquenessConstraints.contains(constraint) }
  }
}
