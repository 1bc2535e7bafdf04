import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import Gantry

/// `gantry model generate`: what it writes is what the tests and the pipelines compile and use.
struct GenerateTests {
  static let generated: [Case<String, String>] = [
    Case("every kind of property", "Tests/CoreDataTests/Everything.xcdatamodel", "Tests/CoreDataTests/Generated"),
    Case("contacts", "SampleData/Contacts.xcdatamodeld", "Pipelines/Contatti/Generated"),
  ]

  @Test(arguments: generated)
  func classesAreAsCompiled(_ c: Case<String, String>) throws {
    let folder = try TemporaryFolder()
    let model = ToolRun.project.appendingPathComponent(c.input).path
    let run = try ToolRun(["model", "generate", model, folder.path("classes")])
    #expect(run.status == 0 && run.output.isEmpty, "\(run.errors)")
    let made = try texts(folder.url.appendingPathComponent("classes"))
    #expect(made == (try texts(ToolRun.project.appendingPathComponent(c.expected))))
    #expect(made.count >= 3)
  }

  /// Names that would lead out of the folder, or be no Swift.
  @Test(arguments: [
    Case("a path", ("../evil/X", "a"), "the class of E is called \"/evil/X\", which Swift cannot spell"),
    Case("code", ("a b; import Foundation", "a"), "the class of E is called \"a b; import Foundation\""),
    Case("a property", ("E", "a&#10;b"), "a property of E is called \"a"),
  ])
  func names(_ c: Case<(String, String), String>) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      <model><entity name="E" representedClassName="\(c.input.0)">
        <attribute name="\(c.input.1)" optional="YES" attributeType="String"/></entity></model>
      """, to: "M.xcdatamodel/contents")
    let run = Talk(["model", "generate", folder.path("M.xcdatamodel"), folder.path("classes")])
    #expect(run.status == .store && run.errors.contains(c.expected) && run.errors.contains("[model.class-name]"))
    #expect(!FileManager.default.fileExists(atPath: folder.path("classes")))
  }

  /// What somebody wrote into the class file stays; the properties follow the model.
  @Test func ownPartsStay() throws {
    let folder = try TemporaryFolder()
    let model = ToolRun.project.appendingPathComponent("SampleData/Contacts.xcdatamodeld").path
    for _ in 0..<2 {
      #expect(try ToolRun(["model", "generate", model, folder.url.path]).status == 0)
      try folder.write("// mine", to: "Contatto+CoreDataClass.swift")
      try folder.write("// old", to: "Contatto+CoreDataProperties.swift")
    }
    #expect(try ToolRun(["model", "generate", model, folder.url.path]).status == 0)
    let texts = try texts(folder.url)
    #expect(texts["Contatto+CoreDataClass.swift"] == "// mine")
    #expect(texts["Contatto+CoreDataProperties.swift"]?.contains("public var nome: String?") == true)
  }

  @Test func entitiesWithoutClass() throws {
    let folder = try TemporaryFolder()
    try folder.write("<model><entity name=\"Plain\"/></model>", to: "M.xcdatamodel/contents")
    let run = try ToolRun(["model", "generate", folder.path("M.xcdatamodel"), folder.path("classes")])
    #expect(run.status == 0)
    #expect(
      run.errors == """
        gantry: warning: the entity Plain names no class, and gets none [model.no-class]
          Give it one in the model (Xcode: Class, Name).

        """)
    #expect(try texts(folder.url.appendingPathComponent("classes")).isEmpty)
    #expect(try ToolRun(["model", "generate", folder.path("M.xcdatamodel")]).status == 2)
  }

  private func texts(_ folder: URL) throws -> [String: String] {
    var texts: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      texts[name] = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }
    return texts
  }
}
