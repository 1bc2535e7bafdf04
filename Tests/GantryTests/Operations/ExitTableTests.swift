import Bytes
import Foundation
import SQLiteDriver
import TestSupport
import Testing

/// Each line of the table of exit codes, provoked in a folder of its own.
struct ExitTableTests {
  /// What a run is expected to end with.
  struct End: Sendable {
    var status: Int32
    /// What standard error must hold.
    var says: [String]
    var hasStore = false
  }

  /// What is run, in a folder that has been prepared.
  struct Run: Sendable {
    var words: [String]
    var files: [String: String] = [:]

    init(_ words: String..., files: [String: String] = [:]) {
      self.words = words
      self.files = files
    }
  }

  static let header = "code,name,count\n"

  static let table: [Case<Run, End>] = [
    // 0
    Case(
      "all rows", Run("a.csv", files: ["a.csv": header + "1,a,1\n"]), End(status: 0, says: ["1 new"], hasStore: true)),
    Case(
      "a header alone", Run("a.csv", files: ["a.csv": header]), End(status: 0, says: ["a        0"], hasStore: true)),
    Case(
      "nothing, if that is allowed", Run("a.csv", "--allow-empty", files: ["a.csv": ""]),
      End(status: 0, says: ["a        0"], hasStore: true)),
    // 1
    Case(
      "a ragged last row", Run("a.csv", files: ["a.csv": header + "1,a,1\n2,b"]),
      End(status: 1, says: ["a.csv:3: expected 3 fields, found 2 [csv.field-count]", "a.rejected.csv"], hasStore: true)),
    Case(
      "an unterminated quote", Run("a.csv", files: ["a.csv": header + "1,a,1\n2,\"b,2\n"]),
      End(status: 1, says: ["a.csv:3", "[csv.unterminated-quote]"], hasStore: true)),
    Case(
      "a bad value", Run("a.csv", files: ["a.csv": header + "1,a,1\n2,b,many\n"]),
      End(status: 1, says: ["a.csv:3:3", "[convert."], hasStore: true)),
    // 2
    Case("no words", Run(), End(status: 2, says: ["nothing to import [usage]"])),
    Case(
      "an unknown option", Run("a.csv", "--chunks", "3", files: ["a.csv": header]),
      End(status: 2, says: ["unknown option --chunks [usage.option]", "Did you mean --chunk?"])),
    Case(
      "an unmatched column", Run("a.csv", files: ["a.csv": "code,name,colour\n1,a,b\n"]),
      End(status: 2, says: ["colour"])),
    Case(
      "a required attribute without a column", Run("a.csv", files: ["a.csv": "code,count\n1,1\n"]),
      End(status: 2, says: ["name"])),
    Case(
      "an unknown form of file", Run("a.dat", files: ["a.dat": header]), End(status: 2, says: ["a.dat", "[usage]"])),
    Case(
      "a pipeline that is no JSON5", Run("p.json5", files: ["p.json5": "{\n  model: ,\n}"]),
      End(status: 2, says: ["p.json5:2:10", "[pipeline.syntax]"])),
    // 3
    Case("a missing file", Run("a.csv"), End(status: 3, says: ["a.csv: there is no such file [input.missing]"])),
    Case("a folder", Run("Item.xcdatamodel"), End(status: 3, says: ["found a folder [input.folder]"])),
    Case("0 bytes", Run("a.csv", files: ["a.csv": ""]), End(status: 3, says: ["found 0 bytes [input.empty]"])),
    Case(
      "XML cut short",
      Run("a.xml", "--record", "items/item", files: ["a.xml": String(ItemFolder.xml(1...9).dropLast(12))]),
      End(status: 3, says: ["a.xml:", "[xml."])),
    Case(
      "malformed XML", Run("a.xml", "--record", "items/item", files: ["a.xml": "<items><item></items>"]),
      End(status: 3, says: ["a.xml:1", "[xml."])),
    // 4
    Case(
      "too many rejects", Run("a.csv", "--skip-limit", "1", files: ["a.csv": header + "1,a,x\n2,b,x\n3,c,3\n"]),
      End(status: 4, says: ["2 records rejected, the skip limit is 1 [run.skip-limit]", "was not made", "a.csv:2:3"])),
    // 6
    Case(
      "a missing model", Run("a.csv", "--model", "No.xcdatamodel", files: ["a.csv": header]),
      End(status: 6, says: ["No.xcdatamodel", "[model."])),
    Case(
      "an unknown type",
      Run(
        "a.csv", "--model", "Bad.xcdatamodel",
        files: [
          "a.csv": header,
          "Bad.xcdatamodel/contents":
            "<model><entity name='Item'><attribute name='code' attributeType='Integer 65'/></entity></model>",
        ]), End(status: 6, says: ["Integer 65", "[model."])),
    Case(
      "no such entity", Run("a.csv", "--entity", "Itm", files: ["a.csv": header]),
      End(status: 6, says: ["no entity Itm [step.entity]", "Did you mean Item?"])),
    Case(
      "a store that is no database", Run("a.csv", files: ["a.csv": header, "items.sqlite": "a text of no database"]),
      End(status: 6, says: ["items.sqlite", "[store.not-sqlite]"], hasStore: true)),
    // 7
    Case(
      "a missing folder", Run("a.csv", "--store", "no/items.sqlite", files: ["a.csv": header]),
      End(status: 7, says: ["there is no folder no [environment.folder]"])),
    Case(
      "a file instead of a folder", Run("a.csv", "--store", "a.csv/items.sqlite", files: ["a.csv": header]),
      End(status: 7, says: ["[environment.folder]"])),
  ]

