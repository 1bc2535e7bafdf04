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
    if mergeType == .errorMergePolicyType { throw SaveError.conflict(list.map(\.sourceObject.objectID)) }
    for conflict in list { try conflict.resolve(mergeType) }
  }

  /// Settles conflicts of new objects with rows that have their unique values: the object takes the place of the row.
  open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    if mergeType == .errorMergePolicyType {
      throw SaveError.duplicate(
        list.map {
          .init(objectID: $0.conflictingObject.objectID, constraint: $0.constraint, other: $0.databaseObjectID)
        })
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
  /// The attributes as the context read them, by name.
  public let cachedSnapshot: [String: Any?]
  /// The attributes as the store has them; nil if the row was deleted.
  public let persistedSnapshot: [String: Any?]?
  /// The attributes as the context would write them.
  public let objectSnapshot: [String: Any?]
  let row: StoredRow?

  init(_ object: NSManagedObject, _ row: StoredRow?) {
    sourceObject = object
    oldVersionNumber = Int(object.version)
    newVersionNumber = Int(row?.version ?? 0)
    cachedSnapshot = object.attributesByPath(object.snapshot?.values ?? object.values)
    objectSnapshot = object.attributesByPath(object.values)
    persistedSnapshot = row.map { object.attributesByPath($0.attributes) }
    self.row = row
  }
}

/// A new object whose unique values a row of the store has.
///
/// Source: Apple, Core Data, `NSConstraintConflict`.
public final class NSConstraintConflict {
  /// The names of the constraint's attributes.
  public let constraint: [String]
  /// The new object.
  public let conflictingObject: NSManagedObject
  /// The ID of the row.
  public var databaseObjectID: NSManagedObjectID { row.objectID }
  /// The attributes of the row, by name.
  public let databaseSnapshot: [String: Any?]
  let row: StoredRow

  init(_ object: NSManagedObject, _ constraint: [String], _ row: StoredRow) {
    self.constraint = constraint
    conflictingObject = object
    databaseSnapshot = object.attributesByPath(row.attributes)
    self.row = row
  }
}
