import Diagnostics
import Foundation
package import ObjectGraph
package import ObjectModel
import SQLiteDriver
import Values

extension SQLitePersistentStore {
  package func reserveKeys(_ count: Int, for rootEntity: NSEntityDescription) throws -> Int64 {
    let stored = try speaking { try greatestKey(of: rootEntity) }
    let last = max(stored, lastKeys[rootEntity] ?? 0)
    guard last <= .max - Int64(count) else { throw Diagnostic.keysUsedUp(rootEntity) }
    lastKeys[rootEntity] = last + Int64(count)
    return last + 1
  }

  package func returnKeys(_ keys: ClosedRange<Int64>, of rootEntity: NSEntityDescription) {
    if lastKeys[rootEntity] == keys.upperBound { lastKeys[rootEntity] = keys.lowerBound - 1 }
  }

  /// The greatest key that the store has ever given, as it says, and, at first use, as its rows say.
  private func greatestKey(of root: NSEntityDescription) throws -> Int64 {
    var greatest: Int64 = 0
    let said = try connection.statement("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?")
    try said.forEachRow(Int64(schema.numbers[root] ?? 0)) { greatest.raise(to: $0.integer(0)) }
    guard lastKeys[root] == nil else { return greatest }
    // Core Data was seen to leave Z_MAX behind its rows.
    let used = try connection.prepare("SELECT MAX(Z_PK) FROM \(schema.table(of: root).name)")
    try used.forEachRow { greatest.raise(to: $0.integer(0)) }
    return greatest
  }

  package func save(_ changes: StoreChanges) throws {
    guard !isReadOnly, !isFinished else { throw Diagnostic.readOnly(url?.path ?? "") }
    guard !changes.isEmpty || hasUnsavedMetadata else { return }
    try speaking { try transaction { try write(changes) } }
    hasUnsavedMetadata = false
  }

