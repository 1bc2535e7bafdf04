import Diagnostics
import Foundation
import ObjectGraph
package import ObjectModel
import Predicates

/// How one version of a store becomes the next.
package enum StepMapping {
  /// As the store itself carries it out.
  case inferred(StoreTransfer)
  /// Object by object, by mapping models one after the other.
  case custom(NSMappingModel, files: [String])

  /// Whether it follows from the two versions alone.
  package var isInferred: Bool {
    if case .inferred = self { true } else { false }
  }

  /// What it is called.
  package var name: String {
    switch self {
    case .inferred: "inferred"
    case .custom(_, let files): files.joined(separator: ", ")
    }
  }
}

extension NSMappingModel {
  /// Several mapping models for one pair of versions, as one after the other.
  convenience init(_ models: [NSMappingModel]) {
    self.init()
    entityMappings = models.flatMap(\.entityMappings)
    dropped = models.reduce(into: []) { $0.formUnion($1.dropped) }
  }

  /// What it says of each entity, for a plan.
  func planned(rows: (String) -> Int?) -> [PlannedEntity] {
    entityMappings.map { mapping in
      let properties = (mapping.attributeMappings ?? []) + (mapping.relationshipMappings ?? [])
      let values = properties.map {
        "\($0.name ?? "") = \($0.valueExpression.map { "\($0)" } ?? "as a new object has it")\($0.remark)"
      }
      let policy = mapping.entityMigrationPolicyClassName.map { ["policy \($0)"] } ?? []
      let condition = mapping.sourcePredicateFormat.map { ["where \($0)"] } ?? []
      let source = mapping.sourceEntityName
      return PlannedEntity(
        name: mapping.destinationEntityName ?? source ?? "", sourceName: source ?? mapping.destinationEntityName ?? "",
        kind: source == nil ? .add : mapping.destinationEntityName == nil ? .remove : .transform,
        rows: source.map(rows) ?? 0, changes: policy + condition + values)
    }
  }

  /// The first policy that no program has registered.
  var missingPolicy: Diagnostic? {
    entityMappings.lazy.compactMap { mapping in
      mapping.entityMigrationPolicyClassName.flatMap { name in
        NSEntityMigrationPolicy.registered(name) == nil ? Diagnostic.policyMissing(name, mapping.name) : nil
      }
    }.first
  }
}
