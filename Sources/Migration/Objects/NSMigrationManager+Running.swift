import Bytes
package import Diagnostics
import Foundation
package import ObjectGraph
import ObjectModel
import Predicates

extension NSMigrationManager {
  /// How many objects are read, made and saved together.
  static let batchSize = 500

  /// Runs the mappings: objects first, then their relationships, then what is checked.
  package func run(
    _ mappingModel: NSMappingModel, in stores: ObjectMigration, progress: (_ objects: Int) -> Void = { _ in }
  ) throws {
    try check(mappingModel)
    self.mappingModel = mappingModel
    self.stores = stores
    sourceCoordinator.add(stores.source)
    destinationCoordinator.add(stores.destination)
    defer {
      sourceCoordinator.remove(stores.source)
      destinationCoordinator.remove(stores.destination)
      sourceContext.reset()
      destinationContext.reset()
      (self.stores, policies, pending, migrationProgress) = (nil, [], PendingAssociations(), 0)
    }
    policies = try mappingModel.entityMappings.map(Self.policy)
    var done = 0
    let mappings = Array(mappingModel.entityMappings.enumerated())
    for (place, mapping) in mappings {
      try create(place, mapping) { count in
        done += count
        progress(done)
      }
      migrationProgress = Float(place + 1) / Float(mappings.count * 2)
    }
    for (place, mapping) in mappings {
      try relate(place, mapping)
      migrationProgress = 0.5 + Float(place + 1) / Float(mappings.count * 2)
    }
    for (place, mapping) in mappings {
      currentEntityMapping = mapping
      try step(mapping) { try policies[place].performCustomValidation(forMapping: mapping, manager: self) }
    }
    try validate(in: stores)
    for (place, mapping) in mappings {
      currentEntityMapping = mapping
      try step(mapping) { try policies[place].end(mapping, manager: self) }
    }
    try save()
  }

  /// Throws where a mapping is of entities that the models do not have, or have in another version.
  private func check(_ mappingModel: NSMappingModel) throws(Diagnostic) {
    for mapping in mappingModel.entityMappings {
      for (name, hash, entities) in [
        (mapping.sourceEntityName, mapping.sourceEntityVersionHash, sourceModel.entitiesByName),
        (mapping.destinationEntityName, mapping.destinationEntityVersionHash, destinationModel.entitiesByName),
      ] {
        guard let name else { continue }
        guard let entity = entities[name] else { throw .mappingWithoutEntity(mapping.name, name) }
        guard hash == nil || hash == entity.versionHash else { throw .mappingOfOtherVersion(mapping.name, name) }
      }
    }
  }

  /// The policy of a mapping.
  private static func policy(of mapping: NSEntityMapping) throws(Diagnostic) -> NSEntityMigrationPolicy {
    guard let name = mapping.entityMigrationPolicyClassName else { return NSEntityMigrationPolicy() }
    guard let type = NSEntityMigrationPolicy.registered(name) else {
      throw .policyMissing(name, mapping.name)
    }
    return type.init()
  }

  // MARK: Passes

  private func create(_ place: Int, _ mapping: NSEntityMapping, progress: (_ count: Int) -> Void) throws {
    currentEntityMapping = mapping
    let policy = policies[place]
    try step(mapping) { try policy.begin(mapping, with: self) }
    if let entity = sourceEntity(for: mapping), mapping.mappingType != .removeEntityMappingType, let stores {
      let condition = try mapping.condition()
      try forEachBatch(of: entity, in: stores.source, sourceContext) { objects in
        for object in objects {
          if let condition, try !mapping.takes(object, by: condition) { continue }
          try step(mapping) {
            try policy.createDestinationInstances(forSource: object, in: mapping, manager: self)
          }
        }
        try save()
        progress(objects.count)
      }
    }
    try step(mapping) { try policy.endInstanceCreation(forMapping: mapping, manager: self) }
    try save()
  }

  private func relate(_ place: Int, _ mapping: NSEntityMapping) throws {
    currentEntityMapping = mapping
    let policy = policies[place]
    try forEachBatch(of: place) { objects, sources in
      batchSources = sources
      defer { batchSources = [:] }
      for object in objects {
        try step(mapping) { try policy.createRelationships(forDestination: object, in: mapping, manager: self) }
      }
      try save()
    }
    try step(mapping) { try policy.endRelationshipCreation(forMapping: mapping, manager: self) }
    try save()
  }

  /// What the destination's rules say of all objects, whether a policy has associated them or not.
  private func validate(in stores: ObjectMigration) throws {
    for entity in destinationModel.entities where !entity.isAbstract {
      try forEachBatch(of: entity, in: stores.destination, destinationContext) { objects in
        for object in objects {
          do { try object.validateForUpdate() } catch let error as Diagnostic { throw error } catch {
            let errors =
              if case SaveError.validation(let invalid) = error { invalid.map { "\($0.error)" } } else { ["\(error)"] }
            throw Diagnostic.invalid(mapping(thatMade: object), object.objectID.key, errors)
          }
        }
      }
    }
  }

