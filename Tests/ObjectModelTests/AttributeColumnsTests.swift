import Bytes
import Foundation
import TestSupport
import Testing
import Values

@testable import ObjectModel

@Suite struct AttributeColumnsTests {
  private let rows: [[Value]] = [
    [.integer(1), .string("one"), .boolean(true), .decimal(Decimal(string: "0.1") ?? 0), .data(Data([1, 2]))],
    [.null, .null, .null, .null, .null],
    [.integer(-3), .string(""), .boolean(false), .decimal(12), .data(Data())],
  ]

  private func filled(_ model: NSManagedObjectModel) -> AttributeColumns {
    let columns = AttributeColumns(entity: model.entities[0], places: [3, 4, 0, 1, 2], capacity: 1)
    for (record, row) in rows.enumerated() {
      for (column, value) in row.enumerated() { columns.append(value, column: column) }
      columns.endRow(record: record)
    }
    return columns
  }

  private func model() throws -> NSManagedObjectModel {
    try ObjectModelTests.model(
      """
      <entity name="E"><attribute name="a" optional="YES" attributeType="Boolean"/>
        <attribute name="b" optional="YES" attributeType="Decimal"/>
        <attribute name="c" optional="YES" attributeType="Binary"/>
        <attribute name="d" optional="YES" attributeType="Integer 32"/>
        <attribute name="e" optional="YES" attributeType="String"/>
        <attribute name="f" optional="YES" attributeType="String" defaultValueString="F"/></entity>
      """)
  }

  @Test func whatGoesInComesOut() throws {
    let model = try model()
    let columns = filled(model)
    #expect(columns.rowCount == rows.count)
    for (row, values) in rows.enumerated() {
      #expect(values.indices.map { columns.value(row: row, column: $0) } == values)
      let expected = [values[2], values[3], values[4], values[0], values[1]]
      #expect(columns.values(row: row) == expected + [.string("F")])
      var read: [Value] = Array(repeating: .null, count: 6)
      columns.read(row: row, into: &read)
      #expect(read == expected + [.null])
    }
  }

  @Test func anOpenRowIsTakenBack() throws {
    let model = try model()
    let columns = filled(model)
    columns.append(.integer(9), column: 0)
    columns.append(.string("gone"), column: 1)
    columns.dropOpenRow()
    #expect(columns.columns.map(\.count) == Array(repeating: rows.count, count: 5))
    columns.removeAll()
    for (column, value) in rows[0].enumerated() { columns.append(value, column: column) }
    columns.endRow(record: 7)
    #expect(columns.rowCount == 1 && columns.records == [7])
    #expect(columns.value(row: 0, column: 1) == .string("one"))
  }
}
