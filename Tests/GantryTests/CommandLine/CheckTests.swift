import Foundation
import SQLiteDriver
import SQLiteStore
import TestSupport
import Testing

@testable import Gantry

/// `gantry check STORE`: what it prints, and the exit code.
struct CheckTests {
  let folder: TemporaryFolder
  let store: String
  let model: String

  init() throws {
    folder = try TemporaryFolder()
    store = folder.path("s.sqlite")
    model = try folder.write(
      """
      <model type="com.apple.IDECoreDataModeler.DataModel"><entity name="City">
        <attribute name="name" attributeType="String"/>
      </entity></model>
      """, to: "M.xcdatamodel/contents"
    ).replacingOccurrences(of: "/contents", with: "")
    try folder.write("name\nRoma\nOslo\n", to: "in.csv")
    let run = Talk(["import", folder.path("in.csv"), "--model", model, "--entity", "City", "--store", store])
    #expect(run.status == .done)
  }

  private func change(_ sql: String) throws { try Connection(store, .readWrite).execute(sql) }

  @Test func aSoundStore() throws {
    let talk = Talk(["check", store, "--model", model])
    #expect(talk.status == .done && talk.output.isEmpty && talk.errors == "\(store): sound, 2 rows\n")
    let json = Talk(["check", store, "--model", model, "--json"])
    #expect(json.status == .done)
    #expect(
      json.output == """
        {
          "checked" : "\(store)",
          "findings" : [

          ]
        }

        """)
  }

  @Test func whatIsWrongIsListed() throws {
    try change("UPDATE ZCITY SET ZNAME = NULL WHERE Z_PK = 2; UPDATE Z_PRIMARYKEY SET Z_MAX = 1")
    let talk = Talk(["check", store, "--model", model])
    #expect(talk.status == .store)
    #expect(
      talk.output == """
        keys of ZCITY beyond Z_MAX: 1 (2) [check.greatest-key]
        rows without a value of City.name, which is required: 1 (2) [check.required]

        """)
    let json = Talk(["check", store, "--model", model, "--json"])
    #expect(json.status == .store && json.errors.isEmpty)
    #expect(
      json.output == """
        {
          "checked" : "\(store)",
          "findings" : [
            {
              "code" : "check.greatest-key",
              "count" : 1,
              "message" : "keys of ZCITY beyond Z_MAX",
              "rows" : [
                2
              ]
            },
            {
              "code" : "check.required",
              "count" : 1,
              "message" : "rows without a value of City.name, which is required",
              "rows" : [
                2
              ]
            }
          ]
        }

        """)
  }

  /// What keeps a store from being opened ends the check, and is the one finding where programs read it.
  @Test func aStoreThatCannotBeOpened() throws {
    let other = try folder.write(
      "<model type=\"com.apple.IDECoreDataModeler.DataModel\"><entity name=\"Town\"/></model>",
      to: "N.xcdatamodel/contents")
    let message = "\(store) is of another version of the model; not in the store: Town; not in the model: City"
    let talk = Talk(["check", store, "--model", other])
    #expect(talk.status == .store && talk.output.isEmpty)
    #expect(
      talk.errors == """
        gantry: \(message) [store.incompatible-model]
          Name the version that made the store, or migrate it: gantry migrate \(store) --model \(other)

        """)
    let json = Talk(["check", store, "--model", other, "--json"])
    #expect(json.status == .store && json.errors.isEmpty)
    #expect(json.output.contains("\"code\" : \"store.incompatible-model\""))
    #expect(json.output.contains("\"message\" : \"\(message)\""))
  }

  /// The store is written by us from a source, so it keeps no model of itself.
  @Test func withoutAModel() throws {
    let talk = Talk(["check", store])
    #expect(talk.status == .store)
    #expect(talk.errors.hasPrefix("gantry: \(store) keeps no model of itself"))
  }

  static let usage: [Case<[String], String>] = [
    Case(
      "nothing", [],
      "expected STORE [--model MODEL] | MODEL [--against FOLDER|GIT-REF] | PIPELINE.json5, found no operand [usage]\n"
        + "  `gantry help check` says more."),
    Case(
      "two", ["a", "b"],
      "expected STORE [--model MODEL] | MODEL [--against FOLDER|GIT-REF] | PIPELINE.json5, found 2 operands [usage]\n"
        + "  `gantry help check` says more."),
    Case(
      "a version alone", ["a", "--model-version", "V"],
      "--model-version goes with --model [usage]\n  A store keeps one version of its model."),
    Case(
      "a guard of a store", ["a", "--against", "x"],
      "--against does not go with the store a [usage]\n  Leave it out: `gantry help check` says what goes with which."),
    Case(
      "a model of a model", ["a.xcdatamodeld", "--model", "x"],
      "--model does not go with the model a.xcdatamodeld [usage]\n  Leave it out: `gantry help check` says what goes with which."
    ),
  ]

  @Test(arguments: usage) func wrongUse(_ c: Case<[String], String>) {
    let talk = Talk(["check"] + c.input)
    #expect(talk.status == .usage && talk.errors == "gantry: \(c.expected)\n", "\(talk.errors)")
  }

  @Test func missing() {
    let talk = Talk(["check", folder.path("none.sqlite"), "--model", model])
    #expect(talk.status == .store && talk.errors.hasPrefix("gantry: there is no store \(folder.path("none.sqlite"))"))
  }

  /// A store keeps one version of its model, and serves wherever a model is asked for.
  @Test(.enabled(if: Shared.isThere, Shared.comment)) func aStoreIsAModel() throws {
    let cached = try Shared.url("corpus/stores/objcio__core-data__MigrationsTests_Moody_5.moody__2a089d49").path
    let source = try Shared.url("corpus/models/objcio__core-data/Migrations/Migrations/Moody.xcdatamodeld").path
    let hashes = Talk(["model", "hash", cached])
    #expect(
      hashes.status == .done && hashes.output == Talk(["model", "hash", source, "--model-version", "Moody 5"]).output)
    let version = Talk(["model", "hash", cached, "--model-version", "V1"])
    #expect(version.status == .usage)
    #expect(
      version.errors
        == "gantry: \(cached) is a store, which has one version of its model, not V1 [usage]\n  Leave --model-version out.\n"
    )
    #expect(Talk(["check", cached]).errors == "\(cached): sound, 7 rows\n")
  }
}
