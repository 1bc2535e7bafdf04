import Diagnostics
import Foundation
import SQLiteStore
import TestSupport
import Testing
import Values

@testable import Gantry

/// What is said of pipelines that are JSON5 but no pipelines.
struct PipelineFileTests {
  /// A pipeline around what is inside a step.
  private static func step(_ inside: String) -> String {
    "{ model: 'm', store: 's', steps: [\n{ \(inside) } ] }"
  }

  static let refused: [Case<String, String>] = [
    Case("not an object", "[]", "1:1: the pipeline is a list, expected an object [pipeline.value]"),
    Case("no model", "{ store: 's', steps: [] }", "1:1: the key model is missing [pipeline.value]"),
    Case("no store", "{ model: 'm', steps: [] }", "1:1: the key store is missing [pipeline.value]"),
    Case("no steps", "{ model: 'm', store: 's' }", "1:1: the key steps is missing [pipeline.value]"),
    Case(
      "a key of the pipeline misspelled", "{ modle: 'm' }",
      "1:3: the pipeline has an unknown key modle [pipeline.key]\n  Did you mean model? Known keys: model, version, "
        + "sourceVersion, store, steps, mapping, infer, allowLoss, copyUnchanged, chunk, skipLimit, rejects, "
        + "frameworkVersion, journal, template, append, reproducible."
    ),
    Case("steps is no list", "{ steps: {} }", "1:10: steps is an object, expected a list [pipeline.value]"),
    Case("a step is no object", "{ steps: [\n 'x' ] }", "2:2: the step is \"x\", expected an object [pipeline.value]"),
    Case("a flag", "{ model: true }", "1:10: model is true or false, expected a text [pipeline.value]"),
    Case("null", "{ model: null }", "1:10: model is null, expected a text [pipeline.value]"),
    Case("a number for a text", "{ model: 5 }", "1:10: model is 5, expected a text [pipeline.value]"),
    Case(
      "a text for a number", "{ chunk: 'x' }", "1:10: chunk is \"x\", expected a whole number from 1 [pipeline.value]"),
    Case("a fraction", "{ chunk: 1.5 }", "1:10: chunk is 1.5, expected a whole number from 1 [pipeline.value]"),
    Case(
      "a number too large", "{ chunk: 99999999999999999999 }",
      "1:10: chunk is 99999999999999999999, expected a whole number from 1 [pipeline.value]"),
    Case(
      "a limit below 0", "{ model: 'm', store: 's', steps: [],\n skipLimit: -1 }",
      "2:13: skipLimit is -1, expected a whole number from 0, or none [pipeline.value]"),
    Case(
      "a limit in words", "{ model: 'm', store: 's', steps: [], skipLimit: 'all' }",
      "1:49: skipLimit is \"all\", expected a whole number from 0, or none [pipeline.value]"),
    Case(
      "a limit out of reach", "{ skipLimit: 1e99 }",
      "1:14: skipLimit is 1e99, expected a whole number from 0, or none [pipeline.value]\n"
        + "  It is how many records a step may refuse; none for any number."),
    Case(
      "a key of the second step", "{ model: 'm', store: 's', steps: [{ read: {} },\n{ entty: 'E' }] }",
      "2:3: step 2 has an unknown key entty [pipeline.key]"),
    Case(
      "a key inside the second step", "{ model: 'm', store: 's', steps: [{ read: {} },\n{ read: { cvs: 'E' } }] }",
      "2:11: read of step 2 has an unknown key cvs [pipeline.key]"),
    Case(
      "a value inside the second step", "{ model: 'm', store: 's', steps: [{ read: {} },\n{ read: { header: -1 } }] }",
      "2:19: header of step 2 is -1, expected a whole number from 0 [pipeline.value]\n"
        + "  It is the number of header lines, joined by a blank."),
    Case("no read", step("entity: 'E'"), "2:1: the key read is missing [pipeline.value]"),
    Case(
      "an unknown key of a step", step("read: {}, onconflict: 'skip'"),
      "2:13: the step has an unknown key onconflict [pipeline.key]\n  Did you mean onConflict? Known keys: name, read, entity, "
        + "map, ignore, id, linkedLater, key, onConflict, relationships, link, date, timeZone, pivotYear, decimalSign, "
        + "groupingSign, nonFinite, true, false, nulls, quotedNulls, empty, trim, nfc, decimalLoss, binary, scale, colorSpace, hexAlpha, "
        + "storedUnit."),
    Case(
      "a choice", step("onConflict: 'replace'"),
      "2:15: onConflict is \"replace\", expected one of insert, update, skip, fail [pipeline.value]"),
    Case("a text for a flag", step("trim: 'yes'"), "2:9: trim is \"yes\", expected true or false [pipeline.value]"),
    Case("a text for a list", step("key: 'id'"), "2:8: key is \"id\", expected a list of texts [pipeline.value]"),
    Case("a flag in a list", step("key: ['a', true]"), "2:14: key is true or false, expected a text [pipeline.value]"),
    Case("a number in a list of texts", step("nulls: [0]"), "2:11: nulls is 0, expected a text [pipeline.value]"),
    Case(
      "a number for a text option", step("decimalSign: 0"), "2:16: decimalSign is 0, expected a text [pipeline.value]"),
    Case(
      "an unknown option of a reader", step("read: { csv: 'f', delimter: ';' }"),
      "2:21: read has an unknown key delimter [pipeline.key]\n  Did you mean delimiter? Known keys: csv, txt, xml, delimiter, "
        + "quote, escape, header, columns, skipLines, comment, trim, missingFields, extraFields, encoding, separatorLine, "
        + "widths, fields, unit, record, namespaces, allowEmpty, keepPartial."),
    Case("no object to read", step("read: 'f.csv'"), "2:9: read is \"f.csv\", expected an object [pipeline.value]"),
    Case(
      "a width that is none", step("read: { txt: 'f', widths: [4, 'x'] }"),
      "2:33: widths is \"x\", expected a whole number [pipeline.value]"),
    Case(
      "a field of fixed width without a name", step("read: { txt: 'f', fields: [{ start: 1 }] }"),
      "2:30: the key name is missing [pipeline.value]"),
    Case(
      "fields of fixed width for XML", step("read: { xml: 'f', fields: [] }"),
      "2:29: fields is a list, expected an object [pipeline.value]"),
    Case(
      "fields of XML for fixed width", step("read: { txt: 'f', fields: {} }"),
      "2:29: fields is an object, expected a list [pipeline.value]"),
    Case("a map that is none", step("map: []"), "2:8: map is a list, expected an object [pipeline.value]"),
    Case(
      "a mapping that is none", step("map: { a: 1 }"), "2:13: a is 1, expected a text or an object [pipeline.value]"),
    Case(
      "an unknown key of a mapping", step("map: { a: { colunm: 'x' } }"),
      "2:15: a has an unknown key colunm [pipeline.key]\n  Did you mean column? Known keys: column, columns, constant, "
        + "whenNull, usesDefault, shadow, kind, form, cases, unknown, date, timeZone, pivotYear, decimalSign, groupingSign, "
        + "nonFinite, true, false, nulls, quotedNulls, empty, trim, nfc, decimalLoss, binary, scale, colorSpace, hexAlpha, "
        + "storedUnit."),
    Case(
      "a case without a number", step("read: {}, map: { a: { cases: { x: 'y' } } }"),
      "2:37: x is \"y\", expected a whole number [pipeline.value]"),
    Case(
      "a relationship by a text", step("relationships: { r: 'city' }"),
      "2:23: r is \"city\", expected an object [pipeline.value]"),
    Case(
      "a rule for missing keys", step("relationships: { r: { missing: 'ignore' } }"),
      "2:34: missing is \"ignore\", expected one of reject, null, create [pipeline.value]"),
    Case(
      "a link end without a column", step("read: {}, link: { entity: 'E', relationship: 'r', from: { by: 'a' } }"),
      "2:59: the key column is missing [pipeline.value]"),
    Case(
      "an unknown key of a link's end", step("link: { to: { colum: 'x' } }"),
      "2:17: to has an unknown key colum [pipeline.key]\n  Did you mean column? Known keys: column, by."),
    Case(
      "links that make objects", step("link: { missing: 'create' }"),
      "2:20: missing is \"create\", expected one of reject, null [pipeline.value]"),
  ]

