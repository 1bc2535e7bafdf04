import Diagnostics

/// The records of a chunk that are refused, each with its first trouble.
struct Refusals {
  /// Who refused a record.
  enum Stage {
    case read, process, write
    /// An earlier pass over the same input, which has counted and kept it: this pass passes it over.
    case earlier
  }

  private(set) var troubles: [Int: (diagnostic: Diagnostic, stage: Stage)] = [:]

  /// Refuses a record; what it was refused for first stays.
  mutating func refuse(_ record: Int, _ diagnostic: Diagnostic, _ stage: Stage) {
    if troubles[record] == nil { troubles[record] = (diagnostic, stage) }
  }

  /// Whether a record is refused.
  func contains(_ record: Int) -> Bool { troubles[record] != nil }

  /// The records that this pass refused, in their order.
  var inOrder: [(record: Int, diagnostic: Diagnostic)] {
    troubles.filter { $0.value.stage != .earlier }.sorted { $0.key < $1.key }.map { ($0.key, $0.value.diagnostic) }
  }

  /// Adds the refusals to a step's counts.
  func count(in counts: inout StepCounts) {
    for trouble in troubles.values {
      switch trouble.stage {
      case .read: counts.readSkipCount += 1
      case .process: counts.processSkipCount += 1
      case .write: counts.writeSkipCount += 1
      case .earlier: counts.filterCount += 1
      }
    }
  }

  /// Forgets everything: the next chunk begins.
  mutating func removeAll() { troubles.removeAll(keepingCapacity: true) }
}
