import Batch
import Bytes
import Conversion
import Diagnostics
import Foundation
import ObjectGraph
import ObjectModel
import SQLiteStore

/// Opens what a pipeline names, runs it, and leaves a store that is whole, whatever happens.
///
/// A new store is built beside its place and moved there when it is complete; until then nothing is at its place. Into a
/// store that is there each chunk is one transaction, and the same pipeline goes on behind the last one.
struct ImportRun {
  private let pipeline: Pipeline
  private let folder: String
  private let restart: Bool
  private let report: ImportReport
  private let storePath: String
  /// Where the names go that the records gave to their objects, if they are wanted.
  private let idMap: IDMap?

  init(_ pipeline: Pipeline, in folder: String, restart: Bool, report: ImportReport, idMap: IDMap? = nil) {
    self.idMap = idMap
    self.pipeline = pipeline
    self.folder = folder
    self.restart = restart
    self.report = report
    storePath = FileSystem.path(pipeline.store, in: folder)
  }

  /// Runs the pipeline and says how it went.
  func run() throws -> ExitStatus {
    guard !pipeline.steps.isEmpty else { throw Diagnostic.noSteps() }
    let paths = [
      ("model", pipeline.model), ("store", pipeline.store), ("rejects", pipeline.run.rejects),
      ("template", pipeline.newStore.template),
    ]
    if let (key, _) = paths.first(where: { $0.1 == "" }) { throw Diagnostic.emptyPath(key) }
    let versions = try ImportVersions(of: pipeline, in: folder)
    for warning in versions.model.warnings { report.warn(warning) }

    try StoreBuilder.checkPlace(of: storePath, isReproducible: pipeline.newStore.reproducible)
    if pipeline.steps.contains(where: \.read.isStandardInput) { report.waitingForInput() }
    StopSignals.hold()
    if pipeline.newStore.reproducible, FileSystem.exists(storePath) { throw Diagnostic.notReproducible(storePath) }
    // What cannot go on behind a migration does not begin with one. It holds the store by itself.
    _ = try versions.forward(intoExisting: FileSystem.exists(storePath))
    if let upgrade = try versions.upgrade(of: URL(fileURLWithPath: storePath)) {
      do {
        report.migrated(try upgrade.run(progress: report.progress, warn: report.warn))
      } catch {
        guard let signal = StopSignals.received else { throw error }
        report.stopped(isKept: false)
        return signal == .interrupt ? .interrupted : .terminated
      }
    }
    let lock = try FileLock(store: storePath)
    defer { lock.release() }
    let exists = FileSystem.exists(storePath)
    do {
      return try exists ? extend(versions) : build(versions)
    } catch {
      // A signal ends what takes long before the first record: the check of a large store, the copy of a template.
      guard let signal = StopSignals.received else { throw error }
      report.stopped(isKept: exists)
      return signal == .interrupt ? .interrupted : .terminated
    }
  }

  // MARK: The two ways

  private func build(_ versions: ImportVersions) throws -> ExitStatus {
    var options = pipeline.newStore
    options.template = options.template.map { FileSystem.path($0, in: folder) }
    let forward = try versions.forward(intoExisting: false)
    // What cannot be mapped record by record fills a store of its own version, which is migrated where it was built.
    let isMigrated = versions.passage != nil && forward == nil
    if isMigrated { try checkMigrated() }
    let builder = try StoreBuilder(
      at: URL(fileURLWithPath: storePath), model: isMigrated ? versions.inputModel : versions.model, options: options)
    for warning in builder.store.warnings { report.warn(warning) }
    let run = try batchRun(into: builder.store, forward, fingerprint: nil)
    do {
      let steps = try run.run()
      try idMap?.write(run)
      if isMigrated {
        try builder.complete { try versions.migrate($0, warn: report.warn) }
      } else {
        try builder.complete()
      }
      try idMap?.complete()
      return try finish(steps)
    } catch {
      // What ended the run is the error to tell; the next run removes what cannot be removed now.
      idMap?.abandon()
      try? builder.abandon()
      return try stop(run, error, isKept: false)
    }
  }

  /// Throws for what a migration would not keep as it is asked for.
  private func checkMigrated() throws(Diagnostic) {
    if pipeline.newStore.template != nil { throw .notMigrated("template", "a store to begin with") }
    if pipeline.newStore.frameworkVersion < SQLiteStoreOptions().frameworkVersion {
      throw .notMigrated("frameworkVersion", "an older version of Core Data")
    }
    if idMap != nil { throw .notMigrated("idMap", "the objects of records") }
  }

