import Foundation
import TestSupport
import Testing

/// Inputs that are broken in the middle, or change while they are read, and a store that was there before.
struct BrokenInputTests {
  private func folder() throws -> ItemFolder {
    let folder = try ItemFolder()
    try folder.csv([0], to: "first.csv")
    try folder.import("first.csv").expectDone()
    return folder
  }

  static let broken = [
    Case("cut short", String(ItemFolder.xml(1...100).dropLast(30)), 99),
    Case("malformed", ItemFolder.xml(1...90) + "<rest/>", 90),
    Case("a wrong end", ItemFolder.xml(1...100).replacing("</items>", with: "</itmes>"), 100),
  ]
  static let words = ["--record", "items/item", "--chunk", "10"]

  @Test(arguments: broken, [false, true]) func nothingOfXML(_ c: Case<String, Int>, isPipe: Bool) throws {
    let folder = try folder()
    let before = try folder.dump()
    try folder.write(c.input, to: "items.xml")
    let file = isPipe ? "- --format xml < items.xml" : "items.xml"
    let run = try folder.shell("$GANTRY import $OPTIONS --record items/item --chunk 10 \(file)")
    #expect(run.status == 3 && run.errors.contains("[xml."), "\(run.errors)")
    #expect(try folder.dump() == before)
    #expect(try folder.leftovers() == [])
    let piped = try folder.shell(
      "cat items.xml | $GANTRY import $OPTIONS --record items/item --chunk 10 - --format xml")
    #expect(piped.status == 3)
    #expect(try folder.dump() == before)
    #expect(try folder.leftovers() == [])
  }

  @Test(arguments: broken) func partOfXMLIfAsked(_ c: Case<String, Int>) throws {
    let folder = try folder()
    try folder.write(c.input, to: "items.xml")
    let run = try folder.shell("$GANTRY import items.xml $OPTIONS --record items/item --chunk 10 --keep-partial")
    #expect(run.status == 3, "\(run.errors)")
    // All records before the place; the chunks are those of a good file.
    #expect(try folder.codes() == Array(0...c.expected))
  }

  @Test func wholeXML() throws {
    let folder = try folder()
    try folder.write(ItemFolder.xml(1...100), to: "items.xml")
    for script in ["items.xml", "- --format xml < items.xml"] {
      try folder.shell(
        "$GANTRY import $OPTIONS --record items/item --chunk 10 --key code --on-conflict update \(script)"
      ).expectDone()
      #expect(try folder.codes() == Array(0...100))
    }
    try folder.shell(
      "cat items.xml | $GANTRY import $OPTIONS --record items/item --key code --on-conflict update - --format xml"
    ).expectDone()
    #expect(try folder.rows("SELECT DISTINCT Z_OPT FROM ZITEM") == ["1"])
  }

  static let brokenText = [
    Case("gzip data cut short", "gzip -c items.csv | head -c 4000 > broken.csv", "cut short"),
    Case("bytes behind gzip data", "{ gzip -c items.csv; echo more; } > broken.csv", "behind the end of the gzip data"),
    Case(
      "half a character", "iconv -t utf-16 items.csv | head -c 40001 > broken.csv", "the text ends in half a character"),
  ]

  @Test(arguments: brokenText) func nothingOfText(_ c: Case<String, String>) throws {
    let folder = try folder()
    let before = try folder.dump()
    try folder.csv(1...2000)
    let run = try folder.shell("\(c.input); $GANTRY import broken.csv $OPTIONS --chunk 10")
    #expect(run.status == 3 && run.errors.contains(c.expected), "\(run.errors)")
    #expect(try folder.dump() == before)
    let partial = try folder.import("broken.csv", "--chunk", "10", "--keep-partial")
    #expect(partial.status == 3, "\(partial.errors)")
    let count = try folder.codes().count - 1
    #expect(count > 0 && partial.errors.contains("committed, and kept in the store: \(count) records of broken\n"))
    // The way back that the message and the README tell.
    try folder.csv(1...2000, to: "broken.csv")
    #expect(try folder.import("broken.csv", "--keep-partial").errors.contains("[run.input-changed]"))
    try folder.import("broken.csv", "--restart", "--key", "code", "--on-conflict", "update").expectDone()
    #expect(try folder.codes() == Array(0...2000))
    #expect(try !folder.dump().contains("GantryCheckpoints"))
  }

  /// A pipe cannot be read twice: what comes before the broken place stays, and the mended stream goes on behind it.
  @Test func brokenPipe() throws {
    let folder = try folder()
    try folder.csv(1...2000)
    let words = "$GANTRY import - --format csv $OPTIONS --chunk 10"
    let run = try folder.shell("gzip -c items.csv | head -c 4000 | \(words)")
    let count = try folder.codes().count - 1
    #expect(run.status == 3 && run.errors.contains("\(count) records of stdin\n"), "\(run.errors)")
    let mended = try folder.shell("gzip -c items.csv | \(words)")
    #expect(mended.status == 0 && mended.errors.contains("going on behind record \(count)"), "\(mended.errors)")
    #expect(try folder.codes() == Array(0...2000))
  }

  /// What an earlier step of the run would write is not written either: all inputs are looked through first.
  @Test func brokenXMLOfLaterStep() throws {
    let folder = try folder()
    let before = try folder.dump()
    try folder.csv(1...20)
    try folder.write(String(ItemFolder.xml(21...40).dropLast(3)), to: "more.xml")
    try folder.write(
      """
      { model: "Item.xcdatamodel", store: "items.sqlite", steps: [
        { read: { csv: "items.csv" }, entity: "Item" },
        { read: { xml: "more.xml", record: "items/item" }, entity: "Item" },
      ] }
      """, to: "both.json5")
    let run = try folder.run(["import", "both.json5"])
    #expect(run.status == 3 && run.errors.contains("more.xml"), "\(run.errors)")
    #expect(try folder.dump() == before)
  }

  @Test(arguments: [false, true]) func fileThatGrows(isNew: Bool) throws {
    let folder = isNew ? try ItemFolder() : try folder()
    try folder.csv(1...20_000)
    // The first chunk is in: then the file gets more.
    let run = try folder.shell(
      """
      $GANTRY import items.csv $OPTIONS --chunk 100 & pid=$!
      while [ -z "$(find . -name 'items.sqlite-journal' -o -name '*.importing' -size +60k)" ]; do sleep 0.01; done
      echo '20001,late,1' >> items.csv; wait $pid
      """)
    #expect(run.status == 3 && run.errors.contains("the file was changed while it was read"), "\(run.errors)")
    #expect(run.errors.contains("[input.changed]"))
    #expect(folder.hasStore == !isNew)
    #expect(try folder.leftovers() == [])
    guard !isNew else { return }
    let codes = try folder.codes()
    #expect(codes == Array(0..<codes.count) && codes.count <= 20_001)
    let again = try folder.import("items.csv", "--chunk", "100")
    #expect(again.status == 2 && again.errors.contains("[run.input-changed]"), "\(again.errors)")
    try folder.import("items.csv", "--restart", "--key", "code", "--on-conflict", "skip").expectDone()
    #expect(try folder.codes() == Array(0...20_001))
  }
}
