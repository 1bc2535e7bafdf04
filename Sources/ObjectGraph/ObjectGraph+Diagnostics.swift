import Diagnostics
import Foundation
import ObjectModel

extension Diagnostic {
  static func noSuchObject(_ objectID: NSManagedObjectID) -> Diagnostic {
    Diagnostic(
      Code("object.missing", .reject), "the store has no object \(objectID.uriRepresentation().absoluteString)",
      hint: "It was deleted, or the store was replaced by another.")
  }

  static func unknownKey(_ key: String, of entity: NSEntityDescription) -> Diagnostic {
    Diagnostic(
      Code("object.unknown-key", .usage), "\(entity.name ?? "") has no property \(key)",
      hint: "It has \(entity.propertiesByName.keys.sorted().joined(separator: ", ")).")
  }

  static func valueType(_ value: Any, forKey key: String, of entity: NSEntityDescription, expected: String)
    -> Diagnostic
  {
    Diagnostic(
      Code("object.value-type", .reject),
      "\(entity.name ?? "").\(key) takes \(expected), found \(type(of: value)) \(ShownText.excerpt(String(describing: value)))",
      hint: "Make a value of that type before it is set.")
  }

  static func fetchedProperty(_ key: String, of entity: NSEntityDescription) -> Diagnostic {
    Diagnostic(
      Code("object.fetched-property", .usage),
      "\(entity.name ?? "").\(key) is a fetched property, which has no value of its own",
      hint: "Run its fetch request.")
  }

  static func acrossContexts(_ relationship: NSRelationshipDescription, of entity: NSEntityDescription) -> Diagnostic {
    Diagnostic(
      Code("object.other-context", .usage),
      "\(entity.name ?? "").\(relationship.name) takes objects of the same context, found one of another or of none",
      hint: "Insert the object first, or take the one with its ID from `object(with:)`.")
  }

  static func unregisteredClass(_ name: String, of entity: NSEntityDescription) -> Diagnostic {
    Diagnostic(
      Code("object.unregistered-class", .warning),
      "the class \(name) of the entity \(entity.name ?? "") is not registered: its objects are plain NSManagedObjects",
      hint: "Call `model.register(\(name.split(separator: ".").last ?? "").self)` before the model is used.")
  }

  static func noStore(for entity: NSEntityDescription) -> Diagnostic {
    Diagnostic(
      Code("store.none-for-entity", .store), "no store keeps the entity \(entity.name ?? "")",
      hint: "Add a store whose configuration holds the entity.")
  }

  static func readOnly(_ store: NSPersistentStore) -> Diagnostic {
    Diagnostic(
      Code("store.read-only", .store), "the store \(store.url?.path ?? store.type) is read-only",
      hint: "Open it for writing.")
  }

  static func acrossStores(_ relationship: NSRelationshipDescription, of entity: NSEntityDescription) -> Diagnostic {
    Diagnostic(
      Code("store.relationship-across", .store),
      "\(entity.name ?? "").\(relationship.name) leads to an object of another store",
      hint: "Keep both entities in one configuration.")
  }

  static func foreignID(_ objectID: NSManagedObjectID) -> Diagnostic {
    Diagnostic(
      Code("object.foreign", .store),
      "\(objectID.uriRepresentation().absoluteString) is of a store that the coordinator does not have",
      hint: "Add that store to the coordinator, or look the object up anew.")
  }
}