  private func extend(_ versions: ImportVersions) throws -> ExitStatus {
    let forward = try versions.forward(intoExisting: true)
    let model = versions.model
    let store = try SQLitePersistentStore.open(at: URL(fileURLWithPath: storePath), model: model)
    try store.checkFile()
    for warning in store.warnings { report.warn(warning) }
    let run = try batchRun(into: store, forward, fingerprint: pipeline.fingerprint(model, versions.inputModel))
    do {
      let steps = try run.run(restarting: restart)
      try idMap?.write(run)
      try idMap?.complete()
      try store.finish()
      return try finish(steps)
    } catch {
      idMap?.abandon()
      try? store.finish()
      return try stop(run, error, isKept: true)
    }
  }

  private func batchRun(
    into store: SQLitePersistentStore, _ forward: ForwardTransfer?, fingerprint: String?
  ) throws -> BatchRun {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: store.model)
    coordinator.add(store)
    var events = RunEvents()
    events.progress = report.progress
    events.note = report.warn
    events.stopSignal = { StopSignals.received?.rawValue }
    let rejects = pipeline.run.rejects.map { FileSystem.path($0, in: folder) } ?? storePath + ".rejects"
    return try BatchRun(
      pipeline.steps, in: folder, into: store, coordinator, pipeline.run, rejects: rejects, fingerprint: fingerprint,
      events: events, forward: forward)
  }

  // MARK: The end

  private func finish(_ steps: [StepSummary]) throws -> ExitStatus {
    try report.summarize(steps, store: storePath, isKept: true, isDone: true)
    return steps.contains { $0.counts.rejectCount > 0 } ? .rejects : .done
  }

  /// Says how far a run came that did not come to its end, and how to go on.
  private func stop(_ run: BatchRun, _ error: any Error, isKept: Bool) throws -> ExitStatus {
    try report.summarize(run.summariesSoFar, store: storePath, isKept: isKept, isDone: false)
    guard let stopped = error as? Stopped else {
      if isKept { report.keepsPart(of: run.summariesSoFar) }
      throw error
    }
    report.stopped(isKept: isKept)
    return stopped.signal == StopSignals.Signal.interrupt.rawValue ? .interrupted : .terminated
  }
}

extension Pipeline {
  /// What tells this pipeline from others: what it reads, what it makes of it, and the models of the store and the inputs; not where
  /// the model and the store are, nor the sizes of chunks.
  func fingerprint(_ model: NSManagedObjectModel, _ inputs: NSManagedObjectModel) -> String {
    var essence = self
    (essence.model, essence.version, essence.store) = ("", nil, "")
    (essence.sourceVersion, essence.migrate) = (nil, nil)
    essence.run = RunConfiguration()
    essence.newStore = SQLiteStoreOptions()
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    // A pipeline that was read can be written.
    let text = (try? encoder.encode(essence)) ?? Data()
    let models = model === inputs ? [model] : [model, inputs]
    return Hex.encode(SHA256.hash(Array(text) + models.flatMap { Array($0.versionChecksum.utf8) }))
  }
}

extension Diagnostic.Code {
  static let storeNotReproducible = Self("store.not-reproducible", .store)
}

extension Diagnostic {
  fileprivate static func notMigrated(_ key: String, _ what: String) -> Diagnostic {
    Diagnostic(
      .pipelineValue,
      "`\(key)` names \(what), which a store is not filled with whose rows are migrated before it takes its place",
      hint: "Leave it out, or fill a store of the older version by --model-version, and migrate it.")
  }

  fileprivate static func emptyPath(_ key: String) -> Diagnostic {
    Diagnostic(.pipelineValue, "`\(key)` is empty, expected a path", hint: "Write one, or leave `\(key)` out.")
  }

  /// What a store that is extended becomes depends on what it was.
  fileprivate static func notReproducible(_ store: String) -> Diagnostic {
    Diagnostic(
      .storeNotReproducible, "\(store) is there already: extended, it is not what the input alone makes",
      hint: "Remove it or name another, or import without --reproducible (`reproducible: true`).")
  }

  fileprivate static func noSteps() -> Diagnostic {
    Diagnostic(.pipelineValue, "the pipeline has no steps", hint: "Add one to `steps`.")
  }
}
