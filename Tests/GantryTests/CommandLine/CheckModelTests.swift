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
    #expect(
      Talk(["check", model]).errors
        == "gantry: --against is missing [usage]\n  Name a folder, or a commit, tag or branch of git, with the released model.\n"
    )
    let other = Talk(["check", model, "--against", folder.path("now/App/M.xcdatamodeld/V1.xcdatamodel/..")])
    #expect(other.status == .done)
    try folder.write("", to: "empty/readme.txt")
    let empty = Talk(["check", model, "--against", folder.path("empty")])
    #expect(empty.status == .store && empty.errors.contains("has no M.xcdatamodeld [check.released]"))
    #expect(Talk(["check"]).status == .usage)
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
