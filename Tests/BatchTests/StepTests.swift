import TestSupport
import Testing

@testable import Batch

/// Runs of several steps: names, order, what ends them.
struct StepTests {
  private static let model = """
    <entity name="Item"><attribute name="id" optional="YES" attributeType="Integer 16"/></entity>
    """
  private static let files = [
    "a.csv": "id\n1\nx\n", "b/a.csv": "id\n2\ny\nz\n", "broken.xml": "<l><i><id>7</id></i><i>",
  ]

  static let scenarios: [Case<Scenario, String>] = [
    Case(
      "steps of one name have reject files of their own",
      Scenario(
        model, files,
        "{read: {csv: 'a.csv'}, entity: 'Item'}, {read: {csv: 'b/a.csv'}, entity: 'Item'}, {name: 'a', read: {csv: 'a.csv'}, entity: 'Item'}"
      ),
      """
      a: 2 read, 1 new, 1 unfit
      a-2: 3 read, 1 new, 2 unfit
      a-3: 2 read, 1 new, 1 unfit
      Item id=1
      Item id=2
      Item id=1
      a-2.rejected.csv:
      y,3,5,1,convert.number
      z,4,7,1,convert.number
      a-3.rejected.csv:
      x,3,5,1,convert.number
      a.rejected.csv:
      x,3,5,1,convert.number
      """),
    Case(
      "nothing is read before all steps fit",
      Scenario(model, files, "{read: {csv: 'a.csv'}, entity: 'Item'}, {read: {csv: 'b/a.csv'}, entity: 'Itme'}"),
      """
      ended: step a-2: the model has no entity Itme [step.entity]
        Did you mean Item? There are Item.
      """),
    Case(
      "an input that is not there",
      Scenario(model, files, "{read: {csv: 'a.csv'}, entity: 'Item'}, {read: {csv: 'c.csv'}, entity: 'Item'}"),
      """
      ended: c.csv: step c: there is no such file [input.missing]
        Check the name; a relative path starts at the current folder, one in a pipeline file at the folder of that file.
      """),
    Case(
      "an input without records",
      Scenario(model, ["a.csv": "id\n"], "{read: {csv: 'a.csv'}, entity: 'Item', key: ['id'], onConflict: 'skip'}"),
      "a: 0 read"),
  ]

  @Test(arguments: scenarios, Way.all)
  func outcome(_ c: Case<Scenario, String>, way: Way) throws {
    let outcome = try c.input.outcome(way)
    #expect(outcome == c.expected)
  }

  /// Up to the limit records are refused; one more ends the run, and of its chunk nothing is kept.
  @Test(arguments: [true, false])
  func skipLimit(isInMemory: Bool) throws {
    let scenario = Scenario(
      Self.model, ["a.csv": "id\n1\nx\n2\ny\n3\n4\nz\n5\n"], "{read: {csv: 'a.csv'}, entity: 'Item'}")
    let way = { Way(isInMemory: isInMemory, chunk: $0) }
    #expect(
      try scenario.outcome(way(3), skipLimit: .upTo(3)) == """
        a: 8 read, 5 new, 3 unfit
        Item id=1
        Item id=2
        Item id=3
        Item id=4
        Item id=5
        a.rejected.csv:
        x,3,5,1,convert.number
        y,5,9,1,convert.number
        z,8,15,1,convert.number
        """)
    let ended =
      "ended: a: 3 records rejected, the skip limit is 2 [run.skip-limit]\n"
      + "  Mend the input or the pipeline, or raise skipLimit (`none` for any number)."
    #expect(
      try scenario.outcome(way(3), skipLimit: .upTo(2)) == """
        \(ended)
        a: 6 read, 4 new, 2 unfit
        Item id=1
        Item id=2
        Item id=3
        Item id=4
        a.rejected.csv:
        x,3,5,1,convert.number
        y,5,9,1,convert.number
        z,8,15,1,convert.number
        """)
    #expect(
      try scenario.outcome(way(1000), skipLimit: .upTo(0)).hasPrefix(
        "ended: a: 3 records rejected, the skip limit is 0 [run.skip-limit]"))
  }

  /// A chunk may be as large as a number can be.
  @Test func enormousChunk() throws {
    let scenario = Scenario(Self.model, ["a.csv": "id\n1\n"], "{read: {csv: 'a.csv'}, entity: 'Item'}")
    #expect(try scenario.outcome(Way(isInMemory: false, chunk: .max)) == "a: 1 read, 1 new\nItem id=1")
    #expect(try scenario.outcome(Way(isInMemory: true, chunk: 0)).hasPrefix("ended: chunk is 0, expected at least 1"))
  }
}
