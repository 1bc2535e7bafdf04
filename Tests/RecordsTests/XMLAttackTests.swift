import Bytes
import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import Records

/// Hostile and broken documents: each is read in full or refused with its code; nothing is fetched, nothing is lost.
@Suite(.enabled(if: Shared.isThere, Shared.comment)) struct XMLAttackTests {
  /// By file: the values of `name` and `@id` in its rows, or what its error says.
  static let cases: [Case<String, [String]>] = [
    Case("entities blow up", "billion-laughs", ["[xml.entity-limit]"]),
    Case("in an attribute", "billion-laughs-attribute", ["[xml.entity-limit]"]),
    Case("a little", "billion-laughs-small-8000", ["[xml.entity-limit]"]),
    Case("one large entity, often", "quadratic-blowup", ["[xml.entity-limit]"]),
    Case("an entity in itself", "recursive-entity", ["[xml.entity-limit]"]),
    Case("parameter entities blow up", "parameter-entity-laughs", ["[xml.entity]"]),
    Case("parameter entities from outside", "parameter-entity-oob", ["[xml.entity]"]),
    Case("an entity from a file", "external-entity-file", ["[xml.entity]"]),
    Case("an entity from a file beside it", "external-entity-canary", ["[xml.entity]"]),
    Case("an entity from the net", "external-entity-http", ["[xml.entity]"]),
    Case("an entity that is not declared", "undefined-entity", ["[xml.entity]"]),
    // Its replacement text has a bare ampersand (XML 1.0, 4.5).
    Case("an entity with a bare ampersand", "internal-entity-harmless", ["[xml.malformed]"]),
    Case("an internal entity", "entity-silently-dropped", ["value|~"]),
    Case("a DTD on the net", "external-dtd-http", ["ok|~"]),
    Case("a DTD beside it, with a default attribute", "external-dtd-file", ["ok|~"]),
    Case("XInclude", "xinclude", ["\"|~"]),
    Case("a style sheet", "xml-stylesheet-pi", ["ok|~"]),
    Case("a schema", "schema-location", ["ok|~"]),
    Case("100,000 levels", "deep-nesting-100000", ["[xml.depth]"]),
    Case("50,000 attributes", "many-attributes-50000", ["~|~"]),
    Case("an attribute twice", "duplicate-attribute", ["[xml.malformed]"]),
    Case("text of 2 MiB", "huge-text-2MiB", [String(repeating: "y", count: 2 << 20) + "|~"]),
    Case("text in pieces", "cdata-split", ["a<b>&amp;]]>cd|~"]),
    Case("invalid UTF-8", "invalid-utf8", ["[xml.encoding]"]),
    Case("invalid UTF-8 in a name", "crash-invalid-utf8-in-name", ["[xml.encoding]"]),
    Case("Latin-1", "declared-latin1", ["café|~"]),
    Case("Windows 1252", "declared-cp1252", ["€ “q”|~"]),
    Case("UTF-16 with a mark", "utf16le-bom", ["Zoë 😀|~"]),
    Case("UTF-16 without a mark", "utf16be-nobom", ["Zoë|~"]),
    Case("UTF-8 that says UTF-16", "utf8-declared-utf16", ["[xml.encoding]"]),
    Case("UTF-8 with a mark", "utf8-bom", ["x|~"]),
    Case("UTF-7", "utf7", ["[xml.encoding]"]),
    Case("a blank before the declaration", "leading-whitespace", ["[xml.malformed]"]),
    Case("a control character", "control-char", ["[xml.malformed]"]),
    Case("a reference to one", "charref-control", ["[xml.malformed]"]),
    Case("references to surrogates", "charref-surrogate", ["[xml.malformed]"]),
    Case("NUL", "nul-byte", ["[xml.malformed]"]),
    Case("cut short", "truncated", ["[xml.malformed]"]),
    Case("two roots", "two-roots", ["[xml.malformed]"]),
    Case("text behind the root", "trailing-garbage", ["[xml.malformed]"]),
    Case("nothing", "empty", ["[input.empty]"]),
    Case("blanks", "whitespace-only", ["[xml.malformed]"]),
    Case("CSV", "not-xml.csv", ["[xml.malformed]"]),
    Case("HTML", "html", ["[xml.malformed]"]),
    Case("one namespace, three spellings", "namespace-prefix-swap", ["one|~", "two|~"]),
    Case("a prefix that is not declared", "namespace-undeclared", ["[xml.malformed]"]),
    Case("mixed content", "mixed-content", ["Dr. Eve Ng|~"]),
    Case("a child twice", "repeated-child", ["a+b*|~"]),
    Case("a row in a row", "nested-same-name", ["out|~"]),
    Case("XML 1.1", "xml11", ["a\u{85}b|~"]),
    Case("declarations of attributes", "crash-attlist-implied", ["x|1"]),
    Case("required ones", "crash-attlist-required", ["x|1"]),
    Case("a notation", "crash-notation", ["x|~"]),
    Case("an entity that is not parsed", "crash-ndata", ["x|~"]),
    Case("an instruction without data", "crash-pi-no-data", ["x|~"]),
  ]

  @Test(arguments: cases, [7, 1 << 14]) func attack(_ c: Case<String, [String]>, block: Int) throws {
    let path = try Shared.url("xml/attacks/\(c.input).xml").path
    let lines = dump { try reader(path, block: block) }
    if c.expected[0].hasPrefix("[") {
      #expect(lines.count == 1 && lines[0].hasSuffix(c.expected[0]), "\(lines)")
    } else {
      #expect(lines.dropFirst() == c.expected[...])
    }
  }

  @Test func compressed() throws {
    let small = try Shared.url("xml/attacks/gzip.xml.gz").path
    #expect(dump { try reader(small) } == ["name|@id", "x|~"])
    // 200 MiB of blanks take no memory.
    let bomb = try Shared.url("xml/attacks/gzip-bomb-200MiB.xml.gz").path
    #expect(dump { try reader(bomb, block: 1 << 16) } == ["name|@id"])
  }

  private func reader(_ path: String, block: Int = 1 << 14) throws -> XMLRecordReader {
    let mapping = try XMLMapping(
      record: "//row", paths: [:], wanted: ["name", "@id"], namespaces: [:], trim: true)
    return try XMLRecordReader(try InflatedSource(try FileSource(path)), mapping: mapping, blockSize: block)
  }
}
