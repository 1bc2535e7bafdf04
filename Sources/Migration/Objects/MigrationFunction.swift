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
    try naming(mapping, property, source) {
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
        let isToOne = property.name.flatMap { destination.entity.relationshipsByName[$0] }.map { !$0.isToMany }
        return try self.call(function, arguments, inOrderOfKeys: isToOne ?? false)
      }
      let evaluation = PredicateEvaluation(source, variables, call, now: now, isStrict: true)
      return try property.value(for: evaluation.value(of: expression))
    }
  }

  /// - Parameter inOrderOfKeys: whether one of several will stay: then the one to the least key, as where a mapping is inferred.
  private func call(
    _ function: MigrationFunction, _ arguments: [PredicateValue], inOrderOfKeys: Bool
  ) throws -> PredicateValue {
    func objects(_ argument: PredicateValue) throws -> [NSManagedObject] {
      if case .scalar(let value) = argument, !value.isNull { throw Diagnostic.valueForObjects(argument) }
      let objects = argument.managedObjects
      return inOrderOfKeys ? objects.sorted { $0.objectID.key < $1.objectID.key } : objects
    }
    if function == .instances, arguments.count == 1 {
      return .list(try destinationInstances(of: objects(arguments[0])).map { .object($0) })
    }
    guard arguments.count == 2, case .scalar(.string(let name)) = arguments[0] else {
      throw Diagnostic.unknownFunction(function.rawValue)
    }
    // No object is none, not all.
    let objects = try objects(arguments[1])
    let found =
      switch function {
      case .instancesOfMapping: destinationInstances(forEntityMappingName: name, sourceInstances: objects)
      case .instancesOfRelationship, .instances:
        try destinationInstances(of: objects)
      case .sourcesOfMapping: sourceInstances(forEntityMappingName: name, destinationInstances: objects)
      }
    return .list(found.map { .object($0) })
  }

  /// Runs a body whose errors tell the mapping, the property and the row: none of them is of one record that could be left out.
  func naming<Result>(
    _ mapping: NSEntityMapping, _ property: NSPropertyMapping, _ source: NSManagedObject, _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch let error as Diagnostic {
      let row = "\(source.entity.name ?? "") p\(source.objectID.key)"
      throw Diagnostic(
        error.code.fate == .reject ? .migrationValue : error.code,
        "\(mapping.name), \(property.name ?? ""): \(row): \(error.message)", hint: error.hint)
    }
  }
}

extension Diagnostic.Code {
  /// A value of a row has no counterpart.
  package static let migrationValue = Diagnostic.Code("migration.value", .store)
}

extension Diagnostic {
  fileprivate static func valueForObjects(_ value: PredicateValue) -> Diagnostic {
    Diagnostic(
      .migrationValue, "expected objects of the source, found \(ExpressionTree.constant(value))",
      hint: "Let the expression lead to a relationship: $source.city.")
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
