import Diagnostics
import Foundation
import ObjectGraph
import ObjectModel
import Predicates
import Values

/// The mapping that follows from two versions of a model alone, in the two forms that it is wanted in: as Apple's mapping model, and
/// as what a store carries out by itself.
struct MappingInference {
  let comparison: ModelComparison

  init(_ source: NSManagedObjectModel, _ destination: NSManagedObjectModel) {
    comparison = ModelComparison(source: source, destination: destination)
  }

  // MARK: Whether it can be inferred

  /// Why there is no mapping, each with its entity and property; empty if there is one.
  var refusals: [String] {
    let changes = comparison.entities.flatMap { entity in
      entity.changes.filter { $0.migration == .refused }.map { "\(entity.name): \($0.text)" }
        + entity.properties.flatMap { property in
          property.changes.filter { $0.migration == .refused }.map { "\(entity.name).\(property.name): \($0.text)" }
        }
    }
    return changes + ambiguities
  }

  /// The entities whose rows two entities of the destination would take.
  private var ambiguities: [String] {
    let pairs = comparison.entities.filter { $0.source != nil && $0.destination != nil }
    return Dictionary(grouping: pairs, by: \.source).compactMap { source, pairs in
      guard pairs.count > 1, let name = source?.name else { return nil }
      let names = pairs.map(\.name).sorted().joined(separator: " and ")
      return "\(names): both have the renaming identifier of \(name), whose rows can become those of one of them"
    }.sorted()
  }

  /// Throws where no mapping can be inferred.
  func check() throws(Diagnostic) {
    let refusals = refusals
    guard refusals.isEmpty else { throw .notInferred(refusals) }
  }

  // MARK: As a store carries it out

  /// What a store carries out by itself.
  func transfer() throws(Diagnostic) -> StoreTransfer {
    try check()
    return StoreTransfer(
      source: comparison.source, destination: comparison.destination,
      entities: comparison.entities.compactMap { entity in
        guard let source = entity.source, let destination = entity.destination else { return nil }
        return Self.transfer(source, destination, PropertyComparison.pairs(source, destination))
      })
  }

  /// The rows of an entity as those of another, where pairs of properties correspond.
  static func transfer(
    _ source: NSEntityDescription, _ destination: NSEntityDescription,
    _ pairs: [(NSPropertyDescription?, NSPropertyDescription?)]
  ) -> EntityTransfer {
    EntityTransfer(
      source: source, destination: destination, attributes: attributes(source, destination, pairs),
      relationships: relationships(pairs))
  }

  private static func attributes(
    _ source: NSEntityDescription, _ destination: NSEntityDescription,
    _ pairs: [(NSPropertyDescription?, NSPropertyDescription?)]
  ) -> [AttributeTransfer] {
    var counterparts: [String: String] = [:]
    for (old, new) in pairs {
      guard let old = old as? NSAttributeDescription, let new = new as? NSAttributeDescription else { continue }
      leaves(old, new, "", "") { counterparts[$1] = $0 }
    }
    return destination.layout.attributes.map { stored in
      let place = counterparts[stored.path].flatMap { source.layout.attributeIndex[$0] }
      let old = place.map { source.layout.attributes[$0] }
      // An attribute that only gains a default keeps what it has none of.
      let isMadeRequired = old?.attribute.isOptional == true && !stored.attribute.isOptional
      return AttributeTransfer(
        source: old, destination: stored,
        valueForNull: old == nil || isMadeRequired ? stored.attribute.defaultValue : .null)
    }
  }

  /// Hands over the paths of the elements of two attributes that correspond.
  static func leaves(
    _ old: NSAttributeDescription, _ new: NSAttributeDescription, _ oldPrefix: String, _ newPrefix: String,
    _ body: (String, String) -> Void
  ) {
    let (from, to) = (oldPrefix + old.name, newPrefix + new.name)
    guard let old = old as? NSCompositeAttributeDescription, let new = new as? NSCompositeAttributeDescription else {
      return body(from, to)
    }
    for (a, b) in CanonicalMatch.pairs(old.elements, new.elements, canonical: { $0.renamingIdentifier ?? "" }) {
      if let a, let b { leaves(a, b, from + ".", to + ".", body) }
    }
  }