  private func mapping(thatMade object: NSManagedObject) -> NSEntityMapping? {
    mappingModel.entityMappings.first {
      !sourceInstances(forEntityMappingName: $0.name, destinationInstances: [object]).isEmpty
    }
  }

  /// How many rows of each entity of the source no mapping takes, since the conditions of all that are for it do not hold, or since
  /// those remove it.
  func rowsLeftOut(
    by model: NSMappingModel, of counts: [String: Int], in migrator: any StoreMigrator
  ) throws -> [(name: String, count: Int)] {
    let mappings = Dictionary(grouping: model.entityMappings.filter { $0.sourceEntityName != nil }) {
      $0.sourceEntityName ?? ""
    }
    return try counts.sorted { $0.key < $1.key }.compactMap { name, count in
      guard count > 0, let own = mappings[name], own.allSatisfy({ $0.entityMigrationPolicyClassName == nil }),
        let entity = sourceModel.entitiesByName[name]
      else { return nil }
      let taking = own.filter { $0.mappingType != .removeEntityMappingType && $0.destinationEntityName != nil }
      if taking.isEmpty { return (name, count) }
      let conditions = try taking.compactMap { mapping in try mapping.condition().map { (mapping, $0) } }
      guard conditions.count == taking.count else { return nil }
      let store = try migrator.objects(sourceModel)
      sourceCoordinator.add(store)
      defer {
        sourceCoordinator.remove(store)
        sourceContext.reset()
      }
      var left = 0
      try forEachBatch(of: entity, in: store, sourceContext) { objects in
        left += try objects.count { object in try !conditions.contains { try $0.takes(object, by: $1) } }
      }
      return left == 0 ? nil : (name, left)
    }
  }

  /// Hands over the objects of an entity itself, batch by batch.
  private func forEachBatch(
    of entity: NSEntityDescription, in store: any PagedStore, _ context: NSManagedObjectContext,
    _ body: ([NSManagedObject]) throws -> Void
  ) throws {
    var last: Int64 = 0
    while true {
      let ids = try store.objectIDs(of: entity, behind: last, limit: Self.batchSize)
      guard let end = ids.last else { return }
      last = end.key
      try body(context.fulfill(ids).compactMap(\.self))
    }
  }

  private func save() throws {
    // Nothing of the store was changed, and what is made is removed again.
    if StopSignals.received != nil { throw CancellationError() }
    if destinationContext.hasChanges { try destinationContext.save() }
    try keepAssociations()
  }

  /// Runs one call of a policy; what it could not throw is thrown now.
  private func step(_ mapping: NSEntityMapping, _ body: () throws -> Void) throws {
    if let cancellation { throw cancellation }
    do {
      try body()
      if let failure { throw failure }
    } catch let error as Diagnostic {
      throw error
    } catch {
      throw Diagnostic.policyFailed(mapping, error)
    }
  }
}

extension NSEntityMapping {
  /// The condition of the objects that it takes.
  fileprivate func condition() throws -> PredicateTree? {
    try sourcePredicateFormat.map { format in try naming { try PredicateTree(format: format) } }
  }

  fileprivate func takes(_ object: NSManagedObject, by condition: PredicateTree) throws -> Bool {
    try naming { try condition.holds(for: object) }
  }

  private func naming<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as Diagnostic {
      throw Diagnostic(error.code, "\(name), the condition: \(error.message)", hint: error.hint)
    }
  }
}

extension Diagnostic.Code {
  /// A policy's class is not there, or it failed.
  package static let migrationPolicy = Diagnostic.Code("migration.policy", .store)
}

extension Diagnostic {
  fileprivate static func mappingWithoutEntity(_ mapping: String, _ entity: String) -> Diagnostic {
    Diagnostic(
      .mappingModel, "the mapping \(mapping) is of the entity \(entity), which its model does not have",
      hint: "Look for the name in the models of both versions.")
  }

  fileprivate static func mappingOfOtherVersion(_ mapping: String, _ entity: String) -> Diagnostic {
    Diagnostic(
      .mappingModel, "the mapping \(mapping) is for another version of the entity \(entity)",
      hint: "Take the mapping model that was made for these two versions.")
  }

  static func policyMissing(_ name: String, _ mapping: String) -> Diagnostic {
    Diagnostic(
      .migrationPolicy, "the mapping \(mapping) wants the policy \(name), which no program has registered",
      hint: "Migrate by a program that registers the class: \(name.split(separator: ".").last ?? "").register().")
  }

  fileprivate static func policyFailed(_ mapping: NSEntityMapping, _ error: any Error) -> Diagnostic {
    Diagnostic(
      .migrationPolicy,
      "the policy \(mapping.entityMigrationPolicyClassName ?? "NSEntityMigrationPolicy") of the mapping \(mapping.name) "
        + "failed: \(error)", hint: "The store is as it was.")
  }

  fileprivate static func invalid(_ mapping: NSEntityMapping?, _ key: Int64, _ errors: [String]) -> Diagnostic {
    Diagnostic(
      .migrationRows,
      "what \(mapping.map { "the mapping \($0.name)" } ?? "a policy") made is not valid: p\(key): \(errors.joined(separator: ", "))",
      hint: "The store is as it was.")
  }
}
