import Conversion
import Diagnostics
import ObjectGraph
import ObjectModel
import Records

/// Fills the relationships between objects of one entity's hierarchy, in a second pass over the input: when all objects are
/// there, a record may name one that stands further down, or itself.
final class OwnLinksProcessor: ChunkProcessor {
  private let plan: ImportPlan
  private let rows: AttributeColumns
  private var records: [ObjectIdentifier: Int] = [:]
  private weak var context: NSManagedObjectContext?
  /// The records that the first pass left out: what they say of an object that is there must not change it now.
  private let leftOut: RecordNumbers

  init(_ plan: ImportPlan, passingOver leftOut: RecordNumbers) {
    self.plan = plan
    self.leftOut = leftOut
    rows = plan.converter.makeColumns()
  }

  func process(
    _ chunk: RecordChunk, _ refusals: inout Refusals, in context: NSManagedObjectContext
  ) throws -> StepCounts {
    self.context = context
    records.removeAll(keepingCapacity: true)
    rows.removeAll()
    for record in 0..<chunk.count where !refusals.contains(record) {
      if leftOut.contains(chunk.positions[record].record)
        || plan.converter.convert(chunk, record, into: rows) != nil
      {
        refusals.leaveOut(record)
      }
    }
    let owners = try KeyTable(plan.key, rows, refusals, in: context)
    var links: [ChunkLinks] = []
    for link in plan.ownLinks { links.append(try ChunkLinks(link, chunk, &refusals, in: context)) }
    _ = try context.fulfill(owners.found)

    var counts = StepCounts()
    for row in 0..<rows.rowCount where !refusals.contains(rows.records[row]) {
      let record = rows.records[row]
      do {
        let position = chunk.position(of: record, in: plan.converter.file)
        guard let object = try owner(row, owners, names: links.contains { $0.hasKeys(record) }, at: position) else {
          counts.filterCount += 1
          continue
        }
        let destinations = try plan.ownLinks.destinations(record, &links, at: position, in: context, &counts) {
          records[ObjectIdentifier($0)] = record
        }
        var changed = false
        for (link, objects) in zip(plan.ownLinks, destinations) {
          if try link.set(objects, of: object) { changed = true }
        }
        if changed { counts.updateCount += 1 } else { counts.unchangedCount += 1 }
        records[ObjectIdentifier(object)] = record
      } catch let error as Diagnostic where error.code.fate == .reject {
        refusals.refuse(record, error, .process)
      }
    }
    return counts
  }

  /// The object whose links a record holds; nil if it has no key and names nothing.
  private func owner(
    _ row: Int, _ owners: KeyTable, names: Bool, at position: SourcePosition
  ) throws(Diagnostic) -> NSManagedObject? {
    let key = plan.key?.names ?? []
    switch owners.owner(row) {
    case .stored(let object), .claimed(let object, _): return object
    case .several: throw .ambiguousKey(key, of: plan.entity, at: position)
    case .null, .none, .row:
      if names { throw .nullKey(key, at: position) }
      return nil
    }
  }

  func record(of objectID: NSManagedObjectID) -> Int? {
    context?.registeredObject(for: objectID).flatMap { records[ObjectIdentifier($0)] }
  }
}
