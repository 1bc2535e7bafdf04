package import Diagnostics
import ObjectGraph
import ObjectModel
import Predicates
import Values

/// What value expressions call on `$manager`, by selector.
enum MigrationFunction: String {
  /// The objects that a mapping made of some objects.
  case instancesOfMapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"
  /// The objects that any mapping made of the destinations of a relationship.
  case instancesOfRelationship = "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
  /// The objects that any mapping made of some objects; ours.
  case instances = "destinationInstancesForSourceInstances:"
  /// The objects of which a mapping made some objects.
  case sourcesOfMapping = "sourceInstancesForEntityMappingNamed:destinationInstances:"
}

extension NSMigrationManager {
  /// What an expression of a mapping gives.
  func value(
    of expression: ExpressionTree, source: NSManagedObject, destination: NSManagedObject,
    _ mapping: NSEntityMapping, _ property: NSPropertyMapping, _ policy: NSEntityMigrationPolicy
  ) throws -> PredicateValue {
    try naming(mapping, property) {
      // As values: what another object stands for is asked of it in many ways.
      let variables: [String: PredicateValue] = [
        "source": .object(source), "destination": .object(destination), "manager": .other(self),
        "entityPolicy": .other(policy), "entityMapping": .other(mapping), "propertyMapping": .other(property),
      ]
      let call: PredicateCall = { object, selector, arguments in
        guard case .other(let receiver) = object else { throw Diagnostic.unknownFunction(selector) }
        if let policy = receiver as? NSEntityMigrationPolicy {
          guard let function = policy.functions[selector] else {
            throw Diagnostic.policyWithoutFunction(selector, "\(type(of: policy))")
          }
          return PredicateValue(try function(arguments.map(\.object)))
        }
        guard receiver is NSMigrationManager, let function = MigrationFunction(rawValue: selector) else {
          throw Diagnostic.unknownFunction(selector)
        }
        return try self.call(function, arguments)
      }
      let value = try PredicateEvaluation(source, variables, call, now: now).value(of: expression)
      do throws(Diagnostic) { return try property.value(for: value) } catch {
        throw Diagnostic.migrationValue(source, error)
      }
    }
  }

  private func call(_ function: MigrationFunction, _ arguments: [PredicateValue]) throws -> PredicateValue {
    if function == .instances, arguments.count == 1 {
      let found = try destinationInstances(of: arguments[0].managedObjects)
      return .list(found.map { .object($0) })
    }
    guard arguments.count == 2, case .scalar(.string(let name)) = arguments[0] else {
      throw Diagnostic.unknownFunction(function.rawValue)
    }
    // No object is none, not all.
    let objects = arguments[1].managedObjects
    let found =
      switch function {
      case .instancesOfMapping: destinationInstances(forEntityMappingName: name, sourceInstances: objects)
      case .instancesOfRelationship, .instances:
        try destinationInstances(of: objects)
      case .sourcesOfMapping: sourceInstances(forEntityMappingName: name, destinationInstances: objects)
      }
    return .list(found.map { .object($0) })
  }

  /// Runs a body whose errors tell the mapping and the property.
  func naming<Result>(
    _ mapping: NSEntityMapping, _ property: NSPropertyMapping, _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch let error as Diagnostic {
      throw Diagnostic(error.code, "\(mapping.name), \(property.name ?? ""): \(error.message)", hint: error.hint)
    }
  }
}

extension Diagnostic.Code {
  /// A value of a row has no counterpart.
  package static let migrationValue = Diagnostic.Code("migration.value", .store)
}

extension Diagnostic {
  fileprivate static func migrationValue(_ source: NSManagedObject, _ reason: Diagnostic) -> Diagnostic {
    Diagnostic(
      .migrationValue, "\(source.entity.name ?? "") p\(source.objectID.key): \(reason.message)", hint: reason.hint)
  }

  fileprivate static func unknownFunction(_ selector: String) -> Diagnostic {
    Diagnostic(
      .mappingModel, "nothing answers FUNCTION(…, \"\(selector)\")",
      hint: "Known of $manager are \(MigrationFunction.instancesOfMapping.rawValue), "
        + "\(MigrationFunction.instancesOfRelationship.rawValue) and \(MigrationFunction.sourcesOfMapping.rawValue).")
  }

  fileprivate static func policyWithoutFunction(_ selector: String, _ policy: String) -> Diagnostic {
    Diagnostic(
      .migrationPolicy, "the policy \(policy) has no function \(selector)",
      hint: "Add it to the policy's `functions` under that name.")
  }
}
