import Diagnostics
package import ObjectModel

/// The attributes of an entity by the names that columns may have.
package struct ColumnMatching {
  /// The attributes' paths by name, and by the names that the model gives beside it, all without case, blanks, `_` and `-`.
  private var paths: [String: Set<String>] = [:]

  package init(_ entity: NSEntityDescription) {
    for stored in entity.layout.attributes where !(stored.attribute is NSDerivedAttributeDescription) {
      add(stored.path, stored.attribute)
    }
    for case let attribute as NSAttributeDescription in entity.propertiesByName.values where attribute.isTransient {
      add(attribute.name, attribute)
    }
  }

  private mutating func add(_ path: String, _ attribute: NSAttributeDescription) {
    for name in [path] + attribute.importNames {
      paths[Self.folded(name), default: []].insert(path)
    }
  }

  /// The attributes that a column's name fits.
  package func attributes(for column: String) -> [String] { paths[Self.folded(column), default: []].sorted() }

  /// The relationship that a column's name fits.
  func relationship(for column: String, of entity: NSEntityDescription) -> String? {
    entity.relationshipsByName.keys.sorted().first { Self.folded($0) == Self.folded(column) }
  }

  /// A name without what differs between spellings: case, blanks, `_` and `-`.
  static func folded(_ name: String) -> String {
    String(name.lowercased().filter { !$0.isWhitespace && $0 != "_" && $0 != "-" })
  }
}
