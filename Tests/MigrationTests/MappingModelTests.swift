import Diagnostics
import Foundation
import ObjectGraph
import ObjectModel
import SQLiteDriver
import TestSupport
import Testing

@testable import Migration
@testable import SQLiteStore

/// Mapping models of public apps: all are read, and those without a policy run on generated rows.
@Suite(.enabled(if: Shared.isThere, Shared.comment))
struct MappingModelTests {
  struct File: Sendable {
    var package: String
    var name: String
    /// The names of the mappings in their order.
    var mappings: [String]
    var policies: [String] = []
    /// Why generated rows are refused, if they are.
    var refused: String?
  }

  private static let evolution = "JohnEstropia__CoreStore/Demo/Sources/Demos/Advanced/EvolutionDemo/"
  private static let moody = "objcio__core-data/Migrations/Migrations/"
  private static let books = "hwaxxer__BookMigration/BookMigration/"
  private static let example = "jessesquires__JSQCoreDataKit/Example/ExampleModel/ExampleModel/"
  private static let sample = "alemar11__CoreDataPlus/Tests/Resources/SampleModel/"

  static let files: [File] = [
    File(
      package: "\(evolution)Advanced.EvolutionDemo.V1", name: "\(evolution)Advanced.EvolutionDemo.V2.FromV1",
      mappings: ["CreatureToCreature"], policies: ["Advanced_EvolutionDemo_V2_FromV1MigrationPolicy"]),
    File(
      package: "\(evolution)Advanced.EvolutionDemo.V1", name: "\(evolution)Advanced.EvolutionDemo.V1.FromV2",
      mappings: ["CreatureToCreature"]),
    File(package: "\(example)ExampleModel", name: "\(example)Version1_to_Version2", mappings: ["EmployeeToEmployee"]),
    File(
      package: "\(example)ExampleModel", name: "\(example)Version2_to_Version3",
      mappings: ["EmployeeToEmployee", "EmployeeToCompany"],
      refused: "what the mapping EmployeeToCompany made is not valid: p2: Company.dateFounded is required"),
    File(
      package: "\(moody)Moody", name: "\(moody)Moody 2-Moody 3",
      mappings: ["MoodToMood", "CountryToCountry", "ContinentToContinent"]),
    File(
      package: "\(moody)Moody", name: "\(moody)Moody 3-Moody 4",
      mappings: ["ContinentToContinent", "CountryToCountry", "MoodToMood"]),
    File(package: "\(moody)Moody", name: "\(moody)Moody 4-Moody 5", mappings: ["MoodToMood", "CountryToCountry"]),
    File(
      package: "\(moody)Moody", name: "\(moody)Moody 5-Moody 6",
      mappings: ["Continent", "CountryToCountry", "MoodToMood"], policies: ["Migrations.Country5ToCountry6Policy"]),
    File(
      package: "\(books)Model", name: "\(books)Model1_to_Model2", mappings: ["UserToUser", "Author", "BookToBook"],
      policies: ["MHWBookToBookPolicy"]),
    File(
      package: "\(books)Model", name: "\(books)Model2_to_Model3", mappings: ["File", "BookToBook", "AuthorToAuthor"],
      policies: ["MHWBookToBookPolicy"]),
    File(package: "\(books)Model", name: "\(books)Model2_to_Model3_User", mappings: ["UserToUser"]),
    File(
      package: "\(sample)SampleModel", name: "\(sample)MappingModels/V2toV3",
      mappings: ["CarToCar", "LuxuryCarToLuxuryCar", "PersonToPerson", "SportCarToSportCar", "Maker"],
      policies: ["REPLACE_AT_RUNTIME.V2to3MakerPolicy"]),
  ]

  private static func models(_ file: File) throws -> (MappingModelFile, NSManagedObjectModel, NSManagedObjectModel) {
    let mapping = try MappingModelFile(
      contentsOf: Shared.url("corpus/models/\(file.name).xcmappingmodel"))
    let package = try Shared.url("corpus/models/\(file.package).xcdatamodeld")
    return (
      mapping, try NSManagedObjectModel(contentsOf: package, version: mapping.source),
      try NSManagedObjectModel(contentsOf: package, version: mapping.destination)
    )
  }

  @Test(arguments: files)
  func isRead(_ file: File) throws {
    let (mapping, source, destination) = try Self.models(file)
    let model = try mapping.mappingModel(source, destination)
    #expect(model.entityMappings.map(\.name) == file.mappings)
    #expect(Set(model.entityMappings.compactMap(\.entityMigrationPolicyClassName)) == Set(file.policies))
  }

  @Test(arguments: files.filter(\.policies.isEmpty))
  func runs(_ file: File) throws {
    let (mapping, source, destination) = try Self.models(file)
    let folder = try TemporaryFolder()
    let store = try GeneratedStore.make(source, in: folder)
    let before = folder.url.appendingPathComponent("before.sqlite")
    let versions = [
      KnownVersions.Version(name: mapping.source, model: source),
      KnownVersions.Version(name: mapping.destination, model: destination),
    ]
    var options = MigrationOptions()
    func migration() throws -> StoreMigration {
      StoreMigration(
        of: try SQLiteStoreMigrator(of: store), to: KnownVersions(versions, to: versions[1]), mappings: [mapping],
        options)
    }
    options.allowLoss = try migration().plan().steps.first?.survey?.losses.map(\.name) ?? []
    let run = try migration()
    let plan = try run.plan()
    #expect(plan.steps.map(\.mapping.name) == [mapping.name])
    if let refused = file.refused {
      let error = #expect(throws: Diagnostic.self) { try run.run(plan, backup: before) }
      #expect(error?.message.contains(refused) == true, "\(error?.message ?? "")")
      return
    }
    try run.run(plan, backup: before)
    #expect(try Self.differences(mapping.mappingModel(source, destination), before, source, store, destination) == [])
  }

  /// What of the values that an expression takes as they are differs, by plain SQL: objects are made in the order of their keys.
  private static func differences(
    _ model: NSMappingModel, _ before: URL, _ source: NSManagedObjectModel, _ after: URL,
    _ destination: NSManagedObjectModel
  ) throws -> [String] {
    let (old, new) = (try StoreSchema(source), try StoreSchema(destination))
    var differences: [String] = []
    for mapping in model.entityMappings {
      guard let from = source.entitiesByName[mapping.sourceEntityName ?? ""],
        let to = destination.entitiesByName[mapping.destinationEntityName ?? ""]
      else { continue }
      for property in mapping.attributeMappings ?? [] {
        guard let name = property.name, "\(property.valueExpression.map { "\($0)" } ?? "")" == "$source.\(name)",
          let a = old.column(of: name, in: from), let b = new.column(of: name, in: to)
        else { continue }
        let expected = try values(a, old, from, before)
        let found = try values(b, new, to, after)
        if expected.isEmpty || expected != found {
          differences.append("\(mapping.name).\(name): \(expected) != \(found)")
        }
      }
    }
    return differences
  }

  private static func values(
    _ column: String, _ schema: StoreSchema, _ entity: NSEntityDescription, _ store: URL
  ) throws -> [SQLiteValue] {
    let select = try Connection(store.path, .readOnly).prepare(
      "SELECT \(column) FROM \(schema.table(of: entity).name) WHERE Z_ENT = \(schema.numbers[entity] ?? 0) ORDER BY Z_PK"
    )
    var values: [SQLiteValue] = []
    while try select.step() { values.append(select.value(0)) }
    return values
  }
}
