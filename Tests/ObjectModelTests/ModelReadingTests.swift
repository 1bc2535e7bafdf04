import Diagnostics
import Foundation
import TestSupport
import Testing
import Values

@testable import ObjectModel

@Suite struct ModelReadingTests {
  @Test func entity() throws {
    let model = try model(
      """
      <entity name="Being" representedClassName=".Being" isAbstract="YES" versionHashModifier="2" codeGenerationType="class">
        <attribute name="name" attributeType="String"/>
        <fetchedProperty name="old" optional="YES">
          <fetchRequest name="fetchedPropertyFetchRequest" entity="Person" predicateString="age &gt; 70"/></fetchedProperty>
        <fetchIndex name="byName" partialIndexPredicate="name != nil">
          <fetchIndexElement property="name" type="Binary" order="descending"/>
          <fetchIndexElement expression="age + 1" type="Binary" order="ascending"/></fetchIndex>
        <userInfo><entry key="k" value="v"/></userInfo>
      </entity>
      <entity name="Person" parentEntity="Being" elementID="Human">
        <attribute name="age" optional="YES" attributeType="Integer 16" indexed="YES">
          <userInfo><entry key="importName" value="AGE"/></userInfo></attribute>
        <compoundIndexes><compoundIndex><index value="name"/><index value="age"/></compoundIndex></compoundIndexes>
        <uniquenessConstraints><uniquenessConstraint><constraint value="name"/><constraint value="age"/>
        </uniquenessConstraint></uniquenessConstraints>
      </entity>
      <fetchRequest name="All" entity="Person" predicateString="age &gt; 1" fetchLimit="5"/>
      <configuration name="Local"><memberEntity name="Person"/></configuration>
      <elements><element name="Person" positionX="0" positionY="0" width="128" height="1"/></elements>
      """)
    let being = model.entities[0]
    let person = model.entities[1]
    #expect(model.warnings == [])
    #expect(model.versionIdentifiers == [""])
    #expect(being.managedObjectClassName == "Being" && person.managedObjectClassName == "NSManagedObject")
    #expect(being.isAbstract && !person.isAbstract)
    #expect(being.versionHashModifier == "2" && person.versionHashModifier == nil)
    #expect(being.codeGenerationType == "class")
    #expect(being.renamingIdentifier == "Being" && person.renamingIdentifier == "Human")
    #expect(being.userInfo == ["k": "v"])
    #expect(being.subentities == [person] && person.superentity === being && person.rootEntity === being)
    #expect(person.propertiesByName.keys.sorted() == ["age", "name", "old"])
    #expect(person.propertiesByName["age"]?.importName == "AGE")
    #expect(person.propertiesByName["age"]?.isIndexed == true)
    #expect((being.propertiesByName["old"] as? NSFetchedPropertyDescription)?.predicateString == "age > 70")
    #expect(being.indexes.first?.partialIndexPredicate == "name != nil")
    #expect(being.indexes.first?.elements.map(\.propertyName) == ["name", nil])
    #expect(being.indexes.first?.elements.map(\.isAscending) == [false, true])
    #expect(person.compoundIndexes == [["name", "age"]])
    #expect(person.uniquenessConstraints == [["name", "age"]])
    #expect(model.fetchRequestTemplates["All"]?.entityName == "Person")
    #expect(model.fetchRequestTemplates["All"]?.attributes["fetchLimit"] == "5")
    #expect(model.configurations == ["Local"])
    #expect(model.entities(forConfigurationName: "Local") == [person])
  }

  @Test func relationships() throws {
    let model = try model(
      """
      <entity name="A">
        <relationship name="one" optional="YES" deletionRule="Cascade" destinationEntity="B" inverseName="many"/>
        <relationship name="bound" toMany="YES" minCount="2" maxCount="9" ordered="YES" deletionRule="Deny"
          destinationEntity="A"/>
        <relationship name="own" optional="YES" maxCount="1" deletionRule="No Action" destinationEntity="A"
          inverseName="own"/>
      </entity>
      <entity name="B"><relationship name="many" toMany="YES" destinationEntity="A" inverseName="one"/></entity>
      """)
    let a = model.entities[0].relationshipsByName
    let one = try #require(a["one"])
    let bound = try #require(a["bound"])
    let many = try #require(model.entities[1].relationshipsByName["many"])
    #expect(!one.isToMany && one.maxCount == 1 && one.minCount == 0 && one.isOptional && !one.isOrdered)
    #expect(one.deleteRule == .cascadeDeleteRule && bound.deleteRule == .denyDeleteRule)
    #expect(a["own"]?.deleteRule == .noActionDeleteRule && many.deleteRule == .nullifyDeleteRule)
    #expect(one.destinationEntity === model.entities[1] && one.inverseRelationship === many)
    #expect(many.isToMany && many.maxCount == 0 && !many.isOptional && many.inverseRelationship === one)
    #expect(bound.isToMany && bound.maxCount == 9 && bound.minCount == 2 && bound.isOrdered)
    #expect(bound.inverseRelationship == nil)
    #expect(a["own"]?.inverseRelationship === a["own"])
  }

