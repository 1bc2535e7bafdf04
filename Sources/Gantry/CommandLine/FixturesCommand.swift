import Batch
import Bytes
import Diagnostics
import SQLiteStore

extension Command {
  static let fixtures = Command(
    words: ["fixtures"], operands: "PIPELINE.json5 DIR",
    summary:
      "Fill a store of each version of a pipeline's model from the pipeline's files: DIR/VERSION.sqlite, the same bytes each time.",
    options: FixturesCommand.options, run: FixturesCommand.run)
}

/// `gantry fixtures`.
enum FixturesCommand {
  /// The options of a run and of new stores but for those that are the same for all fixtures.
  private static let tuningOptions = (RunConfiguration.options + SQLiteStoreOptions.options)
    .filter { ["chunk", "skipLimit", "frameworkVersion", "journal"].contains($0.key) }

  static let options =
    [
      OptionDescription(
        "replace", .flag, "replace stores that an earlier run has made and nobody has changed; others are refused")
    ] + tuningOptions + [
      OptionDescription("quiet", .flag, "print nothing when all is well"),
      OptionDescription("json", .flag, "print the summary as JSON on standard output"),
    ]

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitStatus {
    try arguments.expectOperands(2)
    let (path, target) = (arguments.operands[0], arguments.operands[1])
    var pipeline = try PipelineFile.read(path)
    try ImportCommand.tune(&pipeline, arguments)
    if pipeline.newStore.template != nil, !arguments.has("quiet") { console.warn(.templateOfOneVersion()) }
    StopSignals.install()
    let run = try FixturesRun(
      pipeline, in: FileSystem.folder(of: path), to: target, replacing: arguments.has("replace"))
    let fixtures: [FixturesRun.Fixture]
    do {
      fixtures = try run.run { version in
        if !arguments.has("quiet") { console.progress("making \(version)") }
      }
    } catch {
      guard let signal = StopSignals.received else { throw error }
      console.note("gantry: stopped; \(target) is as it was. Run the same command again to begin anew.")
      return signal == .interrupt ? .interrupted : .terminated
    }
    let report = FixturesReport(fixtures)
    if arguments.has("json") { console.write(try JSONText.of(report)) }
    report.tell(console, isQuiet: arguments.has("quiet"), asJSON: arguments.has("json"))
    return report.status
  }
}
