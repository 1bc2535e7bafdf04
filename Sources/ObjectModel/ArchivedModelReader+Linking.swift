import Diagnostics
import KeyedArchives

extension ArchivedModelReader {
  /// Links entities to their parents, drops the properties that they repeat from these, and links relationships.
  mutating func link() throws(Diagnostic) {
    let byName = Dictionary(entities.map { ($0.entity.name ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    guard byName.count == entities.count else {
      let names = entities.compactMap(\.entity.name)
      let twice = zip(names, names.dropFirst()).first { $0 == $1 }?.0 ?? ""
      throw .modelArchiveDuplicate("entity \(twice)", file)
    }
    for index in entities.indices {
      let ancestors = try ancestors(of: entities[index], byName)
      // A compiled model repeats what is inherited.
      let inherited = Set(ancestors.flatMap { $0.properties.map(\.property.name) })
      entities[index].properties.removeAll { inherited.contains($0.property.name) }
      let entity = entities[index].entity
      entity.ownProperties = entities[index].properties.map(\.property)
      warnings += entities[index].properties.flatMap(\.warnings)
      let names = entity.ownProperties.map(\.name)
      if let twice = zip(names, names.dropFirst()).first(where: { $0 == $1 }) {
        throw .modelArchiveDuplicate("\(entity.name ?? "").\(twice.0)", file)
      }
    }
    // Each list is set once: a parent of thousands would be gone through for each of them.
    for (name, children) in Dictionary(grouping: entities.filter { $0.parent != nil }, by: { $0.parent ?? "" }) {
      byName[name]?.entity.subentities = children.map(\.entity)
    }
    try linkRelationships(byName)
  }

  /// The entities that one inherits from, its parent first.
  private mutating func ancestors(
    of read: ReadEntity, _ byName: [String: ReadEntity]
  ) throws(Diagnostic) -> [ReadEntity] {
    var chain: [ReadEntity] = []
    var name = read.parent
    while let parentName = name {
      guard let parent = byName[parentName] else {
        throw .modelArchiveReference("entity \(read.entity.name ?? "")", "parent", parentName, file)
      }
      // More than any model has, and an end to those that inherit from themselves.
      guard chain.count < 100 else { throw .modelArchiveInheritance(read.entity.name ?? "", file) }
      for _ in parent.properties { try step() }
      chain.append(parent)
      name = parent.parent
    }
    return chain
  }

  private func linkRelationships(_ byName: [String: ReadEntity]) throws(Diagnostic) {
    let read = entities.flatMap(\.properties).compactMap { read in
      (read.property as? NSRelationshipDescription).map { (node: read.node, relationship: $0) }
    }
    for (node, relationship) in read {
      let name = text(node, "_NSDestinationEntityName") ?? node["NSDestinationEntity"].flatMap(Self.entityName) ?? ""
      guard let destination = byName[name] else {
        throw .modelArchiveReference(path(relationship), "destination", name, file)
      }
      relationship.destinationEntity = destination.entity
    }
    for (node, relationship) in read {
      let name =
        text(node, "_NSInverseRelationshipName")
        ?? node["NSInverseRelationship"].flatMap { $0["NSPropertyName"]?.text ?? $0.text }
      guard let name, !name.isEmpty else { continue }
      guard let inverse = inverse(name, of: relationship) else {
        throw .modelArchiveReference(path(relationship), "inverse", name, file)
      }
      relationship.inverseRelationship = inverse
    }
    for (_, relationship) in read {
      guard let inverse = relationship.inverseRelationship, inverse.inverseRelationship !== relationship else {
        continue
      }
      throw .modelArchiveInverse(path(relationship), path(inverse), file)
    }
  }

  /// A relationship of the destination, own or inherited, without the layout, which is made only when the model is complete.
  private func inverse(_ name: String, of relationship: NSRelationshipDescription) -> NSRelationshipDescription? {
    var entity: NSEntityDescription? = relationship.destinationEntity
    while let declaring = entity {
      if let found = declaring.ownProperties.first(where: { $0.name == name }) {
        return found as? NSRelationshipDescription
      }
      entity = declaring.superentity
    }
    return nil
  }

  private func path(_ property: NSPropertyDescription) -> String { "\(property.entity.name ?? "").\(property.name)" }
}
