import Conversion
import Diagnostics
import ObjectGraph
import ObjectModel
import Records
import Values

extension ImportPlan {
  /// Fits a step to the columns of its input and to the model; throws for everything that does not fit.
  init(
    _ step: StepConfiguration, entity: NSEntityDescription, _ converter: RecordConverter, reader: any RecordReader,
    hasNames: Bool
  ) throws(Diagnostic) {
    self.entity = entity
    self.converter = converter
    rule = step.conflictRule
    let places = converter.makeColumns(capacity: 1).places

    key = step.key.isEmpty ? nil : try KeyPlan(step.key, of: entity, searching: entity, columns: places)
    if key == nil, rule != .insert { throw .ruleWithoutKey(rule) }
    if step.linkedLater, step.id == nil { throw .linkedLaterWithoutID(step.effectiveName) }
    names = try step.id.map { column throws(Diagnostic) in
      try KeyColumn(names: column, options: step.conversion, reader: reader)
    }

    var links: [LinkPlan] = []
    for (name, mapping) in step.relationships.sorted(by: { $0.key < $1.key }) {
      links.append(try LinkPlan(name, mapping, step: step, entity: entity, reader: reader, hasNames: hasNames))
    }
    // What has a name of the run has it by a step before, unless it may be of this very one.
    let isOwn = { (link: LinkPlan) in
      link.key.place == nil
        ? entity.isKindOf(entity: link.destination) : link.destination.rootEntity === entity.rootEntity
    }
    ownLinks = links.filter(isOwn)
    self.links = links.filter { !isOwn($0) }
    if let link = ownLinks.first, key == nil, names == nil { throw .ownLinkWithoutKey(link.relationship.name) }

    requiredLinks = entity.layout.toOne.indices.filter { !entity.layout.toOne[$0].isOptional }
    for place in requiredLinks {
      let relationship = entity.layout.toOne[place]
      if !step.linkedLater, !self.links.contains(where: { $0.relationship === relationship }) {
        throw .requiredRelationship(relationship, of: entity)
      }
    }

    var constraints: [KeyPlan] = []
    var areAllKnown = true
    for owner in sequence(first: entity, next: \.superentity) {
      for names in owner.uniquenessConstraints where rule == .insert || names != step.key || owner !== entity {
        // A constraint over attributes that no column feeds, or over relationships, is left to the store.
        if let plan = try? KeyPlan(names, of: entity, searching: owner, columns: places) {
          constraints.append(plan)
        } else {
          areAllKnown = false
        }
      }
    }
    self.constraints = constraints
    allowsRows =
      self.links.isEmpty && areAllKnown && !entity.hasOwnClass
      && (step.linkedLater || entity.isValidWithoutRelationships)
      && entity.hasValidDefaults(except: places)
  }
}

extension RecordConverter {
  /// Fits the columns of a step's input to an entity.
  ///
  /// - Parameters:
  ///   - added: the columns that a reject file has added.
  ///   - folder: the folder of files that fields name.
  convenience init(
    _ step: StepConfiguration, entity: NSEntityDescription, reader: any RecordReader, without added: [String],
    folder: String, forward: ForwardTransfer?
  ) throws(Diagnostic) {
    try self.init(
      entity: entity, columns: reader.columns, mappings: step.map, options: step.conversion,
      // A column of names is no attribute's, whatever it is called.
      ignoring: Set(step.ignore + added + [step.id].compactMap(\.self)),
      usedElsewhere: Set(step.relationships.values.map(\.column)), file: reader.file, folder: folder,
      forward: forward)
  }
}

extension KeyPlan {
  fileprivate init(
    _ names: [String], of entity: NSEntityDescription, searching owner: NSEntityDescription, columns: [Int]
  ) throws(Diagnostic) {
    var places: [Int] = []
    var fed: [Int] = []
    for name in names {
      guard let place = entity.layout.attributeIndex[name], let searched = owner.layout.attributeIndex[name] else {
        throw .unknownAttribute(name, of: entity, role: "key")
      }
      guard let column = columns.firstIndex(of: place) else { throw .keyWithoutColumn(name, of: entity) }
      places.append(searched)
      fed.append(column)
    }
    self.init(entity: owner, names: names, places: places, columns: fed)
  }
}

extension LinkPlan {
  fileprivate init(
    _ name: String, _ mapping: RelationshipMapping, step: StepConfiguration, entity: NSEntityDescription,
    reader: any RecordReader, hasNames: Bool
  ) throws(Diagnostic) {
    let relationship = try entity.relationship(name)
    guard let key = mapping.by ?? relationship.relatedByAttribute else {
      throw .noKeyOfDestination(relationship, of: entity)
    }
    let end = try KeyColumn(
      mapping.column, by: key, of: relationship.destinationEntity, options: step.conversion, reader: reader,
      hasNames: hasNames)
    self.init(
      relationship: relationship, key: end, missing: mapping.missing, separator: mapping.separator ?? ",")
    guard missing == .create else { return }
    if end.place == nil { throw .createByName(relationship) }
    try checkStubs(by: key)
  }

  /// A destination that is made from its key alone must be valid with nothing else.
  private func checkStubs(by key: String) throws(Diagnostic) {
    if destination.isAbstract { throw .abstractStub(relationship) }
    let layout = destination.layout
    func hasValue(_ place: Int) -> Bool {
      layout.attributes[place].path == key || !layout.defaultValues[place].isNull
    }
    let place = layout.attributes.indices.first { !hasValue($0) && layout.requiresValue(at: $0, where: hasValue) }
    let required = place.map { layout.attributes[$0].path } ?? layout.toOne.first { !$0.isOptional }?.name
    if let required { throw .incompleteStub(relationship, required: required) }
  }
}

extension NSEntityDescription {
  fileprivate var isValidWithoutRelationships: Bool {
    (layout.toOne + layout.toMany).allSatisfy { $0.validate(count: 0, of: self) == nil }
  }

  /// Whether the attributes that no column feeds are valid as they are in every new object.
  fileprivate func hasValidDefaults(except fed: [Int]) -> Bool {
    let defaults = layout.defaultValues
    return defaults.indices.allSatisfy { place in
      fed.contains(place)
        || validate(defaults[place], at: place) { fed.contains($0) || !defaults[$0].isNull } == nil
    }
  }
}

extension NSEntityDescription {
  /// A stored relationship by name.
  func relationship(_ name: String) throws(Diagnostic) -> NSRelationshipDescription {
    guard let found = propertiesByName[name] as? NSRelationshipDescription, !found.isTransient else {
      throw .unknownRelationship(name, of: self)
    }
    return found
  }
}
