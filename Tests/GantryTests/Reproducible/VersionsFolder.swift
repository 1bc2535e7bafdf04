import Foundation
import TestSupport

/// A folder with a model of five versions (`M.xcdatamodeld`), of which the third is current, files of people, cities and tags, and a pipeline
/// that is written for the current version (`p.json5`).
final class VersionsFolder {
  private let folder: TemporaryFolder
  var url: URL { folder.url }

  init() throws {
    folder = try TemporaryFolder()
    let city = "<entity name=\"City\"><attribute name=\"name\" attributeType=\"String\"/></entity>"
    let person = "<entity name=\"Person\" elementID=\"Man\"><attribute name=\"name\" attributeType=\"String\"/>"
    let born = "<attribute name=\"born\" optional=\"YES\" attributeType=\"Date\">"
    let versions = [
      // An attribute that is gone since, and none of what came later.
      "V1": "<entity name=\"Man\"><attribute name=\"name\" attributeType=\"String\"/>"
        + "<attribute name=\"fax\" attributeType=\"String\"/></entity>",
      // Other names, and no word how dates are read.
      "V2": person + "<attribute name=\"nick\" optional=\"YES\" attributeType=\"String\"/>" + born + "</attribute>"
        + "<relationship name=\"home\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"City\"/></entity>" + city,
      "V3": person + "<attribute name=\"alias\" optional=\"YES\" attributeType=\"String\" elementID=\"nick\"/>" + born
        + "<userInfo><entry key=\"dateFormat\" value=\"dd/MM/yyyy\"/></userInfo></attribute>"
        + "<relationship name=\"city\" optional=\"YES\" maxCount=\"1\" destinationEntity=\"City\" elementID=\"home\"/>"
        + "<relationship name=\"tags\" optional=\"YES\" toMany=\"YES\" destinationEntity=\"Tag\" inverseName=\"people\" inverseEntity=\"Tag\"/>"
        + "</entity>" + city + "<entity name=\"Tag\"><attribute name=\"word\" attributeType=\"String\"/>"
        + "<relationship name=\"people\" optional=\"YES\" toMany=\"YES\" destinationEntity=\"Person\" inverseName=\"tags\" inverseEntity=\"Person\"/>"
        + "</entity>",
      // Something that no file has.
      "V4": person + "<attribute name=\"badge\" attributeType=\"String\"/></entity>",
      // Nothing of it all.
      "V10": "<entity name=\"Thing\"><attribute name=\"name\" attributeType=\"String\"/></entity>",
    ]
    for (name, entities) in versions {
      try write("<model>\(entities)</model>", to: "M.xcdatamodeld/\(name).xcdatamodel/contents")
    }
    try write(
      "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>V3.xcdatamodel</string></dict></plist>",
      to: "M.xcdatamodeld/.xccurrentversion")
    try write("name\nLondon\nParis\n", to: "cities.csv")
    try write(
      """
      name,nick name,born,city,fax
      Ada,countess,01/01/2001,London,1
      Alan,prof,02/01/2001,Paris,2
      Ada,duchess,,,3

      """, to: "people.csv")
    try write("word\nfirst\nlast\n", to: "tags.csv")
    try write("name,word\nAlan,first\n", to: "links.csv")
    try write(
      """
      { model: "M.xcdatamodeld", store: "s.sqlite", steps: [
        { read: { csv: "cities.csv" }, entity: "City", key: ["name"], onConflict: "update" },
        { read: { csv: "people.csv" }, entity: "Person", map: { alias: "nick name" }, ignore: ["fax"],
          key: ["name", "alias"], onConflict: "update", relationships: { city: { column: "city", by: "name" } } },
        { read: { csv: "tags.csv" }, entity: "Tag" },
        { read: { csv: "links.csv" }, link: { entity: "Person", relationship: "tags",
          from: { column: "name", by: "name" }, to: { column: "word", by: "word" } } } ] }
      """, to: "p.json5")
  }

  func path(_ name: String) -> String { folder.path(name) }

  func write(_ text: String, to name: String) throws { try folder.write(text, to: name) }

  func write(_ data: Data, to name: String) throws { try folder.write(data, to: name) }

  /// The names in a folder.
  func names(in name: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(name)).sorted()
  }

  /// The bytes of all files in a folder and those within, by name.
  func bytes(in name: String) throws -> [String: Data] {
    var bytes: [String: Data] = [:]
    for file in FileManager.default.subpaths(atPath: path(name)) ?? [] {
      // Of a folder there are none.
      bytes[file] = try? Data(contentsOf: url.appendingPathComponent("\(name)/\(file)"))
    }
    return bytes
  }

  /// A table without its times and paddings.
  func withoutTimes(_ table: String) -> String {
    table.replacing(#/ +\d+\.\d\d /#, with: " TIME ").replacing(#/ +/#, with: " ")
  }
}
