import Bytes
import Diagnostics
import Foundation
import Migration
import ObjectModel

extension MigrateCommand {
  /// Migrates copies of all stores in a folder, one after the other, and says what came of it.
  static func rehearse(_ model: String, _ arguments: Arguments, _ console: Console) throws -> ExitStatus {
    for key in ["plan", "backup", "reproducible", "recreate"] where arguments.has(key) {
      throw Diagnostic.usage("--\(key) does not go with --rehearse", hint: "A rehearsal leaves the stores as they are.")
    }
    let folder = arguments.value("rehearse") ?? ""
    let versions = try KnownVersions(contentsOf: URL(fileURLWithPath: model), to: arguments.value("to"))
    for warning in versions.destination.model.warnings { console.warn(warning) }
    let mapping = mapping(arguments)
    let rehearsal = Rehearsal(
      to: versions, try mapping.mappings(beside: URL(fileURLWithPath: model), in: "."), mapping.options)
    let stores = try Rehearsal.stores(in: folder)
    StopSignals.install()
    StopSignals.hold()
    var results: [Rehearsal.Result] = []
    for (number, store) in stores.enumerated() {
      console.progress("\(store.lastPathComponent): \(number + 1) of \(stores.count)")
      results.append(try rehearsal.run(store))
      if let signal = StopSignals.received {
        console.note("gantry: stopped; the stores are as they were.")
        return signal == .interrupt ? .interrupted : .terminated
      }
    }
    console.clearProgress()
    let report = RehearsalReport(results, to: versions.destination.name)
    if arguments.has("json") {
      console.write(try JSONText.of(report))
    } else {
      for line in report.table { console.print(line) }
      report.explain(console)
    }
    return report.status
  }
}
