import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import ObjectModel

@Suite struct ModelFileTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Makes a package whose versions have one entity of the version's name each.
  private func package(_ versions: [String], current: String? = nil, _ name: String = "M.xcdatamodeld") throws -> URL {
    for version in versions {
      try folder.write(contents("<entity name=\"\(version)\"/>"), to: "\(name)/\(version).xcdatamodel/contents")
    }
    if let current {
      try folder.write(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(current)</string></dict></plist>
        """, to: "\(name)/.xccurrentversion")
    }
    return folder.url.appendingPathComponent(name)
  }

  private func entity(_ url: URL, version: String? = nil) throws -> String? {
    try NSManagedObjectModel(contentsOf: url, version: version).entities.first?.name
  }

  private func message(_ url: URL, version: String? = nil) throws -> String {
    let error = #expect(throws: Diagnostic.self) { try entity(url, version: version) }
    #expect(error?.code.fate == .store)
    return error.map { "\($0)".replacingOccurrences(of: folder.url.path + "/", with: "") } ?? ""
  }

  @Test func theCurrentVersion() throws {
    #expect(try entity(package(["V1", "V2", "V 3"], current: "V2.xcdatamodel")) == "V2")
  }

  @Test(arguments: ["V1", "V1.xcdatamodel"]) func theVersionAskedFor(_ version: String) throws {
    #expect(try entity(package(["V1", "V2"], current: "V2.xcdatamodel"), version: version) == "V1")
  }

  @Test func theOnlyVersion() throws {
    let url = try package(["V"])
    #expect(try entity(url) == "V")
    #expect(try entity(url.appendingPathComponent("V.xcdatamodel")) == "V")
    #expect(try entity(url.appendingPathComponent("V.xcdatamodel"), version: "V") == "V")
    #expect(try entity(url.appendingPathComponent("V.xcdatamodel/contents")) == "V")
    #expect(try entity(url.appendingPathComponent("V.xcdatamodel/contents"), version: "V") == "V")
  }

  @Test func anyFile() throws {
    let path = try folder.write(contents(#"<entity name="A"/>"#), to: "model.xml")
    #expect(try entity(URL(fileURLWithPath: path)) == "A")
    #expect(
      try message(URL(fileURLWithPath: path), version: "V").hasSuffix(
        "has no version V [model.version]\n  The file is not in a versioned model: leave --model-version out."))
  }

  @Test func noVersionIsGuessed() throws {
    #expect(
      try message(package(["Model", "Model 2", "Model 10"])) == """
        M.xcdatamodeld has 3 versions, and no .xccurrentversion says which is the current one [model.version]
          The versions are Model, Model 2, Model 10. Name one with --model-version.
        """)
    #expect(
      try message(package(["Model"]), version: "Model 3") == """
        M.xcdatamodeld has no version Model 3 [model.version]
          The versions are Model, Model 2, Model 10.
        """)
    #expect(
      try message(package(["Model"], current: "Gone.xcdatamodel")) == """
        the current version of M.xcdatamodeld is Gone, which is not there [model.version]
          The versions are Model, Model 2, Model 10. Name one with --model-version.
        """)
  }

  @Test func aMarkerThatIsNoPropertyList() throws {
    let url = try package(["V1", "V2"])
    try folder.write("V2", to: "M.xcdatamodeld/.xccurrentversion")
    #expect(try message(url).hasPrefix("M.xcdatamodeld/.xccurrentversion is not a property list [model.version]"))
  }

  static let binary = [
    ("Old.xcdatamodel/elements", "Old.xcdatamodel"), ("M.momd/V1.mom", "M.momd"), ("M.momd/V1.mom", "M.momd/V1.mom"),
    ("M.momd/V1.omo", "M.momd/V1.omo"),
  ]
  @Test(arguments: binary) func compiledOrOld(_ file: String, _ path: String) throws {
    try folder.write(file.hasSuffix("omo") ? "momv2$[]..." : "bplist00...", to: file)
    #expect(
      try message(folder.url.appendingPathComponent(path)) == """
        \(path) is a compiled model or one of Xcode 3, which cannot be read yet [model.binary]
          Give the source of the model: the .xcdatamodeld in the app's project, saved by Xcode 4 or later.
        """)
  }

  @Test func nothingThere() throws {
    #expect(
      try message(folder.url.appendingPathComponent("No.xcdatamodeld")) == """
        there is no model at No.xcdatamodeld [model.missing]
          A path is relative to the folder in which the program runs, or to the pipeline file that names it.
        """)
    try folder.write("", to: "Empty.xcdatamodeld/readme.txt")
    #expect(
      try message(folder.url.appendingPathComponent("Empty.xcdatamodeld")).hasPrefix(
        "the folder Empty.xcdatamodeld holds no model [model.missing]"))
  }
}
