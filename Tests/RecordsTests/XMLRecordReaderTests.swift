import Bytes
import Diagnostics
import TestSupport
import Testing

@testable import Records

struct XMLRecordReaderTests {
  struct Input: Sendable {
    var text: String
    var record = "list/row"
    var fields: [String: String] = [:]
    var wanted: [String] = []
    var namespaces: [String: String] = [:]
    var trim = true
    var allowEmpty = false
  }

  private static let stock = [
    "<stock xmlns='urn:s'><item><sku>1</sku></item><item><sku>2</sku><x:sku xmlns:x='urn:o'>BAD</x:sku></item></stock>",
    "<s:stock xmlns:s='urn:s'><s:item><s:sku>1</s:sku></s:item><s:item><s:sku>2</s:sku><x:sku xmlns:x='urn:o'>BAD</x:sku>"
      + "</s:item></s:stock>",
    "<stock xmlns='urn:s'><q:item xmlns:q='urn:s'><q:sku>1</q:sku></q:item><item><sku>2</sku></item></stock>",
  ]

  static let cases: [Case<Input, [String]>] =
    stock.flatMap {
      [
        Case("namespaces, unprefixed", Input(text: $0, record: "stock/item", wanted: ["sku"]), ["sku", "1", "2"]),
        Case(
          "namespaces, prefixed",
          Input(text: $0, record: "//p:item", fields: ["n": "p:sku"], namespaces: ["p": "urn:s"]), ["n", "1", "2"]),
      ]
    } + [
      Case(
        "a default namespace beside the root's",
        Input(text: "<r:a xmlns:r='urn:r' xmlns='urn:d'><item><t>1</t></item></r:a>", record: "a/item", wanted: ["t"]),
        ["t", "1"]),
      Case(
        "text in pieces",
        Input(
          text:
            "<list><row><t>Fish &amp; chips &#x2014; <!-- x -->café <![CDATA[<b>]]> x</t><n>  a  b\n </n></row></list>",
          wanted: ["t", "n"]), ["t|n", "Fish & chips — café <b> x|a  b"]),
      Case(
        "not trimmed", Input(text: "<list><row><n>  a  b </n></row></list>", wanted: ["n"], trim: false),
        ["n", "  a  b "]),
      Case(
        "entities",
        Input(
          text:
            "<!DOCTYPE list [<!ENTITY co \"Acme &amp; Sons\">]><list><row tag='from &co;'><name>by &co; ltd</name></row>"
            + "<row tag='&co;&co;'><name>&co;&co;</name></row></list>", wanted: ["@tag", "name"]),
        ["@tag|name", "from Acme & Sons|by Acme & Sons ltd", "Acme & SonsAcme & Sons|Acme & SonsAcme & Sons"]),
      Case(
        "an entity that is not declared", Input(text: "<list>\n<row><n>caf&eacute;</n></row></list>", wanted: ["n"]),
        ["t.xml:2:20: the entity `eacute` is not declared in the document [xml.entity]"]),
      Case(
        "mixed content",
        Input(
          text: "<list><row>o<note>Handle <b>with</b> care, <i>please</i></note>wn</row></list>",
          wanted: ["note", "note/text()", ".", "text()", "note/b"]),
        [
          "note|note/text()|.|text()|note/b",
          "Handle with care, please|Handle  care,|oHandle with care, pleasewn|own|with",
        ]),
      Case(
        "none, one, many, empty",
        Input(
          text: "<list><row id='1'><l>a</l></row><row id='2'><l>a</l><l/><l> b </l></row><row id=''/>"
            + "<row id='4'><memo/></row><row id='5'><l/><l/></row></list>", wanted: ["@id", "l", "memo"]),
        ["@id|l|memo", "1|a|~", "2|a++b*|~", "\"|~|~", "4|~|\"", "5|+*|~"]),
      Case(
        "an attribute and an element of the same name",
        Input(
          text: "<s xmlns='urn:d' version='9'><shelf list='first'><list>second</list></shelf></s>", record: "s/shelf",
          fields: ["a": "@list", "t": "list", "v": "/s/@version", "w": "../@version", "x": "../../@version"]),
        ["a|t|v|w|x", "first|second|9|9|~"]),
      Case(
        "attributes of elements around the record",
        Input(
          text: "<a x='1'><b x='2'><c/></b><b><c/></b><d x='3'><c/></d></a>", record: "//c",
          wanted: ["../@x", "../../@x", "/a/b/@x"]),
        ["../@x|../../@x|/a/b/@x", "2|1|2", "~|1|~", "3|1|~"]),
      Case(
        "paths",
        Input(
          text: "<list><row><a k='1'><b>x</b></a><b>y</b><a k='2'><b>z</b><c><b>q</b></c></a></row></list>",
          wanted: ["a/b", "b", "a/@k", "a/c/b"]), ["a/b|b|a/@k|a/c/b", "x+z*|y|1+2*|q"]),
      Case(
        "nil",
        Input(
          text:
            "<list xmlns:i='http://www.w3.org/2001/XMLSchema-instance'><row><a i:nil='true'/><b i:nil='0'/></row></list>",
          wanted: ["a", "b"]), ["a|b", "~|\""]),
      Case(
        "a record inside a record",
        Input(
          text: "<list><row><n>1</n><row><n>2</n></row></row><x><row><n>3</n></row></x></list>", record: "//row",
          wanted: ["n", "row/n"]), ["n|row/n", "1|2", "3|~"]),
      Case("the root is the record", Input(text: "<a><n>1</n></a>", record: "a", wanted: ["n"]), ["n", "1"]),
      Case("any root", Input(text: "<a><row><n>1</n></row></a>", record: "*/row", wanted: ["n"]), ["n", "1"]),
      Case(
        "xml:lang", Input(text: "<list><row xml:lang='it' lang='x'/></list>", wanted: ["@xml:lang"]),
        ["@xml:lang", "it"]),
      Case("no record in an empty list", Input(text: "<list/>", wanted: ["n"]), ["n"]),
      Case(
        "no record", Input(text: "<list><item/></list>", wanted: ["n"]),
        ["t.xml: no element is a record by the path `list/row` [xml.no-record]"]),
      Case("no record, allowed", Input(text: "<list><item/></list>", wanted: ["n"], allowEmpty: true), ["n"]),
      Case(
        "nothing", Input(text: "", wanted: ["n"]),
        ["t.xml: the input is empty: expected at least one record or a header, found 0 bytes [input.empty]"]),
      Case("nothing, allowed", Input(text: "", wanted: ["n"], allowEmpty: true), ["n"]),
      Case(
        "cut short", Input(text: "<list>\n<row><n>1</n></row>\n<row><n>2", wanted: ["n"]),
        ["t.xml:3: the document is cut short: it ends inside 3 open elements [xml.malformed]"]),
      Case(
        "a bad path", Input(text: "<a/>", wanted: ["first name"]),
        [": the path `first name`: \"first name\" is not a name [reader.option]"]),
      Case(
        "an unknown prefix", Input(text: "<a/>", wanted: ["p:n"]),
        [": the path `p:n`: the prefix \"p\" is not in `namespaces` [reader.option]"]),
      Case(
        "an element outside the record", Input(text: "<a/>", wanted: ["../n"]),
        [": the path `../n`: outside the record only attributes of the elements around it can be read [reader.option]"]),
      Case(
        "no columns", Input(text: "<a/>"),
        [": XML has no header: expected `fields` to say where the columns are [reader.option]"]),
      Case(
        "no record path", Input(text: "<a/>", record: "", wanted: ["n"]),
        [": `record` is missing: expected the path of the elements that are records [reader.option]"]),
    ]

