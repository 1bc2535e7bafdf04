import Foundation
import TestSupport
import Testing

@testable import Gantry

/// `gantry check MODEL --against`.
struct CheckModelTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func write(_ attribute: String, version: String, in place: String) throws {
    try folder.write(
      "<model><entity name=\"A\">\(attribute)</entity></model>",
      to: "\(place)/App/M.xcdatamodeld/\(version).xcdatamodel/contents")
    try folder.write(
      "<plist version=\"1.0\"><dict><key>_XCCurrentVersionName</key><string>\(version).xcdatamodel</string></dict></plist>",
      to: "\(place)/App/M.xcdatamodeld/.xccurrentversion")
  }

  private static let name = #"<attribute name="name" attributeType="String"/>"#

  @Test(arguments: ["released", "released/App", "released/App/M.xcdatamodeld"])
  func againstAFolder(_ against: String) throws {
    try write(Self.name, version: "V1", in: "released")
    try write(Self.name, version: "V1", in: "now")
    let model = folder.path("now/App/M.xcdatamodeld")
    // A project is found by the path of the model in it, which here begins at the folder of the test.
    guard against != "released" else {
      let run = try ToolRun(
        ["check", "App/M.xcdatamodeld", "--against", folder.path("released")],
        in: folder.url.appendingPathComponent("now"))
      #expect(run.status == 0 && run.output.isEmpty, "\(run.errors)")
      return
    }
    let good = Talk(["check", model, "--against", folder.path(against)])
    #expect(good.status == .done && good.output.isEmpty)
    #expect(good.errors == "\(model): 1 released versions are unchanged since \(folder.path(against))\n")

    try write("", version: "V1", in: "now")
    let bad = Talk(["check", model, "--against", folder.path(against)])
    #expect(bad.status == .store)
    #expect(
      bad.output == """
        the version V1 has changed: stores of it no longer open; entities that differ: A [check.version]
          Restore it, and make the change in a new version.

        """)
    let report = try JSONSerialization.jsonObject(
      with: Data(Talk(["check", model, "--against", folder.path(against), "--json"]).output.utf8))
    let findings = (report as? [String: Any])?["findings"] as? [[String: String]]
    #expect(findings?.map { $0["code"] } == ["check.version"])
  }

  @Test(.enabled(if: Git.isThere, "skipped: no git")) func againstACommit() throws {
    try write(Self.name, version: "V1", in: "project")
    let project = folder.url.appendingPathComponent("project")
    try Git.run(["init", "-q"], in: project)
    try Git.run(["add", "."], in: project)
    try Git.run(["commit", "-q", "-m", "Release"], in: project)
    try Git.run(["tag", "v1"], in: project)
    let model = folder.path("project/App/M.xcdatamodeld")
    #expect(Talk(["check", model, "--against", "v1"]).status == .done)

    try write(#"<attribute name="title" attributeType="String"/>"#, version: "V2", in: "project")
    let renamed = Talk(["check", model, "--against", "v1"])
    #expect(renamed.status == .store && renamed.output.contains("A.name is gone and A.title is new"))
    try write(#"<attribute name="title" elementID="name" attributeType="String"/>"#, version: "V2", in: "project")
    #expect(Talk(["check", model, "--against", "HEAD"]).status == .done)

    // What is new is no mistake, and what is no commit is one.
    try folder.write("<model/>", to: "project/New.xcdatamodeld/V1.xcdatamodel/contents")
    let new = Talk(["check", folder.path("project/New.xcdatamodeld"), "--against", "v1"])
    #expect(new.status == .done && new.errors.hasSuffix("New.xcdatamodeld is new: it is not in v1\n"))
    for reference in ["v2", "--help", "v1:App"] {
      let none = Talk(["check", model, "--against=\(reference)"])
      #expect(
        none.status == .usage && none.errors.contains("\(reference) is no folder, and no commit, tag or branch"),
        "\(none.errors)")
    }
  }

  @Test func whatIsMissing() throws {
    try write(Self.name, version: "V1", in: "now")
    let model = folder.path("now/App/M.xcdatamodeld")
    let alone = Talk(["check", model])
    #expect(alone.status == .done)
    #expect(alone.errors == "\(model): sound by itself; --against compares it with what was released\n")
    let other = Talk(["check", model, "--against", folder.path("now/App/M.xcdatamodeld/V1.xcdatamodel/..")])
    #expect(other.status == .done)
    try folder.write("", to: "empty/readme.txt")
    let empty = Talk(["check", model, "--against", folder.path("empty")])
    #expect(empty.status == .store && empty.errors.contains("has no M.xcdatamodeld [check.released]"))
    #expect(Talk(["check"]).status == .usage)
  }
}

