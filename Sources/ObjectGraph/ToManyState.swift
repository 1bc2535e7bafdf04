/// What an object knows of one of its to-many relationships: what the store has, if that was read, and what is pending.
///
/// Pending changes need not know what the store has, so that linking a million objects to one never loads them. What the
/// store has is kept as IDs and what is pending as objects, so that objects hold one another only until they are saved.
struct ToManyState {
  /// The destinations in the store; nil until they are read. An object that was never saved has none.
  private(set) var stored: [NSManagedObjectID]?
  private(set) var added = ObjectList()
  private(set) var removed = ObjectList()
  /// The whole list, once an ordered relationship was rearranged; what was removed since is still in it.
  private var rearranged: [NSManagedObject]?
  private var storedSet: Set<NSManagedObjectID> = []

  init(stored: [NSManagedObjectID]?) {
    self.stored = stored
    storedSet = Set(stored ?? [])
  }

  var isChanged: Bool { !added.isEmpty || !removed.isEmpty || rearranged != nil }
  var isRearranged: Bool { rearranged != nil }

  /// Whether the object is among the destinations; nil when the store would have to be asked.
  func contains(_ object: NSManagedObject) -> Bool? {
    if added.contains(object) { return true }
    if removed.contains(object) { return false }
    // A temporary ID is in no store.
    guard let id = object.knownID, !id.isTemporaryID else { return false }
    return stored == nil ? nil : storedSet.contains(id)
  }

  /// The destinations as they are now, in order; what the store has must have been read.
  func current(in context: NSManagedObjectContext) -> [NSManagedObject] {
    if let rearranged { return removed.isEmpty ? rearranged : rearranged.filter { !removed.contains($0) } }
    let base = (stored ?? []).map { context.object(with: $0) }
    return base.filter { !removed.contains($0) } + added.objects.filter { !isStored($0) }
  }

  private func isStored(_ object: NSManagedObject) -> Bool {
    guard let id = object.knownID, !id.isTemporaryID else { return false }
    return storedSet.contains(id)
  }

  /// Whether what is pending differs from what was pending in an earlier state.
  func differs(from earlier: ToManyState) -> Bool {
    added.objects != earlier.added.objects || removed.objects != earlier.removed.objects
      || rearranged != earlier.rearranged
  }

  // MARK: Changing

  mutating func read(_ destinations: [NSManagedObjectID]) {
    stored = destinations
    storedSet = Set(destinations)
  }

  /// Adds an object at the end. Where the store has not been read it may have the object already: stores do not mind.
  mutating func add(_ object: NSManagedObject) {
    guard contains(object) != true else { return }
    if rearranged != nil {
      // One that was removed before still has its old place in the list.
      if removed.contains(object) { rearranged?.removeAll { $0 === object } }
      rearranged?.append(object)
    }
    removed.remove(object)
    if !(stored != nil && isStored(object)) { added.append(object) }
  }

  mutating func remove(_ object: NSManagedObject) {
    guard contains(object) != false else { return }
    let wasAdded = added.remove(object)
    if rearranged != nil, wasAdded { rearranged?.removeAll { $0 === object } }
    guard let id = object.knownID, !id.isTemporaryID, stored == nil || storedSet.contains(id) else { return }
    removed.append(object)
  }

  /// Gives an ordered relationship, whose store has been read, a new order of the same objects.
  mutating func rearrange(_ objects: [NSManagedObject]) { rearranged = objects }

  // MARK: The end of changes

  /// What was pending is in the store now; the objects have permanent IDs.
  mutating func commit() {
    guard isChanged else { return }
    if let rearranged {
      read(rearranged.filter { !removed.contains($0) }.compactMap(\.knownID))
    } else if let stored {
      let gone = Set(removed.objects.compactMap(\.knownID))
      let new = added.objects.compactMap(\.knownID).filter { !storedSet.contains($0) }
      read((gone.isEmpty ? stored : stored.filter { !gone.contains($0) }) + new)
    }
    discard()
  }

  /// What the store has must be read again; an order that was given stays.
  mutating func forgetStored() {
    guard rearranged == nil else { return }
    stored = nil
    storedSet = []
  }

  /// What was pending is forgotten.
  mutating func discard() {
    added = ObjectList()
    removed = ObjectList()
    rearranged = nil
  }
}
