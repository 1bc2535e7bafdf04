import Diagnostics

extension NSManagedObjectContext {
  /// The objects of an entity and its subentities that are in the stores, in the order of their keys; they are read at once.
  ///
  /// What was inserted or deleted since the last save is not among them.
  public func storedObjects(forEntityName name: String) throws -> [NSManagedObject] {
    let coordinator = coordinator
    let ids = try coordinator.performAndWait {
      let entity = try RequestTarget.name(name).entity(in: coordinator)
      return try coordinator.stores(keeping: entity).flatMap {
        try $0.requests.objectIDs(of: entity, includingSubentities: true)
      }
    }
    return try fulfill(ids).compactMap(\.self).filter { !$0.isDeleted }
  }
}
