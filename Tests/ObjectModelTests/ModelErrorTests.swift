import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import ObjectModel

@Suite struct ModelErrorTests {
  private static func attribute(_ keys: String) -> String { #"<entity name="A"><attribute \#(keys)/></entity>"# }
  private static func relationship(_ keys: String) -> String { #"<entity name="A"><relationship \#(keys)/></entity>"# }

  static let errors: [Case<String, String>] = [
    Case(
      "no type", attribute(#"name="a""#),
      """
      entity A, attribute a: a stored attribute has no type [model.type]
        Give it an `attributeType`, or make it transient.
      """),
    Case(
      "unknown type", attribute(#"name="a" attributeType="Sting""#),
      """
      entity A, attribute a: the type `Sting` is not known [model.type]
        Did you mean `String`?
      """),
    Case("no name", attribute(#"attributeType="String""#), "entity A: <attribute> has no `name` [model.missing-key]"),
    Case(
      "flag", attribute(#"name="a" optional="true" attributeType="String""#),
      "entity A, attribute a: `optional` is `true`, expected YES or NO [model.value]"),
    Case(
      "default", attribute(#"name="a" attributeType="Integer 16" defaultValueString="x""#),
      "entity A, attribute a: the default `x` is not a value of the type Integer 16 [model.default]"),
    Case(
      "default out of range", attribute(#"name="a" attributeType="Integer 16" defaultValueString="40000""#),
      "entity A, attribute a: the default `40000` is not a value of the type Integer 16 [model.default]"),
    Case(
      "default of a date", attribute(#"name="a" attributeType="Date" defaultValueString="now""#),
      "entity A, attribute a: `defaultValueString` is `now`, expected a date as 2001-12-31 23:59:59 +0000 [model.value]"
    ),
    Case(
      "default infinite", attribute(#"name="a" attributeType="Double" defaultValueString="inf""#),
      "entity A, attribute a: the default `inf` is not a value of the type Double [model.default]"),
    Case(
      "limit", attribute(#"name="a" attributeType="Double" minValueString="low""#),
      "entity A, attribute a: `minValueString` is `low`, expected a number [model.value]"),
    Case(
      "pattern", attribute(#"name="a" attributeType="String" regularExpressionString="a)(b""#),
      "entity A, attribute a: `regularExpressionString` is `a)(b`, expected a regular expression [model.value]"),
    Case(
      "composite", attribute(#"name="a" attributeType="Composite" composite="P""#),
      """
      entity A, attribute a: there is no composite P [model.reference]
        The model has no composites.
      """),
    Case(
      "composite in itself",
      attribute(#"name="a" attributeType="Composite" composite="P""#)
        + #"<composite name="P"><attribute name="p" attributeType="Composite" composite="P"/></composite>"#,
      "composite P, attribute p: a composite contains itself: P > P [model.cycle]"),
    Case("two entities", #"<entity name="A"/><entity name="A"/>"#, "entity A: there is another entity of this name"),
    Case(
      "two properties",
      #"<entity name="A"><attribute name="a" attributeType="Date"/><relationship name="a" destinationEntity="A"/></entity>"#,
      "entity A, relationship a: there is another property of this name"),
    Case(
      "inherited property",
      #"<entity name="A"><attribute name="a" attributeType="Date"/></entity>"#
        + #"<entity name="B" parentEntity="A"/><entity name="C" parentEntity="B">"#
        + #"<attribute name="a" attributeType="Date"/></entity>"#,
      "entity C: the property a is already inherited from A [model.duplicate]"),
    Case(
      "parent", #"<entity name="A" parentEntity="B"/>"#,
      """
      entity A: `parentEntity` is B, but there is no such entity [model.reference]
        The entities are A.
      """),
    Case(
      "its own parent", #"<entity name="A" parentEntity="A"/>"#,
      "entity A: an entity inherits from itself: A > A [model.cycle]"),
    Case(
      "parents in a circle",
      #"<entity name="C" parentEntity="A"/><entity name="A" parentEntity="B"/><entity name="B" parentEntity="A"/>"#,
      "entity C: an entity inherits from itself: C > A > B > A [model.cycle]"),
    Case(
      "no destination", relationship(#"name="r""#),
      "entity A, relationship r: <relationship> has no `destinationEntity` [model.missing-key]"),
    Case(
      "destination", relationship(#"name="r" destinationEntity="B""#),
      "entity A, relationship r: `destinationEntity` is B, but there is no such entity [model.reference]"),
    Case(
      "inverse", relationship(#"name="r" destinationEntity="A" inverseName="s""#),
      "entity A, relationship r: the inverse is s, but A has no such relationship [model.inverse]"),
    Case(
      "inverse that does not lead back",
      #"<entity name="A"><relationship name="r" destinationEntity="B" inverseName="s"/></entity>"#
        + #"<entity name="B"><relationship name="s" destinationEntity="A"/></entity>"#,
      """
      entity A, relationship r: the inverse B.s does not lead back: its own inverse is none [model.inverse]
        Make it A.r.
      """),
    Case(
      "delete rule", relationship(#"name="r" destinationEntity="A" deletionRule="Delete""#),
      "entity A, relationship r: `deletionRule` is `Delete`, expected one of No Action, Nullify, Cascade, Deny"),
    Case(
      "count", relationship(#"name="r" destinationEntity="A" maxCount="-1""#),
      "entity A, relationship r: `maxCount` is `-1`, expected a whole number from 0 [model.value]"),
    Case(
      "constraint",
      #"<entity name="A"><attribute name="code" attributeType="String"/><uniquenessConstraints><uniquenessConstraint>"#
        + #"<constraint value="cod"/></uniquenessConstraint></uniquenessConstraints></entity>"#,
      """
      entity A: a uniqueness constraint names cod, which is no stored attribute or to-one relationship [model.reference]
        Did you mean `code`?
      """),
    Case(
      "constraint on a transient attribute",
      #"<entity name="A"><attribute name="t" transient="YES"/><uniquenessConstraints><uniquenessConstraint>"#
        + #"<constraint value="t"/></uniquenessConstraint></uniquenessConstraints></entity>"#,
      "entity A: a uniqueness constraint names t, which is no stored attribute or to-one relationship [model.reference]"
    ),
    Case(
      "index",
      #"<entity name="A"><fetchIndex name="i"><fetchIndexElement property="x"/></fetchIndex></entity>"#,
      "entity A: an index names x, which is no stored attribute or to-one relationship [model.reference]"),
    Case(
      "compound index",
      #"<entity name="A"><compoundIndexes><compoundIndex><index value="x"/></compoundIndex></compoundIndexes></entity>"#,
      "entity A: an index names x, which is no stored attribute or to-one relationship [model.reference]"),
    Case(
      "index order",
      #"<entity name="A"><attribute name="a" attributeType="Date"/>"#
        + #"<fetchIndex name="i"><fetchIndexElement property="a" order="up"/></fetchIndex></entity>"#,
      "entity A, fetchIndex i: `order` is `up`, expected ascending or descending [model.value]"),
    Case(
      "configuration", #"<configuration name="c"><memberEntity name="B"/></configuration>"#,
      "configuration c: `memberEntity` is B, but there is no such entity [model.reference]"),
    Case(
      "fetch request", #"<fetchRequest name="f" entity="B"/>"#,
      "fetchRequest f: `entity` is B, but there is no such entity [model.reference]"),
    Case(
      "fetched property",
      #"<entity name="A"><fetchedProperty name="f"><fetchRequest name="x" entity="B"/></fetchedProperty></entity>"#,
      "entity A, fetchedProperty f: `entity` is B, but there is no such entity [model.reference]"),
    Case("not closed", "<entity>", "the model cannot be read: the XML is not well-formed"),
  ]

  @Test(arguments: errors) func error(_ c: Case<String, String>) {
    let error = #expect(throws: Diagnostic.self) { try model(c.input) }
    let text = error.map { "\($0)" } ?? ""
    #expect(text.contains(c.expected), "\(text)")
    #expect(error?.code.fate == .store)
    #expect(error?.position?.line != nil)
  }

  static let warnings: [Case<String, String>] = [
    Case(
      "renaming under its name in the API", attribute(#"name="a" attributeType="Date" renamingIdentifier="b""#),
      """
      :3: entity A, attribute a: <attribute> has a key `renamingIdentifier` that model files do not have; it is ignored \
      [model.unknown-key]
        A model file spells it `elementID`.
      """),
    Case(
      "misspelt", attribute(#"name="a" optionl="YES" attributeType="Date""#),
      """
      entity A, attribute a: <attribute> has a key `optionl` that model files do not have; it is ignored [model.unknown-key]
        A model file spells it `optional`.
      """),
    Case(
      "element", #"<entity name="A"><property name="p"/></entity>"#,
      "entity A, property p: a <property> inside <entity> is not known in model files; it is ignored [model.unknown-key]"
    ),
    Case(
      "shadow",
      #"<entity name="A"><attribute name="t" transient="YES"><userInfo><entry key="kind" value="color"/>"#
        + "</userInfo></attribute></entity>",
      """
      :3: entity A, attribute t: the model has no stored attribute for it [model.shadow]
        The keys of userInfo are shadow, kind, form, cases, unknown, getter, setter.
      """),
  ]

  @Test(arguments: warnings) func warning(_ c: Case<String, String>) throws {
    let warnings = try model(c.input).warnings
    #expect(warnings.count == 1)
    #expect(warnings.first?.code.fate == .warning)
    #expect(warnings.first.map { "\($0)".contains(c.expected) } == true, "\(warnings)")
  }

  @Test func anotherDocument() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("<plist/>", to: "a.xml")
    let error = #expect(throws: Diagnostic.self) {
      try NSManagedObjectModel(contentsOf: folder.url.appendingPathComponent("a.xml"))
    }
    #expect(
      error.map { "\($0)" } == """
        \(path):1: expected a <model>, found <plist> [model.malformed]
          Give the folder .xcdatamodeld or .xcdatamodel, or the file `contents` inside it.
        """)
  }
}
