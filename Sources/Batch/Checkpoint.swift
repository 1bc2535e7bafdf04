import Diagnostics
import Foundation
import Records

/// How far a run came: kept in the store's metadata, written by each chunk's own transaction, removed when the run is done.
///
/// Core Data keeps an app's own keys in the same place, so no table is added to the store.
struct Checkpoint: Codable, Hashable {
  /// The key in the store's metadata; its value is a dictionary by the fingerprint of the pipeline.
  static let metadataKey = "GantryCheckpoints"

  /// How far a pass came.
  struct Progress: Codable, Hashable {
    /// The place behind the last record whose chunk was committed.
    var position = ResumePoint(record: 0, line: 1, byte: 0)
    /// What became of the records.
    var counts = StepCounts()
    /// The length of the reject file.
    var rejectLength = 0
    /// The records that the step's second pass leaves out: the first has refused them, or passed them over.
    var passedOver = RecordNumbers()
    /// The hash of the records, where nothing else tells the input from another.
    var digest: Data?
  }

  /// What the inputs of the passes so far were, the running one's last: another file of the same name is none of them.
  var inputs: [String]
  /// What the passes filled.
  var targets: [String]
  /// The counts of the passes that are done.
  var done: [StepCounts]
  /// How far the running pass came.
  var progress: Progress
}

extension Checkpoint {
  /// The checkpoint that an earlier run of the same pipeline left.
  init?(in metadata: [String: Any], fingerprint: String) throws(Diagnostic) {
    guard let all = metadata[Self.metadataKey] as? [String: Any], let data = all[fingerprint] as? Data else {
      return nil
    }
    do {
      self = try PropertyListDecoder().decode(Checkpoint.self, from: data)
    } catch {
      throw .checkpointUnreadable()
    }
  }

  /// Sets or, with nil, removes the checkpoint of a pipeline.
  static func set(_ checkpoint: Checkpoint?, in metadata: inout [String: Any], fingerprint: String) {
    var all = metadata[metadataKey] as? [String: Any] ?? [:]
    all[fingerprint] = checkpoint.flatMap { try? PropertyListEncoder.binary.encode($0) }
    metadata[metadataKey] = all.isEmpty ? nil : all
  }

  /// The checkpoints that earlier runs of other pipelines left, by their fingerprints.
  static func others(in metadata: [String: Any], than fingerprint: String) -> [String: Checkpoint] {
    var found: [String: Checkpoint] = [:]
    for other in (metadata[metadataKey] as? [String: Any] ?? [:]).keys where other != fingerprint {
      // What cannot be read says nothing about this run.
      found[other] = try? Checkpoint(in: metadata, fingerprint: other)
    }
    return found
  }
}

extension PropertyListEncoder {
  fileprivate static var binary: PropertyListEncoder {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return encoder
  }
}
