import Batch
import Bytes
import Diagnostics
import Foundation

/// What `gantry import` says: the progress line, warnings, and the summary.
final class ImportReport {
  private let console: Console
  private let isQuiet: Bool
  private let asJSON: Bool
  private(set) var warnings: [Diagnostic] = []
  /// What has become of the steps, when the run has ended.
  private(set) var steps: [StepSummary] = []
  /// What became of the store before the first step, if it was to be migrated.
  private var migration: String?
  /// How many of the warnings were said.
  private var saidCount = 0
  private let stopwatch = Stopwatch()

  init(_ console: Console, isQuiet: Bool, asJSON: Bool) {
    self.console = console
    self.isQuiet = isQuiet
    self.asJSON = asJSON
  }

  /// Says something that does not end the run; a quiet one keeps it until something else has to be said.
  func warn(_ diagnostic: Diagnostic) {
    warnings.append(diagnostic)
    if !isQuiet { sayWarnings() }
  }

  /// Says the warnings that were kept.
  func sayWarnings() {
    for warning in warnings[saidCount...] { console.warn(warning) }
    saidCount = warnings.count
  }

  /// Draws the progress line, ten times a second at most.
  func progress(_ step: String, _ counts: StepCounts, _ bytes: (read: Int, total: Int?)) {
    guard !isQuiet else { return }
    console.progress {
      var parts = ["\(step): \(counts.readCount) records"]
      if let total = bytes.total, total > 0 { parts.append("\(min(100, bytes.read * 100 / total)) %") }
      if counts.rejectCount > 0 { parts.append("\(counts.rejectCount) rejected") }
      return parts.joined(separator: ", ")
    }
  }

  /// Draws a progress line of what comes before the steps.
  func progress(_ line: String) {
    if !isQuiet { console.progress(line) }
  }

  /// Says what became of the store before the first step.
  func migrated(_ line: String) {
    migration = line
    console.clearProgress()
    if !isQuiet { console.note(line) }
  }

  /// Says how a run ended. What goes wrong is said by whoever catches it.
  ///
  /// - Parameters:
  ///   - isKept: whether the store is there.
  ///   - isDone: whether the run came to its end.
  func summarize(_ steps: [StepSummary], store: String, isKept: Bool, isDone: Bool) throws {
    self.steps = steps
    console.clearProgress()
    if asJSON { console.write(try json(steps, store: store, isKept: isKept)) }
    let isClean = isDone && steps.allSatisfy { $0.counts.rejectCount == 0 }
    guard !(isQuiet && isClean) else { return }
    sayWarnings()
    guard !steps.isEmpty else { return }
    if !asJSON {
      for line in Self.table(steps, isKept: isKept) { console.note(line) }
      console.note(
        isKept
          ? "store: \(store)" : "store: \(store) was not made, nothing is written: the run did not come to its end")
    }
    for step in steps {
      for (index, reject) in step.firstRejects.enumerated() {
        console.note("gantry: rejected: \(reject.line)")
        // Records are often wrong in the same way: a hint is said once.
        if !step.firstRejects[..<index].contains(where: { $0.hint == reject.hint }) { console.note("  \(reject.hint)") }
      }
      let more = step.counts.rejectCount - step.firstRejects.count
      if more > 0, !step.firstRejects.isEmpty { console.note("gantry: rejected: and \(more) more") }
      if let file = step.rejectFile { console.note("rejected: \(file)") }
    }
  }

  /// Tells a person at a terminal that the input is what is typed.
  func waitingForInput() {
    if Terminal.isTerminal(.input), !isQuiet { console.note("gantry: reading standard input; Control-D ends it") }
  }