  @Test(arguments: refused)
  func refuses(_ c: Case<String, String>) {
    let error = #expect(throws: Diagnostic.self) { try PipelineFile.decode(c.input, file: "p.json5") }
    // Most hints list the keys or say the help of the option; some cases have them.
    #expect(error?.text(like: c.expected) == "p.json5:" + c.expected)
    #expect(error?.code.fate == .usage)
  }

  @Test func filesThatCannotBeRead() throws {
    let folder = try TemporaryFolder()
    let text = { (path: String) in
      let error = #expect(throws: Diagnostic.self) { try PipelineFile.read(path) }
      return error?.description.replacing(folder.url.path, with: "FOLDER")
    }
    #expect(
      text(folder.path("none.json5"))
        == "FOLDER/none.json5: there is no such file, expected a pipeline [pipeline.file]\n  Check the path and its permissions."
    )
    #expect(
      text(folder.url.path)
        == "FOLDER: this is a folder, expected a pipeline [pipeline.file]\n  Check the path and its permissions.")
    #expect(
      text(try folder.write(Data([0x7B, 0xFF, 0x7D]), to: "latin1.json5"))
        == "FOLDER/latin1.json5: the file is not UTF-8 [pipeline.syntax]\n  Save it as UTF-8.")
  }

  @Test func shortFormsAndDefaults() throws {
    let pipeline = try PipelineFile.decode(
      Self.step("read: { csv: 'people.csv' }, entity: 'Person', map: { name: 'full name', age: {} }"), file: "p.json5")
    var step = StepConfiguration(read: ReaderConfiguration())
    step.read.csv = "people.csv"
    step.entity = "Person"
    step.map = ["name": "full name", "age": AttributeMapping()]
    #expect(pipeline == Pipeline(model: "m", store: "s", steps: [step]))
    #expect(
      pipeline.run.chunk == 5000 && pipeline.run.skipLimit == .upTo(100) && pipeline.newStore.frameworkVersion == 1345)
    #expect(step.conflictRule == .insert)
    step.key = ["name"]
    #expect(step.conflictRule == .fail)
  }

  /// The words that may be spelled as numbers, too.
  @Test(arguments: ["skipLimit: 7", "skipLimit: '7'", "chunk: 7, skipLimit: 'none'"])
  func limits(_ text: String) throws {
    let run = try PipelineFile.decode("{ model: 'm', store: 's', steps: [], \(text) }", file: "p.json5").run
    #expect(run.skipLimit == (text.contains("none") ? .none : .upTo(7)))
    #expect(run.chunk == (text.contains("chunk") ? 7 : 5000))
  }

  @Test func scaleAsNumber() throws {
    for spelling in ["255", "'255'", "1", "'1'"] {
      let step = try PipelineFile.decode(Self.step("read: {}, scale: \(spelling)"), file: "p.json5").steps[0]
      #expect(step.conversion.scale == (spelling.contains("255") ? .bytes : .unit))
    }
  }
}
