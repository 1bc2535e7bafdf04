import Diagnostics
import Foundation
import ObjectModel
import Predicates

extension NSManagedObjectContext {
  /// Fetches what a request asks for: objects, IDs, dictionaries or, as one number, their count.
  ///
  /// - Throws: a `Diagnostic` when the request does not fit the model, or a store cannot be read.
  public func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] {
    let results: [Any]
    switch request.resultType {
    case .managedObjectResultType: results = try objects(of: request)
    case .managedObjectIDResultType: results = Array(try objectIDs(of: request))
    case .countResultType: results = [NSNumber(value: try count(for: request))]
    case .dictionaryResultType:
      let rows = try dictionaries(of: request)
      results = T.self == NSDictionary.self ? rows.map { NSDictionary(dictionary: $0) } : rows
    }
    return try results.map { result in
      guard let typed = result as? T else { throw Diagnostic.fetchResult(T.self, found: result) }
      return typed
    }
  }

  /// How many objects a request gives, its limit and offset counted in.
  public func count<T>(for request: NSFetchRequest<T>) throws -> Int {
    let query = try FetchQuery(request, in: coordinator)
    guard parent == nil, !query.predicate.hasBlock, !isTouched(by: request, query) else {
      return try objectIDs(of: request).count
    }
    let coordinator = coordinator
    return try coordinator.performAndWait {
      let stores = try coordinator.stores(for: query.entity, among: request.affectedStores)
      guard stores.count == 1 else { return try coordinator.objectIDs(of: query, in: stores).count }
      return try stores[0].requests.count(of: query)
    }
  }

  /// Fetches the objects of a request a batch at a time, and lets each batch go before the next: memory stays the same however
  /// many there are.
  public func fetch<T>(
    _ request: NSFetchRequest<T>, inBatchesOf size: Int, _ body: ([T]) throws -> Void
  ) throws where T: NSManagedObject {
    precondition(size > 0, "a batch has at least one object")
    let ids = try objectIDs(of: request)
    for start in stride(from: 0, to: ids.count, by: size) {
      let objects = try fulfill(Array(ids[start...].prefix(size))).compactMap(\.self)
      lastFulfilled = []
      try prefetch(request.relationshipKeyPathsForPrefetching, of: objects)
      try body(
        try objects.map { object in
          guard let typed = object as? T else { throw Diagnostic.fetchResult(T.self, found: object) }
          return typed
        })
    }
  }
}

// MARK: - IDs

extension NSManagedObjectContext {
  func objectIDs<T>(of request: NSFetchRequest<T>) throws -> ObjectIDList {
    let query = try FetchQuery(request, in: coordinator)
    return try objectIDs(of: query, request.includesPendingChanges, request.affectedStores)
  }

  private func objectIDs(
    of query: FetchQuery, _ includesPendingChanges: Bool, _ stores: [NSPersistentStore]?
  ) throws -> ObjectIDList {
    let isPlain = !includesPendingChanges || !hasChanges(touching: query)
    if isPlain, !query.predicate.hasBlock { return try objectIDsBelow(of: query, stores) }
    let objects = try pendingObjects(of: query, includesPendingChanges, stores)
    return ObjectIDList(query.slice(try query.sort(try query.filter(objects))).map(\.objectID))
  }

  /// The objects among which a query must look, since some have been changed here: those below, with what was changed.
  private func pendingObjects(
    of query: FetchQuery, _ includesPendingChanges: Bool, _ stores: [NSPersistentStore]?
  ) throws -> [NSManagedObject] {
    var below = query.unlimited
    below.order = []
    // What is related may have been changed too, so that all must be looked at again.
    if query.readsRelated || query.predicate.hasBlock { below.predicate = .always(true) }
    let ids = Array(try objectIDsBelow(of: below, stores))
    guard includesPendingChanges else { return try read(ids).compactMap(\.self) }
    let changed = updatedList.filter { $0.isUpdated && isMeant($0, by: query, stores) }
    let known = Set(ids)
    let stored = try read(ids + changed.map(\.objectID).filter { !known.contains($0) }).compactMap(\.self)
    let sorted = stored.sorted { $0.objectID.key < $1.objectID.key }
    return sorted.filter(\.isPresent) + insertedList.filter { $0.isInserted && isMeant($0, by: query, nil) }
  }

