package import Diagnostics
package import Foundation
package import ObjectGraph
import ObjectModel

/// The migration of one store to another version of its model: planned first, then done, all or nothing.
///
/// The store is looked at untouched until nothing speaks against the migration. Then each step makes a new store beside it, which is
/// checked against the plan and for soundness; the last one takes the store's place in one step.
package final class StoreMigration {
  /// What happens, as it happens.
  package struct Events {
    /// A step begins: its number from 1, how many there are, and the versions.
    package var step: (_ number: Int, _ count: Int, _ source: String, _ destination: String) -> Void = { _, _, _, _ in }
    /// Rows were carried over, of those planned.
    package var rows: (_ done: Int, _ planned: Int) -> Void = { _, _ in }
    /// Something deserves a word.
    package var warn: (Diagnostic) -> Void = { _ in }

    package init() {}
  }

  private let store: any StoreMigrator
  private let versions: KnownVersions
  private let options: MigrationOptions
  /// What is told meanwhile.
  package var events = Events()

  /// Looks at a store; nothing is changed.
  package init(of store: any StoreMigrator, to versions: KnownVersions, _ options: MigrationOptions = .init()) {
    self.store = store
    self.versions = versions
    self.options = options
  }

  // MARK: The plan

  /// What is to be done, and what speaks against it.
  ///
  /// - Throws: a store of no known version; no way to the destination.
  package func plan() throws -> MigrationPlan {
    let source = try sourceVersion()
    let path = try MigrationPath(versions).path(from: source)
    var steps: [PlannedStep] = []
    for (old, new) in zip(path, path.dropFirst()) {
      let inference = MappingInference(old.model, new.model)
      let transfer = try inference.transfer()
      // What the steps before make is not there to be asked yet.
      let survey = steps.isEmpty ? try RowSurvey.of(inference, transfer, in: store) : nil
      steps.append(PlannedStep(old, new, inference.comparison, transfer, survey))
    }
    let warnings = zip(path, path.dropFirst()).flatMap { VersionGuard.renames(from: $0, to: $1) }
    return MigrationPlan(store: store.identity, path: path.map(\.name), steps: steps, warnings: warnings)
  }

  /// The version of the store: one of those that are known, or the one that it keeps of itself.
  private func sourceVersion() throws -> KnownVersions.Version {
    let hashes = store.identity.hashes
    if let version = versions.version(of: hashes) { return version }
    guard let cached = try? store.cachedModel() else {
      throw Diagnostic.sourceUnknown(store.identity.url.relativePath, versions, hashes)
    }
    return KnownVersions.Version(name: "the store's own model", model: cached)
  }

  // MARK: The run

  /// Does what was planned.
  ///
  /// - Parameter backup: where the store as it was is kept; nil for nowhere.
  package func run(_ plan: MigrationPlan, backup: URL?) throws {
    guard let first = plan.steps.first else { return }
    try first.survey?.check(options)
    plan.warnings.forEach(events.warn)
    try store.begin()
    defer { store.end() }
    for (index, step) in plan.steps.enumerated() {
      events.step(index + 1, plan.steps.count, step.source, step.destination)
      try run(step)
    }
    try store.exchange(backup: backup)
  }

  private func run(_ step: PlannedStep) throws {
    let inference = MappingInference(step.transfer.source, step.transfer.destination)
    let survey = try step.survey ?? RowSurvey.of(inference, step.transfer, in: store)
    try survey.check(options)
    let planned = survey.rows.values.reduce(0, +)
    try store.build(step.transfer) { events.rows($0, planned) }
    let verdict = try store.check(step.transfer)
    for name in Set(survey.rows.keys).union(verdict.rows.keys).sorted() {
      let (expected, found) = (survey.rows[name] ?? 0, verdict.rows[name] ?? 0)
      guard expected == found else { throw Diagnostic.otherRows(name, planned: expected, found: found) }
    }
    guard verdict.newFindings.isEmpty else { throw Diagnostic.unsound(verdict.newFindings) }
    for finding in verdict.oldFindings { events.warn(.oldFinding(finding)) }
  }
}

extension PlannedStep {
  fileprivate init(
    _ old: KnownVersions.Version, _ new: KnownVersions.Version, _ comparison: ModelComparison,
    _ transfer: StoreTransfer,
    _ survey: StepSurvey?
  ) {
    let entities = comparison.entities.compactMap { entity -> PlannedEntity? in
      let sourceName = entity.source?.name ?? entity.name
      let rows = entity.source == nil ? 0 : survey.map { $0.sourceRows[sourceName] ?? 0 }
      guard !entity.isEmpty || rows != 0 else { return nil }
      let properties = entity.properties.flatMap { property in
        let sign = property.source == nil ? "+" : property.destination == nil ? "-" : "~"
        return property.changes.map { "\(sign) \(property.name): \($0.text)" }
      }
      return PlannedEntity(
        name: entity.name, sourceName: sourceName, kind: entity.kind, rows: rows,
        changes: entity.changes.map(\.text) + properties)
    }
    self.init(source: old.name, destination: new.name, transfer: transfer, entities: entities, survey: survey)
  }
}
