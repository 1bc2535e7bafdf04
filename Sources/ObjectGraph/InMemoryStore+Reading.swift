import Foundation
package import ObjectModel
import Values

extension InMemoryStore {
  func row(_ objectID: NSManagedObjectID) -> StoredRow? { tables[objectID.entity.rootEntity]?.rows[objectID.key] }

  package func destinations(
    of relationship: NSRelationshipDescription, for sources: [NSManagedObjectID]
  ) -> [[NSManagedObjectID]] {
    let lists = sources.map { links[ObjectIdentifier(relationship)]?[$0] ?? [] }
    guard let inverse = relationship.inverseRelationship, !inverse.isToMany else {
      return relationship.isOrdered ? lists : lists.map { $0.sorted { $0.key < $1.key } }
    }
    // The rows of the other end tell which; the list, if there is one, only in what order.
    let asked = Set(sources)
    var found: [NSManagedObjectID: [NSManagedObjectID]] = [:]
    for row in sortedRows(of: relationship.destinationEntity) {
      guard let place = row.objectID.entity.layout.place(ofToOne: inverse), let source = row.toOne[place],
        asked.contains(source)
      else { continue }
      found[source, default: []].append(row.objectID)
    }
    return zip(sources, lists).map { source, list in
      let present = Set(found[source] ?? [])
      let listed = Set(list)
      return list.filter { present.contains($0) } + (found[source] ?? []).filter { !listed.contains($0) }
    }
  }

  package func lookUp(_ request: KeyLookupRequest) -> [KeyLookupRequest.Answer] {
    // Swift holds texts for equal whose normal forms are, which is just the rule for keys.
    var answers = Dictionary(
      request.keys.filter { !$0.contains(.null) }.map { (StoredKey($0), KeyLookupRequest.Answer.none) },
      uniquingKeysWith: { first, _ in first })
    let paths = request.places.map { request.entity.layout.attributes[$0].path }
    for row in sortedRows(of: request.entity) {
      let layout = row.objectID.entity.layout
      let key = StoredKey(paths.map { layout.attributeIndex[$0].map { row.attributes[$0] } ?? .null })
      guard let answer = answers[key] else { continue }
      switch answer {
      case .none: answers[key] = .one(row.objectID)
      case .one(let first): answers[key] = .several(first, row.objectID)
      case .several: break
      }
    }
    return request.keys.map { answers[StoredKey($0)] ?? .none }
  }

  /// The rows of an entity and its subentities by key.
  func sortedRows(of entity: NSEntityDescription) -> [StoredRow] {
    let rows = tables[entity.rootEntity]?.rows.values ?? [:].values
    return rows.filter { $0.objectID.entity.isKindOf(entity: entity) }.sorted { $0.objectID.key < $1.objectID.key }
  }
}

/// Values that are looked up: texts and URIs by their normal form.
private struct StoredKey: Hashable {
  let values: [Value]

  init(_ values: [Value]) {
    self.values = values.map { value in
      if case .url(let url) = value { return .string(url.absoluteString) }
      return value
    }
  }
}
