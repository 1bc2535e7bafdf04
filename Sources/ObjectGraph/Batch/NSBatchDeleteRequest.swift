public import Foundation
public import ObjectModel

/// Deletes objects in their store, without telling them or a context.
///
/// Contexts learn nothing of it: what they have read of the objects is out of date. Delete rules are followed as those of
/// objects are; a rule that forbids the deletion, or an inverse that must not become empty, refuses the request.
///
/// Source: Apple, Core Data, `NSBatchDeleteRequest`.
public final class NSBatchDeleteRequest: NSPersistentStoreRequest {
  /// What the result tells.
  public enum ResultType: UInt, Sendable {
    /// Whether the objects were deleted.
    case resultTypeStatusOnly = 0
    /// The IDs of those that the request names; those that went with them by their rules are not among them.
    case resultTypeObjectIDs = 1
    /// How many of those that the request names were deleted.
    case resultTypeCount = 2
  }

  /// Which objects are deleted.
  enum Objects {
    case ids([NSManagedObjectID])
    case fetched((NSPersistentStoreCoordinator) throws -> FetchQuery)
    case all(of: RequestTarget, NSPredicate?, includesSubentities: Bool)
  }

  /// What the result tells. The default is whether the objects were deleted.
  public var resultType: ResultType = .resultTypeStatusOnly
  let objects: Objects

  /// Deletes the objects with some IDs; those that the store does not have are passed over.
  public init(objectIDs: [NSManagedObjectID]) { objects = .ids(objectIDs) }

  /// Deletes the objects that a fetch request gives, its predicate, order, limit and offset counted in.
  public init<T>(fetchRequest: NSFetchRequest<T>) { objects = .fetched { try FetchQuery(fetchRequest, in: $0) } }

  /// Deletes the objects of an entity, or those among them that a predicate holds for.
  public init(entity: NSEntityDescription, predicate: NSPredicate? = nil, includesSubentities: Bool = true) {
    objects = .all(of: .entity(entity), predicate, includesSubentities: includesSubentities)
  }

  /// The same for the entity of a name.
  public init(entityName: String, predicate: NSPredicate? = nil, includesSubentities: Bool = true) {
    objects = .all(of: .name(entityName), predicate, includesSubentities: includesSubentities)
  }
}

/// What a batch delete gave.
///
/// Source: Apple, Core Data, `NSBatchDeleteResult`.
public final class NSBatchDeleteResult: NSPersistentStoreResult {
  /// What the result tells.
  public let resultType: NSBatchDeleteRequest.ResultType
  /// A number (`as? Bool`, `as? Int`) or an array of `NSManagedObjectID`, by the type.
  public let result: Any?

  init(_ resultType: NSBatchDeleteRequest.ResultType, _ result: Any) {
    self.resultType = resultType
    self.result = result
  }
}
