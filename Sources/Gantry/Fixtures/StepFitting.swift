import Batch
import Conversion
import Migration
import ObjectModel

/// What another version of a model makes of steps that are written for one: what it calls otherwise is found by renaming identifiers, and
/// what it has no place for is left out.
struct StepFitting {
  /// Something of a step that a version has no place for.
  struct LeftOut: Hashable, Encodable {
    /// The step's name.
    let step: String
    /// What it is, e.g. `the attribute nick`.
    let what: String
    /// The columns that feed nothing for it.
    let columns: [String]

    /// What is left out, in words.
    var text: String {
      let quoted = columns.map { "\"\($0)\"" }.joined(separator: ", ")
      let feed = columns.isEmpty ? "" : columns.count == 1 ? " (column \(quoted))" : " (columns \(quoted))"
      return "\(what) of the step \(step)\(feed)"
    }
  }

  /// What has been left out so far.
  private(set) var leftOut: [LeftOut] = []
  private let model: NSManagedObjectModel
  private let other: NSManagedObjectModel
  private let counterparts: Counterparts

  /// Begins for steps that are written for a model.
  init(from model: NSManagedObjectModel, to other: NSManagedObjectModel) {
    (self.model, self.other) = (model, other)
    counterparts = Counterparts(of: model, in: other)
  }

  private mutating func leaveOut(_ what: String, of step: StepConfiguration, columns: [String] = []) {
    leftOut.append(LeftOut(step: step.effectiveName, what: what, columns: columns))
  }

  /// A step as the other version takes it; nil if that has nothing of what the step fills.
  ///
  /// - Parameter columns: those of its input.
  mutating func fit(_ step: StepConfiguration, columns: [String]) -> StepConfiguration? {
    if let link = step.link { return fit(link, of: step) }
    // What is wrong with the step for its own version, its import says.
    guard let own = step.entity.flatMap({ model.entitiesByName[$0] }), let name = own.name else { return step }
    guard let entity = counterparts.entity(name), !entity.isAbstract else {
      leaveOut("the entity \(name)", of: step)
      return nil
    }
    var fitted = step
    fitted.entity = entity.name
    let names = counterparts.attributes(of: name)
    fitAttributes(of: &fitted, own, entity, names, columns)
    fitRelationships(of: &fitted, own)
    fitKey(of: &fitted, names)
    return fitted
  }

  // MARK: Attributes

  private mutating func fitAttributes(
    of step: inout StepConfiguration, _ own: NSEntityDescription, _ entity: NSEntityDescription,
    _ names: [String: String], _ columns: [String]
  ) {
    let fed = step.fed(own, by: columns)
    step.map = [:]
    for (attribute, mapping) in fed.sorted(by: { $0.key < $1.key }) {
      if let (name, fitted) = mapping.fitted(attribute, of: own, to: entity, names) {
        step.map[name] = fitted
      } else {
        let columns = [mapping.column].compactMap(\.self) + (mapping.columns ?? [])
        leaveOut("the attribute \(attribute)", of: step, columns: columns)
        step.ignore += columns
      }
    }
    // Of what the steps ignore, the other version may have a place for some: what their own version does not know any more.
    let matching = ColumnMatching(entity)
    let known = Set(names.values)
    step.ignore.removeAll { column in
      let attributes = matching.attributes(for: column)
      return columns.contains(column) && attributes.count == 1 && !known.contains(attributes[0])
    }
  }

  private mutating func fitKey(of step: inout StepConfiguration, _ names: [String: String]) {
    let key = step.key.map { names[$0] }.filter { $0.map { step.map[$0] != nil } ?? false }.compactMap(\.self)
    // A part of a key would make one object of several.
    if key.count < step.key.count {
      leaveOut("the key \(step.key.joined(separator: ", "))", of: step)
      (step.key, step.onConflict) = ([], nil)
    } else {
      step.key = key
    }
  }

  // MARK: Relationships

  private mutating func fitRelationships(of step: inout StepConfiguration, _ own: NSEntityDescription) {
    let relationships = step.relationships
    step.relationships = [:]
    for (name, mapping) in relationships.sorted(by: { $0.key < $1.key }) {
      let relationship = own.relationshipsByName[name]
      let by = mapping.by ?? relationship?.relatedByAttribute
      if let relationship, let new = counterparts.relationship(name, of: own.name ?? ""),
        let key = self.name(ofKey: by, of: relationship.destinationEntity)
      {
        var fitted = mapping
        fitted.by = key
        step.relationships[new] = fitted
      } else {
        leaveOut("the relationship \(name)", of: step, columns: [mapping.column])
        step.ignore.append(mapping.column)
      }
    }
  }

