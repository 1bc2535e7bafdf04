import Conversion
import Diagnostics
import ObjectGraph
import ObjectModel
import Predicates
import Records
import SQLiteStore

/// One column of what is fetched: a key path, found in the model once.
struct FetchColumn {
  private enum Content {
    /// What the object is called: `Entity/p42`.
    case name
    /// A stored attribute by its path, whose type is the same in all subentities.
    case attribute(path: String, NSAttributeType, FieldWriter)
    /// How many objects a relationship leads to.
    case count(NSRelationshipDescription)
  }

  let name: String
  /// Whether all values are numbers.
  let isNumber: Bool
  /// Whether it is an object, not a value.
  var isObject: Bool { if case .name = content { true } else { false } }
  private let content: Content
  /// The to-one relationships that lead to the object of the content.
  private let relationships: [NSRelationshipDescription]

  /// Follows a key path from an entity.
  ///
  /// - Parameter isRaw: whether values of a kind are written as they are stored.
  init(_ path: String, of entity: NSEntityDescription, isRaw: Bool) throws(Diagnostic) {
    var keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
    var holder = entity
    var relationships: [NSRelationshipDescription] = []
    var content = Content.name
    while let key = keys.first {
      guard let relationship = holder.layout.propertiesByName[key] as? NSRelationshipDescription else {
        content = try Self.content(keys.joined(separator: "."), key, of: holder, isRaw: isRaw)
        break
      }
      guard !relationship.isTransient else { throw .unstoredFetchKey(key, of: holder) }
      keys.removeFirst()
      if relationship.isToMany {
        guard keys == ["@count"] else { throw .toManyColumn(key, of: holder) }
        content = .count(relationship)
        break
      }
      relationships.append(relationship)
      holder = relationship.destinationEntity
    }
    name = path
    self.relationships = relationships
    self.content = content
    isNumber =
      switch content {
      case .name: false
      case .attribute(_, let type, let writer): type.isNumber && !writer.writesKind
      case .count: true
      }
  }

  private static func content(
    _ path: String, _ key: String, of entity: NSEntityDescription, isRaw: Bool
  ) throws(Diagnostic) -> Content {
    let layout = entity.layout
    if path == entity.idColumn { return .name }
    // What users see may be kept by another attribute, its shadow.
    let plan = layout.shadows[path]
    guard let place = layout.attributeIndex[path] ?? plan?.place else {
      guard layout.propertiesByName[path] == nil else { throw .unstoredFetchKey(path, of: entity) }
      throw .unknownFetchKey(layout.propertiesByName[key] == nil ? key : path, of: entity)
    }
    let stored = layout.attributes[place]
    let type = stored.attribute.attributeType
    let kind = isRaw ? nil : (try? plan?.storedKind()) ?? nil
    return .attribute(path: stored.path, type, FieldWriter(type, kind: kind))
  }

  /// The objects' names and all attributes, those that users see in place of their shadows.
  static func all(of entity: NSEntityDescription, isRaw: Bool) throws(Diagnostic) -> [FetchColumn] {
    var columns = [try FetchColumn(entity.idColumn, of: entity, isRaw: isRaw)]
    for (place, stored) in entity.layout.attributes.enumerated() {
      let shown = isRaw ? nil : ExportedAttribute.shadow(place, of: entity)?.plan.attribute.name
      columns.append(try FetchColumn(shown ?? stored.path, of: entity, isRaw: isRaw))
    }
    return columns
  }
}

// MARK: Objects

extension FetchColumn {
  /// The key path of the object of the content; empty for the fetched object itself.
  var objectPath: String { relationships.map(\.name).joined(separator: ".") }

  /// Reads the links that are counted, for many objects at once.
  func readLinks(of objects: [NSManagedObject], in context: NSManagedObjectContext) throws {
    guard case .count(let relationship) = content else { return }
    try context.fulfill(relationship, of: try objects.compactMap(holder))
  }

  /// The field of an object.
  func field(of object: NSManagedObject) throws -> WrittenField {
    guard let object = try holder(of: object) else { return .null }
    switch content {
    case .name: return .text(RowName(entity: object.entity, key: object.objectID.key).text)
    case .count(let relationship): return .word(String(try object.destinations(of: relationship).count))
    case .attribute(let path, let type, let writer):
      guard let place = object.entity.layout.attributeIndex[path] else { return .null }
      return StoredValue(try object.value(at: place), as: type).map(writer.field) ?? .null
    }
  }

  private func holder(of object: NSManagedObject) throws -> NSManagedObject? {
    var object = object
    for relationship in relationships {
      guard case .object(let next as NSManagedObject) = try object.predicateValue(forKey: relationship.name) else {
        return nil
      }
      object = next
    }
    return object
  }
}
