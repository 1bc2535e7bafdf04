import Conversion
import Diagnostics
import ObjectGraph
import ObjectModel
import Records
import Values

/// Makes and updates objects of one entity from records.
final class ImportProcessor: ChunkProcessor {
  private let plan: ImportPlan
  private let rows: AttributeColumns
  /// The records of the objects that were made or changed by the last chunk.
  private var records: [ObjectIdentifier: Int] = [:]
  private(set) var passedOver: [Int] = []
  private(set) var rowsToInsert: AttributeColumns?
  private weak var context: NSManagedObjectContext?
  /// The names that the records of the run have given so far.
  private let names: any ObjectNames
  /// The names that the last chunk gives, with its objects.
  private var named: [(name: String, object: NSManagedObject)] = []
  /// The names of the rows to insert.
  private var namesOfRows: [String] = []

  init(_ plan: ImportPlan, names: any ObjectNames) {
    self.plan = plan
    self.names = names
    rows = plan.converter.makeColumns()
  }

  func process(
    _ chunk: RecordChunk, _ refusals: inout Refusals, in context: NSManagedObjectContext
  ) throws -> StepCounts {
    self.context = context
    records.removeAll(keepingCapacity: true)
    passedOver.removeAll(keepingCapacity: true)
    named.removeAll(keepingCapacity: true)
    namesOfRows.removeAll(keepingCapacity: true)
    rowsToInsert = nil
    rows.removeAll()
    for record in 0..<chunk.count where !refusals.contains(record) {
      if let trouble = plan.converter.convert(chunk, record, into: rows) { refusals.refuse(record, trouble, .process) }
    }
    let newNames = try ChunkNames(plan.names, chunk, &refusals, names, file: plan.converter.file)
    var links: [ChunkLinks] = []
    for link in plan.links { links.append(try ChunkLinks(link, chunk, &refusals, in: context, names)) }
    var targets = try KeyTable(plan.rule == .insert ? nil : plan.key, rows, refusals, in: context)
    var constraints: [KeyTable] = []
    for constraint in plan.constraints { constraints.append(try KeyTable(constraint, rows, refusals, in: context)) }
    if plan.allowsRows, targets.isNew { return processRows(chunk, targets, &constraints, newNames, &refusals) }
    _ = try context.fulfill(targets.found)

    var counts = StepCounts()
    for row in 0..<rows.rowCount where !refusals.contains(rows.records[row]) {
      let record = rows.records[row]
      do {
        let target = try target(row, &targets, chunk)
        if plan.rule == .skip, let target {
          if let name = newNames[record] { named.append((name, target)) }
          counts.filterCount += 1
          passedOver.append(record)
          continue
        }
        if let trouble = invalidity(of: row, at: position(of: record, chunk)) {
          refusals.refuse(record, trouble, .write)
          continue
        }
        for constraint in constraints { try constraint.check(row, isFor: target, at: position(of: record, chunk)) }
        let destinations = try destinations(record, &links, chunk, in: context, &counts)
        let object = try apply(row, to: target, destinations, in: context, &counts)
        targets.claim(row, object, record: record)
        for index in constraints.indices { constraints[index].claim(row, object, record: record) }
        records[ObjectIdentifier(object)] = record
        if let name = newNames[record] { named.append((name, object)) }
      } catch let error as Diagnostic where error.code.fate == .reject {
        refusals.refuse(record, error, error.code == .unique ? .write : .process)
      }
    }
    return counts
  }

  /// Leaves new objects to the store as rows, once the records are refused that would be as objects.
  private func processRows(
    _ chunk: RecordChunk, _ targets: KeyTable, _ constraints: inout [KeyTable], _ newNames: ChunkNames,
    _ refusals: inout Refusals
  ) -> StepCounts {
    var refused: [Int] = []
    for row in 0..<rows.rowCount {
      let record = rows.records[row]
      if refusals.contains(record) {
        refused.append(row)
        continue
      }
      if let (trouble, stage) = trouble(of: row, targets, constraints, at: position(of: record, chunk)) {
        refusals.refuse(record, trouble, stage)
        refused.append(row)
      } else {
        for index in constraints.indices { constraints[index].claim(row) }
      }
    }
    rows.remove(refused)
    rowsToInsert = rows
    namesOfRows = newNames.isEmpty ? [] : (0..<rows.rowCount).compactMap { newNames[rows.records[$0]] }
    var counts = StepCounts()
    counts.insertCount = rows.rowCount
    return counts
  }

