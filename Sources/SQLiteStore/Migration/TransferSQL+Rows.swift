import ObjectGraph
import ObjectModel
import Values

extension TransferSQL {
  /// The statement that makes the rows of an entity.
  func insert(_ entity: EntityTransfer) -> String {
    var columns = [
      ("Z_PK", "t.Z_PK"), ("Z_ENT", "\(destination.numbers[entity.destination] ?? 0)"), ("Z_OPT", "t.Z_OPT"),
    ]
    for attribute in entity.attributes where !attribute.isComputed(in: self, entity) {
      guard let column = destination.column(of: attribute.destination.path, in: entity.destination) else { continue }
      columns.append((column, value(of: attribute, in: entity)))
    }
    for relationship in entity.destination.layout.toOne {
      guard let target = destination.columns(of: relationship) else { continue }
      columns += references(
        target, reference(relationship, of: entity), to: relationship.destinationEntity,
        isNewlyOrdered: relationship.inverseRelationship?.isOrdered == true)
    }
    for relationship in hiddenKeys(of: entity.destination) {
      guard let target = destination.table(of: entity.destination).toOneColumns[ObjectIdentifier(relationship)] else {
        continue
      }
      columns += references(
        target, owner(by: relationship), to: relationship.entity, isNewlyOrdered: relationship.isOrdered)
    }
    columns += defaultsOfSiblings(entity)
    let table = destination.table(of: entity.destination).name
    return "INSERT INTO main.\(table) (\(columns.map(\.0).joined(separator: ", "))) "
      + "SELECT \(columns.map(\.1).joined(separator: ", ")) \(rows(entity.source)) ORDER BY t.Z_PK"
  }

  /// The columns of a link with their values.
  private func references(
    _ columns: ToOneColumns, _ reference: Reference, to entity: NSEntityDescription, isNewlyOrdered: Bool
  ) -> [(String, String)] {
    guard reference.key != "NULL", let number = entityNumber(ofKey: reference.key, in: entity) else { return [] }
    let condition = loses(entity) ? "CASE WHEN \(number) NOT NULL THEN" : nil
    func kept(_ value: String) -> String { condition.map { "\($0) \(value) END" } ?? value }
    var values = [(columns.key, kept(reference.key))]
    if let column = columns.entity { values.append((column, number)) }
    if let column = columns.order, let order = reference.order { values.append((column, kept(order))) }
    return values
  }

  /// The stored relationships without an inverse whose keys the rows of an entity have.
  private func hiddenKeys(of entity: NSEntityDescription) -> [NSRelationshipDescription] {
    destination.entities.flatMap(\.ownStoredRelationships).filter {
      $0.isToMany && $0.inverseRelationship == nil && entity.isKindOf(entity: $0.destinationEntity)
    }
  }

  /// The columns that were added with a default for other entities of the table: Core Data adds such a column with the default
  /// in every row.
  private func defaultsOfSiblings(_ entity: EntityTransfer) -> [(String, String)] {
    var columns: [(String, String)] = []
    for other in transfer.entities
    where other.destination.rootEntity === entity.destination.rootEntity
      && other.source.rootEntity === entity.source.rootEntity
    {
      for attribute in other.attributes
      where attribute.source == nil && !attribute.valueForNull.isNull
        && !entity.destination.isKindOf(entity: attribute.owner(in: other.destination))
      {
        guard let column = destination.column(of: attribute.destination.path, in: other.destination),
          !columns.contains(where: { $0.0 == column })
        else { continue }
        columns.append((column, value(of: attribute, in: other)))
      }
    }
    return columns
  }

  // MARK: Links

  /// The statements that make the links of a join table.
  func insert(_ join: JoinTable) -> [String] {
    let forward = counterparts(of: join.relationship)
    let links = forward.isEmpty ? self.links(into: join.inverse).map(\.reversed) : forward.compactMap(self.links)
    return links.map { links in
      var columns = [(join.ownerColumn, links.owner), (join.destinationColumn, links.destination)]
      if let column = join.ownerOrder {
        columns.append((column, links.ownerOrder ?? OrderKeys.sql(of: links.owner, by: links.destination)))
      }
      if let column = join.destinationOrder {
        columns.append((column, links.order ?? OrderKeys.sql(of: links.destination, by: links.owner)))
      }
      var conditions = ""
      for (key, entity) in [(links.owner, join.relationship.entity), (links.destination, join.inverse.entity)] {
        guard let entity, loses(entity), let number = entityNumber(ofKey: key, in: entity) else { continue }
        conditions += " AND \(number) NOT NULL"
      }
      return "INSERT OR IGNORE INTO main.\(join.name) (\(columns.map(\.0).joined(separator: ", "))) "
        + "SELECT \(columns.map(\.1).joined(separator: ", ")) \(links.rows)\(conditions)"
    }
  }

  /// The statements that give an order to the rows of to-many relationships which had none.
  func orders() -> [String] {
    destination.tables.flatMap { table in
      table.toOneColumns.values.compactMap { columns in
        guard let order = columns.order else { return nil }
        // What has a place keeps it before what has none.
        let new = OrderKeys.sql(of: "\(order) NULLS LAST, Z_PK", by: columns.key)
        return "UPDATE main.\(table.name) AS t SET \(order) = o.place FROM "
          + "(SELECT Z_PK AS row, \(new) AS place FROM main.\(table.name) WHERE \(columns.key) IN "
          + "(SELECT \(columns.key) FROM main.\(table.name) WHERE \(columns.key) NOT NULL AND \(order) IS NULL)) AS o "
          + "WHERE o.row = t.Z_PK"
      }
    }
  }

  // MARK: Derivations

  /// The statements that compute the derived attributes whose derivation is known.
  func derivations() -> [String] {
    destination.entities.flatMap { entity in
      entity.ownProperties.compactMap { property in
        guard let attribute = property as? NSDerivedAttributeDescription, !attribute.isTransient,
          let column = destination.column(of: attribute.name, in: entity),
          let value = destination.derivedValue(of: attribute, in: entity, row: "t")
        else { return nil }
        return "UPDATE main.\(destination.table(of: entity).name) AS t SET \(column) = \(value) "
          + "WHERE Z_ENT IN (\(destination.numbersOfHierarchy(entity).list))"
      }
    }
  }

  // MARK: Keys

  /// The greatest key of a table, as the source has handed it out.
  func greatestKey(of table: StoreTable) -> String {
    let roots = Set(
      transfer.entities.filter { $0.destination.rootEntity === table.root }.compactMap {
        source.numbers[$0.source.rootEntity]
      })
    return "MAX(IFNULL((SELECT MAX(Z_MAX) FROM \(from)Z_PRIMARYKEY WHERE Z_ENT IN (\(roots.sorted().list))), 0), "
      + "IFNULL((SELECT MAX(Z_PK) FROM main.\(table.name)), 0))"
  }
}

extension AttributeTransfer {
  /// Whether the values are computed when all rows are there.
  fileprivate func isComputed(in sql: TransferSQL, _ entity: EntityTransfer) -> Bool {
    guard let derived = destination.attribute as? NSDerivedAttributeDescription else { return false }
    return sql.destination.derivedValue(of: derived, in: entity.destination, row: "t") != nil
  }

  /// The entity that declares the attribute.
  fileprivate func owner(in entity: NSEntityDescription) -> NSEntityDescription {
    destination.attribute.entity ?? entity
  }
}
