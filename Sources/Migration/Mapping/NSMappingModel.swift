public import Diagnostics
public import Foundation
import ObjectGraph
public import ObjectModel
public import Predicates

/// How the entities of one version of a model become those of another.
///
/// Source: Apple, Core Data, `NSMappingModel`.
open class NSMappingModel {
  /// The mappings in the order in which they run.
  public var entityMappings: [NSEntityMapping] = []
  /// What of the source is dropped on purpose, by name: `Entity`, `Entity.property`.
  var dropped: Set<String> = []

  /// Makes one without mappings.
  public init() {}

  /// The mappings by name.
  public var entityMappingsByName: [String: NSEntityMapping] {
    Dictionary(entityMappings.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The mapping that follows from two versions of a model alone.
  ///
  /// Entities and properties correspond by their names, or by their renaming identifiers where they have any.
  ///
  /// - Throws: `migration.inference`, with each entity, property and reason, where no mapping can be inferred.
  public static func inferredMappingModel(
    forSourceModel source: NSManagedObjectModel, destinationModel destination: NSManagedObjectModel
  ) throws(Diagnostic) -> NSMappingModel {
    try MappingInference(source, destination).mappingModel()
  }
}

/// How one entity becomes another.
///
/// Source: Apple, Core Data, `NSEntityMapping`.
open class NSEntityMapping {
  /// The name, by which expressions and policies call the mapping.
  public var name = ""
  /// What the mapping does. The default is undefined.
  public var mappingType = NSEntityMappingType.undefinedEntityMappingType
  /// The name of the entity in the source; nil for one that is added.
  public var sourceEntityName: String?
  /// The version hash of that entity.
  public var sourceEntityVersionHash: Data?
  /// The name of the entity in the destination; nil for one that is removed.
  public var destinationEntityName: String?
  /// The version hash of that entity.
  public var destinationEntityVersionHash: Data?
  /// The condition of the objects of the source that the mapping takes, in the format language; ours. The default is none: all of
  /// the entity itself, those of its subentities not among them.
  public var sourcePredicateFormat: String?
  /// How each attribute of the destination gets its value.
  public var attributeMappings: [NSPropertyMapping]?
  /// How each relationship of the destination gets its destinations.
  public var relationshipMappings: [NSPropertyMapping]?
  /// The name of the class of the mapping's policy. The default is none: `NSEntityMigrationPolicy`.
  public var entityMigrationPolicyClassName: String?
  /// Whether nothing is written down of the entity, so that all of it is inferred.
  var isInferred = false
  /// What the mapping's maker adds. An inferred mapping has the sets of names `mappedProperties`, `addedProperties` and
  /// `removedProperties`.
  public var userInfo: [AnyHashable: Any]?

  /// Makes one with the defaults.
  public init() {}
}

/// What an entity mapping does, with Core Data's numbers.
///
/// Source: Apple, Core Data, `NSEntityMappingType`.
public enum NSEntityMappingType: UInt, Sendable {
  case undefinedEntityMappingType = 0
  case customEntityMappingType = 1
  case addEntityMappingType = 2
  case removeEntityMappingType = 3
  case copyEntityMappingType = 4
  case transformEntityMappingType = 5
}

/// How a property of the destination gets its value.
///
/// Source: Apple, Core Data, `NSPropertyMapping`.
open class NSPropertyMapping {
  /// The name of the property in the destination.
  public var name: String?
  /// What gives the value, with the variables `$source`, `$destination`, `$manager`, `$entityPolicy`, `$entityMapping` and
  /// `$propertyMapping`. The default is none: the property stays as a new object has it.
  public var valueExpression: ExpressionTree?
  /// What the mapping's maker adds.
  public var userInfo: [AnyHashable: Any]?

  /// Makes one with the defaults.
  public init() {}

  /// The property of the source that it was inferred from; nil for what is written down.
  var inferredSource: NSPropertyDescription?

  /// The property of the source whose values become its own as they are; nil where they are others.
  func copied(from source: NSEntityDescription) -> NSPropertyDescription? {
    inferredSource ?? valueExpression?.copiedKey.flatMap { source.propertiesByName[$0] }
  }

  /// What a plan says of the value beside the expression.
  var remark: String { "" }

  /// What becomes of the value that the expression gives.
  func value(for value: PredicateValue) throws(Diagnostic) -> PredicateValue { value }

  /// Gives an object the value.
  func set(_ value: PredicateValue, of object: NSManagedObject) throws {
    if let name { try object.setCheckedValue(value.object, forKey: name) }
  }
}
