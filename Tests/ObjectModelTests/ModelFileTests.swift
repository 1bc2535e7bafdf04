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
          The versions are Model, Model 2, Model 10. Name one: --model-version, or --to of a migration.
        """)
    #expect(
      try message(package(["Model"]), version: "Model 3") == """
        M.xcdatamodeld has no version Model 3 [model.version]
          The versions are Model, Model 2, Model 10.
        """)
    #expect(
      try message(package(["Model"], current: "Gone.xcdatamodel")) == """
        the current version of M.xcdatamodeld is Gone, which is not there [model.version]
          The versions are Model, Model 2, Model 10. Name one: --model-version, or --to of a migration.
        """)
  }

  @Test func aMarkerThatIsNoPropertyList() throws {
    let url = try package(["V1", "V2"])
    try folder.write("V2", to: "M.xcdatamodeld/.xccurrentversion")
    #expect(try message(url).hasPrefix("M.xcdatamodeld/.xccurrentversion is not a property list [model.version]"))
  }

  static let refused = [
    Case(
      "Xcode 3's folder", (file: "Old.xcdatamodel/elements", path: "Old.xcdatamodel"),
      "Old.xcdatamodel is a model of Xcode 3, in a form that is not read [model.binary]"),
    Case(
      "Xcode 3's file", (file: "Old.xcdatamodel/elements", path: "Old.xcdatamodel/elements"),
      "Old.xcdatamodel/elements is a model of Xcode 3, in a form that is not read [model.binary]"),
    Case(
      "optimised alone", (file: "M.momd/V1.omo", path: "M.momd"),
      "M.momd is an optimised compiled model (.omo), whose form is Apple's own [model.binary]"),
    Case(
      "optimised", (file: "M.momd/V1.omo", path: "M.momd/V1.omo"),
      "M.momd/V1.omo is an optimised compiled model (.omo), whose form is Apple's own [model.binary]"),
    Case(
      "a store", (file: "a.sqlite", path: "a.sqlite"), "expected a model, found a store: a.sqlite [model.binary]"),
    Case(
      "no archive", (file: "M.momd/V1.mom", path: "M.momd"),
      "M.momd/V1.mom: the compiled model cannot be read: the binary property list is damaged: it is cut short "
        + "[model.archive]"),
    Case(
      "XML in its place", (file: "V1.mom", path: "V1.mom"),
      "V1.mom: the compiled model cannot be read: the XML property list is damaged: the XML is not well-formed: XML declaration allowed only at the start of the document [model.archive]"
    ),
  ]
  @Test(arguments: refused) func compiledOrOld(_ c: Case<(file: String, path: String), String>) throws {
    let texts = ["omo": "momv2$[]...", "sqlite": "SQLite format 3\0", "": "bplist00..."]
    let name = URL(fileURLWithPath: c.input.file).pathExtension
    try folder.write(texts[name] ?? (c.input.file == "V1.mom" ? "<?xml?>" : "bplist00..."), to: c.input.file)
    let lines = try message(folder.url.appendingPathComponent(c.input.path)).split(separator: "\n")
    #expect(lines.first.map(String.init) == c.expected)
    #expect(lines.count == 2, "without a hint")
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
