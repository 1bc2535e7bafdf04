import ObjectModel

extension EntityLayout {
  /// The place of a to-one relationship, which may be declared by a superentity.
  func place(ofToOne relationship: NSRelationshipDescription) -> Int? { Self.place(of: relationship, in: toOne) }

  /// The place of a to-many relationship, which may be declared by a superentity.
  func place(ofToMany relationship: NSRelationshipDescription) -> Int? { Self.place(of: relationship, in: toMany) }

  /// The destinations of a new object.
  var noDestinations: [NSManagedObjectID?] { toOne.isEmpty ? [] : Array(repeating: nil, count: toOne.count) }

  // By identity, as the few relationships of an entity are compared faster than a name is hashed; by name where a subentity
  // has declared the relationship anew.
  private static func place(of relationship: NSRelationshipDescription, in list: [NSRelationshipDescription]) -> Int? {
    list.firstIndex { $0 === relationship } ?? list.firstIndex { $0.name == relationship.name }
  }
}
