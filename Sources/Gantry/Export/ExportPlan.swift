import Conversion
import Diagnostics
import ObjectModel
import SQLiteStore
import Values

/// What an export writes: a file for each entity that can have objects, and one for each relationship whose links, or whose
/// order, stand in none of those.
struct ExportPlan {
  let entities: [ExportedEntity]
  /// The rows that are of none of them, by what the store calls their entity.
  let strayRows: [(entity: String, count: Int)]
  var links: [ExportedLinks]

  /// Looks at the whole store.
  init(_ store: SQLitePersistentStore, checkForStop: () throws -> Void) throws {
    let all = store.schema.entities.sorted { ($0.name ?? "") < ($1.name ?? "") }
    let concrete = all.filter { !$0.isAbstract }
    let rows = Dictionary(try store.counts().map { ($0.entity, Int($0.count)) }) { first, _ in first }
    strayRows = rows.filter { row in !concrete.contains { $0.name == row.key } }.sorted { $0.key < $1.key }
      .map { ($0.key, $0.value) }
    entities = try concrete.map {
      try ExportedEntity($0, rowCount: rows[$0.name ?? ""] ?? 0, in: store, checkForStop: checkForStop)
    }
    links = all.flatMap { entity in
      entity.ownToMany.filter(\.needsLinks).map { ExportedLinks($0) }
    }
  }
}

/// The file of an entity's own objects.
struct ExportedEntity {
  let entity: NSEntityDescription
  let rowCount: Int
  /// The column of the objects' names.
  let idColumn: String
  let attributes: [ExportedAttribute]
  /// The rows without a value of an attribute that must have one, by attribute.
  let empty: [(attribute: String, count: Int)]
  /// For each to-one relationship, in the order of the layout, the entities that it leads to.
  let destinations: [Set<NSEntityDescription>]

  var name: String { entity.name ?? "" }
  var toOne: [NSRelationshipDescription] { entity.layout.toOne }
  var columns: [String] { [idColumn] + attributes.map(\.name) + toOne.map(\.name) }

  init(
    _ entity: NSEntityDescription, rowCount: Int, in store: SQLitePersistentStore, checkForStop: () throws -> Void
  ) throws {
    self.entity = entity
    self.rowCount = rowCount
    let stored = entity.layout.attributes
    var surveys = stored.enumerated().map { place, stored in
      ValueSurvey(stored.attribute.attributeType, kind: ExportedAttribute.shadow(place, of: entity)?.kind)
    }
    let places = stored.indices.filter { place in
      ValueSurvey.isNeeded(
        stored[place].attribute.attributeType, kind: ExportedAttribute.shadow(place, of: entity)?.kind)
    }
    if rowCount > 0, !places.isEmpty {
      try store.forEachRow(of: entity, places: places) { row in
        if row.key % 1024 == 0 { try checkForStop() }
        for place in places { surveys[place].add(row.attributes[place]) }
      }
    }
    let required = stored.indices.filter { stored[$0].attribute.isRequired }
    let nullCounts = Dictionary(uniqueKeysWithValues: zip(required, try store.nullCounts(of: entity, at: required)))
    empty = required.filter { place in
      nullCounts[place] != 0 && entity.layout.requiresValue(at: place) { _ in false }
    }.map { ("\(entity.name ?? "").\(stored[$0].path)", nullCounts[$0] ?? 0) }
    let matching = ColumnMatching(entity)
    attributes = stored.indices.map {
      ExportedAttribute($0, of: entity, surveys[$0], matching, hasNulls: nullCounts[$0, default: 0] > 0)
    }
    destinations = try entity.layout.toOne.map { try store.destinationEntities(of: $0, from: entity) }
    idColumn = entity.idColumn
  }
}

/// The file of a relationship's links.
struct ExportedLinks {
  let relationship: NSRelationshipDescription
  /// Whether the links have an order, and whether those of the inverse have one of their own.
  let isOrdered: Bool
  let isInverseOrdered: Bool
  /// How many there are, once they are written.
  var linkCount = 0

  init(_ relationship: NSRelationshipDescription) {
    self.relationship = relationship
    isOrdered = relationship.isOrdered
    isInverseOrdered =
      relationship.inverseRelationship.map { $0.isToMany && $0.isOrdered && $0 !== relationship } ?? false
  }

  var entity: NSEntityDescription { relationship.entity }
  var name: String { "\(entity.name ?? "").\(relationship.name)" }
  /// The columns beside that of the destinations, which has the relationship's name.
  var sourceColumn: String { "_id".unlike { $0 == relationship.name } }
  var orderColumn: String { "_order".unlike { $0 == relationship.name } }
  var inverseOrderColumn: String {
    "_order_\(relationship.inverseRelationship?.name ?? "")".unlike { $0 == relationship.name }
  }
  var columns: [String] {
    [sourceColumn, relationship.name] + (isOrdered ? [orderColumn] : [])
      + (isInverseOrdered ? [inverseOrderColumn] : [])
  }
}

extension NSEntityDescription {
  /// The column of the objects' names: one that is no property's.
  var idColumn: String { "_id".unlike { layout.propertiesByName[$0] != nil } }

  /// The stored to-many relationships that are declared here.
  fileprivate var ownToMany: [NSRelationshipDescription] {
    layout.toMany.filter { $0.entity === self }.sorted { $0.name < $1.name }
  }
}

extension String {
  /// The name with as many underscores before it as it needs to be another than those that are taken.
  fileprivate func unlike(_ isTaken: (String) -> Bool) -> String {
    var name = self
    while isTaken(name) { name = "_" + name }
    return name
  }
}

extension NSRelationshipDescription {
  /// Whether the objects' own files do not tell all of the links; of two ends of one table of links one does.
  fileprivate var needsLinks: Bool {
    guard let inverse = inverseRelationship else { return true }
    guard inverse.isToMany else { return isOrdered }
    if inverse === self || isOrdered != inverse.isOrdered { return inverse === self || isOrdered }
    let (own, other) = ("\(entity.name ?? "").\(name)", "\(inverse.entity.name ?? "").\(inverse.name)")
    return own < other
  }
}

extension NSAttributeDescription {
  /// Whether the model wants a value.
  fileprivate var isRequired: Bool { !isOptional && !(self is NSDerivedAttributeDescription) }
}
