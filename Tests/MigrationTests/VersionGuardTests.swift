import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import Migration

/// What a team must not do to a model that was released.
@Suite struct VersionGuardTests {
  /// A package of versions; the current one has a star.
  private func versions(_ versions: [String: String], _ name: String, in folder: TemporaryFolder) throws
    -> ModelVersions
  {
    let package = "\(name)/M.xcdatamodeld"
    for (version, inside) in versions {
      let name = version.replacingOccurrences(of: "*", with: "")
      try folder.write("<model>\(inside)</model>", to: "\(package)/\(name).xcdatamodel/contents")
      if name != version {
        try folder.write(
          "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>\(name).xcdatamodel</string></dict></plist>",
          to: "\(package)/.xccurrentversion")
      }
    }
    return try ModelVersions(contentsOf: folder.url.appendingPathComponent(package))
  }

  private static func person(_ inside: String) -> String { "<entity name=\"Person\">\(inside)</entity>" }
  private static let name = #"<attribute name="name" optional="YES" attributeType="String"/>"#
  private static let one = person(name)

  static let cases: [Case<(released: [String: String], now: [String: String]), [String]>] = [
    Case("nothing", (["V1*": one], ["V1*": one]), []),
    Case(
      "a new version",
      (["V1*": one], ["V1": one, "V2*": person(name + #"<attribute name="age" attributeType="Date"/>"#)]), []),
    Case(
      "a version that is gone", (["V1": one, "V2*": one], ["V2*": one]),
      ["the version V1 is gone: stores of it can no longer be migrated"]),
    Case(
      "a version that has changed", (["V1*": one], ["V1*": person("")]),
      ["the version V1 has changed: stores of it no longer open; entities that differ: Person"]),
    Case(
      "back", (["V1": one, "V2": one, "V10*": one], ["V1": one, "V2*": one, "V10": one]),
      ["the current version goes back from V10 to V2"]),
    Case("one that was prepared", (["V1*": one, "V2": one], ["V1": one, "V2*": one]), []),
    Case(
      "a rename that is told",
      (
        ["V1*": one], ["V1": one, "V2*": person(#"<attribute name="title" elementID="name" attributeType="String"/>"#)]
      ), []),
    Case(
      "a rename that is not",
      (["V1*": one], ["V1": one, "V2*": person(#"<attribute name="title" attributeType="String"/>"#)]),
      [
        "in the version V2 Person.name is gone and Person.title is new, and they are alike: a rename loses the values"
      ]),
    Case(
      "the nearest of two that are gone",
      (
        [
          "V1*": person(
            #"<attribute name="maker" attributeType="String"/><attribute name="model" attributeType="String"/>"#)
        ],
        [
          "V1": person(
            #"<attribute name="maker" attributeType="String"/><attribute name="model" attributeType="String"/>"#),
          "V2*": person(#"<attribute name="modelName" attributeType="String"/>"#),
        ]
      ),
      [
        "in the version V2 Person.model is gone and Person.modelName is new, and they are alike: a rename loses the values"
      ]),
    Case(
      "a new one that says so",
      (
        ["V1*": one],
        ["V1": one, "V2*": person(#"<attribute name="title" elementID="title" attributeType="String"/>"#)]
      ), []),
    Case(
      "one of another type",
      (["V1*": one], ["V1": one, "V2*": person(#"<attribute name="title" attributeType="Date"/>"#)]), []),
    Case(
      "an identifier of nothing",
      (
        ["V1*": one],
        [
          "V1": one,
          "V2*": person(name + #"<attribute name="title" elementID="nmae" optional="YES" attributeType="Date"/>"#),
        ]
      ),
      [
        "in the version V2 Person.title has the renaming identifier (elementID) nmae, which nothing has in V1: it will be empty"
      ]),
    Case(
      "by the last name, not by the identifier that is kept",
      (
        ["V1*": person(#"<attribute name="title" elementID="name" optional="YES" attributeType="String"/>"#)],
        [
          "V1": person(#"<attribute name="title" elementID="name" optional="YES" attributeType="String"/>"#),
          "V2*": person(#"<attribute name="heading" elementID="title" optional="YES" attributeType="String"/>"#),
        ]
      ),
      [
        "in the version V2 Person.heading has the renaming identifier (elementID) title, which nothing has in V1: it will be empty"
      ]),
    Case(
      "an entity", (["V1*": one], ["V1": one, "V2*": "<entity name=\"Human\">\(name)</entity>"]),
      ["in the version V2 entity Person is gone and entity Human is new, and they are alike: a rename loses the values"]
    ),
  ]
  @Test(arguments: cases) func finds(
    _ c: Case<(released: [String: String], now: [String: String]), [String]>
  ) throws {
    let folder = try TemporaryFolder()
    let released = try versions(c.input.released, "released", in: folder)
    let found = VersionGuard(try versions(c.input.now, "now", in: folder), against: released).findings()
    #expect(found.map(\.message) == c.expected)
    #expect(found.allSatisfy { $0.code.fate == .store })
  }

  @Test func theIdentifierIsKept() throws {
    let folder = try TemporaryFolder()
    let c = try #require(Self.cases.first { $0.name.hasPrefix("by the last name") }).input
    let released = try versions(c.released, "released", in: folder)
    let found = VersionGuard(try versions(c.now, "now", in: folder), against: released).findings()
    #expect(found.map(\.hint) == ["What is called title there has the identifier name: an identifier is kept."])
  }
}
