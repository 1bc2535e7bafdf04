import Foundation
import ObjectGraph
import ObjectModel
import SQLiteDriver
import TestSupport
import Testing

@testable import Gantry

/// New objects go to the store as rows, or as objects where somebody has a say in them: both leave the same store.
struct DoorsTests {
  @Test(arguments: PipelinesTests.names)
  func samples(_ name: String) throws {
    let project = try ProjectCopy()
    try compare(project.url("Pipelines/\(name)"), project.folder)
  }

  @Test(.enabled(if: Shared.isThere, Shared.comment), arguments: RealImport.small)
  func realFiles(_ source: RealImport) throws {
    let folder = try source.folder()
    try compare(folder.url.appendingPathComponent(source.name + ".json5"), folder)
  }

  @Test(
    .enabled(
      if: Shared.isThere && ToolRun.releaseExecutable != nil,
      "skipped: GANTRY_RELEASE_TOOL names no release build: large files are for long runs"),
    arguments: RealImport.large)
  func largeFiles(_ source: RealImport) throws {
    let folder = try source.folder()
    try compare(folder.url.appendingPathComponent(source.name + ".json5"), folder)
  }

  /// Some of the samples need no objects; that they are made without is not left to belief.
  @Test func rowsAreTakenAsTheyAre() throws {
    let project = try ProjectCopy()
    let pipeline = project.url("Pipelines/Contacts-csv.json5")
    let (rows, objects) = (StatementCounter(), StatementCounter())
    _ = try dump(pipeline, withObjects: false, in: project.folder.url, rows)
    _ = try dump(pipeline, withObjects: true, in: project.folder.url, objects)
    #expect(rows.count(of: "INSERT") == 1)
    #expect(objects.count(of: "INSERT") > 1)
  }

  private func compare(_ pipeline: URL, _ folder: TemporaryFolder) throws {
    let rows = try dump(pipeline, withObjects: false, in: folder.url)
    let objects = try dump(pipeline, withObjects: true, in: folder.url)
    #expect(rows.count > 100)
    // The whole of two large stores says less than the first line that differs.
    let different = zip(rows.split(separator: "\n"), objects.split(separator: "\n")).first { $0 != $1 }
    #expect(rows == objects, "\(different.map { "\($0.0)\n\($0.1)" } ?? "one is longer")")
  }

  /// Runs a pipeline into a new store, and gives what is in it and what was rejected.
  private func dump(
    _ file: URL, withObjects: Bool, in folder: URL, _ counter: StatementCounter? = nil
  ) throws -> String {
    let pipeline = try PipelineFile.read(file.path)
    let base = file.deletingLastPathComponent()
    let model = try NSManagedObjectModel(
      contentsOf: base.appendingPathComponent(pipeline.model).standardizedFileURL, version: pipeline.version)
    if withObjects {
      // A class of its own has a say in the making of each object.
      for entity in model.entities { entity.managedObjectClassName = "ObjectOfItsOwn" }
      model.register(ObjectOfItsOwn.self)
    }
    let door = folder.appendingPathComponent(withObjects ? "objects" : "rows")
    try FileManager.default.createDirectory(at: door, withIntermediateDirectories: true)
    let store = try SQLitePersistentStore.create(at: door.appendingPathComponent("s.sqlite"), model: model)
    store.connection.counter = counter
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    coordinator.add(store)
    let rejects = door.appendingPathComponent("rejects").path
    let steps = try BatchRun(
      pipeline.steps, in: base.path, into: store, coordinator, pipeline.run, rejects: rejects, fingerprint: nil
    ).run()
    var lines = steps.map { "\($0.name): \($0.counts)" }
    for name in ((try? FileManager.default.contentsOfDirectory(atPath: rejects)) ?? []).sorted() {
      lines += [name, try String(contentsOfFile: "\(rejects)/\(name)", encoding: .utf8)]
    }
    return try store.dump() + lines.joined(separator: "\n")
  }
}

private final class ObjectOfItsOwn: NSManagedObject {}
