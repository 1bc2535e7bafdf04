import Diagnostics
import Foundation
import ObjectGraph
import ObjectModel
import Records

/// One pass of a step over its input: chunk after chunk it reads, processes, keeps what is refused, and saves.
final class StepRun {
  let name: String
  /// How far it came.
  private(set) var progress: Checkpoint.Progress
  let rejects: RejectFile
  /// The first records that were refused in this run.
  private(set) var firstRejects: [Diagnostic] = []
  private let pass: Pass
  private let reader: any RecordReader
  private let processor: any ChunkProcessor
  private let run: BatchRun
  private let chunk = RecordChunk()
  private var refusals = Refusals()
  private var digest: RecordDigest?

  init(
    _ pass: Pass, reader: any RecordReader, rejects: RejectFile, from progress: Checkpoint.Progress, in run: BatchRun
  ) {
    name = pass.name
    self.pass = pass
    self.reader = reader
    processor = pass.makeProcessor(passingOver: progress.passedOver, names: run.names)
    self.rejects = rejects
    self.progress = progress
    self.run = run
    // A new store is thrown away when the run is stopped: nobody will ask for its records.
    if pass.input.isStream, run.goesOnLater { digest = RecordDigest() }
  }

  /// Goes behind what an earlier run committed.
  func resume() throws {
    let count = progress.position.record
    guard digest != nil || processor.recallsRecords else { return try reader.resume(behind: progress.position) }
    var found = 0
    while found < count {
      try run.checkForStop()
      let more = try readChunk(limit: min(run.configuration.chunk, count - found))
      found += chunk.count
      run.context.reset()
      try processor.recall(chunk, &refusals, in: run.context)
      guard more else { break }
    }
    guard found == count, digest?.value == progress.digest else {
      throw Diagnostic.otherInput(reader.file, records: count)
    }
  }

  /// Reads, processes and saves one chunk.
  ///
  /// - Returns: false when the input is at its end.
  func runChunk() throws -> Bool {
    try run.checkForStop()
    let more = try readChunk(limit: run.configuration.chunk)
    guard chunk.count > 0 else { return more }
    // The store may refuse objects one after another; each time they join the refused, and the chunk is done again.
    while true {
      run.context.reset()
      let outcome = try processor.process(chunk, &refusals, in: run.context)
      try run.checkForStop()
      try rejects.truncate(to: progress.rejectLength)
      try rejects.append(refusals, of: chunk)
      let next = progress(behind: outcome)
      if run.configuration.skipLimit.isExceeded(by: next.counts.rejectCount) {
        noteFirstRejects()
        throw Diagnostic.skipLimitExceeded(name, next.counts.rejectCount, limit: run.configuration.skipLimit)
      }
      do {
        let rowIDs = try run.commit(next, rows: processor.rowsToInsert, wantsIDs: processor.wantsRowIDs)
        progress = next
        noteFirstRejects()
        try processor.chunkWasCommitted(rowIDs)
        run.events.progress(name, progress.counts, reader.progress)
        return more
      } catch let error as SaveError {
        progress.counts.rollbackCount += 1
        do { try refuse(error) } catch {
          // What was refused is in the file as far as the store is: the rest comes again.
          try? rejects.truncate(to: progress.rejectLength)
          throw error
        }
        run.context.resetReturningKeys()
      }
    }
  }

  /// What the reader has to say at the end of the input.
  func takeWarnings() -> [Diagnostic] { pass.isSecond ? [] : reader.takeWarnings() }

  private func readChunk(limit: Int) throws -> Bool {
    chunk.removeAll()
    refusals.removeAll()
    let more = try reader.read(into: chunk, limit: limit) { record, trouble in
      if pass.isSecond { refusals.leaveOut(record) } else { refusals.refuse(record, trouble, .read) }
    }
    digest?.update(chunk)
    return more
  }

  private func noteFirstRejects() {
    firstRejects += refusals.inOrder.prefix(3 - min(3, firstRejects.count)).map(\.diagnostic)
  }

  /// How far the pass is when the chunk is committed.
  private func progress(behind outcome: StepCounts) -> Checkpoint.Progress {
    var next = progress
    next.position = reader.resumePoint
    next.counts = progress.counts.adding(outcome, refusals, read: chunk.count)
    next.counts.commitCount += 1
    next.rejectLength = rejects.length
    next.digest = digest?.value
    if pass.hasSecond {
      for record in (refusals.inOrder.map(\.record) + processor.passedOver).sorted() {
        next.passedOver.append(chunk.positions[record].record)
      }
    }
    return next
  }

  /// Refuses the records of the objects that the store would not take; throws if there are none to blame.
  private func refuse(_ error: SaveError) throws {
    switch error {
    case .validation(let invalid):
      for object in invalid { try refuse(object.objectID) { object.error.diagnostic(at: $0) } }
    case .duplicate(let duplicates):
      for duplicate in duplicates {
        try refuse(duplicate.objectID, row: duplicate.row) {
          .notUnique(duplicate.constraint, of: duplicate.objectID.entity, at: $0)
        }
      }
    case .conflict(let conflicts):
      throw Diagnostic.changedMeanwhile(conflicts.first?.objectID.uriRepresentation().absoluteString ?? "an object")
    case .store(let diagnostic): throw diagnostic
    }
  }

  private func refuse(
    _ objectID: NSManagedObjectID, row: Int? = nil, _ diagnostic: (SourcePosition) -> Diagnostic
  ) throws {
    let found = row.map { processor.rowsToInsert?.records[$0] } ?? processor.record(of: objectID)
    guard let record = found, !refusals.contains(record) else {
      throw diagnostic(SourcePosition(file: reader.file)).madeFatal
    }
    refusals.refuse(record, diagnostic(chunk.position(of: record, in: reader.file)), .write)
  }
}

extension StepCounts {
  /// The counts behind a chunk of which some records were refused and the others had an outcome.
  fileprivate func adding(_ outcome: StepCounts, _ refusals: Refusals, read: Int) -> StepCounts {
    var sum = self
    sum.readCount += read
    sum.filterCount += outcome.filterCount
    sum.insertCount += outcome.insertCount
    sum.updateCount += outcome.updateCount
    sum.unchangedCount += outcome.unchangedCount
    sum.nullLinkCount += outcome.nullLinkCount
    sum.createCount += outcome.createCount
    refusals.count(in: &sum)
    return sum
  }
}
