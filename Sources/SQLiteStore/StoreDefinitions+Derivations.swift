import ObjectModel

extension StoreDefinitions {
  /// The triggers that keep the derived attributes of an entity.
  mutating func addDerivations(of entity: NSEntityDescription) {
    for property in entity.ownProperties {
      guard let attribute = property as? NSDerivedAttributeDescription, !attribute.isTransient else { continue }
      if let statements = triggers(of: attribute, of: entity) {
        statements.forEach { addTrigger($0) }
      } else {
        warn(.derivation(attribute, of: entity))
      }
    }
  }

  /// The triggers of a derived attribute; nil for a derivation whose triggers are not known.
  private func triggers(of attribute: NSDerivedAttributeDescription, of entity: NSEntityDescription) -> [String]? {
    let path = attribute.derivationExpressionFormat.split(separator: ".", omittingEmptySubsequences: false)
    guard path.count == 2, let column = schema.column(of: attribute.name, in: entity),
      let relationship = entity.property(named: String(path[0])) as? NSRelationshipDescription
    else { return nil }
    let writer = TriggerWriter(
      table: schema.table(of: entity).name, column: column, attribute: attribute.name,
      label: "\(entity.name ?? "")_\(attribute.name)")
    return path[1] == "@count"
      ? writer.count(relationship, of: entity, in: schema)
      : writer.copy(String(path[1]), of: relationship, in: schema)
  }
}

extension StoreSchema {
  /// What a derived attribute has in a row, as SQL; nil for a derivation whose triggers are not known.
  func derivedValue(of attribute: NSDerivedAttributeDescription, in entity: NSEntityDescription, row: String) -> String?
  {
    let path = attribute.derivationExpressionFormat.split(separator: ".", omittingEmptySubsequences: false).map(
      String.init)
    guard path.count == 2, let relationship = entity.property(named: path[0]) as? NSRelationshipDescription else {
      return nil
    }
    if path[1] == "@count" {
      guard case .foreignKey(let counted, let columns)? = storage(of: relationship) else { return nil }
      return "(SELECT COUNT(*) FROM \(counted) WHERE \(columns.key) = \(row).Z_PK)"
    }
    guard !relationship.isToMany, let key = columns(of: relationship)?.key,
      let value = column(of: path[1], in: relationship.destinationEntity)
    else { return nil }
    return "(SELECT \(value) FROM \(table(of: relationship.destinationEntity).name) WHERE Z_PK = \(row).\(key))"
  }
}

/// Writes the triggers of one derived attribute, word for word as Core Data does.
private struct TriggerWriter {
  let table: String
  let column: String
  let attribute: String
  let label: String

  /// `relationship.@count` of a one-to-many relationship.
  func count(_ relationship: NSRelationshipDescription, of entity: NSEntityDescription, in schema: StoreSchema)
    -> [String]?
  {
    guard case .foreignKey(let counted, let columns)? = schema.storage(of: relationship) else { return nil }
    let key = columns.key
    let numbers = schema.numbersOfHierarchy(entity)
    let (first, last) = (numbers.min() ?? 0, numbers.max() ?? 0)
    // Seen only where the relationship has no inverse.
    let hasRange = relationship.inverseRelationship == nil
    let range = hasRange ? " AND \(first) <= Z_ENT AND Z_ENT <= \(last)" : ""

    func parameter(_ name: String, _ event: String, _ row: String, _ value: String) -> String {
      let condition = "Z_PK = \(row).\(key)\(range)"
      return trigger(
        "\(counted)_\(label)_PARAMETER_\(name)", "\(event) ON \(counted)", when: " WHEN (\(row).\(key) NOT NULL)",
        set: value, condition, tell: "Updated")
    }
    return [
      parameter("INSERT", "AFTER INSERT", "NEW", "IFNULL(\(column), 0) + 1"),
      parameter("UPDATE_INCREMENT", "AFTER UPDATE OF \(key)", "NEW", "\(column) + 1"),
      parameter("UPDATE_DECREMENT", "AFTER UPDATE OF \(key)", "OLD", "\(column) - 1"),
      parameter("DELETE", "AFTER DELETE", "OLD", "\(column) - 1"),
      trigger(
        "\(table)_\(label)_SOURCE_INSERT", "AFTER INSERT ON \(table)",
        when: hasRange && last > first ? " WHEN \(first) <= NEW.Z_ENT AND NEW.Z_ENT <= \(last)" : "",
        set: "(SELECT IFNULL(COUNT(\(key)), 0) FROM \(counted) WHERE \(key) = NEW.Z_PK)", "Z_PK = NEW.Z_PK",
        tell: "InsertUpdated"),
    ]
  }

  /// `toOne.attribute`.
  func copy(_ name: String, of relationship: NSRelationshipDescription, in schema: StoreSchema) -> [String]? {
    guard !relationship.isToMany, let key = schema.columns(of: relationship)?.key,
      let value = schema.column(of: name, in: relationship.destinationEntity)
    else { return nil }
    let source = schema.table(of: relationship.destinationEntity).name
    let fetched = "(SELECT \(value) FROM \(source) WHERE Z_PK = NEW.\(key))"
    let (own, parameter) = ("\(table)_\(label)_SOURCE_", "\(source)_\(label)_PARAMETER_")
    return [
      trigger("\(own)INSERT", "AFTER INSERT ON \(table)", set: fetched, "Z_PK = NEW.Z_PK", tell: "InsertUpdated"),
      trigger("\(own)UPDATE", "AFTER UPDATE OF \(key) ON \(table)", set: fetched, "Z_PK = NEW.Z_PK", tell: "Updated"),
      trigger(
        "\(parameter)INSERT", "AFTER INSERT ON \(source)", set: "NEW.\(value)", "\(key) = NEW.Z_PK",
        tell: "InsertUpdated"),
      trigger(
        "\(parameter)UPDATE", "AFTER UPDATE OF \(value) ON \(source)", set: "NEW.\(value)", "\(key) = NEW.Z_PK",
        tell: "Updated"),
    ]
  }

  private func trigger(
    _ name: String, _ event: String, when: String = "", set value: String, _ condition: String, tell: String
  ) -> String {
    "CREATE TRIGGER Z_DA_\(name) \(event) FOR EACH ROW\(when) BEGIN "
      + "UPDATE \(table) SET \(column) = \(value) WHERE \(condition); "
      + "SELECT NSCoreDataDATrigger\(tell)AffectedObjectValue('\(table)', Z_ENT, Z_PK, '\(attribute)', \(column)) "
      + "FROM \(table) WHERE \(condition); END"
  }
}
