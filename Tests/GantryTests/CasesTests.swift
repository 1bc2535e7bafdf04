import Foundation
import TestSupport
import Testing

@testable import Gantry

/// Failures that people have reported of other importers, and what is right instead.
///
/// The folders hold the inputs and models; expected are the exit statuses of the runs, one after the other into one store,
/// what standard error says of troubles, and the rows in the end.
@Suite(.enabled(if: Shared.isThere, Shared.comment))
struct CasesTests {
  struct Run: Sendable {
    /// The steps, as a pipeline file has them.
    var steps: String
    /// Members of the pipeline beside them.
    var more = ""
    var status: Int32 = 0
    /// What standard error must say.
    var says: [String] = []

    init(_ steps: String, _ more: String = "", status: Int32 = 0, says: String...) {
      self.steps = steps
      self.more = more
      self.status = status
      self.says = says
    }
  }

  struct Import: Sendable {
    var folder: String
    var runs: [Run]
    /// What is asked of the store; nothing if there must be none.
    var query: String?
  }

  private static func one(
    _ folder: String, _ what: String, _ run: Run, _ query: String?, _ rows: [String]
  ) -> Case<Import, [String]> {
    Case("\(folder) \(what)", Import(folder: folder, runs: [run], query: query), rows)
  }

  private static func several(
    _ folder: String, _ what: String, _ runs: [Run], _ query: String?, _ rows: [String]
  ) -> Case<Import, [String]> {
    Case("\(folder) \(what)", Import(folder: folder, runs: runs, query: query), rows)
  }

  // MARK: Syntax and encodings

