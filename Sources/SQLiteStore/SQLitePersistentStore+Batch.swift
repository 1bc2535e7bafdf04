import Bytes
import Diagnostics
import Foundation
package import ObjectGraph
package import ObjectModel
import SQLiteDriver
import Values

extension SQLitePersistentStore {
  /// One statement a chunk: SQLite pulls the rows out of the columns themselves.
  package func insert(_ nextChunk: () throws -> AttributeColumns?) throws -> [Range<Int64>] {
    guard !isReadOnly, !isFinished else { throw Diagnostic.readOnly(url?.path ?? "") }
    var keys: [Range<Int64>] = []
    var duplicates: [SaveError.Duplicate] = []
    let before = lastKeys
    do {
      try speaking {
        try transaction {
          var count = 0
          while let columns = try nextChunk() {
            let first = try reserveKeys(columns.rowCount, for: columns.entity.rootEntity)
            duplicates += try insert(columns, firstKey: first, rowsBefore: count)
            keys.append(first..<first + Int64(columns.rowCount))
            count += columns.rowCount
            if columns.rowCount > 0 { try raiseKeys([columns.entity: first + Int64(columns.rowCount) - 1]) }
          }
          guard duplicates.isEmpty else { throw SaveError.duplicate(duplicates) }
          if hasUnsavedMetadata { try writeMetadata() }
        }
      }
    } catch {
      // Nobody knows the keys of rows that the store does not take.
      lastKeys = before
      throw error
    }
    hasUnsavedMetadata = false
    return keys
  }

  /// Inserts a chunk, or tells which of its rows are not unique.
  private func insert(
    _ columns: AttributeColumns, firstKey: Int64, rowsBefore: Int
  ) throws -> [SaveError.Duplicate] {
    let batch = KeyBatch(columns)
    let table = try batchTables.table(columns: batch.columns.count, of: connection)
    table.show(batch.columns, rowCount: batch.rowCount)
    defer { table.showNothing() }
    let plan = plan(of: columns.entity)
    let statement = try plan.insert(columns, from: table.name, on: connection) { stored($1, at: $0, of: plan) }
    func run(_ rows: Range<Int>) throws(SQLiteError) {
      statement.bind(1, firstKey)
      statement.bind(2, Int64(rows.lowerBound))
      statement.bind(3, Int64(rows.upperBound) - 1)
      try statement.run()
    }
    do throws(SQLiteError) {
      try run(0..<batch.rowCount)
      return []
    } catch {
      guard case .constraint = error.kind else { throw error }
    }
    // The statement took back all of its rows and does not say which was refused: one by one they tell.
    var duplicates: [SaveError.Duplicate] = []
    for row in 0..<batch.rowCount {
      do throws(SQLiteError) { try run(row..<row + 1) } catch {
        let objectID = objectID(firstKey + Int64(row), entityNumber: nil, declared: columns.entity)
        guard case .constraint(let constraint) = error.kind else { throw error }
        guard case .duplicate(let found)? = refusal(constraint, of: objectID) else {
          throw refusal(constraint, of: objectID) ?? error
        }
        duplicates += found.map {
          .init(objectID: objectID, constraint: $0.constraint, other: nil, row: rowsBefore + row)
        }
      }
    }
    return duplicates
  }

