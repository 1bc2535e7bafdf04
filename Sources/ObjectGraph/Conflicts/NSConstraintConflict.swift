import ObjectModel

/// Objects that would have the same values where the model demands different ones.
///
/// Source: Apple, Core Data, `NSConstraintConflict`.
public final class NSConstraintConflict {
  /// The names of the constraint's properties.
  public let constraint: [String]
  /// The values that the objects have under the constraint, relationships as IDs.
  public let constraintValues: [String: Any]
  /// The object of the row that has the values already; nil if the conflict is among the context's own objects.
  public let databaseObject: NSManagedObject?
  /// The attributes and to-one relationships, these as IDs, of that row, by name.
  public let databaseSnapshot: [String: Any?]?
  /// The context's objects that have the values, in the order in which they were inserted.
  public let conflictingObjects: [NSManagedObject]
  /// The same of these objects.
  public let conflictingSnapshots: [[String: Any?]]
  let row: StoredRow?

  init(_ objects: [NSManagedObject], _ constraint: [String], row: StoredRow?, databaseObject: NSManagedObject?) {
    self.constraint = constraint
    self.row = row
    self.databaseObject = databaseObject
    conflictingObjects = objects
    conflictingSnapshots = objects.map { $0.namedValues(.init(values: $0.values, toOne: $0.toOne)) }
    constraintValues = (conflictingSnapshots.first ?? [:]).compactMapValues(\.self).filter {
      constraint.contains($0.key)
    }
    databaseSnapshot = row.flatMap { row in
      objects.first.map { $0.namedValues(.init(values: row.attributes, toOne: row.toOne)) }
    }
  }

  /// What a save tells of it: each object that stands in the way of one before it, or of the row.
  var duplicates: [SaveError.Duplicate] {
    let isFirst = databaseObject == nil && conflictingObjects.count > 1
    let other = databaseObject ?? (isFirst ? conflictingObjects[0] : nil)
    return conflictingObjects.dropFirst(isFirst ? 1 : 0).map {
      SaveError.Duplicate(objectID: $0.objectID, constraint: constraint, other: other?.objectID, conflict: self)
    }
  }

  // MARK: Settling

  func resolve(_ type: NSMergePolicy.MergeType) throws {
    let objects = conflictingObjects.filter { $0.isPresent && $0.managedObjectContext != nil }
    guard let object = objects.first(where: { !$0.isInserted }) ?? objects.first,
      let context = object.managedObjectContext
    else { return }
    let rows = objects.count { !$0.isInserted } + (databaseObject == nil ? 0 : 1)
    // Two rows do not become one, and no object one of another entity; a row that is not known cannot be taken over.
    guard rows <= 1, objects.count > 1 || row != nil, objects.allSatisfy({ $0.entity === object.entity }) else {
      throw SaveError.duplicate(duplicates)
    }
    for other in objects where other !== object { try object.absorb(other, type) }
    if let row {
      context.replace(row, by: object)
      object.snapshot = NSManagedObject.Snapshot(
        values: object.layout.defaultValues, toOne: object.layout.noDestinations)
      try object.merge(row, type == .mergeByPropertyStoreTrumpMergePolicyType ? .rollbackMergePolicyType : type)
    }
    object.awake(fromSnapshotEvents: .mergePolicy)
  }
}

extension NSManagedObject {
  /// Takes the place of a new object with the same unique values, which is deleted: what that was given, if it prevails, and
  /// what is linked to it.
  fileprivate func absorb(_ other: NSManagedObject, _ type: NSMergePolicy.MergeType) throws {
    guard let context = managedObjectContext else { return }
    try realize()
    if type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType {
      let isWhole = type == .overwriteMergePolicyType
      for place in values.indices where isWhole || !other.values[place].isStoredAlike(layout.defaultValues[place]) {
        setValue(other.values[place], at: place)
      }
      for place in toOne.indices where isWhole || other.toOne[place] != nil {
        let destination = other.toOne[place]
        try setToOne(place, to: destination == other.objectID ? objectID : destination)
      }
    }
    // Nothing is linked to it when it is deleted, so that no rule deletes more.
    for place in other.toOne.indices { try other.setToOne(place, to: nil as NSManagedObjectID?) }
    for relationship in layout.toMany {
      let destinations = try other.destinations(of: relationship)
      try other.removeFromMany(relationship, destinations)
      try addToMany(relationship, destinations.filter { $0 !== self && $0 !== other })
    }
    for object in context.changedObjects where object !== other && !object.isFault {
      for place in object.toOne.indices where object.toOne[place] == other.objectID {
        try object.setToOne(place, to: objectID)
      }
      for (place, state) in object.toMany.enumerated() where state.added.contains(other) {
        try object.removeFromMany(object.layout.toMany[place], [other])
        try object.addToMany(object.layout.toMany[place], [self])
      }
    }
    try context.delete([other])
  }
}
