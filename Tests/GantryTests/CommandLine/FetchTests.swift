import Diagnostics
import Foundation
import Records
import TestSupport
import Testing

@testable import Gantry

/// What `gantry fetch` prints and refuses.
struct FetchTests {
  let folder: TemporaryFolder
  private static let project = ToolRun.project.path

  init() throws { folder = try TemporaryFolder() }

  /// Makes the store of a sample pipeline; gives the words before a fetch's options.
  private func fetch(_ entity: String, of sample: String) throws -> [String] {
    let store = folder.path("\(sample).sqlite")
    if !FileManager.default.fileExists(atPath: store) {
      let run = Talk(["import", "\(Self.project)/Pipelines/\(sample).json5", "--store", store, "--quiet"])
      try #require(run.status == .done, "\(run.errors)")
    }
    return ["fetch", store, entity, "--model", "\(Self.project)/SampleData/\(sample).xcdatamodeld"]
  }

  /// Options, and what is printed as CSV of the employees of the sample company.
  static let printed: [Case<[String], String>] = [
    Case(
      "the default columns", ["--limit", "1"],
      "_id,active,hired,name,number,salary\nEmployee/p1,true,2012-05-01T00:00:00Z,Mary Jackson,1001,\n"),
    Case(
      "a condition", ["--where", "number > 1001 AND name BEGINSWITH[cd] \"a\"", "--select", "_id,name"],
      "_id,name\nEmployee/p3,Annie Easley\n"),
    Case("no object", ["--where", "ANY skills.name == \"none\"", "--select", "name"], "name\n"),
    Case(
      "an order", ["--sort", "department.name, -name", "--select", "department.name,name", "--limit", "4"],
      "department.name,name\nEngineering,Mary Jackson\nEngineering,Margaret Hamilton\nEngineering,Dorothy Vaughan\n"
        + "Operations,Evelyn Boyd\n"),
    Case(
      "one that falls", ["--sort", "-number", "--limit", "2", "--select", "_id"], "_id\nEmployee/p5\nEmployee/p4\n"),
    Case("an offset", ["--offset", "3", "--select", "number"], "number\n1004\n1005\n"),
    Case(
      "paths over relationships",
      ["--select", "manager,manager.department.budget,manager.manager.name", "--limit", "3"],
      "manager,manager.department.budget,manager.manager.name\nEmployee/p4,1250000.5,Dorothy Vaughan\n,,\nEmployee/p2,1250000.5,\n"
    ),
    Case(
      "counts", ["--sort", "-skills.@count,number", "--select", "skills.@count,department.employees.@count,number"],
      "skills.@count,department.employees.@count,number\n2,3,1004\n1,3,1001\n1,3,1002\n1,1,1003\n1,1,1005\n"),
    Case(
      "the primary key, falling", ["--sort", "-_id", "--limit", "2", "--select", "_id"],
      "_id\nEmployee/p5\nEmployee/p4\n"),
    Case("a name", ["--where", "_id = 'Employee/p3'", "--select", "number"], "number\n1003\n"),
    Case(
      "several names", ["--where", "NOT _id IN {'Employee/p3', \"Employee/p1\"} AND number < 1005", "--select", "_id"],
      "_id\nEmployee/p2\nEmployee/p4\n"),
    Case(
      "a name over a relationship", ["--where", "'Department/p2' == department._id", "--select", "_id,department"],
      "_id,department\nEmployee/p5,Department/p2\n"),
    Case("a name of nobody", ["--where", "_id = 'Department/p3'", "--select", "_id"], "_id\n"),
    Case(
      "a condition that SQL has no word for",
      [
        "--where", "name.length > 11 AND ANY skills != nil", "--sort", "-name", "--limit", "2", "--select",
        "_id,department.name",
      ],
      "_id,department.name\nEmployee/p1,Engineering\nEmployee/p4,Engineering\n"),
    Case("a count", ["--count", "--where", "department.code == \"ENG\""], "3\n"),
    Case("a count of some", ["--count", "--offset", "1", "--limit", "3"], "3\n"),
  ]
  @Test(arguments: printed) func prints(_ c: Case<[String], String>) throws {
    let format = c.input.contains("--count") ? [] : ["--format", "csv"]
    let run = Talk(try fetch("Employee", of: "Company") + c.input + format)
    #expect(run.status == .done && run.errors.isEmpty, "\(run.errors)")
    #expect(run.output == c.expected)
  }

