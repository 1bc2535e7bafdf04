import Foundation
import TestSupport
import Testing

/// Runs that go on where an earlier one ended. The skip limit ends the first at a known record; it is no part of what tells
/// pipelines apart.
struct ResumeTests {
  private func folder() throws -> ItemFolder {
    let folder = try ItemFolder()
    try folder.csv([0], to: "first.csv")
    try folder.import("first.csv").expectDone()
    return folder
  }

  @Test func changedInputIsRefused() throws {
    let folder = try folder()
    try folder.csv(1...40, bad: [5, 35])
    let words = ["import", "items.csv", "--chunk", "10"] + ItemFolder.options
    #expect(try folder.run(words + ["--skip-limit", "1"]).status == 4)
    #expect(try folder.codes() == Array(0...30).filter { $0 != 5 })

    try folder.csv(1...40, bad: [5])
    let changed = try folder.run(words)
    #expect(changed.status == 2 && changed.errors.contains("[run.input-changed]"), "\(changed.errors)")
    #expect(changed.errors.contains("has committed 30 records") && changed.errors.contains("--restart"))
    #expect(try folder.codes().count == 30)

    let restarted = try folder.run(words + ["--restart", "--key", "code", "--on-conflict", "skip"])
    #expect(restarted.status == 1, "\(restarted.errors)")
    #expect(try folder.codes().sorted() == Array(0...40).filter { $0 != 5 })
  }

  /// A mended pipeline would bring the records a second time that the first has committed.
  @Test func changedPipelineIsRefused() throws {
    let folder = try folder()
    try folder.csv(1...40, bad: [35])
    let words = ["import", "items.csv", "--chunk", "10"] + ItemFolder.options
    #expect(try folder.run(words + ["--skip-limit", "0"]).status == 4)
    let changed = try folder.run(words + ["--nulls", "many"])
    #expect(changed.status == 2 && changed.errors.contains("[run.pipeline-changed]"), "\(changed.errors)")
    #expect(changed.errors.contains("has committed records of items.csv to Item"))
    // Other files do not concern it.
    try folder.csv(101...103, to: "others.csv")
    try folder.import("others.csv").expectDone()
    try folder.run(words + ["--nulls", "many", "--restart", "--key", "code", "--on-conflict", "update"]).expectDone()
    #expect(try folder.codes().sorted() == Array(0...40) + Array(101...103))
    // Nothing is left of the first.
    try folder.run(words + ["--key", "code", "--on-conflict", "skip", "--nulls", "many"]).expectDone()
    #expect(try !folder.dump().contains("GantryCheckpoints"))
  }

  @Test func restartBeginsAnew() throws {
    let folder = try folder()
    try folder.csv(1...40, bad: [35])
    let words = ["import", "items.csv", "--chunk", "10", "--key", "code", "--on-conflict", "skip"] + ItemFolder.options
    #expect(try folder.run(words + ["--skip-limit", "0"]).status == 4)
    let run = try folder.run(words + ["--restart", "--json"])
    #expect(run.status == 1 && !run.errors.contains("run.resuming"), "\(run.errors)")
    #expect(run.output.contains("\"filtered\" : 30") && run.output.contains("\"read\" : 40"), "\(run.output)")
  }

  static let steps = """
    {
      model: "Item.xcdatamodel", store: "items.sqlite",
      steps: [
        { name: "one", read: { csv: "one.csv" }, entity: "Item", ignore: ["parent"] },
        { name: "two", read: { csv: "two.csv" }, entity: "Item", key: ["code"], onConflict: "CONFLICT",
          relationships: { parent: { column: "parent", by: "code" } } },
        { name: "parts", read: { csv: "parts.csv" },
          link: { entity: "Item", relationship: "parts", from: { column: "of", by: "code" },
                  to: { column: "part", by: "code" }, order: "place" } },
      ],
      chunk: 5, skipLimit: LIMIT,
    }
    """