/// `gantry check` of the shadow attributes of a model, by itself, against a release, and as a pipeline maps it.
struct CheckShadowsTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func model(_ attributes: String) throws -> String {
    for place in ["now", "released"] {
      try folder.write(
        "<model><entity name=\"E\">\(attributes)</entity></model>",
        to: "\(place)/M.xcdatamodeld/V1.xcdatamodel/contents")
    }
    return folder.path("now/M.xcdatamodeld")
  }

  private static func transient(_ info: [String: String] = [:]) -> String {
    let entries = info.sorted { $0.key < $1.key }.map { "<entry key=\"\($0)\" value=\"\($1)\"/>" }.joined()
    return #"<attribute name="t" optional="YES" transient="YES"><userInfo>\#(entries)</userInfo></attribute>"#
  }
  private static let stored = #"<attribute name="tData" optional="YES" attributeType="Binary"/>"#
  private static let required = #"<attribute name="tData" attributeType="Binary"/>"#

  static let cases: [Case<String, String>] = [
    Case(
      "no shadow", transient(),
      "entity E, attribute t: it is transient and has no type, and no stored attribute keeps its value [model.shadow]\n"
        + "  Name the stored attribute by the key `shadow` of its userInfo, or call it tData, tAsString or tString.\n"),
    Case(
      "no kind", transient() + stored,
      "entity E, attribute t: nothing says of which kind the value is that tData keeps [model.shadow]\n"),
    Case("all is said", transient(["kind": "color"]) + stored, ""),
  ]

  @Test(arguments: cases) func said(_ c: Case<String, String>) throws {
    let path = try model(c.input)
    for words in [["check", path], ["check", path, "--against", folder.path("released")]] {
      let talk = Talk(words)
      #expect(talk.status == (c.expected.isEmpty ? .done : .store), "\(talk.errors)")
      #expect(c.expected.isEmpty ? talk.output.isEmpty : talk.output.hasPrefix(c.expected), "\(talk.output)")
    }
  }

  /// A first save would fail, an import does not: worth a word, and no more.
  @Test func requiredAndLate() throws {
    let talk = Talk(["check", try model(Self.transient(["kind": "color", "setter": "delayed"]) + Self.required)])
    #expect(talk.status == .done && talk.output.isEmpty)
    #expect(
      talk.errors.hasPrefix(
        "gantry: warning: entity E, attribute t: its shadow tData is required and set late, behind the validation: a first save "
          + "fails [model.late-shadow]\n  Make tData optional, or set the key `setter` to `immediate`.\n"))
  }

  @Test(arguments: [
    Case("the pipeline tells the kind", "{ t: { kind: 'color' } }", Gantry.ExitStatus.done),
    Case("it tells a column alone", "{ t: 'colour' }", .store),
  ])
  func ofAPipeline(_ c: Case<String, Gantry.ExitStatus>) throws {
    _ = try model(Self.transient() + Self.stored)
    let path = try folder.write(
      "{ model: 'now/M.xcdatamodeld', store: 's', steps: [{ read: { csv: 'a.csv' }, entity: 'E', map: \(c.input) }] }",
      to: "p.json5")
    let talk = Talk(["check", path])
    #expect(talk.status == c.expected)
    #expect(talk.output.contains("nothing says of which kind") == (c.expected == .store))
    #expect(Talk(["check", path, "--against", "x"]).errors.contains("--against does not go with the pipeline"))
  }

  /// What an import would say before its first record, where the inputs are there.
  @Test(arguments: [
    Case("a column that fits nothing", "entity: 'Item', map: { name: 'nome' }", "\"nome\""),
    Case("a key that is no attribute", "entity: 'Item', key: ['kode']", "the entity Item has no attribute kode"),
    Case(
      "a relationship by what is no attribute",
      "entity: 'Item', relationships: { parent: { column: 'count', by: 'kode' } }",
      "the entity Item has no attribute kode"),
    Case(
      "a required attribute without a column", "entity: 'Item', ignore: ['name']",
      "the required attribute name has no column"),
    Case("nothing", "entity: 'Item'", ""),
  ])
  func besideInputs(_ c: Case<String, String>) throws {
    let ground = try ItemFolder()
    let path = try ground.write(
      "{ model: 'Item.xcdatamodel', store: 's', steps: [{ read: { csv: 'items.csv' }, \(c.input) }] }", to: "p.json5")
    #expect(Talk(["check", path]).errors.hasSuffix("items.csv is not there, so that an import compares the columns\n"))
    try ground.csv(1...3)
    let talk = Talk(["check", path])
    #expect(talk.status == (c.expected.isEmpty ? .done : .usage))
    #expect(
      talk.errors.contains(c.expected.isEmpty ? "sound, and fits the columns of its inputs" : c.expected),
      "\(talk.errors)")
    #expect(!FileManager.default.fileExists(atPath: ground.path("s")))
  }

  @Test func pipelinesThatAreWrong() throws {
    _ = try model(Self.stored)
    let path = try folder.write(
      "{ model: 'now/M.xcdatamodeld', store: 's', steps: [{ read: { csv: 'a.csv' }, entity: 'F' }] }", to: "p.json5")
    #expect(
      Talk(["check", path]).errors
        == "gantry: the model has no entity F [step.entity]\n  Did you mean E? There are E.\n")
    try folder.write("{ modle: 'm' }", to: "p.json5")
    #expect(Talk(["check", path]).status == .usage)
  }
}

/// Git, as tests use it.
enum Git {
  static var isThere: Bool { (try? run(["--version"], in: FileManager.default.temporaryDirectory)) != nil }

  static func run(_ arguments: [String], in folder: URL) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["git", "-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"] + arguments
    process.currentDirectoryURL = folder
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "git \(arguments)")
  }
}
