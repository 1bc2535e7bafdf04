import Diagnostics
import ObjectModel
import TestSupport
import Testing

@testable import SQLiteStore

/// Models beyond any size that a person makes: read and laid out in time in proportion to their size, or refused.
@Suite(.timeLimit(.minutes(1))) struct LargeModelTests {
  private static func attribute(_ name: String) -> String {
    "<attribute name=\"\(name)\" optional=\"YES\" attributeType=\"String\"/>"
  }

  private static func entity(_ name: String, parent: String? = nil, _ content: String = attribute("t")) -> String {
    "<entity name=\"\(name)\"\(parent.map { " parentEntity=\"\($0)\"" } ?? "")>\(content)</entity>"
  }

  private static func composite(_ name: String, of other: String, times: Int) -> String {
    let elements = (0..<times).map {
      "<attribute name=\"x\($0)\" attributeType=\"Composite\" composite=\"\(other)\"/>"
    }
    return "<composite name=\"\(name)\">\(elements.joined())</composite>"
  }

  static let large: [Case<String, Int>] = [
    Case("entities", (0..<1000).map { entity("E\($0)") }.joined(), 1003),
    Case(
      "subentities with attributes of one name",
      entity("Root", attribute("r")) + (0..<1000).map { entity("E\($0)", parent: "Root") }.joined(), 5),
    Case("attributes", entity("E", (0..<1900).map { attribute("a\($0)") }.joined()), 4),
    Case(
      "pairs of relationships",
      entity(
        "E",
        (0..<500).map { number in
          """
          <relationship name="p\(number)" optional="YES" maxCount="1" destinationEntity="E" inverseName="q\(number)" \
          inverseEntity="E"/><relationship name="q\(number)" optional="YES" toMany="YES" destinationEntity="E" \
          inverseName="p\(number)" inverseEntity="E"/>
          """
        }.joined()), 504),
    Case(
      "100 levels",
      entity("E0", attribute("a0"))
        + (1..<100).map { entity("E\($0)", parent: "E\($0 - 1)", attribute("a\($0)")) }.joined(), 5),
  ]

  /// The names of a hundred columns are no slower than that of one.
  @Test(arguments: large) func isLaidOut(_ c: Case<String, Int>) throws {
    let model = try model(c.input)
    #expect(try StoreSchema(model).ddl().count == c.expected)
    #expect(model.entityVersionHashesByName.count == model.entities.count)
  }

  static let refused: [Case<String, String>] = [
    Case(
      "101 levels", entity("E0") + (1...100).map { entity("E\($0)", parent: "E\($0 - 1)", "") }.joined(),
      "an entity inherits over more than 100 entities"),
    Case(
      "3000 levels", entity("E0") + (1...3000).map { entity("E\($0)", parent: "E\($0 - 1)", "") }.joined(),
      "an entity inherits over more than 100 entities"),
    Case(
      "composites in each other",
      (0..<3000).map { composite("C\($0)", of: "C\($0 + 1)", times: 1) }.joined()
        + "<composite name=\"C3000\">\(attribute("z"))</composite>"
        + entity("E", "<attribute name=\"c\" attributeType=\"Composite\" composite=\"C0\"/>"),
      "more than 100 composites lie in each other"),
    Case(
      "composites that multiply",
      (0..<20).map { composite("C\($0)", of: "C\($0 + 1)", times: 10) }.joined()
        + "<composite name=\"C20\">\(attribute("z"))</composite>"
        + entity("E", "<attribute name=\"c\" attributeType=\"Composite\" composite=\"C0\"/>"),
      "the composites of the model unfold into more than 100000 elements"),
  ]

  @Test(arguments: refused) func isRefused(_ c: Case<String, String>) throws {
    let error = try #require(throws: Diagnostic.self) { _ = try model(c.input) }
    #expect(error.message.hasSuffix(c.expected), "\(error)")
    #expect(error.code == .modelCycle)
  }
}
