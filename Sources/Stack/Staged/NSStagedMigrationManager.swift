import Diagnostics
import Foundation
import Migration
import ObjectGraph
import ObjectModel

/// The option, an `NSStagedMigrationManager`, for a store that is migrated stage by stage when it is added; beside the two options
/// of automatic migration.
public let NSPersistentStoreStagedMigrationManagerOptionKey = "NSPersistentStoreStagedMigrationManagerOptionKey"

/// Leads a store through the stages of a migration, in their order.
///
/// From one custom stage to the next the store goes the shortest way that can be inferred, through versions of lightweight stages
/// where there is none at once. The store itself stays as it is until the last stage is complete.
///
/// Source: Apple, Core Data, `NSStagedMigrationManager`.
public final class NSStagedMigrationManager {
  /// The stages in their order.
  public let stages: [NSMigrationStage]
  /// The store as it is at this stage, for handlers; nil while none is called.
  public private(set) var container: NSPersistentContainer?

  /// Makes a manager of stages.
  public init(_ stages: [NSMigrationStage]) { self.stages = stages }
}

extension NSStagedMigrationManager {
  /// The versions beside a model and those that stages refer to.
  func versions(besides model: NSManagedObjectModel) throws(Diagnostic) -> KnownVersions {
    let known = try KnownVersions(besides: model)
    var versions = known.versions
    for stage in stages {
      guard let stage = stage as? NSCustomMigrationStage else { continue }
      for reference in [stage.currentModel, stage.nextModel] {
        let model = try reference.resolve()
        guard !versions.contains(where: { $0.model.versionChecksum == reference.versionChecksum }) else { continue }
        versions.append(.init(name: name(of: model, reference, among: versions.map(\.name)), model: model))
      }
    }
    return KnownVersions(versions, to: known.destination)
  }

  /// The version as its file calls it, or else its checksum.
  private func name(
    of model: NSManagedObjectModel, _ reference: NSManagedObjectModelReference, among taken: [String]
  ) -> String {
    let file = model.origin.map { URL(fileURLWithPath: $0.path).deletingPathExtension().lastPathComponent }
    guard let name = model.origin?.version ?? file, !taken.contains(name) else { return reference.versionChecksum }
    return name
  }

  /// The stages as a migration goes through them.
  func path(through versions: KnownVersions) throws(Diagnostic) -> [StagedPath.Stage] {
    func version(_ reference: NSManagedObjectModelReference) throws(Diagnostic) -> KnownVersions.Version {
      let model = try reference.resolve()
      return versions.versions.first { $0.model.versionChecksum == reference.versionChecksum }
        ?? .init(name: reference.versionChecksum, model: model)
    }
    var path: [StagedPath.Stage] = []
    for stage in stages {
      switch stage {
      case let stage as NSLightweightMigrationStage: path.append(.lightweight(stage.versionChecksums))
      case let stage as NSCustomMigrationStage:
        path.append(
          .custom(
            try version(stage.currentModel), try version(stage.nextModel),
            StageHandlers(
              willMigrate: calling(stage.willMigrateHandler, of: stage),
              didMigrate: calling(stage.didMigrateHandler, of: stage))))
      default: preconditionFailure("a stage is lightweight or custom")
      }
    }
    return path
  }

  private func calling(
    _ handler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?, of stage: NSCustomMigrationStage
  ) -> StageHandlers.Handler? {
    guard let handler else { return nil }
    return { store, model in
      let container = NSPersistentContainer(name: stage.label ?? "", managedObjectModel: model)
      let coordinator = container.persistentStoreCoordinator
      // The classes of a program are for its own version.
      coordinator.onWarning = { _ in }
      coordinator.add(store)
      container.persistentStoreDescriptions = store.url.map { [NSPersistentStoreDescription(url: $0)] } ?? []
      self.container = container
      defer {
        self.container = nil
        coordinator.remove(store)
      }
      do { try handler(self, stage) } catch { throw Diagnostic.handlerFailed(stage.label, error) }
    }
  }
}

extension Diagnostic {
  fileprivate static func handlerFailed(_ label: String?, _ error: any Error) -> Diagnostic {
    Diagnostic(
      .migrationStages, "a handler of the stage\(label.map { " \($0)" } ?? "") failed: \(error)",
      hint: "The store is as it was.")
  }
}