  /// Three steps, of which the second has two passes; each run may refuse one record more than the one before, so that every
  /// pass is left in its middle and gone on with.
  @Test(arguments: ["update", "skip", "fail"]) func laterStepsAndPasses(conflict: String) throws {
    func make() throws -> ItemFolder {
      let folder = try self.folder()
      try folder.csv(1...20, bad: [9, 17], to: "one.csv")
      // 7 to 12 are there; 33 is bad in itself, 28 and 39 name nobody.
      let two =
        (7...12).map { "\($0),changed,\($0 + 1)\n" }
        + (30...42).map { code in
          "\(code),\(code == 33 ? "" : "new"),\(code == 32 || code == 40 ? 99 : 71 - code)\n"
        }
      try folder.write("code,name,parent\n" + two.joined(), to: "two.csv")
      let parts = (1...24).map { "\($0 % 3 + 1),\($0 == 8 || $0 == 23 ? 98 : 41 - $0 % 11),\($0 * 7 % 25)\n" }
      try folder.write("of,part,place\n" + parts.joined(), to: "parts.csv")
      return folder
    }
    let pipeline = Self.steps.replacing("CONFLICT", with: conflict)
    let calm = try make()
    try calm.write(pipeline.replacing("LIMIT", with: "'none'"), to: "p.json5")
    let undisturbed = try calm.run(["import", "p.json5", "--json"])
    #expect(undisturbed.status == 1, "\(undisturbed.errors)")

    let folder = try make()
    var stops = 0
    var last: ToolRun?
    for limit in 0...40 {
      try folder.write(pipeline.replacing("LIMIT", with: "\(limit)"), to: "p.json5")
      let run = try folder.run(["import", "p.json5", "--json"])
      last = run
      if run.status != 4 { break }
      stops += 1
    }
    #expect(last?.status == 1, "\(last?.errors ?? "")")
    #expect(stops > 1)
    #expect(try folder.dump() == calm.dump())
    #expect(try counts(last?.output) == counts(undisturbed.output))
    for name in ["one", "two", "two.links", "parts"] {
      let file = "items.sqlite.rejects/\(name).rejected.csv"
      #expect((try? folder.text(file)) == (try? calm.text(file)), "\(name)")
    }
  }

  /// An earlier step's input that is another by now: its records would be lost.
  @Test func changedInputOfEarlierStep() throws {
    let folder = try folder()
    try folder.csv(1...8, to: "one.csv")
    try folder.csv(11...30, bad: [28], to: "two.csv")
    let pipeline = """
      { model: "Item.xcdatamodel", store: "items.sqlite", chunk: 5, skipLimit: LIMIT, steps: [
        { read: { csv: "one.csv" }, entity: "Item" }, { read: { csv: "two.csv" }, entity: "Item" } ] }
      """
    try folder.write(pipeline.replacing("LIMIT", with: "0"), to: "p.json5")
    #expect(try folder.run(["import", "p.json5"]).status == 4)
    try folder.csv(1...9, to: "one.csv")
    let run = try folder.run(["import", "p.json5"])
    #expect(run.status == 2 && run.errors.contains("one.csv is not the input of which"), "\(run.errors)")
  }

  @Test func sameFileTwice() throws {
    let folder = try folder()
    try folder.csv(1...30)
    let words = ["items.csv", "--key", "code", "--on-conflict", "update", "--chunk", "7"]
    try folder.run(["import"] + words + ItemFolder.options).expectDone()
    let before = try folder.dump()
    let again = try folder.run(["import"] + words + ItemFolder.options)
    again.expectDone()
    #expect(again.errors.contains("30 unchanged"))
    #expect(try folder.dump() == before)

    try folder.write(try folder.text("items.csv").replacing("item 12,", with: "another,"), to: "items.csv")
    let changed = try folder.run(["import"] + words + ItemFolder.options)
    #expect(changed.status == 0 && changed.errors.contains("1 changed, 29 unchanged"), "\(changed.errors)")
    #expect(try folder.rows("SELECT ZCODE, ZNAME FROM ZITEM WHERE Z_OPT <> 1") == ["12 another"])
  }

  /// The same rows in the same order, whatever the zone, the language and the size of chunks.
  @Test func sameStoreEachTime() throws {
    let folder = try ItemFolder()
    try folder.csv([3, 1, 2, 7, 5])
    let scripts = ["", "TZ=Asia/Tokyo LC_ALL=C", "SWIFT_DETERMINISTIC_HASHING=1"]
    var dumps: Set<String> = []
    for (index, environment) in scripts.enumerated() {
      let store = "items\(index).sqlite"
      try folder.shell(
        "\(environment) $GANTRY import items.csv --model Item.xcdatamodel --entity Item --store \(store) --chunk \(index + 1)"
      ).expectDone()
      dumps.insert(try folder.dump(store))
      #expect(try folder.codes(of: store) == [3, 1, 2, 7, 5])
    }
    #expect(dumps.count == 1)
  }

  /// The sums of a summary in JSON, without times, commits and rollbacks, which differ.
  private func counts(_ output: String?) throws -> [String] {
    let summary = try JSONSerialization.jsonObject(with: Data((output ?? "").utf8)) as? [String: Any]
    let steps = summary?["steps"] as? [[String: Any]] ?? []
    return steps.map { step in
      let counts = step["counts"] as? [String: Int] ?? [:]
      let read = counts["readCount"] ?? 0
      let filtered = counts["filterCount"] ?? 0
      let written = step["written"] as? Int ?? 0
      let rejected = step["rejected"] as? Int ?? 0
      #expect(read == filtered + written + rejected, "\(step)")
      return "\(step["name"] ?? "") \(counts.sorted { $0.key < $1.key }.filter { $0.key != "rollbackCount" })"
    }
  }
}
