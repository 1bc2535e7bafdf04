package import Values

/// How the rows of a store of one version of a model become rows of another version: what a store carries out by itself, without
/// an object made.
///
/// Rows keep their keys. What corresponds is decided before; a store knows no rule of it.
package struct StoreTransfer: Sendable {
  /// The model of the store.
  package let source: NSManagedObjectModel
  /// The model of the store that is made.
  package let destination: NSManagedObjectModel
  /// The entities whose rows are carried over, those of their subentities not among them; rows of others are left behind.
  package let entities: [EntityTransfer]

  package init(source: NSManagedObjectModel, destination: NSManagedObjectModel, entities: [EntityTransfer]) {
    self.source = source
    self.destination = destination
    self.entities = entities
  }

  /// What becomes of the rows of an entity of the source; nil if they are left behind.
  package func transfer(from source: NSEntityDescription) -> EntityTransfer? {
    entities.first { $0.source === source }
  }

  /// What comes into an entity of the destination, and into those that inherit from it.
  package func transfers(into destination: NSEntityDescription) -> [EntityTransfer] {
    entities.filter { $0.destination.isKindOf(entity: destination) }
  }

  /// What takes the links of a relationship of the source from the rows of an entity: its counterparts, or else the inverses of its
  /// inverse's. None if they are lost.
  package func takers(of relationship: NSRelationshipDescription, from entity: EntityTransfer) -> [LinkTaker] {
    let own = entity.relationships.filter { $0.value == relationship }.map(\.key)
    guard own.isEmpty, let inverse = relationship.inverseRelationship else {
      return own.map { LinkTaker(relationship: $0, destination: $0.destinationEntity) }
    }
    let back = Set(entities.flatMap { $0.relationships.filter { $0.value == inverse }.map(\.key) })
    return back.filter { entity.destination.isKindOf(entity: $0.destinationEntity) }.map {
      LinkTaker(relationship: $0.inverseRelationship, destination: $0.entity)
    }
  }
}

/// What takes links of another version.
package struct LinkTaker: Sendable {
  /// The relationship that has them; nil if only its inverse is there.
  package let relationship: NSRelationshipDescription?
  /// The entity of the rows that they may lead to.
  package let destination: NSEntityDescription

  /// Whether several links of a row lose the order that they had.
  package var losesOrder: Bool { relationship.map { $0.isToMany && !$0.isOrdered } ?? true }
  /// Whether a row can have one owner only: without an inverse it is stored with the row.
  package var hasOneOwner: Bool { relationship.map { $0.isToMany && $0.inverseRelationship == nil } ?? false }
}

/// The rows of an entity as those of another.
package struct EntityTransfer: Sendable {
  package let source: NSEntityDescription
  package let destination: NSEntityDescription
  /// One for each place of the destination's layout.
  package let attributes: [AttributeTransfer]
  /// By relationship of the destination the one whose links it takes; those that are added have none.
  package let relationships: [NSRelationshipDescription: NSRelationshipDescription]

  package init(
    source: NSEntityDescription, destination: NSEntityDescription, attributes: [AttributeTransfer],
    relationships: [NSRelationshipDescription: NSRelationshipDescription]
  ) {
    self.source = source
    self.destination = destination
    self.attributes = attributes
    self.relationships = relationships
  }
}

/// Where the values of a stored attribute come from.
package struct AttributeTransfer: Sendable {
  /// The stored attribute whose values are taken; nil for one that is added.
  package let source: EntityLayout.StoredAttribute?
  package let destination: EntityLayout.StoredAttribute
  /// What a row gets that has no value.
  package let valueForNull: Value

  package init(
    source: EntityLayout.StoredAttribute?, destination: EntityLayout.StoredAttribute, valueForNull: Value
  ) {
    self.source = source
    self.destination = destination
    self.valueForNull = valueForNull
  }
}
