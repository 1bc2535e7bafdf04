import Bytes
import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import ObjectModel

/// Model files of many public projects, and hashes that Apple's tools computed for some of them.
@Suite(.enabled(if: Shared.isThere, Shared.comment)) struct SharedModelTests {
  @Test func everyModelFileIsRead() throws {
    var count = 0
    for folder in ["corpus/models", "corpus/vectors", "cases"] {
      let root = try Shared.url(folder)
      for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) where path.hasSuffix("/contents") {
        let model = try NSManagedObjectModel(contentsOf: root.appendingPathComponent(path))
        #expect(!model.entitiesByName.isEmpty || path.contains("__"), "\(path)")
        if !path.contains("E02/") { #expect(model.warnings.map(\.description) == [], "\(path)") }
        count += 1
      }
    }
    #expect(count > 300)
  }

  @Test func oldAndOptimisedFormsAreRefused() throws {
    var count = 0
    let root = try Shared.url("corpus/models")
    for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) {
      var url = root.appendingPathComponent(path)
      if path.hasSuffix("/elements") {
        url.deleteLastPathComponent()
      } else if !path.hasSuffix(".omo") {
        continue
      }
      let error = #expect(throws: Diagnostic.self, "\(path)") { try NSManagedObjectModel(contentsOf: url) }
      #expect(error?.code == .modelBinary, "\(path)")
      count += 1
    }
    #expect(count == 9)
  }

  @Test func everyHashIsTheOneOfApplesTools() throws {
    var models: [String: NSManagedObjectModel] = [:]
    var count = 0
    let vectors = try String(contentsOf: Shared.url("corpus/vectors.tsv"), encoding: .utf8)
    for line in vectors.split(separator: "\n") where !line.hasPrefix("#") {
      let fields = line.split(separator: "\t").map(String.init)
      let path = fields[0]
      let model = try models[path] ?? NSManagedObjectModel(contentsOf: Shared.url("corpus/vectors/\(path)"))
      models[path] = model
      #expect(model.entitiesByName[fields[1]].map { Hex.encode($0.versionHash) } == fields[2], "\(path) \(fields[1])")
      count += 1
    }
    #expect(count > 200)
  }

  @Test func aRenamingUnderTheWrongKeyIsNotPassedOver() throws {
    let model = try NSManagedObjectModel(contentsOf: Shared.url("cases/E02/Model.xcdatamodeld"))
    #expect(model.warnings.count == 1)
    #expect(model.warnings.first?.code == .modelUnknownKey)
    #expect(model.warnings.first?.message.contains("entity Task, attribute frequencyDays") == true)
  }
}

/// The models that the project itself brings.
@Suite struct OwnModelTests {
  @Test func noneHasAWarning() throws {
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    for root in [tests, tests.deletingLastPathComponent().appendingPathComponent("SampleData")] {
      for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) where path.hasSuffix("/contents") {
        let model = try NSManagedObjectModel(contentsOf: root.appendingPathComponent(path))
        #expect(model.warnings.map(\.description) == [], "\(path)")
      }
    }
  }
}
