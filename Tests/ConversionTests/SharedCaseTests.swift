import Diagnostics
import Foundation
import ObjectModel
import Records
import TestSupport
import Testing
import Values

@testable import Conversion

/// The value cases of the shared folder, from file to row; what is expected is what each case says.
@Suite(.enabled(if: Shared.isThere, Shared.comment)) struct SharedCaseTests {
  /// Reads a case's file with its model, or with an entity of the test's own.
  private func rows(
    _ name: String, _ json: String = "{}", map: String = "{}", delimiter: String? = nil,
    entity own: NSEntityDescription? = nil
  ) throws -> [Row] {
    let folder = try Shared.url("cases/\(name)")
    let model = try NSManagedObjectModel(contentsOf: folder.appendingPathComponent("Model.xcdatamodeld"))
    var read = ReaderConfiguration()
    read.csv = "input.csv"
    read.delimiter = delimiter
    let reader = try read.makeReader(in: folder.path, wanted: [])
    let entity = try #require(own ?? model.entities.first)
    let converter = try RecordConverter(
      entity: entity, columns: reader.columns, mappings: mappings(map), options: options(json),
      file: "input.csv")
    let chunk = RecordChunk()
    while try reader.read(into: chunk, limit: 100, refuse: { index, trouble in Issue.record("\(index): \(trouble)") }) {
    }
    let columns = converter.makeColumns()
    return (0..<chunk.count).map { record in
      if let diagnostic = converter.convert(chunk, record, into: columns) { return .refused(diagnostic.code.name) }
      let row = columns.rowCount - 1
      // A required attribute without a value is refused by the model's rules, which the same row goes through.
      if let error = columns.validate(row: row) { return .refused(error.diagnostic().code.name) }
      let values = columns.places.indices.map { column in
        (entity.layout.attributes[columns.places[column]].path, columns.value(row: row, column: column))
      }
      return .values(Dictionary(values, uniquingKeysWith: { first, _ in first }))
    }
  }

  /// The values of one attribute by row; the code where a row is refused.
  private func column(_ attribute: String, _ rows: [Row]) -> [Column] {
    rows.map { row in
      switch row {
      case .values(let values): .value(values[attribute] ?? .null)
      case .refused(let code): .refused(code)
      }
    }
  }

  private enum Column: Equatable {
    case value(Value)
    case refused(String)
    static func text(_ text: String) -> Column { .value(.string(text)) }
    static func date(_ seconds: Double) -> Column { .value(.date(Date(timeIntervalSinceReferenceDate: seconds))) }
    static func decimal(_ text: String) -> Column { .value(.decimal(Decimal(string: text) ?? .nan)) }
  }

  @Test func b01() throws {
    #expect(
      column("zip", try rows("B01")) == [.text("00501"), .text("0042E1"), .text("1e5"), .text("+47"), .text("007")])
  }

  @Test func b02() throws {
    let comma = try rows("B02", #"{"decimalSign": ",", "groupingSign": "."}"#, delimiter: ";")
    #expect(
      column("price", comma) == [.decimal("9.99"), .decimal("1234.56"), .decimal("0.5"), .decimal("1.234")])
    let refused = Column.refused("convert.number")
    #expect(column("price", try rows("B02", delimiter: ";")) == [refused, refused, refused, refused])
  }

  @Test func b03() throws {
    let instant = Column.date(406_191_600)
    #expect(column("at", try rows("B03")) == [instant, instant, instant, .refused("convert.date")])
    #expect(column("at", try rows("B03", #"{"timeZone": "UTC"}"#)) == [instant, instant, instant, instant])
  }

  @Test func b04() throws {
    #expect(
      column("at", try rows("B04")) == [.date(540_216_534.839216), .date(540_216_534.8), .date(540_216_534.0)])
  }

  @Test func b07() throws {
    let rows = try rows("B07", #"{"date": "yyyy-MM-dd HH:mm:ss", "timeZone": "Europe/Berlin"}"#)
    #expect(column("at", rows) == [.refused("convert.date"), .date(751_681_800), .date(751_689_000)])
  }

  @Test func b09() throws {
    let rows = try rows("B09")
    #expect(column("a", rows) == [.text(""), .value(.null), .refused("validation.required")])
    #expect(column("n", rows) == [.value(.null), .value(.null), .refused("validation.required")])
  }

  @Test func b10() throws {
    let rows = try rows("B10")
    #expect(column("name", rows) == [.text("Namibia"), .text("Null"), .text("None"), .text("nan")])
    #expect(column("code", rows) == [.text("NA"), .text("NU"), .text("N/A"), .text("-")])
  }

  @Test func b13() throws {
    #expect(
      column("amount", try rows("B13")) == [
        .decimal("0.1"), .decimal("1123.563"), .refused("convert.decimal-precision"), .decimal("0.3"),
      ])
  }

  @Test func b15() throws {
    let rows = try rows("B15", map: #"{"tint": {"shadow": "tintRGBA", "kind": "color"}}"#)
    #expect(
      column("tintRGBA", rows) == [
        .text("#ff000080"), .text("#000000ff"), .text("#12e456ff"), .text("#00ff00ff"), .refused("convert.kind"),
        .refused("convert.kind"), .value(.null),
      ])
  }

  @Test func b16() throws {
    let box = entity(
      "Box",
      [
        attribute("id"), transient("frame", ["kind": "rect"]), attribute("frameString"),
        transient("origin", ["kind": "point"]), attribute("originString"), transient("span", ["kind": "range"]),
        attribute("spanString"),
      ])
    let rows = try rows("B16", entity: box)
    #expect(
      column("frameString", rows) == [
        .text("{{1, 2}, {3, 4}}"), .text("{{1.5, -2}, {0, 4}}"), .refused("convert.kind"), .refused("convert.kind"),
        .value(.null),
      ])
    #expect(column("originString", rows)[1] == .text("{-1, 0.25}"))
    #expect(column("spanString", rows)[0] == .text("{3, 4}"))
    #expect(rows[4] == .values(["id": .string("5"), "frameString": .null, "originString": .null, "spanString": .null]))
  }

  @Test func d10() throws {
    let folder = try Shared.url("cases/D10")
    var read = ReaderConfiguration()
    read.csv = "2_items.csv"
    let reader = try read.makeReader(in: folder.path, wanted: [])
    let chunk = RecordChunk()
    while try reader.read(into: chunk, limit: 100, refuse: { _, _ in }) {}
    let converter = try FieldConverter(
      entity: entity("Tag", [attribute("name")]), attribute: "name", column: "tags", field: 1)
    let tags = try (0..<chunk.count).map { try converter.values(chunk, $0, separator: ";") }
    #expect(
      tags == [
        [.string("red"), .string("blue")], [.string("red"), .string("blue")], [], [.string("semi;colon")],
      ])
  }
}
