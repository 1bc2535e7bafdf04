import Diagnostics
import Foundation
import ObjectModel
import SQLiteDriver

/// What a store says of itself before a model is laid upon it.
struct StoreContents {
  let uuid: String
  let metadata: [String: Any]
  /// The numbers of the entities by name, those of Core Data's own bookkeeping left out.
  let entityNumbers: [String: Int]
  /// The names of the columns by table.
  let columns: [String: [String]]
  /// The names of the triggers with their tables.
  let triggers: [(name: String, table: String)]

  /// Entities from this number on are Core Data's own: the history of changes.
  static let firstOwnNumber = 16000

  init(_ connection: Connection) throws {
    let path = connection.path ?? ""
    var columns: [String: [String]] = [:]
    let select = try connection.prepare(
      "SELECT m.name, c.name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c WHERE m.type = 'table'")
    try select.forEachRow { columns[$0.text(0) ?? "", default: []].append($0.text(1) ?? "") }
    guard Set(columns["Z_METADATA"] ?? []).isSuperset(of: ["Z_UUID", "Z_PLIST"]),
      Set(columns["Z_PRIMARYKEY"] ?? []).isSuperset(of: ["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"])
    else { throw try connection.pragma("page_count") == "0" ? Diagnostic.emptyFile(path) : .notCoreData(path) }

    var found: (uuid: String, metadata: [String: Any])?
    try connection.prepare("SELECT Z_UUID, Z_PLIST FROM Z_METADATA").forEachRow { row in
      if let metadata = StoreMetadata.decode(Data(row.blobBytes(1))) { found = (row.text(0) ?? "", metadata) }
    }
    guard let found else { throw Diagnostic.metadataDamaged(path) }

    var numbers: [String: Int] = [:]
    try connection.prepare("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY").forEachRow { row in
      let number = Int(row.integer(0))
      if number < Self.firstOwnNumber { numbers[row.text(1) ?? ""] = number }
    }
    var triggers: [(String, String)] = []
    try connection.prepare("SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'").forEachRow { row in
      triggers.append((row.text(0) ?? "", row.text(1) ?? ""))
    }
    (uuid, metadata, entityNumbers) = (found.uuid, found.metadata, numbers)
    (self.columns, self.triggers) = (columns, triggers)
  }

  /// Checks that the store is one of the model, as Core Data does.
  ///
  /// - Parameter cached: the model that the store keeps of itself, which tells more of what differs; nil if there is none.
  func check(
    against model: NSManagedObjectModel, store: String, cached: () -> NSManagedObjectModel?
  ) throws(Diagnostic) {
    guard metadata[StoreMetadata.storeType] as? String == "SQLite",
      let hashes = metadata[StoreMetadata.hashes] as? [String: Data]
    else { throw .metadataDamaged(store) }
    let version = metadata[StoreMetadata.hashesVersion] as? Int ?? 0
    guard version <= StoreMetadata.knownHashesVersion else { throw .newer(store, hashesVersion: version) }
    let difference = HashDifference(store: hashes, model: model.entityVersionHashesByName)
    guard difference.isEmpty else {
      throw .incompatible(
        store, difference, properties: Self.properties(of: difference, model, cached()), model,
        fitting: Self.version(of: hashes, beside: model))
    }
  }

  /// The version that has the hashes, of the package that the model was read from.
  private static func version(of hashes: [String: Data], beside model: NSManagedObjectModel) -> String? {
    guard let url = model.origin.map({ URL(fileURLWithPath: $0.path) }), let package = try? ModelPackage(url) else {
      return nil
    }
    return package.versions.first { version in
      (try? NSManagedObjectModel(contentsOf: url, version: version))?.entityVersionHashesByName == hashes
    }
  }

  /// The properties on which the hashes of changed entities differ, by entity.
  private static func properties(
    of difference: HashDifference, _ model: NSManagedObjectModel, _ cached: NSManagedObjectModel?
  ) -> [String: [String]] {
    let pairs = difference.changed.compactMap { name -> (String, [String])? in
      guard let entity = model.entitiesByName[name], let other = cached?.entitiesByName[name] else { return nil }
      return (name, entity.propertiesDiffering(from: other))
    }
    return Dictionary(pairs) { first, _ in first }
  }

