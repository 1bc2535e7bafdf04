import Bytes
import Diagnostics
import Foundation

/// What `gantry export` says: the progress line, warnings, and the summary.
final class ExportReport {
  private let console: Console
  private let isQuiet: Bool
  private let asJSON: Bool
  private let stopwatch = Stopwatch()

  init(_ console: Console, isQuiet: Bool, asJSON: Bool) {
    self.console = console
    self.isQuiet = isQuiet
    self.asJSON = asJSON
  }

  /// Says something that does not end the run.
  func warn(_ diagnostic: Diagnostic) {
    if !isQuiet { tell(diagnostic) }
  }

  /// Says something of what is written: that is nothing to be quiet about.
  func tell(_ diagnostic: Diagnostic) { console.warn(diagnostic) }

  /// Draws the progress line, ten times a second at most.
  func progress(_ file: String, _ count: Int) {
    guard !isQuiet else { return }
    console.progress { "\(file): \(count) records" }
  }

  /// Says that a signal ended the run.
  func stopped() { console.note("gantry: stopped; nothing was made. Run the same command again to begin anew.") }

  /// Says what was written.
  func summarize(_ files: [ExportedFile], _ folder: String) throws {
    console.clearProgress()
    if asJSON { console.write(try JSONText.of(Summary(files, folder, stopwatch.seconds))) }
    guard !isQuiet, !asJSON else { return }
    let rows = files.filter { $0.count > 0 }.map { ($0.name, String($0.count)) }
    let names = max(4, rows.map(\.0.count).max() ?? 0)
    let counts = max(7, rows.map(\.1.count).max() ?? 0)
    for (name, count) in [("file", "records")] + rows {
      let padding = String(repeating: " ", count: names - name.count + counts - count.count)
      console.note("\(name)  \(padding)\(count)")
    }
    console.note("folder: \(folder)")
  }

  private struct Summary: Encodable {
    struct File: Encodable {
      var name: String
      var records: Int
    }

    var folder: String
    var seconds: Double
    var files: [File]

    init(_ files: [ExportedFile], _ folder: String, _ seconds: Double) {
      self.folder = folder
      self.seconds = seconds
      self.files = files.map { File(name: $0.name, records: $0.count) }
    }
  }
}
