import Diagnostics
import Foundation
import ObjectModel
import Predicates
import SQLiteDriver
import SQLiteStore
import TestSupport
import Testing

@testable import Migration

/// Mapping models of public apps with policies, run on generated rows with policies of ours, and compared with plain SQL.
@Suite(.serialized, .enabled(if: Shared.isThere, Shared.comment))
struct CorpusPolicyTests {
  struct Migration: Sendable {
    var package: String
    /// The mapping models, the second of which follows the first.
    var files: [String]
    var policy: NSEntityMigrationPolicy.Type
    /// What is done to the generated rows before.
    var prepare = ""
    /// Whether an attribute of the first mapping is made by a function of the policy.
    var callsFunction = false
    /// Rows of the old store, `old`, and those of the new one that must equal them.
    var rows: [(old: String, new: String)]
  }

  private static let evolution = "JohnEstropia__CoreStore/Demo/Sources/Demos/Advanced/EvolutionDemo/"
  private static let moody = "objcio__core-data/Migrations/Migrations/"
  private static let books = "hwaxxer__BookMigration/BookMigration/"
  private static let sample = "alemar11__CoreDataPlus/Tests/Resources/SampleModel/"

  /// With what the policies are called for, in order.
  static let migrations: [Case<Migration, [String]>] = [
    Case(
      "creatures",
      Migration(
        package: "\(evolution)Advanced.EvolutionDemo.V1", files: ["\(evolution)Advanced.EvolutionDemo.V2.FromV1"],
        policy: Advanced_EvolutionDemo_V2_FromV1MigrationPolicy.self,
        rows: [
          (
            "SELECT ZDNACODE, ZNUMBEROFFLAGELLA, 1, ZNUMBEROFFLAGELLA > 5, ZNUMBEROFFLAGELLA % 2 FROM old.ZCREATURE",
            "SELECT ZDNACODE, ZNUMBEROFFLIPPERS, ZHASHEAD, ZHASTAIL, ZHASVERTEBRAE FROM ZCREATURE"
          )
        ]), ["create", "validate"]),
    Case(
      "countries",
      Migration(
        package: "\(moody)Moody", files: ["\(moody)Moody 5-Moody 6"], policy: Country5ToCountry6Policy.self,
        prepare: """
          UPDATE ZCOUNTRY SET ZISOCONTINENT = CASE WHEN Z_PK = 4 THEN NULL ELSE 100 + Z_PK % 2 END;
          UPDATE ZMOOD SET ZCOUNTRY = Z_PK
          """,
        rows: [
          (
            "SELECT ZNUMERICISO3166CODE, ZISOCONTINENT FROM old.ZCOUNTRY",
            "SELECT c.ZNUMERICISO3166CODE, k.ZNUMERICISO3166CODE FROM ZCOUNTRY c LEFT JOIN ZCONTINENT k ON k.Z_PK = c.ZCONTINENT"
          ),
          (
            "SELECT DISTINCT ZISOCONTINENT FROM old.ZCOUNTRY WHERE ZISOCONTINENT NOT NULL",
            "SELECT ZNUMERICISO3166CODE FROM ZCONTINENT"
          ),
          (
            "SELECT m.ZDATE, m.ZCOLORS, c.ZNUMERICISO3166CODE FROM old.ZMOOD m JOIN old.ZCOUNTRY c ON c.Z_PK = m.ZCOUNTRY",
            "SELECT m.ZDATE, m.ZCOLORS, c.ZNUMERICISO3166CODE FROM ZMOOD m JOIN ZCOUNTRY c ON c.Z_PK = m.ZCOUNTRY"
          ),
        ]), ["created", "relate"]),
    Case(
      "authors of books",
      Migration(
        package: "\(books)Model", files: ["\(books)Model1_to_Model2"], policy: MHWBookToBookPolicy.self,
        prepare: "UPDATE ZBOOK SET ZAUTHORNAME = CASE WHEN Z_PK > 1 THEN 'author ' || (Z_PK % 2) END",
        rows: [
          (
            "SELECT ZTITLE, ZFILEURL, ZAUTHORNAME FROM old.ZBOOK",
            "SELECT b.ZTITLE, b.ZFILEURL, a.ZNAME FROM ZBOOK b LEFT JOIN Z_1BOOKS j ON j.Z_2BOOKS = b.Z_PK "
              + "LEFT JOIN ZAUTHOR a ON a.Z_PK = j.Z_1AUTHORS"
          ),
          ("SELECT DISTINCT ZAUTHORNAME FROM old.ZBOOK WHERE ZAUTHORNAME NOT NULL", "SELECT ZNAME FROM ZAUTHOR"),
          (
            "SELECT b.ZTITLE, u.ZUSERID FROM old.ZBOOK b JOIN old.ZUSER u ON u.Z_PK = b.ZUSER",
            "SELECT b.ZTITLE, u.ZUSERID FROM Z_2USERS j JOIN ZBOOK b ON b.Z_PK = j.Z_2BOOKS1 "
              + "JOIN ZUSER u ON u.Z_PK = j.Z_3USERS"
          ),
        ]), ["begin", "create", "related"]),
    Case(
      "files of users, by two mapping models",
      Migration(
        package: "\(books)Model", files: ["\(books)Model2_to_Model3", "\(books)Model2_to_Model3_User"],
        policy: MHWBookToBookPolicy.self,
        rows: [
          (
            "SELECT b.ZTITLE, b.ZFILEURL, u.ZUSERID FROM old.Z_2USERS j JOIN old.ZBOOK b ON b.Z_PK = j.Z_2BOOKS1 "
              + "JOIN old.ZUSER u ON u.Z_PK = j.Z_3USERS",
            "SELECT b.ZTITLE, f.ZFILEURL, u.ZUSERID FROM ZFILE f JOIN ZBOOK b ON b.Z_PK = f.ZBOOK "
              + "JOIN ZUSER u ON u.Z_PK = f.ZUSER"
          ),
          (
            "SELECT b.ZTITLE, a.ZNAME FROM old.Z_1BOOKS j JOIN old.ZBOOK b ON b.Z_PK = j.Z_2BOOKS "
              + "JOIN old.ZAUTHOR a ON a.Z_PK = j.Z_1AUTHORS",
            "SELECT b.ZTITLE, a.ZNAME FROM Z_1BOOKS j JOIN ZBOOK b ON b.Z_PK = j.Z_2BOOKS "
              + "JOIN ZAUTHOR a ON a.Z_PK = j.Z_1AUTHORS"
          ),
          ("SELECT ZUSERID FROM old.ZUSER", "SELECT ZUSERID FROM ZUSER"),
        ]), ["begin", "create", "related"]),
    Case(
      "makers of cars",
      Migration(
        package: "\(sample)SampleModel", files: ["\(sample)MappingModels/V2toV3"], policy: V2to3MakerPolicy.self,
        prepare: "UPDATE ZCAR SET ZMAKER = CASE WHEN Z_PK % 4 > 0 THEN 'maker ' || (Z_PK % 3) END", callsFunction: true,
        rows: [
          (
            "SELECT c.ZNUMBERPLATE, c.ZMAKER, p.ZFIRSTNAME, p.ZFIRSTNAME, k.Z_NAME, CASE k.Z_NAME WHEN 'Car' THEN "
              + "ifnull(c.ZMODEL, '') || CASE WHEN c.ZMODEL NOT NULL AND c.ZMAKER NOT NULL THEN ' by ' ELSE '' END "
              + "|| ifnull(c.ZMAKER, '') ELSE c.ZMODEL END FROM old.ZCAR c "
              + "LEFT JOIN old.ZPERSON p ON p.Z_PK = c.ZOWNER JOIN old.Z_PRIMARYKEY k ON k.Z_ENT = c.Z_ENT",
            "SELECT c.ZNUMBERPLATE, m.ZNAME, o.ZFIRSTNAME, p.ZFIRSTNAME, k.Z_NAME, c.ZMODEL FROM ZCAR c "
              + "LEFT JOIN ZMAKER m ON m.Z_PK = c.ZCREATEDBY LEFT JOIN ZPERSON o ON o.Z_PK = c.ZOWNER "
              + "LEFT JOIN Z_1PREVIOUSOWNERS j ON j.Z_1PREVIOUSCARS = c.Z_PK "
              + "LEFT JOIN ZPERSON p ON p.Z_PK = j.Z_5PREVIOUSOWNERS JOIN Z_PRIMARYKEY k ON k.Z_ENT = c.Z_ENT"
          ),
          ("SELECT DISTINCT ZMAKER FROM old.ZCAR WHERE ZMAKER NOT NULL", "SELECT ZNAME FROM ZMAKER"),
        ]), ["function", "end 3"]),
  ]