  @Test(arguments: table) func line(_ c: Case<Run, End>) throws {
    let folder = try ItemFolder()
    for (name, text) in c.input.files { try folder.write(text, to: name) }
    let run = try folder.run(["import"] + c.input.words + c.input.missingOptions)
    #expect(run.status == c.expected.status, "\(run.errors)")
    for text in c.expected.says { #expect(run.errors.contains(text), "\(run.errors)") }
    #expect(run.output.isEmpty)
    #expect(folder.hasStore == c.expected.hasStore)
    #expect(try folder.leftovers() == [])
    for (name, text) in c.input.files { #expect(try folder.text(name) == text) }
  }

  @Test func quietRunsSayNothingWhenAllIsWell() throws {
    let folder = try ItemFolder()
    try folder.csv(1...3)
    let good = try folder.import("items.csv", "--quiet")
    #expect(good.status == 0 && good.output.isEmpty && good.errors.isEmpty, "\(good.errors)")
    try folder.csv(4...6, bad: [5], to: "bad.csv")
    let rejects = try folder.import("bad.csv", "--quiet")
    #expect(rejects.status == 1 && rejects.errors.contains("bad.rejected.csv"))
    let failed = try folder.import("none.csv", "--quiet")
    #expect(failed.status == 3 && failed.errors.contains("[input.missing]"))
  }

  @Test func summaryAsJSONIsAllOfStandardOutput() throws {
    let folder = try ItemFolder()
    try folder.csv(1...3, bad: [2])
    let run = try folder.import("items.csv", "--json")
    let summary = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let step = try #require((summary["steps"] as? [[String: Any]])?.first)
    #expect(step["read"] as? Int == 3 && step["written"] as? Int == 2 && step["rejected"] as? Int == 1)
    #expect(!run.errors.contains("\u{1B}") && !run.errors.contains("\r"))
  }

  @Test func anotherRunHoldsTheLock() throws {
    let folder = try ItemFolder()
    try folder.csv(1...3)
    let lock = try FileLock(store: folder.path("items.sqlite"))
    let run = try folder.import("items.csv")
    #expect(run.status == 5 && run.errors.contains("another run holds the lock"), "\(run.errors)")
    #expect(run.errors.contains("[store.locked]"))
    #expect(!folder.hasStore)
    lock.release()
    #expect(try folder.import("items.csv").status == 0)
    #expect(try folder.leftovers() == [])
  }

  @Test func anotherProgramWritesTheStore() throws {
    let folder = try ItemFolder()
    try folder.csv(1...3)
    try folder.import("items.csv").expectDone()
    let other = try Connection(folder.path("items.sqlite"), .readWrite)
    try other.begin()
    try folder.csv(4...6)
    let run = try folder.import("items.csv")
    #expect(run.status == 5 && run.errors.contains("is in use by another program [store.busy]"), "\(run.errors)")
    try other.rollback()
    #expect(try folder.codes() == [1, 2, 3])
    try folder.import("items.csv").expectDone()
    #expect(try folder.codes() == Array(1...6))
  }

  @Test func storesThatDoNotServe() throws {
    let folder = try ItemFolder()
    try folder.csv(1...3)
    #expect(try folder.import("items.csv").status == 0)
    let before = try Data(contentsOf: folder.url.appendingPathComponent("items.sqlite"))
    try folder.write(ItemFolder.model(nameIsOptional: true), to: "Item.xcdatamodel/contents")
    let other = try folder.import("items.csv")
    #expect(other.status == 6 && other.errors.contains("changed: Item [store.incompatible-model]"), "\(other.errors)")
    #expect(try Data(contentsOf: folder.url.appendingPathComponent("items.sqlite")) == before)

    try folder.write(ItemFolder.model(nameIsOptional: false), to: "Item.xcdatamodel/contents")
    try folder.write(before.prefix(before.count / 2), to: "items.sqlite")
    let damaged = try folder.import("items.csv")
    #expect(damaged.status == 6 && damaged.errors.contains("[store.damaged]"), "\(damaged.errors)")

    try Data().write(to: folder.url.appendingPathComponent("items.sqlite"))
    let empty = try folder.import("items.csv")
    #expect(empty.status == 6 && empty.errors.contains("an empty file: "), "\(empty.errors)")
    #expect(try folder.leftovers() == [])
  }

  @Test func limitInStoreThatExists() throws {
    let folder = try ItemFolder()
    try folder.csv(1...5, to: "first.csv")
    #expect(try folder.import("first.csv").status == 0)
    try folder.csv(11...30, bad: [25])
    let run = try folder.import("items.csv", "--chunk", "10", "--skip-limit", "0")
    #expect(run.status == 4, "\(run.errors)")
    #expect(try folder.codes() == Array(1...5) + Array(11...20))
    #expect(try folder.leftovers() == [])
  }

  @Test func mendedRejectsAreImported() throws {
    let folder = try ItemFolder()
    try folder.csv(1...9, bad: [2, 5])
    #expect(try folder.import("items.csv").status == 1)
    let rejected = "items.sqlite.rejects/items.rejected.csv"
    let mended = try folder.text(rejected).replacing("many", with: "7")
    try folder.write(mended, to: rejected)
    let run = try folder.import(rejected)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try folder.rows("SELECT ZCODE, ZNAME, ZCOUNT FROM ZITEM WHERE ZCOUNT = 7 AND ZCODE <> 7") == [
        "2 item 2 7", "5 item 5 7",
      ])
    #expect(try folder.codes().sorted() == Array(1...9))
    #expect(try folder.text(rejected) == mended)
  }

  @Test func rejectsNeverReplaceTheInput() throws {
    let folder = try ItemFolder()
    try folder.csv(1...3, bad: [2], to: "items.sqlite.rejects/items.rejected.csv")
    let before = try folder.text("items.sqlite.rejects/items.rejected.csv")
    let run = try folder.import("items.sqlite.rejects/items.rejected.csv", "--name", "items")
    #expect(run.status == 2 && run.errors.contains("[run.rejects-are-input]"), "\(run.errors)")
    #expect(try folder.text("items.sqlite.rejects/items.rejected.csv") == before)
  }
}

extension ExitTableTests.Run {
  /// The options of items, but for those that the words give.
  var missingOptions: [String] {
    if words.isEmpty || words[0].hasSuffix(".json5") { return [] }
    return stride(from: 0, to: ItemFolder.options.count, by: 2).flatMap { index in
      words.contains(ItemFolder.options[index]) ? [] : Array(ItemFolder.options[index...index + 1])
    }
  }
}
