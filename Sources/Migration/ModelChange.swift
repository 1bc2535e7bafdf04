/// One difference between two versions of a model, and what it means for stores.
package struct ModelChange: Hashable, Sendable {
  /// What becomes of a store when the difference is migrated.
  package enum Migration: String, Hashable, Sendable, CaseIterable, Comparable {
    /// Nothing is migrated for its sake.
    case none
    /// Core Data infers the mapping.
    case inferred
    /// Core Data infers the mapping; whether the migration succeeds, or what becomes of values, depends on the rows.
    case conditional
    /// Core Data infers no mapping: it takes one that is written by hand, or several steps.
    case refused

    /// From that which takes least to that which takes most.
    package static func < (a: Self, b: Self) -> Bool {
      (allCases.firstIndex(of: a) ?? 0) < (allCases.firstIndex(of: b) ?? 0)
    }
  }

  /// What is different, e.g. `type Integer 16 -> Integer 32`.
  package var what: String
  /// Whether it changes the version hash, so that a store of the one version does not open with the other.
  package var changesHash: Bool
  /// What becomes of a store.
  package var migration: Migration
  /// What becomes of the rows, or why there is no mapping.
  package var note: String?

  init(_ what: String, hash: Bool = true, _ migration: Migration = .inferred, _ note: String? = nil) {
    self.what = what
    changesHash = hash
    self.migration = migration
    self.note = note
  }

  /// A difference that no store shows.
  static func unseen(_ what: String, _ note: String? = nil) -> ModelChange {
    ModelChange(what, hash: false, .none, note)
  }

  /// A difference of two values, if they differ.
  static func difference<T: Equatable>(_ what: String, _ a: T, _ b: T, _ make: (String) -> ModelChange) -> [ModelChange]
  {
    a == b ? [] : [make("\(what) \(a) -> \(b)")]
  }
}
