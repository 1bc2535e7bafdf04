import Dispatch
import ObjectModel

/// Objects being worked on, until they are saved or thrown away.
///
/// A context has one object for each ID. It holds changed objects, and others only as long as somebody else does. It is
/// confined: use it and its objects on one thread at a time, or through `perform` and `performAndWait`. For an import use a
/// context per chunk, or reset it after each save, so that memory stays the same however many objects pass through. It is
/// sendable because a reference may be handed around; what it leads to is not.
///
/// Source: Apple, Core Data, `NSManagedObjectContext`.
open class NSManagedObjectContext: @unchecked Sendable {
  /// Where a context's work is done.
  public enum ConcurrencyType: Sendable {
    /// On a queue of the context's own.
    case privateQueue
    /// On the main queue.
    case mainQueue
  }

  /// Where `perform` runs its blocks.
  public let concurrencyType: ConcurrencyType
  /// The stores that objects come from and go to.
  public var persistentStoreCoordinator: NSPersistentStoreCoordinator?
  /// A name for messages. The default is none.
  public var name: String?

  var registered = RegisteredObjects()
  // Lists, in the order of the changes, so that a save is repeatable; an object that is no longer what the list says stays in
  // it until the save and is passed over.
  var insertedList: [NSManagedObject] = []
  var updatedList: [NSManagedObject] = []
  var deletedList: [NSManagedObject] = []
  /// What was changed since the last validation, while a save is preparing.
  var changedWhileSaving: [NSManagedObject]?
  /// Why a deletion could not be completed; the next save throws it.
  var deletionError: (any Error)?
  /// What was fulfilled last, held for those who are about to use it.
  var lastFulfilled: [NSManagedObject?] = []
  /// Whether its objects are plain ones, whatever classes the entities name: a batch request tells no object of itself.
  var hasPlainObjects = false
  var classOfLastEntity: (entity: NSEntityDescription, type: NSManagedObject.Type)?
  let queue: DispatchQueue

  /// Makes one; it needs a coordinator before it can read or save.
  public init(_ concurrencyType: ConcurrencyType = .privateQueue) {
    self.concurrencyType = concurrencyType
    queue = concurrencyType == .mainQueue ? .main : Self.ownQueue()
  }

  /// Makes one for a coordinator.
  public convenience init(coordinator: NSPersistentStoreCoordinator, _ concurrencyType: ConcurrencyType = .privateQueue)
  {
    self.init(concurrencyType)
    persistentStoreCoordinator = coordinator
  }

  // Pending many-to-many links hold objects together, and these would outlive the context.
  deinit { reset() }
}

// MARK: Objects

extension NSManagedObjectContext {
  /// Inserts a new object; `awakeFromInsert` is called. An object that is here already stays.
  public func insert(_ object: NSManagedObject) {
    precondition(
      !object.entity.isAbstract, "\(object.entity.name ?? "") is an abstract entity: insert one of its subentities")
    guard object.managedObjectContext !== self else { return }
    precondition(
      object.state.contains(.detached), "an object belongs to one context: it cannot be inserted into another")
    object.managedObjectContext = self
    // One that was deleted, or was of another context, is a new object now.
    object.version = 0
    if object.knownID?.isTemporaryID == false { object.knownID = nil }
    let isListed = object.state.contains(.listed)
    object.state = [.inserted, .listed]
    if !isListed { insertedList.append(object) }
    if object.knownID != nil { registered.insert(object) }
    changedWhileSaving?.append(object)
    object.awakeFromInsert()
  }

  /// The object with an ID: the one that is here, or a fault, whether or not the store has such an object.
  public func object(with objectID: NSManagedObjectID) -> NSManagedObject {
    registered[objectID] ?? makeFault(objectID)
  }

  /// The object with an ID if it is here.
  public func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? { registered[objectID] }

  /// The objects that are here: changed ones, and those that somebody holds.
  public var registeredObjects: Set<NSManagedObject> {
    Set(registered.objects).union(insertedList.filter(\.isInserted))
  }
  /// The objects that the next save will insert.
  public var insertedObjects: Set<NSManagedObject> { Set(insertedList.filter(\.isInserted)) }
  /// The objects that were changed since they were saved.
  public var updatedObjects: Set<NSManagedObject> { Set(updatedList.filter(\.isUpdated)) }
  /// The objects that the next save will delete.
  public var deletedObjects: Set<NSManagedObject> { Set(deletedList.filter(\.isDeleted)) }
  /// Whether there is anything to save.
  public var hasChanges: Bool {
    insertedList.contains(where: \.isInserted) || updatedList.contains(where: \.isUpdated)
      || deletedList.contains(where: \.isDeleted)
  }

  func register(_ object: NSManagedObject) { registered.insert(object) }

  /// Remembers that an object of this context has been changed.
  func noteChange(of object: NSManagedObject) {
    if object.state.isDisjoint(with: .changed) {
      object.state.insert(.updated)
      updatedList.append(object)
    }
    changedWhileSaving?.append(object)
  }

  /// An object of the class that its entity names.
  func make(_ entity: NSEntityDescription) -> NSManagedObject {
    if let last = classOfLastEntity, last.entity === entity { return last.type.init(entity: entity, insertInto: nil) }
    let type = hasPlainObjects ? NSManagedObject.self : entity.objectClass
    classOfLastEntity = (entity, type)
    return type.init(entity: entity, insertInto: nil)
  }

  func makeFault(_ objectID: NSManagedObjectID) -> NSManagedObject {
    let object = make(objectID.entity)
    object.values = []
    object.toOne = []
    object.state = .fault
    object.knownID = objectID
    object.managedObjectContext = self
    registered.insert(object)
    return object
  }
}

// MARK: Throwing changes away

extension NSManagedObjectContext {
  /// Takes back all changes: new objects leave the context, others are as they were read.
  public func rollback() {
    for object in insertedList where object.isInserted { object.leaveContext() }
    for object in updatedList where object.isUpdated { object.restore() }
    for object in deletedList where object.isDeleted { object.restore() }
    forgetChanges()
  }

  /// Empties the context; its objects are of no use any more.
  public func reset() {
    for object in registered.objects { object.leaveContext() }
    for object in insertedList where object.isInserted { object.leaveContext() }
    registered = RegisteredObjects()
    forgetChanges()
  }

  func forgetChanges() {
    for object in insertedList { object.state.remove(.listed) }
    insertedList.removeAll(keepingCapacity: true)
    updatedList.removeAll(keepingCapacity: true)
    deletedList.removeAll(keepingCapacity: true)
    deletionError = nil
    lastFulfilled = []
  }
}
