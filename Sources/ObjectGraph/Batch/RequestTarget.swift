import Diagnostics
import ObjectModel

/// The entity that a request is about, which may be named before there is a model.
enum RequestTarget {
  case entity(NSEntityDescription)
  case name(String)

  /// The entity in the model of a coordinator.
  func entity(in coordinator: NSPersistentStoreCoordinator) throws(Diagnostic) -> NSEntityDescription {
    let model = coordinator.managedObjectModel
    switch self {
    case .entity(let entity):
      guard model.entitiesByName[entity.name ?? ""] === entity else { throw .entityOfOtherModel(entity) }
      return entity
    case .name(let name):
      guard let entity = model.entitiesByName[name] else {
        throw .unknownEntity(name, known: model.entitiesByName.keys.sorted())
      }
      return entity
    }
  }
}
