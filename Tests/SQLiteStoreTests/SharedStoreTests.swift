import Diagnostics
import Foundation
import ObjectGraph
import ObjectModel
import SQLiteDriver
import TestSupport
import Testing
import Values

@testable import SQLiteStore

/// Stores that Apple's framework wrote, with the sources of their models.
@Suite(.enabled(if: Shared.isThere, Shared.comment)) struct SharedStoreTests {
  /// The stores of the corpus whose model has a source.
  static func stores() throws -> [(store: URL, model: URL)] {
    let lines = try String(contentsOf: Shared.url("corpus/index.tsv"), encoding: .utf8).split(separator: "\n")
    return try lines.compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count > 5, fields[1] == "store", let model = fields[5].firstRange(of: "model=models/") else {
        return nil
      }
      let path = "corpus/models/" + fields[5][model.upperBound...].prefix { !$0.isWhitespace && $0 != ";" }
      guard path.hasSuffix("contents") else { return nil }
      return (try Shared.url("corpus/" + fields[0]), try Shared.url(path))
    }
  }

  /// A copy with its write-ahead log, opened.
  static func open(_ original: URL, _ source: URL, in folder: TemporaryFolder) throws -> SQLitePersistentStore {
    let url = folder.url.appendingPathComponent("copy.sqlite")
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: original.path + suffix) {
      try FileManager.default.copyItem(atPath: original.path + suffix, toPath: url.path + suffix)
    }
    return try SQLitePersistentStore.open(at: url, model: NSManagedObjectModel(contentsOf: source))
  }

  @Test func everyRowIsReadAndNewOnesDisturbNone() throws {
    var total = (stores: 0, rows: 0, links: 0)
    for (original, source) in try Self.stores() {
      let folder = try TemporaryFolder()
      let store = try Self.open(original, source, in: folder)
      let read = try read(store)
      total = (total.stores + 1, total.rows + read.rows, total.links + read.links)
      try extend(store)
      #expect(try store.brokenInvariants() == [], "\(original.path)")
    }
    #expect(total.stores == 24)
    #expect(total.rows > 2000 && total.links > 100)
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
