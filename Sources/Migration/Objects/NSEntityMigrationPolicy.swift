import Diagnostics
import Foundation
public import ObjectGraph
import ObjectModel
import Predicates

/// How the objects of one entity mapping are made, in three passes; subclasses change what they do.
///
/// One policy serves one mapping through all passes. A subclass is registered once, before the migration, and is found by its
/// name, as the mapping model spells it: `MyPolicy.register()`.
///
/// Source: Apple, Core Data, `NSEntityMigrationPolicy`.
open class NSEntityMigrationPolicy {
  /// Makes one.
  public required init() {}

  /// What value expressions call on `$entityPolicy`, by selector (`migrateType:`, `migrateType:manager:`); ours: without
  /// Objective-C's runtime a method cannot be found by its name. The default is none.
  open var functions: [String: ([Any?]) throws -> Any?] { [:] }

  /// Called before the objects of the mapping are made.
  open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

  /// Makes the objects of one object of the source, sets their attributes, and associates them with it.
  ///
  /// The default makes one. Whoever overrides it without calling it associates what he makes, or relationships to it are not set.
  open func createDestinationInstances(
    forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    guard let name = mapping.destinationEntityName else { return }
    let object = NSEntityDescription.insertNewObject(forEntityName: name, into: manager.destinationContext)
    for property in mapping.attributeMappings ?? [] {
      guard property.name != nil, let expression = property.valueExpression else { continue }
      let value = try manager.value(of: expression, source: sInstance, destination: object, mapping, property, self)
      try manager.naming(mapping, property, sInstance) { try property.set(value, of: object) }
    }
    manager.associate(sourceInstance: sInstance, withDestinationInstance: object, for: mapping)
  }

  /// Called when all objects of the mapping are made.
  open func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// Sets the relationships of one object that the mapping made; all objects of all mappings are there.
  open func createRelationships(
    forDestination dInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
  ) throws {
    let properties = (mapping.relationshipMappings ?? []).filter { $0.valueExpression != nil }
    guard !properties.isEmpty, let source = manager.source(of: dInstance, mapping) else { return }
    for property in properties {
      guard let key = property.name, let expression = property.valueExpression,
        let relationship = dInstance.entity.relationshipsByName[key]
      else { continue }
      let value = try manager.value(of: expression, source: source, destination: dInstance, mapping, property, self)
      // One object may have become several, of which some are of other entities.
      var objects = value.managedObjects.filter { $0.entity.isKindOf(entity: relationship.destinationEntity) }
      if property.inferredSource != nil { objects = dInstance.keepingLinks(of: objects, by: relationship) }
      try manager.naming(mapping, property, source) {
        // The links of a relationship that is copied were counted before.
        if !relationship.isToMany, objects.count > 1, property.copied(from: source.entity) == nil {
          throw Diagnostic.severalForOne(objects.count, relationship)
        }
        try dInstance.setCheckedValue(relationship.value(of: objects), forKey: key)
      }
    }
  }

  /// Called when the relationships of all objects of the mapping are set.
  open func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// Checks what validation does not.
  open func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// Called at the end.
  open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}
}

// MARK: - Classes by name

extension NSEntityMigrationPolicy {
  private static let lock = NSLock()
  nonisolated(unsafe) private static var classes: [String: NSEntityMigrationPolicy.Type] = [:]

  /// Lets mapping models find this class by its name; the module before it is of no account.
  public class func register() { lock.withLock { classes[String(describing: self)] = self } }

  /// The class of a name; nil if none was registered.
  static func registered(_ name: String) -> NSEntityMigrationPolicy.Type? {
    lock.withLock { classes[plain(name)] }
  }

  private static func plain(_ name: String) -> String { name.split(separator: ".").last.map(String.init) ?? name }
}

extension PredicateValue {
  /// The objects that it is.
  var managedObjects: [NSManagedObject] {
    switch self {
    case .object(let object): (object as? NSManagedObject).map { [$0] } ?? []
    case .list(let list): list.flatMap(\.managedObjects)
    default: []
    }
  }
}

extension Diagnostic {
  fileprivate static func severalForOne(_ count: Int, _ relationship: NSRelationshipDescription) -> Diagnostic {
    Diagnostic(
      .migrationValue, "\(relationship.name) leads to one object, and the expression gives \(count)",
      hint: "Let the expression give the one that is meant.")
  }
}

extension NSManagedObject {
  /// Those of the destinations of a relationship that are not linked to another object already, where each may have one alone: then
  /// the link to the least key stays, as where all is inferred.
  fileprivate func keepingLinks(
    of objects: [NSManagedObject], by relationship: NSRelationshipDescription
  ) -> [NSManagedObject] {
    guard relationship.isToMany, let inverse = relationship.inverseRelationship, !inverse.isToMany else {
      return objects
    }
    return objects.filter { object in
      guard let linked = object.value(forKey: inverse.name) as? NSManagedObject else { return true }
      return linked === self
    }
  }
}

extension NSRelationshipDescription {
  /// Objects in the form in which the relationship takes them.
  fileprivate func value(of objects: [NSManagedObject]) -> Any? {
    guard isToMany else { return objects.first }
    return isOrdered ? objects : Set(objects)
  }
}