  private func isMeant(_ object: NSManagedObject, by query: FetchQuery, _ stores: [NSPersistentStore]?) -> Bool {
    let isOfEntity =
      query.includesSubentities ? object.entity.isKindOf(entity: query.entity) : object.entity === query.entity
    return isOfEntity && (stores?.contains { $0 === object.objectID.persistentStore } ?? true)
  }

  /// Whether a request must look at what has been changed here.
  private func isTouched<T>(by request: NSFetchRequest<T>, _ query: FetchQuery) -> Bool {
    request.includesPendingChanges && hasChanges(touching: query)
  }

  private func hasChanges(touching query: FetchQuery) -> Bool {
    guard hasChanges else { return false }
    if query.readsRelated { return true }
    let root = query.entity.rootEntity
    return [insertedList, updatedList, deletedList].contains { list in
      list.contains { $0.hasChanges && $0.entity.rootEntity === root }
    }
  }

  /// What the parent or the stores have.
  private func objectIDsBelow(of query: FetchQuery, _ stores: [NSPersistentStore]?) throws -> ObjectIDList {
    if let parent {
      return try parent.performAndWait {
        try parent.numberNewObjects()
        return try parent.objectIDs(of: query, true, stores)
      }
    }
    let coordinator = coordinator
    return try coordinator.performAndWait {
      try coordinator.objectIDs(of: query, in: try coordinator.stores(for: query.entity, among: stores))
    }
  }
}

extension NSPersistentStoreCoordinator {
  /// What stores answer to a query, as if they were one.
  func objectIDs(of query: FetchQuery, in stores: [NSPersistentStore]) throws -> ObjectIDList {
    if stores.count == 1 { return try stores[0].requests.objectIDs(of: query) }
    var each = query.unlimited
    each.limit = query.limit.map { $0 + query.offset }
    let found = try stores.flatMap { store in
      let objects = StoredObjects(store.requests)
      return try objects.objects(Array(try store.requests.objectIDs(of: each)))
    }
    return ObjectIDList(query.slice(try query.sort(found)).map(\.objectID))
  }

  /// The stores that keep an entity, among those that a request names.
  func stores(
    for entity: NSEntityDescription, among named: [NSPersistentStore]?
  ) throws(Diagnostic) -> [NSPersistentStore] {
    let keeping = stores(keeping: entity).filter { store in named?.contains { $0 === store } ?? true }
    guard !keeping.isEmpty else { throw .noStore(for: entity) }
    return keeping
  }
}

// MARK: - Objects

extension NSManagedObjectContext {
  private func objects<T>(of request: NSFetchRequest<T>) throws -> [NSManagedObject] {
    let ids = Array(try objectIDs(of: request))
    guard request.includesPropertyValues, request.fetchBatchSize <= 0 else {
      let objects = ids.map { object(with: $0) }
      if request.fetchBatchSize > 0 { readInBatches(ids, of: request.fetchBatchSize) }
      return objects
    }
    let objects = try read(ids).compactMap(\.self)
    if request.shouldRefreshRefetchedObjects {
      for object in objects where !object.hasChanges { refresh(object, mergeChanges: true) }
    }
    try prefetch(request.relationshipKeyPathsForPrefetching, of: objects)
    return objects
  }

  /// Reads the objects at the ends of key paths, a relationship at a time for all objects.
  private func prefetch(_ keyPaths: [String]?, of objects: [NSManagedObject]) throws {
    for keyPath in keyPaths ?? [] {
      var reached = objects
      for key in keyPath.split(separator: ".").map(String.init) {
        var next: [NSManagedObjectID] = []
        for (entity, objects) in Dictionary(grouping: reached, by: \.entity) {
          guard let relationship = entity.relationshipsByName[key] else {
            throw Diagnostic.unknownFetchKey(key, of: entity)
          }
          if relationship.isToMany {
            try fulfill(relationship, of: objects)
            next += try objects.flatMap { try $0.destinations(of: relationship).map(\.objectID) }
          } else if let place = entity.layout.toOneIndex[key] {
            next += try objects.compactMap { try $0.toOneID(at: place) }
          }
        }
        var seen: Set<NSManagedObjectID> = []
        reached = try read(next.filter { seen.insert($0).inserted }).compactMap(\.self)
        // Nobody else holds them yet.
        lastFulfilled += reached
      }
    }
  }
}
