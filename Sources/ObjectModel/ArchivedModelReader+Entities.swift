import Diagnostics
import KeyedArchives

extension ArchivedModelReader {
  /// An entity with all the properties that the archive has for it; whatever it refers to is linked later.
  mutating func entity(_ node: ArchivedNode) throws(Diagnostic) -> ReadEntity {
    try step()
    guard let name = text(node, "NSEntityName") else { throw .modelArchiveLacks("NSEntityName", "an entity", file) }
    let entity = NSEntityDescription()
    entity.name = name
    entity.managedObjectClassName = text(node, "NSClassNameForEntity") ?? entity.managedObjectClassName
    entity.isAbstract = node["NSIsAbstract"]?.flag ?? false
    entity.versionHashModifier = text(node, "NSVersionHashModifier")
    entity.storedRenamingIdentifier = renamingIdentifier(node, of: name)
    entity.userInfo = userInfo(node)
    for tuple in node["NSUniqueTuples"]?.items ?? [] {
      try step()
      entity.uniquenessConstraints.append(try propertyNames(tuple, "a uniqueness constraint of \(name)"))
    }
    for tuple in node["NSCompoundIndexes"]?.items ?? [] {
      try step()
      entity.compoundIndexes.append(try propertyNames(tuple, "an index of \(name)"))
    }
    for index in node["NSFetchIndexDescriptions"]?.items ?? [] {
      if let index = try fetchIndex(index, of: name) { entity.indexes.append(index) }
    }
    let parent = node["NSSuperentity"].flatMap(Self.entityName) ?? text(node, "NSSuperentityName")
    return ReadEntity(entity: entity, parent: parent, properties: try properties(node, of: name))
  }

  /// The names of properties, given by themselves or by their names.
  private mutating func propertyNames(_ tuple: ArchivedNode, _ owner: String) throws(Diagnostic) -> [String] {
    var names: [String] = []
    for item in tuple.items ?? [] {
      try step()
      guard let name = item.text ?? item["NSPropertyName"]?.text else {
        throw .modelArchiveLacks("NSPropertyName", owner, file)
      }
      names.append(name)
    }
    return names
  }

  private mutating func properties(_ node: ArchivedNode, of entity: String) throws(Diagnostic) -> [ReadProperty] {
    guard let entries = node["NSProperties"]?.entries else {
      throw .modelArchiveLacks("NSProperties", "entity \(entity)", file)
    }
    var properties: [ReadProperty] = []
    for (_, node) in entries {
      try step()
      // What stands for an inherited property.
      let node = node["NSUnderlyingProperty"] ?? node
      let known = warnings
      if let property = try property(node, of: entity) {
        let found = Array(warnings[known.count...])
        properties.append(ReadProperty(node: node, property: property, warnings: found))
      }
      warnings = known
    }
    return properties.sorted { $0.property.name < $1.property.name }
  }

  // MARK: Indexes

  /// An index; nil, with a warning, for one of some rows only whose rule cannot be spelled.
  private mutating func fetchIndex(
    _ node: ArchivedNode, of entity: String
  ) throws(Diagnostic) -> NSFetchIndexDescription? {
    try step()
    guard let name = text(node, "NSIndexName") else {
      throw .modelArchiveLacks("NSIndexName", "an index of \(entity)", file)
    }
    let owner = "the index \(name) of \(entity)"
    var elements: [NSFetchIndexDescription.Element] = []
    for item in node["NSIndexElements"]?.items ?? [] {
      try step()
      elements.append(try element(item, of: owner))
    }
    let condition = node["NSPartialIndexPredicate"]
    let text = predicate(condition, of: owner)
    guard condition == nil || text != nil else { return nil }
    return NSFetchIndexDescription(name: name, elements: elements, partialIndexPredicate: text)
  }

  private func element(
    _ node: ArchivedNode, of owner: String
  ) throws(Diagnostic) -> NSFetchIndexDescription.Element {
    var element = NSFetchIndexDescription.Element()
    if let expression = node["NSIndexedProperty"]?["NSExpression"] {
      // `SELF` and the key path `entity` are the two that Core Data can index; the model's source spells both small.
      element.expression =
        expression.className == "NSSelfExpression" ? "self" : ArchivedFormat.expression(expression)
    } else {
      element.propertyName = text(node, "NSPropertyName") ?? node["NSIndexedProperty"]?["NSPropertyName"]?.text
    }
    guard element.propertyName != nil || element.expression != nil else {
      throw .modelArchiveLacks("NSPropertyName", owner, file)
    }
    switch node["NSFetchIndexElementType"]?.integer {
    case nil, 0?: break
    case 1?: element.kind = .rTree
    case let number?: throw .modelArchiveNumber("type of element", Int(number), owner, file)
    }
    element.isAscending = node["NSAscending"]?.flag ?? true
    return element
  }
}