  private func trouble(
    of row: Int, _ targets: KeyTable, _ constraints: [KeyTable], at position: @autoclosure () -> SourcePosition
  ) -> (Diagnostic, Refusals.Stage)? {
    if let key = plan.key, plan.rule != .insert, targets.hasNoKey(row) {
      return (.nullKey(key.names, at: position()), .process)
    }
    if let trouble = invalidity(of: row, at: position()) { return (trouble, .write) }
    for constraint in constraints {
      do throws(Diagnostic) { try constraint.check(row, isFor: nil, at: position()) } catch { return (error, .write) }
    }
    return nil
  }

  var wantsRowIDs: Bool { plan.names != nil }

  func chunkWasCommitted(_ rowIDs: [NSManagedObjectID]) throws {
    guard plan.names != nil else { return }
    if rowsToInsert != nil {
      try names.add(namesOfRows, of: rowIDs)
    } else {
      try names.add(named.map(\.name), of: named.map(\.object.objectID))
    }
  }

  /// What the model's limits have against a row.
  private func invalidity(of row: Int, at position: @autoclosure () -> SourcePosition) -> Diagnostic? {
    guard rows.validate(row: row) != nil else { return nil }
    return rows.errors(row: row).map { $0.diagnostic(at: position()) }.together
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
    case .none, .row: return nil
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
    let position = position(of: record, chunk)
    for place in plan.requiredLinks {
      let relationship = plan.entity.layout.toOne[place]
      guard let index = plan.links.firstIndex(where: { $0.relationship === relationship }) else { continue }
      if try plan.links[index].isEmpty(record, links[index], at: position) {
        throw .requiredDestination(relationship, at: position)
      }
    }
    return try plan.links.destinations(record, &links, at: position, in: context, &counts) {
      // What the store has against a destination is said of the record that it was made for.
      records[ObjectIdentifier($0)] = record
    }
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

  /// Whether a record gets no destination, by the rule for keys that nobody has.
  func isEmpty(_ record: Int, _ links: ChunkLinks, at position: SourcePosition) throws(Diagnostic) -> Bool {
    try check(record, links, at: position)
    return links.keys[record]?.allSatisfy { key in
      if case .missing = links.destination(of: key) { missing == .null } else { false }
    } ?? true
  }

  /// Throws for the first key that names no one object, unless that is allowed.
  func check(_ record: Int, _ links: ChunkLinks, at position: SourcePosition) throws(Diagnostic) {
    for key in links.keys[record] ?? [] {
      switch links.destination(of: key) {
      case .object: continue
      case .ambiguous: throw .ambiguousDestination(relationship, key, at: position)
      case .missing where missing == .reject: throw .missingDestination(relationship, key, at: position)
      case .missing: continue
      }
    }
  }
}

extension [LinkPlan] {
  /// The objects that a record's keys name, link by link, by the rules for keys that nobody has.
  ///
  /// All keys are checked first: a record that is refused makes no destinations.
  func destinations(
    _ record: Int, _ links: inout [ChunkLinks], at position: SourcePosition, in context: NSManagedObjectContext,
    _ counts: inout StepCounts, made: (NSManagedObject) -> Void
  ) throws(Diagnostic) -> [[NSManagedObject]] {
    for (index, link) in enumerated() { try link.check(record, links[index], at: position) }
    var result: [[NSManagedObject]] = []
    result.reserveCapacity(count)
    for (index, link) in enumerated() {
      var objects: [NSManagedObject] = []
      for key in links[index].keys[record] ?? [] {
        if case .object(let object) = links[index].destination(of: key) {
          objects.append(object)
        } else if link.missing == .create {
          let object = NSManagedObject(entity: link.destination, insertInto: context)
          if let place = link.key.place { object.setValue(key, at: place) }
          links[index].add(object, for: key)
          counts.createCount += 1
          made(object)
          objects.append(object)
        } else {
          counts.nullLinkCount += 1
        }
      }
      result.append(objects)
    }
    return result
  }
}

extension RecordChunk {
  /// The place of a record, for messages.
  func position(of record: Int, in file: String) -> SourcePosition {
    let position = positions[record]
    return SourcePosition(file: file, record: position.record, line: position.line, byte: position.byte)
  }
}
