package import ObjectModel

/// The IDs that a fetch found, in its order.
///
/// Those of a store that counts its rows are kept as numbers, eight bytes each, and an ID is made when it is asked for.
package struct ObjectIDList {
  private var keys: [Int64] = []
  private var store: NSPersistentStore?
  private var entities: [NSEntityDescription] = []
  /// For each key the place of its entity; empty while there is one entity only.
  private var places: [Int32] = []
  /// The IDs themselves, where they are kept as such.
  private var made: [NSManagedObjectID] = []

  /// A list of IDs that are there.
  package init(_ objectIDs: [NSManagedObjectID]) { made = objectIDs }

  /// An empty list for the rows of a store.
  package init(of store: NSPersistentStore) { self.store = store }

  /// Adds a row of the store by its key.
  package mutating func append(_ key: Int64, _ entity: NSEntityDescription) {
    keys.append(key)
    guard entities.count != 1 || entities[0] !== entity else { return }
    if entities.count == 1 { places = Array(repeating: 0, count: keys.count - 1) }
    let known = entities.firstIndex { $0 === entity }
    if known == nil { entities.append(entity) }
    if entities.count > 1 { places.append(Int32(known ?? entities.count - 1)) }
  }
}

extension ObjectIDList: RandomAccessCollection {
  package var startIndex: Int { 0 }
  package var endIndex: Int { store == nil ? made.count : keys.count }

  package subscript(index: Int) -> NSManagedObjectID {
    guard let store else { return made[index] }
    let entity = entities[places.isEmpty ? 0 : Int(places[index])]
    return NSManagedObjectID(entity: entity, store: store, key: keys[index], isTemporary: false)
  }
}
