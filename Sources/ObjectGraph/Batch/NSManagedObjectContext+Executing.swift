import Diagnostics
import Foundation
import ObjectModel
import Predicates
import Values

extension NSManagedObjectContext {
  /// Runs a batch request in the stores, past this context and all others: none of their objects is changed.
  ///
  /// Each store does all of it or nothing.
  ///
  /// - Throws: `SaveError`.
  @discardableResult
  public func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    do {
      return try coordinator.performAndWait { try coordinator.execute(request) }
    } catch let diagnostic as Diagnostic {
      throw SaveError.store(diagnostic)
    }
  }
}

extension NSPersistentStoreCoordinator {
  fileprivate func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
    switch request {
    case let request as NSBatchInsertRequest: try execute(request)
    case let request as NSBatchUpdateRequest: try execute(request)
    case let request as NSBatchDeleteRequest: try execute(request)
    default: preconditionFailure("\(type(of: request)) is no request that a context can execute")
    }
  }

  // MARK: Inserting

  private func execute(_ request: NSBatchInsertRequest) throws -> NSPersistentStoreResult {
    let entity = try request.target.entity(in: self)
    if entity.isAbstract { throw Diagnostic.abstractEntity(entity) }
    let store = try request.affectedStores.map { try stores(for: entity, among: $0)[0] } ?? store(for: entity)
    if store.isReadOnly { throw Diagnostic.readOnly(store) }
    let rows = BatchRows(request.source, of: entity)
    let keys = try store.requests.insert { try rows.next() }
    store.hasUnsavedMetadata = false
    let result: Any =
      switch request.resultType {
      case .statusOnly: NSNumber(value: true)
      case .count: NSNumber(value: keys.reduce(0) { $0 + $1.count })
      case .objectIDs:
        keys.joined().map { NSManagedObjectID(entity: entity, store: store, key: $0, isTemporary: false) }
      }
    return NSBatchInsertResult(request.resultType, result)
  }

  // MARK: Updating

  private func execute(_ request: NSBatchUpdateRequest) throws -> NSPersistentStoreResult {
    let entity = try request.target.entity(in: self)
    let (values, expressions) = try entity.updates(request.propertiesToUpdate ?? [:])
    let computed = expressions.isEmpty ? nil : try ComputedUpdate(expressions, values, of: entity)
    var count = 0
    var updated: [NSManagedObjectID] = []
    for store in try stores(for: entity, among: request.affectedStores) {
      if store.isReadOnly { throw Diagnostic.readOnly(store) }
      if let computed {
        var query = FetchQuery(entity: entity)
        query.includesSubentities = request.includesSubentities
        try query.setPredicate(request.predicate)
        if query.predicate.hasBlock {
          let ids = try objectIDs(of: entity, request.includesSubentities, request.predicate, in: store)
          query.predicate = .comparison(.init(.evaluatedObject, .isIn, .constant(.list(ids.map { .object($0) }))))
        }
        let changes = try computed.changes(of: query, in: store.requests)
        try store.requests.save(changes)
        updated += changes.updated.map(\.objectID)
        count += changes.updated.count
        continue
      }
      let wantsIDs = request.resultType == .updatedObjectIDsResultType || request.predicate != nil
      let ids = try wantsIDs ? objectIDs(of: entity, request.includesSubentities, request.predicate, in: store) : nil
      updated += ids ?? []
      count += try store.requests.update(
        BatchUpdate(
          entity: entity, includesSubentities: request.includesSubentities, objectIDs: ids, values: values))
    }
    let result: Any =
      switch request.resultType {
      case .statusOnlyResultType: NSNumber(value: true)
      case .updatedObjectsCountResultType: NSNumber(value: count)
      case .updatedObjectIDsResultType: updated
      }
    return NSBatchUpdateResult(request.resultType, result)
  }

  // MARK: Deleting

  private func execute(_ request: NSBatchDeleteRequest) throws -> NSPersistentStoreResult {
    var ids: [NSManagedObjectID] = []
    switch request.objects {
    case .ids(let given):
      let affected = request.affectedStores
      ids = given.filter { id in affected?.contains { $0 === id.persistentStore } ?? true }
    case .fetched(let query):
      let query = try query(self)
      let stores = try stores(for: query.entity, among: request.affectedStores)
      guard !query.predicate.hasBlock else { throw Diagnostic.blockInRows() }
      ids = Array(try objectIDs(of: query, in: stores))
    case .all(let target, let predicate, let includesSubentities):
      let entity = try target.entity(in: self)
      for store in try stores(for: entity, among: request.affectedStores) {
        ids += try objectIDs(of: entity, includesSubentities, predicate, in: store)
      }
    }
    // A context of its own follows the delete rules as any other does, without the objects' own classes.
    let context = NSManagedObjectContext(coordinator: self)
    context.hasPlainObjects = true
    context.isBatch = true
    let objects = try context.fulfill(ids).compactMap(\.self)
    let deleted = objects.map(\.objectID)
    try context.delete(objects)
    try context.save()
    let result: Any =
      switch request.resultType {
      case .resultTypeStatusOnly: NSNumber(value: true)
      case .resultTypeCount: NSNumber(value: deleted.count)
      case .resultTypeObjectIDs: deleted
      }
    return NSBatchDeleteResult(request.resultType, result)
  }

  // MARK: Which stores and objects

  /// The objects of an entity in a store for which a predicate holds; with somebody's own code, they are read in chunks.
  private func objectIDs(
    of entity: NSEntityDescription, _ includesSubentities: Bool, _ predicate: NSPredicate?, in store: NSPersistentStore
  ) throws -> [NSManagedObjectID] {
    var query = FetchQuery(entity: entity)
    query.includesSubentities = includesSubentities
    try query.setPredicate(predicate)
    guard query.predicate.hasBlock, let predicate else { return Array(try store.requests.objectIDs(of: query)) }
    let all = try store.requests.objectIDs(of: entity, includingSubentities: includesSubentities)
    let context = NSManagedObjectContext(coordinator: self)
    context.isBatch = true
    var found: [NSManagedObjectID] = []
    for start in stride(from: 0, to: all.count, by: 1000) {
      let objects = try context.fulfill(Array(all[start...].prefix(1000))).compactMap(\.self)
      found += objects.filter { predicate.evaluate(with: $0) }.map(\.objectID)
      context.reset()
    }
    return found
  }
}

extension NSEntityDescription {
  /// The values of an update by places of the layout, checked against the attributes' limits, and the expressions.
  fileprivate func updates(
    _ properties: [AnyHashable: Any]
  ) throws -> (values: [(place: Int, value: Value)], expressions: [(place: Int, expression: ExpressionTree)]) {
    var named: [String: Any] = [:]
    var expressions: [(place: Int, expression: ExpressionTree)] = []
    for (key, value) in properties {
      let name = (key.base as? String) ?? (key.base as? NSPropertyDescription)?.name
      guard let name else { throw Diagnostic.noStoredAttribute("\(key)", of: self) }
      if let expression = value as? ExpressionTree {
        expressions.append((try batchPlace(name), expression))
      } else {
        named[name] = value
      }
    }
    let values = try batchValues(named).sorted { $0.key < $1.key }.map { (place: $0.key, value: $0.value) }
    let emptied = Set(values.filter(\.value.isNull).map(\.place))
    let invalid = values.compactMap { validate($0.value, at: $0.place) { !emptied.contains($0) } }
    guard invalid.isEmpty else {
      throw SaveError.validation(invalid.map { .init(objectID: .temporary(self), error: $0) })
    }
    return (values, expressions.sorted { $0.place < $1.place })
  }
}
