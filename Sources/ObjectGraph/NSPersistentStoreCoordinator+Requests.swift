import Diagnostics
import ObjectModel

// What contexts ask of stores: each request goes to the stores that it concerns, once for each.
extension NSPersistentStoreCoordinator {
  func reserveKeys(_ count: Int, for root: NSEntityDescription, in store: NSPersistentStore) throws -> Int64 {
    try performAndWait { try store.requests.reserveKeys(count, for: root) }
  }

  func returnKeys(_ keys: ClosedRange<Int64>, of root: NSEntityDescription, in store: NSPersistentStore) {
    performAndWait { store.requests.returnKeys(keys, of: root) }
  }

  /// Writes changes, store by store, and tells of each that has its own; each takes all of its own or none.
  func save(
    _ changes: NSManagedObjectContext.ChangesByStore, whenSaved: (NSPersistentStore) -> Void
  ) throws {
    try performAndWait {
      for (store, changes) in changes where !changes.isEmpty || store.hasUnsavedMetadata {
        try store.requests.save(changes)
        store.hasUnsavedMetadata = false
        whenSaved(store)
      }
      for store in persistentStores where store.hasUnsavedMetadata {
        try store.requests.save(StoreChanges())
        store.hasUnsavedMetadata = false
      }
    }
  }

  /// The rows of some objects, in the order asked; nil for those that do not exist.
  func rows(for objectIDs: [NSManagedObjectID]) throws -> [StoredRow?] {
    try answer(objectIDs, none: nil) { store, ids in try store.requests.rows(for: ids) }
  }

  /// The destinations of a relationship for some sources.
  func destinations(
    of relationship: NSRelationshipDescription, for sources: [NSManagedObjectID]
  ) throws -> [[NSManagedObjectID]] {
    try answer(sources, none: []) { store, ids in try store.requests.destinations(of: relationship, for: ids) }
  }

  /// The answers of all stores that keep the entity, as if they were one.
  func lookUp(_ request: KeyLookupRequest) throws -> [KeyLookupRequest.Answer] {
    try performAndWait {
      let stores = stores(keeping: request.entity)
      guard let first = stores.first else { throw Diagnostic.noStore(for: request.entity) }
      return try stores.dropFirst().reduce(first.requests.lookUp(request)) { answers, store in
        zip(answers, try store.requests.lookUp(request)).map { $0.merged(with: $1) }
      }
    }
  }

  /// Asks each store for what concerns it, hierarchy by hierarchy, and puts the answers in the order asked.
  private func answer<Answer>(
    _ objectIDs: [NSManagedObjectID], none: Answer, _ ask: (NSPersistentStore, [NSManagedObjectID]) throws -> [Answer]
  ) throws -> [Answer] {
    try performAndWait {
      var answers = Array(repeating: none, count: objectIDs.count)
      var groups: [(store: NSPersistentStore, root: NSEntityDescription, indices: [Int])] = []
      for (index, id) in objectIDs.enumerated() where !id.isTemporaryID {
        guard let store = id.persistentStore else { throw Diagnostic.foreignID(id) }
        let root = id.entity.rootEntity
        if let known = groups.firstIndex(where: { $0.store === store && $0.root === root }) {
          groups[known].indices.append(index)
        } else {
          guard store.persistentStoreCoordinator === self else { throw Diagnostic.foreignID(id) }
          groups.append((store, root, [index]))
        }
      }
      for group in groups {
        let found = try ask(group.store, group.indices.map { objectIDs[$0] })
        precondition(found.count == group.indices.count, "a store answers for each object that it is asked for")
        for (index, answer) in zip(group.indices, found) { answers[index] = answer }
      }
      return answers
    }
  }
}

extension KeyLookupRequest.Answer {
  fileprivate func merged(with other: Self) -> Self {
    switch (self, other) {
    case (_, .none): self
    case (.none, _): other
    case (.one(let a), .one(let b)), (.one(let a), .several(let b, _)): .several(a, b)
    case (.several, _): self
    }
  }
}
