import Bytes
import Foundation
import TestSupport
import Testing

@testable import Gantry

/// `gantry inspect`.
struct InspectTests {
  let folder: TemporaryFolder
  let sample = ToolRun.project.appendingPathComponent("SampleData").path

  init() throws { folder = try TemporaryFolder() }

  private func talk(_ words: String...) -> Talk { Talk(words) }

  /// Makes a store of the sample contacts.
  private func store() throws -> String {
    let store = folder.path("contacts.sqlite")
    let run = Talk([
      "import", sample + "/contacts.csv", "--model", sample + "/Contacts.xcdatamodeld", "--entity", "Contatto",
      "--store",
      store,
    ])
    #expect(run.status == .done, "\(run.errors)")
    return store
  }

  private func json(_ talk: Talk) throws -> [String: Any] {
    #expect(talk.status == .done, "\(talk.errors)")
    return try #require(try JSONSerialization.jsonObject(with: Data(talk.output.utf8)) as? [String: Any])
  }

  @Test func aStore() throws {
    let store = try store()
    let run = talk("inspect", store, "--model", sample + "/Contacts.xcdatamodeld")
    let lines = run.output.split(separator: "\n").map(String.init)
    #expect(run.status == .done && run.errors.isEmpty)
    #expect(lines.first == "store: \(store)")
    #expect(lines.contains("journal: delete") && lines.contains("history: none") && lines.contains("CloudKit: none"))
    let hash = talk("model", "hash", sample + "/Contacts.xcdatamodeld").output.split(separator: "\n").first {
      $0.hasPrefix("Contatto\t")
    }
    #expect(lines.contains((hash ?? "").replacingOccurrences(of: "Contatto\t", with: "Contatto\t8\t")))
    let matches = lines.first { $0.hasPrefix("matches: ") }
    #expect(matches != nil && matches?.contains("none") == false)
  }

  @Test func asJSON() throws {
    let store = try store()
    let plain = try json(talk("inspect", store, "--json"))
    let entity = (plain["entities"] as? [String: [String: Any]])?["Contatto"]
    #expect(entity?["count"] as? Int == 8 && (entity?["hash"] as? String)?.count == 64)
    #expect(plain["frameworkVersion"] is Int && plain["uuid"] is String && plain["matches"] == nil)
    let fitting = try json(talk("inspect", store, "--json", "--model", sample + "/Contacts.xcdatamodeld"))
    #expect(fitting["matches"] is String && fitting["nearest"] == nil)
    let other = try json(talk("inspect", store, "--json", "--model", sample + "/Company.xcdatamodeld"))
    #expect(other["matches"] is NSNull)
    #expect(((other["nearest"] as? [String: Any])?["differing"] as? [String])?.contains("Contatto") == true)
  }

  @Test func aModel() throws {
    let run = talk("inspect", sample + "/Company.xcdatamodeld", "--model", sample + "/Company.xcdatamodeld")
    #expect(run.status == .done)
    #expect(run.output.contains("model: ") && run.output.contains("\nmatches: ") && !run.output.contains("journal"))
    let model = try json(talk("inspect", sample + "/Company.xcdatamodeld", "--json"))
    #expect(model["checksum"] is String && model["store"] == nil)
  }

  @Test func aModelOfSeveralVersions() throws {
    for version in ["V1", "V2", "V10"] {
      try folder.write(
        "<model><entity name=\"\(version)\"/></model>", to: "M.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    try folder.write(
      "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>V2.xcdatamodel</string></dict></plist>",
      to: "M.xcdatamodeld/.xccurrentversion")
    let path = folder.path("M.xcdatamodeld")
    #expect(talk("inspect", path).output.contains("\nversion: V2\nversions: V1, V2 (current), V10\n"))
    let first = try json(talk("inspect", path, "--model-version", "V1.xcdatamodel", "--json"))
    #expect(first["version"] as? String == "V1" && first["currentVersion"] as? String == "V2")
    #expect(first["versions"] as? [String] == ["V1", "V2", "V10"])
    #expect((first["entities"] as? [String: Any])?.keys.sorted() == ["V1"])
  }

  static let refused: [Case<String, String>] = [
    Case("nothing there", "no.sqlite", "there is no store PATH [store.missing]"),
    Case("no model there", "no.xcdatamodeld", "there is no model at PATH [model.missing]"),
    Case("a text", "a.txt", "expected an SQLite database, found another kind of file: PATH [store.not-sqlite]"),
    Case("an empty file", "empty.sqlite", "expected a Core Data store, found an empty file: PATH [store.empty]"),
    Case("a device", "device", "expected a model, found a pipe or a device: PATH [model.missing]"),
  ]
  @Test(arguments: refused) func whatIsNone(_ c: Case<String, String>) throws {
    try folder.write("this is a text and no database, whatever its name", to: "a.txt")
    if c.input == "empty.sqlite" { try folder.write(Data(), to: c.input) }
    if c.input == "device" { symlink("/dev/zero", folder.path(c.input)) }
    let path = folder.path(c.input)
    let run = talk("inspect", path)
    #expect(
      run.errors.split(separator: "\n").first.map(String.init) == "gantry: "
        + c.expected.replacingOccurrences(of: "PATH", with: path))
    #expect(run.status == .store)
  }

  @Test func operands() {
    #expect(
      talk("inspect").errors
        == "gantry: expected STORE|MODEL, found no operand [usage]\n  `gantry help inspect` says more.\n")
    #expect(talk("inspect", "a", "b").status == .usage)
  }
}

/// Stores that Apple's framework wrote.
@Suite(.enabled(if: Shared.isThere, Shared.comment)) struct SharedInspectTests {
  @Test func everyStoreIsInspected() throws {
    let root = try Shared.url("corpus")
    let lines = try String(contentsOf: root.appendingPathComponent("index.tsv"), encoding: .utf8).split(separator: "\n")
    let stores = lines.map { $0.split(separator: "\t") }.filter { $0.count > 1 && $0[1] == "store" }
    var rows = 0
    for store in stores {
      let path = root.appendingPathComponent(String(store[0])).path
      let run = Talk(["inspect", path, "--json"])
      #expect(run.status == .done, "\(path): \(run.errors)")
      let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
      let entities = try #require(report["entities"] as? [String: [String: Any]])
      #expect(entities.values.allSatisfy { $0["hash"] is String && $0["count"] is Int }, "\(path)")
      rows += entities.values.reduce(0) { $0 + ($1["count"] as? Int ?? 0) }
    }
    #expect(stores.count == 73)
    // As plain SQL counts them.
    #expect(rows == 26754)
  }

  /// A store that keeps its model is read, and extended, without the model's source.
  @Test func aStoreServesAsItsModel() throws {
    let folder = try TemporaryFolder()
    let original = try Shared.url("corpus/stores/MatthewHunt84__MetaCocktailsSwiftData/PreloadedCocktails.store")
    let store = folder.path("cocktails.store")
    try FileManager.default.copyItem(atPath: original.path, toPath: store)
    #expect(
      Talk(["model", "hash", store]).output.contains(
        "Garnish\t76a9959e90e79ed17b32a980a29e5368b953c5b7e7fd4073cfe063e316d44cc5"))
    let file = try folder.write("name\nAn olive of our own\n", to: "garnishes.csv")
    let run = Talk(["import", file, "--model", store, "--entity", "Garnish", "--store", store])
    #expect(run.status == .done, "\(run.errors)")
    #expect(Talk(["inspect", store, "--model", store]).output.contains("Garnish\t79\t"))
  }
}
