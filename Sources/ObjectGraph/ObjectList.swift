/// Objects in the order in which they were added, each at most once; adding, finding and removing cost the same however
/// many there are. The order makes saves repeatable, which a `Set` would not.
struct ObjectList {
  private var slots: [NSManagedObject?] = []
  private var index: [ObjectIdentifier: Int] = [:]

  var isEmpty: Bool { index.isEmpty }
  var count: Int { index.count }
  /// The objects, in order.
  var objects: [NSManagedObject] { slots.compactMap { $0 } }

  func contains(_ object: NSManagedObject) -> Bool { index[ObjectIdentifier(object)] != nil }

  /// Adds an object unless it is there already.
  mutating func append(_ object: NSManagedObject) {
    guard !contains(object) else { return }
    index[ObjectIdentifier(object)] = slots.count
    slots.append(object)
  }

  /// Removes an object if it is there, and says whether it was.
  @discardableResult mutating func remove(_ object: NSManagedObject) -> Bool {
    guard let place = index.removeValue(forKey: ObjectIdentifier(object)) else { return false }
    slots[place] = nil
    // Objects that come and go must not let the slots grow without end.
    if slots.count > 32, slots.count > 4 * index.count { compact() }
    return true
  }

  private mutating func compact() {
    let kept = objects
    slots = kept
    for (place, object) in kept.enumerated() { index[ObjectIdentifier(object)] = place }
  }
}
