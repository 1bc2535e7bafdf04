import Bytes
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

  /// How long the parts of a run took.
  package struct Times {
    /// Making the new stores.
    package internal(set) var building = Duration.zero
    /// Checking them.
    package internal(set) var checking = Duration.zero
  }

  private let store: any StoreMigrator
  private let versions: KnownVersions
  private let mappings: [any VersionMapping]
  private let options: MigrationOptions
  private let stages: [StagedPath.Stage]
  /// What is told meanwhile.
  package var events = Events()
  /// How long the parts of the run took.
  package private(set) var times = Times()
  /// What the steps of the run have lost, as allowed.
  package private(set) var losses: [PlannedLoss] = []

  /// Looks at a store; nothing is changed.
  ///
  /// - Parameters:
  ///   - mappings: the mapping models, each of which is for two versions; where there is none a mapping is inferred.
  ///   - stages: the way through the versions; where there are none it is found.
  package init(
    of store: any StoreMigrator, to versions: KnownVersions, mappings: [any VersionMapping] = [],
    _ options: MigrationOptions = .init(), stages: [StagedPath.Stage] = []
  ) {
    self.store = store
    self.versions = versions
    self.mappings = mappings
    self.options = options
    self.stages = stages
  }

  // MARK: The plan

  /// What is to be done, and what speaks against it.
  ///
  /// - Throws: a store of no known version; no way to the destination.
  package func plan() throws -> MigrationPlan {
    let source = try sourceVersion()
    let legs =
      try stages.isEmpty
      ? MigrationPath(versions, mappings).legs(from: source)
      : StagedPath(stages, versions, mappings).legs(from: source)
    let passing = try MigrationPath.check(mappings, on: legs, from: source, in: versions)
    // What the steps before make is not there to be asked yet, nor what a handler makes of the rows.
    let steps = try legs.enumerated().map { try step($1, isFirst: $0 == 0) }
    let renames = legs.filter(\.files.isEmpty).flatMap {
      VersionGuard.renames(in: $0.inference.comparison, from: $0.source.name, to: $0.destination.name)
    }
    return MigrationPlan(
      store: store.identity, path: [source.name] + legs.map(\.destination.name), steps: steps,
      warnings: passing + renames)
  }

  private func step(_ leg: MigrationPath.Leg, isFirst: Bool) throws -> PlannedStep {
    let inference = leg.inference
    let isFirst = isFirst && leg.handlers.willMigrate == nil
    guard leg.files.isEmpty else {
      let model = try NSMappingModel(leg.files.map { try $0.mappingModel(leg.source.model, leg.destination.model) })
      let survey = isFirst ? try RowSurvey.of(model, leg.source.model, leg.destination.model, in: store) : nil
      return PlannedStep(
        source: leg.source.name, destination: leg.destination.name,
        mapping: .custom(model, files: leg.files.map(\.name)),
        entities: model.planned { survey?.sourceRows[$0] }, survey: survey,
        models: (leg.source.model, leg.destination.model), inference: inference, handlers: leg.handlers)
    }
    let transfer = try inference.transfer()
    let survey = isFirst ? try RowSurvey.of(transfer, in: store) : nil
    return PlannedStep(
      source: leg.source.name, destination: leg.destination.name, mapping: .inferred(transfer),
      entities: inference.comparison.planned(survey), survey: survey, models: (leg.source.model, leg.destination.model),
      inference: inference, handlers: leg.handlers)
  }

  /// The version of the store: one of those that are known, or the one that it keeps of itself.
  private func sourceVersion() throws -> KnownVersions.Version {
    let hashes = store.identity.hashes
    if let version = versions.version(of: hashes, in: mappings) { return version }
    guard let cached = try? store.cachedModel() else {
      throw Diagnostic.sourceUnknown(store.identity.url.relativePath, versions, hashes)
    }
    return KnownVersions.Version(name: "the store's own model", model: cached)
  }

  /// Throws for what speaks against a plan.
  package func check(_ plan: MigrationPlan) throws(Diagnostic) {
    try plan.steps.first?.survey?.check(options)
    if let obstacle = plan.steps.lazy.compactMap(\.obstacle).first { throw obstacle }
  }

  // MARK: The run

  /// Does what was planned.
  ///
  /// - Parameter backup: where the store as it was is kept; nil for nowhere.
  package func run(_ plan: MigrationPlan, backup: URL?) throws {
    guard !plan.steps.isEmpty else { return }
    let place = store.identity.url
    if let backup, FileSystem.resolved(backup.path) == FileSystem.resolved(place.path) {
      throw Diagnostic.backupIsStore(backup.relativePath, place.relativePath)
    }
    try check(plan)
    plan.warnings.forEach(events.warn)
    try store.begin()
    defer { store.end() }
    for (index, step) in plan.steps.enumerated() {
      events.step(index + 1, plan.steps.count, step.source, step.destination)
      let (source, destination) = step.models
      if let handler = step.handlers.willMigrate { try store.change(source) { try handler($0, source) } }
      try run(step)
      if let handler = step.handlers.didMigrate {
        try store.change(destination) { try handler($0, destination) }
        try check(verdict(source, destination))
      }
    }
    try store.exchange(backup: backup)
  }

  /// Asks the rows once more: others may have written between the plan and the moment from which the store is held.
  private func run(_ step: PlannedStep) throws {
    let (source, destination) = step.models
    switch step.mapping {
    case .inferred(let transfer):
      let survey = try RowSurvey.of(transfer, in: store)
      try survey.check(options)
      losses += survey.losses
      let planned = survey.rows.values.reduce(0, +)
      times.building += try ContinuousClock().measure { try store.build(transfer) { events.rows($0, planned) } }
      let verdict = try verdict(source, destination)
      for name in Set(survey.rows.keys).union(verdict.rows.keys).sorted() {
        let (expected, found) = (survey.rows[name] ?? 0, verdict.rows[name] ?? 0)
        guard expected == found else { throw Diagnostic.otherRows(name, planned: expected, found: found) }
      }
      try check(verdict)
    case .custom(let model, _):
      let survey = try RowSurvey.of(model, source, destination, in: store)
      try survey.check(options)
      losses += survey.losses
      let planned = model.entityMappings.compactMap { $0.sourceEntityName.flatMap { survey.sourceRows[$0] } }.reduce(
        0, +)
      let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
      if store.isReproducible { manager.now = Date(timeIntervalSinceReferenceDate: 0) }
      times.building += try ContinuousClock().measure {
        try manager.run(model, in: store.beginObjects(source, destination)) { events.rows($0, planned) }
        manager.reset()
        try store.finishObjects()
      }
      try check(verdict(source, destination))
    }
  }

  private func verdict(_ source: NSManagedObjectModel, _ destination: NSManagedObjectModel) throws -> StoreVerdict {
    let clock = ContinuousClock()
    let start = clock.now
    defer { times.checking += clock.now - start }
    return try store.check(source, destination)
  }

  private func check(_ verdict: StoreVerdict) throws(Diagnostic) {
    guard verdict.newFindings.isEmpty else { throw Diagnostic.unsound(verdict.newFindings) }
    for finding in verdict.oldFindings { events.warn(.oldFinding(finding)) }
  }
}

extension ModelComparison {
  /// What becomes of the entities that have rows or differ.
  fileprivate func planned(_ survey: StepSurvey?) -> [PlannedEntity] {
    entities.compactMap { entity in
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
  }
}
