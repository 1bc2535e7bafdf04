import Foundation
public import ObjectModel
import Predicates

extension NSManagedObjectModel {
  /// The names of the fetch request templates of the model.
  public var fetchRequestTemplateNames: [String] { fetchRequestTemplates.keys.sorted() }

  /// A fetch request template of the model; its predicate may have variables. Nil if there is none of the name.
  ///
  /// - Throws: when the predicate cannot be read.
  public func fetchRequestTemplate(forName name: String) throws -> NSFetchRequest<NSManagedObject>? {
    guard let template = fetchRequestTemplates[name] else { return nil }
    let request = NSFetchRequest<NSManagedObject>(entityName: template.entityName)
    if let text = template.predicateString, !text.isEmpty {
      request.predicate = NSPredicate(try PredicateTree(format: text))
    }
    func flag(_ key: String) -> Bool? { template.attributes[key].map { $0 == "YES" } }
    request.fetchLimit = template.attributes["fetchLimit"].flatMap { Int($0) } ?? 0
    request.fetchBatchSize = template.attributes["fetchBatchSize"].flatMap { Int($0) } ?? 0
    request.includesSubentities = flag("includeSubentities") ?? true
    request.includesPropertyValues = flag("includePropertyValues") ?? true
    request.includesPendingChanges = flag("includesPendingChanges") ?? true
    request.returnsObjectsAsFaults = flag("returnObjectsAsFaults") ?? true
    request.returnsDistinctResults = flag("returnDistinctResults") ?? false
    let type = template.attributes["resultType"].flatMap { UInt($0) }
    request.resultType = type.flatMap { NSFetchRequestResultType(rawValue: $0) } ?? .managedObjectResultType
    return request
  }

  /// A fetch request template of the model with values in place of its variables.
  ///
  /// - Throws: when the predicate cannot be read.
  public func fetchRequestFromTemplate(
    withName name: String, substitutionVariables variables: [String: Any]
  ) throws -> NSFetchRequest<NSManagedObject>? {
    let request = try fetchRequestTemplate(forName: name)
    request?.predicate = request?.predicate?.withSubstitutionVariables(variables)
    return request
  }
}

extension NSFetchedPropertyDescription {
  /// The fetch that the property stands for; nil if the model names no entity.
  ///
  /// `$FETCH_SOURCE` in its predicate is the object, `$FETCHED_PROPERTY` the property.
  ///
  /// - Throws: when the predicate cannot be read.
  public func fetchRequest(for source: NSManagedObject) throws -> NSFetchRequest<NSManagedObject>? {
    guard let name = fetchEntityName else { return nil }
    let request = NSFetchRequest<NSManagedObject>(entityName: name)
    if let text = predicateString, !text.isEmpty {
      request.predicate = NSPredicate(
        try PredicateTree(format: text).substituting(["FETCH_SOURCE": source, "FETCHED_PROPERTY": self]))
    }
    return request
  }
}
