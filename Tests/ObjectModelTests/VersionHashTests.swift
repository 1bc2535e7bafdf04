import Bytes
import Foundation
import TestSupport
import Testing

@testable import ObjectModel

@Suite struct VersionHashTests {
  /// Entities of public models, reduced to what counts, with the hashes that Apple's tools computed.
  static let examples: [Case<(model: String, entity: String), String>] = [
    Case(
      "abstract, with an attribute",
      (
        """
        <entity name="Writer" isAbstract="YES"><attribute name="age" attributeType="Integer 16"/></entity>
        """, "Writer"
      ), "d54efab5d39cb3f59df8018db5e4cb2912ced49ca0fdebb029a326cd70847b25"),
    Case(
      "an optional to-one relationship",
      (
        """
        <entity name="Pet"><attribute name="name" attributeType="String"/>
          <relationship name="owner" optional="YES" maxCount="1" destinationEntity="User" inverseName="pet"/></entity>
        <entity name="User"><relationship name="pet" maxCount="1" destinationEntity="Pet" inverseName="owner"/></entity>
        """, "Pet"
      ), "767342262a6458730c78aae73c5328d0fcaa4e3596d2f87f22e366eb46a9f46f"),
    Case(
      "a subentity with a constraint, and a greatest count set in code",
      (
        """
        <entity name="Writer" isAbstract="YES"><attribute name="age" attributeType="Integer 16"/></entity>
        <entity name="Author" parentEntity="Writer"><attribute name="alias" attributeType="String"/>
          <attribute name="siteURL" optional="YES" attributeType="URI"/>
          <relationship name="books" optional="YES" toMany="YES" maxCount="4294967295" destinationEntity="Book" inverseName="author"/>
          <uniquenessConstraints><uniquenessConstraint><constraint value="alias"/></uniquenessConstraint>
          </uniquenessConstraints></entity>
        <entity name="Book"><relationship name="author" maxCount="1" destinationEntity="Author" inverseName="books"/>
        </entity>
        """, "Author"
      ), "07b88ab76fbdf3d701c85688e9b0820f0cdae6bc2c31d24d1fdc115251d13d12"),
    Case(
      "a composite",
      (
        """
        <entity name="Ingredient"><attribute name="id" attributeType="UUID"/>
          <attribute name="unit" attributeType="Composite" composite="Unit"/>
          <attribute name="value" attributeType="Double"/>
          <relationship name="ingredientBase" maxCount="1" destinationEntity="IngredientBase"/></entity>
        <entity name="IngredientBase"/>
        <composite name="Unit"><attribute name="unit" optional="YES" attributeType="String"/></composite>
        """, "Ingredient"
      ), "4a3b9f32df42aee19eb186b6ad03ad57c96cd3fb4532671a4063da2002cfc61a"),
    Case(
      "an entity's modifier, before the constraint",
      (
        """
        <entity name="Codec" versionHashModifier="13102"><attribute name="fourCharCodeName" attributeType="String"/>
          <uniquenessConstraints><uniquenessConstraint><constraint value="fourCharCodeName"/></uniquenessConstraint>
          </uniquenessConstraints></entity>
        """, "Codec"
      ), "63bb7d3bcc305552728d4e806dc8a1de4f384ff8017885b3faaeb50507d24f13"),
    Case(
      "an ordered relationship, a superentity, names in upper and lower case",
      (
        """
        <entity name="Animal"><attribute name="species" attributeType="String"/>
          <attribute name="color" optional="YES" attributeType="Transformable"/>
          <relationship name="master" optional="YES" maxCount="1" destinationEntity="Person" inverseName="pets"/></entity>
        <entity name="Dog" parentEntity="Animal"><attribute name="nickname" attributeType="String"/>
          <attribute name="age" attributeType="Integer 64"/>
          <relationship name="friends" optional="YES" toMany="YES" ordered="YES" destinationEntity="Dog"
            inverseName="friendedBy"/>
          <relationship name="friendedBy" optional="YES" toMany="YES" destinationEntity="Dog" inverseName="friends"/>
        </entity>
        <entity name="Person"><relationship name="pets" toMany="YES" destinationEntity="Animal" inverseName="master"/>
        </entity>
        """, "Dog"
      ), "5d56c5ad93ded60aa3a5eb5312e59778f30036b1e09c2bd15ed14c79cd27485a"),
    Case(
      "a derived attribute",
      (
        """
        <entity name="Author"><relationship name="books" toMany="YES" destinationEntity="Book" inverseName="author"/>
        </entity>
        <entity name="Book"><attribute name="uniqueID" attributeType="UUID"/>
          <attribute name="title" attributeType="String"/><attribute name="price" attributeType="Decimal"/>
          <attribute name="cover" attributeType="Transformable"/><attribute name="publishedAt" attributeType="Date"/>
          <attribute name="pagesCount" optional="YES" attributeType="Integer 64" derived="YES"
            derivationExpression="pages.@count"/>
          <relationship name="author" minCount="1" maxCount="1" destinationEntity="Author" inverseName="books"/>
          <relationship name="pages" toMany="YES" minCount="1" maxCount="10000" destinationEntity="Page"
            inverseName="book"/>
          <uniquenessConstraints><uniquenessConstraint><constraint value="uniqueID"/></uniquenessConstraint>
          </uniquenessConstraints></entity>
        <entity name="Page"><relationship name="book" minCount="1" maxCount="1" destinationEntity="Book"
          inverseName="pages"/></entity>
        """, "Book"
      ), "01e4ee17f1b2903db05607419b4a713d72df80c90b4510b83a60b9135323f5e7"),
    Case(
      "its own inverse, a function, a composite out of order (by a second implementation, not by Apple's)",
      (
        """
        <entity name="Thing" versionHashModifier="v2"><attribute name="name" optional="YES" attributeType="String"/>
          <attribute name="key" attributeType="String" derived="YES" derivationExpression="canonical:(name)"/>
          <attribute name="at" attributeType="Composite" composite="Point"/>
          <relationship name="peer" optional="YES" maxCount="1" destinationEntity="Thing" inverseName="peer"/></entity>
        <composite name="Point"><attribute name="y" optional="YES" attributeType="Double"/>
          <attribute name="x" attributeType="Double"/></composite>
        """, "Thing"
      ), "4367f038e2412397724388076fdad8b8224505fee7f7673120daaf1a3781e682"),
  ]

