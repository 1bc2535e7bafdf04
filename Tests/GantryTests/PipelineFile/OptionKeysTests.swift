import Batch
import Conversion
import Diagnostics
import Foundation
import Records
import SQLiteStore
import TestSupport
import Testing
import Values

@testable import Gantry

/// An option is declared once: what a configuration declares, its `Codable` form reads and writes.
struct OptionKeysTests {
  /// Configurations, and values for the options whose form does not tell one that is good.
  static let configurations: [Case<any (OptionDescribing & Codable & Sendable).Type, [String: String]>] = [
    Case("Pipeline", Pipeline.self, ["steps": "[]"]),
    Case("MappingConfiguration", MappingConfiguration.self, [:]),
    Case("MigrateConfiguration", MigrateConfiguration.self, [:]),
    Case("RunConfiguration", RunConfiguration.self, ["skipLimit": "\"none\""]),
    Case("SQLiteStoreOptions", SQLiteStoreOptions.self, [:]),
    Case(
      "StepConfiguration", StepConfiguration.self,
      [
        "read": "{\"csv\":\"a\"}", "map": "{\"b\":{\"column\":\"c\"}}", "relationships": "{\"r\":\(relationship)}",
        "link": link, "true": "[\"y\"]", "false": "[\"n\"]", "decimalSign": "\",\"",
      ]),
    Case("RelationshipMapping", RelationshipMapping.self, [:]),
    Case("LinkConfiguration", LinkConfiguration.self, ["from": end, "to": end]),
    Case("LinkConfiguration.End", LinkConfiguration.End.self, [:]),
    Case("AttributeMapping", AttributeMapping.self, ["cases": "{\"a\":1}"]),
    Case("ConversionOptions", ConversionOptions.self, [:]),
    // Both forms of `fields`: that of XML and that of fixed width.
    Case(
      "ReaderConfiguration", ReaderConfiguration.self, ["fields": "{\"a\":\"@b\"}", "namespaces": "{\"p\":\"urn:x\"}"]),
  ]
  private static let end = "{\"by\":\"x\",\"column\":\"y\"}"
  private static let relationship = "{\"by\":\"x\",\"column\":\"y\",\"missing\":\"null\"}"
  private static let link =
    "{\"entity\":\"E\",\"from\":\(end),\"missing\":\"null\",\"relationship\":\"r\",\"to\":\(end)}"

  @Test(arguments: configurations)
  func everyOptionIsReadAndWritten(_ c: Case<any (OptionDescribing & Codable & Sendable).Type, [String: String]>) throws
  {
    let options = c.input.options
    var given: [String: String] = [:]
    for option in options {
      #expect(given[option.key] == nil, "\(option.key) is declared twice")
      let value: String = try #require(c.expected[option.key] ?? Self.sample(option.form), "\(option.key)")
      given[option.key] = value
    }
    #expect(try Self.reencoded(given, as: c.input) == given)
  }

  @Test func fieldsOfFixedWidth() throws {
    let given = ["txt": "\"t\"", "fields": "[{\"name\":\"a\",\"start\":1,\"width\":2},{\"name\":\"b\",\"start\":3}]"]
    #expect(try Self.reencoded(given, as: ReaderConfiguration.self) == given)
  }

  /// A value of a form that is no option's default.
  private static func sample(_ form: OptionDescription.Form) -> String? {
    switch form {
    case .flag: "true"
    case .integer: "3"
    case .count: "7"
    case .number: "1.5"
    case .text: "\"x\""
    case .choice(let words): words.last.map { "\"\($0)\"" }
    case .list("N"): "[1]"
    case .list: "[\"y\"]"
    case .object: nil
    }
  }

  /// What members become that are decoded and encoded.
  private static func reencoded<C: Codable>(_ members: [String: String], as type: C.Type) throws -> [String: String] {
    let text = "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    let configuration = try JSONDecoder().decode(type, from: Data(text.utf8))
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let tree = try JSON5Scanner.scan(String(decoding: try encoder.encode(configuration), as: UTF8.self), file: "-")
    guard case .object(let encoded) = tree.content else { return [:] }
    return Dictionary(uniqueKeysWithValues: encoded.map { ($0.key, $0.value.json) })
  }
}
