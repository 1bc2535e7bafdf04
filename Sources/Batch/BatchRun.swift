public import Diagnostics
public import ObjectGraph

import Bytes
package import Conversion
import Foundation
package import ObjectModel
import Records

/// Runs the steps of a pipeline into the store of a coordinator.
///
/// Everything is checked before the first record is read: inputs, columns, keys, relationships. Each chunk is one
/// transaction. Into a store that was there before, each transaction writes a checkpoint, and the same run after a crash
/// goes on behind it.
public final class BatchRun {
  /// The steps.
  public let steps: [StepConfiguration]
  /// Chunks and refused records.
  public let configuration: RunConfiguration
  /// What the run tells while it goes on.
  public let events: RunEvents
  let context: NSManagedObjectContext
  /// The names that records give to their objects, for later records and steps.
  let names: any ObjectNames
  private let store: NSPersistentStore
  private let coordinator: NSPersistentStoreCoordinator
  /// How the records become rows of the store's model, if the steps are written for an older version of it.
  private let forward: ForwardTransfer?
  /// The folder that the steps' paths are relative to.
  private let folder: String
  private let rejectsFolder: String
  /// What tells this pipeline from others in the store's checkpoints; nil for a new store, which is thrown away when the
  /// run does not come to its end.
  private let fingerprint: String?
  private var passes: [Pass] = []
  private var summaries: [StepSummary] = []
  /// The records that the pass before left out.
  private var passedOver = RecordNumbers()

  /// Makes a run; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - store: a store that is open and has been added to the coordinator.
  ///   - folder: the folder that the steps' paths are relative to.
  ///   - rejects: the folder for refused records.
  ///   - fingerprint: what tells this pipeline from others, for a store that was there before; nil for a new one.
  public convenience init(
    _ steps: [StepConfiguration], in folder: String, into store: NSPersistentStore,
    _ coordinator: NSPersistentStoreCoordinator, _ configuration: RunConfiguration, rejects: String,
    fingerprint: String?, events: RunEvents = RunEvents()
  ) throws {
    try self.init(
      steps, in: folder, into: store, coordinator, configuration, rejects: rejects, fingerprint: fingerprint,
      events: events, forward: nil)
  }

  /// Makes a run of steps that are written for an older version of the store's model, if `forward` says so.
  package init(
    _ steps: [StepConfiguration], in folder: String, into store: NSPersistentStore,
    _ coordinator: NSPersistentStoreCoordinator, _ configuration: RunConfiguration, rejects: String,
    fingerprint: String?, events: RunEvents, forward: ForwardTransfer?
  ) throws {
    precondition(forward.map { $0.transfer.destination === store.model } ?? true, "the rows are of the store's model")
    precondition(store.persistentStoreCoordinator === coordinator, "add the store to its coordinator first")
    self.steps = steps
    self.configuration = configuration
    self.events = events
    self.forward = forward
    self.store = store
    self.folder = folder
    self.fingerprint = fingerprint
    rejectsFolder = rejects
    context = NSManagedObjectContext()
    context.isBatch = true
    context.persistentStoreCoordinator = coordinator
    self.coordinator = coordinator
    names = try store.requests.makeObjectNames()
  }

  /// Runs all steps.
  ///
  /// - Parameter restarting: whether to forget how far an unfinished run came. The default is false: it is gone on with.
  /// - Throws: the diagnostic that ended the run, or `Stopped`; what was committed before stays, with its checkpoint.
  public func run(restarting: Bool = false) throws -> [StepSummary] {
    guard configuration.chunk > 0 else { throw Diagnostic.chunkSize(configuration.chunk) }
    do {
      try prepare()
      let checkpoint = try findCheckpoint(restarting: restarting)
      let first = checkpoint?.done.count ?? 0
      for (pass, counts) in zip(passes, checkpoint?.done ?? []) {
        summaries.append(summary(of: pass, doneEarlier: counts))
      }
      if goesOnLater { try checkInputs(of: passes[first...]) }
      for index in first..<passes.count { try run(passes[index], from: index == first ? checkpoint?.progress : nil) }
      try checkLinks()
      try forgetCheckpoint()
    } catch {
      // A signal ends what was waiting or taking long; and what writes the input may have been stopped by it, too.
      try checkForStop()
      throw error
    }
    return summaries
  }

  /// Fits steps to their inputs and to a model, as a run does before its first record; nothing is written.
  package static func check(
    _ steps: [StepConfiguration], in folder: String, model: NSManagedObjectModel, forward: ForwardTransfer?
  ) throws(Diagnostic) {
    let source = forward?.transfer.source ?? model
    _ = try Pass.all(of: steps, model: model, forward: forward) {
      StepInput($0, in: folder, model: source, kept: nil, readings: 1)
    }
  }

