import ObjectModel

// What generated classes call; on Apple's systems they call `mutableSetValue(forKey:)`.
extension NSManagedObject {
  /// Adds objects to a to-many relationship, at its end if it has an order; what the store has is not read for that.
  public func add(_ objects: [NSManagedObject], toRelationship key: String) {
    changeRelationship(key) { try addToMany($0, $0.isOrdered ? objects : objects.inOrder) }
  }

  /// Removes objects from a to-many relationship; what the store has is not read for that.
  public func remove(_ objects: [NSManagedObject], fromRelationship key: String) {
    changeRelationship(key) { try removeFromMany($0, $0.isOrdered ? objects : objects.inOrder) }
  }

  private func changeRelationship(_ key: String, _ body: (NSRelationshipDescription) throws -> Bool) {
    guard let relationship = entity.relationshipsByName[key], relationship.isToMany else {
      preconditionFailure("\(entity.name ?? "") has no to-many relationship \(key)")
    }
    // As with `setValue(_:forKey:)`, the program ends when the store cannot be read at that moment.
    do { _ = try body(relationship) } catch { preconditionFailure("\(error)") }
  }
}

extension [NSManagedObject] {
  /// In an order that does not differ from run to run.
  fileprivate var inOrder: [NSManagedObject] { sorted { $0.objectID.key < $1.objectID.key } }
}
