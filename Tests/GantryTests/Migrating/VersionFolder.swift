import Foundation
import TestSupport

/// A folder with a model of people in four versions, inputs written for the first, and pipelines over them.
///
/// V2 renames all and drops `fax`; V3 makes a text of a number; V4 makes a real number of it, and has another default.
final class VersionFolder {
  let folder: TemporaryFolder
  var url: URL { folder.url }
  var store: String { folder.path("s.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    try write(
      """
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>V2.xcdatamodel</string></dict></plist>
      """, to: "M.xcdatamodeld/.xccurrentversion")
    let city = Self.entity(
      "City", attributes: ["name": "attributeType='String'"],
      Self.toMany("people", "Person", inverse: "city"))
    let person = { (age: String, rank: String) in
      Self.entity(
        "Person",
        attributes: [
          "age": "optional='YES' \(age)", "email": "attributeType='String'",
          "fax": "optional='YES' attributeType='String'", "name": "attributeType='String'",
          "rank": "attributeType='Integer 16' defaultValueString='\(rank)'",
        ], Self.toOne("city", "City", inverse: "people"), Self.toMany("friends", "Person", inverse: "friends"))
    }
    try write(Self.model(city, person("attributeType='Integer 32'", "1")), to: "M.xcdatamodeld/V1.xcdatamodel/contents")
    try write(
      Self.model(
        Self.entity(
          "Town", "elementID='City'", attributes: ["title": "attributeType='String' elementID='name'"],
          Self.toMany("humans", "Human", inverse: "town", "elementID='people'")),
        Self.entity(
          "Human", "elementID='Person'",
          attributes: [
            "age": "optional='YES' attributeType='Integer 16'", "fullName": "attributeType='String' elementID='name'",
            "mail": "attributeType='String' elementID='email'",
            "note": "optional='YES' attributeType='String' elementID='note'",
            "rank": "attributeType='Integer 16' defaultValueString='1'",
          ], Self.toOne("town", "Town", inverse: "humans", "elementID='city'"),
          Self.toMany("friends", "Human", inverse: "friends"))),
      to: "M.xcdatamodeld/V2.xcdatamodel/contents")
    try write(Self.model(city, person("attributeType='String'", "1")), to: "M.xcdatamodeld/V3.xcdatamodel/contents")
    try write(Self.model(city, person("attributeType='Double'", "2")), to: "M.xcdatamodeld/V4.xcdatamodel/contents")
    try write("name\nRome\nOslo\n", to: "cities.csv")
    try write(
      "email,name,age,city,friends\na@x,Ada,36,Rome,b@x\nb@x,Bob,70,Oslo,\"a@x,c@x\"\nc@x,Cyd,,Rome,b@x\n",
      to: "people.csv")
  }

  @discardableResult func write(_ text: String, to name: String) throws -> String { try folder.write(text, to: name) }

  /// The steps of a pipeline over cities and people, by the names of the first version.
  static let steps = """
    { read: { csv: "cities.csv" }, entity: "City", key: ["name"], onConflict: "update" },
    { read: { csv: "people.csv" }, entity: "Person", key: ["email"], onConflict: "update",
      relationships: { city: { column: "city", by: "name" }, friends: { column: "friends", by: "email" } } },
    """

  /// Imports by a pipeline with some members, and some steps before its own.
  func run(
    _ members: String = "sourceVersion: 'V1'", before: String = "", steps: String = steps, _ arguments: [String] = []
  ) throws -> ToolRun {
    try write(
      "{ model: 'M.xcdatamodeld', store: 's.sqlite', \(members.isEmpty ? "" : members + ", ")steps: [\(before) \(steps)] }",
      to: "p.json5")
    return try tool(["import", "p.json5"] + arguments)
  }

  func tool(_ arguments: [String]) throws -> ToolRun { try ToolRun(arguments, in: url) }

  /// The files beside the inputs, and the reject files.
  func files() throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: url.path)).subtracting([
      "M.xcdatamodeld", "cities.csv", "people.csv", "p.json5",
    ])
  }

  /// What a store holds, but for its identity.
  func contents() throws -> [String] {
    try [
      "SELECT Z_PK, Z_ENT, ZAGE, ZFULLNAME, ZMAIL, ZNOTE, ZRANK, ZTOWN FROM ZHUMAN ORDER BY Z_PK",
      "SELECT Z_PK, Z_ENT, ZTITLE FROM ZTOWN ORDER BY Z_PK", "SELECT * FROM Z_1FRIENDS ORDER BY 1, 2",
      "SELECT * FROM Z_PRIMARYKEY ORDER BY Z_ENT",
    ].flatMap { try rows($0, in: store) }
  }

  // MARK: Models

  private static func model(_ entities: String...) -> String {
    "<?xml version='1.0' encoding='UTF-8'?><model type='com.apple.IDECoreDataModeler.DataModel' documentVersion='1.0'>"
      + entities.joined() + "</model>"
  }

  private static func entity(
    _ name: String, _ more: String = "", attributes: [String: String], _ relationships: String...
  ) -> String {
    "<entity name='\(name)' \(more)>"
      + attributes.sorted { $0.key < $1.key }.map { "<attribute name='\($0)' \($1)/>" }.joined()
      + relationships.joined() + "</entity>"
  }

  private static func toOne(_ name: String, _ entity: String, inverse: String, _ more: String = "") -> String {
    "<relationship name='\(name)' optional='YES' maxCount='1' destinationEntity='\(entity)' inverseName='\(inverse)' "
      + "inverseEntity='\(entity)' \(more)/>"
  }

  private static func toMany(_ name: String, _ entity: String, inverse: String, _ more: String = "") -> String {
    "<relationship name='\(name)' optional='YES' toMany='YES' destinationEntity='\(entity)' inverseName='\(inverse)' "
      + "inverseEntity='\(entity)' \(more)/>"
  }
}
