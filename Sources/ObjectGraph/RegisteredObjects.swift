/// The objects of a context by ID, held weakly.
struct RegisteredObjects {
  private struct Entry { weak var object: NSManagedObject? }

  private var entries: [NSManagedObjectID: Entry] = [:]
  private var limit = 1024

  subscript(id: NSManagedObjectID) -> NSManagedObject? { entries[id]?.object }

  /// How many entries there are, be they of objects that are gone.
  var count: Int { entries.count }

  /// Those that are still alive.
  var objects: [NSManagedObject] { entries.values.compactMap(\.object) }

  /// Adds an object that has an ID.
  mutating func insert(_ object: NSManagedObject) {
    guard let id = object.knownID else { return }
    entries[id] = Entry(object: object)
    guard entries.count > limit else { return }
    entries = entries.filter { $0.value.object != nil }
    limit = max(1024, entries.count * 2)
  }

  mutating func remove(_ id: NSManagedObjectID) { entries[id] = nil }
}