  static let texts: [Case<Import, [String]>] = [
    one(
      "A01", "byte order mark", Run("{read: {csv: 'input.csv'}, entity: 'Item'}"), "SELECT ZSKU, ZNAME FROM ZITEM",
      ["P-1|Kettle", "P-2|Lamp"]),
    one(
      "A02", "line ends in quotes", Run("{read: {csv: 'input.csv'}, entity: 'Stop'}"),
      "SELECT ZID, ZNOTE, ZCITY FROM ZSTOP",
      ["1|first line\r\n\r\nthird line|Oslo", "2|one\ntwo|Bergen", "3|plain|Moss"]),
    one(
      "A03", "doubled quotes", Run("{read: {csv: 'input.csv'}, entity: 'Tag'}"),
      "SELECT ZID, ZLABEL, typeof(ZLABEL) FROM ZTAG",
      ["1|called \"the shed\"|text", "2|\"|text", "3|\"a\",\"b\"|text", "4||text"]),
    one(
      "A04", "CR LF", Run("{read: {csv: 'input.csv'}, entity: 'Row'}"), "SELECT ZID, ZCOUNTRY FROM ZROW",
      ["1|NO", "2|SE"]),
    one(
      "A05", "CR ends records", Run("{read: {csv: 'mac.csv'}, entity: 'Tree'}"), "SELECT ZID, ZNAME FROM ZTREE",
      ["1|Elm", "2|Ash"]),
    one(
      "A05", "CR in quotes", Run("{read: {csv: 'quoted_cr.csv', delimiter: ';'}, entity: 'Note'}"),
      "SELECT ZID, ZTEXT FROM ZNOTE",
      ["1|up\rdown", "2|x"]),
    one(
      "A06", "NUL",
      Run(
        "{read: {csv: 'input.csv'}, entity: 'Row'}", status: 1, says: "input.csv:2:2: found the character U+0000 (NUL)"),
      "SELECT ZID, ZNAME FROM ZROW", ["2|ok"]),
    one(
      "A09", "a name twice",
      Run(
        "{read: {csv: 'input.csv'}, entity: 'Row'}", status: 2,
        says: "the columns 2 and 4 are both called \"name\" [csv.duplicate-column]"),
      nil, []),
    one(
      "A10", "ragged records",
      Run(
        "{read: {csv: 'input.csv'}, entity: 'Part'}", "skipLimit: 0", status: 4,
        says: "input.csv:5: expected 3 fields, found 2"),
      nil, []),
    one(
      "A10", "ragged records skipped",
      Run(
        "{read: {csv: 'input.csv'}, entity: 'Part'}", status: 1, says: "input.csv:5: expected 3 fields, found 2",
        "input.csv:6: expected 3 fields, found 4"),
      "SELECT ZID, ZNAME, ZQTY FROM ZPART", ["1|Bolt|10", "2|Nut\nM6|5", "5|Rivet|9"]),
    one(
      "A11", "widths in characters",
      Run("{read: {txt: 'chars.txt', widths: [4, 8, 4], columns: ['code', 'text', 'qty']}, entity: 'Line'}"),
      "SELECT ZCODE, ZTEXT, ZQTY FROM ZLINE", ["A001|Ångström|12", "A002|Plain|7"]),
    one(
      "A11", "widths in bytes",
      Run(
        "{read: {txt: 'bytes.txt', widths: [4, 8, 4], unit: 'bytes', columns: ['code', 'text', 'qty']}, entity: 'Line'}"
      ),
      "SELECT ZCODE, ZTEXT, ZQTY FROM ZLINE", ["B001|Åsa|12", "B002|Plain|7"]),
    one(
      "A11", "widths in the other unit",
      Run(
        "{read: {txt: 'chars.txt', widths: [4, 8, 4], unit: 'bytes', columns: ['code', 'text', 'qty']}, entity: 'Line'}",
        status: 1, says: "chars.txt:1: "),
      "SELECT ZCODE, ZTEXT, ZQTY FROM ZLINE", ["A002|Plain|7"]),
    one(
      "A11", "an accent of its own is a character",
      Run("{read: {txt: 'combining.txt', widths: [4, 8, 4], columns: ['code', 'text', 'qty']}, entity: 'Line'}"),
      "SELECT ZCODE, ZTEXT, ZQTY FROM ZLINE", ["C001|cafe\u{301}|5"]),
    one(
      "A13", "no delimiter", Run("{read: {csv: 'single.csv'}, entity: 'Contact'}"), "SELECT ZEMAIL FROM ZCONTACT",
      ["ana@example.org", "bo@example.org", "cim@example.org"]),
    one(
      "A13", "delimiters in texts", Run("{read: {csv: 'entities.csv'}, entity: 'Firm'}"),
      "SELECT ZID, ZNAME FROM ZFIRM", ["1|O&#039;Hara", "2|Smith &amp; Co; Ltd", "3|Plain; text"]),
    one(
      "A13", "a wrong delimiter",
      Run("{read: {csv: 'entities.csv', delimiter: ';'}, entity: 'Firm'}", status: 2, says: "id,name"), nil, []),
    one(
      "A14", "a quote that is not closed",
      Run(
        "{read: {csv: 'input.csv'}, entity: 'Part'}", "skipLimit: 0", status: 4,
        says: "input.csv:3:2: the quote opened on line 3 is not closed"),
      nil, []),
    one(
      "A15", "a separator line", Run("{read: {csv: 'input.csv'}, entity: 'Tree'}"), "SELECT ZID, ZNAME FROM ZTREE",
      ["1|Fir"]),
    one(
      "A17", "a blank before a quote",
      Run("{read: {csv: 'input.csv'}, entity: 'Site'}", status: 1, says: "input.csv:2:3: found a quote inside a field"),
      "SELECT ZID, ZNAME, ZPLACE FROM ZSITE", ["2|Elm|Moss, South"]),
    one(
      "A17", "a blank before a quote, trimmed", Run("{read: {csv: 'input.csv', trim: true}, entity: 'Site'}"),
      "SELECT ZID, ZNAME, ZPLACE FROM ZSITE", ["1|Ash|Oslo, East", "2|Elm|Moss, South"]),
  ]

  // MARK: Values