  /// Runs a body in a transaction, and with it what it does to the files of external storage: both last or neither.
  func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      let result = try connection.transaction {
        let result = try body()
        try externalFiles.sync()
        return result
      }
      externalFiles.committed()
      return result
    } catch {
      let failure = externalFiles.failure
      externalFiles.rolledBack()
      throw failure ?? error
    }
  }

  private func write(_ changes: StoreChanges) throws {
    // A value that must be unique is free again before another row takes it.
    for row in changes.deleted { try delete(row.objectID, version: row.version) }
    for update in changes.updated { try write(update) }
    for row in changes.inserted { try insert(row) }
    for change in changes.toMany { try write(change) }
    var greatest: [NSEntityDescription: Int64] = [:]
    for row in changes.inserted { greatest[row.objectID.entity, default: 0].raise(to: row.objectID.key) }
    try raiseKeys(greatest)
    if hasUnsavedMetadata { try writeMetadata() }
  }

  // MARK: Rows

  private func insert(_ row: StoredRow) throws {
    let plan = plan(of: row.objectID.entity)
    let statement = try plan.insert()
    statement.bind(1, row.objectID.key)
    var index = 2
    for (place, value) in row.attributes.enumerated() where !plan.attributes[place].isDerived {
      try bind(value, of: plan, place: place, to: statement, at: index)
      index += 1
    }
    for (place, destination) in row.toOne.enumerated() {
      index = bind(destination, plan.toOne[place], to: statement, at: index)
    }
    try run(statement, for: row.objectID)
  }

  private func write(_ update: StoreChanges.Update) throws {
    let plan = plan(of: update.objectID.entity)
    let attributes = update.attributes.filter { !plan.attributes[$0.place].isDerived }
    try releaseFiles(of: update.objectID, plan, attributes.map(\.place).filter { plan.attributes[$0].isExternal })
    let statement = try plan.update(UpdateShape(attributes: attributes.map(\.place), toOne: update.toOne.map(\.place)))
    var index = 1
    for (place, value) in attributes {
      try bind(value, of: plan, place: place, to: statement, at: index)
      index += 1
    }
    for (place, destination) in update.toOne {
      index = bind(destination, plan.toOne[place], to: statement, at: index)
    }
    statement.bind(index, update.objectID.key)
    statement.bind(index + 1, update.version)
    try run(statement, for: update.objectID)
    if connection.changes == 0 { throw SaveError.conflict([.init(update.objectID)]) }
  }

  private func delete(_ objectID: NSManagedObjectID, version: Int64) throws {
    let plan = plan(of: objectID.entity)
    try releaseFiles(of: objectID, plan, plan.externalPlaces)
    let statement = try plan.delete()
    statement.bind(1, objectID.key)
    statement.bind(2, version)
    try run(statement, for: objectID)
    if connection.changes == 0 { throw SaveError.conflict([.init(objectID)]) }
  }

  /// Takes note of the files that the row's values were in so far.
  private func releaseFiles(of objectID: NSManagedObjectID, _ plan: EntityPlan, _ places: [Int]) throws {
    guard !places.isEmpty else { return }
    try plan.external(places).forEachRow(objectID.key) { row in
      for index in places.indices {
        if case .blob(let stored) = row.storedValue(index) { externalFiles.release(stored) }
      }
    }
  }

  private func bind(_ value: Value, of plan: EntityPlan, place: Int, to statement: Statement, at index: Int) throws {
    if plan.attributes[place].isExternal, case .data(let data) = value {
      statement.bind(index, StoredValue.blob(try externalFiles.encode(data)))
    } else {
      statement.bind(index, stored(value, at: place, of: plan))
    }
  }

  /// What a column holds for a value of the attribute at a place of the layout, in whatever number of rows: external storage
  /// takes a value of any size in the row, and no two rows may share a file.
  func stored(_ value: Value, at place: Int, of plan: EntityPlan) -> StoredValue {
    let attribute = plan.attributes[place]
    guard let stored = StoredValue(value, as: attribute.type) else {
      preconditionFailure("\(plan.entity.name ?? "").\(attribute.path) is a \(attribute.type) and takes no \(value)")
    }
    if attribute.isExternal, case .blob(let data) = stored { return .blob(ExternalFiles.inline(data)) }
    return stored
  }

  /// Binds the key and the entity of a destination; the index behind them.
  private func bind(
    _ destination: NSManagedObjectID?, _ columns: ToOneColumns, to statement: Statement, at index: Int
  ) -> Int {
    statement.bind(index, destination.map { StoredValue.integer($0.key) } ?? .null)
    guard columns.entity != nil else { return index + 1 }
    let number = destination.flatMap { schema.numbers[$0.entity] }
    statement.bind(index + 1, number.map { StoredValue.integer(Int64($0)) } ?? .null)
    return index + 2
  }

  /// Runs a statement that writes the row of an object.
  private func run(_ statement: Statement, for objectID: NSManagedObjectID) throws {
    do {
      try statement.run()
    } catch {
      guard case .constraint(let constraint) = error.kind else { throw error }
      throw refusal(constraint, of: objectID) ?? error
    }
  }

  func refusal(_ constraint: SQLiteError.Constraint, of objectID: NSManagedObjectID) -> SaveError? {
    switch constraint {
    case .primaryKey(let table, _) where KeyMap.isMap(table): nil
    // The key itself is taken: somebody else gave it since it was reserved.
    case .primaryKey: .conflict([.init(objectID)])
    case .unique(_, let columns):
      .duplicate([.init(objectID: objectID, constraint: properties(of: columns, in: objectID.entity), other: nil)])
    default: nil
    }
  }

  /// The uniqueness constraint that has these columns; the columns of an index that the model does not know, an app's own.
  private func properties(of columns: [String], in entity: NSEntityDescription) -> [String] {
    for entity in entity.chain {
      for constraint in entity.uniquenessConstraints
      where constraint.map({ schema.indexableColumn($0, in: entity) }) == columns { return constraint }
    }
    return columns
  }

  // MARK: What goes with them

  /// Raises the greatest keys of entities.
  func raiseKeys(_ greatest: [NSEntityDescription: Int64]) throws {
    let statement = try connection.statement("UPDATE Z_PRIMARYKEY SET Z_MAX = MAX(IFNULL(Z_MAX, 0), ?) WHERE Z_ENT = ?")
    // In the order of the numbers, so that equal saves run equal statements.
    for entity in schema.entities {
      guard let key = greatest[entity] else { continue }
      try statement.run(key, Int64(schema.numbers[entity.rootEntity] ?? 0))
    }
  }

  func writeMetadata() throws {
    let statement = try connection.statement("UPDATE Z_METADATA SET Z_PLIST = ?")
    statement.bind(1, StoredValue.blob(try StoreMetadata.encode(metadata)))
    try statement.run()
  }
}

extension Int64 {
  fileprivate mutating func raise(to other: Int64) { self = Swift.max(self, other) }
}
