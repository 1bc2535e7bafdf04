import Foundation
public import ObjectModel

extension NSManagedObjectModel {
  /// Makes objects of the entities that name this class instances of it.
  ///
  /// Without Objective-C's runtime a class cannot be found by its name, so that it is said once, before the model is used. The
  /// module before the name, in the model as in the class, is of no account. An entity whose class is not registered has
  /// plain managed objects.
  public func register(_ type: NSManagedObject.Type) {
    objectClasses[String(describing: type)] = type
    ModelsOfClasses.note(self, for: type)
  }
}

/// The models that classes were registered with, for `NSManagedObject.entity()`.
private enum ModelsOfClasses {
  private struct Entry { weak var model: NSManagedObjectModel? }
  private static let lock = NSLock()
  nonisolated(unsafe) private static var models: [ObjectIdentifier: [Entry]] = [:]

  static func note(_ model: NSManagedObjectModel, for type: NSManagedObject.Type) {
    lock.withLock {
      let others = (models[ObjectIdentifier(type)] ?? []).filter { $0.model != nil && $0.model !== model }
      models[ObjectIdentifier(type)] = others + [Entry(model: model)]
    }
  }

  /// Those that are still there, the latest first.
  static func models(of type: NSManagedObject.Type) -> [NSManagedObjectModel] {
    lock.withLock { (models[ObjectIdentifier(type)] ?? []).reversed().compactMap(\.model) }
  }
}

extension NSManagedObject {
  /// The entity whose class this is, in the model that the class was registered with last.
  ///
  /// The class must be registered, with a model that is still there, and be that of one entity: anything else is a programmer's
  /// mistake. `init(context:)` goes by the context's model.
  public class func entity() -> NSEntityDescription {
    guard let model = ModelsOfClasses.models(of: self).first else {
      preconditionFailure("\(self) is the class of no entity of a model: register it with the model")
    }
    return model.entity(of: self)
  }
}

extension NSManagedObjectModel {
  /// The one entity whose objects are of a class.
  func entity(of type: NSManagedObject.Type) -> NSEntityDescription {
    let entities = entities.filter { $0.objectClass == type }
    guard let entity = entities.first, entities.count == 1 else {
      let names = entities.compactMap(\.name).joined(separator: ", ")
      preconditionFailure(
        names.isEmpty
          ? "\(type) is the class of no entity of the model: register it with the model"
          : "\(type) is the class of several entities, \(names): use NSManagedObject(entity:insertInto:)")
    }
    return entity
  }
}

extension NSEntityDescription {
  /// The class that the entity names, if it was registered.
  var objectClass: NSManagedObject.Type {
    let name = managedObjectClassName.split(separator: ".").last.map(String.init) ?? managedObjectClassName
    return managedObjectModel?.objectClasses[name] as? NSManagedObject.Type ?? NSManagedObject.self
  }

  /// Whether objects of the entity are of a class that was registered for it, and may have something to say to their making.
  package var hasOwnClass: Bool { objectClass != NSManagedObject.self }

  /// The entity of a name in the model of a context's coordinator.
  public class func entity(forEntityName name: String, in context: NSManagedObjectContext) -> NSEntityDescription? {
    context.persistentStoreCoordinator?.managedObjectModel.entitiesByName[name]
  }

  /// Makes an object of the entity's class and inserts it into a context.
  ///
  /// The name must be an entity of the model: a wrong one is a programmer's mistake.
  @discardableResult
  public class func insertNewObject(forEntityName name: String, into context: NSManagedObjectContext) -> NSManagedObject
  {
    guard let entity = entity(forEntityName: name, in: context) else {
      preconditionFailure("the model of the context has no entity \(name)")
    }
    let object = context.make(entity)
    context.insert(object)
    return object
  }
}

extension NSManagedObjectContext {
  /// The entity whose objects are of a class.
  func entity(of type: NSManagedObject.Type) -> NSEntityDescription {
    if let known = entitiesOfClasses[ObjectIdentifier(type)] { return known }
    guard let model = persistentStoreCoordinator?.managedObjectModel else {
      preconditionFailure("a context needs a persistent store coordinator before an object is made in it")
    }
    let entity = model.entity(of: type)
    entitiesOfClasses[ObjectIdentifier(type)] = entity
    return entity
  }
}

extension NSPersistentStoreCoordinator {
  /// Says, once for each class, that objects of an entity are plain ones although it names a class.
  func sayIfUnregistered(_ entity: NSEntityDescription) {
    let name = entity.managedObjectClassName
    guard name != "NSManagedObject", !entity.hasOwnClass else { return }
    let isNew = performAndWait { unregisteredClasses.insert(name).inserted }
    if isNew { onWarning(.unregisteredClass(name, of: entity)) }
  }
}
