import Foundation
import ObjectModel
import SQLiteStore
import TestSupport
import Testing

/// Mapping models of public apps whose policies exist in the apps only: the built tool refuses each by the missing name.
@Suite(.enabled(if: Shared.isThere, Shared.comment))
struct PolicyRefusalTests {
  private static let evolution = "JohnEstropia__CoreStore/Demo/Sources/Demos/Advanced/EvolutionDemo/"
  private static let moody = "objcio__core-data/Migrations/Migrations/"
  private static let books = "hwaxxer__BookMigration/BookMigration/"
  private static let sample = "alemar11__CoreDataPlus/Tests/Resources/SampleModel/"

  /// By package, source and mapping model: the mapping and its policy.
  static let files: [Case<[String], String>] = [
    Case(
      "creatures",
      [
        "\(evolution)Advanced.EvolutionDemo.V1", "Advanced.EvolutionDemo.V1",
        "\(evolution)Advanced.EvolutionDemo.V2.FromV1",
      ], "CreatureToCreature wants the policy Advanced_EvolutionDemo_V2_FromV1MigrationPolicy"),
    Case(
      "countries", ["\(moody)Moody", "Moody 5", "\(moody)Moody 5-Moody 6"],
      "CountryToCountry wants the policy Migrations.Country5ToCountry6Policy"),
    Case(
      "books", ["\(books)Model", "Model1", "\(books)Model1_to_Model2"],
      "BookToBook wants the policy MHWBookToBookPolicy"
    ),
    Case(
      "files", ["\(books)Model", "Model2", "\(books)Model2_to_Model3"],
      "BookToBook wants the policy MHWBookToBookPolicy"
    ),
    Case(
      "cars", ["\(sample)SampleModel", "SampleModel2", "\(sample)MappingModels/V2toV3"],
      "CarToCar wants the policy REPLACE_AT_RUNTIME.V2to3MakerPolicy"),
  ]

  @Test(arguments: files)
  func namesThePolicy(_ test: Case<[String], String>) throws {
    let package = try Shared.url("corpus/models/\(test.input[0]).xcdatamodeld")
    let mapping = try Shared.url("corpus/models/\(test.input[2]).xcmappingmodel")
    let folder = try TemporaryFolder()
    let store = folder.url.appendingPathComponent("s.sqlite")
    try SQLitePersistentStore.create(
      at: store, model: NSManagedObjectModel(contentsOf: package, version: test.input[1])
    ).finish()
    let before = try Data(contentsOf: store)
    let text = try String(contentsOf: mapping.appendingPathComponent("xcmapping.xml"), encoding: .utf8)
    let to = try #require(
      text.firstMatch(of: /"destinationmodelpath" type="string">[^<]*\/([^\/<]+)\.xcdatamodel</)?.output.1)
    let command = [
      "migrate", "s.sqlite", "--model", package.path, "--to", String(to), "--mapping", mapping.path,
    ]
    let planned = try ToolRun(command + ["--plan"], in: folder.url)
    #expect(
      planned.status == 6 && planned.output.contains("refused: the mapping \(test.expected)"), "\(planned.output)")
    let run = try ToolRun(command, in: folder.url)
    #expect(run.status == 6 && run.errors.contains(test.expected), "\(run.errors)")
    #expect(try Data(contentsOf: store) == before)
  }
}
