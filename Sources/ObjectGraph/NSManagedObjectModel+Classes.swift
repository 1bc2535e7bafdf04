public import ObjectModel

extension NSManagedObjectModel {
  /// Makes objects of the entities that name this class instances of it.
  ///
  /// Without Objective-C's runtime a class cannot be found by its name, so that it is said once, before the model is used. The
  /// module before the name, in the model as in the class, is of no account. An entity whose class is not registered has
  /// plain managed objects.
  public func register(_ type: NSManagedObject.Type) {
    objectClasses[String(describing: type)] = type
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
    let entities = persistentStoreCoordinator?.managedObjectModel.entities.filter { $0.objectClass == type } ?? []
    guard let entity = entities.first, entities.count == 1 else {
      let names = entities.compactMap(\.name).joined(separator: ", ")
      preconditionFailure(
        names.isEmpty
          ? "\(type) is the class of no entity of the context's model: register it with the model"
          : "\(type) is the class of several entities, \(names): use NSManagedObject(entity:insertInto:)")
    }
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