  /// Hands over the names that the records gave to their objects by the steps' `id`, in the order of the records.
  package func forEachName(_ body: (_ name: String, _ objectID: NSManagedObjectID) throws -> Void) throws {
    try names.forEach(body)
  }

  /// The summaries of the steps that are done, and of the one that was stopped as far as it was committed.
  public var summariesSoFar: [StepSummary] { summaries }

  /// Whether a later run may go on where this one stops.
  var goesOnLater: Bool { fingerprint != nil }

  /// Throws if a signal asks to stop.
  func checkForStop() throws {
    if let signal = events.stopSignal() { throw Stopped(signal: signal) }
  }

  private func prepare() throws {
    let model = forward?.transfer.source ?? store.model
    let readings = { [folder, goesOnLater] (step: StepConfiguration) in
      step.readings(in: model, folder: folder, isChecked: goesOnLater)
    }
    let isKept = steps.filter(\.read.isStandardInput).map(readings).reduce(0, +) > 1
    let kept = isKept ? try KeptStandardInput(in: FileSystem.folder(of: store.url?.path ?? "")) : nil
    passes = try Pass.all(of: steps, model: store.model, forward: forward) {
      StepInput($0, in: folder, model: model, kept: kept, readings: readings($0))
    }
    if steps.contains(where: \.linkedLater) {
      context.entitiesLinkedLater = Set(
        steps.filter { $0.id != nil }.compactMap { step in
          forward.map { $0.destination(of: step) } ?? step.entity.flatMap { store.model.entitiesByName[$0] }
        })
    }
    let inputs = Set(steps.map { FileSystem.resolved($0.read.path(in: folder)) })
    for path in passes.map(rejectPath) {
      if inputs.contains(FileSystem.resolved(path)) { throw Diagnostic.rejectsAreInput(path) }
      try RejectFile.checkPlace(path)
    }
  }

  /// Looks at the objects whose links were to come later, and again at all of them when some were removed.
  private func checkLinks() throws {
    guard steps.contains(where: \.linkedLater) else { return }
    let imports = passes
    var round = 1
    var refused = 0
    repeat {
      refused = 0
      for pass in imports.reversed().compactMap({ $0.linkCheck(round: round) }) {
        passes.append(pass)
        try run(pass, from: nil)
        refused += summaries.last?.counts.rejectCount ?? 0
      }
      round += 1
    } while refused > 0
  }

  private func run(_ pass: Pass, from checkpoint: Checkpoint.Progress?) throws {
    let stopwatch = Stopwatch()
    let reader = try pass.input.makeReader()
    var progress = checkpoint ?? Checkpoint.Progress()
    if checkpoint == nil, pass.isSecond { progress.passedOver = passedOver }
    let rejects = try RejectFile(
      path: rejectPath(pass), columns: reader.columns, without: pass.addedColumns,
      keeping: progress.rejectLength)
    progress.rejectLength = rejects.length
    let step = StepRun(pass, reader: reader, rejects: rejects, from: progress, in: self)
    do {
      if let checkpoint {
        events.note(.resuming(pass.name, behind: checkpoint.position.record))
        try step.resume()
      }
      while try step.runChunk() {}
      try rejects.finish()
    } catch {
      summaries.append(summary())
      throw error
    }
    for warning in pass.takeWarnings() + step.takeWarnings() { events.note(warning) }
    passedOver = step.progress.passedOver
    summaries.append(summary())

    func summary() -> StepSummary {
      StepSummary(
        name: pass.name, counts: step.progress.counts, conflictRule: pass.conflictRule,
        seconds: stopwatch.seconds, rejectFile: rejects.isEmpty ? nil : rejects.path,
        firstRejects: step.firstRejects, resumedBehind: checkpoint?.position.record)
    }
  }

  private func summary(of pass: Pass, doneEarlier counts: StepCounts) -> StepSummary {
    StepSummary(
      name: pass.name, counts: counts, conflictRule: pass.conflictRule, seconds: 0,
      rejectFile: counts.rejectCount > 0 ? rejectPath(pass) : nil, resumedBehind: counts.readCount)
  }

  private func rejectPath(_ pass: Pass) -> String { "\(rejectsFolder)/\(pass.name).rejected.csv" }

