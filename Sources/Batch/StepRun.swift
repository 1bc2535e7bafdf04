import Diagnostics
import Foundation
import ObjectGraph
import ObjectModel
import Records

/// One pass of a step over its input: chunk after chunk it reads, processes, keeps what is refused, and saves.
final class StepRun {
  let name: String
  private(set) var counts: StepCounts
  let rejects: RejectFile
  private let reader: any RecordReader
  private let processor: any ChunkProcessor
  private let run: BatchRun
  private let chunk = RecordChunk()
  private var refusals = Refusals()

  init(
    name: String, reader: any RecordReader, processor: any ChunkProcessor, rejects: RejectFile, counts: StepCounts,
    in run: BatchRun
  ) {
    self.name = name
    self.reader = reader
    self.processor = processor
    self.rejects = rejects
    self.counts = counts
    self.run = run
  }

  /// Reads, processes and saves one chunk.
  ///
  /// - Returns: false when the input is at its end.
  func runChunk() throws -> Bool {
    chunk.removeAll()
    refusals.removeAll()
    let stage = processor.isSecondPass ? Refusals.Stage.earlier : .read
    let more = try reader.read(into: chunk, limit: run.configuration.chunk) { refusals.refuse($0, $1, stage) }
    guard chunk.count > 0 else { return more }
    let length = rejects.length
    // The store may refuse objects one after another; each time they join the refused, and the chunk is done again.
    while true {
      run.context.reset()
      let outcome = try processor.process(chunk, &refusals, in: run.context)
      let after = counts.adding(outcome, refusals, read: chunk.count)
      try rejects.truncate(to: length)
      try rejects.append(refusals, of: chunk)
      if run.configuration.skipLimit.isExceeded(by: after.rejectCount) {
        throw Diagnostic.skipLimitExceeded(name, after.rejectCount, limit: run.configuration.skipLimit)
      }
      do {
        try run.commit(position: reader.resumePoint, rejectLength: rejects.length, counts: after)
        counts = after
        counts.commitCount += 1
        processor.chunkWasCommitted()
        run.events.progress(name, counts, reader.progress)
        return more
      } catch let error as SaveError {
        counts.rollbackCount += 1
        try refuse(error)
      }
    }
  }

  /// Refuses the records of the objects that the store would not take; throws if there are none to blame.
  private func refuse(_ error: SaveError) throws {
    switch error {
    case .validation(let invalid):
      for object in invalid { try refuse(object.objectID) { object.error.diagnostic(at: $0) } }
    case .duplicate(let duplicates):
      for duplicate in duplicates {
        try refuse(duplicate.objectID) {
          .notUnique(duplicate.constraint, of: duplicate.objectID.entity, at: $0)
        }
      }
    case .conflict(let objectIDs):
      throw Diagnostic.changedMeanwhile(objectIDs.first?.uriRepresentation().absoluteString ?? "an object")
    case .store(let diagnostic): throw diagnostic
    }
  }

  private func refuse(_ objectID: NSManagedObjectID, _ diagnostic: (SourcePosition) -> Diagnostic) throws {
    guard let record = processor.record(of: objectID), !refusals.contains(record) else {
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
