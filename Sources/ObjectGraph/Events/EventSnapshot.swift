import ObjectModel
import Values

/// How an object was before an event: before the first change since the context's pending changes were processed.
///
/// One mechanism serves undoing, the notification of changes and `changedValuesForCurrentEvent()`. A batch context has none.
final class EventSnapshot {
  /// Whether the context had the object, and did not delete it.
  let wasPresent: Bool
  /// The values; nil as long as the object was a fault, which was changed in its to-many relationships only.
  private(set) var stored: NSManagedObject.Snapshot?
  let toMany: [ToManyState]
  private(set) var transients: [String: Any?]?

  init(_ object: NSManagedObject) {
    wasPresent = object.isPresent
    toMany = object.toMany
    keepValues(of: object)
  }

  /// Keeps the values of an object that was a fault when the event began, and has not been changed since it was read.
  func keepValues(of object: NSManagedObject) {
    guard stored == nil, !object.isFault else { return }
    stored = NSManagedObject.Snapshot(values: object.values, toOne: object.toOne)
    transients = object.transients
  }
}

extension NSManagedObject {
  /// Whether the context has the object, and does not delete it.
  var isPresent: Bool { state.isDisjoint(with: [.detached, .deleted, .inaccessible]) }

  /// To be called before anything of the object changes.
  func keepForEvent() {
    if let beforeEvent { return beforeEvent.keepValues(of: self) }
    guard let managedObjectContext, managedObjectContext.tracksEvents else { return }
    beforeEvent = EventSnapshot(self)
    managedObjectContext.changedInEvent.append(self)
  }

  /// The stored properties that were changed since the context's pending changes were processed, with their values from before.
  ///
  /// To-many relationships are told with the objects that they have now.
  public func changedValuesForCurrentEvent() -> [String: Any?] {
    guard let beforeEvent else { return [:] }
    var changed: [String: Any?] = [:]
    if let before = beforeEvent.stored, !isFault {
      for place in values.indices where !values[place].isStoredAlike(before.values[place]) {
        changed.updateValue(before.values[place].object, forKey: layout.attributes[place].path)
      }
      for place in toOne.indices where toOne[place] != before.toOne[place] {
        let destination = before.toOne[place].flatMap { managedObjectContext?.object(with: $0) }
        changed.updateValue(destination, forKey: layout.toOne[place].name)
      }
    }
    for place in toMany.indices {
      let before = place < beforeEvent.toMany.count ? beforeEvent.toMany[place] : ToManyState(stored: nil)
      guard toMany[place].differs(from: before) else { continue }
      changed.updateValue(value(forKey: layout.toMany[place].name), forKey: layout.toMany[place].name)
    }
    return changed
  }
}
