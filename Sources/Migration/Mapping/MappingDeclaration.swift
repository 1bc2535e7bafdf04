public import Conversion
package import Diagnostics
import Foundation
import ObjectGraph
package import ObjectModel
import Predicates
import Values

/// How the entities of one version become those of another, as people without Xcode write it: what is not said is inferred by names
/// and renaming identifiers.
public struct MappingDeclaration: Codable, Hashable, Sendable {
  /// The name of the version that stores are of.
  public var from: String
  /// The name of the version that they become.
  public var to: String
  /// What differs from what is inferred, by name of the entity in the destination.
  public var entities: [String: Entity]
  /// What is dropped on purpose: entities and properties of the source, `Topic`, `Topic.draft`. Its loss needs no other leave. The
  /// default is nothing.
  public var drop: [String]?

  /// How an entity of the destination is made.
  public struct Entity: Codable, Hashable, Sendable {
    /// The entities of the source whose objects become its own: several are merged. The default is the one that corresponds.
    public var from: [String]?
    /// The condition of these objects, in the format language. The default is all.
    public var condition: String?
    /// The values of attributes and relationships by name: expressions over `$source`, or look-ups.
    public var values: [String: Source]?

    private enum CodingKeys: String, CodingKey { case from, condition = "where", values }
  }

  /// Where a value comes from.
  public enum Source: Codable, Hashable, Sendable {
    /// An expression over `$source`: `$source.minutes * 60`; of a relationship objects of the source.
    case expression(String)
    /// A table of texts by what an expression gives. Nothing stays nothing; what is not in the table is an error.
    case lookUp(of: String, in: [String: String])
    /// What an expression gives, converted as an import converts a field: texts to colours, dates and words of enumerations. Nothing
    /// stays nothing, or is what `whenNull` says; what cannot be converted is an error. The columns of the mapping are not used.
    case converted(of: String, AttributeMapping)

    private enum CodingKeys: String, CodingKey { case of, table }

    /// Decodes an expression, or an object with `of` and either `table` or how texts are read.
    public init(from decoder: any Decoder) throws {
      if let text = try? decoder.singleValueContainer().decode(String.self) {
        self = .expression(text)
        return
      }
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let expression = try container.decode(String.self, forKey: .of)
      self =
        if let table = try container.decodeIfPresent([String: String].self, forKey: .table) {
          .lookUp(of: expression, in: table)
        } else {
          .converted(of: expression, try AttributeMapping(from: decoder))
        }
    }

    /// Encodes it as it is decoded.
    public func encode(to encoder: any Encoder) throws {
      switch self {
      case .expression(let text):
        var container = encoder.singleValueContainer()
        try container.encode(text)
      case .lookUp(let expression, let table):
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(expression, forKey: .of)
        try container.encode(table, forKey: .table)
      case .converted(let expression, let mapping):
        try mapping.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(expression, forKey: .of)
      }
    }
  }
}

