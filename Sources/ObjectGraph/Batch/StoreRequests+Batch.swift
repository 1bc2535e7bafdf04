package import ObjectModel
package import Values

/// New values for rows of one entity, without the rows.
package struct BatchUpdate {
  /// The entity, and whether rows of its subentities are meant too.
  package var entity: NSEntityDescription
  package var includesSubentities: Bool
  /// The rows; nil for all of the entity.
  package var objectIDs: [NSManagedObjectID]?
  /// The values by places in the entity's layout.
  package var values: [(place: Int, value: Value)]

  package init(
    entity: NSEntityDescription, includesSubentities: Bool, objectIDs: [NSManagedObjectID]?,
    values: [(place: Int, value: Value)]
  ) {
    self.entity = entity
    self.includesSubentities = includesSubentities
    self.objectIDs = objectIDs
    self.values = values
  }
}

// What a store that has nothing better does.
extension StoreRequests {
  package func returnKeys(_ keys: ClosedRange<Int64>, of rootEntity: NSEntityDescription) {}

  package func insert(_ nextChunk: () throws -> AttributeColumns?) throws -> [Range<Int64>] {
    var changes = StoreChanges()
    var keys: [Range<Int64>] = []
    while let columns = try nextChunk() {
      let first = try reserveKeys(columns.rowCount, for: columns.entity.rootEntity)
      keys.append(first..<first + Int64(columns.rowCount))
      for row in 0..<columns.rowCount {
        changes.inserted.append(
          StoredRow(
            objectID: NSManagedObjectID(
              entity: columns.entity, store: self, key: first + Int64(row), isTemporary: false),
            version: 1, attributes: columns.values(row: row), toOne: columns.entity.layout.noDestinations))
      }
    }
    do { try save(changes) } catch SaveError.duplicate(let duplicates) {
      let rows = Dictionary(
        changes.inserted.enumerated().map { ($1.objectID, $0) }, uniquingKeysWith: { first, _ in first })
      throw SaveError.duplicate(
        duplicates.map {
          .init(objectID: $0.objectID, constraint: $0.constraint, other: $0.other, row: rows[$0.objectID])
        })
    }
    return keys
  }

  package func update(_ update: BatchUpdate) throws -> Int {
    let ids = try update.objectIDs ?? objectIDs(of: update.entity, includingSubentities: update.includesSubentities)
    var changes = StoreChanges()
    for row in try rows(for: ids) {
      guard let row else { continue }
      let layout = row.objectID.entity.layout
      let values = update.values.map { place, value in
        // A subentity's layout has other places.
        (layout.attributeIndex[update.entity.layout.attributes[place].path] ?? place, value)
      }
      changes.updated.append(.init(objectID: row.objectID, version: row.version, attributes: values, toOne: []))
    }
    try save(changes)
    return changes.updated.count
  }
}
