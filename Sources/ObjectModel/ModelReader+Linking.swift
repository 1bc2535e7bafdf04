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
        chain.append(parent)
      }
    }
    for (_, entity) in entities {
      guard let parent = parents[entity.name ?? ""].flatMap({ byName[$0] }) else { continue }
      parent.subentities.append(entity)
    }
  }

  private func checkInheritedNames(_ entity: NSEntityDescription, _ element: ModelElement) throws(Diagnostic) {
    guard let superentity = entity.superentity else { return }
    let inherited = Dictionary(
      superentity.properties.map { ($0.name, $0.entity.name ?? "") }, uniquingKeysWith: { first, _ in first })
    for property in entity.ownProperties {
      if let owner = inherited[property.name] { throw .modelInheritedName(property.name, from: owner, element) }
    }
  }

  // MARK: Inverses

  private func linkInverse(
    _ relationship: NSRelationshipDescription, _ element: ModelElement
  ) throws(Diagnostic) {
    guard let name = element.text("inverseName") else { return }
    let destination: NSEntityDescription = relationship.destinationEntity
    guard let inverse = destination.property(name) as? NSRelationshipDescription else {
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
      guard entity.isStored(name) else { throw .modelUnknownProperty(name, "a uniqueness constraint", entity, element) }
    }
    let indexed = entity.indexes.flatMap(\.elements).compactMap(\.propertyName)
    for name in indexed + entity.compoundIndexes.joined() where name != "self" && name != "entity" {
      guard entity.isStored(name) else { throw .modelUnknownProperty(name, "an index", entity, element) }
    }
    for case let property as NSFetchedPropertyDescription in entity.ownProperties {
      guard let name = property.fetchEntityName, byName[name] == nil else { continue }
      throw unknownEntity(
        name, "entity", in: element.children("fetchedProperty").first { $0["name"] == property.name } ?? element)
    }
  }
}

extension NSEntityDescription {
  /// A property by name, own or inherited, without the layout, which is made only when the model is complete.
  fileprivate func property(_ name: String) -> NSPropertyDescription? { properties.last { $0.name == name } }

  /// Whether a name or a composite's path is that of an attribute or relationship which has a column.
  fileprivate func isStored(_ path: String) -> Bool {
    let names = path.split(separator: ".").map(String.init)
    guard var property = names.first.flatMap({ property($0) }), !property.isTransient else { return false }
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
