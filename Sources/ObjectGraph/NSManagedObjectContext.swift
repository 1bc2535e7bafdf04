import Dispatch
public import Foundation
package import ObjectModel

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
    /// The older name of `privateQueue`.
    public static let privateQueueConcurrencyType = ConcurrencyType.privateQueue
    /// The older name of `mainQueue`.
    public static let mainQueueConcurrencyType = ConcurrencyType.mainQueue
  }

  /// Where `perform` runs its blocks.
  public let concurrencyType: ConcurrencyType
  /// The stores that objects come from and go to; a context with a parent has its parent's.
  public var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
    get { parent?.persistentStoreCoordinator ?? ownCoordinator }
    set {
      precondition(parent == nil, "a context with a parent has its parent's coordinator")
      ownCoordinator = newValue
    }
  }
  private var ownCoordinator: NSPersistentStoreCoordinator?
  /// The context that objects come from and are saved to, in place of the stores. The default is none; set it before the
  /// context is used.
  public var parent: NSManagedObjectContext? {
    didSet {
      precondition(ownCoordinator == nil || parent == nil, "a context has either a parent or a coordinator of its own")
    }
  }
  /// Whether other contexts save to this one.
  var hasChildren = false
  /// The permanent IDs by the temporary ones that other contexts may know.
  var permanentIDs: [NSManagedObjectID: NSManagedObjectID] = [:]
  /// How many of the inserted objects have permanent IDs because other contexts asked for objects.
  var numberedCount = 0
  /// The stores that new objects were assigned to.
  var assignedStores: [ObjectIdentifier: NSPersistentStore] = [:]
  /// What a save does when somebody else has changed or made what it writes. The default is to fail.
  public var mergePolicy = NSMergePolicy.error
  /// A name for messages. The default is none.
  public var name: String?
  /// Whatever a program wants to keep with the context.
  public private(set) lazy var userInfo = NSMutableDictionary()

  var registered = RegisteredObjects()
  /// Whether a save checks what it writes. A migration saves objects before their relationships are there.
  package var validatesOnSave = true
  /// Whether the context is for mass work: it tells nobody of changes, neither by notifications nor for undoing, and says nothing
  /// of classes that are not registered. The default is false; set it before the context is used.
  public var isBatch = false {
    didSet { tracksEvents = !isBatch }
  }
  /// The entities whose objects may be saved before they have as many destinations as the model wants: a run fills their
  /// relationships step by step, and looks at them when all is done. The default is none.
  package var entitiesLinkedLater: Set<NSEntityDescription> = []
  /// Whether what other contexts save to the same stores or parent is merged on this context's queue, as by
  /// `mergeChanges(fromContextDidSave:)`. The default is false; batch contexts do not tell what they save.
  public var automaticallyMergesChangesFromParent = false {
    didSet { followSaves(automaticallyMergesChangesFromParent) }
  }
  var saveObserver: (any NSObjectProtocol)?
  /// Whether objects keep how they were before an event.
  private(set) var tracksEvents = true
  /// The objects that were changed since the pending changes were processed, in the order of their first changes.
  var changedInEvent: [NSManagedObject] = []
  /// Those that were read again or became faults since then.
  var refreshedInEvent: [NSManagedObject] = []
  /// Takes the steps to undo; the default is none. A batch context has none.
  public var undoManager: UndoManager? {
    didSet {
      oldValue?.leave(self)
      undoManager?.join(self)
    }
  }
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
  /// The batches of faults that fetches made, by the faults.
  var faultBatches: [NSManagedObjectID: FaultBatch] = [:]
  /// Whether its objects are plain ones, whatever classes the entities name: a batch request tells no object of itself.
  package var hasPlainObjects = false
  var classOfLastEntity: (entity: NSEntityDescription, type: NSManagedObject.Type)?
  /// The entities that were made by their classes.
  var entitiesOfClasses: [ObjectIdentifier: NSEntityDescription] = [:]
  let queue: DispatchQueue

  /// Makes one; it needs a coordinator before it can read or save.
  public init(_ concurrencyType: ConcurrencyType = .privateQueue) {
    self.concurrencyType = concurrencyType
    queue = concurrencyType == .mainQueue ? .main : Self.ownQueue()
  }

  /// Makes one by the older label.
  public convenience init(concurrencyType: ConcurrencyType) { self.init(concurrencyType) }

  /// Makes one for a coordinator.
  public convenience init(coordinator: NSPersistentStoreCoordinator, _ concurrencyType: ConcurrencyType = .privateQueue)
  {
    self.init(concurrencyType)
    persistentStoreCoordinator = coordinator
  }

  // Pending many-to-many links hold objects together, and these would outlive the context.
  deinit {
    followSaves(false)
    letGo()
  }
}

