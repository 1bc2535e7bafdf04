public import Diagnostics
public import ObjectGraph

import Bytes
import Conversion
import Foundation
import ObjectModel
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
  private let store: NSPersistentStore
  private let coordinator: NSPersistentStoreCoordinator
  /// The folder that the steps' paths are relative to.
  private let folder: String
  private let rejectsFolder: String
  /// What tells this pipeline from others in the store's checkpoints; nil for a new store, which is thrown away when the
  /// run does not come to its end.
  private let fingerprint: String?
  private var passes: [Pass] = []
  private var summaries: [StepSummary] = []
  private var counts: [StepCounts] = []
  private var current = 0

  /// Makes a run; nothing is opened yet.
  ///
  /// - Parameters:
  ///   - store: a store that is open and has been added to the coordinator.
  ///   - folder: the folder that the steps' paths are relative to.
  ///   - rejects: the folder for refused records.
  ///   - fingerprint: what tells this pipeline from others, for a store that was there before; nil for a new one.
  public init(
    _ steps: [StepConfiguration], in folder: String, into store: NSPersistentStore,
    _ coordinator: NSPersistentStoreCoordinator, _ configuration: RunConfiguration, rejects: String,
    fingerprint: String?, events: RunEvents = RunEvents()
  ) {
    precondition(store.persistentStoreCoordinator === coordinator, "add the store to its coordinator first")
    self.steps = steps
    self.configuration = configuration
    self.events = events
    self.store = store
    self.folder = folder
    self.fingerprint = fingerprint
    rejectsFolder = rejects
    context = NSManagedObjectContext()
    context.persistentStoreCoordinator = coordinator
    self.coordinator = coordinator
  }

  /// Runs all steps.
  ///
  /// - Throws: the diagnostic that ended the run, or `Stopped`; what was committed before stays, with its checkpoint.
  public func run() throws -> [StepSummary] {
    guard configuration.chunk > 0 else { throw Diagnostic.chunkSize(configuration.chunk) }
    passes = try Pass.all(of: steps, in: folder, model: store.model, chunk: configuration.chunk)
    var resume: Checkpoint?
    if let fingerprint { resume = try Checkpoint(in: store.metadata, fingerprint: fingerprint) }
    counts = resume?.counts ?? []
    for index in (resume?.step ?? 0)..<passes.count {
      current = index
      summaries.append(try run(passes[index], from: resume?.step == index ? resume : nil))
    }
    try forgetCheckpoint()
    return summaries
  }

  /// The summaries of the steps that are done, and of the one that was stopped as far as it was committed.
  public var summariesSoFar: [StepSummary] { summaries }

  private func run(_ pass: Pass, from checkpoint: Checkpoint?) throws -> StepSummary {
    let start = Date()
    let reader = try pass.makeReader()
    if let checkpoint {
      guard checkpoint.input == pass.inputIdentity else {
        throw Diagnostic.inputChanged(reader.file, record: checkpoint.position.record)
      }
      try reader.resume(behind: checkpoint.position)
      events.note(.resuming(pass.name, behind: checkpoint.position.record))
    }
    let rejects = try RejectFile(
      path: "\(rejectsFolder)/\(pass.name).rejected.csv", columns: reader.columns,
      keeping: checkpoint?.rejectLength ?? 0)
    if counts.count == current { counts.append(StepCounts()) }
    let step = StepRun(
      name: pass.name, reader: reader, processor: try pass.makeProcessor(reader), rejects: rejects,
      counts: counts[current], in: self)
    func summary() -> StepSummary {
      StepSummary(
        name: pass.name, counts: step.counts, conflictRule: pass.conflictRule, seconds: Date().timeIntervalSince(start),
        rejectFile: rejects.isEmpty ? nil : rejects.path, resumedBehind: checkpoint?.position.record)
    }
    do {
      while true {
        if let signal = events.stopSignal() { throw Stopped(signal: signal) }
        guard try step.runChunk() else { break }
      }
    } catch {
      summaries.append(summary())
      throw error
    }
    for warning in pass.takeWarnings() { events.note(warning) }
    return summary()
  }

  // MARK: Transactions

  /// Saves the context and, in the same transaction, how far the run came.
  func commit(position: ResumePoint, rejectLength: Int, counts: StepCounts) throws {
    self.counts[current] = counts
    if let fingerprint {
      let checkpoint = Checkpoint(
        step: current, position: position, input: passes[current].inputIdentity, rejectLength: rejectLength,
        counts: self.counts)
      try setCheckpoint(checkpoint, fingerprint)
    }
    try context.save()
  }

  private func setCheckpoint(_ checkpoint: Checkpoint?, _ fingerprint: String) throws {
    var metadata = store.metadata
    Checkpoint.set(checkpoint, in: &metadata, fingerprint: fingerprint)
    coordinator.setMetadata(metadata, for: store)
  }

  /// Forgets how far an unfinished run of the same pipeline came.
  public func forgetCheckpoint() throws {
    guard let fingerprint, store.metadata[Checkpoint.metadataKey] != nil else { return }
    context.reset()
    try setCheckpoint(nil, fingerprint)
    try context.save()
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