  @Test func attributes() throws {
    let model = try model(
      """
      <entity name="A">
        <attribute name="blob" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"
          preserveAfterDeletion="YES" allowsCloudEncryption="YES"/>
        <attribute name="color" optional="YES" attributeType="Transformable" valueTransformerName="T"
          customClassName="Color" usesScalarValueType="NO"/>
        <attribute name="count" attributeType="Integer 64" derived="YES" derivationExpression="bs.@count"/>
        <attribute name="place" attributeType="Composite" composite="Place"/>
        <attribute name="shown" optional="YES" transient="YES"/>
      </entity>
      <composite name="Place"><attribute name="y" attributeType="Double"/>
        <attribute name="x" attributeType="Composite" composite="Inner"/></composite>
      <composite name="Inner"><attribute name="z" optional="YES" attributeType="Float"/></composite>
      """)
    let entity = model.entities[0]
    let all = entity.attributesByName
    let blob = try #require(all["blob"])
    #expect(
      blob.allowsExternalBinaryDataStorage && blob.preservesValueInHistoryOnDeletion && blob.allowsCloudEncryption)
    #expect(blob.usesScalarValueType == nil && all["color"]?.usesScalarValueType == false)
    #expect(all["color"]?.valueTransformerName == "T" && all["color"]?.attributeValueClassName == "Color")
    #expect((all["count"] as? NSDerivedAttributeDescription)?.derivationExpressionFormat == "bs.@count")
    #expect(all["shown"]?.isTransient == true && all["shown"]?.attributeType == .undefinedAttributeType)
    #expect(entity.layout.attributes.map(\.path) == ["blob", "color", "count", "place.y", "place.x.z"])
    #expect(entity.layout.attributes.allSatisfy { $0.attribute.entity === entity })
  }

  static let defaults: [Case<(type: String, text: String), Value>] = [
    Case("integer", ("Integer 16", "-7"), .integer(-7)), Case("NO of an integer", ("Integer 32", "NO"), .integer(0)),
    Case("YES of an integer", ("Integer 32", "YES"), .integer(1)),
    Case("a whole real", ("Integer 64", "2.0"), .integer(2)),
    Case("largest", ("Integer 64", "9223372036854775807"), .integer(.max)),
    Case("YES", ("Boolean", "YES"), .boolean(true)), Case("NO", ("Boolean", "NO"), .boolean(false)),
    Case("1", ("Boolean", "1"), .boolean(true)), Case("0.0", ("Boolean", "0.0"), .boolean(false)),
    Case("real", ("Double", "0.5"), .real(0.5)), Case("float", ("Float", "1e3"), .real(1000)),
    Case("decimal", ("Decimal", "0.10"), .decimal(Decimal(string: "0.1") ?? 0)),
    Case("string", ("String", "a &amp; b"), .string("a & b")), Case("empty string", ("String", ""), .string("")),
    Case("empty number", ("Integer 16", ""), .null),
    Case("date", ("Date", "2001-01-02 00:00:01 +0000"), .date(Date(timeIntervalSinceReferenceDate: 86401))),
    Case("date in a zone", ("Date", "2001-01-01 02:00:00 +0200"), .date(Date(timeIntervalSinceReferenceDate: 0))),
    Case("date to the minute", ("Date", "2001-01-01 00:01"), .date(Date(timeIntervalSinceReferenceDate: 60))),
    Case("day", ("Date", "2001-01-02"), .date(Date(timeIntervalSinceReferenceDate: 86400))),
    Case(
      "UUID", ("UUID", "00112233-4455-6677-8899-AABBCCDDEEFF"),
      .uuid(UUID(uuid: (0, 17, 34, 51, 68, 85, 102, 119, 136, 153, 170, 187, 204, 221, 238, 255)))),
    Case("URI", ("URI", "https://example.org/"), URL(string: "https://example.org/").map { .url($0) } ?? .null),
  ]
  @Test(arguments: defaults) func defaultValue(_ c: Case<(type: String, text: String), Value>) throws {
    let (type, text) = c.input
    let model = try model(
      #"<entity name="A"><attribute name="a" attributeType="\#(type)" defaultValueString="\#(text)"/></entity>"#)
    #expect(model.entities[0].attributesByName["a"]?.defaultValue == c.expected)
    #expect(model.entities[0].layout.defaultValues == [c.expected])
  }

  @Test func secondsCountAndNotTheText() throws {
    let model = try model(
      """
      <entity name="A"><attribute name="a" attributeType="Date" defaultDateTimeInterval="1" defaultValueString="now"
        minDateTimeInterval="-5" minValueString="x" maxDateTimeInterval="10.5"/></entity>
      """)
    let attribute = try #require(model.entities[0].attributesByName["a"])
    #expect(attribute.defaultValue == .date(Date(timeIntervalSinceReferenceDate: 1)))
    #expect(attribute.limits.minimum == .date(Date(timeIntervalSinceReferenceDate: -5)))
    #expect(attribute.limits.maximum == .date(Date(timeIntervalSinceReferenceDate: 10.5)))
  }

  @Test func limits() throws {
    let model = try model(
      """
      <entity name="A">
        <attribute name="i" attributeType="Integer 16" minValueString="-3" maxValueString="9"/>
        <attribute name="d" attributeType="Decimal" minValueString="-4.5"/>
        <attribute name="s" attributeType="String" minValueString="3" maxValueString="10" regularExpressionString="[a-z]+"/>
      </entity>
      """)
    let all = model.entities[0].attributesByName
    #expect(all["i"]?.limits.minimum == .integer(-3) && all["i"]?.limits.maximum == .integer(9))
    #expect(all["d"]?.limits.minimum == .decimal(-4.5) && all["d"]?.limits.maximum == .null)
    #expect(all["s"]?.limits.minimum == .integer(3) && all["s"]?.limits.maximum == .integer(10))
    #expect(all["s"]?.limits.regularExpression == "[a-z]+")
  }
}
