import ObjectModel

extension NSManagedObjectContext {
  /// What is wrong with the objects that a save would write.
  func validate(_ objects: [NSManagedObject]) throws -> [SaveError.Invalid] {
    var invalid: [SaveError.Invalid] = []
    for object in objects {
      let errors = object.isDeleted ? try deletionErrors(of: object) : try object.validationErrors()
      for error in errors { invalid.append(SaveError.Invalid(objectID: object.objectID, error: error)) }
    }
    return invalid
  }

  private func deletionErrors(of object: NSManagedObject) throws -> [ValidationError] {
    var errors: [ValidationError] = []
    for relationship in object.layout.toOne + object.layout.toMany where relationship.deleteRule == .denyDeleteRule {
      let count = try survivors(of: object, relationship).count
      if count > 0 { errors.append(relationship.deniedDelete(count: count, of: object.entity)) }
    }
    return errors
  }
}

extension NSManagedObject {
  fileprivate func validationErrors() throws -> [ValidationError] {
    var errors: [ValidationError] = []
    // The values of a fault are as they were saved.
    if !isFault {
      errors = entity.validate(values)
      for (place, relationship) in layout.toOne.enumerated() where toOne[place] == nil && !relationship.isOptional {
        if let error = relationship.validate(count: 0, of: entity) { errors.append(error) }
      }
    }
    for (place, relationship) in layout.toMany.enumerated() where mayBreakCount(relationship, at: place) {
      let count = try destinations(of: relationship).count
      if let error = relationship.validate(count: count, of: entity) { errors.append(error) }
    }
    return errors
  }

  /// Whether the destinations must be counted: what has only grown is not too few, and a large relationship must not be read
  /// to find that there is no limit.
  private func mayBreakCount(_ relationship: NSRelationshipDescription, at place: Int) -> Bool {
    let hasLeast = !relationship.isOptional || relationship.minCount > 0
    let hasGreatest = relationship.maxCount > 0
    guard hasLeast || hasGreatest else { return false }
    guard place < toMany.count else { return hasLeast && isInserted }
    let state = toMany[place]
    return hasLeast && (isInserted || !state.removed.isEmpty) || hasGreatest && !state.added.isEmpty
  }
}
