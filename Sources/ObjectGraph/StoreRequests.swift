package import ObjectModel
package import Predicates

/// What coordinators ask of a store; every subclass of `NSPersistentStore` answers it.
///
/// A protocol and not methods of the class: only a public method could be overridden in another module.
package protocol StoreRequests: NSPersistentStore {
  /// Hands out keys for new objects of one hierarchy: the first of `count` consecutive ones.
  ///
  /// Keys of a save that fails may be lost; none is given twice.
  func reserveKeys(_ count: Int, for rootEntity: NSEntityDescription) throws -> Int64

  /// Takes back keys of a save that failed, which no object has any more: the next ones get them, unless others were handed out since.
  ///
  /// What a store that has nothing better does is to lose them.
  func returnKeys(_ keys: ClosedRange<Int64>, of rootEntity: NSEntityDescription)

  /// Writes changes and the metadata, all or nothing.
  ///
  /// - Throws: `SaveError`: a conflict (a row's version differs or the row is gone), a duplicate, or trouble of the
  ///   environment; a `Diagnostic` counts as the last.
  func save(_ changes: StoreChanges) throws

  /// The rows of some objects of one hierarchy, in the order asked; nil for those that do not exist.
  func rows(for objectIDs: [NSManagedObjectID]) throws -> [StoredRow?]

  /// The destinations of a to-many relationship for each of some sources, in the relationship's order if it has one,
  /// else by key.
  func destinations(of relationship: NSRelationshipDescription, for sources: [NSManagedObjectID]) throws
    -> [[NSManagedObjectID]]

  /// The IDs of all objects of an entity, with its subentities if asked, by key.
  func objectIDs(of entity: NSEntityDescription, includingSubentities: Bool) throws -> [NSManagedObjectID]

  /// The IDs of the objects that a query asks for, in its order; those that it holds for equal by key.
  func objectIDs(of query: FetchQuery) throws -> ObjectIDList

  /// How many objects a query asks for.
  func count(of query: FetchQuery) throws -> Int

  /// The columns of a query's rows, or of the groups that they are taken together in.
  func values(of query: FetchQuery, _ projection: FetchProjection) throws -> [[PredicateValue]]

  /// For each key of the request what has it. See `KeyLookupRequest`.
  func lookUp(_ request: KeyLookupRequest) throws -> [KeyLookupRequest.Answer]

  /// Inserts the rows of columns, chunk by chunk until there are no more, and writes the metadata, all or nothing.
  ///
  /// Relationships stay empty, and attributes without a column have their defaults. The rows are valid.
  ///
  /// - Returns: the keys of the rows, chunk by chunk.
  /// - Throws: `SaveError.duplicate` names rows by their number among all of the chunks.
  func insert(_ nextChunk: () throws -> AttributeColumns?) throws -> [Range<Int64>]

  /// Gives rows the same values and raises their versions, all or nothing, and says how many there are.
  func update(_ update: BatchUpdate) throws -> Int

  /// Makes an empty list of names for objects of the store, which lasts as long as it is held.
  func makeObjectNames() throws -> any ObjectNames
}

extension NSPersistentStore {
  /// The store as what answers requests.
  package var requests: any StoreRequests {
    guard let requests = self as? any StoreRequests else {
      fatalError("\(Swift.type(of: self)), a subclass of NSPersistentStore, must conform to StoreRequests")
    }
    return requests
  }
}
