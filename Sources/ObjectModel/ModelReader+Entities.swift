import Diagnostics

extension ModelReader {
  /// An entity with its own properties; whatever it refers to by name is linked later.
  mutating func entity(_ element: ModelElement) throws(Diagnostic) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = try element.required("name")
    // Xcode writes a dot before a class of the app's own module.
    if let name = element.text("representedClassName") {
      entity.managedObjectClassName = name.hasPrefix(".") ? String(name.dropFirst()) : name
    }
    entity.isAbstract = try element.flag("isAbstract")
    entity.versionHashModifier = element.text("versionHashModifier")
    entity.storedRenamingIdentifier = element.text("elementID")
    entity.codeGenerationType = element.text("codeGenerationType")
    entity.userInfo = try userInfo(element)
    entity.ownProperties = try properties(element)
    ownProperties[entity] = Dictionary(entity.ownProperties.map { ($0.name, $0) }) { first, _ in first }
    entity.uniquenessConstraints = try lists(
      element.children("uniquenessConstraints", "uniquenessConstraint"), "constraint")
    entity.compoundIndexes = try lists(element.children("compoundIndexes", "compoundIndex"), "index")
    for index in element.children("fetchIndex") { entity.indexes.append(try fetchIndex(index)) }
    return entity
  }

  private mutating func properties(_ element: ModelElement) throws(Diagnostic) -> [NSPropertyDescription] {
    var properties: [NSPropertyDescription] = []
    var names: Set<String> = []
    for child in element.children {
      let property: NSPropertyDescription
      switch child.kind {
      case "attribute": property = try attribute(child)
      case "relationship":
        let relationship = try relationship(child)
        relationships.append((child, relationship))
        property = relationship
      case "fetchedProperty": property = try fetchedProperty(child)
      default: continue
      }
      guard names.insert(property.name).inserted else { throw .modelDuplicate("property", child) }
      positions[ObjectIdentifier(property)] = child.position
      properties.append(property)
    }
    return properties
  }

  /// What all kinds of property have.
  func fill(_ property: NSPropertyDescription, from element: ModelElement) throws(Diagnostic) {
    property.name = try element.required("name")
    property.isOptional = try element.flag("optional")
    property.isTransient = try element.flag("transient")
    property.isIndexed = try element.flag("indexed")
    property.versionHashModifier = element.text("versionHashModifier")
    property.storedRenamingIdentifier = element.text("elementID")
    property.userInfo = try userInfo(element)
  }

  private func fetchedProperty(_ element: ModelElement) throws(Diagnostic) -> NSFetchedPropertyDescription {
    let property = NSFetchedPropertyDescription()
    try fill(property, from: element)
    if let request = element.children("fetchRequest").first {
      property.fetchEntityName = request.text("entity")
      property.predicateString = request.text("predicateString")
    }
    return property
  }

  private func userInfo(_ element: ModelElement) throws(Diagnostic) -> [String: String] {
    var userInfo: [String: String] = [:]
    for entry in element.children("userInfo", "entry") { userInfo[try entry.required("key")] = entry["value"] ?? "" }
    return userInfo
  }

  /// For each element the values of its children.
  private func lists(_ elements: [ModelElement], _ kind: String) throws(Diagnostic) -> [[String]] {
    var lists: [[String]] = []
    for element in elements {
      var values: [String] = []
      for child in element.children(kind) { values.append(try child.required("value")) }
      lists.append(values)
    }
    return lists
  }

  private func fetchIndex(_ element: ModelElement) throws(Diagnostic) -> NSFetchIndexDescription {
    var elements: [NSFetchIndexDescription.Element] = []
    for child in element.children("fetchIndexElement") {
      var item = NSFetchIndexDescription.Element(propertyName: child.text("property"))
      item.expression = child.text("expression")
      guard item.propertyName != nil || item.expression != nil else { throw .modelMissingKey("property", in: element) }
      if let type = child.text("type") {
        guard let kind = NSFetchIndexDescription.Element.Kind(rawValue: type) else {
          throw .modelValue(type, of: "type", expected: "Binary or RTree", in: element)
        }
        item.kind = kind
      }
      switch child.text("order") {
      case nil, "ascending"?: break
      case "descending"?: item.isAscending = false
      case let order?: throw .modelValue(order, of: "order", expected: "ascending or descending", in: element)
      }
      elements.append(item)
    }
    return NSFetchIndexDescription(
      name: try element.required("name"), elements: elements,
      partialIndexPredicate: element.text("partialIndexPredicate"))
  }
}
