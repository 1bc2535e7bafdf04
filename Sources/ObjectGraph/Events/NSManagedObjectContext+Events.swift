import Foundation

// An event is what happens between two processings of the pending changes: by `processPendingChanges()`, at the end of a block
// of `perform`, and by a save.

extension NSManagedObjectContext {
  /// Ends an event: its changes become one step of the undo manager, and observers are told of them.
  public func processPendingChanges() {
    processChanges()
    endUndoEvent()
  }

  /// The same without an end of the group of undo steps, for what happens in the midst of it.
  func processChanges() {
    guard !changedInEvent.isEmpty || !refreshedInEvent.isEmpty else { return }
    let objects = changedInEvent
    let refreshed = refreshedInEvent
    changedInEvent = []
    refreshedInEvent = []
    let snapshots = objects.map(\.beforeEvent)
    for object in objects { object.beforeEvent = nil }
    registerUndo(of: objects, snapshots)
    if !isBatch { post(objects, snapshots, refreshed: refreshed) }
  }

  private func post(_ objects: [NSManagedObject], _ snapshots: [EventSnapshot?], refreshed: [NSManagedObject]) {
    var sets: [String: Set<NSManagedObject>] = [:]
    for (object, before) in zip(objects, snapshots) {
      let key: String? =
        switch (before?.wasPresent ?? true, object.isPresent) {
        case (false, true): NSInsertedObjectsKey
        case (true, false): NSDeletedObjectsKey
        case (true, true): NSUpdatedObjectsKey
        case (false, false): nil
        }
      if let key { sets[key, default: []].insert(object) }
    }
    if !refreshed.isEmpty { sets[NSRefreshedObjectsKey] = Set(refreshed) }
    guard !sets.isEmpty else { return }
    post(.NSManagedObjectContextObjectsDidChange, sets)
  }

  func post(_ name: Notification.Name, _ userInfo: [String: Any]) {
    NotificationCenter.default.post(name: name, object: self, userInfo: userInfo)
  }

  /// What is not processed yet is nobody's business any more.
  func forgetEvent() {
    for object in changedInEvent { object.beforeEvent = nil }
    changedInEvent = []
    refreshedInEvent = []
  }
}
