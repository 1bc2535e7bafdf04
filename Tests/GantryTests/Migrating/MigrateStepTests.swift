import Foundation
import TestSupport
import Testing

@testable import Gantry

/// The step `migrate`, which brings the store of a pipeline up to its version first, by the built tool.
struct MigrateStepTests {
  private func oldStore() throws -> VersionFolder {
    let ground = try VersionFolder()
    #expect(try ground.run("version: 'V1'").status == 0)
    return ground
  }

  @Test func bringsTheStoreUpFirst() throws {
    let ground = try oldStore()
    try ground.write("name\nBern\n", to: "cities.csv")
    let run = try ground.run(before: "{ migrate: {} },", ["--json"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.hasPrefix("s.sqlite: V1 -> V2, 5 rows; built in "), "\(run.errors)")
    #expect(run.output.contains("\"migration\" : \"s.sqlite: V1 -> V2, 5 rows; built in "), "\(run.output)")
    #expect(try rows("SELECT ZTITLE FROM ZTOWN", in: ground.store) == ["Rome", "Oslo", "Bern"])
    #expect(try rows("SELECT COUNT(*) FROM ZPERSON", in: ground.folder.path("s.backup.sqlite")) == ["3"])

    let again = try ground.run(before: "{ migrate: {} },")
    #expect(again.status == 0)
    #expect(again.errors.hasPrefix("s.sqlite: is of the version V2 already; nothing to do\n"), "\(again.errors)")
    #expect(try ground.files() == ["s.sqlite", "s.backup.sqlite"])
  }

  @Test func withoutAStoreThereIsNothingToDo() throws {
    let ground = try VersionFolder()
    let run = try ground.run(before: "{ migrate: {} },", ["--quiet"])
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(try ground.files() == ["s.sqlite"])
  }

  /// What would be lost is refused, and the store is as it was.
  @Test func refusesAsMigrateDoes() throws {
    let ground = try oldStore()
    try change("UPDATE ZPERSON SET ZFAX = '1' WHERE Z_PK = 1", in: ground.store)
    let before = try Data(contentsOf: URL(fileURLWithPath: ground.store))
    // What the rows of the inputs may lose, the store may not.
    let run = try ground.run("sourceVersion: 'V1', allowLoss: ['Person.fax']", before: "{ migrate: {} },")
    #expect(run.status == 6 && run.errors.contains("would lose Person.fax (1 value of String"), "\(run.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: ground.store)) == before)
    let check = try ground.tool(["check", "p.json5"])
    #expect(check.status == 6 && check.output.contains("would lose Person.fax"), "\(check.output)")
    #expect(check.errors == "s.sqlite: V1 -> V2\n", "\(check.errors)")

    let allowed = try ground.run(before: "{ migrate: { allowLoss: ['Person.fax'], backup: 'old/s.sqlite' } },")
    #expect(allowed.status == 7, "there is no folder old: \(allowed.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: ground.store)) == before)
    let done = try ground.run(before: "{ migrate: { allowLoss: ['Person.fax'], backup: 'none' } },")
    #expect(done.status == 0, "\(done.errors)")
    #expect(try ground.files() == ["s.sqlite"])
  }

  /// By a mapping of its own; rows of the new version follow.
  @Test func byAMapping() throws {
    let ground = try oldStore()
    try ground.write(
      "{ from: 'V1', to: 'V2', entities: { Town: { from: ['City'], values: { title: 'uppercase($source.name)' } } } }",
      to: "m.json5")
    try ground.write("title\nBern\n", to: "cities.csv")
    let run = try ground.run(
      "", before: "{ migrate: { mapping: ['m.json5'], allowLoss: ['Person.fax'] } },",
      steps: "{ read: { csv: 'cities.csv' }, entity: 'Town' }")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try rows("SELECT ZTITLE FROM ZTOWN", in: ground.store) == ["ROME", "OSLO", "Bern"])
  }

  /// A pipeline that cannot go on behind the migration does not begin with it.
  @Test func migratesNothingForNothing() throws {
    let ground = try oldStore()
    try ground.write("{ from: 'V1', to: 'V2', entities: {} }", to: "m.json5")
    let before = try Data(contentsOf: URL(fileURLWithPath: ground.store))
    let run = try ground.run("sourceVersion: 'V1', mapping: ['m.json5']", before: "{ migrate: {} },")
    #expect(run.status == 6 && run.errors.contains("cannot be mapped into a store that is there"), "\(run.errors)")
    #expect(try Data(contentsOf: URL(fileURLWithPath: ground.store)) == before)
  }

  static let wrong: [Case<String, String>] = [
    Case(
      "not the first", "\(VersionFolder.steps) { migrate: {} }",
      "step 3 is `migrate`, expected only the first to be"),
    Case("an unknown key", "{ migrate: { loss: [] } }", "migrate has an unknown key loss"),
    Case("beside others", "{ migrate: {}, entity: 'City' }", "the step has an unknown key entity"),
    Case("no object", "{ migrate: true }", "migrate is true or false, expected an object"),
    Case("alone", "{ migrate: {} }", "the pipeline has no steps"),
  ]

  @Test(arguments: wrong) func isRefused(_ c: Case<String, String>) throws {
    let run = try VersionFolder().run(steps: c.input)
    #expect(run.status == 2 && run.errors.contains(c.expected), "\(run.errors)")
  }
}
