/// What a save does when rows were changed or deleted by somebody else since the context read them, and when new objects have
/// unique values that the store has already.
///
/// Source: Apple, Core Data, `NSMergePolicy`.
open class NSMergePolicy: @unchecked Sendable {
  /// Which side wins, with Apple's numbers.
  public enum MergeType: UInt, Sendable, CaseIterable {
    /// The save fails.
    case errorMergePolicyType = 0
    /// Property by property; where both changed one, the store's value stays.
    case mergeByPropertyStoreTrumpMergePolicyType = 1
    /// Property by property; where both changed one, the context's value is written.
    case mergeByPropertyObjectTrumpMergePolicyType = 2
    /// The context's state is written, all of it.
    case overwriteMergePolicyType = 3
    /// The store's state stays, all of it.
    case rollbackMergePolicyType = 4
  }

  /// Which side wins.
  public let mergeType: MergeType

  /// Makes one for a type.
  public init(merge type: MergeType) { mergeType = type }

  // MARK: The policies

  /// The save fails.
  public static let error = NSMergePolicy(merge: .errorMergePolicyType)
  /// Property by property; the store's changes win.
  public static let mergeByPropertyStoreTrump = NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
  /// Property by property; the context's changes win.
  public static let mergeByPropertyObjectTrump = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
  /// The context's state wins.
  public static let overwrite = NSMergePolicy(merge: .overwriteMergePolicyType)
  /// The store's state wins.
  public static let rollback = NSMergePolicy(merge: .rollbackMergePolicyType)

  /// Settles conflicts with rows that were changed or deleted; an override may change the objects before or after.
  open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    if mergeType == .errorMergePolicyType, !list.isEmpty { throw SaveError.conflict(list.map(SaveError.Conflict.init)) }
    for conflict in list { try conflict.resolve(mergeType) }
  }

  /// Settles conflicts of unique values: a new object takes the place of the row that has them, and of new objects with the
  /// same ones the first stays, with all links of the others.
  open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    if mergeType == .errorMergePolicyType, !list.isEmpty {
      throw SaveError.duplicate(list.flatMap(\.duplicates))
    }
    for conflict in list { try conflict.resolve(mergeType) }
  }
}

/// An object whose row was changed or deleted by somebody else.
///
/// Source: Apple, Core Data, `NSMergeConflict`.
public final class NSMergeConflict {
  /// The object.
  public let sourceObject: NSManagedObject
  /// The version that the context read.
  public let oldVersionNumber: Int
  /// The version that the store has; 0 if the row was deleted.
  public let newVersionNumber: Int
  /// The attributes and to-one relationships, these as IDs, as the context read them, by name.
  public let cachedSnapshot: [String: Any?]
  /// The same as the store has it; nil if the row was deleted.
  public let persistedSnapshot: [String: Any?]?
  /// The same as the context would write it.
  public let objectSnapshot: [String: Any?]
  let row: StoredRow?

  init(_ object: NSManagedObject, _ row: StoredRow?) {
    sourceObject = object
    oldVersionNumber = Int(object.version)
    newVersionNumber = Int(row?.version ?? 0)
    let now = NSManagedObject.Snapshot(values: object.values, toOne: object.toOne)
    cachedSnapshot = object.namedValues(object.snapshot ?? now)
    objectSnapshot = object.namedValues(now)
    persistedSnapshot = row.map { object.namedValues(.init(values: $0.attributes, toOne: $0.toOne)) }
    self.row = row
  }
}

// MARK: Older names

/// The older name of `NSMergePolicy.MergeType`.
public typealias NSMergePolicyType = NSMergePolicy.MergeType
/// The older name of `NSMergePolicy.error`.
public let NSErrorMergePolicy = NSMergePolicy.error
/// The older name of `NSMergePolicy.mergeByPropertyStoreTrump`.
public let NSMergeByPropertyStoreTrumpMergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
/// The older name of `NSMergePolicy.mergeByPropertyObjectTrump`.
public let NSMergeByPropertyObjectTrumpMergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
/// The older name of `NSMergePolicy.overwrite`.
public let NSOverwriteMergePolicy = NSMergePolicy.overwrite
/// The older name of `NSMergePolicy.rollback`.
public let NSRollbackMergePolicy = NSMergePolicy.rollback
