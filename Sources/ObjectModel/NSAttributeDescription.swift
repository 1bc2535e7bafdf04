public import Values

/// The types of attributes, with Core Data's numbers.
///
/// Source: Apple, Core Data, `NSAttributeType`.
public enum NSAttributeType: UInt, Sendable, CaseIterable {
  case undefinedAttributeType = 0
  case integer16AttributeType = 100
  case integer32AttributeType = 200
  case integer64AttributeType = 300
  case decimalAttributeType = 400
  case doubleAttributeType = 500
  case floatAttributeType = 600
  case stringAttributeType = 700
  case booleanAttributeType = 800
  case dateAttributeType = 900
  case binaryDataAttributeType = 1000
  case UUIDAttributeType = 1100
  case URIAttributeType = 1200
  case transformableAttributeType = 1800
  case objectIDAttributeType = 2000
  case compositeAttributeType = 2100
}

/// An attribute of an entity.
///
/// Source: Apple, Core Data, `NSAttributeDescription`.
open class NSAttributeDescription: NSPropertyDescription, @unchecked Sendable {
  /// The type. The default is undefined, which only a transient attribute may have.
  public var attributeType: NSAttributeType = .undefinedAttributeType
  /// The value of a new object. The default is `.null`.
  public var defaultValue: Value = .null
  /// The class of a transformable attribute's value, as the model names it.
  public var attributeValueClassName: String?
  /// The name of a transformable attribute's transformer; nil is the default keyed archive.
  public var valueTransformerName: String?
  /// Whether large values may be kept in files beside the store. The default is false.
  public var allowsExternalBinaryDataStorage = false
  /// Whether the value is kept in the persistent history after a deletion. The default is false.
  public var preservesValueInHistoryOnDeletion = false
  /// Whether the value is encrypted in CloudKit. The default is false.
  public var allowsCloudEncryption = false
  /// Whether generated classes use a scalar (`Int16` and not `NSNumber?`); nil where the model does not say.
  package var usesScalarValueType: Bool?
  /// The limits that a value is checked against at save.
  public var limits = ValidationLimits()
}

/// The limits of an attribute's value: numbers and dates by value, strings by length.
public struct ValidationLimits: Hashable, Sendable {
  /// The least number or date, or the least length of a string in UTF-16 units.
  public var minimum: Value = .null
  /// The greatest number or date, or the greatest length of a string in UTF-16 units.
  public var maximum: Value = .null
  /// A regular expression that the whole string must match (ICU syntax).
  public var regularExpression: String?
  /// Makes one with the defaults.
  public init() {}
}

/// An attribute that the store computes from others.
public final class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// The derivation as the model spells it, e.g. `pages.@count`.
  public var derivationExpressionFormat = ""
  /// The filtering predicate's format, if there is one.
  public var filteringPredicateFormat: String?
}

/// An attribute made of named elements, each a column of its own.
public final class NSCompositeAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// The elements in declared order; composites may be nested.
  public var elements: [NSAttributeDescription] = []

  override func belong(to entity: NSEntityDescription) {
    super.belong(to: entity)
    for element in elements { element.belong(to: entity) }
  }
}
