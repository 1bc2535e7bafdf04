import ObjectGraph
import ObjectModel
import Predicates

extension NSMappingModel {
  /// What the mappings copy as it is, as a store would carry it out by itself.
  func transfer(_ source: NSManagedObjectModel, _ destination: NSManagedObjectModel) -> StoreTransfer {
    StoreTransfer(
      source: source, destination: destination,
      entities: entityMappings.compactMap { mapping in
        guard mapping.mappingType != .removeEntityMappingType,
          let from = mapping.sourceEntityName.flatMap({ source.entitiesByName[$0] }),
          let to = mapping.destinationEntityName.flatMap({ destination.entitiesByName[$0] })
        else { return nil }
        let pairs = mapping.propertyMappings.map { property in
          (property.copied(from: from), property.name.flatMap { to.propertiesByName[$0] })
        }
        return MappingInference.transfer(from, to, pairs)
      })
  }

  /// Whether a policy has a part in what becomes of the rows of an entity.
  func hasPolicy(for entity: NSEntityDescription) -> Bool {
    entityMappings.contains { $0.sourceEntityName == entity.name && $0.entityMigrationPolicyClassName != nil }
  }

  /// The names of the properties of an entity that expressions read.
  func namesRead(of entity: NSEntityDescription) -> Set<String> {
    let expressions = entityMappings.filter { $0.sourceEntityName == entity.name }
      .flatMap(\.propertyMappings).compactMap(\.valueExpression)
    return Set(expressions.flatMap { "\($0)".matches(of: /\$source\.#?(\w+)/).map { String($0.output.1) } })
  }

  /// Whether it is written down how an entity becomes another.
  func speaks(of entity: EntityTransfer) -> Bool { mappings(of: entity).contains { !$0.isInferred } }

  /// Whether it is written down where the value of a property of an entity comes from.
  func speaks(of property: NSPropertyDescription, in entity: EntityTransfer) -> Bool {
    mappings(of: entity).flatMap(\.propertyMappings).contains {
      $0.name == property.name && $0.inferredSource == nil && $0.valueExpression != nil
    }
  }

  private func mappings(of entity: EntityTransfer) -> [NSEntityMapping] {
    entityMappings.filter {
      $0.sourceEntityName == entity.source.name && $0.destinationEntityName == entity.destination.name
    }
  }
}

extension NSEntityMapping {
  /// How properties get their values, attributes first.
  var propertyMappings: [NSPropertyMapping] { (attributeMappings ?? []) + (relationshipMappings ?? []) }
}

extension ExpressionTree {
  /// The key of the source whose value the expression gives as it is, or what was made of the objects there.
  var copiedKey: String? {
    switch self {
    case .keyPath(.variable("source"), let keys): keys.count == 1 ? keys[0] : nil
    case .call(.variable("manager"), let selector, let arguments):
      MigrationFunction(rawValue: selector) == .sourcesOfMapping ? nil : arguments.last?.copiedKey
    default: nil
    }
  }
}
