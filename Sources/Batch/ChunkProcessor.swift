import Diagnostics
import ObjectGraph
import Records

/// What a step does with a chunk of records.
protocol ChunkProcessor: AnyObject {
  /// Whether an earlier pass has counted and kept the records that are wrong in themselves.
  var isSecondPass: Bool { get }

  /// Puts what the records become into a context; nothing is saved.
  ///
  /// Records that are refused already are passed over. It may be called again for the same chunk, with an empty context and
  /// more refusals, when the store refused some of its objects.
  ///
  /// - Returns: what became of the records that were not refused.
  func process(_ chunk: RecordChunk, _ refusals: inout Refusals, in context: NSManagedObjectContext) throws
    -> StepCounts

  /// Called when the chunk that was processed last is in the store.
  func chunkWasCommitted()

  /// The record that an object of the last chunk was made from.
  func record(of objectID: NSManagedObjectID) -> Int?
}

extension ChunkProcessor {
  func chunkWasCommitted() {}
}
