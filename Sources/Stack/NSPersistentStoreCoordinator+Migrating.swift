import Bytes
import Diagnostics
import Foundation
public import Migration
import ObjectGraph
import ObjectModel
import SQLiteStore

/// The option, a `Bool`, for a store of another version that is migrated when it is added.
public let NSMigratePersistentStoresAutomaticallyOption = "NSMigratePersistentStoresAutomaticallyOption"
/// The option, a `Bool`, that lets the mapping of such a store be inferred where none is found.
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"

extension MigrationOptions {
  /// The option of a store, a `MigrationOptions`, for what may be lost when it is migrated; ours.
  public static let storeOption = "GantryMigrationOptions"
}

/// How a store is migrated when it is opened.
struct AutomaticMigration {
  let isAllowed: Bool
  let infersMapping: Bool
  let options: MigrationOptions
  var staged: NSStagedMigrationManager?
  var progress: (_ rows: Int, _ planned: Int) -> Void = { _, _ in }

  /// Makes a store one of a model's version, if it is there and is not; the versions and the mapping models are those
  /// that lie beside the model.
  ///
  /// No backup is kept, as Apple keeps none: the store changes places with the new one in one step.
  func migrate(_ store: URL, to model: NSManagedObjectModel) throws {
    guard isAllowed, FileSystem.exists(store.path) else { return }
    let migrator = try SQLiteStoreMigrator(of: store)
    guard migrator.identity.hashes != model.entityVersionHashesByName else { return }
    let mappings = try model.origin.map { try MappingModelFile.all(beside: URL(fileURLWithPath: $0.path)) } ?? []
    let versions = try staged?.versions(besides: model) ?? KnownVersions(besides: model)
    let migration = StoreMigration(
      of: migrator, to: versions, mappings: mappings, options, stages: try staged?.path(through: versions) ?? [])
    migration.events.rows = progress
    let plan = try migration.plan()
    guard infersMapping || plan.steps.allSatisfy({ !$0.mapping.isInferred }) else {
      throw Diagnostic.mappingMissing(store.path)
    }
    try migration.run(plan, backup: nil)
  }
}

extension AutomaticMigration {
  /// How a description says, once its options are looked at.
  init(_ description: NSPersistentStoreDescription) throws(Diagnostic) {
    try description.checkOptions()
    self.init(
      isAllowed: description.shouldMigrateStoreAutomatically,
      infersMapping: description.shouldInferMappingModelAutomatically, options: description.migrationOptions,
      staged: description.stagedMigrationManager, progress: description.migrationProgress)
  }
}

extension Diagnostic {
  fileprivate static func mappingMissing(_ store: String) -> Diagnostic {
    Diagnostic(
      Code("migration.mapping-missing", .store), "\(store) must be migrated, and there is no mapping model for it",
      hint: "Let the mapping be inferred: \(NSInferMappingModelAutomaticallyOption).")
  }
}
