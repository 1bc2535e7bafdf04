import Diagnostics
import Foundation
import Migration

/// What `gantry migrate --rehearse` says of the stores in a folder.
struct RehearsalReport {
  private let results: [Rehearsal.Result]
  private let destination: String

  init(_ results: [Rehearsal.Result], to destination: String) {
    (self.results, self.destination) = (results, destination)
  }

  /// What the process tells the shell: of the first store that was not migrated why.
  var status: ExitStatus {
    results.lazy.compactMap(\.trouble).first.map { ExitStatus($0.code.fate) } ?? .done
  }

  /// The table for people.
  var table: [String] {
    TextTable.lines(
      ["store", "version", "becomes", "before", "after", "lost", "seconds", "outcome"],
      results.map { result in
        [
          result.store.lastPathComponent, result.path.first ?? "unknown",
          result.path.dropFirst().joined(separator: " -> "), Self.text(result.rowsBefore), Self.text(result.rowsAfter),
          "\(result.losses.count)", result.rowsAfter == nil ? "-" : String(format: "%.2f", result.seconds),
          result.outcome.rawValue,
        ].map { ShownText.excerpt($0) }
      }, numbers: [3, 4, 5, 6])
  }

  /// Says below the table what is lost, and why a store was not migrated.
  func explain(_ console: Console) {
    for result in results {
      let name = result.store.lastPathComponent
      for loss in result.losses where result.outcome == .migrated {
        console.note("\(name): lost, \(loss.isMeant ? "as the mapping says" : "as allowed"): \(loss.text)")
      }
      for warning in result.warnings { console.note("gantry: warning: \(name): ", warning) }
      if let trouble = result.trouble { console.note("gantry: \(name): ", trouble) }
    }
  }

  private static func text(_ count: Int?) -> String { count.map(String.init) ?? "-" }
}

// MARK: - For programs

extension RehearsalReport: Encodable {
  private enum CodingKeys: CodingKey { case version, stores }

  private struct Store: Encodable {
    var store: String
    var path: [String]
    var rowsBefore: Int?
    var rowsAfter: Int?
    var losses: [Loss]
    var seconds: Double
    var outcome: Rehearsal.Result.Outcome
    var warnings: [DiagnosticSummary]
    var error: DiagnosticSummary?
  }

  private struct Loss: Encodable {
    var name: String
    var what: String
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(destination, forKey: .version)
    let stores = results.map { result in
      Store(
        store: result.store.relativePath, path: result.path, rowsBefore: result.rowsBefore,
        rowsAfter: result.rowsAfter, losses: result.losses.map { Loss(name: $0.name, what: $0.what) },
        seconds: result.seconds, outcome: result.outcome,
        warnings: result.warnings.map(DiagnosticSummary.init), error: result.trouble.map(DiagnosticSummary.init))
    }
    try container.encode(stores, forKey: .stores)
  }
}