  /// Reads inputs to their end, of which nothing may be kept if they are broken anywhere.
  private func checkInputs(of passes: ArraySlice<Pass>) throws {
    let chunk = RecordChunk()
    for pass in passes where pass.step.mustBeWhole(in: folder) && !pass.isSecond {
      let reader = try pass.input.makeReader()
      var counts = StepCounts()
      var more = true
      while more {
        try checkForStop()
        chunk.removeAll()
        more = try reader.read(into: chunk, limit: configuration.chunk) { _, _ in }
        counts.readCount += chunk.count
        events.progress("checking \(pass.name)", counts, reader.progress)
      }
    }
  }

  // MARK: Transactions

  /// Saves rows or the context and, in the same transaction, how far the run came.
  ///
  /// - Returns: the IDs of the rows, if they are wanted.
  func commit(
    _ progress: Checkpoint.Progress, rows: AttributeColumns?, wantsIDs: Bool
  ) throws -> [NSManagedObjectID] {
    if let fingerprint {
      let done = summaries.map(\.counts)
      let inputs = passes[...done.count].map(\.input.description)
      let targets = passes[...done.count].map(\.target)
      setCheckpoint(Checkpoint(inputs: inputs, targets: targets, done: done, progress: progress), fingerprint)
    }
    if let rows {
      let request = NSBatchInsertRequest(validColumns: rows)
      if wantsIDs { request.resultType = .objectIDs }
      let result = try context.execute(request) as? NSBatchInsertResult
      return result?.result as? [NSManagedObjectID] ?? []
    }
    try context.save()
    return []
  }

  /// The checkpoint of an unfinished run; throws if its inputs are not those of this one.
  private func findCheckpoint(restarting: Bool) throws(Diagnostic) -> Checkpoint? {
    guard let fingerprint else { return nil }
    for (other, checkpoint) in Checkpoint.others(in: store.metadata, than: fingerprint) {
      // Who begins anew has done with what was left of the file, and with a later one in its place, too.
      if restarting, passes.contains(where: { checkpoint.isOfPath($0) }) { setCheckpoint(nil, other) }
      guard !restarting, let pass = passes.first(where: { checkpoint.isOf($0) }) else { continue }
      // The records that it has committed would come a second time, as the changed pipeline makes them.
      throw .otherPipeline(pass.step.read.path(in: folder), target: pass.target)
    }
    if restarting { setCheckpoint(nil, fingerprint) }
    guard let found = try Checkpoint(in: store.metadata, fingerprint: fingerprint) else { return nil }
    // Which object has which name was known to the run alone.
    guard !steps.contains(where: { $0.id != nil }) else { throw .namesForgotten() }
    guard found.done.count < passes.count, found.inputs.count == found.done.count + 1 else {
      throw .checkpointUnreadable()
    }
    let records = found.done.map(\.readCount) + [found.progress.position.record]
    for (index, input) in found.inputs.enumerated() where input != passes[index].input.description {
      throw .otherInput(passes[index].step.read.path(in: folder), records: records[index])
    }
    return found
  }

  private func setCheckpoint(_ checkpoint: Checkpoint?, _ fingerprint: String) {
    var metadata = store.metadata
    Checkpoint.set(checkpoint, in: &metadata, fingerprint: fingerprint)
    coordinator.setMetadata(metadata, for: store)
  }

  private func forgetCheckpoint() throws {
    guard let fingerprint else { return }
    context.reset()
    if store.metadata[Checkpoint.metadataKey] != nil { setCheckpoint(nil, fingerprint) }
    try context.save()
  }
}

extension Checkpoint {
  /// Whether some records of a file have become what a pass would make of all of them.
  fileprivate func isOf(_ pass: Pass) -> Bool {
    !pass.input.isStream && zip(inputs, targets).contains { $0 == (pass.input.description, pass.target) }
  }

  /// Whether it is of a pass over any file of this path.
  fileprivate func isOfPath(_ pass: Pass) -> Bool {
    zip(inputs, targets).contains { pass.input.hasPath(ofDescription: $0) && $1 == pass.target }
  }
}

/// What a run tells while it goes on; each function does nothing by default.
public struct RunEvents {
  /// Called behind each chunk with the step's name, its counts, and the bytes read so far and in all.
  public var progress: (String, StepCounts, (read: Int, total: Int?)) -> Void = { _, _, _ in }
  /// Called with what deserves a word.
  public var note: (Diagnostic) -> Void = { _ in }
  /// Asked before each chunk for a signal that ends the run.
  public var stopSignal: () -> Int32? = { nil }

  /// Makes events that do nothing.
  public init() {}
}

/// The run was asked to stop; the open chunk is rolled back.
public struct Stopped: Error {
  /// The number of the signal.
  public let signal: Int32
}
