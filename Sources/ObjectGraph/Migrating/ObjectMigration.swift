/// What a store gives to a migration that goes object by object.
package struct ObjectMigration {
  /// The store that is read.
  package let source: any StoreRequests
  /// The store that is made, empty.
  package let destination: any StoreRequests
  /// Which objects were made of which.
  package let associations: any MigrationAssociations

  package init(
    source: any StoreRequests, destination: any StoreRequests, associations: any MigrationAssociations
  ) {
    self.source = source
    self.destination = destination
    self.associations = associations
  }
}

/// Which objects of a new store were made of which of the old one, by mapping: kept by the store, on disk where there are many.
package protocol MigrationAssociations: AnyObject {
  /// Notes that an object was made of another by a mapping; nil for one that was made of none.
  func add(mapping: Int, source: AssociatedRow?, destination: AssociatedRow) throws
  /// The objects that a mapping made of an object.
  func destinations(mapping: Int, source: AssociatedRow) throws -> [AssociatedRow]
  /// The objects that a mapping made an object of.
  func sources(mapping: Int, destination: AssociatedRow) throws -> [AssociatedRow]
  /// The objects that a mapping made, each once, behind another in the order of their making, with a number to go on behind.
  func destinations(mapping: Int, after number: Int64, limit: Int) throws -> [(number: Int64, row: AssociatedRow)]
  /// How many objects a mapping made.
  func count(mapping: Int) throws -> Int
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
