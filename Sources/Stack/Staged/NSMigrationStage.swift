/// A stage of a migration through several versions of a model.
///
/// Source: Apple, Core Data, `NSMigrationStage`.
public class NSMigrationStage {
  /// What the stage is for, in words for people. The default is none.
  public final var label: String?

  fileprivate init() {}
}

/// Versions of a model that become each other by inferred mappings.
///
/// Source: Apple, Core Data, `NSLightweightMigrationStage`.
public final class NSLightweightMigrationStage: NSMigrationStage {
  /// The checksums of the versions' models, in their order; see `NSManagedObjectModel.versionChecksum`.
  public let versionChecksums: [String]

  /// Makes a stage of versions.
  public init(_ checksums: [String]) { versionChecksums = checksums }
}

/// One version of a model that becomes the next, with what a program does to the rows before and after.
///
/// The handlers find the store by the manager's `container`, with the objects of the version as it is then, of no class of the
/// program's. What they save is not in the store itself until the whole migration is complete.
///
/// Source: Apple, Core Data, `NSCustomMigrationStage`.
public final class NSCustomMigrationStage: NSMigrationStage {
  /// The version that the stage begins with.
  public let currentModel: NSManagedObjectModelReference
  /// The version that it ends with.
  public let nextModel: NSManagedObjectModelReference
  /// What is done before: the rows are of the current model. The default is nothing.
  public var willMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
  /// What is done after: the rows are of the next model. The default is nothing.
  public var didMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?

  /// Makes a stage between two versions.
  public init(migratingFrom currentModel: NSManagedObjectModelReference, to nextModel: NSManagedObjectModelReference) {
    self.currentModel = currentModel
    self.nextModel = nextModel
  }
}
