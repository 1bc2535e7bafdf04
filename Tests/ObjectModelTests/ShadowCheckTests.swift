import Diagnostics
import TestSupport
import Testing

@testable import ObjectModel

@Suite struct ShadowCheckTests {
  private func messages(_ attributes: String, told: Set<String> = []) throws -> [String] {
    try model("<entity name=\"E\">\(attributes)</entity><entity name=\"Sub\" parentEntity=\"E\"/>")
      .checkShadows(told: ["E": told]).map(\.message)
  }

  private static func transient(_ info: [String: String] = [:]) -> String {
    let entries = info.sorted { $0.key < $1.key }.map { "<entry key=\"\($0)\" value=\"\($1)\"/>" }.joined()
    return #"<attribute name="t" optional="YES" transient="YES"><userInfo>\#(entries)</userInfo></attribute>"#
  }

  static let stored = #"<attribute name="tData" optional="YES" attributeType="Binary"/>"#

  static let cases: [Case<String, [String]>] = [
    Case("all is said", transient(["kind": "color"]) + stored, []),
    Case(
      "no shadow", transient(),
      ["entity E, attribute t: it is transient and has no type, and no stored attribute keeps its value"]),
    Case(
      "no shadow of a kind", transient(["kind": "color"]),
      ["entity E, attribute t: the model has no stored attribute for it"]),
    Case(
      "no kind", transient() + stored,
      ["entity E, attribute t: nothing says of which kind the value is that tData keeps"]),
    Case(
      "unknown kind", transient(["kind": "colour"]) + stored,
      ["entity E, attribute t: kind: there is no kind \"colour\""]),
    Case(
      "form of another type", transient(["kind": "color", "form": "hex"]) + stored,
      ["entity E, attribute t: form: a Binary attribute does not keep the form \"hex\" of a color"]),
    Case(
      "a choice", transient(["kind": "color", "scale": "100"]) + stored,
      ["entity E, attribute t: `scale` is `100`, expected 255 or 1"]),
    Case(
      "required and late",
      transient(["kind": "color", "setter": "delayed"]) + #"<attribute name="tData" attributeType="Binary"/>"#,
      ["entity E, attribute t: its shadow tData is required and set late, behind the validation: a first save fails"]),
    Case("a typed transient attribute", #"<attribute name="t" transient="YES" attributeType="String"/>"#, []),
  ]

  @Test(arguments: cases) func said(_ c: Case<String, [String]>) throws {
    #expect(try messages(c.input) == c.expected)
  }

  @Test func aPipelineTellsIt() throws {
    #expect(try messages(Self.transient() + Self.stored, told: ["t"]) == [])
    #expect(try messages(Self.transient(), told: ["t"]) == [])
  }
}
