import Diagnostics
import ObjectGraph
import ObjectModel
import Records

/// Links objects that are there already: one link a record.
final class LinkProcessor: ChunkProcessor {
  private let plan: LinkTablePlan
  private var records: [NSManagedObjectID: Int] = [:]
  /// The links of earlier chunks by owner, where they must be put in order: an owner's links may stand in several chunks.
  private var ordered: [NSManagedObjectID: OrderedLinks] = [:]
  /// The last chunk's links; they count once the next chunk begins.
  private var pending: [NSManagedObjectID: [Link]] = [:]
  /// The owners that had no links before this run: links that come in their order go behind one another.
  private var new: Set<NSManagedObjectID> = []

  private struct Link {
    var order: Int64
    var destination: NSManagedObjectID
  }

  /// Links of one owner as they came, and the greatest number among them.
  private struct OrderedLinks {
    private(set) var links: [Link] = []
    private(set) var greatest = Int64.min

    mutating func append(_ more: [Link]) {
      links += more
      greatest = more.reduce(greatest) { max($0, $1.order) }
    }

    /// Whether others, put behind these, are in order.
    func isContinued(by more: [Link]) -> Bool {
      var last = greatest
      return more.allSatisfy { link in
        defer { last = link.order }
        return link.order >= last
      }
    }
  }

  /// The names that the records of the run have given.
  private let names: any ObjectNames

  init(_ plan: LinkTablePlan, names: any ObjectNames) {
    self.plan = plan
    self.names = names
  }

  func process(
    _ chunk: RecordChunk, _ refusals: inout Refusals, in context: NSManagedObjectContext
  ) throws -> StepCounts {
    var counts = StepCounts()
    for (owner, links) in try links(chunk, &refusals, in: context, &counts) {
      try link(context.object(with: owner), links, in: context)
    }
    return counts
  }

  /// Links that have an order go among or behind those of earlier chunks.
  var recallsRecords: Bool { plan.relationship.isOrdered }

  func recall(_ chunk: RecordChunk, _ refusals: inout Refusals, in context: NSManagedObjectContext) throws {
    var counts = StepCounts()
    for (owner, links) in try links(chunk, &refusals, in: context, &counts) {
      ordered[owner, default: OrderedLinks()].append(links)
    }
  }

  /// The links of a chunk, owner by owner as they come first.
  private func links(
    _ chunk: RecordChunk, _ refusals: inout Refusals, in context: NSManagedObjectContext, _ counts: inout StepCounts
  ) throws -> [(NSManagedObjectID, [Link])] {
    records.removeAll(keepingCapacity: true)
    let owners = try KeyedObjects(plan.owner, chunk, &refusals, in: context, names, file: plan.file)
    let destinations = try KeyedObjects(
      plan.destination, chunk, &refusals, in: context, names, file: plan.file, nullIsNoLink: !plan.relationship.isToMany
    )
    var links: [NSManagedObjectID: [Link]] = [:]
    var inOrder: [NSManagedObjectID] = []
    for record in 0..<chunk.count where !refusals.contains(record) {
      do throws(Diagnostic) {
        let position = chunk.position(of: record, in: plan.file)
        let order = try order(chunk, record, at: position)
        guard let owner = try owners.objectID(record, plan.missing, at: position),
          let destination = try destinations.objectID(record, plan.missing, at: position)
        else {
          if !destinations.isNull(record) { counts.nullLinkCount += 1 }
          counts.filterCount += 1
          continue
        }
        if links[owner] == nil { inOrder.append(owner) }
        links[owner, default: []].append(Link(order: order, destination: destination))
        records[owner] = record
        counts.insertCount += 1
      } catch {
        refusals.refuse(record, error, .process)
      }
    }
    return inOrder.map { ($0, links[$0] ?? []) }
  }

  func chunkWasCommitted(_ rowIDs: [NSManagedObjectID]) {
    for (owner, links) in pending { ordered[owner, default: OrderedLinks()].append(links) }
    pending.removeAll()
  }

  func record(of objectID: NSManagedObjectID) -> Int? { records[objectID] }

  private func link(_ owner: NSManagedObject, _ links: [Link], in context: NSManagedObjectContext) throws {
    guard plan.relationship.isToMany else {
      // The object may be of a subentity, whose layout has other places.
      guard let place = owner.entity.layout.toOneIndex[plan.relationship.name] else { return }
      _ = try owner.setToOne(place, to: links.last.map { context.object(with: $0.destination) })
      return
    }
    let mustBeSorted = try mustBeSorted(owner, links)
    if mustBeSorted || plan.order != nil { pending[owner.objectID] = links }
    guard mustBeSorted else {
      _ = try owner.addToMany(plan.relationship, links.map { context.object(with: $0.destination) })
      return
    }
    let all = (ordered[owner.objectID]?.links ?? []) + links
    // The sort is stable: links of equal numbers keep the order of their records.
    let sorted = all.sorted { $0.order < $1.order }.map { context.object(with: $0.destination) }
    let known = Set(sorted)
    // What was linked before this run comes first.
    let before = try owner.destinations(of: plan.relationship).filter { !known.contains($0) }
    _ = try owner.setToMany(plan.relationship, to: before + sorted)
  }

  /// Whether links cannot just be added behind those that the owner has.
  private func mustBeSorted(_ owner: NSManagedObject, _ links: [Link]) throws -> Bool {
    guard plan.relationship.isOrdered else { return false }
    if !new.contains(owner.objectID) {
      guard ordered[owner.objectID] == nil, try owner.destinations(of: plan.relationship).isEmpty else { return true }
      new.insert(owner.objectID)
    }
    guard plan.order != nil else { return false }
    return !(ordered[owner.objectID] ?? OrderedLinks()).isContinued(by: links)
  }

  /// What orders a link: the number in the column, or that of the record.
  private func order(_ chunk: RecordChunk, _ record: Int, at position: SourcePosition) throws(Diagnostic) -> Int64 {
    guard let field = plan.order else { return Int64(position.record ?? 0) }
    let text = field < chunk.fieldCount(record) ? chunk.text(record, field) : ""
    guard let number = Int64(text) else { throw .linkOrder(text, at: position, column: field + 1) }
    return number
  }
}
