import Foundation
import TestSupport
import Testing

@testable import Gantry

/// `gantry model diff`.
struct ModelDiffTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func model(_ inside: String, _ name: String) throws -> String {
    try folder.write("<model>\(inside)</model>", to: "\(name).xml")
  }

  @Test func asText() throws {
    let a = try model(
      """
      <entity name="A"><attribute name="x" attributeType="Integer 16"/><attribute name="gone" attributeType="Date"/></entity>
      <entity name="B" parentEntity="A"/><entity name="Same"/>
      """, "a")
    let b = try model(
      """
      <entity name="A"><attribute name="y" elementID="x" attributeType="Integer 32"/>
        <attribute name="new" optional="YES" attributeType="String"/></entity>
      <entity name="B" parentEntity="A"/><entity name="Same"/><entity name="C" isAbstract="YES"/>
      """, "b")
    let run = Talk(["model", "diff", a, b])
    #expect(run.status == .done && run.errors.isEmpty)
    #expect(
      run.output == """
        A: other hash, transform
          + new: added (inferred: rows have no value)
          ~ y: renamed from x (inferred: the values stay)
          ~ y: type Integer 16 -> Integer 32 (inferred: the values stay)
          - gone: removed (inferred: the values are lost)
        B: other hash, transform
          by its parent
        C: other hash, add
          added (inferred)
        A store of the one must be migrated: 3 entities have other hashes; the mapping is inferred.

        """)
  }

  static let outcomes: [Case<(String, String), String>] = [
    Case(
      "nothing", (#"<entity name="A"/>"#, #"<entity name="A"/>"#),
      "A store of the one opens with the other: all hashes are equal."),
    Case(
      "by the rows", (#"<entity name="A"/>"#, #"<entity name="A"><attribute name="x" attributeType="Date"/></entity>"#),
      "A store of the one must be migrated: 1 entity has other hashes; the mapping is inferred, and depends on the rows."
    ),
    Case(
      "by hand",
      (
        #"<entity name="A"><attribute name="x" attributeType="Date"/></entity>"#,
        #"<entity name="A"><attribute name="x" attributeType="String"/></entity>"#
      ),
      "A store of the one must be migrated: 1 entity has other hashes; no mapping is inferred: one must be written, or "
        + "several steps be made."),
  ]
  @Test(arguments: outcomes) func outcome(_ c: Case<(String, String), String>) throws {
    let run = Talk(["model", "diff", try model(c.input.0, "a"), try model(c.input.1, "b")])
    #expect(run.output.split(separator: "\n").last.map(String.init) == c.expected)
  }

  @Test func asJSON() throws {
    let a = try model(#"<entity name="A"><attribute name="x" attributeType="Date"/></entity>"#, "a")
    let b = try model(#"<entity name="B" elementID="A"><attribute name="x" attributeType="String"/></entity>"#, "b")
    let run = Talk(["model", "diff", a, b, "--json"])
    let report = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(report["migration"] as? String == "refused" && report["sameHashes"] as? Bool == false)
    let entity = try #require((report["entities"] as? [[String: Any]])?.first)
    #expect(entity["name"] as? String == "B" && entity["from"] as? String == "A")
    let property = try #require((entity["properties"] as? [[String: Any]])?.first)
    let change = try #require((property["changes"] as? [[String: Any]])?.first)
    #expect(change["what"] as? String == "type Date -> String" && change["changesHash"] as? Bool == true)
  }

  @Test func twoVersionsOfOneModel() throws {
    for (version, type) in [("V1", "Date"), ("V2", "String")] {
      try folder.write(
        #"<model><entity name="A"><attribute name="x" attributeType="\#(type)"/></entity></model>"#,
        to: "M.xcdatamodeld/\(version).xcdatamodel/contents")
    }
    let run = Talk(["model", "diff", folder.path("M.xcdatamodeld"), "--from", "V1", "--to", "V2"])
    #expect(run.status == .done && run.output.contains("x: type Date -> String"), "\(run.errors)")
  }

  @Test func operands() {
    let expected = "gantry: expected A B | MODEL --from NAME --to NAME, found"
    let one = Talk(["model", "diff", "a"])
    #expect(one.status == .usage)
    #expect(one.errors == "\(expected) 1 operand [usage]\n  `gantry help model diff` says more.\n")
    #expect(Talk(["model", "diff"]).errors.hasPrefix("\(expected) no operand [usage]\n"))
  }
}