  static let values: [Case<Import, [String]>] = [
    one(
      "B01", "texts that look like numbers", Run("{read: {csv: 'input.csv'}, entity: 'Place'}"),
      "SELECT ZZIP, typeof(ZZIP) FROM ZPLACE",
      ["00501|text", "0042E1|text", "1e5|text", "+47|text", "007|text"]),
    one(
      "B02", "a decimal comma",
      Run("{read: {csv: 'input.csv', delimiter: ';'}, entity: 'Good', decimalSign: ',', groupingSign: '.'}"),
      "SELECT ZITEM, ZPRICE FROM ZGOOD", ["Tea|9.99", "Sofa|1234.56", "Pen|0.5", "Odd|1.234"]),
    one(
      "B02", "a decimal comma that is not said",
      Run(
        "{read: {csv: 'input.csv', delimiter: ';'}, entity: 'Good'}", status: 1, says: "found \"9,99\"",
        "found \"1.234,56\"", "found \"0,5\""),
      "SELECT count(*) FROM ZGOOD", ["0"]),
    one(
      "B03", "a declared zone", Run("{read: {csv: 'input.csv'}, entity: 'Event', timeZone: 'UTC'}"),
      "SELECT ZID, ZAT FROM ZEVENT", ["1|406191600", "2|406191600", "3|406191600", "4|406191600"]),
    one(
      "B04", "fractions of a second", Run("{read: {csv: 'input.csv'}, entity: 'Event'}"), "SELECT ZAT FROM ZEVENT",
      ["540216534.839216", "540216534.8", "540216534"]),
    one(
      "B07", "local times that do not exist or come twice",
      Run(
        "{read: {csv: 'input.csv'}, entity: 'Event', date: 'yyyy-MM-dd HH:mm:ss', timeZone: 'Europe/Berlin'}",
        status: 1,
        says: "input.csv:2:2:", "a local time that exists in Europe/Berlin",
        "one local time comes twice in Europe/Berlin"),
      "SELECT ZID, ZAT FROM ZEVENT", ["2|751681800", "3|751689000"]),
    one(
      "B09", "empty and missing", Run("{read: {csv: 'input.csv'}, entity: 'Row'}", status: 1, says: "input.csv:4"),
      "SELECT ZID, ZA, ZN, ZR FROM ZROW", ["1||NULL|ok", "2|NULL|NULL|ok"]),
    one(
      "B10", "words that mean nothing", Run("{read: {csv: 'input.csv'}, entity: 'Land'}"),
      "SELECT ZNAME, ZCODE FROM ZLAND", ["Namibia|NA", "Null|NU", "None|N/A", "nan|-"]),
    one(
      "B13", "decimals",
      Run("{read: {csv: 'input.csv'}, entity: 'Pay'}", status: 1, says: "[convert.decimal-precision]"),
      "SELECT ZID, ZAMOUNT FROM ZPAY", ["1|0.1", "2|1123.563", "4|0.3"]),
    several(
      "B14", "normal forms of a key",
      [
        Run("{read: {csv: 'nfc.csv'}, entity: 'Cafe', key: ['name'], onConflict: 'update'}"),
        Run("{read: {csv: 'nfd.csv'}, entity: 'Cafe', key: ['name'], onConflict: 'update'}"),
        Run("{read: {csv: 'nfd.csv'}, entity: 'Cafe', key: ['name'], onConflict: 'update'}"),
      ], "SELECT count(*), sum(ZQTY) FROM ZCAFE", ["1|2"]),
    one(
      "B15", "colours",
      Run(
        "{read: {csv: 'input.csv'}, entity: 'Swatch', map: {tint: {column: 'tint', shadow: 'tintRGBA', kind: 'color', form: 'hex'}}}",
        status: 1, says: "input.csv:6:2:", "input.csv:7:2:"),
      "SELECT ZID, ZTINTRGBA FROM ZSWATCH", ["1|#ff000080", "2|#000000ff", "3|#12e456ff", "4|#00ff00ff", "7|NULL"]),
  ]

  // MARK: XML

  private static let stock =
    "record: 's:stock/s:item', namespaces: {s: 'urn:demo:stock'}, fields: {sku: 's:sku', qty: 's:qty'}"

