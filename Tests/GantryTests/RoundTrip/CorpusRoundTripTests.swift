import Diagnostics
import Foundation
import ObjectModel
import SQLiteStore
import TestSupport
import Testing

@testable import Gantry

/// Stores that Apple's framework wrote are exported, imported into a new store, and compared with it.
@Suite(.enabled(if: Shared.isThere, Shared.comment)) struct CorpusRoundTripTests {
  struct Original {
    let url: URL
    /// The path of the model: its source, or the store itself.
    let model: URL
  }

  /// The stores of the corpus whose model is known.
  static func originals() throws -> [Original] {
    let lines = try String(contentsOf: Shared.url("corpus/index.tsv"), encoding: .utf8).split(separator: "\n")
    return try lines.compactMap { line -> Original? in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      // A store whose table was made anew by hand in another tool, without the columns of subentities.
      guard fields.count > 5, fields[1] == "store", !fields[0].contains("LPAR-development__Model.sqlite"),
        !fields[5].contains("model=none")
      else { return nil }
      let url = try Shared.url("corpus/" + fields[0])
      guard let model = fields[5].firstRange(of: "model=models/") else { return Original(url: url, model: url) }
      return Original(
        url: url, model: try Shared.url("corpus/models/" + fields[5][model.upperBound...].prefix { $0 != ";" }))
    }
  }

  /// What became of one store: `MISSING rows missing, SURPLUS made`, and what differs.
  static func outcome(_ original: Original, _ format: String) throws -> String {
    let folder = try TemporaryFolder()
    let target = folder.path("export")
    var talk = ""
    let console = Console(out: { _ in }, err: { talk += $0 })
    var words = ["export", original.url.path, target, "--format", format, "--quiet"]
    if original.model != original.url { words += ["--model", original.model.path] }
    guard Command.run(words, console: console) == .done else { return "export: " + talk }
    talk = ""
    let store = folder.path("new.sqlite")
    let status = Command.run(
      [
        "import", target + "/import.json5", "--store", store, "--id-map", folder.path("ids.csv"), "--skip-limit",
        "none",
      ],
      console: console)
    guard status == .done || status == .rejects else { return "import: " + talk }
    let model = try ModelOperand(original.model.path).model()
    let comparison = try StoreComparison(
      original.url, URL(fileURLWithPath: store), model, idMap: folder.url.appendingPathComponent("ids.csv"),
      in: folder.url)
    var lines = comparison.differences
    if comparison.surplus > 0 { lines.append("\(comparison.surplus) made of nothing") }
    if comparison.missing > 0 { lines.append("\(comparison.missing) rejected") }
    return lines.joined(separator: "; ")
  }

  /// How many rows the store's own model refuses: they have no value of an attribute that must have one, or lead nowhere.
  static let rejected: [String: Int] = [
    "Resources_store1-28": 23, "Resources_store2-101-0": 3, "Resources_store2-21-1": 3, "Resources_store2-3.": 5,
    "Resources_store2-30-0": 3, "Resources_store2-39-0": 3, "Resources_store2-5.": 22, "Resources_store2-7.": 3,
    "Resources_store2-71-0": 3, "Resources_store2-76-0": 3, "Resources_store2-80-0": 3, "Resources_store2-82-0": 3,
    "Resources_store2-92-0": 3, "Resources_store2-96-0": 3, "ios_Accounts3": 41, "ios_DataUsage": 14,
    "ios_RMAdminStore-Local": 435,
  ]

  /// Of the stores that one test cannot look at in a moment, those that have something of their own: links with and without an
  /// order, circles, subentities, files, composites, a log, and what is rejected. All of them with `GANTRY_EVERY_STORE`.
  static let chosen = [
    "BookMigration_Model1", "Fixtures_SampleModel2_V2", "MigrationsTests_Moody_5", "default.store__d755b5d6",
    "photosgraph.graphdb__534144c3", "store2-101-0", "ios_DataUsage",
  ]

  static func stores() throws -> [Original] {
    let all = try originals()
    if ProcessInfo.processInfo.environment["GANTRY_EVERY_STORE"] != nil { return all }
    return all.filter { original in chosen.contains { original.url.path.contains($0) } }
  }

  @Test(arguments: ["csv", "xml"]) func everyStoreComesBack(_ format: String) throws {
    let stores = try Self.stores()
    #expect(stores.count >= Self.chosen.count)
    for original in stores {
      let count = Self.rejected.first { original.url.path.contains($0.key) }?.value
      #expect(try Self.outcome(original, format) == (count.map { "\($0) rejected" } ?? ""), "\(original.url.path)")
    }
  }
}