  /// Says what a run has committed that was ended by trouble, and how to go on.
  func keepsPart(of steps: [StepSummary]) {
    let parts = steps.filter { $0.counts.readCount > 0 }.map { step in
      "\(step.counts.readCount) \(step.counts.readCount == 1 ? "record" : "records") of \(step.name)"
    }
    guard !parts.isEmpty else { return }
    console.note("gantry: committed, and kept in the store: \(parts.joined(separator: ", "))")
    console.note(
      "  With the same input the same command goes on behind them. With another begin anew by --restart; nothing comes a"
    )
    console.note("  second time where the step has a key and onConflict is update or skip.")
  }

  /// Says what a signal left behind and how to go on.
  func stopped(isKept: Bool) {
    console.note(
      isKept
        ? "gantry: stopped; the open chunk is rolled back. Run the same command again to go on behind the last one."
        : "gantry: stopped; nothing was made. Run the same command again to begin anew.")
  }

  // MARK: Table

  static func table(_ steps: [StepSummary], isKept: Bool = true) -> [String] {
    let header = ["step", "read", "filtered", "written", "rejected", "seconds", "rows/s", ""]
    return TextTable.lines(
      header, steps.map { cells($0, isKept: isKept) }, numbers: Set(header.indices.dropFirst().dropLast()))
  }

  private static func cells(_ step: StepSummary, isKept: Bool) -> [String] {
    let counts = isKept ? step.counts : step.counts.takenBack
    var notes: [String] = []
    if !isKept, step.counts.writeCount > 0 { notes.append("\(step.counts.writeCount) taken back") }
    for (count, word) in [
      (counts.insertCount, "new"), (counts.updateCount, "changed"), (counts.unchangedCount, "unchanged"),
      (counts.createCount, "made for a missing key"), (counts.nullLinkCount, "missing keys left out"),
    ] where count > 0 { notes.append("\(count) \(word)") }
    if let rule = step.conflictRule { notes.append("on conflict: \(rule.rawValue)") }
    let rate = step.seconds > 0 ? Int(Double(counts.readCount) / step.seconds) : 0
    return [
      ShownText.excerpt(step.name), "\(counts.readCount)", "\(counts.filterCount)", "\(counts.writeCount)",
      "\(counts.rejectCount)",
      seconds(step.seconds), "\(rate)", notes.joined(separator: ", "),
    ]
  }

  private static func seconds(_ seconds: Double) -> String {
    let hundredths = Int((seconds * 100).rounded())
    return "\(hundredths / 100)." + (hundredths % 100 < 10 ? "0" : "") + "\(hundredths % 100)"
  }

  // MARK: JSON

  private struct Summary: Encodable {
    var store: String
    var kept: Bool
    var seconds: Double
    var migration: String?
    var warnings: [DiagnosticSummary]
    var steps: [Step]
  }

  private struct Step: Encodable {
    var name: String
    var read: Int
    var filtered: Int
    var written: Int
    var rejected: Int
    var seconds: Double
    var onConflict: String?
    var rejectFile: String?
    var counts: StepCounts
  }

  private func json(_ steps: [StepSummary], store: String, isKept: Bool) throws -> String {
    let summary = Summary(
      store: store, kept: isKept, seconds: stopwatch.seconds,
      migration: migration, warnings: warnings.map(DiagnosticSummary.init),
      steps: steps.map { step in
        let counts = isKept ? step.counts : step.counts.takenBack
        return Step(
          name: step.name, read: counts.readCount, filtered: counts.filterCount, written: counts.writeCount,
          rejected: counts.rejectCount, seconds: step.seconds, onConflict: step.conflictRule?.rawValue,
          rejectFile: step.rejectFile, counts: counts)
      })
    return try JSONText.of(summary)
  }
}

extension StepCounts {
  /// The counts of a step whose store was thrown away: nothing is written.
  fileprivate var takenBack: StepCounts {
    var counts = self
    (counts.insertCount, counts.updateCount, counts.unchangedCount) = (0, 0, 0)
    (counts.createCount, counts.nullLinkCount, counts.commitCount) = (0, 0, 0)
    return counts
  }
}
