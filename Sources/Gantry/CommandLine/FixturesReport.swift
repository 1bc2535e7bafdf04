import Diagnostics

/// What `gantry fixtures` says of the stores that it made.
struct FixturesReport {
  private let fixtures: [FixturesRun.Fixture]

  init(_ fixtures: [FixturesRun.Fixture]) { self.fixtures = fixtures }

  /// What the process tells the shell: of the first store that was not made why, or else whether records were rejected.
  var status: ExitStatus {
    if let trouble = fixtures.lazy.compactMap(\.trouble).first { return ExitStatus(trouble.code.fate) }
    return fixtures.contains { $0.rejected > 0 } ? .rejects : .done
  }

  /// Says it to people: the table first, then what deserves a word.
  func tell(_ console: Console, isQuiet: Bool, asJSON: Bool) {
    console.clearProgress()
    if isQuiet, status == .done { return }
    if !asJSON { for line in table { console.note(line) } }
    for fixture in fixtures {
      for left in fixture.leftOut where fixture.isMade { console.note("\(fixture.version): left out: \(left.text)") }
      for warning in fixture.warnings { console.note("gantry: warning: \(fixture.version): ", warning) }
      if fixture.rejected > 0 { console.note("\(fixture.version): rejected: \(fixture.store).rejects") }
      if let trouble = fixture.trouble { console.note("gantry: \(fixture.version): ", trouble) }
    }
  }

  private var table: [String] {
    TextTable.lines(
      ["version", "rows", "rejected", "store"],
      fixtures.map { fixture in
        [
          ShownText.excerpt(fixture.version), fixture.isMade ? "\(fixture.rows)" : "-", "\(fixture.rejected)",
          fixture.isMade ? fixture.store : "not made",
        ]
      }, numbers: [1, 2])
  }
}

// MARK: - For programs

extension FixturesReport: Encodable {
  private enum CodingKeys: CodingKey { case versions }

  private struct Version: Encodable {
    var version: String
    var store: String
    var made: Bool
    var rows: Int
    var rejected: Int
    var leftOut: [StepFitting.LeftOut]
    var warnings: [DiagnosticSummary]
    var error: DiagnosticSummary?
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let versions = fixtures.map { fixture in
      Version(
        version: fixture.version, store: fixture.store, made: fixture.isMade, rows: fixture.rows,
        rejected: fixture.rejected, leftOut: fixture.leftOut, warnings: fixture.warnings.map(DiagnosticSummary.init),
        error: fixture.trouble.map(DiagnosticSummary.init))
    }
    try container.encode(versions, forKey: .versions)
  }
}
