import Batch
import Bytes
import Diagnostics
import Foundation
import Migration
import SQLiteStore

/// Fills a store of each version of a pipeline's model, all from the same files.
///
/// The stores are made in a hidden folder beside their places, and moved there when all have been tried: whatever ends the run before, the
/// folder is as it was. They are reproducible, so that they can be kept beside the code and compared.
struct FixturesRun {
  /// What has become of one version.
  struct Fixture {
    let version: String
    /// The store's place.
    let store: String
    var isMade = false
    var rows = 0
    var rejected = 0
    /// What the version has no place for.
    var leftOut: [StepFitting.LeftOut] = []
    var warnings: [Diagnostic] = []
    /// Why the store was not made.
    var trouble: Diagnostic?
  }

  private let pipeline: Pipeline
  /// The folder that the pipeline's paths are relative to.
  private let folder: String
  private let versions: KnownVersions
  private let target: String
  private let isReplacing: Bool

  /// Looks at a pipeline and the versions of its model; nothing is made.
  ///
  /// - Parameters:
  ///   - folder: the folder that the pipeline's paths are relative to.
  ///   - target: the folder of the stores.
  ///   - isReplacing: whether stores of an earlier run are replaced.
  init(_ pipeline: Pipeline, in folder: String, to target: String, replacing isReplacing: Bool) throws {
    (self.pipeline, self.folder, self.target, self.isReplacing) = (pipeline, folder, target, isReplacing)
    let model = FileSystem.path(pipeline.model, in: folder)
    guard !ModelOperand(model).isStore else { throw Diagnostic.fixturesOfStore(model) }
    if let step = pipeline.steps.first(where: \.read.isStandardInput) {
      throw Diagnostic.fixturesOfStream(step.effectiveName)
    }
    // The version that the steps are written for.
    versions = try KnownVersions(
      contentsOf: URL(fileURLWithPath: model), to: pipeline.sourceVersion ?? pipeline.version)
  }

  /// Makes the stores that can be made.
  ///
  /// - Parameter begin: called before each version with its name.
  /// - Throws: what keeps all of them from being made; anything where a signal asks to stop.
  func run(begin: (String) -> Void) throws -> [Fixture] {
    let columns = try pipeline.steps.map { step in
      try step.makeReader(in: folder, model: versions.destination.model).columns
    }
    try FileSystem.checkFolderCanBeMade(target)
    try FileSystem.makeFolder(target)
    StopSignals.hold()
    let lock = try FileLock(store: scratch)
    defer { lock.release() }
    try checkPlaces()
    try checkScratch()
    // A run that was killed has left it.
    try? FileManager.default.removeItem(atPath: scratch)
    try FileSystem.makeFolder(scratch)
    defer { try? FileManager.default.removeItem(atPath: scratch) }

    var fixtures = versions.unreadable.map { Fixture(version: $0.name, store: place(of: $0.name), trouble: $0.reason) }
    for version in versions.versions {
      begin(version.name)
      fixtures.append(try make(version, columns))
    }
    for index in fixtures.indices where fixtures[index].isMade { try put(fixtures[index]) }
    return fixtures
  }

  // MARK: Places

  // Names of versions are names of files already.
  private func place(of version: String) -> String { FileSystem.path(version + ".sqlite", in: target) }

  /// Where the stores are made.
  private var scratch: String { FileSystem.path(".gantry-fixtures", in: target) }

  private func made(_ version: String) -> String { FileSystem.path(version + ".sqlite", in: scratch) }

  /// Throws if a store would be in the way that is not to be replaced, or that somebody else has made or changed.
  private func checkPlaces() throws(Diagnostic) {
    for version in versions.versions {
      let place = place(of: version.name)
      try StoreBuilder.checkPlace(of: place, isReproducible: true)
      guard FileSystem.exists(place) else { continue }
      guard isReplacing else { throw .fixtureExists(place) }
      // What a link leads to is in no folder of ours.
      guard !FileSystem.isLink(place) else { throw .noFixture(place) }
      if let other = SQLitePersistentStore.unreproduced(at: URL(fileURLWithPath: place)) {
        throw .noFixture(other.relativePath)
      }
    }
  }

