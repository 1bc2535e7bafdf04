import Foundation
import ObjectGraph
import ObjectModel
import SQLiteDriver
import TestSupport
import Testing
import Values

@testable import SQLiteStore

/// A model from the entities of a `contents` file.
func model(_ entities: String) throws -> NSManagedObjectModel {
  let folder = try TemporaryFolder()
  try folder.write(
    "<model type=\"com.apple.IDECoreDataModeler.DataModel\">\(entities)</model>", to: "M.xcdatamodel/contents")
  return try NSManagedObjectModel(contentsOf: folder.url.appendingPathComponent("M.xcdatamodel"))
}

/// A store in a folder of its own.
final class TestStore {
  let folder: TemporaryFolder
  let url: URL
  private(set) var store: SQLitePersistentStore

  init(_ model: NSManagedObjectModel) throws {
    folder = try TemporaryFolder()
    url = folder.url.appendingPathComponent("s.sqlite")
    store = try SQLitePersistentStore.create(at: url, model: model)
  }

  convenience init(_ entities: String) throws { try self.init(model(entities)) }

  /// Opens the store anew.
  func reopen(readOnly: Bool = false) throws {
    store = try SQLitePersistentStore.open(at: url, model: store.model, readOnly: readOnly)
  }

  /// Runs SQL by another connection, as another program would.
  func outside(_ sql: String) throws { try Connection(url.path, .readWrite).execute(sql) }

  /// The rows of a query as text.
  func rows(_ sql: String) throws -> [String] {
    var rows: [String] = []
    try store.connection.prepare(sql).forEachRow { row in
      rows.append((0..<row.columnCount).map { "\(row.value($0).text)" }.joined(separator: " "))
    }
    return rows
  }

  // MARK: Objects

  func entity(_ name: String) throws -> NSEntityDescription { try #require(store.model.entitiesByName[name]) }

  func relationship(_ name: String, of entity: String) throws -> NSRelationshipDescription {
    try #require(self.entity(entity).relationshipsByName[name])
  }

  func id(_ entity: String, _ key: Int64) throws -> NSManagedObjectID {
    NSManagedObjectID(entity: try self.entity(entity), store: store, key: key, isTemporary: false)
  }

  /// A new row with the next key.
  func row(_ name: String, _ values: [String: Value] = [:], _ toOne: [String: NSManagedObjectID] = [:]) throws
    -> StoredRow
  {
    let entity = try self.entity(name)
    let key = try store.reserveKeys(1, for: entity.rootEntity)
    return StoredRow(
      objectID: try id(name, key), version: 1, attributes: entity.layout.attributes.map { values[$0.path] ?? .null },
      toOne: entity.layout.toOne.map { toOne[$0.name] })
  }

  @discardableResult
  func insert(_ name: String, _ values: [String: Value] = [:], _ toOne: [String: NSManagedObjectID] = [:]) throws
    -> NSManagedObjectID
  {
    let row = try row(name, values, toOne)
    var changes = StoreChanges()
    changes.inserted = [row]
    try store.save(changes)
    return row.objectID
  }

  func update(
    _ id: NSManagedObjectID, version: Int64 = 1, _ values: [String: Value] = [:],
    _ toOne: [String: NSManagedObjectID] = [:],
    cleared: [String] = []
  ) throws {
    let layout = id.entity.layout
    var changes = StoreChanges()
    changes.updated = [
      .init(
        objectID: id, version: version,
        attributes: try values.map { (try #require(layout.attributeIndex[$0.key]), $0.value) },
        toOne: try toOne.map { (try #require(layout.toOneIndex[$0.key]), $0.value) }
          + cleared.map { (try #require(layout.toOneIndex[$0]), nil) })
    ]
    try store.save(changes)
  }

  func delete(_ id: NSManagedObjectID, version: Int64 = 1) throws {
    var changes = StoreChanges()
    changes.deleted = [(id, version)]
    try store.save(changes)
  }

  func link(
    _ owner: NSManagedObjectID, _ name: String, add: [NSManagedObjectID] = [], remove: [NSManagedObjectID] = [],
    order: [NSManagedObjectID]? = nil
  ) throws {
    var changes = StoreChanges()
    changes.toMany = [
      .init(
        relationship: try relationship(name, of: owner.entity.name ?? ""), owner: owner, added: add, removed: remove,
        order: order)
    ]
    try store.save(changes)
  }

  func lookUp(_ entity: String, _ attributes: [String], _ keys: [[Value]]) throws -> [String] {
    let entity = try self.entity(entity)
    let places = try attributes.map { try #require(entity.layout.attributeIndex[$0]) }
    return try store.lookUp(KeyLookupRequest(entity: entity, places: places, keys: keys)).map { answer in
      switch answer {
      case .none: "none"
      case .one(let id): "\(id.entity.name ?? "")/\(id.key)"
      case .several(let a, let b): "\(a.key)&\(b.key)"
      }
    }
  }

  func expectSound(sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try store.brokenInvariants() == [], sourceLocation: sourceLocation)
  }
}

extension SQLiteValue {
  var text: String {
    switch self {
    case .null: "NULL"
    case .integer(let integer): "\(integer)"
    case .real(let real): "\(real)"
    case .text(let text): text
    case .blob(let bytes): "x" + bytes.map { String($0, radix: 16) }.joined(separator: ".")
    }
  }
}
