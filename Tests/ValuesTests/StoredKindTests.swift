import Diagnostics
import Foundation
import KeyedArchives
import TestSupport
import Testing

@testable import Values

@Suite struct StoredKindTests {
  static let unfit: [Case<(name: String, form: String?, type: StorageForm.StoredType), String>] = [
    Case("unknown kind", ("colour", nil, .string), "kind: there is no kind \"colour\""),
    Case(
      "unknown form", ("color", "ciecam", .data),
      "form: a Binary attribute does not keep the form \"ciecam\" of a color"),
    Case(
      "form of another type", ("color", "nscolor", .string),
      "form: a String attribute does not keep the form \"nscolor\" of a color"),
    Case("type without a form", ("rect", nil, .integer), "form: an Integer attribute does not keep a rect"),
    Case("number without a form", ("rect", nil, .real), "form: a Double or Float attribute does not keep a rect"),
    Case("no cases", ("enum", nil, .integer), "kind: an enum needs its cases"),
    Case("no options", ("optionSet", nil, .integer), "kind: an optionSet needs its cases"),
    Case(
      "unknown transformer", ("color", "transformer:Fade", .data),
      "form: no value transformer is registered by the name \"Fade\""),
  ]

  @Test(arguments: unfit) func doesNotFit(
    _ c: Case<(name: String, form: String?, type: StorageForm.StoredType), String>
  ) {
    let error = #expect(throws: Diagnostic.self) {
      try StoredKind(c.input.name, settings: KindSettings(), form: c.input.form, storedAs: c.input.type)
    }
    #expect(error?.message == c.expected)
  }

  static let defaults: [Case<(kind: String, type: StorageForm.StoredType), StorageForm>] = [
    Case("colour in Binary", ("color", .data), .nscolor), Case("colour in String", ("color", .string), .hex),
    Case("rect in String", ("rect", .string), .string), Case("rect in Binary", ("rect", .data), .nsvalue),
    Case("JSON in Transformable", ("json", .data), .archive), Case("JSON in String", ("json", .string), .json),
    Case("bytes in Binary", ("binary", .data), .bytes), Case("time in Integer", ("timeOfDay", .integer), .integer),
  ]

  @Test(arguments: defaults) func defaultForm(_ c: Case<(kind: String, type: StorageForm.StoredType), StorageForm>)
    throws
  {
    #expect(try StoredKind(c.input.kind, settings: KindSettings(), storedAs: c.input.type).form == c.expected)
  }

  @Test func objects() throws {
    let colour = try StoredKind("color", settings: KindSettings(), storedAs: .data)
    let red = Colour(red: 1, green: 0, blue: 0)
    let stored = try colour.stored(object: red)
    #expect(try colour.object(stored: stored) as? Colour == red)
    #expect(try colour.object(stored: .null) == nil)
    #expect(try colour.stored(object: nil) == .null)
    #expect(throws: TextTrouble.form) { try colour.stored(object: "red") }
    var settings = KindSettings()
    settings.cases = ["a": 1]
    let word = try StoredKind("enum", settings: settings, storedAs: .integer)
    for number in [1, Int16(1), Int64(1), NSNumber(value: 1)] as [Any] {
      #expect(try word.stored(object: number) == .integer(1))
    }
  }

  @Test func kindOfOnesOwn() throws {
    ValueKinds.register(Temperature.self)
    let kind = try StoredKind("temperature", settings: KindSettings(), storedAs: .integer)
    #expect(read("21 °C") { bytes throws(TextTrouble) in try kind.stored(bytes) } == .value(.integer(21)))
    #expect(read("21 °F") { bytes throws(TextTrouble) in try kind.stored(bytes) } == .trouble(.form))
    #expect(try kind.text(stored: .integer(21)) == "21 °C")
    #expect(ValueKinds.names.contains("temperature"))
  }

  @Test func transformers() throws {
    ValueTransformers.register(ReversedText())
    for kind in [
      try StoredKind("string", settings: KindSettings(), form: "transformer:ReversedText", storedAs: .data),
      try StoredKind("string", settings: KindSettings(), storedAs: .data, transformerName: "ReversedText"),
    ] {
      #expect(kind.form == .transformer("ReversedText"))
      #expect(
        read("abc") { b throws(TextTrouble) in try kind.stored(b) } == .value(.data(Data("cba".utf8))))
      #expect(try kind.text(stored: .data(Data("cba".utf8))) == "abc")
      #expect(throws: TextTrouble.form) { try kind.text(stored: .data(Data([0xFF]))) }
    }
    // Apple's own keep archives, which need no transformer.
    let archive = try StoredKind(
      "json", settings: KindSettings(), storedAs: .data, transformerName: "NSSecureUnarchiveFromData")
    #expect(archive.form == .archive)
    // A form that is named wins: the transformer may make it.
    #expect(
      try StoredKind(
        "color", settings: KindSettings(), form: "uicolor", storedAs: .data, transformerName: "UIColorTransformer"
      ).form == .uicolor)
  }
}

/// A kind as a user would write it.
private struct Temperature: ValueKind {
  static let name = "temperature"
  static let forms: [StorageForm] = [.integer]
  init(_ settings: KindSettings) {}
  var expectation: String { "a temperature such as 21 °C" }
  func content(_ text: UnsafeRawBufferPointer) throws(TextTrouble) -> Int64 {
    let text = String(decoding: text, as: UTF8.self)
    guard text.hasSuffix(" °C"), let degrees = Int64(text.dropLast(3)) else { throw .form }
    return degrees
  }
  func text(_ content: Int64) -> String { "\(content) °C" }
  func stored(_ content: Int64, as form: StorageForm) -> Value { .integer(content) }
  func content(stored: Value, as form: StorageForm) throws(TextTrouble) -> Int64 {
    guard case .integer(let degrees) = stored else { throw .form }
    return degrees
  }
}

/// A transformer as a user would write it.
private struct ReversedText: StoredValueTransformer {
  static let name = "ReversedText"
  struct NoText: Error {}
  func data(_ value: any Sendable) throws -> Data {
    guard let text = value as? String else { throw NoText() }
    return Data(String(text.reversed()).utf8)
  }
  func value(_ data: Data) throws -> any Sendable {
    guard let text = String(data: data, encoding: .utf8) else { throw NoText() }
    return String(text.reversed())
  }
}
