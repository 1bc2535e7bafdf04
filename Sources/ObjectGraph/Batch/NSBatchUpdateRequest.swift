public import Foundation
public import ObjectModel

/// Gives objects of one entity values in their store, past all contexts.
///
/// Contexts learn nothing of it: what they have read of the objects is out of date, and a save of one is refused as a conflict,
/// since its version was raised. Values are checked against the limits of their attributes. Relationships and derived
/// attributes cannot be updated.
///
/// Source: Apple, Core Data, `NSBatchUpdateRequest`.
public final class NSBatchUpdateRequest: NSPersistentStoreRequest {
  /// What the result tells.
  public enum ResultType: UInt, Sendable {
    /// Whether the objects were updated.
    case statusOnlyResultType = 0
    /// Their IDs.
    case updatedObjectIDsResultType = 1
    /// How many they are.
    case updatedObjectsCountResultType = 2
  }

  /// Which objects are updated; nil, the default, for all.
  public var predicate: NSPredicate?
  /// Whether objects of subentities are updated too. The default is true.
  public var includesSubentities = true
  /// The new values by the names of attributes (a composite's as `composite.element`) or their descriptions; `NSNull` for none.
  /// An `ExpressionTree`, such as `ExpressionTree(format: "age + 1")`, gives each object its own.
  public var propertiesToUpdate: [AnyHashable: Any]?
  /// What the result tells. The default is whether the objects were updated.
  public var resultType: ResultType = .statusOnlyResultType
  let target: RequestTarget

  /// Makes a request for the objects of an entity.
  public init(entity: NSEntityDescription) { target = .entity(entity) }

  /// Makes a request for the objects of the entity of a name.
  public init(entityName: String) { target = .name(entityName) }
}

/// What a batch update gave.
///
/// Source: Apple, Core Data, `NSBatchUpdateResult`.
public final class NSBatchUpdateResult: NSPersistentStoreResult {
  /// What the result tells.
  public let resultType: NSBatchUpdateRequest.ResultType
  /// A number (`as? Bool`, `as? Int`) or an array of `NSManagedObjectID`, by the type.
  public let result: Any?

  init(_ resultType: NSBatchUpdateRequest.ResultType, _ result: Any) {
    self.resultType = resultType
    self.result = result
  }
}