  @Test(arguments: migrations)
  func runs(_ test: Case<Migration, [String]>) throws {
    let migration = test.input
    migration.policy.register()
    PolicyCalls.shared.clear()
    let mappings = try migration.files.map { name -> any VersionMapping in
      let file = try MappingModelFile(contentsOf: Shared.url("corpus/models/\(name).xcmappingmodel"))
      return migration.callsFunction ? CallingMapping(file: file) : file
    }
    let package = try Shared.url("corpus/models/\(migration.package).xcdatamodeld")
    let versions = try [mappings[0].source, mappings[0].destination].map {
      KnownVersions.Version(name: $0, model: try NSManagedObjectModel(contentsOf: package, version: $0))
    }
    let folder = try TemporaryFolder()
    let store = try GeneratedStore.make(versions[0].model, in: folder)
    if !migration.prepare.isEmpty { try Connection(store.path, .readWrite).execute(migration.prepare) }
    let before = folder.url.appendingPathComponent("before.sqlite")
    func run(_ options: MigrationOptions) throws -> StoreMigration {
      StoreMigration(
        of: try SQLiteStoreMigrator(of: store), to: KnownVersions(versions, to: versions[1]), mappings: mappings,
        options)
    }
    var options = MigrationOptions()
    options.allowLoss = try run(options).plan().steps.first?.survey?.losses.map(\.name) ?? []
    let running = try run(options)
    try running.run(running.plan(), backup: before)
    #expect(PolicyCalls.shared.names == test.expected)
    let connection = try Connection(store.path, .readOnly)
    try connection.attachImmutable(before.path, as: "old")
    for (old, new) in migration.rows {
      let expected = try Self.rows(old, connection)
      #expect(try Self.rows(new, connection) == expected && !expected.isEmpty, "\(new)")
    }
  }

  private static func rows(_ sql: String, _ connection: Connection) throws -> [String] {
    let select = try connection.prepare(sql)
    var rows: [String] = []
    while try select.step() {
      rows.append((0..<select.columnCount).map { "\(select.value($0))" }.joined(separator: "|"))
    }
    return rows.sorted()
  }
}

/// A mapping model whose first mapping makes an attribute by a function of its policy.
private struct CallingMapping: VersionMapping {
  let isNamed = true
  let file: MappingModelFile
  var name: String { file.name }
  var source: String { file.source }
  var destination: String { file.destination }

  func mappingModel(
    _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel
  ) throws(Diagnostic) -> NSMappingModel {
    let model = try file.mappingModel(source, destination)
    for property in model.entityMappings[0].attributeMappings ?? [] where property.name == "model" {
      property.valueExpression = try ExpressionTree(
        format: "FUNCTION($entityPolicy, 'modelOf:maker:', $source.model, $source.maker)")
    }
    return model
  }
}
