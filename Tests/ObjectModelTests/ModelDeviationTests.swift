import Testing
import Values

@testable import ObjectModel

/// Where a model differs from Apple's; see DEVIATIONS.md.
@Suite struct ModelDeviationTests {
  static let inside = """
    <entity name="Animal" syncable="YES">
        <attribute name="legs" attributeType="Integer 16" defaultValueString="4">
            <userInfo><entry key="unit" value="legs"/></userInfo>
        </attribute>
    </entity>
    <entity name="Bird" parentEntity="Animal" syncable="YES"/>
    """

  @Test func subentitiesShareTheDescriptionsOfTheirSuperentity_DEVIATION() throws {
    let model = try model(Self.inside)
    let inherited = try #require(model.entitiesByName["Bird"]?.propertiesByName["legs"])
    #expect(inherited === model.entitiesByName["Animal"]?.propertiesByName["legs"])
    #expect(inherited.entity.name == "Animal")
  }

  @Test func userInfoHoldsTexts_DEVIATION() throws {
    let model = try model(Self.inside)
    #expect(model.entitiesByName["Animal"]?.propertiesByName["legs"]?.userInfo == ["unit": "legs"])
  }

  @Test func defaultValuesAreTyped_DEVIATION() throws {
    let model = try model(Self.inside)
    #expect(model.entitiesByName["Animal"]?.attributesByName["legs"]?.defaultValue == .integer(4))
  }
}
