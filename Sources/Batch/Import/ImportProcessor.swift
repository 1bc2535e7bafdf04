import Conversion
import Diagnostics
import ObjectGraph
import ObjectModel
import Records
import Values

/// Makes and updates objects of one entity from records.
final class ImportProcessor: ChunkProcessor {
  let isSecondPass = false
  private let plan: ImportPlan
  private let rows: AttributeColumns
  /// The records of the objects that were made or changed by the last chunk.
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
      if let trouble = plan.converter.convert(chunk, record, into: rows) { refusals.refuse(record, trouble, .process) }
    }
    var links: [ChunkLinks] = []
    for link in plan.links { links.append(try ChunkLinks(link, chunk, &refusals, in: context)) }
    var targets = try KeyTable(plan.rule == .insert ? nil : plan.key, rows, refusals, in: context)
    var constraints: [KeyTable] = []
    for constraint in plan.constraints { constraints.append(try KeyTable(constraint, rows, refusals, in: context)) }
    _ = try context.fulfill(targets.found)

    var counts = StepCounts()
    for row in 0..<rows.rowCount where !refusals.contains(rows.records[row]) {
      let record = rows.records[row]
      do {
        let target = try target(row, &targets, chunk)
        if plan.rule == .skip, target != nil {
          counts.filterCount += 1
          continue
        }
        if let error = rows.validate(row: row) {
          refusals.refuse(record, error.diagnostic(at: position(of: record, chunk)), .write)
          continue
        }
        for constraint in constraints { try constraint.check(row, isFor: target, at: position(of: record, chunk)) }
        let destinations = try destinations(record, &links, chunk, in: context, &counts)
        let object = try apply(row, to: target, destinations, in: context, &counts)
        targets.claim(row, object, record: record)
        for index in constraints.indices { constraints[index].claim(row, object, record: record) }
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

  // MARK: One row

  /// The object that has the row's key already; nil for a new one.
  private func target(
    _ row: Int, _ targets: inout KeyTable, _ chunk: RecordChunk
  ) throws(Diagnostic) -> NSManagedObject? {
    guard plan.rule != .insert, let key = plan.key else { return nil }
    let position = position(of: rows.records[row], chunk)
    switch targets.owner(row) {
    case .null: throw .nullKey(key.names, at: position)
    case .none: return nil
    case .several: throw .ambiguousKey(key.names, of: plan.entity, at: position)
    case .stored(let object):
      if plan.rule == .fail { throw .keyExists(key.names, of: plan.entity, at: position) }
      return object
    case .claimed(let object, let record):
      if plan.rule == .fail { throw .keyRepeated(key.names, line: chunk.positions[record].line, at: position) }
      return object
    }
  }

  /// The destinations of a record's relationships, link by link.
  private func destinations(
    _ record: Int, _ links: inout [ChunkLinks], _ chunk: RecordChunk, in context: NSManagedObjectContext,
    _ counts: inout StepCounts
  ) throws(Diagnostic) -> [[NSManagedObject]] {
    var result: [[NSManagedObject]] = []
    result.reserveCapacity(links.count)
    for (index, link) in plan.links.enumerated() {
      result.append(
        try link.destinations(record, &links[index], at: position(of: record, chunk), in: context, &counts))
    }
    for place in plan.requiredLinks {
      let relationship = plan.entity.layout.toOne[place]
      guard let index = plan.links.firstIndex(where: { $0.relationship === relationship }), result[index].isEmpty
      else { continue }
      throw .requiredDestination(relationship, at: position(of: record, chunk))
    }
    return result
  }

  /// Gives the row's values and destinations to its object.
  private func apply(
    _ row: Int, to target: NSManagedObject?, _ destinations: [[NSManagedObject]], in context: NSManagedObjectContext,
    _ counts: inout StepCounts
  ) throws -> NSManagedObject {
    let object = target ?? context.insert(rows, row: row)
    var changed = try target?.update(from: rows, row: row) ?? true
    for (link, objects) in zip(plan.links, destinations) {
      if try link.set(objects, of: object) { changed = true }
    }
    if target == nil {
      counts.insertCount += 1
    } else if changed {
      counts.updateCount += 1
    } else {
      counts.unchangedCount += 1
    }
    return object
  }

  private func position(of record: Int, _ chunk: RecordChunk) -> SourcePosition {
    chunk.position(of: record, in: plan.converter.file)
  }
}

extension LinkPlan {
  /// Makes some objects the destinations of another and says whether it had others before.
  func set(_ destinations: [NSManagedObject], of object: NSManagedObject) throws -> Bool {
    if relationship.isToMany { return try object.setToMany(relationship, to: destinations) }
    // The object may be of a subentity, whose layout has other places.
    guard let place = object.entity.layout.toOneIndex[relationship.name] else { return false }
    return try object.setToOne(place, to: destinations.first)
  }

  /// The objects that a record's keys name, by the rule for keys that nobody has.
  func destinations(
    _ record: Int, _ links: inout ChunkLinks, at position: SourcePosition, in context: NSManagedObjectContext,
    _ counts: inout StepCounts
  ) throws(Diagnostic) -> [NSManagedObject] {
    guard let keys = links.keys[record] else { return [] }
    var objects: [NSManagedObject] = []
    for key in keys {
      switch links.destination(of: key) {
      case .object(let object): objects.append(object)
      case .ambiguous: throw .ambiguousDestination(relationship, key, at: position)
      case .missing:
        switch missing {
        case .reject: throw .missingDestination(relationship, key, at: position)
        case .null: counts.nullLinkCount += 1
        case .create:
          let object = NSManagedObject(entity: destination, insertInto: context)
          object.setValue(key, at: keyPlace)
          links.add(object, for: key)
          counts.createCount += 1
          objects.append(object)
        }
      }
    }
    return objects
  }
}

extension RecordChunk {
  /// The place of a record, for messages.
  func position(of record: Int, in file: String) -> SourcePosition {
    let position = positions[record]
    return SourcePosition(file: file, record: position.record, line: position.line, byte: position.byte)
  }
}
