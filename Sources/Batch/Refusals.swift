import Diagnostics

/// The records of a chunk that are refused, each with its first trouble, and those that an earlier pass left out.
struct Refusals {
  /// Who refused a record.
  enum Stage { case read, process, write }

  private var troubles: [Int: (diagnostic: Diagnostic, stage: Stage)] = [:]
  /// The records that an earlier pass over the same input has counted and kept: this pass passes them over.
  private var leftOut: Set<Int> = []

  /// Refuses a record; what it was refused for first stays.
  mutating func refuse(_ record: Int, _ diagnostic: Diagnostic, _ stage: Stage) {
    if troubles[record] == nil { troubles[record] = (diagnostic, stage) }
  }

  /// Passes over a record that an earlier pass left out.
  mutating func leaveOut(_ record: Int) { leftOut.insert(record) }

  /// Whether a record is refused or left out.
  func contains(_ record: Int) -> Bool { troubles[record] != nil || leftOut.contains(record) }

  /// Whether nothing is refused.
  var isEmpty: Bool { troubles.isEmpty }

  /// The refused records, in their order.
  var inOrder: [(record: Int, diagnostic: Diagnostic)] {
    troubles.sorted { $0.key < $1.key }.map { ($0.key, $0.value.diagnostic) }
  }

  /// Adds the refusals to a step's counts.
  func count(in counts: inout StepCounts) {
    for trouble in troubles.values {
      switch trouble.stage {
      case .read: counts.readSkipCount += 1
      case .process: counts.processSkipCount += 1
      case .write: counts.writeSkipCount += 1
      }
    }
    counts.filterCount += leftOut.count
  }

  /// Forgets everything: the next chunk begins.
  mutating func removeAll() {
    troubles.removeAll(keepingCapacity: true)
    leftOut.removeAll(keepingCapacity: true)
  }
}
