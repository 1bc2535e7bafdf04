import Diagnostics
package import Foundation
public import ObjectGraph
public import ObjectModel
import Predicates

/// Makes the objects of a new store out of those of another, mapping by mapping; policies see all through it.
///
/// Objects are read, made and saved in batches, and which was made of which is kept on disk where there are many: memory does not
/// grow with the stores, unless a policy keeps objects.
///
/// Source: Apple, Core Data, `NSMigrationManager`.
open class NSMigrationManager {
  /// The model of the store that is read.
  public let sourceModel: NSManagedObjectModel
  /// The model of the store that is made.
  public let destinationModel: NSManagedObjectModel
  /// The mappings.
  public internal(set) var mappingModel = NSMappingModel()
  /// The context of the objects that are read.
  public let sourceContext: NSManagedObjectContext
  /// The context of the objects that are made.
  public let destinationContext: NSManagedObjectContext
  /// The mapping that is at work.
  public internal(set) var currentEntityMapping = NSEntityMapping()
  /// How far it is, from 0 to 1; 0 again at the end.
  public internal(set) var migrationProgress: Float = 0
  /// Whatever policies keep for each other.
  public var userInfo: [AnyHashable: Any]?

  /// One and the same time for each `now()` of the mappings.
  package var now = Date()
  let sourceCoordinator: NSPersistentStoreCoordinator
  let destinationCoordinator: NSPersistentStoreCoordinator
  /// The stores and the associations; nil where nothing runs.
  var stores: ObjectMigration?
  /// The policies by place of their mapping.
  var policies: [NSEntityMigrationPolicy] = []
  /// What was associated since the last save: new objects have no lasting identity before it.
  var pending = PendingAssociations()
  /// Of the objects that are at work the first that each was made of.
  var batchSources: [ObjectIdentifier: NSManagedObject] = [:]
  var cancellation: (any Error)?
  /// What went wrong where nothing can be thrown.
  var failure: (any Error)?

  /// Makes a manager for two models.
  public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
    self.sourceModel = sourceModel
    self.destinationModel = destinationModel
    sourceCoordinator = NSPersistentStoreCoordinator(managedObjectModel: sourceModel)
    destinationCoordinator = NSPersistentStoreCoordinator(managedObjectModel: destinationModel)
    sourceContext = NSManagedObjectContext(coordinator: sourceCoordinator)
    destinationContext = NSManagedObjectContext(coordinator: destinationCoordinator)
    // The classes of an app are for its own version.
    for context in [sourceContext, destinationContext] { context.hasPlainObjects = true }
    destinationContext.validatesOnSave = false
    destinationContext.isBatch = true
  }

  /// The entity of the source that a mapping takes.
  open func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    mEntity.sourceEntityName.flatMap { sourceModel.entitiesByName[$0] }
  }

  /// The entity of the destination that a mapping makes.
  open func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    mEntity.destinationEntityName.flatMap { destinationModel.entitiesByName[$0] }
  }

  /// Ends the migration with an error before the next object.
  open func cancelMigrationWithError(_ error: any Error) { cancellation = error }

  /// Forgets what a run has left, so that another can begin.
  open func reset() {
    (mappingModel, currentEntityMapping, userInfo) = (NSMappingModel(), NSEntityMapping(), nil)
    (stores, policies, pending) = (nil, [], PendingAssociations())
    (cancellation, failure, migrationProgress) = (nil, nil, 0)
    sourceContext.reset()
    destinationContext.reset()
  }
}
