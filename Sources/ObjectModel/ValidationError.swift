/// Why an object must not be saved as it is, with Core Data's number.
public struct ValidationError: Error, Hashable, Sendable {
  /// Core Data's numbers of validation errors.
  ///
  /// Source: Apple, Core Data, "Core Data error codes" (`NSManagedObjectValidationError` and those that follow it).
  public enum Code: Int, Hashable, Sendable, CaseIterable {
    case generic = 1550
    case missingMandatoryProperty = 1570
    case relationshipLacksMinimumCount = 1580
    case relationshipExceedsMaximumCount = 1590
    case relationshipDeniedDelete = 1600
    case numberTooLarge = 1610
    case numberTooSmall = 1620
    case dateTooLate = 1630
    case dateTooSoon = 1640
    case invalidDate = 1650
    case stringTooLong = 1660
    case stringTooShort = 1670
    case stringPatternMatching = 1680
    case invalidURI = 1690
  }

  /// What is wrong.
  public var code: Code
  /// The name of the entity.
  public var entity: String
  /// The name of the property, or a composite's path.
  public var property: String
  /// The value, or the count, as text; a long one is cut.
  public var value: String
  /// The limit that is not kept, as text; empty where there is none.
  public var limit: String

  /// Makes one from its parts.
  public init(_ code: Code, entity: String, property: String, value: String = "", limit: String = "") {
    self.code = code
    self.entity = entity
    self.property = property
    self.value = value
    self.limit = limit
  }

  /// Core Data's number.
  public var errorCode: Int { code.rawValue }
}