  @Test(arguments: cases, [1, 2, 7, 65_536])
  func read(_ c: Case<Input, [String]>, block: Int) {
    let input = c.input
    let lines = dump {
      try xml(
        input.text.utf8, record: input.record, fields: input.fields, wanted: input.wanted, namespaces: input.namespaces,
        trim: input.trim, allowEmpty: input.allowEmpty, block: block)
    }
    #expect(lines == c.expected)
  }

  @Test func encodings() throws {
    let honest = Array("<?xml version=\"1.0\" encoding=\"windows-1252\"?><list><row><n>caf".utf8) + [0xE9, 0x20, 0x80]
    let end = Array("</n></row></list>".utf8)
    #expect(dump { try xml(honest + end, record: "list/row", wanted: ["n"]) } == ["n", "café €"])
    let lie = Array("<?xml version='1.0' encoding='UTF-8'?>\n<list><row><n>ok</n></row>\n<row><n>caf".utf8) + [0xE9]
    let lines = dump { try xml(lie + end, record: "list/row", wanted: ["n"]) }
    #expect(lines.count == 1 && lines[0].hasPrefix("t.xml:3:"), "\(lines)")
  }

  @Test(arguments: [1, 10, 1 << 14]) func positionsAndResuming(block: Int) throws {
    // More lines than fit 16 bits.
    let filler = String(repeating: "\n", count: 70_000)
    let text = "<list>\(filler)<row\n n='1'/>é<row n='2'/>\n<row n='3'/><row n='4'/></list>"
    let chunk = RecordChunk()
    let reader = try xml(text.utf8, record: "list/row", wanted: ["@n"], block: block)
    #expect(try reader.read(into: chunk, limit: 2, refuse: { _, _ in }))
    #expect(
      chunk.positions == [
        .init(record: 1, line: 70_001, byte: 70_006), .init(record: 2, line: 70_002, byte: 70_021),
      ])
    #expect(reader.resumePoint == ResumePoint(record: 2, line: 70_002, byte: 70_021))

