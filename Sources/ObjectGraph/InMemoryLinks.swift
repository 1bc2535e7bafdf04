/// The destinations of one to-many relationship, by source.
struct InMemoryLinks {
  private var lists: [NSManagedObjectID: [NSManagedObjectID]] = [:]

  subscript(source: NSManagedObjectID) -> [NSManagedObjectID] { lists[source] ?? [] }

  /// Adds what is not there yet at the end.
  mutating func add(_ destinations: [NSManagedObjectID], to source: NSManagedObjectID) {
    var present = Set(self[source])
    lists[source, default: []] += destinations.filter { present.insert($0).inserted }
  }

  mutating func remove(_ destinations: [NSManagedObjectID], from source: NSManagedObjectID) {
    let gone = Set(destinations)
    lists[source]?.removeAll { gone.contains($0) }
  }

  /// Takes destinations from whatever sources have them.
  mutating func removeEverywhere(_ destinations: [NSManagedObjectID]) {
    let gone = Set(destinations)
    for source in lists.keys { lists[source]?.removeAll { gone.contains($0) } }
  }

  /// Puts the destinations of a source in an order; those that it does not name stay behind.
  mutating func arrange(_ order: [NSManagedObjectID], of source: NSManagedObjectID) {
    let present = Set(self[source])
    let named = Set(order)
    lists[source] = order.filter { present.contains($0) } + self[source].filter { !named.contains($0) }
  }
}