  static let elements: [Case<Import, [String]>] = [
    one(
      "C01", "a default namespace", Run("{read: {xml: 'default_ns.xml', \(stock)}, entity: 'Item'}"),
      "SELECT ZSKU, ZQTY FROM ZITEM", ["P-1|5", "P-2|1"]),
    one(
      "C01", "a prefix", Run("{read: {xml: 'prefixed.xml', \(stock)}, entity: 'Item'}"), "SELECT ZSKU, ZQTY FROM ZITEM",
      ["P-1|5", "P-2|1"]),
    one(
      "C01", "a prefix further down", Run("{read: {xml: 'late_prefix.xml', \(stock)}, entity: 'Item'}"),
      "SELECT ZSKU, ZQTY FROM ZITEM", ["P-1|5", "P-2|1"]),
    one(
      "C01", "no record",
      Run("{read: {xml: 'default_ns.xml', record: 'stock/items'}, entity: 'Item'}", status: 3, says: "stock/items"),
      nil, []),
    one(
      "C02", "texts in pieces", Run("{read: {xml: 'input.xml', record: 'list/row'}, entity: 'Row'}"),
      "SELECT ZTITLE, ZNOTE FROM ZROW",
      ["Fish & chips — café <b> x|Na čem  stojí"]),
    one(
      "C02", "texts as they are", Run("{read: {xml: 'input.xml', record: 'list/row', trim: false}, entity: 'Row'}"),
      "SELECT ZNOTE FROM ZROW",
      ["  Na čem  stojí  "]),
    one(
      "C03", "entities",
      Run("{read: {xml: 'input.xml', record: 'list/row', fields: {tag: '@tag', name: 'name'}}, entity: 'Row'}"),
      "SELECT ZTAG, ZNAME FROM ZROW", ["from Acme & Sons|by Acme & Sons ltd"]),
    one(
      "C05", "mixed content", Run("{read: {xml: 'input.xml', record: 'list/row'}, entity: 'Row'}"),
      "SELECT ZNOTE FROM ZROW",
      ["Handle with care, please"]),
    one(
      "C06", "a declared encoding", Run("{read: {xml: 'honest1252.xml', record: 'list/row'}, entity: 'Row'}"),
      "SELECT ZNAME FROM ZROW", ["café", "“x” €"]),
    one(
      "C06", "a false declaration",
      Run(
        "{read: {xml: 'says_utf8_is_1252.xml', record: 'list/row'}, entity: 'Row'}", status: 3,
        says: "says_utf8_is_1252.xml:2"),
      nil, []),
    one(
      "C06", "an impossible declaration",
      Run(
        "{read: {xml: 'says_utf16_is_utf8.xml', record: 'list/row'}, entity: 'Row'}", status: 3,
        says: "says_utf16_is_utf8.xml"), nil, []),
    one(
      "C11", "an attribute and an element of one name",
      Run(
        "{read: {xml: 'input.xml', record: 'd:shelves/d:shelf', namespaces: {d: 'urn:demo:shelf'}, "
          + "fields: {listAttr: '@list', listText: 'd:list', version: '../@version'}}, entity: 'Shelf'}"),
      "SELECT ZLISTATTR, ZLISTTEXT, ZVERSION FROM ZSHELF", ["first|second|9"]),
    one(
      "C12", "none, one, many; empty and absent",
      Run(
        "{read: {xml: 'input.xml', record: 'orders/order', fields: {id: '@id', memo: 'memo', lines: 'line'}}, entity: 'Order', "
          + "relationships: {lines: {column: 'lines', by: 'text', missing: 'create'}}}"),
      "SELECT ZID, ZMEMO, (SELECT group_concat(ZTEXT) FROM (SELECT ZTEXT FROM ZLINE WHERE ZORDER = o.Z_PK ORDER BY Z_FOK_ORDER)) FROM ZORDER o",
      ["1|NULL|NULL", "2|NULL|a,b", "3|NULL|NULL", "4||NULL"]),
  ]

  // MARK: Keys and relationships

  private static func places(_ rule: String) -> String {
    "{read: {csv: 'input.csv'}, entity: 'Place', key: ['id'], onConflict: '\(rule)', relationships: {parent: {column: 'parent', by: 'id'}}}"
  }
  private static let parents =
    "SELECT p.ZID, q.ZID FROM ZPLACE p LEFT JOIN ZPLACE q ON p.ZPARENT = q.Z_PK ORDER BY p.Z_PK"

