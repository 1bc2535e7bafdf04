import ObjectModel
import Predicates

extension StoreDefinitions {
  /// The indexes of a table: of keys and join tables by entity, of `Z_ENT`, and by entity fetch indexes and constraints.
  ///
  /// - Parameter joins: the join tables by the entities that declare the relationships which name them.
  mutating func addIndexes(of table: StoreTable, _ joins: [NSEntityDescription: [JoinTable]]) {
    let keys = Dictionary(grouping: table.keyColumns, by: \.entity)
    for entity in table.hierarchy {
      for (_, column) in keys[entity] ?? [] {
        addIndex("CREATE INDEX \(table.name)_\(column)_INDEX ON \(table.name) (\(column))")
      }
      for join in joins[entity] ?? [] { addIndex(join.indexSQL) }
    }
    if table.hierarchy.count > 1 {
      addIndex("CREATE INDEX \(table.name)_Z_ENT_INDEX ON \(table.name) (Z_ENT)")
    }
    for entity in table.hierarchy {
      for index in entity.indexes { add(index, of: entity, table) }
      for constraint in entity.uniquenessConstraints { add(constraint, of: entity, table) }
    }
  }

  private mutating func add(
    _ index: NSFetchIndexDescription, of entity: NSEntityDescription, _ table: StoreTable
  ) {
    let properties = index.elements.map { element in element.propertyName.flatMap { entity.property(named: $0) } }
    let relationships = properties.compactMap { $0 as? NSRelationshipDescription }
    // A relationship alone has its automatic index; a to-many relationship has no column.
    if index.elements.count == 1 && !relationships.isEmpty || relationships.contains(where: \.isToMany) { return }

    var columns: [String] = []
    for element in index.elements {
      let name = element.expression ?? element.propertyName ?? ""
      guard let column = schema.indexedColumn(name, in: entity) else {
        return warn(.index(index.name, of: entity, "'\(name)' is not an attribute with a column"))
      }
      columns.append(column)
    }
    if index.elements.first?.kind == .rTree { return addRTree(index, columns, of: entity, table) }

    var condition = ""
    if let predicate = index.partialIndexPredicate {
      let tree = try? PredicateTree(format: predicate)
      guard let sql = tree?.indexCondition(column: { schema.indexableColumn($0, in: entity) }) else {
        return warn(.index(index.name, of: entity, "its predicate '\(predicate)' is not made of simple comparisons"))
      }
      condition = " WHERE \(sql)"
    }
    let terms = zip(columns, index.elements).map { "\($0) COLLATE BINARY \($1.isAscending ? "ASC" : "DESC")" }
    addIndex(
      "CREATE INDEX Z_\(entity.name ?? "")_\(index.name) ON \(table.name) (\(terms.joined(separator: ", ")))\(condition)"
    )
  }

  private mutating func add(_ constraint: [String], of entity: NSEntityDescription, _ table: StoreTable) {
    let name = "Z_\(entity.name ?? "")_UNIQUE_\(constraint.joined(separator: "_"))"
    let columns = constraint.compactMap { schema.indexableColumn($0, in: entity) }
    guard columns.count == constraint.count else {
      return warn(.index(name, of: entity, "the constraint names a property without a column"))
    }
    let terms = columns.map { "\($0) COLLATE BINARY ASC" }.joined(separator: ", ")
    addIndex("CREATE UNIQUE INDEX \(name) ON \(table.name) (\(terms))")
  }

  /// An index of places: a virtual table, and triggers that keep it.
  private mutating func addRTree(
    _ index: NSFetchIndexDescription, _ columns: [String], of entity: NSEntityDescription, _ table: StoreTable
  ) {
    let name = index.nameOfPlaces(in: entity)
    let declared = columns.map { "\($0)_MIN FLOAT, \($0)_MAX FLOAT" }.joined(separator: ", ")
    addRTree("CREATE VIRTUAL TABLE \(name) USING RTREE (Z_PK INTEGER PRIMARY KEY, \(declared))")

    let names = columns.map { "\($0)_MIN, \($0)_MAX" }.joined(separator: ", ")
    // The blank before the first comma is Core Data's.
    let values = columns.enumerated().map { $0 == 0 ? "NEW.\($1) ,NEW.\($1)" : "NEW.\($1), NEW.\($1)" }
      .joined(separator: ", ")
    let insert = "INTO \(name) (Z_PK, \(names)) VALUES (NEW.Z_PK, \(values)) ;"
    func trigger(_ event: String, _ body: String) -> String {
      "CREATE TRIGGER \(name)_\(event) AFTER \(event) ON \(table.name) FOR EACH ROW BEGIN \(body) END"
    }
    addTrigger(trigger("INSERT", "INSERT OR REPLACE \(insert)"))
    addTrigger(trigger("UPDATE", "DELETE FROM \(name) WHERE Z_PK = NEW.Z_PK ; INSERT \(insert)"))
    addTrigger(trigger("DELETE", "DELETE FROM \(name) WHERE Z_PK = OLD.Z_PK ;"))
  }
}

extension NSFetchIndexDescription {
  /// The name of the virtual table of an index of places.
  fileprivate func nameOfPlaces(in entity: NSEntityDescription) -> String { "Z_RT_\(entity.name ?? "")_\(name)" }
}

extension StoreSchema {
  /// The names of the indexes of places of a table's rows.
  func indexesOfPlaces(on table: StoreTable) -> [String] {
    table.hierarchy.flatMap { entity in
      entity.indexes.filter { $0.elements.first?.kind == .rTree }.map { $0.nameOfPlaces(in: entity) }
    }
  }

  /// The column of an index's element: a property's, or that of one of the two expressions known.
  fileprivate func indexedColumn(_ name: String, in entity: NSEntityDescription) -> String? {
    switch name {
    case "self": "Z_PK"
    case "entity": "Z_ENT"
    default: indexableColumn(name, in: entity)
    }
  }
}
