import Diagnostics
import ObjectGraph
import ObjectModel
import Records

/// What a step does with a chunk of records.
protocol ChunkProcessor: AnyObject {
  /// Puts what the records become into a context; nothing is saved.
  ///
  /// Records that are refused already are passed over. It may be called again for the same chunk, with an empty context and
  /// more refusals, when the store refused some of its objects.
  ///
  /// - Returns: what became of the records that were not refused.
  func process(_ chunk: RecordChunk, _ refusals: inout Refusals, in context: NSManagedObjectContext) throws
    -> StepCounts

  /// The records of the chunk that were processed last and passed over on purpose, in their order.
  var passedOver: [Int] { get }

  /// Whether it wants to know the IDs of the rows that the store took as they are.
  var wantsRowIDs: Bool { get }

  /// Called when the chunk that was processed last is in the store.
  ///
  /// - Parameter rowIDs: the IDs of `rowsToInsert`, if they are wanted.
  func chunkWasCommitted(_ rowIDs: [NSManagedObjectID]) throws

  /// Whether a run that goes on must show the records that an earlier one committed.
  var recallsRecords: Bool { get }

  /// Takes note of a chunk that an earlier run committed; nothing is changed.
  func recall(_ chunk: RecordChunk, _ refusals: inout Refusals, in context: NSManagedObjectContext) throws

  /// The record that an object of the last chunk was made from.
  func record(of objectID: NSManagedObjectID) -> Int?

  /// The rows that the store takes as they are, where the last chunk needs no objects; nothing is in the context then.
  var rowsToInsert: AttributeColumns? { get }
}

extension ChunkProcessor {
  var passedOver: [Int] { [] }
  var wantsRowIDs: Bool { false }
  func chunkWasCommitted(_ rowIDs: [NSManagedObjectID]) {}
  var rowsToInsert: AttributeColumns? { nil }
  var recallsRecords: Bool { false }
  func recall(_ chunk: RecordChunk, _ refusals: inout Refusals, in context: NSManagedObjectContext) throws {}
}