  static let keys: [Case<Import, [String]>] =
    [1, 2, 1000].flatMap { chunk in
      [
        one(
          "D01", "a key twice, chunk \(chunk)",
          Run(
            "{read: {csv: 'input.csv'}, entity: 'Good', key: ['sku']}", "chunk: \(chunk)", status: 1,
            says: "input.csv:4:", "[key.exists]"),
          "SELECT ZSKU, ZNAME, ZQTY FROM ZGOOD", ["P-1|Kettle|5", "P-2|Lamp|1"]),
        one(
          "D01", "a key updated, chunk \(chunk)",
          Run(
            "{read: {csv: 'input.csv'}, entity: 'Good', key: ['sku'], onConflict: 'update'}", "chunk: \(chunk)",
            says: "2 new, 1 changed"),
          "SELECT ZSKU, ZNAME, ZQTY FROM ZGOOD", ["P-1|Kettle|9", "P-2|Lamp|1"]),
        several(
          "D09", "an order, chunk \(chunk)",
          [
            Run("\(album), \(track), \(tracks)", "chunk: \(chunk)")
          ], order, ["A|t3", "A|t1", "A|t2"]),
        several(
          "D09", "another order, chunk \(chunk)",
          [
            Run("\(album), \(track), \(tracks)", "chunk: \(chunk)"),
            Run(tracks.replacing("1_list", with: "2_list"), "chunk: \(chunk)"),
          ], order, ["A|t1", "A|t2", "A|t3"]),
      ]
    } + [
      several(
        "D02", "a key as text, with zeros, in quotes",
        ["1_first", "2_quoted", "3_zero"].map {
          Run("{read: {csv: '\($0).csv'}, entity: 'Tree', key: ['id'], onConflict: 'update'}")
        },
        "SELECT ZID, ZNAME FROM ZTREE", ["42|Elm tallest"]),
      one(
        "D04", "a child before its parent", Run(places("fail")), parents,
        ["birch|grove", "grove|forest", "forest|NULL"]),
      one(
        "D05", "a ring, an own parent, an unknown parent",
        Run(places("update"), status: 1, says: "input.csv:5: parent: no object of Place has the key \"zz\""),
        parents, ["a|b", "b|a", "c|c", "d|NULL"]),
      several(
        "D06", "nested records twice",
        [Run(tree, says: "1 new", "2 new"), Run(tree, says: "1 unchanged", "2 unchanged")],
        "SELECT p.ZID, q.ZID FROM ZNODE p LEFT JOIN ZNODE q ON p.ZPARENT = q.Z_PK ORDER BY p.ZID",
        ["1|NULL", "2|1", "3|1", "4|3"]),
      one(
        "D08", "a link is no update",
        Run(
          "{read: {csv: '1_categories.csv'}, entity: 'Category', key: ['identifier']}, {read: {csv: '2_keywords.csv'}, entity: 'Keyword', "
            + "key: ['word'], relationships: {category: {column: 'category', by: 'identifier'}}}", status: 1,
          says: "2_keywords.csv:4: category: no object of Category has the key \"c9\""),
        "SELECT ZIDENTIFIER, ZTITLE, ZRANK, (SELECT ZWORD FROM ZKEYWORD WHERE ZCATEGORY = c.Z_PK), (SELECT count(*) FROM ZKEYWORD) FROM ZCATEGORY c",
        ["c1|Plants|3|fern|2", "c2|Rocks|7|flint|2"]),
      one(
        "D10", "lists in a field",
        Run(
          "{read: {csv: '1_tags.csv'}, entity: 'Tag', key: ['name']}, {read: {csv: '2_items.csv'}, entity: 'Item', key: ['id'], "
            + "relationships: {tags: {column: 'tags', by: 'name', separator: ';'}}}"),
        "SELECT i.ZID, t.ZNAME FROM ZITEM i LEFT JOIN Z_1TAGS j ON j.Z_1ITEMS = i.Z_PK LEFT JOIN ZTAG t ON t.Z_PK = j.Z_2TAGS ORDER BY i.ZID, t.ZNAME",
        ["1|blue", "1|red", "2|blue", "2|red", "3|NULL", "4|semi;colon"]),
    ]

  /// A step for each level: a record inside another is part of it.
  private static let tree = ["nodes/node", "nodes/node/node", "nodes/node/node/node"].map { path in
    "{read: {xml: 'tree.xml', record: '\(path)', fields: {id: '@id', parent: '../@id'}}, entity: 'Node', key: ['id'], "
      + "onConflict: 'update', relationships: {parent: {column: 'parent', by: 'id'}}}"
  }.joined(separator: ", ")
  private static let album =
    "{name: 'albums', read: {csv: '1_list.csv'}, entity: 'Album', map: {name: 'album'}, ignore: ['track'], key: ['name'], onConflict: 'skip'}"
  private static let track =
    "{name: 'tracks', read: {csv: '1_list.csv'}, entity: 'Track', map: {name: 'track'}, ignore: ['album'], key: ['name'], onConflict: 'skip'}"
  private static let tracks =
    "{read: {csv: '1_list.csv'}, link: {entity: 'Album', relationship: 'tracks', from: {column: 'album', by: 'name'}, to: {column: 'track', by: 'name'}}}"
  private static let order =
    "SELECT a.ZNAME, t.ZNAME FROM ZTRACK t JOIN ZALBUM a ON t.ZALBUM = a.Z_PK ORDER BY t.Z_FOK_ALBUM"