/// A declaration in a file.
package struct DeclaredMapping: VersionMapping {
  package let name: String
  private let declaration: MappingDeclaration

  package init(_ declaration: MappingDeclaration, name: String) {
    self.declaration = declaration
    self.name = name
  }

  package var source: String { declaration.from }
  package var destination: String { declaration.to }
  package var isNamed: Bool { true }

  package func mappingModel(
    _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel
  ) throws(Diagnostic) -> NSMappingModel {
    for name in declaration.entities.keys.sorted() where destination.entitiesByName[name] == nil {
      throw malformed("\(self.destination) has no entity \(name)")
    }
    for name in declaration.drop ?? [] where !source.has(name) {
      throw malformed("\(self.source) has no \(name) to drop", hint: "Write ENTITY or ENTITY.PROPERTY.")
    }
    let model = NSMappingModel()
    model.dropped = Set(declaration.drop ?? [])
    let counterparts = Dictionary(
      source.entities.map { ($0.renamingIdentifier ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    for entity in destination.entities where !entity.isAbstract {
      let declared = declaration.entities[entity.name ?? ""]
      let inferred = [counterparts[entity.renamingIdentifier ?? ""]?.name].compactMap(\.self)
      for origin in declared?.from ?? inferred {
        guard let old = source.entitiesByName[origin] else {
          throw malformed("\(self.source) has no entity \(origin)")
        }
        model.entityMappings.append(try mapping(old, entity, declared))
      }
    }
    return model
  }

  private func mapping(
    _ source: NSEntityDescription, _ destination: NSEntityDescription, _ declared: MappingDeclaration.Entity?
  ) throws(Diagnostic) -> NSEntityMapping {
    let mapping = NSEntityMapping()
    mapping.name = "\(source.name ?? "")To\(destination.name ?? "")"
    mapping.mappingType = .transformEntityMappingType
    (mapping.sourceEntityName, mapping.sourceEntityVersionHash) = (source.name, source.versionHash)
    (mapping.destinationEntityName, mapping.destinationEntityVersionHash) = (destination.name, destination.versionHash)
    mapping.sourcePredicateFormat = declared?.condition
    mapping.isInferred = declared == nil
    var values = declared?.values ?? [:]
    let conversions = try conversions(of: values, to: destination)
    // The shadow of a transient attribute that is converted has its value from there.
    let taken = Set(conversions.values.compactMap(\.name))
    var (attributes, relationships): ([NSPropertyMapping], [NSPropertyMapping]) = ([], [])
    for (old, new) in PropertyComparison.pairs(source, destination) {
      guard let new, !(new is NSFetchedPropertyDescription), !(new is NSDerivedAttributeDescription) else { continue }
      let property: NSPropertyMapping
      if let conversion = conversions[new.name] {
        values[new.name] = nil
        attributes.append(conversion)
        continue
      } else if let value = values.removeValue(forKey: new.name) {
        if taken.contains(new.name) { throw malformed("two values are for \(new.name)") }
        property = try Self.property(value)
        if !(new is NSAttributeDescription) { property.valueExpression = property.valueExpression.map(Self.made) }
      } else {
        // What is not stored follows from what is.
        if taken.contains(new.name) || new.isTransient { continue }
        property = NSPropertyMapping()
        // What is said of its inverse says it of both.
        if let old, !isDeclared((new as? NSRelationshipDescription)?.inverseRelationship) {
          property.valueExpression = MappingInference.expression(of: old, for: new)
          property.inferredSource = old
        }
      }
      property.name = new.name
      if new is NSAttributeDescription {
        attributes.append(property)
      } else {
        relationships.append(property)
      }
    }
    if let unknown = values.keys.sorted().first {
      throw malformed("\(destination.name ?? "") has no property \(unknown) that takes a value")
    }
    (mapping.attributeMappings, mapping.relationshipMappings) = (attributes, relationships)
    return mapping
  }

  /// The values that are converted, by name of the attribute that they are declared for.
  private func conversions(
    of values: [String: MappingDeclaration.Source], to entity: NSEntityDescription
  ) throws(Diagnostic) -> [String: ConvertedPropertyMapping] {
    var conversions: [String: ConvertedPropertyMapping] = [:]
    for (attribute, value) in values.sorted(by: { $0.key < $1.key }) {
      guard case .converted(let text, let mapping) = value else { continue }
      let conversion: TextConversion
      do throws(Diagnostic) { conversion = try TextConversion(to: attribute, of: entity, mapping) } catch {
        throw malformed("\(entity.name ?? "").\(attribute): \(error.message)", hint: error.hint)
      }
      let property = ConvertedPropertyMapping(conversion)
      property.name = entity.layout.attributes[conversion.place].path
      property.valueExpression = try ExpressionTree(format: text)
      if conversions.values.contains(where: { $0.name == property.name }) {
        throw malformed("two values are for \(property.name ?? "")")
      }
      conversions[attribute] = property
    }
    return conversions
  }

  /// Whether the declaration gives the value of a relationship of the destination.
  private func isDeclared(_ relationship: NSRelationshipDescription?) -> Bool {
    guard let relationship else { return false }
    return declaration.entities.contains { name, entity in
      entity.values?[relationship.name] != nil
        && (relationship.entity.managedObjectModel?.entitiesByName[name]?.isKindOf(entity: relationship.entity) ?? false)
    }
  }

  private func malformed(
    _ trouble: String, hint: String = "Correct the file: the README shows what a mapping has."
  ) -> Diagnostic {
    .mappingMalformed(name, trouble, hint: hint)
  }

  private static func property(_ value: MappingDeclaration.Source) throws(Diagnostic) -> NSPropertyMapping {
    switch value {
    case .expression(let text), .converted(let text, _):
      let property = NSPropertyMapping()
      property.valueExpression = try ExpressionTree(format: text)
      return property
    case .lookUp(let text, let table):
      let property = LookUpPropertyMapping(table)
      property.valueExpression = try ExpressionTree(format: text)
      return property
    }
  }

  /// What was made of the objects of the source that an expression gives.
  private static func made(of expression: ExpressionTree) -> ExpressionTree {
    .call(.variable("manager"), selector: MigrationFunction.instances.rawValue, [expression])
  }
}

/// A property whose value stands in a table.
final class LookUpPropertyMapping: NSPropertyMapping {
  private let table: [String: String]

  init(_ table: [String: String]) {
    self.table = table
    super.init()
  }

  override var remark: String { ", by a table" }

  override func copied(from source: NSEntityDescription) -> NSPropertyDescription? { nil }

  override func value(for key: PredicateValue) throws(Diagnostic) -> PredicateValue {
    if key.isNull { return key }
    let text = key.object.map { "\($0)" } ?? ""
    guard let value = table[text] else {
      throw Diagnostic(
        .migrationValue, "the table has nothing for \(text)",
        hint: table.isEmpty ? "The table is empty." : "It has \(table.keys.sorted().joined(separator: ", ")).")
    }
    return PredicateValue(value)
  }
}

/// A property whose value is converted as an import converts a field.
final class ConvertedPropertyMapping: NSPropertyMapping {
  private let conversion: TextConversion

  init(_ conversion: TextConversion) {
    self.conversion = conversion
    super.init()
  }

  override var remark: String { ", converted" }

  override func copied(from source: NSEntityDescription) -> NSPropertyDescription? { nil }

  override func value(for value: PredicateValue) throws(Diagnostic) -> PredicateValue {
    switch value {
    case .null: return .scalar(try conversion.value(of: .null))
    case .scalar(let value): return .scalar(try conversion.value(of: value))
    default:
      throw Diagnostic(
        .migrationValue, "expected one value to convert, found objects or several",
        hint: "Let the expression in `of` lead to an attribute.")
    }
  }

  /// What is converted is in the form in which it is stored.
  override func set(_ value: PredicateValue, of object: NSManagedObject) throws {
    guard case .scalar(let value) = value else { return }
    object.setValue(value, at: conversion.place)
  }
}

extension NSManagedObjectModel {
  /// Whether it has an entity, or a property of one: `Entity`, `Entity.property`.
  fileprivate func has(_ name: String) -> Bool {
    let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let entity = entitiesByName[parts[0]] else { return false }
    return parts.count == 1 || entity.layout.attributeIndex[parts[1]] != nil || entity.propertiesByName[parts[1]] != nil
  }
}
