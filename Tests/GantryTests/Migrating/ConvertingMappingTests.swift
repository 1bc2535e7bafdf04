import Foundation
import ObjectModel
import TestSupport
import Testing

@testable import Gantry

/// Values of an old version that a mapping converts as an import converts fields, by the built tool.
struct ConvertingMappingTests {
  /// A model of themes: all texts in the first version, and what they mean in the second.
  private final class Ground {
    let folder: TemporaryFolder
    var store: String { folder.path("s.sqlite") }

    init(_ rows: String) throws {
      folder = try TemporaryFolder()
      let texts = ["born", "frame", "size", "state", "tint"].map {
        "<attribute name='\($0)' optional='YES' attributeType='String'/>"
      }
      try model("V1", texts.joined() + "<attribute name='stamp' optional='YES' attributeType='Integer 64'/>")
      try model(
        "V2",
        """
        <attribute name='birthday' optional='YES' attributeType='Date'/>
        <attribute name='color' optional='YES' transient='YES'/>
        <attribute name='colorData' optional='YES' attributeType='Binary'/>
        <attribute name='frame' optional='YES' transient='YES'/>
        <attribute name='frameAsString' optional='YES' attributeType='String' elementID='frameAsString'/>
        <attribute name='made' optional='YES' attributeType='Date'/>
        <attribute name='size' attributeType='Double' defaultValueString='1.5'/>
        <attribute name='status' optional='YES' attributeType='Integer 16'><userInfo><entry key='kind' value='enum'/>
          <entry key='cases' value='draft=0,live=1'/></userInfo></attribute>
        """)
      try folder.write("tint,born,state,frame,size,stamp\n\(rows)\n", to: "themes.csv")
      let run = try tool(
        "import", "themes.csv", "--model", "M.xcdatamodeld", "--model-version", "V1", "--entity", "Theme", "--store",
        "s.sqlite")
      #expect(run.status == 0, "\(run.errors)")
    }

    private func model(_ version: String, _ attributes: String) throws {
      try folder.write(
        "<?xml version='1.0' encoding='UTF-8'?><model type='com.apple.IDECoreDataModeler.DataModel' documentVersion='1.0'>"
          + "<entity name='Theme'>\(attributes)</entity></model>",
        to: "M.xcdatamodeld/\(version).xcdatamodel/contents")
    }

    func tool(_ words: String...) throws -> ToolRun { try ToolRun(words, in: folder.url) }

    func migrate(_ values: String = ConvertingMappingTests.values, _ more: String...) throws -> ToolRun {
      try folder.write("{ from: 'V1', to: 'V2', entities: { Theme: { values: { \(values) } } } }", to: "m.json5")
      return try ToolRun(
        ["migrate", "s.sqlite", "--model", "M.xcdatamodeld", "--to", "V2", "--mapping", "m.json5", "--backup", "none"]
          + more, in: folder.url)
    }
  }

  private static let values = """
    color: { of: '$source.tint', kind: 'color' },
    birthday: { of: '$source.born', date: 'dd.MM.yyyy', nulls: ['?'] },
    status: { of: '$source.state' },
    frame: { of: '$source.frame', kind: 'rect' },
    made: { of: '$source.stamp', date: 'unix' },
    size: { of: '$source.size', decimalSign: ',', whenNull: '2' },
    """

  /// An import into the new version and a conversion of what was imported into the old one make the same rows.
  @Test func asAnImportConverts() throws {
    let csv = "#ff8800,01.02.1990,live,\"{{1, 2}, {3, 4}}\",\"2,5\",0\nred,?,1,,,86400\n,,,,,"
    let ground = try Ground(csv)
    let run = try ground.migrate()
    #expect(run.status == 0, "\(run.errors)")
    let check = try ground.tool("check", "s.sqlite", "--model", "M.xcdatamodeld", "--model-version", "V2")
    #expect(check.status == 0, "\(check.output)\(check.errors)")

    try ground.folder.write(
      """
      { model: 'M.xcdatamodeld', version: 'V2', store: 'n.sqlite', steps: [{ read: { csv: 'themes.csv' }, entity: 'Theme',
        map: { color: { column: 'tint', kind: 'color' }, birthday: { column: 'born', date: 'dd.MM.yyyy', nulls: ['?'] },
          status: 'state', frame: { column: 'frame', kind: 'rect' }, made: { column: 'stamp', date: 'unix' },
          size: { column: 'size', decimalSign: ',', whenNull: '2' } } }] }
      """, to: "p.json5")
    let imported = try ground.tool("import", "p.json5")
    #expect(imported.status == 0, "\(imported.errors)")
    let query = "SELECT Z_PK, ZCOLORDATA, ZBIRTHDAY, ZSTATUS, ZFRAMEASSTRING, ZMADE, ZSIZE FROM ZTHEME ORDER BY 1"
    let made = try rows(query, in: ground.store)
    #expect(try made == rows(query, in: ground.folder.path("n.sqlite")))
    #expect(made[0].hasPrefix("1|62706c697374") && made[0].hasSuffix("|1|{{1, 2}, {3, 4}}|-978307200|2.5"), "\(made)")
    #expect(made[2] == "3|NULL|NULL|NULL|NULL|NULL|2.0")
  }

  /// A value that is none stops the migration; nothing becomes null in silence.
  @Test func whatCannotBeConverted() throws {
    let ground = try Ground("red,,,,,\n#ff88zz,,,,,")
    let before = try Data(contentsOf: URL(fileURLWithPath: ground.store))
    let run = try ground.migrate()
    #expect(run.status == 6)
    #expect(
      run.errors.contains(
        "ThemeToTheme, colorData: Theme p2: expected a colour such as #ff8800, "
          + "#ff8800cc, orange or rgb(255, 136, 0) for Theme.color, found \"#ff88zz\""),
      "\(run.errors)")
    #expect(run.errors.contains("[migration.value]"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: ground.store)) == before)
  }

  @Test func thePlanTells() throws {
    let ground = try Ground("red,,,,,")
    let run = try ground.migrate(Self.values, "--plan")
    #expect(run.status == 0 && run.output.contains("colorData = $source.tint, converted\n"), "\(run.output)")
  }

  static let wrong: [Case<String, String>] = [
    Case(
      "no kind", "color: { of: '$source.tint' }",
      "Theme.color: the attribute color: nothing says of which kind its value is"),
    Case(
      "no attribute", "colour: { of: '$source.tint', kind: 'color' }", "Theme.colour: Theme has no attribute colour"),
    Case("a kind that is none", "color: { of: '$source.tint', kind: 'colr' }", "colr"),
    Case(
      "an unknown key", "color: { of: '$source.tint', kid: 'color' }",
      "m.json5:1:85: Theme.color has an unknown key kid"),
    Case("a column", "color: { of: '$source.tint', column: 'x' }", "Theme.color has an unknown key column"),
    Case("a form that is none", "birthday: { of: '$source.born', date: 'QQQ' }", "\"QQQ\" in \"QQQ\" is neither"),
    Case("no expression", "birthday: { date: 'unix' }", "the key of is missing"),
    Case(
      "two for one place", "color: { of: '$source.tint', kind: 'color' }, colorData: '$source.tint'",
      "two values are for colorData"),
  ]

  @Test(arguments: wrong) func isRefused(_ c: Case<String, String>) throws {
    let ground = try Ground("red,,,,,")
    let run = try ground.migrate(c.input)
    #expect(run.status == 2 || run.status == 6)
    #expect(run.errors.contains(c.expected), "\(run.errors)")
  }
}
