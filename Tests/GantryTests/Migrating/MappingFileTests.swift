import Conversion
import Diagnostics
import Foundation
import Migration
import TestSupport
import Testing

@testable import Gantry

/// Mappings that are written by hand.
struct MappingFileTests {
  /// The README's mapping is one.
  @Test func shownMappingIsRead() throws {
    let text = try ProjectCopy.text("README.md")
    let block = try #require(
      DocumentationTests.blocks(of: "", in: text).first { $0.first?.hasPrefix("{ from:") ?? false })
    let mapping = try MappingFile.decode(block.joined(separator: "\n"), file: "README.md")
    #expect(mapping.entities.keys.sorted() == ["Parcel", "Theme", "Topic"])
    #expect(
      mapping.entities["Parcel"]?.values?["carrier"]
        == .lookUp(of: "$source.company", in: ["0": "dhl", "1": "ups"]))
    #expect(mapping.entities["Parcel"]?.from == ["OldParcel"])
    var color = AttributeMapping()
    color.kind = "color"
    #expect(mapping.entities["Theme"]?.values?["color"] == .converted(of: "$source.tint", color))
    // What is written is read as the same.
    let written = String(decoding: try JSONEncoder().encode(mapping), as: UTF8.self)
    #expect(try MappingFile.decode(written, file: "m.json5") == mapping)
  }

  static let wrong: [Case<String, String>] = [
    Case("no versions", "{ entities: {} }", "the key from is missing"),
    Case("an unknown key", "{ from: 'a', to: 'b', entity: {} }", "the mapping has an unknown key entity"),
    Case(
      "an unknown key of an entity", "{ from: 'a', to: 'b', entities: { E: { form: [] } } }",
      "E has an unknown key form"),
    Case(
      "an unknown key of a value", "{ from: 'a', to: 'b', entities: { E: { values: { x: { off: 'y' } } } } }",
      "E.x has an unknown key off"),
    Case("a list", "[]", "the mapping is a list, expected an object"),
    Case("a number for a version", "{ from: 1, to: 'b', entities: {} }", "from is 1, expected a text"),
    Case("nothing for entities", "{ from: 'a', to: 'b', entities: null }", "entities is null, expected an object"),
    Case("a text for an entity", "{ from: 'a', to: 'b', entities: { E: 'x' } }", "E is \"x\", expected an object"),
    Case(
      "a text for several", "{ from: 'a', to: 'b', entities: { E: { from: 'x' } } }",
      "E.from is \"x\", expected a list of texts"),
    Case(
      "nothing for a value", "{ from: 'a', to: 'b', entities: { E: { values: { x: null } } } }",
      "E.x is null, expected an expression as text, or an object with `of`"),
    Case(
      "a number in a table", "{ from: 'a', to: 'b', entities: { E: { values: { x: { of: 'y', table: { a: 1 } } } } } }",
      "E.x.table.a is 1, expected a text"),
    Case(
      "a condition that is none", "{ from: 'a', to: 'b', entities: { E: { where: 'x ==' } } }",
      "E.where: column 5 of the predicate: expected"),
    Case(
      "an expression that is none", "{ from: 'a', to: 'b', entities: { E: { values: { x: '1 +' } } } }",
      "E.x: column 4 of the predicate: expected"),
  ]

  @Test(arguments: wrong)
  func saysWhatIsWrong(_ test: Case<String, String>) throws {
    let error = #expect(throws: Diagnostic.self) { try MappingFile.decode(test.input, file: "m.json5") }
    #expect(error?.message.contains(test.expected) == true, "\(error?.message ?? "")")
    #expect(error?.position?.line == 1 || test.name == "no versions")
    #expect(error?.hint.contains("Xcode") == false)
  }
}