  /// The store's numbers for the entities of the model.
  ///
  /// After an entity was renamed and the store migrated in place, the store may still know it by the old name.
  func numbers(for model: NSManagedObjectModel) throws(Diagnostic) -> [NSEntityDescription: Int] {
    var numbers: [NSEntityDescription: Int] = [:]
    for entity in model.entities {
      let names = [entity.name, entity.renamingIdentifier].compactMap(\.self)
      guard let number = names.lazy.compactMap({ entityNumbers[$0] }).first else {
        throw .entityMissing(entity.name ?? "")
      }
      numbers[entity] = number
    }
    return numbers
  }

  /// Whether Core Data keeps a history of changes in the store.
  var tracksHistory: Bool { columns["ATRANSACTION"] != nil }

  /// Whether Core Data mirrors the store to CloudKit.
  var isMirrored: Bool { columns.keys.contains { $0.hasPrefix("ANSCK") } }

  /// What a program that writes the store leaves to the app.
  func warnings(for schema: StoreSchema, store: String) -> [Diagnostic] {
    var warnings: [Diagnostic] = []
    if tracksHistory { warnings.append(.history(store)) }
    if isMirrored { warnings.append(.mirrored(store)) }
    for entity in schema.entities {
      for case let attribute as NSDerivedAttributeDescription in entity.ownProperties where !attribute.isTransient {
        let label = "_\(entity.name ?? "")_\(attribute.name)_"
        let isKept = triggers.contains { $0.name.hasPrefix("Z_DA_") && $0.name.contains(label) }
        if !isKept { warnings.append(.derivedWithoutTrigger(attribute, of: entity)) }
      }
    }
    return warnings
  }
}

// MARK: - Names that the store has

extension StoreSchema {
  /// The schema with the join tables as a store has them, once all columns are found there.
  ///
  /// - Parameter columns: the names of the store's columns by table.
  func adopting(_ columns: [String: [String]]) throws(Diagnostic) -> StoreSchema {
    for table in tables {
      let present = Set(columns[table.name] ?? [])
      let missing = (["Z_PK", "Z_ENT", "Z_OPT"] + table.columns.map(\.name)).filter { !present.contains($0) }
      guard missing.isEmpty else { throw .columnsMissing(missing, in: table.name) }
    }
    var found: [JoinTable] = []
    for join in joinTables { found.append(try adopt(join, columns)) }
    return replacing(joinTables: found)
  }

  /// The join table under either of the two names it may have, its columns by what their names say.
  private func adopt(_ planned: JoinTable, _ columns: [String: [String]]) throws(Diagnostic) -> JoinTable {
    let owner = "Z_\(numbers[planned.relationship.entity] ?? 0)"
    let destination = "Z_\(numbers[planned.inverse.entity] ?? 0)"
    let (forward, back) = (planned.relationship.name.uppercased(), planned.inverse.name.uppercased())
    guard let name = [owner + forward, destination + back].first(where: { columns[$0] != nil }) else {
      throw .columnsMissing([], in: planned.name)
    }
    let present = columns[name] ?? []
    // Where other tables have a column of the same name, a number behind it tells them apart.
    func column(_ name: String, planned: String?) -> String? {
      guard let planned else { return nil }
      if present.contains(planned) { return planned }
      return present.first { $0.hasPrefix(name) && $0.dropFirst(name.count).allSatisfy(\.isNumber) }
    }
    let ownerColumn = column(owner + back, planned: planned.ownerColumn)
    let destinationColumn = column(
      planned.isReflexive ? "REFLEXIVE" : destination + forward, planned: planned.destinationColumn)
    guard let ownerColumn, let destinationColumn else {
      throw .columnsMissing([planned.ownerColumn, planned.destinationColumn], in: name)
    }
    func order(_ column: String, _ planned: String?) throws(Diagnostic) -> String? {
      guard planned != nil else { return nil }
      let name = "Z_FOK_" + (column.hasPrefix("Z_") ? String(column.dropFirst(2)) : column)
      guard present.contains(name) else { throw .columnsMissing([name], in: planned ?? name) }
      return name
    }
    return JoinTable(
      name: name, relationship: planned.relationship, inverse: planned.inverse, ownerColumn: ownerColumn,
      destinationColumn: destinationColumn, ownerOrder: try order(ownerColumn, planned.ownerOrder),
      destinationOrder: try order(destinationColumn, planned.destinationOrder))
  }
}
