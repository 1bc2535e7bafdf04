import Diagnostics
import Foundation
import TestSupport
import Testing

@testable import Records

/// What is written, and that it is read back.
struct RecordWriterTests {
  private final class Text {
    var bytes: [UInt8] = []
    var text: String { String(decoding: bytes, as: UTF8.self) }
    var output: RecordOutput { { bytes throws(Diagnostic) in self.bytes += bytes } }
  }

  static let columns = ["_id", "a b", "note"]
  static let records: [[WrittenField]] = [
    [.text("E/p1"), .word("1.5"), .text("plain")],
    [.text("E/p2"), .null, .text("")],
    [.text("E/p3"), .text("a,\"b\"\r\n<&>"), .text(" x ")],
  ]

  @Test func csv() throws {
    let text = Text()
    let writer = try CSVWriter(columns: Self.columns, output: text.output)
    for record in Self.records { try writer.write(record) }
    try writer.finish()
    #expect(
      text.text
        == "_id,a b,note\nE/p1,1.5,plain\nE/p2,,\"\"\nE/p3,\"a,\"\"b\"\"\r\n<&>\",\" x \"\n")
  }

  @Test func json() throws {
    let text = Text()
    let writer = JSONWriter(columns: Self.columns, output: text.output)
    for record in Self.records { try writer.write(record) }
    try writer.finish()
    #expect(
      text.text == """
        [
        {"_id": "E/p1", "a b": 1.5, "note": "plain"},
        {"_id": "E/p2", "a b": null, "note": ""},
        {"_id": "E/p3", "a b": "a,\\"b\\"\\r\\n<&>", "note": " x "}
        ]

        """)
    let empty = Text()
    try JSONWriter(columns: ["a"], output: empty.output).finish()
    #expect(empty.text == "[]\n")
  }

  @Test func controlCharactersInJSON() throws {
    let text = Text()
    let writer = JSONWriter(columns: ["a"], output: text.output)
    let all = String(String.UnicodeScalarView((0..<0x100).compactMap { Unicode.Scalar($0) }))
    try writer.write([.text(all)])
    try writer.finish()
    let read = try JSONSerialization.jsonObject(with: Data(text.bytes)) as? [[String: String]]
    #expect(read?.first?["a"] == all)
  }

  @Test func xml() throws {
    let text = Text()
    let writer = try XMLWriter(root: "all", record: "E", columns: ["_id", "a", "b"], output: text.output)
    for record in Self.records { try writer.write(record) }
    try writer.finish()
    #expect(
      text.text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <all>
          <E _id="E/p1">
            <a>1.5</a>
            <b>plain</b>
          </E>
          <E _id="E/p2">
            <b></b>
          </E>
          <E _id="E/p3">
            <a>a,"b"&#13;
        &lt;&amp;&gt;</a>
            <b> x </b>
          </E>
        </all>

        """)
  }

  /// Texts of all kinds, in blocks and records of all sizes, come back as they were.
  @Test(arguments: ["csv", "xml"]) func readsBack(_ format: String) throws {
    var numbers = SeededGenerator(seed: 5)
    let parts = ["", "a", "\"", ",", "\n", "\r", "\r\n", " ", "\t", "é", "👩‍👧", "<", "&", ">", "]]>", "\u{FEFF}", "sep="]
    let texts = (0..<400).map { _ in
      (0..<2).map { _ in
        (0..<Int.random(in: 0...6, using: &numbers)).map { _ in parts.randomElement(using: &numbers)! }.joined()
      }
    }
    let text = Text()
    let writer: any RecordWriter =
      format == "csv"
      ? try CSVWriter(columns: ["a", "b", "c"], output: text.output)
      : try XMLWriter(root: "r", record: "e", columns: ["a", "b", "c"], output: text.output)
    for pair in texts { try writer.write([.text(pair[0]), .text(pair[1]), .null]) }
    try writer.finish()
    let folder = try TemporaryFolder()
    var configuration = ReaderConfiguration()
    let path = try folder.write(Data(text.bytes), to: "t." + format)
    if format == "csv" {
      configuration.csv = path
    } else {
      (configuration.xml, configuration.record, configuration.trim) = (path, "r/e", false)
      configuration.paths = ["a": "@a", "b": "b", "c": "c"]
    }
    let reader = try configuration.makeReader(in: folder.url.path, wanted: [])
    let chunk = RecordChunk()
    while try reader.read(into: chunk, limit: 64, refuse: { Issue.record("record \($0): \($1)") }) {}
    try #require(chunk.count == texts.count)
    for (record, pair) in texts.enumerated() {
      #expect(
        Array(chunk.bytes(record, 0)) == Array(pair[0].utf8) && Array(chunk.bytes(record, 1)) == Array(pair[1].utf8))
      #expect(chunk.flags(record, 1).contains(.quoted) || !pair[1].isEmpty)
      #expect(chunk.bytes(record, 2).isEmpty && !chunk.flags(record, 2).contains(.quoted))
    }
  }
}
