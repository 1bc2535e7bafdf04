import Diagnostics
package import ObjectModel
import Values

extension NSManagedObjectContext {
  /// What is wrong with the objects that a save would write.
  func validate(_ objects: [NSManagedObject]) throws -> [SaveError.Invalid] {
    var invalid: [SaveError.Invalid] = []
    for object in objects { try object.validate(into: &invalid) }
    return invalid
  }
}

extension NSManagedObject {
  fileprivate func validate(into invalid: inout [SaveError.Invalid]) throws {
    do {
      if isDeleted {
        try validateForDelete()
      } else if isInserted {
        try validateForInsert()
      } else {
        try validateForUpdate()
      }
    } catch let error as Diagnostic {
      throw error
    } catch SaveError.validation(let errors) {
      invalid += errors
    } catch let error as SaveError {
      throw error
    } catch {
      invalid.append(SaveError.Invalid(error, of: self))
    }
  }

  /// Throws what is wrong as Core Data does: one error as it is, several as one.
  func throwInvalid(_ invalid: [SaveError.Invalid]) throws {
    if invalid.count > 1 { throw SaveError.validation(invalid) }
    if let only = invalid.first { throw only.underlyingError ?? only.error }
  }

  /// What is wrong with the values and relationships of an object that is not deleted.
  func invalidities() throws -> [SaveError.Invalid] {
    // Only a class of its own can have something to say of single values.
    if type(of: self) != NSManagedObject.self { return try invaliditiesByKey() }
    return try validationErrors().map { SaveError.Invalid($0, of: self) }
  }

  /// What is wrong with the numbers of destinations of an object whose check was put off.
  package func linkErrors() throws -> [ValidationError] {
    try realize()
    var errors: [ValidationError] = []
    for (place, relationship) in layout.toOne.enumerated() where toOne[place] == nil {
      if let error = relationship.validate(count: 0, of: entity) { errors.append(error) }
    }
    for relationship in layout.toMany where relationship.hasLeastCount {
      let count = try destinations(of: relationship).count
      if let error = relationship.validate(count: count, of: entity) { errors.append(error) }
    }
    return errors
  }

  /// What is wrong with a number of destinations; too few are no error yet where others may come.
  private func linkError(_ relationship: NSRelationshipDescription, count: Int) -> ValidationError? {
    guard let error = relationship.validate(count: count, of: entity) else { return nil }
    let later = managedObjectContext?.entitiesLinkedLater ?? []
    return !later.isEmpty && later.contains(entity) && error.code != .relationshipExceedsMaximumCount ? nil : error
  }

  private func validationErrors() throws -> [ValidationError] {
    var errors: [ValidationError] = []
    // The values of a fault are as they were saved.
    if !isFault {
      errors = entity.validate(values)
      for (place, relationship) in layout.toOne.enumerated() where toOne[place] == nil && !relationship.isOptional {
        if let error = linkError(relationship, count: 0) { errors.append(error) }
      }
    }
    for (place, relationship) in layout.toMany.enumerated() where mayBreakCount(relationship, at: place) {
      let count = try destinations(of: relationship).count
      if let error = linkError(relationship, count: count) { errors.append(error) }
    }
    return errors
  }

  private func invaliditiesByKey() throws -> [SaveError.Invalid] {
    var invalid: [SaveError.Invalid] = []
    func check(_ key: String) throws {
      var value = try checkedValue(forKey: key)
      do { try validateValue(&value, forKey: key) } catch let error as Diagnostic { throw error } catch {
        invalid.append(SaveError.Invalid(error, of: self))
        return
      }
      // What the object makes of the value is set; an equal one is no change.
      if layout.attributeIndex[key] != nil { try setCheckedValue(value, forKey: key) }
    }
    if !isFault {
      for attribute in layout.attributes { try check(attribute.path) }
      for key in (transients ?? [:]).keys.sorted() { try check(key) }
      for relationship in layout.toOne { try check(relationship.name) }
    }
    for (place, relationship) in layout.toMany.enumerated() where mayBreakCount(relationship, at: place) {
      try check(relationship.name)
    }
    return invalid
  }

  /// What `validateValue(_:forKey:)` does where no class overrides it.
  func checkValue(_ value: Any?, forKey key: String) throws {
    if let place = layout.attributeIndex[key] {
      let attribute = layout.attributes[place].attribute
      guard let found = Value(value, as: attribute.attributeType) else {
        let text = String(describing: value ?? "nil")
        let code: ValidationError.Code =
          switch attribute.attributeType {
          case .dateAttributeType: .invalidDate
          case .URIAttributeType: .invalidURI
          default: .generic
          }
        throw ValidationError(
          code, entity: entity.name ?? "", property: key, value: String(text.prefix(80)),
          limit: attribute.attributeType.takenTypes)
      }
      if let error = entity.validate(found, at: place) { throw error }
    } else if let relationship = layout.propertiesByName[key] as? NSRelationshipDescription {
      let count =
        switch value {
        case nil: 0
        case let list as [NSManagedObject]: list.count
        case let set as Set<NSManagedObject>: set.count
        default: 1
        }
      if let error = linkError(relationship, count: count) { throw error }
    } else if layout.propertiesByName[key] == nil {
      preconditionFailure("\(Diagnostic.unknownKey(key, of: entity))")
    }
  }

  /// What denies the deletion of the object.
  func deletionErrors() throws -> [ValidationError] {
    var errors: [ValidationError] = []
    for relationship in layout.toOne + layout.toMany where relationship.deleteRule == .denyDeleteRule {
      let count = try managedObjectContext?.survivors(of: self, relationship).count ?? 0
      if count > 0 { errors.append(relationship.deniedDelete(count: count, of: entity)) }
    }
    return errors
  }

  /// Whether the destinations must be counted: what has only grown is not too few, and a large relationship must not be read
  /// to find that there is no limit.
  private func mayBreakCount(_ relationship: NSRelationshipDescription, at place: Int) -> Bool {
    let (hasLeast, hasGreatest) = (relationship.hasLeastCount, relationship.hasGreatestCount)
    guard hasLeast || hasGreatest else { return false }
    guard place < toMany.count else { return hasLeast && isInserted }
    let state = toMany[place]
    return hasLeast && (isInserted || !state.removed.isEmpty) || hasGreatest && !state.added.isEmpty
  }
}
