import Bytes
import Diagnostics
import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import SQLiteStore

/// The SQL of every model of the corpus, beside that of an independent program.
@Suite(.enabled(if: Shared.isThere, Shared.comment), .enabled(if: Reference.isThere, "skipped: no python3"))
struct SharedSchemaTests {
  @Test func sqlEqualsTheReference() throws {
    let models = try Reference.models()
    #expect(models.count > 300)
    let expected = try Reference.sql(of: models)
    var compared = 0
    for (model, expected) in zip(models, expected) {
      let read = try NSManagedObjectModel(contentsOf: model)
      let schema = try StoreSchema(read)
      compared += 1
      #expect(schema.ddl() == expected.statements, "\(model.path)")
      let rows = schema.primaryKeyRows.map { "(\($0.number), '\($0.name)', \($0.superNumber))" }
      #expect(rows == expected.primaryKeys, "\(model.path)")
    }
    #expect(compared == models.count)
  }

  /// Compiled models, of apps and of the caches of stores.
  @Test func sqlOfCompiledModelsEqualsTheReference() throws {
    let files = try Reference.files(["corpus/models", "corpus/metadata"], endings: [".mom", ".modelcache.plist"])
    let dumps = try Reference.files(["corpus/schema-dumps"], endings: [".modelcache"])
    let models = (files + dumps).filter { !Self.unreadable.contains($0.lastPathComponent) }
    let expected = try Reference.sql(of: models)
    for (url, expected) in zip(models, expected) {
      var archive = try Data(contentsOf: url)
      if url.pathExtension == "modelcache" { archive = Data(try #require(Deflate.decompress(Array(archive)))) }
      let schema = try StoreSchema(NSManagedObjectModel(archive: archive, file: url.path))
      #expect(schema.ddl() == expected.statements, "\(url.path)")
      let rows = schema.primaryKeyRows.map { "(\($0.number), '\($0.name)', \($0.superNumber))" }
      #expect(rows == expected.primaryKeys, "\(url.path)")
    }
    #expect("\(models.count) of \(files.count + dumps.count)" == "128 of 130")
    #expect(models.count == expected.count)
  }

  /// Written by another program than Apple's, as XML; and cut short.
  private static let unreadable = [
    "EmployeeDirectory.mom", "0d609c54856a9bb2d56729df1d68f2958a88426b.modelcache.plist",
  ]
}

/// The reference in Python.
enum Reference {
  static var isThere: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/python3") }

  /// The sources of models.
  static func models() throws -> [URL] {
    try files(["corpus/models", "corpus/vectors", "cases"], endings: ["/contents"])
  }

  /// The files of folders whose paths end so.
  static func files(_ folders: [String], endings: [String]) throws -> [URL] {
    try folders.flatMap { folder in
      let root = try Shared.url(folder)
      return try FileManager.default.subpathsOfDirectory(atPath: root.path)
        .filter { path in endings.contains { path.hasSuffix($0) } }
        .sorted()
        .map { root.appendingPathComponent($0) }
    }
  }

  /// The statements and `Z_PRIMARYKEY` rows for each model; one process, as it is started slowly.
  static func sql(of models: [URL]) throws -> [(statements: [String], primaryKeys: [String])] {
    let script = """
      import sys, io, contextlib, json
      sys.path.insert(0, sys.argv[1])
      import ddl
      for path in sys.stdin.read().splitlines():
          load = ddl.load_model
          if path.endswith('.modelcache'): load = lambda p: ddl.from_modelcache(open(p, 'rb').read())
          model = ddl.generate(load(path))
          statements = [s for part in (model.tables, model.indexes, model.rtree, model.triggers) for _, s in part]
          print(json.dumps([statements + [s for _, s in ddl.FIXED], [str(row) for row in model.pk]]))
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", script, try Shared.url("spec").path]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let paths = models.map(\.path).joined(separator: "\n")
    Thread.detachNewThread {
      input.fileHandleForWriting.write(Data(paths.utf8))
      try? input.fileHandleForWriting.close()
    }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return try data.split(separator: UInt8(ascii: "\n")).map { line in
      let parts = try JSONDecoder().decode([[String]].self, from: line)
      return (parts[0], parts[1])
    }
  }
}
