import Bytes
import Diagnostics
import Foundation
import ObjectModel
import SQLiteStore

extension Command {
  static let export = Command(
    words: ["export"], operands: "STORE DIR",
    summary: "Write all objects and links of a store into a folder of files that `gantry import` reads back.",
    options: ExportCommand.options, run: ExportCommand.run)
}

/// `gantry export`.
enum ExportCommand {
  private static let formatOption = OptionDescription(
    "format", .choice(ExportFormat.allCases.map(\.rawValue)), "the format of the files; json is not read back",
    default: "csv")

  static let options = [
    Command.modelOfStoreOption,
    Command.modelVersionOption,
    formatOption,
    OptionDescription("force", .flag, "replace an earlier export that is in the folder"),
    OptionDescription("quiet", .flag, "print nothing when all is well"),
    OptionDescription("json", .flag, "print the summary as JSON on standard output"),
  ]

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitStatus {
    try arguments.expectOperands(2)
    let (path, target) = (arguments.operands[0], arguments.operands[1])
    let format = arguments.value("format").flatMap { ExportFormat(rawValue: $0) } ?? .csv
    let report = ExportReport(console, isQuiet: arguments.has("quiet"), asJSON: arguments.has("json"))
    let (store, version) = try Command.openStore(path, arguments, warn: report.warn)

    StopSignals.install()
    let lock = try FileLock(store: target)
    defer { lock.release() }
    StopSignals.hold()
    let folder = try ExportFolder(
      target, replacing: arguments.has("force") ? EarlierExport(of: store.schema.entities) : nil)
    let events = ExportEvents(progress: report.progress, note: report.tell) { StopSignals.received }
    let run = ExportRun(store, to: folder, format, events: events)
    do {
      try run.run(
        model: FileSystem.resolved(arguments.value("model") ?? path).relative(to: folder.target),
        version: version,
        storeName: FileSystem.name(of: path))
      try folder.complete()
    } catch {
      folder.abandon()
      // A signal ends what SQLite is doing, too.
      guard let signal = StopSignals.received else { throw error }
      report.stopped()
      return signal == .interrupt ? .interrupted : .terminated
    }
    try report.summarize(run.summaries, target)
    return .done
  }
}

extension String {
  /// The way to this path from a folder; both are without links and dots.
  fileprivate func relative(to folder: String) -> String {
    let (own, other) = (split(separator: "/"), folder.split(separator: "/"))
    let common = zip(own, other).prefix { $0 == $1 }.count
    return (other[common...].map { _ in ".." } + own[common...]).joined(separator: "/")
  }
}
