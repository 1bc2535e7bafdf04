public import Diagnostics
public import Values

extension AttributeColumns {
  /// Makes empty columns for some stored attributes of an entity; a composite's are named `composite.element`.
  public convenience init(
    entity: NSEntityDescription, attributes: [String], capacity: Int = 1024
  ) throws(Diagnostic) {
    var places: [Int] = []
    for name in attributes {
      guard let place = entity.layout.attributeIndex[name],
        !(entity.layout.attributes[place].attribute is NSDerivedAttributeDescription), !places.contains(place)
      else { throw .noColumn(name, of: entity) }
      places.append(place)
    }
    self.init(entity: entity, places: places, capacity: capacity)
  }

  /// Appends a row: a value for each column, in their order.
  public func appendRow(_ values: [Value]) throws(Diagnostic) {
    guard values.count == columns.count else { throw .valueCount(values.count, expected: columns.count, of: entity) }
    for (column, value) in values.enumerated() where !types[column].takes(value) {
      throw .columnValue(value, entity.layout.attributes[places[column]], of: entity)
    }
    for (column, value) in values.enumerated() { append(value, column: column) }
    endRow(record: rowCount)
  }
}

extension Diagnostic {
  fileprivate static func noColumn(_ name: String, of entity: NSEntityDescription) -> Diagnostic {
    let known = entity.layout.attributes.filter { !($0.attribute is NSDerivedAttributeDescription) }.map(\.path)
    return Diagnostic(
      Code("columns.attribute", .usage), "\(name) is no attribute of \(entity.name ?? "") that a column holds once",
      hint: "There are \(known.joined(separator: ", ")).")
  }

  fileprivate static func valueCount(_ count: Int, expected: Int, of entity: NSEntityDescription) -> Diagnostic {
    Diagnostic(
      Code("columns.value-count", .usage),
      "expected \(expected) values in a row of \(entity.name ?? ""), found \(count)",
      hint: "Give one value for each column, null where there is none.")
  }

  fileprivate static func columnValue(
    _ value: Value, _ stored: EntityLayout.StoredAttribute, of entity: NSEntityDescription
  ) -> Diagnostic {
    Diagnostic(
      Code("columns.value", .usage),
      "\(entity.name ?? "").\(stored.path) is \(ShownText.withArticle(stored.attribute.attributeType.modelName)) and takes no \(value)",
      hint: "Make a value of that type first.")
  }
}