    let again = try xml(text.utf8, record: "list/row", wanted: ["@n"], block: block)
    try again.resume(behind: reader.resumePoint)
    chunk.removeAll()
    while try again.read(into: chunk, limit: 1, refuse: { _, _ in }) {}
    #expect((0..<chunk.count).map { chunk.text($0, 0) } == ["3", "4"])
    #expect(chunk.positions.map(\.record) == [3, 4])
    #expect(again.resumePoint.record == 4)

    let other = try xml("<list><row n='1'/></list>".utf8, record: "list/row", wanted: ["@n"], block: block)
    try other.resume(behind: reader.resumePoint)
    #expect(throws: Diagnostic.self) { while try other.read(into: chunk, limit: 1, refuse: { _, _ in }) {} }
  }

  @Test func pathsThatAreNeverFound() throws {
    let reader = try xml("<list><row n='1'/></list>".utf8, record: "list/row", fields: ["a": "@n", "b": "bb"])
    _ = try dump(reader)
    #expect(
      reader.takeWarnings().map(\.description) == [
        """
        t.xml: the column "b" is null in all records: its path `bb` was never found [xml.path-never-found]
          Check the path in `fields`.
        """
      ])
  }

  @Test(arguments: [
    Case("one", "<l><a n='1'><a n='2'/></a></l>", "1 element stands"),
    Case("several", "<l><a n='1'><b><a n='2'/><a n='3'/></b></a><a n='4'/></l>", "2 elements stand"),
  ])
  func recordsInsideRecords(_ c: Case<String, String>) throws {
    let reader = try xml(c.input.utf8, record: "//a", fields: ["n": "@n"])
    _ = try dump(reader)
    #expect(
      reader.takeWarnings().map(\.description) == [
        """
        t.xml: \(c.expected) inside a record at `//a` and made no record of its own [xml.inner-record]
          Read each level in a step of its own, by a path from the root such as `list/item/item`.
        """
      ])
  }

  /// Nothing is lost when a column asks for what is inside, or when the path begins at the root.
  @Test(arguments: [("//a", "a/@n"), ("l/a", "@n")])
  func recordsInsideRecordsThatAreMeant(record: String, field: String) throws {
    let reader = try xml("<l><a n='1'><a n='2'/></a></l>".utf8, record: record, fields: ["n": field])
    _ = try dump(reader)
    #expect(reader.takeWarnings().isEmpty)
  }

  @Test func largeText() throws {
    let large = String(repeating: "a", count: 10_500_000)
    let text = "<list><row><n>1</n></row><row><n>\(large)</n></row><row><n>3</n></row></list>"
    let reader = try xml(text.utf8, record: "list/row", wanted: ["n"])
    let chunk = RecordChunk()
    #expect(try !reader.read(into: chunk, limit: 10, refuse: { _, _ in }))
    #expect((0..<chunk.count).map { chunk.bytes($0, 0).count } == [1, large.utf8.count, 1])
  }
}
