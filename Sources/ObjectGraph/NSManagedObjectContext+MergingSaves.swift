public import Foundation

// What other contexts have saved, told by their notifications.
extension NSManagedObjectContext {
  /// Brings the objects that are here up to what another context has saved: updated ones are read again, with their changes
  /// kept, deleted ones leave, unless they are changed here: a save then meets the conflict.
  ///
  /// - Parameter notification: `NSManagedObjectContextDidSave` of a context that saved to the same stores or parent.
  public func mergeChanges(fromContextDidSave notification: Notification) { merge(SavedIDs(notification)) }

  /// Brings contexts up to what was changed past all of them, by a batch request for one.
  ///
  /// - Parameter changes: IDs, their URIs, or objects, in arrays or sets, under `NSInsertedObjectsKey`, `NSUpdatedObjectsKey` and
  ///   `NSDeletedObjectsKey`, or under the keys for IDs that notifications have.
  public class func mergeChanges(
    fromRemoteContextSave changes: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
  ) {
    for context in contexts {
      context.performAndWait { context.merge(SavedIDs(changes, in: context)) }
    }
  }

  fileprivate func merge(_ saved: SavedIDs) {
    processPendingChanges()
    undoManager?.disableUndoRegistration()
    readAgain(saved.updated.compactMap { registered[$0] })
    for object in saved.deleted.compactMap({ registered[$0] }) where !object.hasChanges { lose(object) }
    // A new object may be among those that a relationship has by now.
    readAgain(saved.inserted.compactMap { registered[$0] })
    processPendingChanges()
    undoManager?.enableUndoRegistration()
  }

  /// Lets an object go that is not in the store any more.
  private func lose(_ object: NSManagedObject) {
    if tracksEvents { object.keepForEvent() }
    let before = object.beforeEvent
    registered.remove(object.objectID)
    object.leaveContext()
    object.beforeEvent = before
  }

  /// Begins or ends to merge what others save to the same stores or parent.
  func followSaves(_ isFollowing: Bool) {
    if let saveObserver { NotificationCenter.default.removeObserver(saveObserver) }
    saveObserver = nil
    guard isFollowing else { return }
    let name = Notification.Name.NSManagedObjectContextDidSave
    saveObserver = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
      [weak self] notification in
      // On the thread of the context that has saved: its objects tell their IDs here and nowhere else.
      guard let self, let other = notification.object as? NSManagedObjectContext, other !== self,
        other.parent === parent, other.persistentStoreCoordinator === persistentStoreCoordinator
      else { return }
      let saved = SavedIDs(notification)
      perform { [weak self] in self?.merge(saved) }
    }
  }
}

/// The IDs of the objects that a save has written.
private struct SavedIDs: Sendable {
  let inserted: [NSManagedObjectID]
  let updated: [NSManagedObjectID]
  let deleted: [NSManagedObjectID]

  init(_ notification: Notification) {
    func ids(_ key: String) -> [NSManagedObjectID] {
      (notification.userInfo?[key] as? Set<NSManagedObject> ?? []).map(\.objectID)
    }
    inserted = ids(NSInsertedObjectsKey)
    updated = ids(NSUpdatedObjectsKey)
    deleted = ids(NSDeletedObjectsKey)
  }

  init(_ changes: [AnyHashable: Any], in context: NSManagedObjectContext) {
    func ids(_ key: String) -> [NSManagedObjectID] {
      let list: [Any] =
        switch changes[key] {
        case let set as Set<AnyHashable>: set.map(\.base)
        case let list as [Any]: list
        default: []
        }
      return list.compactMap { item in
        switch item {
        case let id as NSManagedObjectID: id
        case let object as NSManagedObject: object.objectID
        case let url as URL: context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: url)
        default: nil
        }
      }
    }
    inserted = ids(NSInsertedObjectsKey) + ids(NSInsertedObjectIDsKey)
    updated = ids(NSUpdatedObjectsKey) + ids(NSUpdatedObjectIDsKey)
    deleted = ids(NSDeletedObjectsKey) + ids(NSDeletedObjectIDsKey)
  }
}