  @Test(arguments: texts + values + elements + keys)
  func outcome(_ c: Case<Import, [String]>) throws {
    let ground = try CaseGround(c.input.folder)
    for run in c.input.runs {
      let done = try ground.run(run.steps, run.more)
      #expect(done.status == run.status, "\(done.errors)")
      for text in run.says { #expect(done.errors.contains(text), "\(text)\n\(done.errors)") }
    }
    guard let query = c.input.query else {
      #expect(!FileManager.default.fileExists(atPath: ground.store))
      return
    }
    #expect(try rows(query, in: ground.store) == c.expected)
  }

  /// The zone of the machine has no say.
  @Test(arguments: ["UTC", "America/Denver", "Asia/Tokyo"])
  func zones(_ zone: String) throws {
    let ground = try CaseGround("B03")
    let run = try ground.run("{read: {csv: 'input.csv'}, entity: 'Event'}", environment: ["TZ": zone])
    #expect(run.status == 1 && run.errors.contains("input.csv:5:2:"), "\(run.errors)")
    #expect(
      try rows("SELECT ZID, ZAT FROM ZEVENT", in: ground.store) == ["1|406191600", "2|406191600", "3|406191600"])
  }

  /// A geometry is stored in a text attribute; the model of the case has numbers, so that it gets one of its own.
  @Test func geometry() throws {
    let ground = try CaseGround("B16")
    let attributes = ["frame": "rect", "origin": "point", "span": "range"].sorted { $0.key < $1.key }.map {
      name, kind in
      """
      <attribute name="\(name)" optional="YES" transient="YES"><userInfo><entry key="kind" value="\(kind)"/></userInfo></attribute>
      <attribute name="\(name)AsString" optional="YES" attributeType="String"/>
      """
    }
    try ground.replaceModel(
      "<entity name=\"Box\"><attribute name=\"id\" optional=\"YES\" attributeType=\"String\"/>\(attributes.joined())</entity>"
    )
    let run = try ground.run("{read: {csv: 'input.csv'}, entity: 'Box'}")
    #expect(
      run.status == 1 && run.errors.contains("input.csv:4:2:") && run.errors.contains("input.csv:5:2:"), "\(run.errors)"
    )
    #expect(
      try rows("SELECT ZID, ZFRAMEASSTRING, ZORIGINASSTRING, ZSPANASSTRING FROM ZBOX", in: ground.store) == [
        "1|{{1, 2}, {3, 4}}|{1, 2}|{3, 4}", "2|{{1.5, -2}, {0, 4}}|{-1, 0.25}|{0, 0}", "5|NULL|NULL|NULL",
      ])
  }

  @Test func longText() throws {
    let ground = try CaseGround("C09")
    let text = String(repeating: String(repeating: "a", count: 999) + "\n", count: 10_500)
    try ground.folder.write(
      "<list><row><name>first</name></row><row><name>\(text)</name></row><row><name>last</name></row></list>",
      to: "huge.xml")
    let run = try ground.run("{read: {xml: 'huge.xml', record: 'list/row', trim: false}, entity: 'Row'}")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try rows("SELECT length(ZNAME), substr(ZNAME, 1, 5) FROM ZROW", in: ground.store) == [
        "5|first", "10500000|aaaaa", "4|last",
      ])
  }
}

/// A copy of a case's folder.
final class CaseGround {
  let folder: TemporaryFolder
  var store: String { folder.path("store.sqlite") }

  init(_ name: String) throws {
    folder = try TemporaryFolder()
    let source = try Shared.url("cases/\(name)")
    for file in try FileManager.default.contentsOfDirectory(atPath: source.path) {
      try FileManager.default.copyItem(
        at: source.appendingPathComponent(file), to: folder.url.appendingPathComponent(file))
    }
  }

  func replaceModel(_ entities: String) throws {
    try folder.write("<model>\(entities)</model>", to: "Model.xcdatamodeld/V1.xcdatamodel/contents")
  }

  func run(
    _ steps: String, _ more: String = "", version: String? = nil, environment: [String: String] = [:]
  ) throws -> ToolRun {
    try folder.write(
      "{ model: 'Model.xcdatamodeld', \(version.map { "version: '\($0)', " } ?? "")store: 'store.sqlite', steps: [\(steps)]\(more.isEmpty ? "" : ", " + more) }",
      to: "p.json5")
    return try ToolRun(["import", "p.json5"], in: folder.url, environment: environment)
  }
}