// MARK: Objects

extension NSManagedObjectContext {
  /// Inserts a new object; `awakeFromInsert` is called. An object that is here already stays; one that the next save would
  /// have deleted is not deleted.
  public func insert(_ object: NSManagedObject) {
    precondition(
      !object.entity.isAbstract, "\(object.entity.name ?? "") is an abstract entity: insert one of its subentities")
    guard object.managedObjectContext !== self else {
      if object.isDeleted { bringBack(object) }
      return
    }
    precondition(
      object.state.contains(.detached), "an object belongs to one context: it cannot be inserted into another")
    take(object)
    object.awakeFromInsert()
  }

  /// Makes an object that is in no context a new one of this.
  func take(_ object: NSManagedObject) {
    object.managedObjectContext = self
    if tracksEvents { object.keepForEvent() }
    // One that was deleted, or was of another context, is a new object now.
    object.version = 0
    if object.knownID?.isTemporaryID == false { object.knownID = nil }
    // A new object that was deleted stays listed; in this context's list or in that of another, which is seldom asked.
    let isListed = object.state.contains(.listed) && insertedList.contains { $0 === object }
    object.state = [.inserted, .listed]
    if isListed { numberedCount = 0 } else { insertedList.append(object) }
    if object.knownID != nil { registered.insert(object) }
    changedWhileSaving?.append(object)
  }

  /// Takes back the deletion of an object, saved or not.
  func bringBack(_ object: NSManagedObject) {
    guard object.managedObjectContext === self else { return take(object) }
    if tracksEvents { object.keepForEvent() }
    object.state.remove(.deleted)
    noteChange(of: object)
  }

  /// The object with an ID: the one that is here, or a fault, whether or not the store has such an object.
  public func object(with objectID: NSManagedObjectID) -> NSManagedObject {
    let objectID = currentID(objectID)
    return registered[objectID] ?? makeFault(objectID)
  }

  /// The object with an ID if it is here.
  public func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? { registered[currentID(objectID)] }

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
    if tracksEvents { object.keepForEvent() }
    if object.state.isDisjoint(with: .changed) {
      if !object.state.contains(.listedAsUpdated) { updatedList.append(object) }
      object.state.formUnion([.updated, .listedAsUpdated])
    }
    changedWhileSaving?.append(object)
  }

  /// An object of the class that its entity names.
  func make(_ entity: NSEntityDescription) -> NSManagedObject {
    if let last = classOfLastEntity, last.entity === entity { return last.type.init(entity: entity, insertInto: nil) }
    let type = hasPlainObjects ? NSManagedObject.self : entity.objectClass
    if type == NSManagedObject.self, !isBatch, !hasPlainObjects {
      persistentStoreCoordinator?.sayIfUnregistered(entity)
    }
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
    let restored = updatedList.filter(\.isUpdated) + deletedList.filter(\.isDeleted)
    for object in insertedList where object.isInserted { leave(object) }
    for object in restored { object.restore() }
    forgetChanges()
    forgetEvent()
    undoManager?.removeAllActions(withTarget: self)
    guard !isBatch, !restored.isEmpty else { return }
    for object in restored {
      object.awake(fromSnapshotEvents: .rollback)
      object.tellAllObservers()
    }
    refreshedInEvent = restored
    processPendingChanges()
  }

  /// Empties the context; its objects are of no use any more.
  public func reset() {
    letGo()
    undoManager?.removeAllActions(withTarget: self)
    if !isBatch { post(.NSManagedObjectContextObjectsDidChange, [NSInvalidatedAllObjectsKey: true]) }
  }

  private func letGo() {
    forgetEvent()
    for object in registered.objects { leave(object) }
    for object in insertedList where object.isInserted { leave(object) }
    registered = RegisteredObjects()
    permanentIDs = [:]
    faultBatches = [:]
    assignedStores = [:]
    forgetChanges()
  }

  /// Lets an object go that was not deleted.
  private func leave(_ object: NSManagedObject) {
    let hadValues = !object.isFault
    if hadValues { object.willTurnIntoFault() }
    object.leaveContext()
    if hadValues { object.didTurnIntoFault() }
  }

  func forgetChanges() {
    for object in insertedList { object.state.remove(.listed) }
    for object in updatedList { object.state.remove(.listedAsUpdated) }
    for object in deletedList { object.state.remove(.listedAsDeleted) }
    insertedList.removeAll(keepingCapacity: true)
    updatedList.removeAll(keepingCapacity: true)
    deletedList.removeAll(keepingCapacity: true)
    deletionError = nil
    lastFulfilled = []
    numberedCount = 0
  }
}
