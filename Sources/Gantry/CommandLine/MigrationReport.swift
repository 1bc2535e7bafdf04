import Foundation
import Migration
import ObjectGraph

/// The plan of a migration, as `gantry migrate --plan` tells it.
struct MigrationReport: Encodable {
  private enum CodingKeys: CodingKey { case store, path, steps, warnings, isPossible }

  let store: String
  /// The versions, the store's own first.
  let path: [String]
  let steps: [Step]
  let warnings: [String]
  /// Whether it would be done as it is asked for.
  let isPossible: Bool

  struct Step: Encodable {
    let from: String
    let to: String
    let mapping: String
    let entities: [Entity]
    let losses: [Loss]
    let refusals: [String]
  }

  struct Entity: Encodable {
    let name: String
    let from: String
    let mapping: String
    let rows: Int?
    let changes: [String]
  }

  struct Loss: Encodable {
    let name: String
    let what: String
    let isAllowed: Bool
    /// Whether a mapping that is written down says so itself.
    let isMeant: Bool
  }

  init(_ plan: MigrationPlan, _ options: MigrationOptions) {
    store = plan.store.url.relativePath
    path = plan.path
    warnings = plan.warnings.map(\.description)
    isPossible = plan.steps.allSatisfy { $0.obstacle == nil && $0.survey?.isAllowed(by: options) ?? true }
    steps = plan.steps.map { Step($0, options) }
  }
}

extension MigrationReport.Step {
  fileprivate init(_ step: PlannedStep, _ options: MigrationOptions) {
    (from, to, mapping) = (step.source, step.destination, step.mapping.name)
    entities = step.entities.map { entity in
      MigrationReport.Entity(
        name: entity.name, from: entity.sourceName, mapping: entity.kind.rawValue, rows: entity.rows,
        changes: entity.changes)
    }
    let survey = step.survey
    losses = (survey?.losses ?? []).map { loss in
      MigrationReport.Loss(
        name: loss.name, what: loss.what, isAllowed: loss.isMeant || options.allowLoss.contains(loss.name),
        isMeant: loss.isMeant)
    }
    refusals =
      (step.obstacle.map { [$0.message] } ?? []) + (survey?.refusals ?? [])
      + (options.copyUnchanged ? [] : survey?.otherMeanings ?? [])
  }
}

// MARK: - For people

extension MigrationReport {
  /// The plan in lines.
  var lines: [String] {
    guard !steps.isEmpty else { return ["\(store): is of the version \(path[0]) already; nothing to do"] }
    let head = "\(store): \(path.joined(separator: " -> "))"
    let warned = warnings.flatMap { "warning: \($0)".split(separator: "\n").map(String.init) }
    let end = isPossible ? "It can be done." : "It is refused as it is asked for."
    return [head] + steps.flatMap { $0.lines(isOnly: steps.count == 1) } + warned + [end]
  }
}

extension MigrationReport.Step {
  fileprivate func lines(isOnly: Bool) -> [String] {
    var lines = isOnly && mapping == "inferred" ? [] : ["\(from) -> \(to), \(mapping)"]
    for entity in entities {
      let rows = entity.rows.map { $0 == 1 ? ", 1 row" : ", \($0) rows" } ?? ""
      let origin = entity.from == entity.name ? "" : " from \(entity.from)"
      lines.append("  \(entity.name)\(origin): \(entity.mapping)\(rows)")
      lines += entity.changes.map { "    \($0)" }
    }
    lines += losses.map { loss in
      let leave = loss.isMeant ? ", as the mapping says" : loss.isAllowed ? ", as allowed" : ""
      return "lost\(leave): \(loss.name) (\(loss.what))"
    }
    return lines + refusals.map { "refused: \($0)" }
  }
}
