import Diagnostics
import Foundation
import ObjectGraph
import ObjectModel
import Predicates
import SQLiteDriver
import SQLiteStore
import TestSupport
import Testing

@testable import Gantry

/// Each pipeline is an example and a test.
struct PipelinesTests {
  static let names = (try? ProjectCopy.pipelines()) ?? []

  @Test func thereAreSome() { #expect(Self.names.count >= 7) }

  /// A pipeline that is written is read as the same.
  @Test(arguments: names)
  func roundTrip(_ name: String) throws {
    let pipeline = try PipelineFile.read(ToolRun.project.appendingPathComponent("Pipelines/\(name)").path)
    let text = String(decoding: try JSONEncoder().encode(pipeline), as: UTF8.self)
    #expect(try PipelineFile.decode(text, file: name) == pipeline)
  }

  @Test(arguments: names)
  func imports(_ name: String) throws {
    let made = try Made(name)
    #expect(made.run.status == 0, "\(made.run.errors)")
    #expect(made.run.output.isEmpty)
    #expect(try rows("PRAGMA integrity_check", in: made.store) == ["ok"])
    // Nothing is left beside the store.
    let left = try FileManager.default.contentsOfDirectory(atPath: made.project.url("Pipelines").path)
    #expect(
      Set(left) == Set(try ProjectCopy.pipelines() + ["README.md", URL(fileURLWithPath: made.store).lastPathComponent]))
  }

  /// A second run of the pipelines that update finds every object as the first left it.
  @Test(arguments: names)
  func runsAgain(_ name: String) throws {
    let made = try Made(name)
    guard made.pipeline.steps.allSatisfy({ $0.conflictRule == .update }) else { return }
    let before = try SQLitePersistentStore.dump(Connection(made.store, .readOnly))
    let again = try ToolRun(["import", "Pipelines/\(name)"], in: made.project.folder.url)
    #expect(again.status == 0, "\(again.errors)")
    #expect(try SQLitePersistentStore.dump(Connection(made.store, .readOnly)) == before)
  }

  /// The number of an enum's case finds what stands by its name in the file.
  @Test func fetchesByTheNumberOfACase() throws {
    let made = try Made("Services.json5")
    let model = try NSManagedObjectModel(contentsOf: URL(fileURLWithPath: try made.contents()))
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    coordinator.add(try SQLitePersistentStore.open(at: URL(fileURLWithPath: made.store), model: model, readOnly: true))
    let request = NSFetchRequest<NSManagedObject>(entityName: "Service")
    request.predicate = NSPredicate(format: "serviceType == %d", 1)
    let context = NSManagedObjectContext(coordinator: coordinator)
    #expect(try context.fetch(request).map { $0.value(forKey: "account") as? String } == ["@ada"])
  }

  /// The same contacts from three formats: equal stores but for their UUIDs, which the dump leaves out.
  @Test func threeFormatsOneStore() throws {
    let made = try ["Contacts-txt", "Contacts-csv", "Contacts-xml"].map { try Made("\($0).json5") }
    let dumps = try made.map { try SQLitePersistentStore.dump(Connection($0.store, .readOnly)) }
    #expect(dumps[0].contains("ZCONTATTO"))
    #expect(dumps[0] == dumps[1] && dumps[1] == dumps[2])
  }

  @Test(.enabled(if: Shared.isThere && ToolRun.hasPython, Shared.comment), arguments: names)
  func storesAreAsThePublishedFormatSays(_ name: String) throws {
    let made = try Made(name)
    let contents = try made.contents()
    let compared = try ToolRun.python([Shared.url("spec/ddl.py").path, "cmp", made.store, contents])
    #expect(compared.status == 0 && compared.output.contains("'exact': True"), "\(compared.output)\(compared.errors)")
    #expect(compared.output.contains("'pk_ok': True, 'order_ok': True"), "\(compared.output)")

    let script = """
      import plistlib, sqlite3, sys
      plist = plistlib.loads(sqlite3.connect(sys.argv[1]).execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()[0])
      for name, value in sorted(plist["NSStoreModelVersionHashes"].items()): print(value.hex(), name)
      print("digest  ", plist["NSStoreModelVersionHashesDigest"])
      print("checksum", plist["NSStoreModelVersionChecksumKey"])
      """
    let stored = try ToolRun.python(["-c", script, made.store])
    let computed = try ToolRun.python([Shared.url("spec/version_hash.py").path, "hash", contents])
    #expect(
      stored.status == 0 && stored.output == computed.output, "\(stored.output)\(computed.output)\(stored.errors)")
  }

  /// A pipeline that was run in a copy of the project.
  private final class Made {
    let project: ProjectCopy
    let pipeline: Pipeline
    let run: ToolRun
    let store: String

    init(_ name: String) throws {
      project = try ProjectCopy()
      pipeline = try PipelineFile.read(project.url("Pipelines/\(name)").path)
      store = project.url("Pipelines/\(pipeline.store)").path
      run = try ToolRun(["import", "Pipelines/\(name)"], in: project.folder.url)
    }

    /// The file of the model's current version.
    func contents() throws -> String {
      let model = project.url("Pipelines").appendingPathComponent(pipeline.model).standardizedFileURL
      let version = try #require(try ModelPackage(model)).currentVersion()
      return model.appendingPathComponent("\(version).xcdatamodel/contents").path
    }
  }
}
