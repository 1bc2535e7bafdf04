import Foundation
import ObjectModel
import SQLiteDriver
import SQLiteStore
import TestSupport
import Testing
import Values

@testable import Gantry

/// Non-standard values through the built program.
@Suite struct ValueImportTests {
  // MARK: The palette

  /// What is stored, read back by the kinds that the model names, as text.
  @Test func paletteReadsBack() throws {
    let project = try ProjectCopy()
    let run = try ToolRun(["import", "Pipelines/Palette.json5"], in: project.folder.url)
    #expect(run.status == 0, "\(run.errors)")
    let model = try NSManagedObjectModel(contentsOf: project.url("SampleData/Palette.xcdatamodeld"))
    let swatch = try #require(model.entitiesByName["Swatch"])
    let store = project.url("Pipelines/palette.sqlite").path
    func texts(_ attribute: String) throws -> [String] {
      let plan = try #require(swatch.shadowPlan(for: attribute))
      let kind = try #require(try plan.storedKind())
      let statement = try Connection(store, .readOnly).prepare("SELECT Z\(plan.shadow.name.uppercased()) FROM ZSWATCH")
      var texts: [String] = []
      while try statement.step() { texts.append(value(statement.value(0)).shown(as: kind)) }
      return texts
    }
    #expect(try texts("color") == ["#ffa500", "#008080", "color(srgb 0.5 0.5 0.5 / 0.5)", "null"])
    #expect(try texts("tint")[0] == "color(srgb 1 0.53 0)")
    #expect(try texts("anchor") == ["{1, 2.5}", "{-1, 0}", "{0, 0}", "null"])
    #expect(
      try texts("frame") == [
        "{{0, 0}, {320, 44}}", "{{0, 44}, {320, 392.5}}", "{{0, 436.5}, {320, 44}}", "null",
      ])
    #expect(try texts("insets") == ["{1, 2, 3, 4.5}", "{1, 2, 3, 4}", "null", "null"])
    #expect(try texts("transform") == ["[1, 0, 0, 1, 10, 20]", "[0.5, 0, 0, 0.5, 0, 0]", "null", "null"])
    #expect(try texts("style") == ["bold|italic", "underlined", "plain", "plain"])
    #expect(try texts("width") == ["1.25 cm", "2.54 cm", "null", "null"])
    #expect(try texts("opens") == ["07:30:00", "23:59:59", "null", "null"])
    #expect(try texts("info")[0] == #"{"tags":["warm",1,2.5,true],"note":null}"#)
    #expect(try texts("site")[1] == "https://example.org/sea?depth=3")
    let image = try Data(contentsOf: project.url("SampleData/images/orange.png"))
    let digits = image.map { String(format: "%02x", $0) }.joined()
    #expect(try rows("SELECT ZIMAGE FROM ZSWATCH WHERE Z_PK < 3", in: store) == [digits, "NULL"])
    #expect(try rows("SELECT ZMADE FROM ZSWATCH WHERE Z_PK = 1", in: store) == ["736214400"])
  }

  private func value(_ value: SQLiteValue) -> Value {
    switch value {
    case .null: .null
    case .integer(let integer): .integer(integer)
    case .real(let real): .real(real)
    case .text(let text): .string(text)
    case .blob(let bytes): .data(Data(bytes))
    }
  }

  /// Nothing depends on where a machine stands and which language it speaks.
  @Test func theSameEverywhere() throws {
    let environments = [
      ["TZ": "UTC", "LC_ALL": "C", "LANG": "C"],
      ["TZ": "Asia/Tokyo", "LC_ALL": "ja_JP.UTF-8", "LANG": "ja_JP.UTF-8"],
      ["TZ": "America/Denver", "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8", "LANGUAGE": "de"],
      ["TZ": "Asia/Riyadh", "LC_ALL": "ar_SA.UTF-8", "LANG": "ar_SA.UTF-8", "LANGUAGE": "ar"],
    ]
    var dumps: [[String]] = []
    for environment in environments {
      let project = try ProjectCopy()
      var dump: [String] = []
      for (pipeline, store) in [("Palette", "palette"), ("Company", "company"), ("Rectangles", "shapes")] {
        let run = try ToolRun(
          ["import", "Pipelines/\(pipeline).json5"], in: project.folder.url, environment: environment)
        #expect(run.status == 0, "\(environment): \(run.errors)")
        dump.append(
          try SQLitePersistentStore.dump(Connection(project.url("Pipelines/\(store).sqlite").path, .readOnly)))
      }
      dumps.append(dump)
    }
    for dump in dumps { #expect(dump == dumps[0]) }
  }

  // MARK: MagicalRecord's keys

  /// A relationship without `by` is found by what the model says: the relationship's own userInfo, or its destination's.
  @Test(arguments: [
    Case("the relationship", (onRelationship: true, onEntity: false), "Rome"),
    Case("its destination", (onRelationship: false, onEntity: true), "Rome"),
    Case("nobody", (onRelationship: false, onEntity: false), nil),
  ])
  func relatedByAttribute(_ c: Case<(onRelationship: Bool, onEntity: Bool), String?>) throws {
    let folder = try TemporaryFolder()
    let info = #"<userInfo><entry key="relatedByAttribute" value="name"/></userInfo>"#
    try folder.write(
      """
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="City"><attribute name="name" attributeType="String"/>\(c.input.onEntity ? info : "")</entity>
      <entity name="Person"><attribute name="name" attributeType="String"/>
      <relationship name="city" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="City">\
      \(c.input.onRelationship ? info : "")</relationship></entity></model>
      """, to: "M.xcdatamodel/contents")
    try folder.write("name,town\nAda,Rome\n", to: "people.csv")
    try folder.write(
      """
      { model: "M.xcdatamodel", store: "s.sqlite", steps: [{ read: { csv: "people.csv" }, entity: "Person",
        relationships: { city: { column: "town", missing: "create" } } }] }
      """, to: "p.json5")
    let run = try ToolRun(["import", "p.json5"], in: folder.url)
    if let name = c.expected {
      #expect(run.status == 0, "\(run.errors)")
      #expect(
        try rows("SELECT c.ZNAME FROM ZPERSON p JOIN ZCITY c ON c.Z_PK = p.ZCITY", in: folder.path("s.sqlite"))
          == [name])
    } else {
      #expect(run.status == 2)
      #expect(run.errors.contains("nothing says by which attribute the destination of Person.city is found"))
    }
  }

  // MARK: Costs

  /// No allocation for a number, a date or a boolean, and at most one for a colour or a rectangle.
  @Test(.enabled(if: ToolRun.releaseExecutable != nil, "skipped: no release build in GANTRY_RELEASE_TOOL"))
  func convertingAsksForNoMemory() throws {
    let tool = try #require(ToolRun.releaseExecutable)
    let check = tool.deletingLastPathComponent().appendingPathComponent("AllocationCheck")
    let run = try ToolRun([], tool: check)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  // MARK: Troubles

  @Test func badValuesAreRejectedWithTheirReasons() throws {
    let project = try ProjectCopy()
    let header = "name,color,frame,style,width,opens,info,site,image"
    let bad = [
      "a,#12345,,,,,,,", "b,,garbage,,,,,,", "c,,,bolder,,,,,", "d,,,,12.5 kg,,,,", "e,,,,,24:00,,,", "f,,,,,,{a:1},,",
      "g,,,,,,,a b,", "h,,,,,,,,../palette.csv", "i,,,,,,,,images/none.png",
    ]
    try ([header] + bad).joined(separator: "\n").write(
      to: project.url("SampleData/bad.csv"), atomically: true, encoding: .utf8)
    try """
    { model: "SampleData/Palette.xcdatamodeld", store: "bad.sqlite",
      steps: [{ read: { csv: "SampleData/bad.csv" }, entity: "Swatch", map: { image: { binary: "file" } } }] }
    """.write(to: project.url("bad.json5"), atomically: true, encoding: .utf8)
    let run = try ToolRun(["import", "bad.json5"], in: project.folder.url)
    #expect(run.status == 1, "\(run.errors)")
    let expected = [
      "bad.csv:2:2: column color: expected a colour such as #ff8800, #ff8800cc, orange or rgb(255, 136, 0) for Swatch.color, "
        + "found \"#12345\" [convert.kind]",
      "bad.csv:3:3: column frame: expected a rect such as {{1, 2}, {3, 4}} for Swatch.frame, found \"garbage\" [convert.kind]",
      "bad.csv:4:4: column style: expected options with | between, of bold (1), italic (2), plain (0), underlined (4) for "
        + "Swatch.style, found \"bolder\" [convert.kind]",
      "bad.csv:5:5: column width: expected a number and a unit such as 12.5 cm for Swatch.width, found \"12.5 kg\" [convert.kind]",
      "bad.csv:6:6: column opens: expected a day and time that exist for Swatch.opens, found \"24:00\" [convert.kind]",
      "bad.csv:7:7: column info: expected JSON such as {\"a\": [1, 2]} for Swatch.info, found \"{a:1}\" [convert.kind]",
      "bad.csv:8:8: column site: expected a URI by RFC 3986 for Swatch.site, found \"a b\" [convert.kind]",
      "bad.csv:9:9: column image: expected the name of a file in the input's folder, or below it for Swatch.image, "
        + "found \"../palette.csv\" [convert.file]",
      "bad.csv:10:9: column image: expected a file that can be read for Swatch.image, found \"images/none.png\" [convert.file]",
    ]
    let rejects = try String(contentsOf: project.url("bad.sqlite.rejects/bad.rejected.csv"), encoding: .utf8)
    for line in expected {
      // The reason of the reject file is the message without place and code.
      let message = line.drop { $0 != " " }.dropFirst().prefix { $0 != "[" }.dropLast()
      #expect(rejects.contains(message.replacingOccurrences(of: "\"", with: "\"\"")), "\(message)\n\(rejects)")
    }
  }

  // MARK: Real files

  /// Palettes: every colour of the file is in the store, in the file's order.
  @Test(.enabled(if: Shared.isThere, Shared.comment)) func palettes() throws {
    let folder = try TemporaryFolder()
    for (name, file) in [
      ("names.csv", "colornames.csv"), ("gimp.gpl", "gimp-named-colors.gpl"), ("kit.xml", "scribus-all-color-kit.xml"),
      ("japan.xml", "scribus-japanese-traditional.xml"),
    ] {
      try FileManager.default.createSymbolicLink(
        at: folder.url.appendingPathComponent(name), withDestinationURL: Shared.url("realdata/colours/\(file)"))
    }
    try FileManager.default.copyItem(
      at: ToolRun.project.appendingPathComponent("SampleData/Shapes.xcdatamodeld"),
      to: folder.url.appendingPathComponent("Shapes.xcdatamodeld"))
    try folder.write(
      """
      { model: "Shapes.xcdatamodeld", store: "s.sqlite", steps: [
        { read: { csv: "names.csv" }, entity: "Rectangle", map: { color: "hex" }, ignore: ["*"] },
        { read: { txt: "gimp.gpl", skipLines: 4, fields: [
            { name: "rgb", start: 1, width: 11 }, { name: "name", start: 13 }] },
          entity: "Rectangle", map: { color: { column: "rgb", trim: true } } },
        { read: { xml: "kit.xml", record: "SCRIBUSCOLORS/COLOR", fields: { color: "@RGB", name: "@NAME" } },
          entity: "Rectangle" },
        { read: { xml: "japan.xml", record: "SCRIBUSCOLORS/COLOR", fields: { color: "@RGB", name: "@NAME" } },
          entity: "Rectangle" },
        { read: { xml: "japan.xml", record: "SCRIBUSCOLORS/COLOR", fields: { color: "@CMYK", name: "@NAME" } },
          entity: "Rectangle", colorSpace: "cmyk" },
      ] }
      """, to: "p.json5")
    let run = try ToolRun(["import", "p.json5"], in: folder.url)
    #expect(run.status == 0, "\(run.errors)")
    let kind = try StoredKind("color", settings: KindSettings(), storedAs: .data)
    var found: [String] = []
    let statement = try Connection(folder.path("s.sqlite"), .readOnly).prepare(
      "SELECT ZCOLORDATA FROM ZRECTANGLE ORDER BY Z_PK")
    while try statement.step() { found.append(value(statement.value(0)).shown(as: kind)) }
    #expect(found.count > 30_000)
    let japanese = 467
    #expect(Array(found.dropLast(japanese)) == (try Self.listedColours()))
    #expect(
      found.suffix(japanese).filter { $0 != "null" } == ["device-cmyk(0 0 0 1)", "device-cmyk(0 0 0 0)"])
  }

  /// The colours by a reading of the files that shares nothing with the program: what looks like one in each line.
  private static func listedColours() throws -> [String] {
    func lines(_ file: String) throws -> [Substring] {
      try String(contentsOf: Shared.url("realdata/colours/\(file)"), encoding: .utf8).split(separator: "\n")
    }
    var colours: [String] = []
    for line in try lines("colornames.csv").dropFirst() {
      guard let digits = line.firstMatch(of: /,(#[0-9a-f]{6})(,|$)/) else { continue }
      colours.append(String(digits.1))
    }
    for line in try lines("gimp-named-colors.gpl") {
      guard let numbers = line.firstMatch(of: /^ *(\d+) +(\d+) +(\d+)/) else { continue }
      let parts = [numbers.1, numbers.2, numbers.3].compactMap { Int($0) }
      colours.append("#" + parts.map { String(format: "%02x", $0) }.joined())
    }
    for file in ["scribus-all-color-kit.xml", "scribus-japanese-traditional.xml"] {
      for line in try lines(file) where line.contains("<COLOR ") {
        colours.append(line.firstMatch(of: /RGB="(#[0-9a-fA-F]{6})"/).map { $0.1.lowercased() } ?? "null")
      }
    }
    return colours
  }

  /// Transformable values of a store that Core Data wrote, of classes that only its app has.
  @Test(.enabled(if: Shared.isThere, Shared.comment)) func classesThatOnlyAnAppHas() throws {
    // A copy: SQLite makes files beside a store with a write-ahead log, even to read it.
    let folder = try TemporaryFolder()
    let store = folder.url.appendingPathComponent("store.sqlite")
    try FileManager.default.copyItem(
      at: Shared.url("corpus/stores/alemar11__CoreDataPlus__Fixtures__SampleModel2V2.sqlite__67eb4191"), to: store)
    for (query, name) in [
      ("SELECT ZFRONTCOVER FROM ZBOOK", "CoreDataPlus_Tests.Cover"), ("SELECT ZCONTENT FROM ZPAGE", "Content"),
    ] {
      let statement = try Connection(store.path, .readOnly).prepare(query)
      var shown: Set<String> = []
      while try statement.step() { shown.insert(value(statement.value(0)).shown()) }
      shown.remove("null")
      #expect(!shown.isEmpty && shown.allSatisfy { $0.hasPrefix("an archived \(name), ") }, "\(shown)")
    }
  }

  /// The objects of page layouts: four attributes make a rectangle.
  @Test(.enabled(if: Shared.isThere, Shared.comment), arguments: ["scribus-buscard5", "scribus-poster-grid-a3"])
  func rects(_ name: String) throws {
    let folder = try TemporaryFolder()
    let source = try Shared.url("realdata/rects/\(name).sla.xml")
    try FileManager.default.createSymbolicLink(
      at: folder.url.appendingPathComponent("page.xml"), withDestinationURL: source)
    try FileManager.default.copyItem(
      at: ToolRun.project.appendingPathComponent("SampleData/Shapes.xcdatamodeld"),
      to: folder.url.appendingPathComponent("Shapes.xcdatamodeld"))
    try folder.write(
      """
      { model: "Shapes.xcdatamodeld", store: "s.sqlite", steps: [
        { read: { xml: "page.xml", record: "//PAGEOBJECT",
                  fields: { x: "@XPOS", y: "@YPOS", width: "@WIDTH", height: "@HEIGHT", name: "@PTYPE" } },
          entity: "Rectangle", map: { bounds: { columns: ["x", "y", "width", "height"] } } },
      ] }
      """, to: "p.json5")
    let run = try ToolRun(["import", "p.json5"], in: folder.url)
    #expect(run.status == 0, "\(run.errors)")
    let found = try rows("SELECT ZBOUNDSASSTRING FROM ZRECTANGLE ORDER BY Z_PK", in: folder.path("s.sqlite"))
    let text = try String(contentsOf: source, encoding: .utf8)
    let listed = text.matches(of: /<PAGEOBJECT [^>]*>/).map { match in
      let numbers = ["XPOS", "YPOS", "WIDTH", "HEIGHT"].map { key -> String in
        let parts = match.0.components(separatedBy: " \(key)=\"")
        let number = parts.count == 2 ? Double(parts[1].prefix { $0 != "\"" }) : nil
        return number.map { $0 == $0.rounded() && abs($0) < 1e15 ? "\(Int($0))" : "\($0)" } ?? "?"
      }
      return "{{\(numbers[0]), \(numbers[1])}, {\(numbers[2]), \(numbers[3])}}"
    }
    #expect(!found.isEmpty)
    #expect(found == listed)
  }
}
