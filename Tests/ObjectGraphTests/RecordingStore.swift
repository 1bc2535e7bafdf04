import Diagnostics
import ObjectModel

@testable import ObjectGraph

/// An in-memory store that notes what it is asked, and can be made to fail.
final class RecordingStore: NSPersistentStore, StoreRequests, @unchecked Sendable {
  var calls: [String] = []
  /// The last changes that were saved.
  var changes = StoreChanges()
  /// What the next requests throw.
  var failure: (any Error)?
  /// Whether saving alone fails.
  var savingFails = false
  private let memory: InMemoryStore

  init(model: NSManagedObjectModel) {
    memory = InMemoryStore(model: model)
    super.init(url: nil, model: model)
  }

  override var identifier: String { memory.identifier }
  override var type: String { "Recording" }

  private func note(_ call: String) throws {
    calls.append(call)
    if let failure { throw failure }
  }

  func reserveKeys(_ count: Int, for rootEntity: NSEntityDescription) throws -> Int64 {
    try note("reserve \(count) \(rootEntity.name ?? "")")
    return memory.reserveKeys(count, for: rootEntity)
  }

  func save(_ changes: StoreChanges) throws {
    self.changes = changes
    try note(
      "save +\(changes.inserted.count) ~\(changes.updated.count) -\(changes.deleted.count) *\(changes.toMany.count)")
    if savingFails { throw Diagnostic(.init("test.save", .environment), "the disk is full", hint: "Free some space.") }
    try memory.save(changes)
  }

  func rows(for objectIDs: [NSManagedObjectID]) throws -> [StoredRow?] {
    try note("rows \(objectIDs.count)")
    return memory.rows(for: objectIDs)
  }

  func destinations(
    of relationship: NSRelationshipDescription, for sources: [NSManagedObjectID]
  ) throws -> [[NSManagedObjectID]] {
    try note("\(relationship.name) of \(sources.count)")
    return memory.destinations(of: relationship, for: sources)
  }

  func objectIDs(of entity: NSEntityDescription, includingSubentities: Bool) throws -> [NSManagedObjectID] {
    try note("IDs of \(entity.name ?? "")")
    return memory.objectIDs(of: entity, includingSubentities: includingSubentities)
  }

  func lookUp(_ request: KeyLookupRequest) throws -> [KeyLookupRequest.Answer] {
    try note("look up \(request.keys.count) in \(request.entity.name ?? "")")
    return memory.lookUp(request)
  }
}
