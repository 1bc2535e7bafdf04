import Bytes
import Conversion
import Diagnostics
import Foundation
import Migration
import ObjectModel
import SQLiteStore

/// The versions of a model that a pipeline is about: the one of its store, and how records of another come into it.
struct ImportVersions {
  /// The model of the store.
  let model: NSManagedObjectModel
  /// The way of the records; nil where they are written for the store's own version.
  let passage: Passage?
  /// All versions, where more than one plays a part.
  private let known: KnownVersions?

  /// How records that are written for one version come into a store of another.
  struct Passage {
    let source: KnownVersions.Version
    let way: ForwardWay
    let mappings: [any VersionMapping]
  }

  private let pipeline: Pipeline
  private let folder: String

  /// Looks for the versions that a pipeline names.
  init(of pipeline: Pipeline, in folder: String) throws {
    self.pipeline = pipeline
    self.folder = folder
    if pipeline.sourceVersion == nil, pipeline.mapping != MappingConfiguration() { throw Diagnostic.mappingOfNothing() }
    let operand = ModelOperand(FileSystem.path(pipeline.model, in: folder))
    guard pipeline.sourceVersion != nil || pipeline.migrate != nil, !operand.isStore else {
      // A store has one version, and says so.
      model = try operand.model(version: pipeline.sourceVersion ?? pipeline.version)
      (known, passage) = (nil, nil)
      return
    }
    let url = URL(fileURLWithPath: operand.path)
    let known = try KnownVersions(contentsOf: url, to: pipeline.version)
    self.known = known
    model = known.destination.model
    passage = try pipeline.sourceVersion.flatMap { name in
      let source = try known.version(named: name)
      let mappings = try pipeline.mapping.mappings(beside: url, in: folder)
      let way = try known.forwardWay(from: source, mappings: mappings)
      if case .alike = way { return nil }
      return Passage(source: source, way: way, mappings: mappings)
    }
  }

  /// What the columns are fitted to.
  var inputModel: NSManagedObjectModel { passage?.source.model ?? model }

  // MARK: Rows of an older version

  /// How records become rows of the store's version as they are read; nil if they are of it, or go through a store of their own.
  ///
  /// - Throws: Records that must go through a store of their own, and a store that is there.
  func forward(intoExisting exists: Bool) throws(Diagnostic) -> ForwardTransfer? {
    guard let passage else { return nil }
    guard case .rows(let transfer) = passage.way else {
      if exists { throw .mappedIntoExisting(passage) }
      return nil
    }
    // What only a migration can do is left to one, where nothing is in its way.
    let filled = pipeline.steps.compactMap { $0.entity ?? $0.link?.entity }.compactMap {
      transfer.source.entitiesByName[$0]
    }
    guard exists || filled.allSatisfy({ transfer.transfer(from: $0)?.isAsRead ?? true }) else { return nil }
    return ForwardTransfer(
      transfer, to: known?.destination.name ?? "", allowLoss: pipeline.mapping.allowLoss,
      copyUnchanged: pipeline.mapping.copyUnchanged)
  }

  /// Makes a store of the records' version one of the pipeline's version.
  func migrate(_ file: URL, warn: @escaping (Diagnostic) -> Void) throws {
    guard let known, let passage else { return }
    let migrator = try SQLiteStoreMigrator(of: file)
    migrator.isReproducible = pipeline.newStore.reproducible
    let migration = StoreMigration(
      of: migrator, to: known, mappings: passage.mappings, pipeline.mapping.options)
    migration.events.warn = warn
    try migration.run(migration.plan(), backup: nil)
  }

  // MARK: The step `migrate`

  /// What the step `migrate` will do with the store, and does when it is run; nil where there is no such step or no store.
  func upgrade(of store: URL) throws -> StoreUpgrade? {
    guard let step = pipeline.migrate, let known, FileSystem.exists(store.path) else { return nil }
    let model = URL(fileURLWithPath: FileSystem.path(pipeline.model, in: folder))
    let migration = StoreMigration(
      of: try SQLiteStoreMigrator(of: store), to: known,
      mappings: try step.mapping.mappings(beside: model, in: folder), step.mapping.options)
    return StoreUpgrade(
      of: store, migration, try migration.plan(),
      backup: StoreUpgrade.backup(of: store, step.backup.map { $0 == "none" ? $0 : FileSystem.path($0, in: folder) }))
  }
}

extension MappingConfiguration {
  /// What may be lost.
  var options: MigrationOptions {
    var options = MigrationOptions()
    (options.allowLoss, options.copyUnchanged) = (allowLoss, copyUnchanged)
    return options
  }

  /// The mappings that are named, or else those in the folder of the model.
  func mappings(beside model: URL, in folder: String) throws -> [any VersionMapping] {
    if infer { return [] }
    guard let mapping else { return try MappingModelFile.all(beside: model) }
    return try mapping.map { name -> any VersionMapping in
      let path = FileSystem.path(name, in: folder)
      if path.hasSuffix(".xcmappingmodel") { return try MappingModelFile(contentsOf: URL(fileURLWithPath: path)) }
      return DeclaredMapping(try MappingFile.read(path), name: name)
    }
  }
}

extension Diagnostic {
  fileprivate static func mappingOfNothing() -> Diagnostic {
    Diagnostic(
      .pipelineValue, "`mapping`, `infer`, `allowLoss` and `copyUnchanged` are for rows of another version",
      hint:
        "Name the version that the inputs are written for by `sourceVersion`; what the step `migrate` may do stands in it."
    )
  }

  fileprivate static func mappedIntoExisting(_ passage: ImportVersions.Passage) -> Diagnostic {
    var path = ""
    if case .store(let versions) = passage.way { path = versions.joined(separator: " -> ") }
    return Diagnostic(
      .migrationInference,
      "rows of \(passage.source.name) cannot be mapped into a store that is there: the way is \(path), by a mapping that is "
        + "written down or in several steps",
      hint: "Fill a new store, or a store of \(passage.source.name) (--model-version), and migrate it.")
  }
}