  private static func relationships(
    _ pairs: [(NSPropertyDescription?, NSPropertyDescription?)]
  ) -> [NSRelationshipDescription: NSRelationshipDescription] {
    let pairs = pairs.compactMap { old, new in
      (new as? NSRelationshipDescription).flatMap { new in
        (old as? NSRelationshipDescription).map { (new, $0) }
      }
    }
    return Dictionary(pairs.filter { !$0.isTransient && !$1.isTransient }, uniquingKeysWith: { first, _ in first })
  }

  // MARK: As a mapping model

  func mappingModel() throws(Diagnostic) -> NSMappingModel {
    try check()
    let model = NSMappingModel()
    model.entityMappings = comparison.entities.map(Self.mapping)
    return model
  }

  private static func mapping(_ entity: EntityComparison) -> NSEntityMapping {
    let mapping = NSEntityMapping()
    mapping.name = "IEM_\(entity.kind.rawValue.capitalized)_\(entity.name)"
    mapping.mappingType =
      switch entity.kind {
      case .add: .addEntityMappingType
      case .remove: .removeEntityMappingType
      case .copy: .copyEntityMappingType
      case .transform: .transformEntityMappingType
      }
    (mapping.sourceEntityName, mapping.sourceEntityVersionHash) = (entity.source?.name, entity.source?.versionHash)
    mapping.destinationEntityName = entity.destination?.name
    mapping.destinationEntityVersionHash = entity.destination?.versionHash
    guard let destination = entity.destination else { return mapping }
    let properties = destination.properties.sorted { $0.name < $1.name }
    let pairs = entity.source.map { PropertyComparison.pairs($0, destination) } ?? []
    func mappings(_ isIncluded: (NSPropertyDescription) -> Bool) -> [NSPropertyMapping] {
      properties.filter(isIncluded).map { property in
        let mapping = NSPropertyMapping()
        mapping.name = property.name
        let old = pairs.first { $0.1 === property }?.0
        mapping.valueExpression = old.flatMap { Self.expression(of: $0, for: property) }
        return mapping
      }
    }
    mapping.attributeMappings = mappings { $0 is NSAttributeDescription }
    mapping.relationshipMappings = mappings { $0 is NSRelationshipDescription }
    mapping.userInfo = userInfo(entity.source, destination)
    return mapping
  }

  /// What gives the value of a property where objects are made one by one; nil leaves it as a new object has it.
  static func expression(of old: NSPropertyDescription, for new: NSPropertyDescription) -> ExpressionTree? {
    let value = ExpressionTree.keyPath(.variable("source"), keys: [old.name])
    switch (old, new) {
    case (_, is NSDerivedAttributeDescription): return nil
    case (let old as NSAttributeDescription, let new as NSAttributeDescription):
      guard old.isOptional, !new.isOptional, !new.defaultValue.isNull else { return value }
      return .conditional(
        .comparison(.init(value, .equal, .constant(.null))), .constant(.scalar(new.defaultValue)), value)
    case (is NSRelationshipDescription, is NSRelationshipDescription):
      return .call(
        .variable("manager"), selector: MigrationFunction.instancesOfRelationship.rawValue,
        [.constant(.scalar(.string(old.name))), value])
    default: return nil
    }
  }

  private static func userInfo(
    _ source: NSEntityDescription?, _ destination: NSEntityDescription
  ) -> [AnyHashable: Any] {
    let pairs = source.map { PropertyComparison.pairs($0, destination) } ?? destination.properties.map { (nil, $0) }
    func names(_ pairs: [(NSPropertyDescription?, NSPropertyDescription?)]) -> Set<String> {
      Set(pairs.compactMap { ($1 ?? $0)?.name })
    }
    return [
      "mappedProperties": names(pairs.filter { $0 != nil && $1 != nil }),
      "addedProperties": names(pairs.filter { $0.0 == nil }),
      "removedProperties": names(pairs.filter { $0.1 == nil }),
    ]
  }
}

extension ModelChange {
  /// The difference and its note.
  var text: String { note.map { "\(what): \($0)" } ?? what }
}
