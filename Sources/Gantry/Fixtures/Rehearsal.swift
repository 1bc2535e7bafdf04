import Bytes
import Diagnostics
import Foundation
import Migration
import SQLiteStore

/// The migration of stores to the version that they become, tried on copies of them.
struct Rehearsal {
  /// What came of one store.
  struct Result {
    /// What a migration does to the store.
    enum Outcome: String, Encodable { case migrated, current, failed }

    let store: URL
    var outcome = Outcome.failed
    /// The versions that it becomes, its own first; empty if that is not known.
    var path: [String] = []
    var rowsBefore: Int?
    var rowsAfter: Int?
    /// What is lost: allowed, where the store was migrated.
    var losses: [PlannedLoss] = []
    var warnings: [Diagnostic] = []
    /// Why it failed.
    var trouble: Diagnostic?
    var seconds = 0.0
  }

  private let versions: KnownVersions
  private let mappings: [any VersionMapping]
  private let options: MigrationOptions

  init(to versions: KnownVersions, _ mappings: [any VersionMapping], _ options: MigrationOptions) {
    (self.versions, self.mappings, self.options) = (versions, mappings, options)
  }

  /// The stores in a folder, in the order of their names.
  static func stores(in folder: String) throws(Diagnostic) -> [URL] {
    guard FileSystem.kind(of: folder) == .folder else { throw .rehearsalFolder(folder) }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    let stores = names.filter { !$0.hasPrefix(".") && isStore(FileSystem.path($0, in: folder)) }
      .sorted { $0.compare($1, options: .numeric) == .orderedAscending }
    guard !stores.isEmpty else { throw .rehearsalEmpty(folder) }
    return stores.map { URL(fileURLWithPath: FileSystem.path($0, in: folder)) }
  }

  /// Whether a file is a database of SQLite by its first bytes, or meant to be one by its name: what has become of it there, its
  /// migration says.
  private static func isStore(_ path: String) -> Bool {
    guard FileSystem.kind(of: path) == .file else { return false }
    if [".sqlite", ".sqlite3", ".db", ".store"].contains(where: path.hasSuffix) { return true }
    guard let file = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? file.close() }
    return (try? file.read(upToCount: 16)) == Data("SQLite format 3\0".utf8)
  }

  /// Migrates a copy of a store in the temporary folder, which is removed again.
  func run(_ store: URL) throws -> Result {
    let scratch = FileManager.default.temporaryDirectory.appendingPathComponent("gantry-\(UUID().uuidString)")
    try FileSystem.makeFolder(scratch.path)
    defer { try? FileManager.default.removeItem(at: scratch) }
    var result = Result(store: store)
    do {
      let copy = scratch.appendingPathComponent(store.lastPathComponent)
      try StoreFiles(store).copy(to: copy)
      try migrate(copy, &result)
    } catch var error as Diagnostic {
      // It is said of the copy, and true of the store.
      error.message = error.message.replacing(scratch.path, with: store.deletingLastPathComponent().relativePath)
      error.hint = error.hint.replacing(scratch.path, with: store.deletingLastPathComponent().relativePath)
      result.trouble = error
    }
    return result
  }

  private func migrate(_ copy: URL, _ result: inout Result) throws {
    let migration = StoreMigration(of: try SQLiteStoreMigrator(of: copy), to: versions, mappings: mappings, options)
    var warnings: [Diagnostic] = []
    migration.events.warn = { warnings.append($0) }
    defer { result.warnings = warnings }
    let plan = try migration.plan()
    result.path = plan.path
    let survey = plan.steps.first?.survey
    result.rowsBefore = survey?.sourceRows.values.reduce(0, +)
    result.losses = survey?.losses ?? []
    let stopwatch = Stopwatch()
    try migration.run(plan, backup: nil)
    result.seconds = stopwatch.seconds
    result.losses = migration.losses
    let rows = try SQLitePersistentStore.open(at: copy, model: versions.destination.model, readOnly: true).rowCount()
    (result.rowsBefore, result.rowsAfter) = (result.rowsBefore ?? rows, rows)
    result.outcome = plan.isDone ? .current : .migrated
  }
}

extension Diagnostic.Code {
  static let rehearsal = Self("rehearsal", .usage)
}

extension Diagnostic {
  fileprivate static func rehearsalFolder(_ path: String) -> Diagnostic {
    Diagnostic(
      .rehearsal, "there is no folder \(path)",
      hint: "`gantry fixtures PIPELINE \(path)` makes it, with a store of each version.")
  }

  fileprivate static func rehearsalEmpty(_ path: String) -> Diagnostic {
    Diagnostic(
      .rehearsal, "no file in the folder \(path) is a store",
      hint: "`gantry fixtures PIPELINE \(path)` makes a store of each version.")
  }
}
