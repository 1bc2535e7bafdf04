package import Diagnostics
import Foundation
package import ObjectModel
import Predicates
import Values

extension MappingModelFile {
  /// The mapping model for two versions, with the expressions that follow from names filled in as Xcode's compiler does.
  package func mappingModel(
    _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel
  ) throws(Diagnostic) -> NSMappingModel {
    let model = NSMappingModel()
    // One without entities does nothing.
    for mapping in mappings where mapping.source != nil || mapping.destination != nil {
      model.entityMappings.append(try compile(mapping, source, destination))
    }
    return model
  }

  private func compile(
    _ mapping: Mapping, _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel
  ) throws(Diagnostic) -> NSEntityMapping {
    let from = try entity(mapping.source, in: source, "source")
    let to = try entity(mapping.destination, in: destination, "destination")
    let compiled = NSEntityMapping()
    compiled.name = mapping.name ?? Self.name(mapping)
    (compiled.sourceEntityName, compiled.sourceEntityVersionHash) = (from?.name, from?.versionHash)
    (compiled.destinationEntityName, compiled.destinationEntityVersionHash) = (to?.name, to?.versionHash)
    compiled.entityMigrationPolicyClassName = mapping.policy
    compiled.sourcePredicateFormat = mapping.predicate
    compiled.userInfo = mapping.userInfo
    compiled.mappingType =
      mapping.policy != nil
      ? .customEntityMappingType
      : from == nil ? .addEntityMappingType : to == nil ? .removeEntityMappingType : .copyEntityMappingType
    guard let to else { return compiled }
    compiled.attributeMappings = try properties(mapping.attributes, of: to) { property in
      guard from?.attributesByName[property.name] != nil else { return nil }
      return .keyPath(.variable("source"), keys: [property.name])
    }
    compiled.relationshipMappings = try properties(mapping.relationships, of: to) { property in
      guard from?.relationshipsByName[property.name] != nil,
        let relationship = to.relationshipsByName[property.name]
      else { return nil }
      return links(of: relationship)
    }
    return compiled
  }

  private static func name(_ mapping: Mapping) -> String {
    switch (mapping.source, mapping.destination) {
    case (let source?, let destination?): "\(source)To\(destination)"
    default: mapping.destination ?? mapping.source ?? ""
    }
  }

  /// The links of a relationship to what the mappings made: by the one mapping of its destination, or by all that there are.
  private func links(of relationship: NSRelationshipDescription) -> ExpressionTree {
    let destination: NSEntityDescription? = relationship.destinationEntity
    let own = mappings.filter { $0.destination == destination?.name && $0.source != nil }
    let path = ExpressionTree.keyPath(.variable("source"), keys: [relationship.name])
    guard own.count == 1, destination?.subentities.isEmpty == true, let only = own.first else {
      return .call(
        .variable("manager"), selector: MigrationFunction.instancesOfRelationship.rawValue,
        [.constant(.scalar(.string(relationship.name))), path])
    }
    return .call(
      .variable("manager"), selector: MigrationFunction.instancesOfMapping.rawValue,
      [.constant(.scalar(.string(only.name ?? Self.name(only)))), path])
  }

  private func properties(
    _ properties: [Property], of entity: NSEntityDescription, standard: (Property) -> ExpressionTree?
  ) throws(Diagnostic) -> [NSPropertyMapping] {
    var compiled: [NSPropertyMapping] = []
    for property in properties.sorted(by: { $0.name < $1.name }) {
      guard entity.propertiesByName[property.name] != nil else {
        throw .mappingMalformed(name, "\(entity.name ?? "") has no property \(property.name) in \(destination)")
      }
      let mapping = NSPropertyMapping()
      mapping.name = property.name
      mapping.valueExpression = property.expression ?? standard(property)
      compiled.append(mapping)
    }
    return compiled
  }

  private func entity(
    _ name: String?, in model: NSManagedObjectModel, _ side: String
  ) throws(Diagnostic) -> NSEntityDescription? {
    guard let name else { return nil }
    guard let entity = model.entitiesByName[name] else {
      throw .mappingMalformed(self.name, "the \(side) \(side == "source" ? source : destination) has no entity \(name)")
    }
    return entity
  }
}