  package func update(_ update: BatchUpdate) throws -> Int {
    guard !isReadOnly, !isFinished else { throw Diagnostic.readOnly(url?.path ?? "") }
    let plan = plan(of: update.entity)
    var assignments = ["Z_OPT = Z_OPT + 1"]
    for (index, value) in update.values.enumerated() {
      assignments.append("\(plan.attributes[value.place].column) = ?\(index + 1)")
    }
    let numbers =
      update.includesSubentities ? schema.numbersOfHierarchy(update.entity) : [schema.numbers[update.entity] ?? 0]
    let batch = KeyBatch((update.objectIDs ?? []).map(\.key))
    let keys = update.objectIDs == nil ? "" : " AND Z_PK IN (SELECT k0 FROM \(KeyBatchTables.name(columns: 1)))"
    return try speaking {
      let table = try batchTables.table(columns: 1, of: connection)
      table.show(batch.columns, rowCount: batch.rowCount)
      defer { table.showNothing() }
      let statement = try connection.statement(
        "UPDATE \(plan.table) SET \(assignments.joined(separator: ", ")) WHERE Z_ENT IN (\(numbers.list))\(keys)")
      for (index, value) in update.values.enumerated() {
        statement.bind(index + 1, stored(value.value, at: value.place, of: plan))
      }
      return try transaction {
        try releaseFiles(of: update, plan, numbers, keys)
        do throws(SQLiteError) { try statement.run() } catch {
          // Which of the rows it was does not matter: they all get the same values.
          let rows = try update.objectIDs ?? objectIDs(of: update.entity, includingSubentities: true)
          guard case .constraint(let constraint) = error.kind, let first = rows.first else { throw error }
          throw refusal(constraint, of: first) ?? error
        }
        let count = connection.changes
        if hasUnsavedMetadata { try writeMetadata() }
        return count
      }
    }
  }

  /// Takes note of the files that the values of the rows were in so far.
  private func releaseFiles(of update: BatchUpdate, _ plan: EntityPlan, _ numbers: [Int], _ keys: String) throws {
    let columns = update.values.map { plan.attributes[$0.place] }.filter(\.isExternal).map(\.column)
    guard !columns.isEmpty else { return }
    let select = try connection.statement(
      "SELECT \(columns.joined(separator: ", ")) FROM \(plan.table) WHERE Z_ENT IN (\(numbers.list))\(keys)")
    try select.forEachRow { row in
      for index in columns.indices {
        if case .blob(let stored) = row.storedValue(index) { externalFiles.release(stored) }
      }
    }
  }
}

extension KeyBatch {
  /// The columns of a chunk; one of nulls where there is none, as a table has a column.
  fileprivate init(_ columns: AttributeColumns) {
    guard columns.columns.isEmpty else {
      self.init(columns: columns.columns, rowCount: columns.rowCount)
      return
    }
    let empty = RawColumn(kind: .integer, capacity: columns.rowCount)
    for _ in 0..<columns.rowCount { empty.appendNull() }
    self.init(columns: [empty], rowCount: columns.rowCount)
  }
}

extension EntityPlan {
  /// Inserts rows of a batch: `?1` is the key of row 0, `?2` and `?3` are the first row and the last.
  ///
  /// - Parameter stored: the stored form of a default value, for the attributes without a column.
  fileprivate func insert(
    _ columns: AttributeColumns, from batch: String, on connection: Connection,
    stored: (_ place: Int, _ value: Value) -> StoredValue
  ) throws -> Statement {
    var names = ["Z_PK", "Z_ENT", "Z_OPT"]
    var terms = ["?1 + rowid", "\(number)", "1"]
    var defaults: [StoredValue] = []
    for (place, attribute) in attributes.enumerated() where !attribute.isDerived {
      names.append(attribute.column)
      if let column = columns.places.firstIndex(of: place) {
        terms.append(attribute.isExternal ? Self.external("k\(column)") : "k\(column)")
      } else {
        defaults.append(stored(place, entity.layout.defaultValues[place]))
        terms.append("?\(defaults.count + 3)")
      }
    }
    let statement = try connection.statement(
      "INSERT INTO \(table) (\(names.joined(separator: ", "))) SELECT \(terms.joined(separator: ", ")) "
        + "FROM \(batch) WHERE rowid BETWEEN ?2 AND ?3 ORDER BY rowid")
    for (index, value) in defaults.enumerated() { statement.bind(index + 4, value) }
    return statement
  }

  /// The stored form of a value with external storage: in the row behind its mark if it is small, else in a file.
  private static func external(_ value: String) -> String {
    "CASE WHEN length(\(value)) > \(ExternalFiles.largestInline) THEN \(ExternalFiles.function)(\(value)) "
      + "ELSE CAST(x'01' || \(value) AS BLOB) END"
  }
}
