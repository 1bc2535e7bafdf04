import Diagnostics
import TestSupport
import Testing

@testable import ObjectModel

@Suite struct ShadowPlanTests {
  /// An entity with a transient attribute `t`, some user info, and stored attributes.
  private func entity(_ userInfo: [String: String], stored: [(String, String)], transient: Bool = true) throws -> (
    model: NSManagedObjectModel, warnings: [String]
  ) {
    let entries = userInfo.sorted { $0.key < $1.key }.map { "<entry key=\"\($0)\" value=\"\($1)\"/>" }.joined()
    let keys = transient ? #"transient="YES""# : #"attributeType="Integer 16""#
    let model = try model(
      "<entity name=\"E\"><attribute name=\"t\" optional=\"YES\" \(keys)><userInfo>\(entries)</userInfo></attribute>"
        + stored.map { "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"\($1)\"/>" }.joined()
        + "</entity><entity name=\"Sub\" parentEntity=\"E\"/>")
    return (model, model.warnings.map(\.message))
  }

  static let conventions = [
    Case("Data", ["tData", "tAsString", "tString"], "tData"), Case("AsString", ["tString", "tAsString"], "tAsString"),
    Case("String", ["x", "tString"], "tString"),
  ]
  @Test(arguments: conventions) func byName(_ c: Case<[String], String>) throws {
    let (model, warnings) = try entity([:], stored: c.input.map { ($0, "String") })
    let entity = model.entities[0]
    let plan = try #require(entity.shadowPlan(for: "t"))
    #expect(plan.shadow.name == c.expected)
    #expect(plan.place == entity.layout.attributeIndex[c.expected])
    #expect(plan.kind == nil && plan.form == nil && plan.cases == [] && !plan.isItsOwnShadow)
    #expect(plan.getter == .onDemand && plan.setter == .immediate)
    #expect(model.entities[1].shadowPlan(for: "t")?.shadow === plan.shadow)
    #expect(warnings == [])
  }

  @Test func byUserInfo() throws {
    let (model, warnings) = try entity(
      ["shadow": "raw", "kind": "color", "form": "hex", "getter": "precomputed", "setter": "delayed"],
      stored: [("tData", "Binary"), ("raw", "String")])
    let plan = try #require(model.entities[0].shadowPlan(for: "t"))
    #expect(plan.shadow.name == "raw" && plan.kind == "color" && plan.form == "hex")
    #expect(plan.getter == .precomputed && plan.setter == .delayed)
    #expect(warnings == [])
  }

  @Test func anEnumIsItsOwnShadow() throws {
    let (model, warnings) = try entity(
      ["kind": "enum", "cases": "unknown = 0, twitter=1,facebook , tk=-5"], stored: [], transient: false)
    let plan = try #require(model.entities[0].shadowPlan(for: "t"))
    #expect(plan.isItsOwnShadow)
    #expect(plan.cases.map(\.name) == ["unknown", "twitter", "facebook", "tk"])
    #expect(plan.cases.map(\.value) == [0, 1, 2, -5])
    #expect(warnings == [])
  }

  @Test func nothingIsPlannedWithoutNeed() throws {
    #expect(try entity([:], stored: []).model.entities[0].layout.shadows.isEmpty)
    #expect(try entity(["note": "x"], stored: []).warnings == [])
    #expect(try entity(["importName": "T"], stored: [], transient: false).model.entities[0].layout.shadows.isEmpty)
  }

  @Test func aCompositesElement() throws {
    let model = try model(
      """
      <entity name="E"><attribute name="t" transient="YES"><userInfo><entry key="shadow" value="c.x"/></userInfo>
        </attribute><attribute name="c" attributeType="Composite" composite="C"/></entity>
      <composite name="C"><attribute name="x" attributeType="Binary"/></composite>
      """)
    #expect(model.entities[0].shadowPlan(for: "t")?.shadow.name == "x")
  }

  static let problems = [
    Case("no shadow", ["kind": "color"], "the model has no stored attribute for it"),
    Case("shadow that is not there", ["shadow": "gone"], "its shadow gone is no stored attribute"),
    Case("getter", ["shadow": "raw", "getter": "lazy"], "`getter` is `lazy`, expected onDemand or precomputed"),
    Case("setter", ["shadow": "raw", "setter": "now"], "`setter` is `now`, expected immediate or delayed"),
    Case("enum", ["shadow": "raw", "kind": "enum"], "an enum needs `cases`, e.g. `unknown=0,known=1`"),
    Case(
      "case", ["shadow": "raw", "cases": "a=x,b=1"],
      "`cases` has `a=x`, expected a name, an equals sign and a whole number"
    ),
    Case("two cases", ["shadow": "raw", "cases": "a=1,b=1"], "`cases` has two cases named b or of the number 1"),
  ]
  @Test(arguments: problems) func problem(_ c: Case<[String: String], String>) throws {
    let (_, warnings) = try entity(c.input, stored: [("raw", "Binary")])
    #expect(warnings == ["entity E, attribute t: \(c.expected)"])
  }

  @Test func twoOfOneShadow() throws {
    let model = try model(
      """
      <entity name="E">
        <attribute name="a" transient="YES"><userInfo><entry key="shadow" value="s"/></userInfo></attribute>
        <attribute name="b" transient="YES"><userInfo><entry key="shadow" value="s"/></userInfo></attribute>
        <attribute name="s" attributeType="Binary"/></entity>
      """)
    #expect(model.warnings.map(\.message) == ["entity E, attribute b: s is also the shadow of a"])
  }
}
