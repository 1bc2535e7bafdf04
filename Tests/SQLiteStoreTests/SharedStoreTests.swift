import Diagnostics
import Foundation
import ObjectGraph
import ObjectModel
import SQLiteDriver
import TestSupport
import Testing
import Values

@testable import SQLiteStore

/// Stores that Apple's framework wrote: each with the source of its model, or with the model that it keeps of itself.
@Suite(.enabled(if: Shared.isThere, Shared.comment)) struct SharedStoreTests {
  struct Original {
    let url: URL
    let model: NSManagedObjectModel
    /// Whether the model is the one that the store keeps of itself.
    let isCached: Bool
  }

  /// The stores of the corpus whose model is known.
  static func stores() throws -> [Original] {
    let lines = try String(contentsOf: Shared.url("corpus/index.tsv"), encoding: .utf8).split(separator: "\n")
    return try lines.compactMap { line -> Original? in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count > 5, fields[1] == "store", !unreadable.contains(where: fields[0].contains) else { return nil }
      let url = try Shared.url("corpus/" + fields[0])
      if let model = fields[5].firstRange(of: "model=models/") {
        let path = "corpus/models/" + fields[5][model.upperBound...].prefix { $0 != ";" }
        return Original(url: url, model: try NSManagedObjectModel(contentsOf: Shared.url(path)), isCached: false)
      }
      if fields[5].contains("model=none") { return nil }
      return Original(url: url, model: try NSManagedObjectModel(cachedIn: url), isCached: true)
    }
  }

  /// A store whose table was made anew by hand in another tool, without the columns of subentities.
  static let unreadable = ["LPAR-development__Model.sqlite"]

  /// A copy with its write-ahead log, opened.
  static func open(_ original: Original, in folder: TemporaryFolder) throws -> SQLitePersistentStore {
    let url = folder.url.appendingPathComponent("copy.sqlite")
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: original.url.path + suffix) {
      try Data(contentsOf: URL(fileURLWithPath: original.url.path + suffix))
        .write(to: URL(fileURLWithPath: url.path + suffix))
    }
    return try SQLitePersistentStore.open(at: url, model: original.model)
  }

  /// Every store is opened where it is, its rows become values, and nothing in the folder changes.
  @Test func everyRowIsReadAndNothingTouched() throws {
    let folder = try Shared.url("corpus/stores")
    let before = try SharedModelCacheTests.contents(of: folder)
    var total = (stores: 0, cached: 0, rows: 0, links: 0)
    for original in try Self.stores() {
      let store = try SQLitePersistentStore.open(at: original.url, model: original.model, readOnly: true)
      let read = try read(store)
      total = (
        total.stores + 1, total.cached + (original.isCached ? 1 : 0), total.rows + read.rows, total.links + read.links
      )
      // What is wrong with some is of the hands that they went through: values taken out, rows cut. In one Core Data itself
      // has left Z_MAX behind.
      let wrong = Set(try store.findings().map(\.code))
      let hotel = original.url.path.contains("Hotel.app_CoreData") ? ["check.greatest-key"] : []
      #expect(wrong.isSubset(of: ["check.required", "check.reference"] + hotel), "\(original.url.path)")
    }
    #expect("\(total.stores) stores, \(total.cached) by their own models" == "64 stores, 34 by their own models")
    #expect(total.rows > 20_000 && total.links > 1000)
    #expect(try SharedModelCacheTests.contents(of: folder) == before)
  }

  @Test func newRowsDisturbNone() throws {
    for original in try Self.stores() {
      let folder = try TemporaryFolder()
      let store = try Self.open(original, in: folder)
      let before = try store.brokenInvariants()
      try extend(store)
      #expect(try Set(store.brokenInvariants()).isSubset(of: before), "\(original.url.path)")
    }
  }

  /// Reads all rows, and the links of their relationships.
  private func read(_ store: SQLitePersistentStore) throws -> (rows: Int, links: Int) {
    var (rows, links) = (0, 0)
    for table in store.schema.tables {
      let ids = try store.objectIDs(of: table.root, includingSubentities: true)
      let count = try store.connection.prepare("SELECT COUNT(*) FROM \(table.name)").firstInteger()
      #expect(try store.rows(for: ids).compactMap(\.self).count == count)
      rows += ids.count
      for (entity, ids) in Dictionary(grouping: ids, by: \.entity) {
        for relationship in entity.layout.toMany {
          links += try store.destinations(of: relationship, for: ids).map(\.count).reduce(0, +)
        }
      }
    }
    return (rows, links)
  }

  /// Adds a row of each entity, which leaves all others as they were.
  private func extend(_ store: SQLitePersistentStore) throws {
    let before = try store.dump().split(separator: "\n")
    var changes = StoreChanges()
    for entity in store.model.entities where !entity.isAbstract {
      let key = try store.reserveKeys(1, for: entity.rootEntity)
      changes.inserted.append(
        StoredRow(
          objectID: NSManagedObjectID(entity: entity, store: store, key: key, isTemporary: false), version: 1,
          attributes: entity.layout.attributes.map { _ in .null }, toOne: entity.layout.toOne.map { _ in nil }))
    }
    try store.save(changes)
    #expect(try store.rows(for: changes.inserted.map(\.objectID)).allSatisfy { $0 != nil })
    // But those of Z_PRIMARYKEY, of four columns, whose Z_MAX has been raised.
    let after = Set(try store.dump().split(separator: "\n"))
    #expect(
      before.filter { !after.contains($0) && $0.split(separator: "\t").count != 4 } == [], "\(store.url?.path ?? "")")
  }
}

extension Statement {
  func firstInteger() throws -> Int? { try step() ? Int(integer(0)) : nil }
}
