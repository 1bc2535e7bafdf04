import Foundation
import TestSupport
import Testing

/// Input that cannot be read twice.
struct StandardInputTests {
  static let pipes = [
    Case("at once", "cat items.csv", 0),
    Case("with a byte order mark", "{ printf '\\357\\273\\277'; cat items.csv; }", 0),
    Case("slowly", "{ head -c 100 items.csv; sleep 0.5; tail -c +101 items.csv; }", 0),
    Case("compressed", "gzip -c items.csv", 0),
  ]

  @Test(arguments: pipes) func pipe(_ c: Case<String, Int>) throws {
    let folder = try ItemFolder()
    try folder.csv(1...3000)
    try folder.shell("\(c.input) | $GANTRY import - --format csv $OPTIONS").expectDone()
    #expect(try folder.codes() == Array(1...3000))
    #expect(try folder.leftovers() == [])
  }

  @Test func nothing() throws {
    let folder = try ItemFolder()
    let run = try folder.shell("$GANTRY import - --format csv $OPTIONS < /dev/null")
    #expect(run.status == 3 && run.errors.contains("-: the input is empty"), "\(run.errors)")
    #expect(!folder.hasStore)
    let form = try folder.shell("echo code | $GANTRY import - $OPTIONS")
    #expect(form.status == 2 && form.errors.contains("the format of standard input is unknown"), "\(form.errors)")
  }

  static let pipeline = """
    {
      model: "Item.xcdatamodel", store: "items.sqlite",
      steps: [{
        read: { INPUT }, entity: "Item", key: ["code"], onConflict: "update", ignore: ["*"],
        relationships: { parent: { column: "parent", by: "code" } },
      }],
      chunk: 7, skipLimit: 0,
    }
    """

  /// Links to the step's own entity are made in a second pass, so standard input is kept.
  @Test(arguments: [
    "cat own.csv | $GANTRY import pipe.json5", "$GANTRY import pipe.json5 < own.csv", "$GANTRY import file.json5",
  ])
  func ownLinks(script: String) throws {
    let folder = try ItemFolder()
    try folder.write("code,name,parent\n" + (1...50).map { "\($0),item,\(51 - $0)\n" }.joined(), to: "own.csv")
    try folder.write(Self.pipeline.replacing("INPUT", with: "csv: '-'"), to: "pipe.json5")
    try folder.write(Self.pipeline.replacing("INPUT", with: "csv: 'own.csv'"), to: "file.json5")
    try folder.shell(script).expectDone()
    #expect(try folder.rows("SELECT Z_PK + ZPARENT FROM ZITEM GROUP BY 1") == ["51"])
    #expect(try folder.rows("SELECT COUNT(*) FROM ZITEM") == ["50"])
    #expect(try folder.leftovers() == [])
  }

  @Test func namedPipeThatMustBeReadTwice() throws {
    let folder = try ItemFolder()
    try folder.write("code,name,parent\n1,a,1\n", to: "own.csv")
    try folder.write(Self.pipeline.replacing("INPUT", with: "csv: 'fifo'"), to: "fifo.json5")
    let run = try folder.shell("mkfifo fifo; $GANTRY import fifo.json5")
    #expect(run.status == 2 && run.errors.contains("[run.stream-twice]"), "\(run.errors)")
    let once = try folder.shell("cat own.csv > fifo & $GANTRY import fifo --format csv --ignore parent $OPTIONS")
    once.expectDone()
    #expect(try folder.codes() == [1])
  }

  /// Nothing but its records tells a stream from another.
  @Test func goingOnWithStream() throws {
    let folder = try ItemFolder()
    try folder.csv([0], to: "first.csv")
    try folder.import("first.csv").expectDone()
    try folder.csv(1...40, bad: [35])
    try folder.csv(101...140, bad: [135], to: "others.csv")
    let stopped = try folder.shell("cat items.csv | $GANTRY import - --format csv $OPTIONS --chunk 10 --skip-limit 0")
    #expect(stopped.status == 4)
    #expect(try folder.codes() == Array(0...30))
    let other = try folder.shell("cat others.csv | $GANTRY import - --format csv $OPTIONS --chunk 7")
    #expect(other.status == 2 && other.errors.contains("[run.input-changed]"), "\(other.errors)")
    #expect(try folder.codes() == Array(0...30))
    let same = try folder.shell("cat items.csv | $GANTRY import - --format csv $OPTIONS --chunk 7")
    #expect(same.status == 1 && same.errors.contains("[run.resuming]"), "\(same.errors)")
    #expect(try folder.codes() == Array(0...40).filter { $0 != 35 })
  }
}
