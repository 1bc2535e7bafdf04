import Diagnostics
import Foundation
import ObjectModel
import SQLiteStore
import TestSupport
import Testing

@testable import Migration

/// Every model of public apps with several versions: each version becomes the next, and the first the last, with generated rows.
///
/// What is lost is allowed by name, and what differs in meaning is copied; all else is equal, by plain SQL.
@Suite(.enabled(if: Shared.isThere, Shared.comment))
struct CorpusMigrationTests {
  static let packages = [
    "JohnEstropia__CoreStore/Demo/Sources/Demos/Advanced/EvolutionDemo/Advanced.EvolutionDemo.V1",
    "JohnEstropia__CoreStore/Demo/Sources/Demos/Advanced/EvolutionDemo/Advanced.EvolutionDemo",
    "RestKit__RestKit/Tests/Models/VersionedModel",
    "alemar11__CoreDataPlus/Tests/Resources/SampleModel/SampleModel",
    "alemar11__CoreDataPlus/Tests/Resources/SampleModel3/SampleModel3",
    "alexiosdev__CoreDataStack/Sample Model/Sample",
    "atomicbird__momcom/momcomTests/momcomTests",
    "hwaxxer__BookMigration/BookMigration/Model",
    "jessesquires__JSQCoreDataKit/Example/ExampleModel/ExampleModel/ExampleModel",
    "masc2026__sqlite-core-data-creation/datamodel/Taxa",
    "objcio__core-data/Migrations/Migrations/Moody",
    "wireapp__wire-ios-data-model/Resources/ZMEventModel",
    "wireapp__wire-ios-data-model/Resources/zmessaging",
  ]

  /// Whether every pair of the longest chain is taken, which takes minutes in a debug build: `GANTRY_ALL_VERSIONS=1`.
  private static let takesAll = ProcessInfo.processInfo.environment["GANTRY_ALL_VERSIONS"] != nil

  /// The pairs that are refused, with the reasons.
  static let refused: [String: [String]] = [
    "\(sample): SampleModel2 -> SampleModel": idOfPerson,
    "\(sample): SampleModel3 -> SampleModel": idOfPerson,
    "\(wire): zmessaging2.46.0 -> zmessaging2.47.0": conversations,
    "\(wire): zmessaging2.47.0 -> zmessaging2.48.0": conversations,
  ]

  private static let sample = "alemar11__CoreDataPlus/Tests/Resources/SampleModel/SampleModel"
  private static let wire = "wireapp__wire-ios-data-model/Resources/zmessaging"
  /// The entity of that name is another one: it has another renaming identifier.
  private static let conversations = [
    "Connection.conversation", "Message.hiddenInConversation", "Message.visibleInConversation", "Team.conversations",
    "User.conversationsCreated", "User.lastServerSyncedActiveConversations",
  ].map { "\($0): destination Conversation -> Conversation: no rows of the one are rows of the other" }

  private static let idOfPerson = [
    "Person.id: is added, required and without a default, and 4 rows have none (p1, p2, p3, p4)"
  ]

  @Test(arguments: packages)
  func versionsBecomeTheNext(_ path: String) throws {
    let url = try Shared.url("corpus/models/\(path).xcdatamodeld")
    let package = try #require(try ModelPackage(url))
    // What is left of a version may be no more than its name.
    var versions = package.versions.compactMap { name in
      (try? NSManagedObjectModel(contentsOf: url, version: name)).map { (name: name, model: $0) }
    }
    if let current = try? package.currentVersion(), let place = versions.firstIndex(where: { $0.name == current }) {
      versions.append(versions.remove(at: place))
    }
    #expect(versions.count > 1)
    var pairs = Array(zip(versions, versions.dropFirst()))
    if pairs.count > 20, !Self.takesAll { pairs = pairs.enumerated().filter { $0.offset % 30 == 0 }.map(\.element) }
    if versions.count > 2, let first = versions.first, let last = versions.last { pairs.append((first, last)) }
    var refused: [String: [String]] = [:]
    for (old, new) in pairs {
      let source = KnownVersions.Version(name: old.name, model: old.model)
      let destination = KnownVersions.Version(name: new.name, model: new.model)
      let reasons = try migrate(source, destination)
      if !reasons.isEmpty { refused["\(source.name) -> \(destination.name)"] = reasons }
    }
    let taken = Set(pairs.map { "\($0.0.name) -> \($0.1.name)" })
    let expected = Self.refused.map {
      (String($0.key.dropFirst(path.count + 2)), $0.key.hasPrefix(path + ": "), $0.value)
    }
    .filter { $0.1 && taken.contains($0.0) }.map { ($0.0, $0.2) }
    #expect(refused == Dictionary(uniqueKeysWithValues: expected), "\(path)")
  }

  /// Why a pair is refused; empty if the store was migrated and is what it must be.
  private func migrate(
    _ source: KnownVersions.Version, _ destination: KnownVersions.Version
  ) throws -> [String] {
    let inference = MappingInference(source.model, destination.model)
    guard inference.refusals.isEmpty else { return inference.refusals }
    if source.model.entityVersionHashesByName == destination.model.entityVersionHashesByName { return [] }
    let folder = try TemporaryFolder()
    let store = try GeneratedStore.make(source.model, in: folder)
    let before = folder.url.appendingPathComponent("before.sqlite")
    let migration = { (options: MigrationOptions) in
      StoreMigration(
        of: try SQLiteStoreMigrator(of: store), to: KnownVersions([source, destination], to: destination), options)
    }
    var options = MigrationOptions()
    options.copyUnchanged = true
    let survey = try #require(try migration(options).plan().steps.first?.survey)
    guard survey.refusals.isEmpty else { return survey.refusals }
    options.allowLoss = survey.losses.map(\.name)
    let run = try migration(options)
    try run.run(run.plan(), backup: before)
    let differences = try MigrationOracle.differences(before, source.model, store, destination.model)
    #expect(differences.isEmpty, "\(source.name) -> \(destination.name)")
    return []
  }
}
