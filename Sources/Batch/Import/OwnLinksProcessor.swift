import Conversion
import Diagnostics
import ObjectGraph
import ObjectModel
import Records

/// Fills the relationships between objects of one entity's hierarchy, in a second pass over the input: when all objects are
/// there, a record may name one that stands further down, or itself.
final class OwnLinksProcessor: ChunkProcessor {
  let isSecondPass = true
  private let plan: ImportPlan
  private let rows: AttributeColumns
  private var records: [ObjectIdentifier: Int] = [:]
  private weak var context: NSManagedObjectContext?

  init(_ plan: ImportPlan, chunk: Int) {
    self.plan = plan
    rows = plan.converter.makeColumns(capacity: chunk)
  }

  func process(
    _ chunk: RecordChunk, _ refusals: inout Refusals, in context: NSManagedObjectContext
  ) throws -> StepCounts {
    self.context = context
    records.removeAll(keepingCapacity: true)
    rows.removeAll()
    for record in 0..<chunk.count where !refusals.contains(record) {
      if let trouble = plan.converter.convert(chunk, record, into: rows) { refusals.refuse(record, trouble, .earlier) }
    }
    let owners = try KeyTable(plan.key, rows, refusals, in: context)
    var links: [ChunkLinks] = []
    for link in plan.ownLinks { links.append(try ChunkLinks(link, chunk, &refusals, in: context)) }
    _ = try context.fulfill(owners.found)

    var counts = StepCounts()
    for row in 0..<rows.rowCount where !refusals.contains(rows.records[row]) {
      let record = rows.records[row]
      guard case .stored(let object) = owners.owner(row) else {
        counts.filterCount += 1
        continue
      }
      do {
        let position = chunk.position(of: record, in: plan.converter.file)
        var destinations: [[NSManagedObject]] = []
        for (index, link) in plan.ownLinks.enumerated() {
          destinations.append(try link.destinations(record, &links[index], at: position, in: context, &counts))
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

  func record(of objectID: NSManagedObjectID) -> Int? {
    context?.registeredObject(for: objectID).flatMap { records[ObjectIdentifier($0)] }
  }
}
