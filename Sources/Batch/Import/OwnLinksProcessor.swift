import Conversion
import Diagnostics
import ObjectGraph
import ObjectModel
import Records
import Values

/// Fills the relationships between objects of one entity's hierarchy, in a second pass over the input: when all objects are
/// there, a record may name one that stands further down, or itself.
final class OwnLinksProcessor: ChunkProcessor {
  private let plan: ImportPlan
  private let rows: AttributeColumns
  private var records: [ObjectIdentifier: Int] = [:]
  private weak var context: NSManagedObjectContext?
  /// The records that the first pass left out: what they say of an object that is there must not change it now.
  private let leftOut: RecordNumbers
  /// The names that the records of the run have given.
  private let names: any ObjectNames

  init(_ plan: ImportPlan, passingOver leftOut: RecordNumbers, names: any ObjectNames) {
    self.plan = plan
    self.names = names
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
    let owners = try Owners(plan, rows, chunk, refusals, in: context, names)
    var links: [ChunkLinks] = []
    for link in plan.ownLinks { links.append(try ChunkLinks(link, chunk, &refusals, in: context, names)) }
    _ = try context.fulfill(owners.found)

    var counts = StepCounts()
    for row in 0..<rows.rowCount where !refusals.contains(rows.records[row]) {
      let record = rows.records[row]
      do {
        let position = chunk.position(of: record, in: plan.converter.file)
        guard let object = try owners.owner(row, names: links.contains { $0.hasKeys(record) }, at: position) else {
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

  func record(of objectID: NSManagedObjectID) -> Int? {
    context?.registeredObject(for: objectID).flatMap { records[ObjectIdentifier($0)] }
  }
}

/// The objects whose links the records of a chunk hold: found by the names that the records give, or else by the key.
private struct Owners {
  private let plan: ImportPlan
  private let keys: KeyTable
  private var named: [NSManagedObject?] = []
  /// The objects in the store.
  let found: [NSManagedObjectID]

  init(
    _ plan: ImportPlan, _ rows: AttributeColumns, _ chunk: RecordChunk, _ refusals: Refusals,
    in context: NSManagedObjectContext, _ names: any ObjectNames
  ) throws {
    self.plan = plan
    keys = try KeyTable(plan.names == nil ? plan.key : nil, rows, refusals, in: context)
    guard let column = plan.names else {
      found = keys.found
      return
    }
    // What cannot be read as a name has been refused by the first pass.
    let texts = rows.records.map { record in (try? column.converter.value(chunk, record)) ?? .null }
    let answers = try column.lookUp(texts, of: plan.entity, in: context, names)
    let objectIDs = answers.map { answer -> NSManagedObjectID? in
      if case .one(let objectID) = answer { objectID } else { nil }
    }
    found = objectIDs.compactMap(\.self)
    named = objectIDs.map { $0.map(context.object(with:)) }
  }

  /// The object whose links a record holds; nil if it has no key and names nothing.
  func owner(_ row: Int, names: Bool, at position: SourcePosition) throws(Diagnostic) -> NSManagedObject? {
    if plan.names != nil {
      if named[row] == nil, names { throw .nullName(at: position) }
      return named[row]
    }
    let key = plan.key?.names ?? []
    switch keys.owner(row) {
    case .stored(let object), .claimed(let object, _): return object
    case .several: throw .ambiguousKey(key, of: plan.entity, at: position)
    case .null, .none, .row:
      if names { throw .nullKey(key, at: position) }
      return nil
    }
  }
}
