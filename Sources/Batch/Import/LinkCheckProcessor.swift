import Conversion
import Diagnostics
import ObjectGraph
import ObjectModel
import Records
import Values

/// Looks at the objects of a step whose relationships were to be filled later: one that has too few destinations, when all
/// steps are done, is removed, and its record refused.
final class LinkCheckProcessor: ChunkProcessor {
  private let plan: ImportPlan
  private let names: any ObjectNames
  /// The names of the objects that the last chunk removes, or finds removed.
  private var gone: [String] = []

  init(_ plan: ImportPlan, names: any ObjectNames) {
    self.plan = plan
    self.names = names
  }

  func process(
    _ chunk: RecordChunk, _ refusals: inout Refusals, in context: NSManagedObjectContext
  ) throws -> StepCounts {
    gone.removeAll()
    guard let column = plan.names else { return StepCounts() }
    var named: [(record: Int, name: String)] = []
    for record in 0..<chunk.count where !refusals.contains(record) {
      if case .string(let name)? = try? column.converter.value(chunk, record) {
        named.append((record, name))
      } else {
        refusals.leaveOut(record)
      }
    }
    var records: [(record: Int, name: String)] = []
    var objectIDs: [NSManagedObjectID] = []
    for (record, objectID) in zip(named, try names.objectIDs(named: named.map(\.name))) {
      guard let objectID, objectID.entity === plan.entity else {
        // An earlier pass has refused it.
        refusals.leaveOut(record.record)
        continue
      }
      records.append(record)
      objectIDs.append(objectID)
    }
    let objects = try context.fulfill(objectIDs)
    for relationship in plan.entity.layout.toMany where relationship.hasLeastCount {
      try context.fulfill(relationship, of: objects.compactMap(\.self))
    }
    var counts = StepCounts()
    var doomed: [NSManagedObject] = []
    for ((record, name), object) in zip(records, objects) {
      let position = chunk.position(of: record, in: plan.converter.file)
      guard let object else {
        refusals.refuse(record, .removedWithOther(plan.entity, at: position), .write)
        gone.append(name)
        continue
      }
      if let error = try object.linkErrors().first {
        refusals.refuse(record, error.diagnostic(at: position), .write)
        gone.append(name)
        doomed.append(object)
      } else {
        counts.unchangedCount += 1
      }
    }
    try context.delete(doomed)
    return counts
  }

  func chunkWasCommitted(_ rowIDs: [NSManagedObjectID]) throws { try names.remove(gone) }

  func record(of objectID: NSManagedObjectID) -> Int? { nil }
}

extension NSEntityDescription {
  /// Whether an object may have too few destinations of a relationship.
  var hasLeastCounts: Bool { (layout.toOne + layout.toMany).contains(where: \.hasLeastCount) }
}
