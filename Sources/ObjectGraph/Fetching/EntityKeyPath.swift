package import Diagnostics
package import ObjectModel

/// The keys of a path as an entity knows them.
package struct EntityKeyPath {
  /// One step of a path.
  package enum Step {
    case relationship(NSRelationshipDescription)
    /// A stored attribute by its path, the element's in a composite.
    case attribute(path: String, NSAttributeDescription)
    /// The elements of a composite attribute, together.
    case composite(NSCompositeAttributeDescription)
    /// The object itself: `SELF`, `objectID`.
    case itself
    /// Its entity.
    case entity
    /// `@count` and the like, without the sign.
    case collectionOperator(String)
    /// A key of a value: `name.length`, `age.intValue`.
    case valueKey(String)
  }

  package private(set) var steps: [Step] = []

  /// Follows keys from an entity.
  ///
  /// - Throws: for a key that the entity at that place does not have, or that is not stored.
  package init(_ keys: [String], of entity: NSEntityDescription) throws(Diagnostic) {
    var entity: NSEntityDescription? = entity
    var prefix = ""
    for key in keys {
      if key.hasPrefix("@") {
        steps.append(.collectionOperator(String(key.dropFirst())))
      } else if let holder = entity {
        let step = try Self.step(prefix + key, of: holder)
        switch step {
        case .relationship(let relationship): entity = relationship.destinationEntity
        case .composite:
          prefix += key + "."
          if case .composite? = steps.last { steps.removeLast() }
        case .attribute, .entity:
          entity = nil
          if case .composite? = steps.last { steps.removeLast() }
        default: break
        }
        steps.append(step)
      } else {
        steps.append(.valueKey(key))
      }
    }
  }

  private static func step(_ key: String, of entity: NSEntityDescription) throws(Diagnostic) -> Step {
    let layout = entity.layout
    if let place = layout.attributeIndex[key] { return .attribute(path: key, layout.attributes[place].attribute) }
    switch layout.propertiesByName[key] {
    case let relationship as NSRelationshipDescription where !relationship.isTransient:
      return .relationship(relationship)
    case let composite as NSCompositeAttributeDescription where !composite.isTransient: return .composite(composite)
    case nil where key.lowercased() == "self" || key == "objectID": return .itself
    case nil where key == "entity": return .entity
    case nil:
      let inner = layout.attributes.contains { $0.path.hasPrefix(key + ".") }
      guard inner, let composite = nestedComposite(key, of: layout) else { throw .unknownFetchKey(key, of: entity) }
      return .composite(composite)
    default: throw .unstoredFetchKey(key, of: entity)
    }
  }

  /// A composite within a composite, by its path.
  private static func nestedComposite(_ path: String, of layout: EntityLayout) -> NSCompositeAttributeDescription? {
    let names = path.split(separator: ".").map(String.init)
    var found = names.first.flatMap { layout.propertiesByName[$0] } as? NSCompositeAttributeDescription
    for name in names.dropFirst() {
      found = found?.elements.first { $0.name == name } as? NSCompositeAttributeDescription
    }
    return found
  }

  /// Whether the path leads to several values.
  package var isToMany: Bool {
    var isToMany = false
    for step in steps {
      switch step {
      case .relationship(let relationship): isToMany = isToMany || relationship.isToMany
      case .collectionOperator(let name): isToMany = name.lowercased().contains("union")
      default: break
      }
    }
    return isToMany
  }

  /// Whether the path leads to one value, which has an order; objects have none.
  package var isOneValue: Bool {
    switch steps.last {
    case .attribute, .valueKey, .collectionOperator: !isToMany
    case .relationship, .composite, .itself, .entity, nil: false
    }
  }

  /// Whether the path leads to the object that it begins at.
  package var isItself: Bool {
    steps.allSatisfy { if case .itself = $0 { true } else { false } }
  }

  /// The entity of what the path leads to; nil if that is a value.
  package func destination(from entity: NSEntityDescription) -> NSEntityDescription? {
    steps.reduce(entity) { entity, step in
      switch step {
      case .relationship(let relationship): relationship.destinationEntity
      case .itself: entity
      default: nil
      }
    }
  }
}
