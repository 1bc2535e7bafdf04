public import Diagnostics

/// What became of a step's records.
///
/// Every record that was read is in one of the others: `read == filtered + written + rejected`. The names are Spring
/// Batch's, but that the three kinds of skip are told apart in `rejected`'s parts.
public struct StepCounts: Codable, Hashable, Sendable {
  /// Records read.
  public var readCount = 0
  /// Records passed over on purpose: their key exists and the rule is `skip`.
  public var filterCount = 0
  /// Objects made, and links made by a link step.
  public var insertCount = 0
  /// Objects that got other values.
  public var updateCount = 0
  /// Objects found to have the record's values already.
  public var unchangedCount = 0
  /// Records refused by the reader.
  public var readSkipCount = 0
  /// Records refused by conversion, keys or relationships.
  public var processSkipCount = 0
  /// Records refused by validation or by the store.
  public var writeSkipCount = 0
  /// Destinations left out because no object has their key and the rule is `null`.
  public var nullLinkCount = 0
  /// Destinations made because no object had their key and the rule is `create`.
  public var createCount = 0
  /// Transactions committed.
  public var commitCount = 0
  /// Transactions rolled back.
  public var rollbackCount = 0

  /// Makes counts of zero.
  public init() {}

  /// Records whose values are in the store.
  public var writeCount: Int { insertCount + updateCount + unchangedCount }
  /// Records refused.
  public var rejectCount: Int { readSkipCount + processSkipCount + writeSkipCount }
}

/// A step that is done, or as far as it came.
public struct StepSummary: Hashable, Sendable {
  /// The step's name.
  public var name: String
  /// What became of its records.
  public var counts: StepCounts
  /// The rule for records whose key exists, for the steps that have one.
  public var conflictRule: ConflictRule?
  /// The time it took, in this run.
  public var seconds: Double
  /// The file of its refused records, if there are any.
  public var rejectFile: String?
  /// The first of this run's rejected records, each with its place, reason and hint.
  public var firstRejects: [Diagnostic] = []
  /// The record behind which this run went on, where an earlier one had stopped.
  public var resumedBehind: Int?
}
