import ObjectModel
import SQLiteDriver

/// Something in a store that contradicts what a Core Data store keeps to, or what its model asks for.
package struct StoreFinding: Hashable, Sendable {
  /// What is wrong, as programs tell it from others: `check.link`.
  package let code: String
  /// What is wrong, in words, without the rows.
  package let message: String
  /// How many rows have it; 0 for what is not of rows.
  package let count: Int
  /// The primary keys of the first of them.
  package let rows: [Int64]

  /// How many primary keys are told.
  static let toldRows = 5

  /// The message with the number of rows and the first of them.
  package var description: String {
    guard count > 0 else { return message }
    let more = count > rows.count ? ", …" : ""
    return "\(message): \(count) (\(rows.map(String.init).joined(separator: ", "))\(more))"
  }
}

extension SQLitePersistentStore {
  /// Everything that is wrong with the store; empty when it is sound.
  ///
  /// SQLite finds the file sound; the rows keep to Core Data's bookkeeping; references and links lead to rows of the right
  /// entity, and inverses agree; values are of their types, there where the model requires them and unique where it says so;
  /// to-many relationships have as many destinations as the model asks for; files of external storage are there.
  package func findings() throws -> [StoreFinding] {
    try reading {
      var check = StoreCheck(store: self)
      guard try check.isFileSound() else { return check.findings }
      try check.checkBookkeeping()
      try check.checkReferences()
      for entity in schema.entities {
        try check.checkValues(of: entity)
        try check.checkCounts(of: entity)
        try check.checkUniqueness(of: entity)
        try check.checkDerivations(of: entity)
      }
      return check.findings
    }
  }

  /// What in the store contradicts what every Core Data store keeps to, whatever its model requires of values.
  package func brokenInvariants() throws -> [String] {
    try speaking {
      var check = StoreCheck(store: self)
      guard try check.isFileSound() else { return check.findings.map(\.description) }
      try check.checkBookkeeping()
      try check.checkReferences()
      return check.findings.map(\.description)
    }
  }
}

/// The checks of a store, and what they found.
struct StoreCheck {
  let store: SQLitePersistentStore
  private(set) var findings: [StoreFinding] = []

  init(store: SQLitePersistentStore) { self.store = store }

  var schema: StoreSchema { store.schema }
  var connection: Connection { store.connection }

  /// Adds a finding if there are rows of it.
  mutating func add(_ code: String, _ message: String, _ rows: FoundRows) {
    guard rows.count > 0 else { return }
    findings.append(
      StoreFinding(code: "check.\(code)", message: message, count: rows.count, rows: rows.first))
  }

  /// Adds a finding that is not of rows.
  mutating func add(_ code: String, _ message: String) {
    findings.append(StoreFinding(code: "check.\(code)", message: message, count: 0, rows: []))
  }

  /// Adds a finding if a query has rows.
  ///
  /// - Parameters:
  ///   - message: what the rows have in common; their number stands behind it.
  ///   - query: a selection of primary keys.
  mutating func find(_ code: String, _ message: String, _ query: String) throws {
    var rows = FoundRows()
    try connection.prepare(query).forEachRow { rows.add($0.integer(0)) }
    add(code, message, rows)
  }
}

/// Rows that have something in common: how many, and the first of them.
struct FoundRows {
  private(set) var count = 0
  private(set) var first: [Int64] = []

  mutating func add(_ key: Int64) {
    count += 1
    if first.count < StoreFinding.toldRows { first.append(key) }
  }
}