  private mutating func fit(_ link: LinkConfiguration, of step: StepConfiguration) -> StepConfiguration? {
    guard let own = model.entitiesByName[link.entity], let relationship = own.relationshipsByName[link.relationship]
    else {
      return step
    }
    guard let entity = counterparts.entity(link.entity)?.name,
      let name = counterparts.relationship(link.relationship, of: link.entity),
      let from = self.name(ofKey: link.from.by, of: own),
      let to = self.name(ofKey: link.to.by, of: relationship.destinationEntity)
    else {
      leaveOut("the relationship \(link.entity).\(link.relationship)", of: step)
      return nil
    }
    var fitted = step
    fitted.link?.entity = entity
    fitted.link?.relationship = name
    fitted.link?.from.by = from
    fitted.link?.to.by = to
    return fitted
  }

  /// What the other version calls an attribute by which objects are found; the names of a run are called alike.
  private func name(ofKey key: String?, of entity: NSEntityDescription) -> String? {
    guard let key else { return nil }
    if entity.layout.attributeIndex[key] == nil { return key }
    return counterparts.attributes(of: entity.name ?? "")[key]
  }
}

extension StepConfiguration {
  /// The attributes that a step feeds, with the columns that they are made from: those that it maps, and those matched by name.
  fileprivate func fed(_ entity: NSEntityDescription, by columns: [String]) -> [String: AttributeMapping] {
    let matching = ColumnMatching(entity)
    var fed = map
    for (attribute, mapping) in map where mapping.column == nil && mapping.columns == nil && mapping.constant == nil {
      let fitting = columns.filter { matching.attributes(for: $0).contains(attribute) }
      if fitting.count == 1 { fed[attribute]?.column = fitting[0] }
    }
    let used = Set(
      fed.values.flatMap { [$0.column].compactMap(\.self) + ($0.columns ?? []) } + ignore + [id].compactMap(\.self))
    for column in columns where !used.contains(column) {
      let attributes = matching.attributes(for: column)
      if attributes.count == 1, fed[attributes[0]] == nil { fed[attributes[0]] = AttributeMapping(column: column) }
    }
    return fed
  }
}

extension AttributeMapping {
  /// The attribute of another version that takes the value of one, and how; nil if there is none.
  ///
  /// - Parameter names: what the other version calls attributes.
  fileprivate func fitted(
    _ attribute: String, of own: NSEntityDescription, to entity: NSEntityDescription, _ names: [String: String]
  ) -> (name: String, mapping: AttributeMapping)? {
    var fitted = self
    fitted.shadow = shadow.flatMap { names[$0] }
    let plan = own.layout.shadows[attribute]
    // A transient attribute may be new, and the one that keeps its values older.
    let stored = plan.map { own.layout.attributes[$0.place].path }
    let found = [attribute, stored].compactMap { $0.flatMap { names[$0] } }.first { name in
      fitted.shadow != nil || entity.takes(name)
    }
    guard let found else { return nil }
    // User info is no part of a version's hash: often the later ones alone say how texts are read and values kept.
    let told = entity.layout.shadows[found]
    if told?.kind == nil, fitted.kind == nil, let kind = plan?.kind {
      fitted.kind = kind
      fitted.form = fitted.form ?? told?.form ?? plan?.form
      fitted.unknown = fitted.unknown ?? plan?.unknown
      if fitted.cases == nil, let cases = plan?.cases, !cases.isEmpty {
        fitted.cases = Dictionary(cases.map { ($0.name, Int64($0.value)) }) { first, _ in first }
      }
    }
    let attributes = [plan?.attribute, stored.flatMap { own.attribute(at: $0) } ?? own.attribute(at: attribute)]
    for attribute in attributes.compactMap(\.self) { fitted.options = fitted.options.over(attribute.conversionOptions) }
    return (found, fitted)
  }
}

extension NSEntityDescription {
  /// The stored attribute of a path.
  fileprivate func attribute(at path: String) -> NSAttributeDescription? {
    layout.attributeIndex[path].map { layout.attributes[$0].attribute }
  }

  /// Whether a text can become a value of an attribute.
  fileprivate func takes(_ path: String) -> Bool {
    layout.shadows[path] != nil || attribute(at: path).map { !($0 is NSDerivedAttributeDescription) } ?? false
  }
}
