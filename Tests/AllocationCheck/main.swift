// Counts how often converting a record asks for memory, in an optimised build, and ends with 1 if it is too often.
//
// Without optimisation the standard library asks for some itself: a test runs this program as the release build has it.
import AllocationCounter
import Conversion
import Diagnostics
import Foundation
import ObjectModel
import Records
import Values

struct Column {
  let name: String
  let type: NSAttributeType
  var userInfo: [String: String] = [:]
  var options = ConversionOptions()
  let text: String
  /// The most allocations for a record.
  let limit: Int
}

func options(_ change: (inout ConversionOptions) -> Void) -> ConversionOptions {
  var options = ConversionOptions()
  change(&options)
  return options
}

let date = "2024-05-01T12:30:00Z"
let columns = [
  Column(name: "Integer 16", type: .integer16AttributeType, text: "-1234", limit: 0),
  Column(name: "Integer 64", type: .integer64AttributeType, text: "9223372036854775807", limit: 0),
  Column(name: "Double", type: .doubleAttributeType, text: "1234.5678", limit: 0),
  Column(name: "Float", type: .floatAttributeType, text: "-0.25e3", limit: 0),
  Column(name: "Decimal", type: .decimalAttributeType, text: "1123.563", limit: 0),
  Column(
    name: "decimal comma", type: .decimalAttributeType, options: options { $0.decimalSign = "," }, text: "9,99",
    limit: 0),
  Column(name: "Boolean", type: .booleanAttributeType, text: "yes", limit: 0),
  Column(name: "Date", type: .dateAttributeType, text: date, limit: 0),
  Column(
    name: "date with a pattern", type: .dateAttributeType, options: options { $0.date = "dd/MM/yyyy" },
    text: "01/05/2024", limit: 0),
  Column(
    name: "local time", type: .dateAttributeType,
    options: options { ($0.date, $0.timeZone) = ("yyyy-MM-dd HH:mm", "Europe/Berlin") }, text: "2024-05-01 12:30",
    limit: 0),
  Column(
    name: "seconds", type: .dateAttributeType, options: options { $0.date = "unix" }, text: "978307200.5", limit: 0),
  Column(name: "text", type: .stringAttributeType, text: "a text that is longer than fifteen bytes", limit: 0),
  Column(name: "UUID", type: .UUIDAttributeType, text: "0B3E2F6A-9C1D-4E8F-A1B2-C3D4E5F60718", limit: 0),
  Column(name: "colour as hex", type: .stringAttributeType, userInfo: ["kind": "color"], text: "#12e456", limit: 1),
  Column(
    name: "colour as NSColor", type: .binaryDataAttributeType, userInfo: ["kind": "color"], text: "#12e456", limit: 1),
  Column(
    name: "colour of a function", type: .binaryDataAttributeType, userInfo: ["kind": "color"],
    text: "rgba(18, 228, 86, 0.5)", limit: 1),
  Column(
    name: "colour as UIColor", type: .binaryDataAttributeType, userInfo: ["kind": "color", "form": "uicolor"],
    text: "#12e456", limit: 1),
  Column(
    name: "rect", type: .stringAttributeType, userInfo: ["kind": "rect"], text: "{{0.1, 44}, {320.25, 392.5}}", limit: 1
  ),
]

guard allocationCounterIsThere() else {
  print("allocations are not counted here")
  exit(0)
}

// A counter that does not count would find nothing wrong.
let before = allocationCount()
UnsafeMutableRawPointer.allocate(byteCount: columns.count, alignment: 1).deallocate()
precondition(allocationCount() > before, "allocations are not counted")

/// The allocations for each of many records of one text.
func allocations(_ column: Column) throws -> Double {
  let attribute = NSAttributeDescription()
  attribute.name = "a"
  attribute.attributeType = column.type
  attribute.isOptional = true
  attribute.userInfo = column.userInfo
  let entity = NSEntityDescription()
  entity.name = "T"
  entity.properties = [attribute]
  let converter = try RecordConverter(entity: entity, columns: ["a"], options: column.options)

  let count = 1000
  let chunk = RecordChunk()
  for record in 0..<count {
    Array(column.text.utf8).withUnsafeBytes { chunk.append($0) }
    chunk.endField()
    chunk.endRecord(at: .init(record: record + 1, line: record + 1, byte: 0))
  }
  let rows = converter.makeColumns(capacity: count)
  var before = 0
  // The first time, columns grow and what is made once is made.
  for _ in 0..<3 {
    rows.removeAll()
    before = allocationCount()
    for record in 0..<count {
      if let refusal = converter.convert(chunk, record, into: rows) { throw refusal }
    }
  }
  return Double(allocationCount() - before) / Double(count)
}

var isTooMuch = false
for column in columns {
  let found = try allocations(column)
  print("\(column.name)\t\(found)\tat most \(column.limit)")
  if found > Double(column.limit) { isTooMuch = true }
}
exit(isTooMuch ? 1 : 0)
