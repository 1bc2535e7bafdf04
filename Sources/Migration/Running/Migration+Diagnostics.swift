package import Diagnostics
import Foundation
import ObjectModel

extension Diagnostic.Code {
  /// The store is of no version that is known.
  package static let migrationSource = Diagnostic.Code("migration.source-unknown", .store)
  /// The version that a store shall become is not there.
  package static let migrationDestination = Diagnostic.Code("migration.destination", .store)
  /// No mapping can be inferred.
  package static let migrationInference = Diagnostic.Code("migration.inference", .store)
  /// Something would be lost, and nobody has allowed it.
  package static let migrationLoss = Diagnostic.Code("migration.loss", .store)
  /// The rows do not fit the destination.
  package static let migrationRows = Diagnostic.Code("migration.rows", .store)
  /// The store as it was cannot be kept where it is wanted.
  package static let migrationBackup = Diagnostic.Code("migration.backup", .usage)
  /// The new store is not what was planned.
  package static let migrationUnsound = Diagnostic.Code("migration.unsound", .store)
  /// A mapping is from a version before the store's to one behind it.
  package static let migrationMappingUnused = Diagnostic.Code("migration.mapping-unused", .warning)
  /// Something is wrong that was wrong before.
  package static let migrationOldFinding = Diagnostic.Code("migration.old-finding", .warning)
}

extension Diagnostic {
  static func destinationOpen(_ path: String, _ versions: [String]) -> Diagnostic {
    Diagnostic(
      .migrationDestination, "\(path) has several models, so nothing says which version the store shall become",
      hint: "Name one with --to: \(versions.joined(separator: ", ")).")
  }

  static func destinationUnknown(_ name: String, _ path: String, _ versions: [String]) -> Diagnostic {
    Diagnostic(
      .migrationDestination, "\(path) has no version \(name)",
      hint: "The versions are \(versions.joined(separator: ", ")).")
  }

  static func sourceUnknown(_ store: String, _ versions: KnownVersions, _ hashes: [String: Data]) -> Diagnostic {
    var message = "\(store) is of no version of \(versions.path)"
    if let (version, entities) = versions.nearest(to: hashes) {
      message += "; the nearest is \(version.name), from which differ: \(entities.joined(separator: ", "))"
    }
    if !versions.unreadable.isEmpty {
      message +=
        "; not read: \(versions.unreadable.map { "\($0.name) (\($0.reason.message))" }.joined(separator: ", "))"
    }
    return Diagnostic(
      .migrationSource, message,
      hint:
        "Give the model that has the version of the store. The store is as it was; --recreate makes a new, empty one "
        + "and keeps this one under another name.")
  }

  static func notInferred(_ refusals: [String]) -> Diagnostic {
    Diagnostic(
      .migrationInference, "no mapping can be inferred: \(refusals.joined(separator: "; "))",
      hint: "Write a mapping model, or make the change in several versions, of which each can be inferred.")
  }

  static func noPath(_ source: String, _ destination: String, _ reason: Diagnostic) -> Diagnostic {
    Diagnostic(reason.code, "from \(source) to \(destination) \(reason.message)", hint: reason.hint)
  }

  static func wouldLose(_ losses: [PlannedLoss]) -> Diagnostic {
    var names: [String] = []
    for loss in losses where !names.contains(loss.name) { names.append(loss.name) }
    let flags = names.map { "--allow-loss \($0.contains(" ") ? "'\($0)'" : $0)" }
    return Diagnostic(
      .migrationLoss, "the migration would lose \(losses.map(\.text).joined(separator: "; "))",
      hint: "If it may be lost, say \(flags.joined(separator: " ")). If something was renamed, give it the renaming "
        + "identifier (elementID) of what it was.")
  }

  static func rowsRefused(_ refusals: [String]) -> Diagnostic {
    Diagnostic(
      .migrationRows, "the rows do not fit the new version: \(refusals.joined(separator: "; "))",
      hint: "Correct the rows, or the version. The store is as it was.")
  }

  static func backupIsStore(_ backup: String, _ store: String) -> Diagnostic {
    Diagnostic(
      .migrationBackup, "the backup \(backup) is the store \(store) itself, whose place the new one takes",
      hint: "Name another file, or `none`. The store is as it was.")
  }

  static func unsound(_ findings: [String]) -> Diagnostic {
    Diagnostic(
      .migrationUnsound, "the new store is not sound, and was not put into place: \(findings.joined(separator: "; "))",
      hint: "The store is as it was.")
  }

  static func otherRows(_ entity: String, planned: Int, found: Int) -> Diagnostic {
    Diagnostic(
      .migrationUnsound,
      "the new store was not put into place: expected \(planned) rows of \(entity), found \(found); the store may have "
        + "been changed meanwhile",
      hint: "Start again. The store is as it was.")
  }

  static func oldFinding(_ finding: String) -> Diagnostic {
    Diagnostic(
      .migrationOldFinding, "wrong in the store before, and still: \(finding)",
      hint: "A migration keeps what it finds; `gantry check` lists it.")
  }
}
