import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import Records

struct ReaderConfigurationTests {
  private static func decode(_ json: String) throws -> ReaderConfiguration {
    let decoder = JSONDecoder()
    decoder.allowsJSON5 = true
    return try decoder.decode(ReaderConfiguration.self, from: Data(json.utf8))
  }

  @Test func codable() throws {
    let texts = [
      "{csv: 'a.csv', delimiter: ';', quote: '', escape: '\\\\', header: 2, columns: ['a'], skipLines: 1, comment: '#'}",
      "{csv: '-', trim: true, missingFields: 'null', extraFields: 'ignore', encoding: 'latin1', separatorLine: false}",
      "{txt: 'a.txt', fields: [{name: 'a', start: 1, width: 2}, {name: 'b', start: 3}], unit: 'bytes', allowEmpty: true}",
      "{txt: 'a.txt', widths: [1, 2]}",
      "{xml: 'a.xml', record: 'a/b', fields: {x: '@y'}, namespaces: {p: 'urn:p'}}",
    ]
    for text in texts {
      let configuration = try Self.decode(text)
      let again = try JSONDecoder().decode(ReaderConfiguration.self, from: JSONEncoder().encode(configuration))
      #expect(again == configuration)
    }
    #expect(try Self.decode(texts[3]).widths == [1, 2])
    #expect(try Self.decode(texts[2]).fixedFields?.map(\.width) == [2, nil])
    #expect(try Self.decode(texts[4]).paths == ["x": "@y"])
  }

  static let mistakes: [Case<String, String>] = [
    Case("no file", "{}", "expected one of `csv`, `txt` and `xml`, found none"),
    Case("two files", "{csv: 'a', txt: 'b'}", "expected one of `csv`, `txt` and `xml`, found several"),
    Case("an option of another form", "{csv: 'a', record: 'x'}", "`record` means nothing for CSV"),
    Case(
      "widths with a delimiter", "{txt: 'a', widths: [1], delimiter: ';'}",
      "`delimiter` means nothing for fixed-width text"),
    Case("an encoding for XML", "{xml: 'a', record: 'r', encoding: 'utf-8'}", "`encoding` means nothing for XML"),
    Case("a long delimiter", "{csv: 'a', delimiter: '||'}", "`delimiter` is \"||\": expected one character for CSV"),
    Case("no delimiter", "{csv: 'a', delimiter: ''}", "`delimiter` is empty: expected what separates fields"),
    Case("a line end", "{txt: 'a', delimiter: '\\n'}", "`delimiter` and `comment` may not contain line ends or U+0000"),
    Case("a wide quote", "{csv: 'a', quote: '»'}", "`quote` is \"»\": expected one character of ASCII, or nothing"),
    Case("quote and delimiter", "{csv: 'a', delimiter: '\"'}", "`delimiter` contains what `quote` or `escape` is"),
    Case("a negative number", "{csv: 'a', skipLines: -1}", "`skipLines` is -1: expected 0 or more"),
    Case("names without any", "{csv: 'a', columns: []}", "`columns` is empty: expected a name for each column"),
    Case("a name twice", "{csv: 'a', columns: ['x', 'x']}", "the columns 1 and 2 are both called \"x\""),
    Case(
      "a policy of the other", "{csv: 'a', missingFields: 'ignore'}",
      "`missingFields` is \"reject\" or \"null\", `extraFields` is \"reject\" or \"ignore\""),
    Case("an unknown encoding", "{csv: 'a', encoding: 'ebcdic'}", "`encoding` is \"ebcdic\", which is not known"),
    Case("a width of 0", "{txt: 'a', widths: [0]}", "`widths`: expected a number above 0 for each column"),
    Case(
      "too large", "{txt: 'a', widths: [9223372036854775807, 1]}", "`widths`: expected a number above 0 for each column"
    ),
    Case(
      "names and widths", "{txt: 'a', widths: [1], columns: ['a', 'b', 'c']}",
      "`columns` has 3 names, `widths` has 1 widths"),
    Case(
      "a place of 0", "{txt: 'a', fields: [{name: 'x', start: 0, width: 1}]}",
      "the field \"x\": expected `start` and `width` to be 1 or more"),
    Case(
      "the rest in the middle", "{txt: 'a', fields: [{name: 'x', start: 1}, {name: 'y', start: 2, width: 1}]}",
      "the field \"x\" has no `width`: only the last field of a line may leave it out"),
    Case(
      "both", "{txt: 'a', widths: [1], fields: [{name: 'x', start: 1}]}",
      "`widths` and `fields` both say where columns are"),
    Case(
      "bytes of what", "{txt: 'a', widths: [1], unit: 'bytes', encoding: 'latin1'}",
      "`unit` is \"bytes\", which counts bytes of UTF-8, and `encoding` is \"latin1\""),
    Case(
      "a unit alone", "{txt: 'a', unit: 'bytes'}", "`unit` is for columns of fixed width: expected `widths` or `fields`"
    ),
  ]

  @Test(arguments: mistakes) func mistake(_ c: Case<String, String>) throws {
    let configuration = try Self.decode(c.input)
    let error = #expect(throws: Diagnostic.self) { try configuration.makeReader(in: ".", wanted: ["n"]) }
    #expect(error?.message == c.expected)
    #expect(error?.code.fate == .usage)
  }

  @Test func files() throws {
    let folder = try TemporaryFolder()
    try folder.write("a;b\n1;2\n", to: "in/c.csv")
    try folder.write("1  x\n", to: "in/t.txt")
    try folder.write("<l><r n='1'/></l>", to: "in/x.xml")
    try folder.write("", to: "in/empty.csv")
    func lines(_ json: String) throws -> [String] {
      let configuration = try Self.decode(json)
      return dump { try configuration.makeReader(in: folder.path("in"), wanted: ["@n"]) }
    }
    #expect(try lines("{csv: 'c.csv', delimiter: ';'}") == ["a|b", "1|2"])
    #expect(try lines("{csv: '\(folder.path("in/c.csv"))', delimiter: ';'}") == ["a|b", "1|2"])
    #expect(try lines("{txt: 't.txt', delimiter: 'blanks', header: 0}") == ["1|2", "1|x"])
    #expect(try lines("{txt: 't.txt', widths: [3, 1], columns: ['a', 'b']}") == ["a|b", "1|x"])
    #expect(try lines("{xml: 'x.xml', record: 'l/r'}") == ["@n", "1"])
    #expect(try lines("{csv: 'empty.csv', allowEmpty: true}") == ["@n"])
    #expect(try lines("{csv: 'empty.csv'}").first?.hasSuffix("[input.empty]") == true)
    #expect(try lines("{csv: 'none.csv'}").first?.hasSuffix("[input.missing]") == true)
    #expect(try lines("{csv: '.'}").first?.hasSuffix("[input.folder]") == true)
    #expect(try lines("{xml: 'empty.csv', record: 'a'}").first?.hasSuffix("[input.empty]") == true)
  }
}
