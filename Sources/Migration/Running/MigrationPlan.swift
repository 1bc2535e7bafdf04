package import Diagnostics
package import ObjectGraph
package import ObjectModel

/// What a migration does to a store, before it is done.
package struct MigrationPlan {
  /// What the store is.
  package let store: StoreIdentity
  /// The versions in the order in which the store becomes them, its own first; one alone if there is nothing to do.
  package let path: [String]
  /// One for each version behind the first.
  package let steps: [PlannedStep]
  /// What deserves a word: what looks renamed without saying so.
  package let warnings: [Diagnostic]

  /// Whether the store is of the version already.
  package var isDone: Bool { steps.isEmpty }
}

/// One version of a store as the next one.
package struct PlannedStep {
  package let source: String
  package let destination: String
  package let mapping: StepMapping
  /// The entities that have rows or differ.
  package let entities: [PlannedEntity]
  /// What rows will not have any more; nil where the rows are those that the step before will make.
  package let survey: StepSurvey?
  /// Why it cannot be done, whatever the rows are.
  package var obstacle: Diagnostic? {
    if case .custom(let model, _) = mapping { model.missingPolicy } else { nil }
  }

  /// The models of the two versions.
  package let models: (source: NSManagedObjectModel, destination: NSManagedObjectModel)
  /// How they correspond.
  let inference: MappingInference
  /// What is called before and after it.
  let handlers: StageHandlers
}

/// What becomes of an entity.
package struct PlannedEntity: Sendable {
  /// The name in the destination, or else in the source.
  package let name: String
  /// The name in the source, or else in the destination.
  package let sourceName: String
  package let kind: EntityComparison.Kind
  /// The rows of the entity itself; nil where they are those that the step before will make.
  package let rows: Int?
  /// What is different, each in a line.
  package let changes: [String]
}

/// What the rows of a store say to a step.
package struct StepSurvey: Sendable {
  /// By name of the destination how many rows each entity will have itself.
  package var rows: [String: Int] = [:]
  /// By name of the source.
  package var sourceRows: [String: Int] = [:]
  /// What will be lost.
  package var losses: [PlannedLoss] = []
  /// Why the rows do not fit, each with entity, property and reason.
  package var refusals: [String] = []
  /// What means something else in the new version, each with entity and property.
  package var otherMeanings: [String] = []

  /// Whether it may be done.
  package func isAllowed(by options: MigrationOptions) -> Bool {
    do throws(Diagnostic) { try check(options) } catch { return false }
    return true
  }

  /// Throws where it may not be done.
  package func check(_ options: MigrationOptions) throws(Diagnostic) {
    let meanings = options.copyUnchanged ? [] : otherMeanings
    guard refusals.isEmpty, meanings.isEmpty else { throw .rowsRefused(refusals + meanings) }
    let allowed = Set(options.allowLoss)
    let losses = losses.filter { !$0.isMeant && !allowed.contains($0.name) }
    guard losses.isEmpty else { throw .wouldLose(losses) }
  }
}

/// Something of a store that its next version has no place for.
package struct PlannedLoss: Hashable, Sendable {
  /// The name by which it is allowed: `Entity`, `Entity.property`.
  package let name: String
  /// How much of it: `2 values`.
  package internal(set) var what: String
  /// Whether what is written down says so itself: then it needs no leave.
  package var isMeant = false

  /// The name and how much of it.
  package var text: String { "\(name) (\(what))" }
}
