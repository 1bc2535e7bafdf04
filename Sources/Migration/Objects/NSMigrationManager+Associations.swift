import Diagnostics
public import ObjectGraph
import ObjectModel

extension NSMigrationManager {
  /// Notes that an object was made of another by a mapping; several may be made of one.
  public func associate(
    sourceInstance: NSManagedObject, withDestinationInstance destinationInstance: NSManagedObject,
    for entityMapping: NSEntityMapping
  ) {
    guard let place = place(of: entityMapping.name) else { return }
    pending.add(place, sourceInstance, destinationInstance)
  }

  /// The objects that a mapping made of some objects; of all for nil.
  public func destinationInstances(
    forEntityMappingName mappingName: String, sourceInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    guard let place = place(of: mappingName) else { return [] }
    return noting {
      guard let sourceInstances else { return try allDestinations(place) }
      return try sourceInstances.flatMap { try destinations(place, of: $0) }
    }
  }

  /// The objects of which a mapping made some objects; all of them for nil.
  public func sourceInstances(
    forEntityMappingName mappingName: String, destinationInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    guard let place = place(of: mappingName), let stores else { return [] }
    return noting {
      let objects = try destinationInstances ?? allDestinations(place)
      return try objects.flatMap { object in
        let pending = pending.sources(place, of: object)
        guard let row = row(object, in: destinationModel) else { return pending }
        let rows = try stores.associations.sources(mapping: place, destination: row)
        return pending + (try self.objects(rows, sourceModel, stores.source, sourceContext))
      }
    }
  }

  /// The objects that any mapping made of some objects.
  func destinationInstances(of sourceInstances: [NSManagedObject]) throws -> [NSManagedObject] {
    try sourceInstances.flatMap { object in
      try mappingModel.entityMappings.indices.flatMap { place -> [NSManagedObject] in
        guard let entity = sourceEntity(for: mappingModel.entityMappings[place]), object.entity.isKindOf(entity: entity)
        else { return [] }
        return try destinations(place, of: object)
      }
    }
  }

  // MARK: By place of the mapping

  private func place(of name: String) -> Int? { mappingModel.entityMappings.firstIndex { $0.name == name } }

  private func destinations(_ place: Int, of object: NSManagedObject) throws -> [NSManagedObject] {
    let pending = pending.destinations(place, of: object)
    guard let stores, let row = row(object, in: sourceModel) else { return pending }
    let rows = try stores.associations.destinations(mapping: place, source: row)
    return try objects(rows, destinationModel, stores.destination, destinationContext) + pending
  }

  private func allDestinations(_ place: Int) throws -> [NSManagedObject] {
    var found: [NSManagedObject] = []
    try forEachBatch(of: place) { objects, _ in found += objects }
    return found + pending.destinations(place)
  }

  /// Hands over the objects that a mapping made and that are saved, batch by batch, with the first that each was made of.
  func forEachBatch(
    of place: Int, _ body: (_ objects: [NSManagedObject], _ sources: [ObjectIdentifier: NSManagedObject]) throws -> Void
  ) throws {
    guard let stores else { return }
    var last: Int64 = 0
    while true {
      let batch = try stores.associations.destinations(mapping: place, after: last, limit: Self.batchSize)
      guard let end = batch.last else { return }
      last = end.number
      let made = try fulfill(batch.map(\.row), destinationModel, stores.destination, destinationContext)
      let sources = try fulfill(batch.compactMap(\.source), sourceModel, stores.source, sourceContext)
      var bySource: [ObjectIdentifier: NSManagedObject] = [:]
      var place = sources.makeIterator()
      for (row, object) in zip(batch, made) where row.source != nil {
        guard let source = place.next() else { break }
        if let object, let source { bySource[ObjectIdentifier(object)] = source }
      }
      try body(made.compactMap(\.self), bySource)
    }
  }

  /// The object that an object was made of by the mapping that is at work; of several the first.
  func source(of object: NSManagedObject, _ mapping: NSEntityMapping) -> NSManagedObject? {
    batchSources[ObjectIdentifier(object)]
      ?? sourceInstances(forEntityMappingName: mapping.name, destinationInstances: [object]).first
  }

  /// Writes down what was associated, once the objects are saved.
  func keepAssociations() throws {
    guard let stores else { return }
    for (place, source, destination) in pending.all {
      guard let row = row(destination, in: destinationModel) else { continue }
      try stores.associations.add(
        mapping: place, source: source.flatMap { self.row($0, in: sourceModel) }, destination: row)
    }
    pending = PendingAssociations()
  }

  // MARK: Rows and objects

  private func row(_ object: NSManagedObject, in model: NSManagedObjectModel) -> AssociatedRow? {
    let id = object.objectID
    guard !id.isTemporaryID, let entity = model.entities.firstIndex(where: { $0 === id.entity }) else { return nil }
    return AssociatedRow(entity: entity, key: id.key)
  }

  private func objects(
    _ rows: [AssociatedRow], _ model: NSManagedObjectModel, _ store: any StoreRequests,
    _ context: NSManagedObjectContext
  ) throws -> [NSManagedObject] {
    try rows.isEmpty ? [] : fulfill(rows, model, store, context).compactMap(\.self)
  }

  private func fulfill(
    _ rows: [AssociatedRow], _ model: NSManagedObjectModel, _ store: any StoreRequests,
    _ context: NSManagedObjectContext
  ) throws -> [NSManagedObject?] {
    try context.fulfill(
      rows.map { row in
        NSManagedObjectID(entity: model.entities[row.entity], store: store, key: row.key, isTemporary: false)
      })
  }

  /// What Apple's methods cannot throw ends the run when the policy returns.
  private func noting(_ body: () throws -> [NSManagedObject]) -> [NSManagedObject] {
    do { return try body() } catch {
      failure = failure ?? error
      return []
    }
  }
}

/// Associations of objects that are not saved yet.
struct PendingAssociations {
  private(set) var all: [(place: Int, source: NSManagedObject?, destination: NSManagedObject)] = []
  private var bySource: [ObjectIdentifier: [Int]] = [:]
  private var byDestination: [ObjectIdentifier: [Int]] = [:]

  mutating func add(_ place: Int, _ source: NSManagedObject, _ destination: NSManagedObject) {
    bySource[ObjectIdentifier(source), default: []].append(all.count)
    byDestination[ObjectIdentifier(destination), default: []].append(all.count)
    all.append((place, source, destination))
  }

  func destinations(_ place: Int, of source: NSManagedObject) -> [NSManagedObject] {
    (bySource[ObjectIdentifier(source)] ?? []).filter { all[$0].place == place }.map { all[$0].destination }
  }

  func destinations(_ place: Int) -> [NSManagedObject] { all.filter { $0.place == place }.map(\.destination) }

  func sources(_ place: Int, of destination: NSManagedObject) -> [NSManagedObject] {
    (byDestination[ObjectIdentifier(destination)] ?? []).filter { all[$0].place == place }.compactMap { all[$0].source }
  }
}
