import Bytes
import Diagnostics
import Foundation
import ObjectModel
import SQLiteDriver
import TestSupport
import Testing

@testable import SQLiteStore

/// The models that stores keep of themselves, read with nothing left behind.
@Suite(.enabled(if: Shared.isThere, Shared.comment)) struct SharedModelCacheTests {
  /// The stores of the corpus.
  static func stores() throws -> [URL] {
    let lines = try String(contentsOf: Shared.url("corpus/index.tsv"), encoding: .utf8).split(separator: "\n")
    return try lines.compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      return fields.count > 1 && fields[1] == "store" ? try Shared.url("corpus/\(fields[0])") : nil
    }
  }

  @Test func everyCacheIsTheModelOfItsStore() throws {
    let folder = try Shared.url("corpus/stores")
    let before = try Self.contents(of: folder)
    var (read, without) = (0, 0)
    for store in try Self.stores() {
      do {
        let model = try NSManagedObjectModel(cachedIn: store)
        _ = try StoreSchema(model)
        read += 1
      } catch let error as Diagnostic {
        let reason = "as stores of systems before iOS 9 and OS X 10.11, and those that Gantry makes"
        #expect(error.message.hasSuffix(reason), "\(error)")
        without += 1
      }
    }
    #expect("\(read) with a model, \(without) without" == "62 with a model, 11 without")
    #expect(try Self.contents(of: folder) == before)
  }

  /// The names, sizes and times of the files in a folder.
  static func contents(of folder: URL) throws -> [String: FileIdentity?] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return Dictionary(paths.map { ($0, FileIdentity(path: folder.path + "/" + $0)) }) { first, _ in first }
  }
}

@Suite struct ModelCacheTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  static let broken: [Case<String, String>] = [
    Case("no table", "", "keeps no model of itself"),
    Case("no row", "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)", "keeps no model of itself"),
    Case(
      "another column", "CREATE TABLE Z_MODELCACHE (Z_OTHER BLOB); INSERT INTO Z_MODELCACHE VALUES (x'00')",
      "keeps no model of itself"),
    Case(
      "no compressed data",
      "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB); INSERT INTO Z_MODELCACHE VALUES (x'FFFFFF')",
      "is no DEFLATE data"),
    Case(
      "no archive",
      "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB); INSERT INTO Z_MODELCACHE VALUES (x'4B4C4A0600')",
      "the compiled model cannot be read: expected a property list, found other bytes"),
  ]
  @Test(arguments: broken) func aCacheThatDoesNotServe(_ c: Case<String, String>) throws {
    let url = folder.url.appendingPathComponent("a.sqlite")
    let entity = NSEntityDescription()
    entity.name = "A"
    let model = NSManagedObjectModel()
    model.entities = [entity]
    try SQLitePersistentStore.create(at: url, model: model).finish()
    try Connection(url.path, .readWrite).execute(c.input)
    let error = #expect(throws: Diagnostic.self) { try NSManagedObjectModel(cachedIn: url) }
    #expect(error?.message.contains(c.expected) == true, "\(error?.description ?? "")")
    #expect(error?.code.fate == .store)
  }

  @Test func aStoreThatIsNone() throws {
    let text = try folder.write("not a store", to: "a.txt")
    #expect(throws: Diagnostic.self) { try NSManagedObjectModel(cachedIn: URL(fileURLWithPath: text)) }
    let missing = #expect(throws: Diagnostic.self) {
      try NSManagedObjectModel(cachedIn: folder.url.appendingPathComponent("no.sqlite"))
    }
    #expect(missing?.code.name == "store.missing")
  }
}
