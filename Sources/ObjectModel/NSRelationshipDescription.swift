/// What happens to a relationship's destination when its source is deleted.
///
/// Source: Apple, Core Data, `NSDeleteRule`.
public enum NSDeleteRule: UInt, Sendable, CaseIterable {
  case noActionDeleteRule = 0
  case nullifyDeleteRule = 1
  case cascadeDeleteRule = 2
  case denyDeleteRule = 3
}

/// A relationship of an entity.
///
/// Source: Apple, Core Data, `NSRelationshipDescription`.
public final class NSRelationshipDescription: NSPropertyDescription, @unchecked Sendable {
  /// The entity of the objects at the other end.
  public unowned(unsafe) var destinationEntity: NSEntityDescription!
  /// The relationship of the destination that leads back; nil when there is none.
  public unowned(unsafe) var inverseRelationship: NSRelationshipDescription?
  /// The least number of destinations. The default is 0.
  public var minCount = 0
  /// The greatest number of destinations: 1 is to-one, 0 is to-many without a limit. The default is 1.
  public var maxCount = 1
  /// Whether a to-many relationship has an order. The default is false.
  public var isOrdered = false
  /// What a deletion does to the destinations. The default is nullify.
  public var deleteRule = NSDeleteRule.nullifyDeleteRule
  /// Whether there may be several destinations.
  public var isToMany: Bool { maxCount != 1 }
}