  @Test(arguments: examples) func worked(_ c: Case<(model: String, entity: String), String>) throws {
    let model = try model(c.input.model)
    let entity = try #require(model.entitiesByName[c.input.entity])
    #expect(Hex.encode(entity.versionHash) == c.expected)
  }

  /// The parts of the first example, each on its own.
  @Test func property() throws {
    let model = try model(#"<entity name="Pet"><attribute name="name" attributeType="String"/></entity>"#)
    let name = try #require(model.entities.first?.propertiesByName["name"])
    #expect(Hex.encode(name.versionHash) == "8cb9965c0031ac68913984f3110941ad965395be9fd9b17de7be54bc7ad46890")
  }

  /// Nothing that leaves the rows as they are changes a hash, all that shapes them does.
  @Test func whatCounts() throws {
    let plain =
      #"<entity name="A"><attribute name="a" optional="YES" attributeType="String"%/>"#
      + #"<attribute name="t" transient="YES"/></entity>"#
    func hash(_ keys: String) throws -> Data? {
      try model(plain.replacingOccurrences(of: "%", with: " " + keys)).entities.first?.versionHash
    }
    let without = try hash("")
    for keys in [
      #"defaultValueString="x""#, #"minValueString="1""#, #"elementID="b""#, #"indexed="YES""#,
      #"usesScalarValueType="YES""#, #"syncable="YES""#,
    ] {
      #expect(try hash(keys) == without, "\(keys)")
    }
    for keys in [
      #"versionHashModifier="2""#, #"allowsExternalBinaryDataStorage="YES""#, #"preserveAfterDeletion="YES""#,
      #"derived="YES" derivationExpression="a""#,
    ] {
      #expect(try hash(keys) != without, "\(keys)")
    }
  }

  @Test func lines() throws {
    let model = try model(
      """
      <entity name="b"/><entity name="Writer" isAbstract="YES"><attribute name="age" attributeType="Integer 16"/></entity>
      """)
    let b = SHA256.hash(Array("b\0".utf8))
    let writer = try #require(Hex.decode("d54efab5d39cb3f59df8018db5e4cb2912ced49ca0fdebb029a326cd70847b25"))
    #expect(
      model.versionHashLines == [
        "Writer\t\(Hex.encode(writer))", "b\t\(Hex.encode(b))",
        "digest\t\(Base64.encode(SHA512.hash(Array("Writer".utf8) + writer + Array("b".utf8) + b)))",
        "checksum\t\(Base64.encode(SHA256.hash(writer + b)))",
      ])
    #expect(model.entityVersionHashesByName == ["Writer": Data(writer), "b": Data(b)])
  }

  static let expressions = [
    Case("key path", "chat.serverId", "chat.serverId"), Case("count", "pages.@count", "count:(pages)"),
    Case("sum", "lines.amount.@sum", "sum:(lines.amount)"), Case("function", "canonical:( name )", "canonical:(name)"),
    Case("no argument", "now()", "now()"), Case("arithmetic", "a+b * 2", "a + b * 2"),
    Case("brackets", "(a+b)*c", "(a + b) * c"), Case("reserved word", "names.first", "names.#first"),
    Case("two arguments", "max:(a,b)", "max:(a, b)"), Case("blanks", "  name ", "name"),
    Case("not understood", "a ? b : c", "a ? b : c"), Case("cut short", "f:(a", "f:(a"), Case("empty", "", ""),
  ]
  @Test(arguments: expressions) func expression(_ c: Case<String, String>) {
    #expect(VersionHash.printedExpression(c.input) == c.expected)
  }
}
