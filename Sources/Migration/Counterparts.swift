package import ObjectModel

/// What the names of one version of a model are called in another: what corresponds by name or renaming identifier, as a migration
/// carries it over.
package struct Counterparts {
  /// Each entity of the version by its name, with the one of the other version.
  private let entities: [String: (own: NSEntityDescription, other: NSEntityDescription)]

  /// Looks for the names of a version in another.
  package init(of model: NSManagedObjectModel, in other: NSManagedObjectModel) {
    let pairs = ModelComparison(source: other, destination: model).entities.compactMap { entity in
      entity.destination.flatMap { own in entity.source.map { (own.name ?? "", (own, $0)) } }
    }
    entities = Dictionary(pairs) { first, _ in first }
  }

  /// The entity of the other version; nil if it has none.
  package func entity(_ name: String) -> NSEntityDescription? { entities[name]?.other }

  /// The attributes of an entity, elements of composite ones by their paths, with what the other version calls them.
  package func attributes(of entity: String) -> [String: String] {
    var found: [String: String] = [:]
    for case (let other as NSAttributeDescription, let own as NSAttributeDescription) in properties(of: entity) {
      MappingInference.leaves(other, own, "", "") { found[$1] = $0 }
    }
    return found
  }

  /// What the other version calls a relationship of an entity; nil if it has none.
  package func relationship(_ name: String, of entity: String) -> String? {
    for case (let other as NSRelationshipDescription, let own as NSRelationshipDescription) in properties(of: entity)
    where own.name == name { return other.name }
    return nil
  }

  private func properties(of entity: String) -> [(NSPropertyDescription?, NSPropertyDescription?)] {
    entities[entity].map { PropertyComparison.pairs($0.other, $0.own) } ?? []
  }
}
