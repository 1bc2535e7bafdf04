import Foundation
import ObjectModel
import Values

/// A uniqueness constraint of an entity, which its subentities share.
struct UniquenessConstraint: Hashable {
  let entity: NSEntityDescription
  let properties: [String]
}

/// The values of one object under a constraint, compared as a store's index does: byte for byte.
struct UniqueValues: Hashable {
  private enum Part: Hashable {
    case value(Value)
    case bytes([UInt8])
    case object(NSManagedObjectID)
  }
  private let parts: [Part]

  /// Nil when one of them is null: such objects do not stand in each other's way.
  init?(_ row: StoredRow, _ constraint: UniquenessConstraint) {
    let layout = row.objectID.entity.layout
    var parts: [Part] = []
    for name in constraint.properties {
      if let place = layout.attributeIndex[name] {
        switch row.attributes[place] {
        case .null: return nil
        case .string(let text): parts.append(.bytes(Array(text.utf8)))
        case .url(let url): parts.append(.bytes(Array(url.absoluteString.utf8)))
        case let value: parts.append(.value(value))
        }
      } else if let place = layout.toOneIndex[name] {
        guard let destination = row.toOne[place] else { return nil }
        parts.append(.object(destination))
      }
    }
    self.parts = parts
  }
}

extension InMemoryStore {
  typealias Claims = (
    freed: [UniquenessConstraint: Set<UniqueValues>],
    claimed: [UniquenessConstraint: [UniqueValues: NSManagedObjectID]]
  )

  /// The unique values that changes give up and take.
  func claims(of changes: StoreChanges, updated: [StoredRow]) throws -> Claims {
    var claims: Claims = ([:], [:])
    for objectID in changes.deleted.map(\.objectID) + changes.updated.map(\.objectID) {
      guard let old = row(objectID) else { continue }
      for constraint in constraints(of: objectID.entity) {
        if let values = UniqueValues(old, constraint) { claims.freed[constraint, default: []].insert(values) }
      }
    }
    var duplicates: [SaveError.Duplicate] = []
    for row in updated + changes.inserted {
      for constraint in constraints(of: row.objectID.entity) {
        guard let values = UniqueValues(row, constraint) else { continue }
        let isFreed = claims.freed[constraint]?.contains(values) ?? false
        let other = claims.claimed[constraint]?[values] ?? (isFreed ? nil : takenValues[constraint]?[values])
        if let other {
          duplicates.append(.init(objectID: row.objectID, constraint: constraint.properties, other: other))
        } else {
          claims.claimed[constraint, default: [:]][values] = row.objectID
        }
      }
    }
    guard duplicates.isEmpty else { throw SaveError.duplicate(duplicates) }
    return claims
  }

  private func constraints(of entity: NSEntityDescription) -> [UniquenessConstraint] {
    if let known = constraints[entity] { return known }
    var found: [UniquenessConstraint] = []
    var next: NSEntityDescription? = entity
    while let entity = next {
      found += entity.uniquenessConstraints.map { UniquenessConstraint(entity: entity, properties: $0) }
      next = entity.superentity
    }
    constraints[entity] = found
    return found
  }
}
