import Foundation
import SQLiteDriver
import TestSupport
import Testing

@testable import Gantry

/// What `gantry export` writes, says and refuses, by the built program.
struct ExportTests {
  /// A copy of the project with the store of one of its pipelines.
  private func project(_ pipeline: String) throws -> ProjectCopy {
    let project = try ProjectCopy()
    let run = try ToolRun(
      ["import", "Pipelines/\(pipeline).json5", "--store", "s.sqlite", "--quiet"], in: project.folder.url)
    try #require(run.status == 0, "\(run.errors)")
    return project
  }

  private func text(_ name: String, _ project: ProjectCopy) throws -> String {
    try String(contentsOf: project.url(name), encoding: .utf8)
  }

  @Test func company() throws {
    let project = try project("Company")
    let run = try ToolRun(
      ["export", "s.sqlite", "out", "--model", "SampleData/Company.xcdatamodeld"], in: project.folder.url)
    #expect(run.status == 0 && run.output.isEmpty)
    #expect(
      run.errors == """
        file                 records
        Department.csv             3
        Employee.csv               5
        Skill.csv                  3
        Employee.skills.csv        6
        folder: out

        """)
    #expect(
      try text("out/Department.csv", project) == """
        _id,budget,code,name
        Department/p1,1250000.5,ENG,Engineering
        Department/p2,480000,OPS,Operations
        Department/p3,99999.99,RES,Research

        """)
    #expect(
      try text("out/Employee.csv", project).hasPrefix(
        """
        _id,active,hired,name,number,salary,department,manager
        Employee/p1,true,2012-05-01,Mary Jackson,1001,,Department/p1,Employee/p4

        """))
    #expect(
      try text("out/import.json5", project) == """
        // Written by `gantry export`: `gantry import` makes a store of these files.
        {
          model: "../SampleData/Company.xcdatamodeld",
          store: "s.sqlite",
          steps: [
            { read: { csv: "Department.csv" }, entity: "Department", id: "_id" },
            {
              read: { csv: "Employee.csv" },
              entity: "Employee",
              id: "_id",
              relationships: { department: { column: "department", by: "_id" }, manager: { column: "manager", by: "_id" } },
            },
            { read: { csv: "Skill.csv" }, entity: "Skill", id: "_id" },
            {
              read: { csv: "Employee.skills.csv" },
              link: {
                entity: "Employee",
                relationship: "skills",
                from: { column: "_id", by: "_id" },
                to: { column: "skills", by: "_id" },
              },
            },
          ],
        }

        """)
    let back = try ToolRun(
      ["import", "out/import.json5", "--store", "back.sqlite", "--id-map", "ids.csv", "--quiet"],
      in: project.folder.url)
    #expect(back.status == 0 && back.errors.isEmpty)
    #expect(
      try text("ids.csv", project).hasPrefix("_id,new\nDepartment/p1,Department/p1\nDepartment/p2,Department/p2\n"))
    for sql in ["SELECT ZNAME, ZMANAGER, ZDEPARTMENT, ZHIRED FROM ZEMPLOYEE", "SELECT * FROM Z_2SKILLS ORDER BY 1, 2"] {
      #expect(
        try rows(sql, in: project.url("back.sqlite").path) == rows(sql, in: project.url("s.sqlite").path))
    }
  }

  /// Colours, rectangles and words of enumerations, as a person writes them.
  @Test(arguments: [
    Case(
      "shadows", "Palette.Swatch",
      "Swatch/p2,\"{-1, 0}\",#008080,\"{{0, 44}, {320, 392.5}}\",,\"[1,2,3]\",\"{1, 2, 3, 4}\",1999-12-31,sea,23:59:59,"
        + "https://example.org/sea?depth=3,underlined,color(srgb 0 0.75 0.75),\"[0.5, 0, 0, 0.5, 0, 0]\",2.54 cm"),
    Case("an enumeration", "Services.Service", "Service/p4,ada-tk,tk"),
  ])
  func kinds(_ c: Case<String, String>) throws {
    let names = c.input.split(separator: ".").map(String.init)
    let project = try project(names[0])
    let run = try ToolRun(
      ["export", "s.sqlite", "out", "--model", "SampleData/\(names[0]).xcdatamodeld", "--quiet"],
      in: project.folder.url)
    #expect(run.status == 0 && run.errors.isEmpty)
    #expect(try text("out/\(names[1]).csv", project).contains(c.expected + "\n"))
  }

  /// What does not come back as it is, is said, also by a quiet run.
  @Test func warnings() throws {
    let project = try project("Company")
    try rowsChanged("UPDATE ZEMPLOYEE SET ZACTIVE = NULL WHERE Z_PK < 3", project.url("s.sqlite").path)
    try rowsChanged("UPDATE ZSKILL SET Z_ENT = 77 WHERE Z_PK = 1", project.url("s.sqlite").path)
    let run = try ToolRun(
      ["export", "s.sqlite", "out", "--model", "SampleData/Company.xcdatamodeld", "--quiet"], in: project.folder.url)
    #expect(
      run.errors == """
        gantry: warning: 1 row is not exported: no object is of their entity, number 77 [export.rows]
          `gantry check` lists them.
        gantry: warning: Employee.active is required and has no value in 2 rows, which an import rejects [export.null]
          `gantry check` lists them; the `map` of import.json5 may say what stands for no value, as `whenNull`.

        """)
    #expect(run.status == 0)
    // The model has a default for it, which no row gets that has no value.
    #expect(try text("out/import.json5", project).contains("active: { column: \"active\", usesDefault: false }"))
    let back = try ToolRun(["import", "out/import.json5", "--store", "back.sqlite", "--quiet"], in: project.folder.url)
    #expect(back.status == 1, "\(back.errors)")
    #expect(try rows("SELECT COUNT(*), COUNT(ZACTIVE) FROM ZEMPLOYEE", in: project.url("back.sqlite").path) == ["3|3"])
  }

  /// A store of another version than the current one says by its hashes which it is of.
  @Test func otherVersion() throws {
    let project = try ProjectCopy()
    let model = ["--model", "SampleData/Contacts.xcdatamodeld"]
    func run(_ words: [String]) throws -> ToolRun { try ToolRun(words + model, in: project.folder.url) }
    try #require(
      try run([
        "import", "SampleData/contacts.csv", "--source-version", "Contacts", "--model-version", "Contacts2", "--entity",
        "Contatto", "--store", "s.sqlite", "--quiet",
      ]).status == 0)
    #expect(try run(["fetch", "s.sqlite", "Contatto", "--count"]).output == "8\n")
    #expect(try run(["check", "s.sqlite"]).errors == "s.sqlite: sound, 8 rows of Contacts2\n")
    #expect(try run(["export", "s.sqlite", "out", "--quiet"]).status == 0)
    #expect(try text("out/import.json5", project).contains("  version: \"Contacts2\",\n"))
    let back = try ToolRun(["import", "out/import.json5", "--quiet"], in: project.folder.url)
    #expect(back.status == 0, "\(back.errors)")
  }

  @Test func otherFormats() throws {
    let project = try project("Company")
    func export(_ words: String...) throws {
      let run = try ToolRun(
        ["export", "s.sqlite", "out", "--model", "SampleData/Company.xcdatamodeld", "--quiet"] + words,
        in: project.folder.url)
      #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    }
    try export("--format", "json")
    #expect(
      try text("out/Department.json", project).hasPrefix(
        "[\n{\"_id\": \"Department/p1\", \"budget\": 1250000.5, \"code\": \"ENG\", \"name\": \"Engineering\"},\n"))
    #expect(try JSONSerialization.jsonObject(with: Data(contentsOf: project.url("out/Employee.json"))) is [Any])
    #expect(!FileManager.default.fileExists(atPath: project.url("out/import.json5").path))
    try export("--format", "xml", "--force")
    #expect(
      try text("out/Employee.skills.xml", project).hasPrefix(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <objects>
          <link _id="Employee/p1">
            <skills>Skill/p1</skills>
          </link>

        """))
    #expect(!FileManager.default.fileExists(atPath: project.url("out/Department.json").path))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: project.folder.path("")).filter { $0.hasPrefix(".") } == [])
  }

  /// What is refused, and that nothing is made or left then.
  @Test func refusals() throws {
    let project = try project("Contacts")
    let store = project.url("s.sqlite").path
    func errors(_ words: String..., status: Int32) throws -> String {
      let run = try ToolRun(
        ["export"] + words + ["--model", "SampleData/Contacts.xcdatamodeld"], in: project.folder.url)
      #expect(run.status == status, "\(words) \(run.errors)")
      let names = try FileManager.default.contentsOfDirectory(atPath: project.folder.url.path)
      #expect(!names.contains { $0.contains("exporting") || $0.hasSuffix(".lock") } && !names.contains("new"))
      return run.errors
    }
    #expect(
      try errors("s.sqlite", "SampleData", status: 2)
        == "gantry: the folder SampleData is not empty [export.target]\n"
        + "  Name another, or say --force to replace an earlier export.\n")
    #expect(
      try errors("s.sqlite", "s.sqlite", status: 2)
        == "gantry: s.sqlite is a file, expected the name of a folder [export.target]\n"
        + "  Name a folder that is not there yet, or an empty one.\n")
    #expect(try errors("s.sqlite", status: 2).hasPrefix("gantry: expected STORE DIR, found 1 operand [usage]"))
    #expect(try errors("none.sqlite", "new", status: 6).contains("[store.missing]"))
    #expect(try errors("s.sqlite", "nowhere/new", status: 7).contains("[environment.folder]"))
    try rowsChanged("UPDATE ZCONTATTO SET ZNICK = 'a' || char(1) || 'b' WHERE Z_PK = 3", store)
    #expect(
      try errors("s.sqlite", "new", "--format", "xml", status: 6)
        == "gantry: nick of Contatto/p3 holds a control character, which XML cannot [export.character]\n"
        + "  Say --format csv or json.\n")
    try rowsChanged("UPDATE ZCONTATTO SET ZNICK = 'a' || char(0) || 'b' WHERE Z_PK = 3", store)
    #expect(
      try errors("s.sqlite", "new", status: 6)
        == "gantry: nick of Contatto/p3 holds a NUL character [export.character]\n"
        + "  No import takes it; --format json shows the text.\n")
    try rowsChanged("UPDATE ZCONTATTO SET ZNICK = CAST(x'61ff' AS TEXT) WHERE Z_PK = 3", store)
    #expect(
      try errors("s.sqlite", "new", status: 6)
        == "gantry: Contatto.nick of row 3 is no text: its bytes are not UTF-8 [store.text]\n"
        + "  An app shows other characters in their place: save the object anew there.\n")
  }

  private func rowsChanged(_ sql: String, _ store: String) throws { try Connection(store, .readWrite).execute(sql) }

  /// Rows that are of no entity of their table, and values that are none of their type, are said.
  @Test func foreign() throws {
    let project = try project("Company")
    try rowsChanged("UPDATE ZSKILL SET ZNAME = x'6162'", project.url("s.sqlite").path)
    try rowsChanged("UPDATE ZSKILL SET Z_ENT = 1 WHERE Z_PK = 1", project.url("s.sqlite").path)
    let run = try ToolRun(
      ["export", "s.sqlite", "out", "--model", "SampleData/Company.xcdatamodeld", "--quiet"], in: project.folder.url)
    #expect(
      run.errors == """
        gantry: warning: 1 row is not exported: no object is of their entity, Department, whose rows are not in ZSKILL [export.rows]
          `gantry check` lists them.
        gantry: warning: Skill.name is not of its type in 2 rows: an import refuses such a value, or changes it [export.value]
          `gantry check` lists them.

        """)
    #expect(run.status == 0)
  }

  /// What `gantry export` did not write is not replaced, whatever is said.
  @Test func replacing() throws {
    let project = try project("Company")
    func export(_ words: String...) throws -> ToolRun {
      try ToolRun(
        ["export", "s.sqlite"] + words + ["--model", "SampleData/Company.xcdatamodeld", "--quiet"],
        in: project.folder.url)
    }
    #expect(try export("out").status == 0 && export("out", "--format", "xml", "--force").status == 0)
    for (name, content) in [("s.sqlite", "a store"), ("thesis.txt", "a text"), ("Employee.csv.bak", "")] {
      try project.folder.write(content, to: "out/\(name)")
      let run = try export("out", "--force")
      #expect(run.status == 2)
      #expect(
        run.errors == """
          gantry: the folder out holds \(name), expected nothing but an earlier export of this model [export.target]
            Move that elsewhere, or name another folder: --force replaces what `gantry export` wrote, nothing else.

          """)
      #expect(try text("out/\(name)", project) == content)
      try FileManager.default.removeItem(at: project.url("out/\(name)"))
    }
    let run = try export("", "--force")
    #expect(run.status == 2)
    #expect(
      run.errors == "gantry: expected STORE DIR, found an empty operand [usage]\n"
        + "  Is a variable of the script not set? `gantry help export` says more.\n")
  }

  /// Names of a model that XML does not have.
  @Test(arguments: ["1x", "m²", "x½"]) func namesOfXML(_ name: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "<model><entity name=\"E\"><attribute name=\"\(name)\" optional=\"YES\" attributeType=\"String\"/></entity></model>",
      to: "M.xcdatamodel/contents")
    try #require(try ToolRun(["model", "create", "M.xcdatamodel", "s.sqlite"], in: folder.url).status == 0)
    let run = try ToolRun(
      ["export", "s.sqlite", "out", "--model", "M.xcdatamodel", "--format", "xml"], in: folder.url)
    #expect(run.status == 2)
    #expect(
      run.errors == "gantry: \"\(name)\" cannot be the name of an element: XML does not allow it [xml.name]\n"
        + "  Say --format csv or json.\n")
    #expect(!FileManager.default.fileExists(atPath: folder.path("out")))
  }

  /// Stopped by a signal, it leaves nothing.
  @Test func stops() throws {
    let folder = try ItemFolder()
    try folder.csv(1...20_000)
    try #require(folder.import("items.csv").status == 0)
    let running = try RunningTool(["export", "items.sqlite", "out", "--model", "Item.xcdatamodel"], in: folder.url)
    while running.process.isRunning,
      !FileManager.default.fileExists(atPath: folder.url.appendingPathComponent(".out.exporting").path)
    { usleep(1000) }
    kill(running.process.processIdentifier, SIGTERM)
    let run = try running.wait()
    // It may have been faster.
    if run.status != 0 {
      #expect(run.status == 143)
      #expect(run.errors == "gantry: stopped; nothing was made. Run the same command again to begin anew.\n")
      #expect(!FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("out").path))
    }
    #expect(!FileManager.default.fileExists(atPath: folder.url.appendingPathComponent(".out.exporting").path))
  }
}
