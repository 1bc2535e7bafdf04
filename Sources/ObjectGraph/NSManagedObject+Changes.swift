import Foundation
import ObjectModel
import Values

extension NSManagedObject {
  /// To be called before a stored value or to-one destination is changed: keeps what the store has.
  func willChangeStored() {
    guard !state.contains(.silent) else { return }
    noteChange()
    keepSnapshot()
  }

  func keepSnapshot() {
    guard snapshot == nil, state.isDisjoint(with: [.inserted, .detached, .silent]) else { return }
    snapshot = Snapshot(values: values, toOne: toOne)
  }

  func noteChange() {
    guard !state.contains(.silent) else { return }
    managedObjectContext?.noteChange(of: self)
  }

  /// The changes of a saved object's row: what differs from the store.
  var changedPlaces: (attributes: [(place: Int, value: Value)], toOne: [(place: Int, destination: NSManagedObjectID?)])
  {
    guard let snapshot else { return ([], []) }
    return (
      values.indices.filter { !values[$0].isStoredAlike(snapshot.values[$0]) }.map { ($0, values[$0]) },
      toOne.indices.filter { toOne[$0] != snapshot.toOne[$0] }.map { ($0, toOne[$0]) }
    )
  }

  /// The stored properties that differ from what was last saved or read, or from a new object's, with their values; to-many
  /// relationships with the objects they have now.
  public func changedValues() -> [String: Any?] {
    let before = snapshot ?? Snapshot(values: layout.defaultValues, toOne: layout.noDestinations)
    var changed: [String: Any?] = [:]
    guard hasChanges else { return changed }
    if snapshot != nil || isInserted {
      for place in values.indices where !values[place].isStoredAlike(before.values[place]) {
        changed.updateValue(values[place].object, forKey: layout.attributes[place].path)
      }
      for place in toOne.indices where toOne[place] != before.toOne[place] {
        changed.updateValue(value(forKey: layout.toOne[place].name), forKey: layout.toOne[place].name)
      }
    }
    for place in toMany.indices where toMany[place].isChanged {
      changed.updateValue(value(forKey: layout.toMany[place].name), forKey: layout.toMany[place].name)
    }
    return changed
  }

  /// Whether a save would write anything of the object: a stored value or a relationship, not a transient one alone.
  public var hasPersistentChangedValues: Bool {
    let changed = changedPlaces
    return isInserted || !changed.attributes.isEmpty || !changed.toOne.isEmpty || toMany.contains(where: \.isChanged)
  }
}

extension Value {
  /// Whether a store that has one of two values need not be changed to have the other.
  ///
  /// Swift's `==` will not do: it holds texts for equal that differ in their bytes, and no NaN for equal to itself.
  func isStoredAlike(_ other: Value) -> Bool {
    switch (self, other) {
    case (.string(let a), .string(let b)): Self.haveSameBytes(a, b)
    case (.url(let a), .url(let b)): Self.haveSameBytes(a.absoluteString, b.absoluteString)
    case (.real(let a), .real(let b)): a == b || a.isNaN && b.isNaN
    default: self == other
    }
  }

  private static func haveSameBytes(_ a: String, _ b: String) -> Bool {
    let same = a.utf8.withContiguousStorageIfAvailable { a in
      b.utf8.withContiguousStorageIfAvailable { b in a.elementsEqual(b) }
    }
    return (same ?? nil) ?? a.utf8.elementsEqual(b.utf8)
  }
}
