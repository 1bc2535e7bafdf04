import Foundation
import TestSupport
import Testing

/// Places at which no store, no reject file and no model can be: told before the first record.
struct StorePlaceTests {
  /// What is done to a folder with `items.csv` and a store `old.sqlite`, the words that are added, and how the run ends.
  static let places: [Case<(prepare: String, words: String), (status: Int32, says: String)>] = [
    Case(
      "a link to nothing", ("ln -s nowhere/x.sqlite items.sqlite", ""),
      (7, "items.sqlite is a link to a file that is not there [environment.file]")),
    Case("a folder", ("mkdir items.sqlite", ""), (6, "expected an SQLite database, found a folder")),
    Case("a pipe", ("mkfifo items.sqlite", ""), (6, "expected an SQLite database, found a pipe or a device")),
    Case("an empty file", (": > items.sqlite", ""), (6, "found an empty file")),
    Case("no name", ("", "--store ''"), (2, "the option store is empty [option.empty]")),
    Case(
      "a name without room", ("", "--store \(String(repeating: "n", count: 245))"),
      (7, "has 245 bytes, expected 244 at most [environment.file]")),
    Case(
      "a log without a store", ("echo x > items.sqlite-wal", ""),
      (6, "there is no store items.sqlite, but items.sqlite-wal, in which changes of one may stand [store.exists]")),
    Case("a journal without a store", ("echo x > items.sqlite-journal", ""), (6, "items.sqlite-journal, in which")),
    Case("no reject folder", ("", "--rejects ''"), (2, "the option rejects is empty [option.empty]")),
    Case(
      "a file for rejects", ("", "--rejects items.csv"),
      (7, "expected a folder, found a file: items.csv [environment.folder]")),
    Case(
      "a file above rejects", ("", "--rejects items.csv/a/b"),
      (7, "expected a folder, found a file: items.csv [environment.folder]")),
    Case(
      "a link to nothing for rejects", ("ln -s nowhere rejects", "--rejects rejects"),
      (7, "rejects is a link to a file that is not there [environment.file]")),
    Case(
      "a folder in the place of the reject file", ("mkdir -p items.sqlite.rejects/items.rejected.csv", ""),
      (7, "items.sqlite.rejects/items.rejected.csv is no file [environment.file]")),
    Case(
      "a long name of a step", ("", "--name \(String(repeating: "n", count: 232))"),
      (2, "has 232 bytes, expected 231 at most [step.property]")),
    Case(
      "a device for a model", ("", "--model /dev/zero"),
      (6, "expected a model, found a pipe or a device: /dev/zero [model.missing]")),
    Case(
      "a device in a model", ("mkdir M.xcdatamodel; ln -s /dev/zero M.xcdatamodel/contents", "--model M.xcdatamodel"),
      (6, "expected a model, found a pipe or a device: M.xcdatamodel/contents [model.missing]")),
  ]

  @Test(arguments: places.indices) func isToldFirst(_ index: Int) throws {
    let c = Self.places[index]
    let folder = try ItemFolder()
    try folder.csv(1...3)
    let given = ["--model", "--store"].filter { !c.input.words.contains($0) }
    let options = (given.map { "\($0) \($0 == "--model" ? "Item.xcdatamodel" : "items.sqlite")" } + ["--entity Item"])
      .joined(separator: " ")
    let run = try folder.shell("\(c.input.prepare)\n$GANTRY import items.csv \(options) \(c.input.words)")
    #expect(run.status == c.expected.status && run.errors.contains(c.expected.says), "\(c): \(run.errors)")
    // Not a record was read.
    #expect(!run.errors.contains("rows/s"), "\(c): \(run.errors)")
    let left = try folder.leftovers().filter { !["items.sqlite-wal", "items.sqlite-journal"].contains($0) }
    #expect(left == [], "\(c)")
  }

  /// A store that was not made has no rows.
  @Test func nothingIsWrittenToAStoreThatIsNotMade() throws {
    let folder = try ItemFolder()
    try folder.csv(1...40, bad: [35])
    let run = try folder.import("items.csv", "--chunk", "10", "--skip-limit", "0", "--json")
    #expect(run.status == 4 && !folder.hasStore, "\(run.errors)")
    #expect(run.output.contains("\"kept\" : false") && run.output.contains("\"written\" : 0"), "\(run.output)")
    #expect(run.output.contains("\"insertCount\" : 0"), "\(run.output)")
    let table = try folder.import("items.csv", "--chunk", "10", "--skip-limit", "0")
    #expect(table.errors.contains("30 taken back"), "\(table.errors)")
    #expect(table.errors.contains("was not made, nothing is written"), "\(table.errors)")
  }

  /// What an earlier run has refused does not pass for this one's.
  @Test func rejectsOfEarlierRun() throws {
    let folder = try ItemFolder()
    try folder.csv(1...3, bad: [2])
    #expect(try folder.import("items.csv").status == 1)
    let rejected = try folder.text("items.sqlite.rejects/items.rejected.csv")
    try folder.csv(11...13)
    try folder.import("items.csv").expectDone()
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("items.sqlite.rejects"))
        == ["items.rejected.1.csv"])
    #expect(try folder.text("items.sqlite.rejects/items.rejected.1.csv") == rejected)
  }

  /// Two processes, which hash by other seeds, make stores that differ in their UUIDs alone.
  @Test func equalBytes() throws {
    let folder = try ItemFolder()
    try folder.csv(1...500)
    var stores: [Data] = []
    for name in ["a.sqlite", "b.sqlite", "c.sqlite"] {
      try folder.run(["import", "items.csv", "--model", "Item.xcdatamodel", "--entity", "Item", "--store", name])
        .expectDone()
      let uuid = try #require(try folder.rows("SELECT Z_UUID FROM Z_METADATA", of: name).first)
      var bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path(name)))
      bytes.replaceSubrange(try #require(bytes.range(of: Data(uuid.utf8))), with: Data(count: uuid.utf8.count))
      stores.append(bytes)
    }
    #expect(Set(stores).count == 1)
  }
}