  @Test func formats() throws {
    let words =
      try fetch("Department", of: "Company") + ["--select", "_id,budget,employees.@count,name", "--limit", "2"]
    #expect(
      Talk(words).output == """
        _id               budget  employees.@count  name
        Department/p1  1250000.5                 3  Engineering
        Department/p2     480000                 1  Operations

        """)
    #expect(
      Talk(words + ["--format", "json"]).output == """
        [
        {"_id": "Department/p1", "budget": 1250000.5, "employees.@count": 3, "name": "Engineering"},
        {"_id": "Department/p2", "budget": 480000, "employees.@count": 1, "name": "Operations"}
        ]

        """)
    #expect(
      Talk(words + ["--format", "xml", "--offset", "1", "--where", "TRUEPREDICATE"]).output.hasPrefix(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <objects>
          <Department _id="Department/p2">
            <budget>480000</budget>
            <employees.count>1</employees.count>
            <name>Operations</name>
          </Department>
          <Department _id="Department/p3">
        """))
  }

  /// Values of a kind are the texts that people write, under the names that they know.
  @Test func kinds() throws {
    let words = try fetch("Swatch", of: "Palette") + ["--limit", "1"]
    let all = Talk(words + ["--format", "json"]).output
    #expect(all.contains("\"color\": \"#ffa500\"") && all.contains("\"style\": \"bold|italic\""))
    #expect(!all.contains("colorData"))
    let raw = Talk(words + ["--format", "json", "--raw"]).output
    #expect(raw.contains("\"colorData\": \"YnBsaXN0") && raw.contains("\"style\": 3,") && !raw.contains("\"color\""))
    let some = words + ["--select", "name,color,opens,width"]
    #expect(Talk(some).output == "name    color    opens     width\norange  #ffa500  07:30:00  1.25 cm\n")
    #expect(Talk(some + ["--raw"]).output.hasSuffix("  27000   1.25\n"))
  }

  /// Objects of subentities are among those of an entity, under their own names.
  @Test func subentities() throws {
    let words = try fetch("Employee", of: "Company")
    let file = try folder.write(
      "number,name,hired,dept\n7,Katherine Johnson,1953-06-01,ENG\n", to: "managers.csv")
    let pipeline = try folder.write(
      """
      { model: "\(words[4])", store: "\(words[1])", steps: [ { read: { csv: "\(file)" }, entity: "Manager",
        relationships: { department: { column: "dept", by: "code" } } } ] }
      """, to: "managers.json5")
    #expect(Talk(["import", pipeline, "--quiet"]).status == .done)
    #expect(Talk(words + ["--where", "number < 1000", "--select", "_id"]).output == "_id\nManager/p6\n")
    #expect(
      Talk(["fetch", words[1], "Manager"] + words[3...] + ["--select", "level,name"]).output
        == "level  name\n    1  Katherine Johnson\n")
  }

  static let refused: [Case<[String], String>] = [
    Case(
      "half a condition", ["--where", "number >"],
      "column 9 of the predicate: expected a value or a key path, found the end: number >⏵ [predicate.syntax]\n"
        + "  A predicate is such as: name BEGINSWITH \"A\" AND age > 30."),
    Case(
      "a condition on nothing", ["--where", "numbr > 3"],
      "Employee has no property numbr [fetch.request]\n  Did you mean number? It has active, "),
    Case(
      "an unknown column", ["--select", "name,salry"],
      "Employee has no property salry [fetch.request]\n  Did you mean salary? It has active, "),
    Case(
      "one behind a relationship", ["--select", "department.nme"],
      "Department has no property nme [fetch.request]\n  Did you mean name? It has budget, code, employees, name."),
    Case(
      "a key of a value", ["--select", "name.length"], "Employee has no property name.length [fetch.request]\n"),
    Case(
      "several objects", ["--select", "skills.name"],
      "Employee.skills leads to several objects, which are no value of a column [fetch.request]\n"
        + "  Fetch a function of them, such as skills.@count."),
    Case("an order of several", ["--sort", "-reports"], "Employee.reports leads to several objects"),
    Case(
      "an order of objects", ["--sort", "department"],
      "--sort names department, an object, which has no order [usage]\n  Name an attribute of it: department.name."),
    Case(
      "an order of names", ["--sort", "-department._id"],
      "--sort names department._id, an object, which has no order [usage]\n  Name an attribute of it: department.name."),
    Case(
      "a variable", ["--where", "number > $least"],
      "--where has the variable $least, which has no value [usage]\n  Write the value itself in its place."),
    Case(
      "no name", ["--where", "_id == 'Employe/p3'"],
      "--where names the object \"Employe/p3\" [usage]\n  Objects are called Employee/p1 and so on, by their entity and their key."
    ),
    Case("a number in place of a name", ["--where", "_id IN {3}"], "--where names the object \"3\" [usage]\n"),
    Case(
      "names that are compared", ["--where", "_id > 'Employee/p3'"],
      "--where compares _id by > [usage]\n  Compare it by ==, != or IN."),
    Case("an unknown order", ["--sort", "-nam"], "Employee has no property nam [fetch.request]\n  Did you mean name?"),
    Case(
      "an empty column", ["--select", "name,"],
      "--select has an empty name [usage]\n  Write names with commas between: name,department.name."),
    Case("an empty key", ["--select", "department."], "--select has an empty name [usage]\n"),
    Case("an empty order", ["--sort", "-"], "--sort has an empty name [usage]\n"),
    Case("a column twice", ["--select", "name,name"], "--select names name twice [usage]\n  Name it once."),
    Case(
      "a format", ["--format", "txt"], "--format is \"txt\", expected one of table, csv, xml, json [usage.value]\n"),
    Case("no limit", ["--limit", "0"], "--limit is \"0\", expected a whole number from 1 [usage.value]\n"),
    Case(
      "a negative offset", ["--offset", "-1"], "--offset is \"-1\", expected a whole number from 0 [usage.value]\n"),
    Case(
      "columns of a count", ["--count", "--select", "name"],
      "--count and --select exclude each other [usage]\n  Leave one of them out."),
  ]
  @Test(arguments: refused) func refuses(_ c: Case<[String], String>) throws {
    let run = Talk(try fetch("Employee", of: "Company") + c.input)
    #expect(run.errors.hasPrefix("gantry: \(c.expected)"), "\(run.errors)")
    #expect(run.status == .usage && run.output.isEmpty)
  }

  @Test func storesAndModels() throws {
    let words = try fetch("Employee", of: "Company")
    let unknown = Talk(["fetch", words[1], "Employe"] + words[3...])
    #expect(
      unknown.status == .store
        && unknown.errors == """
          gantry: the model has no entity Employe [fetch.entity]
            Did you mean Employee? There are Department, Employee, Manager, Skill.

          """
    )
    #expect(Talk(["fetch", folder.path("none.sqlite"), "A"] + words[3...]).errors.contains("[store.missing]"))
    // The store keeps no model of itself.
    let bare = Talk(Array(words[..<3]))
    #expect(bare.status == .store && bare.errors.contains("[store.model-cache]"))
    let version = Talk(words[..<3] + ["--model-version", "Company"])
    #expect(version.status == .usage && version.errors.contains("--model-version goes with --model"))
    #expect(Talk(words + ["--model-version", "Company", "--count"]).output == "5\n")
  }

  /// By the program itself: data on standard output alone, a reader that goes away, and the store as it was.
  @Test func process() throws {
    let words = try fetch("Employee", of: "Company")
    let before = try Data(contentsOf: URL(fileURLWithPath: words[1]))
    let run = try ToolRun(words + ["--select", "name", "--where", "number = 1005"], in: folder.url)
    #expect(run.status == 0 && run.output == "name\nEvelyn Boyd\n" && run.errors.isEmpty)
    #expect(try ToolRun(words + ["--select", "x"], in: folder.url).status == 2)
    #expect(try Data(contentsOf: URL(fileURLWithPath: words[1])) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Company.sqlite"])
  }

  // MARK: Tables

  private func table(_ rows: [[WrittenField]], width: Int? = nil) -> String {
    var text = ""
    let writer = TableWriter([("name", false), ("n", true), ("more", false)], width: width) { text += $0 + "\n" }
    for row in rows { writer.write(row) }
    writer.finish()
    return text
  }

  @Test func table() {
    let rows: [[WrittenField]] = [
      [.text("a\u{1B}[31m\nb"), .word("1"), .null], [.text("é"), .word("-12.5"), .text("x")],
      [.null, .null, .text("")],
    ]
    #expect(table([]) == "name  n  more\n")
    #expect(
      table(rows) == """
        name                n  more
        a\\u{1B}[31m\\nb      1
        é               -12.5  x


        """)
    #expect(table(rows, width: 10) == "name     …\na\\u{1B}[3…\né        …\n\n")
  }

  /// A field that is wider than its column, far behind or far wider, is written in full.
  @Test func wideFields() {
    let long = String(repeating: "w", count: 100)
    let rows = [[WrittenField.text(long), .word("1"), .null]]
    #expect(table(rows) == "name" + String(repeating: " ", count: 58) + "n  more\n\(long)  1\n")
    let many = Array(repeating: [WrittenField.text("b"), .word("1"), .null], count: 1000)
    let lines = table(many + rows).split(separator: "\n")
    #expect(lines.count == 1002 && lines[1000] == "b     1" && lines[1001] == "\(long)  1")
  }
}
