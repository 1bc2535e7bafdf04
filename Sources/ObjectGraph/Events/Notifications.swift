public import Foundation

// Source: Apple, Core Data, `NSManagedObjectContext`, "Notifications".

extension Notification.Name {
  /// Posted when a context's pending changes are processed; the object is the context, the `userInfo` has sets of objects
  /// under `NSInsertedObjectsKey` and those that follow it.
  public static let NSManagedObjectContextObjectsDidChange = Notification.Name(
    "NSObjectsChangedInManagingContextNotification")
  /// Posted before a context is saved.
  public static let NSManagedObjectContextWillSave = Notification.Name("NSManagingContextWillSaveChangesNotification")
  /// Posted after a context was saved; the `userInfo` has sets of the inserted, updated and deleted objects.
  public static let NSManagedObjectContextDidSave = Notification.Name("NSManagingContextDidSaveChangesNotification")
}

extension NSManagedObjectContext {
  /// The notification of changes; see `Notification.Name.NSManagedObjectContextObjectsDidChange`.
  public static let didChangeObjectsNotification = Notification.Name.NSManagedObjectContextObjectsDidChange
  /// The notification before a save.
  public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave
  /// The notification after a save.
  public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave
}

/// The key of the inserted objects in the `userInfo` of a context's notifications: a `Set<NSManagedObject>`.
public let NSInsertedObjectsKey = "inserted"
/// The key of the updated objects.
public let NSUpdatedObjectsKey = "updated"
/// The key of the deleted objects.
public let NSDeletedObjectsKey = "deleted"
/// The key of the objects that were read again or became faults without being changed here.
public let NSRefreshedObjectsKey = "refreshed"
/// The key that says that a reset made all objects useless.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"

// With these keys changes are told by IDs, to `mergeChanges(fromRemoteContextSave:into:)`.

/// The key of the IDs of inserted objects.
public let NSInsertedObjectIDsKey = "inserted_objectIDs"
/// The key of the IDs of updated objects.
public let NSUpdatedObjectIDsKey = "updated_objectIDs"
/// The key of the IDs of deleted objects.
public let NSDeletedObjectIDsKey = "deleted_objectIDs"
