import Diagnostics

extension ModelReader {
  /// Links entities to their parents, relationships to destinations and inverses, and checks names that refer to properties.
  func link() throws(Diagnostic) {
    var byName: [String: NSEntityDescription] = [:]
    for (element, entity) in entities {
      guard byName.updateValue(entity, forKey: entity.name ?? "") == nil else {
        throw .modelDuplicate("entity", element)
      }
    }
    try linkParents(byName)
    for (element, entity) in entities { try checkInheritedNames(entity, element) }
    for (element, relationship) in relationships {
      let name = try element.required("destinationEntity")
      guard let destination = byName[name] else { throw unknownEntity(name, "destinationEntity", in: element) }
      relationship.destinationEntity = destination
    }
    for (element, relationship) in relationships { try linkInverse(relationship, element) }
    for (element, relationship) in relationships { try checkInverse(relationship, element) }
    for (element, entity) in entities {
      try checkReferences(entity, element, byName)
      entity.addCompiledIndexes()
    }
  }

  private func linkParents(_ byName: [String: NSEntityDescription]) throws(Diagnostic) {
    var parents: [String: String] = [:]
    for (element, entity) in entities {
      guard let name = element.text("parentEntity") else { continue }
      guard byName[name] != nil else { throw unknownEntity(name, "parentEntity", in: element) }
      parents[entity.name ?? ""] = name
    }
    // Before any link is made: a cycle of links would never end.
    for (element, entity) in entities {
      var chain = [entity.name ?? ""]
      while let parent = parents[chain[chain.count - 1]] {
        if chain.contains(parent) { throw .modelCyclicParents(chain + [parent], element) }
        guard chain.count < Self.deepestInheritance else { throw .modelInheritance(Self.deepestInheritance, element) }
        chain.append(parent)
      }
    }
    // Each list is set once: a parent of thousands would be gone through for each of them.
    let children = Dictionary(grouping: entities.map(\.entity).filter { parents[$0.name ?? ""] != nil }) {
      parents[$0.name ?? ""] ?? ""
    }
    for (name, entities) in children { byName[name]?.subentities = entities }
  }

  private func checkInheritedNames(_ entity: NSEntityDescription, _ element: ModelElement) throws(Diagnostic) {
    guard let superentity = entity.superentity else { return }
    for property in entity.ownProperties {
      guard let other = self.property(property.name, of: superentity) else { continue }
      throw .modelInheritedName(property.name, from: other.entity.name ?? "", element)
    }
  }

  // MARK: Inverses

  private func linkInverse(
    _ relationship: NSRelationshipDescription, _ element: ModelElement
  ) throws(Diagnostic) {
    guard let name = element.text("inverseName") else { return }
    let destination: NSEntityDescription = relationship.destinationEntity
    guard let inverse = property(name, of: destination) as? NSRelationshipDescription else {
      throw .modelUnknownInverse(name, of: destination, element)
    }
    relationship.inverseRelationship = inverse
  }

  private func checkInverse(
    _ relationship: NSRelationshipDescription, _ element: ModelElement
  ) throws(Diagnostic) {
    guard let inverse = relationship.inverseRelationship else { return }
    let destination: NSEntityDescription = inverse.destinationEntity
    let entity: NSEntityDescription = relationship.entity
    let isOfThisHierarchy = destination.isKindOf(entity: entity) || entity.isKindOf(entity: destination)
    guard inverse.inverseRelationship === relationship, isOfThisHierarchy else {
      throw .modelInverse(inverse, notBackTo: relationship, element)
    }
  }

  // MARK: Names of properties

  private func checkReferences(
    _ entity: NSEntityDescription, _ element: ModelElement, _ byName: [String: NSEntityDescription]
  ) throws(Diagnostic) {
    for name in entity.uniquenessConstraints.joined() {
      guard isStored(name, in: entity) else {
        throw .modelUnknownProperty(name, "a uniqueness constraint", entity, element)
      }
    }
    let indexed = entity.indexes.flatMap(\.elements).compactMap(\.propertyName)
    for name in indexed + entity.compoundIndexes.joined() where name != "self" && name != "entity" {
      guard isStored(name, in: entity) else { throw .modelUnknownProperty(name, "an index", entity, element) }
    }
    for case let property as NSFetchedPropertyDescription in entity.ownProperties {
      guard let name = property.fetchEntityName, byName[name] == nil else { continue }
      throw unknownEntity(
        name, "entity", in: element.children("fetchedProperty").first { $0["name"] == property.name } ?? element)
    }
  }

  /// A property by name, own or inherited, without the layout, which is made only when the model is complete.
  private func property(_ name: String, of entity: NSEntityDescription) -> NSPropertyDescription? {
    var next: NSEntityDescription? = entity
    while let entity = next {
      if let found = ownProperties[entity]?[name] { return found }
      next = entity.superentity
    }
    return nil
  }

  /// Whether a name or a composite's path is that of an attribute or relationship which has a column.
  private func isStored(_ path: String, in entity: NSEntityDescription) -> Bool {
    let names = path.split(separator: ".").map(String.init)
    guard var property = names.first.flatMap({ property($0, of: entity) }), !property.isTransient else { return false }
    for name in names.dropFirst() {
      guard let composite = property as? NSCompositeAttributeDescription,
        let element = composite.elements.first(where: { $0.name == name })
      else { return false }
      property = element
    }
    if let relationship = property as? NSRelationshipDescription { return !relationship.isToMany }
    return property is NSAttributeDescription
  }
}
