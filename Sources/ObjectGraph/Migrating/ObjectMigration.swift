package import ObjectModel

/// What a store gives to a migration that goes object by object.
package struct ObjectMigration {
  /// The store that is read.
  package let source: any PagedStore
  /// The store that is made.
  package let destination: any PagedStore
  /// Which objects were made of which.
  package let associations: any MigrationAssociations

  package init(
    source: any PagedStore, destination: any PagedStore, associations: any MigrationAssociations
  ) {
    self.source = source
    self.destination = destination
    self.associations = associations
  }
}

/// A store whose objects are read part by part, so that memory does not grow with it.
package protocol PagedStore: StoreRequests {
  /// The IDs of the first objects of an entity behind a key, by key; those of its subentities are not among them.
  func objectIDs(of entity: NSEntityDescription, behind key: Int64, limit: Int) throws -> [NSManagedObjectID]
}

/// Which objects of a new store were made of which of the old one, by mapping: kept by the store, on disk where there are many.
package protocol MigrationAssociations: AnyObject {
  /// Notes that an object was made of another by a mapping; nil for one that was made of none.
  func add(mapping: Int, source: AssociatedRow?, destination: AssociatedRow) throws
  /// The objects that a mapping made of an object.
  func destinations(mapping: Int, source: AssociatedRow) throws -> [AssociatedRow]
  /// The objects that a mapping made an object of.
  func sources(mapping: Int, destination: AssociatedRow) throws -> [AssociatedRow]
  /// The objects that a mapping made, each once, behind another in the order of their making, with the first that each was made of,
  /// and a number to go on behind.
  func destinations(
    mapping: Int, after number: Int64, limit: Int
  ) throws -> [(number: Int64, row: AssociatedRow, source: AssociatedRow?)]
}

/// An object by the place of its entity among the entities of its model, and its key.
package struct AssociatedRow: Hashable, Sendable {
  package let entity: Int
  package let key: Int64

  package init(entity: Int, key: Int64) {
    self.entity = entity
    self.key = key
  }
}
