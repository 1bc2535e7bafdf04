import Diagnostics
import Foundation
import Migration
import SQLiteStore

/// A migration that is planned, and how it is run and told of by commands and pipelines alike.
struct StoreUpgrade {
  let plan: MigrationPlan
  private let store: URL
  private let migration: StoreMigration
  private let backup: URL?

  init(of store: URL, _ migration: StoreMigration, _ plan: MigrationPlan, backup: URL?) {
    (self.store, self.migration, self.plan, self.backup) = (store, migration, plan, backup)
  }

  /// Where the store as it was is kept; nil for nowhere.
  static func backup(of store: URL, _ wanted: String?) -> URL? {
    guard let wanted else { return StoreFiles(store).unused("backup") }
    return wanted == "none" ? nil : URL(fileURLWithPath: wanted)
  }

  /// What would be done.
  var summary: String {
    plan.isDone ? "is of the version \(plan.path[0]) already; nothing to do" : plan.path.joined(separator: " -> ")
  }

  /// What speaks against it; nil if nothing does.
  var obstacle: Diagnostic? {
    do throws(Diagnostic) { try migration.check(plan) } catch { return error }
    return nil
  }

  /// Does it, if there is anything to do.
  ///
  /// - Returns: what was done, in a line.
  func run(progress: @escaping (String) -> Void, warn: @escaping (Diagnostic) -> Void) throws -> String {
    guard !plan.isDone else {
      return "\(store.relativePath): \(summary)"
    }
    migration.events.warn = warn
    migration.events.step = { number, count, source, destination in
      let step = count > 1 ? "step \(number) of \(count): " : ""
      progress("\(step)\(source) -> \(destination)")
    }
    migration.events.rows = { done, planned in progress("\(done) of \(planned) rows") }
    try migration.run(plan, backup: backup)
    let rows = plan.steps[0].survey?.sourceRows.values.reduce(0, +) ?? 0
    let meant = migration.losses.filter(\.isMeant).map(\.text)
    return "\(store.relativePath): \(summary), \(rows == 1 ? "1 row" : "\(rows) rows")"
      + (meant.isEmpty ? "" : "; lost, as the mapping says: \(meant.joined(separator: ", "))")
      + "; built in \(Self.seconds(migration.times.building)) s, checked in \(Self.seconds(migration.times.checking)) s"
      + (backup.map { "; as it was: \($0.relativePath)" } ?? "")
  }

  private static func seconds(_ duration: Duration) -> String {
    String(format: "%.2f", Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18)
  }
}
