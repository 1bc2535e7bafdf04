import Diagnostics
import ObjectModel

extension InMemoryStore {
  /// Finds whatever speaks against the changes before it writes the first of them.
  package func save(_ changes: StoreChanges) throws {
    if isReadOnly { throw Diagnostic.readOnly(self) }
    let updated = try updatedRows(of: changes)
    let claims = try claims(of: changes, updated: updated)

    for (objectID, _) in changes.deleted { tables[objectID.entity.rootEntity]?.rows[objectID.key] = nil }
    for row in updated + changes.inserted { write(row) }
    for (constraint, values) in claims.freed { for value in values { takenValues[constraint]?[value] = nil } }
    for (constraint, values) in claims.claimed { takenValues[constraint, default: [:]].merge(values) { $1 } }
    for change in changes.toMany { write(change) }
  }

  private func updatedRows(of changes: StoreChanges) throws -> [StoredRow] {
    var conflicts = changes.deleted.filter { row($0.objectID)?.version != $0.version }.map(\.objectID)
    conflicts += changes.inserted.map(\.objectID).filter { row($0) != nil }
    var rows: [StoredRow] = []
    for update in changes.updated {
      guard var row = row(update.objectID), row.version == update.version else {
        conflicts.append(update.objectID)
        continue
      }
      row.version += 1
      for (place, value) in update.attributes { row.attributes[place] = value }
      for (place, destination) in update.toOne { row.toOne[place] = destination }
      rows.append(row)
    }
    guard conflicts.isEmpty else { throw SaveError.conflict(conflicts.map { .init($0) }) }
    return rows
  }

  private func write(_ row: StoredRow) {
    let root = row.objectID.entity.rootEntity
    tables[root, default: Table()].rows[row.objectID.key] = row
    tables[root, default: Table()].lastKey = max(tables[root]?.lastKey ?? 0, row.objectID.key)
  }

  private func write(_ change: StoreChanges.ToMany) {
    let forward = ObjectIdentifier(change.relationship)
    // A destination of a relationship without an inverse has one source, as the column in its row can hold but one.
    if change.relationship.inverseRelationship == nil, !change.added.isEmpty {
      let owned = Set(links[forward]?[change.owner] ?? [])
      links[forward]?.removeEverywhere(change.added.filter { !owned.contains($0) })
    }
    links[forward, default: InMemoryLinks()].remove(change.removed, from: change.owner)
    links[forward, default: InMemoryLinks()].add(change.added, to: change.owner)
    if let inverse = change.relationship.inverseRelationship, inverse.isToMany {
      let back = ObjectIdentifier(inverse)
      for source in change.removed { links[back, default: InMemoryLinks()].remove([change.owner], from: source) }
      for source in change.added { links[back, default: InMemoryLinks()].add([change.owner], to: source) }
    }
    guard let order = change.order else { return }
    if change.relationship.inverseRelationship.map({ !$0.isToMany }) ?? false {
      links[forward, default: InMemoryLinks()].add(order, to: change.owner)
    }
    links[forward, default: InMemoryLinks()].arrange(order, of: change.owner)
  }
}
