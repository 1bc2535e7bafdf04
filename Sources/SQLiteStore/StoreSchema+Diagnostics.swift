import Diagnostics
import ObjectModel

extension Diagnostic.Code {
  static let storeName = Self("store.name", .store)
  static let storeTooManyColumns = Self("store.too-many-columns", .store)
  static let storeTableClash = Self("store.table-clash", .store)
  static let storeAttributeType = Self("store.attribute-type", .store)
  static let storeIndex = Self("store.index", .warning)
  static let storeDerivation = Self("store.derivation", .warning)
  static let storeJoinName = Self("store.join-name", .warning)
}

extension Diagnostic {
  static func storeName(_ name: String, of kind: String) -> Diagnostic {
    Diagnostic(
      .storeName, "'\(name)', the name of \(ShownText.withArticle(kind)), cannot name a table or column",
      hint: "Use letters, digits and underscores.")
  }

  static func tableClash(_ first: String, _ second: String) -> Diagnostic {
    Diagnostic(
      .storeTableClash, "the entities \(first) and \(second) would share one table, as their names differ only in case",
      hint: "Rename one of them.")
  }

  static func tooManyColumns(_ table: StoreTable) -> Diagnostic {
    let hierarchy = table.hierarchy.count == 1 ? "" : " and its subentities, which share one table,"
    return Diagnostic(
      .storeTooManyColumns,
      "the entity \(table.root.name ?? "")\(hierarchy) would have \(table.columns.count) columns; SQLite takes "
        + "\(StoreTable.columnLimit)",
      hint: "Move some attributes to an entity of their own, behind a to-one relationship.")
  }

  static func attributeType(_ path: String, of entity: NSEntityDescription) -> Diagnostic {
    Diagnostic(
      .storeAttributeType, "the attribute \(entity.name ?? "").\(path) is stored but its type is not one of a column",
      hint: "Give it a type, or make it transient.")
  }

  static func index(_ name: String, of entity: NSEntityDescription, _ trouble: String) -> Diagnostic {
    Diagnostic(
      .storeIndex, "the index \(name) of \(entity.name ?? "") is left out: \(trouble)",
      hint: "The store is complete without it; Core Data may make it at the next migration.")
  }

  static func derivation(_ attribute: NSDerivedAttributeDescription, of entity: NSEntityDescription) -> Diagnostic {
    Diagnostic(
      .storeDerivation,
      "the derivation '\(attribute.derivationExpressionFormat)' of \(entity.name ?? "").\(attribute.name) gets no trigger: "
        + "how Core Data writes it is not known",
      hint:
        "Known are RELATIONSHIP.@count (one-to-many) and TOONE.ATTRIBUTE. The values stay empty until the app saves them."
    )
  }

  static func joinName(_ table: JoinTable) -> Diagnostic {
    let entity = table.relationship.entity.name ?? ""
    return Diagnostic(
      .storeJoinName,
      "the table of \(entity).\(table.relationship.name) and \(entity).\(table.inverse.name) is named \(table.name); "
        + "Core Data may name it by the other relationship, which no rule foretells",
      hint: "Start from an empty store that the app itself made, with --template STORE: its names are kept.")
  }
}
