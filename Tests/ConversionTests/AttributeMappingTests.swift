import Diagnostics
import Foundation
import Testing
import Values

@testable import Conversion

struct AttributeMappingTests {
  @Test func aTextIsAColumn() throws {
    #expect(try mappings(#"{"a": "first name"}"#) == ["a": AttributeMapping(column: "first name")])
  }

  /// One key of each declared option, so that an option that is declared and not read is found.
  @Test func everyDeclaredOptionIsRead() throws {
    let json = #"""
      {"column": "c", "columns": ["a"], "constant": "x", "whenNull": "y", "usesDefault": false, "shadow": "s", "kind": "enum", "form": "integer",
      "cases": {"a": 1}, "unknown": "a", "date": "unix", "timeZone": "UTC", "pivotYear": 1950, "decimalSign": ",",
      "groupingSign": ".", "nonFinite": true, "true": ["ja"], "false": ["nein"], "nulls": ["-"], "quotedNulls": true,
      "empty": "text", "trim": true, "nfc": true, "decimalLoss": "accept", "binary": "hex", "scale": "1",
      "colorSpace": "cmyk", "hexAlpha": "first", "storedUnit": "m"}
      """#
    let mapping = try JSONDecoder().decode(AttributeMapping.self, from: Data(json.utf8))
    let written = try JSONSerialization.jsonObject(with: JSONEncoder().encode(mapping)) as? [String: Any]
    #expect(Set(written?.keys ?? [:].keys) == Set(AttributeMapping.options.map(\.key)))
    #expect(try JSONDecoder().decode(AttributeMapping.self, from: JSONEncoder().encode(mapping)) == mapping)
  }
}
