package import ObjectModel
package import Values

/// One object as a store keeps it: what is exchanged between contexts and stores, by the places of the entity's layout.
package struct StoredRow: Sendable {
  /// The object.
  package var objectID: NSManagedObjectID
  /// How often the row was saved: 1 at insert, one more at each update (`Z_OPT`).
  package var version: Int64
  /// The attributes' values, in the order of `EntityLayout.attributes`.
  package var attributes: [Value]
  /// The destinations of the to-one relationships, in the order of `EntityLayout.toOne`.
  package var toOne: [NSManagedObjectID?]

  package init(objectID: NSManagedObjectID, version: Int64, attributes: [Value], toOne: [NSManagedObjectID?]) {
    self.objectID = objectID
    self.version = version
    self.attributes = attributes
    self.toOne = toOne
  }
}

/// What one save changes in one store, in the order in which it must be written; IDs are permanent.
package struct StoreChanges: Sendable {
  /// An update of a row: the places that changed, with their new values.
  package struct Update: Sendable {
    package var objectID: NSManagedObjectID
    /// The version that the context read; a store that has another refuses the save (optimistic locking).
    package var version: Int64
    package var attributes: [(place: Int, value: Value)]
    package var toOne: [(place: Int, destination: NSManagedObjectID?)]

    package init(
      objectID: NSManagedObjectID, version: Int64, attributes: [(place: Int, value: Value)],
      toOne: [(place: Int, destination: NSManagedObjectID?)]
    ) {
      self.objectID = objectID
      self.version = version
      self.attributes = attributes
      self.toOne = toOne
    }
  }

  /// A change of a to-many relationship that the to-one side does not already tell: many-to-many, without an inverse, or ordered.
  ///
  /// A many-to-many pair is reported from one side only, except that each ordered side reports its own order. A pair that
  /// is added may be there already and a pair that is removed may be gone: neither is an error, so that a context need not
  /// load a large relationship to change it. Links of deleted objects are reported like any others.
  package struct ToMany: Sendable {
    package var relationship: NSRelationshipDescription
    package var owner: NSManagedObjectID
    package var added: [NSManagedObjectID]
    package var removed: [NSManagedObjectID]
    /// The whole list of an ordered relationship in its new order, once all links are written: a change that has an order
    /// adds and removes nothing, and comes after those that do. Without one, what is added to an ordered relationship goes to
    /// its end.
    package var order: [NSManagedObjectID]?

    package init(
      relationship: NSRelationshipDescription, owner: NSManagedObjectID, added: [NSManagedObjectID],
      removed: [NSManagedObjectID], order: [NSManagedObjectID]? = nil
    ) {
      self.relationship = relationship
      self.owner = owner
      self.added = added
      self.removed = removed
      self.order = order
    }
  }

  package var inserted: [StoredRow] = []
  package var updated: [Update] = []
  /// The rows to delete. A row that refers to one of them and is not changed here keeps its reference.
  package var deleted: [(objectID: NSManagedObjectID, version: Int64)] = []
  package var toMany: [ToMany] = []

  package init() {}

  /// Whether there is nothing to write.
  package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && toMany.isEmpty }
}