  /// Throws if something is where the stores are made that no earlier run has left there.
  private func checkScratch() throws(Diagnostic) {
    guard FileSystem.exists(scratch) || FileSystem.isLink(scratch) else { return }
    guard !FileSystem.isLink(scratch), FileSystem.kind(of: scratch) == .folder else { throw .noFixture(scratch) }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: scratch)) ?? [] {
      // A store that is being made, and its large values, have dots before their names.
      let rest = name.drop { $0 == "." }
      let isOurs = versions.versions.contains {
        rest.hasPrefix($0.name + ".sqlite") || rest == $0.name + "_SUPPORT"
      }
      guard isOurs else { throw .noFixture(FileSystem.path(name, in: scratch)) }
    }
  }

  /// Brings a store to its place.
  private func put(_ fixture: Fixture) throws {
    let url = URL(fileURLWithPath: fixture.store)
    // Locked, so that no import is writing the one that goes.
    let lock = try FileLock(store: url.path)
    defer { lock.release() }
    if FileSystem.exists(url.path) { try StoreFiles(url).remove() }
    try StoreFiles(URL(fileURLWithPath: made(fixture.version))).move(to: url)
  }

  // MARK: One version

  private func make(_ version: KnownVersions.Version, _ columns: [[String]]) throws -> Fixture {
    var fixture = Fixture(version: version.name, store: place(of: version.name))
    var pipeline = pipeline
    if version.name != versions.destination.name {
      var fitting = StepFitting(from: versions.destination.model, to: version.model)
      pipeline.steps = zip(pipeline.steps, columns).compactMap { fitting.fit($0, columns: $1) }
      fixture.leftOut = fitting.leftOut
    }
    guard !pipeline.steps.isEmpty else {
      fixture.trouble = .nothingToFill(version.name)
      return fixture
    }
    // Each store is filled as its version is: nothing is mapped, and none is there.
    (pipeline.version, pipeline.sourceVersion) = (version.name, nil)
    (pipeline.mapping, pipeline.migrate) = (MappingConfiguration(), nil)
    pipeline.store = FileSystem.absolute(made(version.name))
    pipeline.run.rejects = FileSystem.absolute(fixture.store) + ".rejects"
    (pipeline.newStore.template, pipeline.newStore.reproducible) = (nil, true)
    let report = ImportReport(.silent, isQuiet: true, asJSON: false)
    do {
      let status = try ImportRun(pipeline, in: folder, restart: false, report: report).run()
      fixture.isMade = [.done, .rejects].contains(status)
      if fixture.isMade {
        let store = URL(fileURLWithPath: pipeline.store)
        fixture.rows = try SQLitePersistentStore.open(at: store, model: version.model, readOnly: true).rowCount()
      }
    } catch let error as Diagnostic {
      fixture.trouble = error
    }
    if StopSignals.received != nil { throw CancellationError() }
    fixture.rejected = report.steps.map(\.counts.rejectCount).reduce(0, +)
    fixture.warnings = report.warnings
    return fixture
  }
}

extension Diagnostic.Code {
  static let fixtures = Self("fixtures", .usage)
  static let fixturesPlace = Self("fixtures.place", .usage)
  static let fixturesTemplate = Self("fixtures.template", .warning)
}

extension Diagnostic {
  fileprivate static func fixturesOfStore(_ path: String) -> Diagnostic {
    Diagnostic(
      .fixtures, "the model \(path) is a store, which has one version of it",
      hint: "Name the .xcdatamodeld with all versions as the pipeline's `model`.")
  }

  fileprivate static func fixturesOfStream(_ step: String) -> Diagnostic {
    Diagnostic(
      .fixtures, "the step \(step) reads standard input, and fixtures read their files once for each version",
      hint: "Write the input to a file, and name that in the step's `read`.")
  }

  static func templateOfOneVersion() -> Diagnostic {
    Diagnostic(
      .fixturesTemplate, "the pipeline's template is a store of one version: fixtures are made without it",
      hint: "Import with the template, where the fixture of its version must begin with it.")
  }

  fileprivate static func nothingToFill(_ version: String) -> Diagnostic {
    Diagnostic(
      .fixtures, "\(version) has nothing of what the pipeline's steps fill",
      hint:
        "Give entities that are renamed the renaming identifier of the first version, or make this one's fixture by a pipeline of its own."
    )
  }

  fileprivate static func fixtureExists(_ path: String) -> Diagnostic {
    Diagnostic(
      .fixturesPlace, "\(path) is there already",
      hint: "Say --replace to replace what an earlier run has made, or name another folder.")
  }

  fileprivate static func noFixture(_ path: String) -> Diagnostic {
    Diagnostic(
      .fixturesPlace, "\(path) was not made by `gantry fixtures`, or has been changed since: it is not replaced",
      hint: "Remove it yourself if nobody needs it, or name another folder.")
  }
}
