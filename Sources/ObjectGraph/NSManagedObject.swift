public import ObjectModel
import Values

/// An object of an entity, living in a context.
///
/// Its stored values lie in flat arrays by the places of the entity's layout; a fault has none yet and reads them from its
/// store when it is first asked. It is confined to its context: use it only where that is used.
///
/// Source: Apple, Core Data, `NSManagedObject`.
open class NSManagedObject {
  /// The object's entity.
  public let entity: NSEntityDescription
  /// The context that the object lives in; nil once it is deleted and saved, or the context is reset or gone.
  public internal(set) weak var managedObjectContext: NSManagedObjectContext?

  let layout: EntityLayout
  var state = State.detached
  /// The version of the row that the values were read from; 0 for an object that was never saved.
  var version: Int64 = 0
  /// The attributes' values by place; empty in a fault.
  var values: [Value]
  /// The destinations of the to-one relationships by place; empty in a fault.
  var toOne: [NSManagedObjectID?]
  /// What is known and pending of the to-many relationships, by place; empty until one is touched.
  var toMany: [ToManyState] = []
  /// What the store holds, from the first change until the save; nil while nothing stored is changed.
  var snapshot: Snapshot?
  /// The values of transient properties; nil until one is set.
  var transients: [String: Any?]?
  /// The transient attributes whose shadows are set by the next save.
  var lateShadows: Set<String> = []
  var knownID: NSManagedObjectID?
  /// How the object was before the event that changes it now; nil while nothing did, and in contexts that tell nobody.
  var beforeEvent: EventSnapshot?
  /// Who wants to know of changes of single keys; nil for almost all objects.
  var observers: KeyObservers?

  /// Makes an object of an entity and, if a context is given, inserts it there.
  public required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    self.entity = entity
    layout = entity.layout
    values = layout.defaultValues
    toOne = layout.noDestinations
    context?.insert(self)
  }

  /// Makes an object of the entity whose class this is, and inserts it.
  ///
  /// The class must have been registered with the model, and be the class of just one of its entities: anything else is a
  /// programmer's mistake.
  public convenience init(context: NSManagedObjectContext) {
    self.init(entity: context.entity(of: Self.self), insertInto: context)
  }

  /// What happens to an object between its making and its save; an object without any of these is as its store has it.
  struct State: OptionSet {
    let rawValue: UInt16
    /// Not in a context.
    static let detached = State(rawValue: 1)
    /// The values have not been read.
    static let fault = State(rawValue: 2)
    static let inserted = State(rawValue: 4)
    static let updated = State(rawValue: 8)
    static let deleted = State(rawValue: 16)
    /// The store had no row when the fault fired.
    static let inaccessible = State(rawValue: 32)
    /// Stands in the context's list of inserted objects, be it for nothing by now.
    static let listed = State(rawValue: 64)
    /// What is set now is no change: the object takes its values from the store, or is set by a primitive accessor.
    static let silent = State(rawValue: 128)
    /// Stands in the context's list of updated objects, be it for nothing by now.
    static let listedAsUpdated = State(rawValue: 256)
    /// Stands in the context's list of deleted objects, be it for nothing by now.
    static let listedAsDeleted = State(rawValue: 512)
    static let changed: State = [.inserted, .updated, .deleted]
    static let lists: State = [.listed, .listedAsUpdated, .listedAsDeleted]
  }

  struct Snapshot {
    var values: [Value]
    var toOne: [NSManagedObjectID?]
  }

  // MARK: What subclasses override

  /// Called once, when the object is first inserted: the place to set values that are computed.
  open func awakeFromInsert() {}
  /// Called when the object has got its values from the store.
  open func awakeFromFetch() {}
  /// Called when undoing, redoing or a merge policy has given the object other values, or has let it come or go.
  open func awake(fromSnapshotEvents flags: NSSnapshotEventType) {}
  /// Called before the object is saved, deletions included; changes made here are saved too.
  open func willSave() {}
  /// Called after the object was saved.
  open func didSave() {}
  /// Called before the object is deleted.
  open func prepareForDeletion() {}
  /// Called before the object gives up its values: by `refresh(_:mergeChanges:)` and by a reset of its context.
  open func willTurnIntoFault() {}
  /// Called after the object gave up its values.
  open func didTurnIntoFault() {}

  /// Whether the new object may be saved; whoever overrides it calls it first.
  ///
  /// - Throws: a `ValidationError`, or `SaveError.validation` for several. What an override throws goes into the error of the
  ///   save.
  open func validateForInsert() throws { try throwInvalid(invalidities()) }
  /// Whether the changed object may be saved; whoever overrides it calls it first. See `validateForInsert()`.
  open func validateForUpdate() throws { try throwInvalid(invalidities()) }
  /// Whether the object may be deleted: no relationship denies it. Whoever overrides it calls it first.
  open func validateForDelete() throws { try throwInvalid(deletionErrors().map { .init($0, of: self) }) }
  /// Whether a property may have a value, and the value itself, which an override may replace by a better one.
  ///
  /// It is called for each property of an object of a class of its own before a save. A key that the entity does not have is
  /// a programmer's mistake.
  open func validateValue(_ value: inout Any?, forKey key: String) throws { try checkValue(value, forKey: key) }
}

/// Why `awake(fromSnapshotEvents:)` is called.
///
/// Source: Apple, Core Data, `NSSnapshotEventType`.
public struct NSSnapshotEventType: OptionSet, Sendable {
  /// Apple's number.
  public let rawValue: Int
  /// Makes one of Apple's number.
  public init(rawValue: Int) { self.rawValue = rawValue }
  /// An insertion was undone, or a deletion redone: the object goes.
  public static let undoInsertion = NSSnapshotEventType(rawValue: 1 << 1)
  /// A deletion was undone, or an insertion redone: the object comes back.
  public static let undoDeletion = NSSnapshotEventType(rawValue: 1 << 2)
  /// Changes were undone or redone.
  public static let undoUpdate = NSSnapshotEventType(rawValue: 1 << 3)
  /// The context was rolled back.
  public static let rollback = NSSnapshotEventType(rawValue: 1 << 4)
  /// The object was read again, and its changes kept.
  public static let refresh = NSSnapshotEventType(rawValue: 1 << 5)
  /// A merge policy gave the object other values.
  public static let mergePolicy = NSSnapshotEventType(rawValue: 1 << 6)
}

@available(*, unavailable)
extension NSManagedObject: Sendable {}

// MARK: State

extension NSManagedObject {
  /// The object's identity: temporary until its first save, nothing but permanent afterwards.
  public var objectID: NSManagedObjectID {
    if let knownID { return knownID }
    // Made when first asked for: most objects of an import are saved before anybody does.
    let temporary = NSManagedObjectID.temporary(entity)
    knownID = temporary
    managedObjectContext?.register(self)
    return temporary
  }

  /// Whether the object is new since the last save.
  public var isInserted: Bool { state.contains(.inserted) }
  /// Whether the object was saved before and has been changed since.
  public var isUpdated: Bool { state.contains(.updated) }
  /// Whether the object will be deleted by the next save.
  public var isDeleted: Bool { state.contains(.deleted) }
  /// Whether the values have not been read from the store yet.
  public var isFault: Bool { state.contains(.fault) }
  /// Whether the object is inserted, updated or deleted.
  public var hasChanges: Bool { !state.isDisjoint(with: .changed) }
}

extension NSManagedObject: Hashable {
  /// Objects are equal when they are the same: a context has one object for each ID.
  public static func == (a: NSManagedObject, b: NSManagedObject) -> Bool { a === b }
  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
