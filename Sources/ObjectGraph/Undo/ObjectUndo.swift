import Diagnostics
import ObjectModel
import Values

/// How one object gets back to what it was before an event.
///
/// Both ends of a relationship are changed by the event, so that each is set back alone. Destinations are kept as objects: IDs
/// may become permanent, or others, until the step is undone.
struct ObjectUndo {
  private struct ToMany {
    let place: Int
    let toAdd: [NSManagedObject]
    let toRemove: [NSManagedObject]
    /// The order before; nil where it need not be restored.
    let order: [NSManagedObject]?
  }

  private let object: NSManagedObject
  private let wasPresent: Bool
  private let isPresent: Bool
  private var attributes: [(place: Int, value: Value)] = []
  private var toOne: [(place: Int, destination: NSManagedObject?)] = []
  private var toMany: [ToMany] = []
  private var transients: [String: Any?]?

  /// Nil for an object that came and went in the same event.
  init?(_ object: NSManagedObject, before: EventSnapshot, find: (NSManagedObjectID) -> NSManagedObject) {
    self.object = object
    wasPresent = before.wasPresent
    isPresent = object.isPresent
    // What is to go needs no values.
    guard wasPresent else {
      if isPresent { return }
      return nil
    }
    if let stored = before.stored {
      // An object that is gone gets back everything: what it refers to may have another ID then.
      for (place, value) in stored.values.enumerated()
      where !isPresent || object.isFault || !object.values[place].isStoredAlike(value) {
        attributes.append((place, value))
      }
      for (place, id) in stored.toOne.enumerated() where !isPresent || object.isFault || object.toOne[place] != id {
        toOne.append((place, id.map(find)))
      }
      transients = before.transients
    }
    for place in before.toMany.indices.union(object.toMany.indices) {
      let old = place < before.toMany.count ? before.toMany[place] : ToManyState(stored: nil)
      let new = place < object.toMany.count ? object.toMany[place] : ToManyState(stored: nil)
      let isOrdered = object.layout.toMany[place].isOrdered
      if !isPresent, old.stored != nil, let context = object.managedObjectContext {
        // Nobody may have told the object itself that it lost what it is linked to.
        let destinations = old.current(in: context)
        toMany.append(ToMany(place: place, toAdd: destinations, toRemove: [], order: isOrdered ? destinations : nil))
        continue
      }
      guard new.differs(from: old) else { continue }
      toMany.append(
        ToMany(
          place: place,
          toAdd: new.removed.without(old.removed) + old.added.without(new.added),
          toRemove: new.added.without(old.added) + old.removed.without(new.removed),
          order: isOrdered && old.stored != nil ? object.managedObjectContext.map { old.current(in: $0) } : nil))
    }
  }

  /// Brings a deleted object back; before anything refers to it.
  func bringBack(in context: NSManagedObjectContext) {
    guard wasPresent, !object.isPresent else { return }
    context.bringBack(object)
  }

  /// Sets back what the event changed.
  func restoreProperties(in context: NSManagedObjectContext) throws {
    guard wasPresent, object.managedObjectContext === context else { return }
    try object.realize()
    for (place, value) in attributes { object.setValue(value, at: place) }
    for (place, destination) in toOne { object.setAlone(place, to: destination?.objectID) }
    for change in toMany {
      object.changeAlone(change.place, adding: change.toAdd, removing: change.toRemove)
      if let order = change.order { object.arrange(change.place, order.filter(\.isPresent)) }
    }
    if let transients, object.transients != nil || !transients.isEmpty {
      object.noteChange()
      object.transients = transients
    }
    object.awake(fromSnapshotEvents: isPresent ? .undoUpdate : .undoDeletion)
    object.tellAllObservers()
  }

  /// Lets an object go that the event inserted.
  func takeAway(in context: NSManagedObjectContext) throws {
    guard !wasPresent, object.isPresent, object.managedObjectContext === context else { return }
    // Links that stand in no row are taken away by both ends; they come back with the object when it is redone.
    for relationship in object.layout.toMany {
      let place = try object.readToMany(relationship)
      object.changeAlone(place, adding: [], removing: object.toMany[place].current(in: context))
    }
    context.markDeleted(object)
    context.forgetIfNew(object)
    object.awake(fromSnapshotEvents: .undoInsertion)
  }
}

extension NSManagedObjectContext {
  /// Undoes what the undo manager keeps as the last group of steps.
  public func undo() {
    processPendingChanges()
    undoManager?.undo()
  }

  /// Redoes what was undone last.
  public func redo() {
    processPendingChanges()
    undoManager?.redo()
  }

  /// Makes the changes of an event one step to undo.
  func registerUndo(of objects: [NSManagedObject], _ snapshots: [EventSnapshot?]) {
    guard !isBatch, let undoManager, undoManager.isUndoRegistrationEnabled else { return }
    // Objects that were new and are gone are not registered any more.
    var changed: [NSManagedObjectID: NSManagedObject] = [:]
    for object in objects { if let id = object.knownID { changed[id] = object } }
    let steps = zip(objects, snapshots).compactMap { object, before in
      before.flatMap { ObjectUndo(object, before: $0) { changed[$0] ?? self.object(with: $0) } }
    }
    guard !steps.isEmpty else { return }
    undoManager.registerUndo(withTarget: self) { $0.undo(steps) }
  }

  func endUndoEvent() { undoManager?.endEvent() }

  private func undo(_ steps: [ObjectUndo]) {
    for step in steps { step.bringBack(in: self) }
    do {
      for step in steps { try step.restoreProperties(in: self) }
      for step in steps { try step.takeAway(in: self) }
    } catch {
      // As when a value is read: the store does not serve at this moment.
      preconditionFailure("\(error)")
    }
    processChanges()
  }
}

// MARK: - One end of a relationship alone

extension NSManagedObject {
  fileprivate func setAlone(_ place: Int, to id: NSManagedObjectID?) {
    guard toOne[place] != id else { return }
    willChangeStored()
    toOne[place] = id
  }

  fileprivate func changeAlone(_ place: Int, adding: [NSManagedObject], removing: [NSManagedObject]) {
    prepareToMany()
    noteChange()
    for object in removing { toMany[place].remove(object) }
    for object in adding { toMany[place].add(object) }
  }

  fileprivate func arrange(_ place: Int, _ objects: [NSManagedObject]) {
    guard let context = managedObjectContext, toMany[place].stored != nil else { return }
    let now = toMany[place].current(in: context)
    guard now != objects, Set(now) == Set(objects) else { return }
    noteChange()
    toMany[place].rearrange(objects)
  }
}

extension ObjectList {
  fileprivate func without(_ other: ObjectList) -> [NSManagedObject] { objects.filter { !other.contains($0) } }
}

extension Range<Int> {
  fileprivate func union(_ other: Range<Int>) -> Range<Int> { 0..<Swift.max(upperBound, other.upperBound) }
}
