import Bytes
import Diagnostics
import Foundation
import Migration
import ObjectModel
import SQLiteStore

extension Command {
  static let migrate = Command(
    words: ["migrate"], operands: "STORE --model MODEL | --rehearse DIR --model MODEL",
    summary: "Make a store of another version of its model one of the current version, or say what that would do; "
      + "or rehearse it on copies of all stores in a folder.",
    options: MigrateCommand.options, run: MigrateCommand.run)
}

/// `gantry migrate`.
enum MigrateCommand {
  static let options =
    [
      OptionDescription(
        "model", .text("MODEL"), "the versions: an .xcdatamodeld, a .momd, or a folder of such; required"),
      OptionDescription("to", .text("NAME"), "the version that the store becomes", default: "the current one"),
      OptionDescription("plan", .flag, "print what would be done, and touch nothing"),
      OptionDescription(
        "rehearse", .text("DIR"), "migrate copies of all stores in a folder, which stay as they are, and print a table"),
      OptionDescription("json", .flag, "print the plan, or the table, as JSON; with --plan or --rehearse"),
    ] + MigrateConfiguration.options + [
      OptionDescription(
        "reproducible", .flag, "make the same bytes of the same store: what is made anew is derived from the content"),
      OptionDescription(
        "recreate", .flag, "if the store is of no known version, move it aside and make a new, empty one"),
    ]

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitStatus {
    let isRehearsal = arguments.has("rehearse")
    try arguments.expectOperands(isRehearsal ? 0 : 1)
    guard let model = arguments.value("model") else {
      throw Diagnostic.usage("--model is missing", hint: "Name the versions of the store's model: --model MODEL.")
    }
    if arguments.has("json"), !arguments.has("plan"), !isRehearsal {
      throw Diagnostic.usage("--json goes with --plan or --rehearse", hint: "Say --plan --json.")
    }
    if isRehearsal { return try rehearse(model, arguments, console) }
    StopSignals.install()
    let store = URL(fileURLWithPath: arguments.operands[0])
    let versions = try KnownVersions(contentsOf: URL(fileURLWithPath: model), to: arguments.value("to"))
    for warning in versions.destination.model.warnings { console.warn(warning) }
    let mapping = mapping(arguments)
    let migrator = try SQLiteStoreMigrator(of: store)
    migrator.isReproducible = arguments.has("reproducible")
    let migration = StoreMigration(
      of: migrator, to: versions,
      mappings: try mapping.mappings(beside: URL(fileURLWithPath: model), in: "."), mapping.options)
    let plan: MigrationPlan
    do {
      plan = try migration.plan()
    } catch let error as Diagnostic where error.code == .migrationSource && arguments.has("recreate") {
      guard !arguments.has("plan") else { throw error }
      migrator.end()
      return try stoppable(store, console) {
        let aside = try StoreFiles(store).recreate(versions.destination.model)
        return "\(store.relativePath): made anew, empty; as it was: \(aside.path)"
      }
    }
    if arguments.has("plan") { return try show(plan, mapping.options, arguments, console) }
    let backup = StoreUpgrade.backup(of: store, arguments.value("backup"))
    let upgrade = StoreUpgrade(of: store, migration, plan, backup: backup)
    return try stoppable(store, console) {
      try upgrade.run(progress: { console.progress($0) }, warn: { console.warn($0) })
    }
  }

  static func mapping(_ arguments: Arguments) -> MappingConfiguration {
    var mapping = MappingConfiguration()
    mapping.mapping = arguments.values["mapping"]
    mapping.infer = arguments.has("infer")
    mapping.allowLoss = arguments.values["allowLoss"] ?? []
    mapping.copyUnchanged = arguments.has("copyUnchanged")
    return mapping
  }

  // MARK: The plan

  private static func show(
    _ plan: MigrationPlan, _ options: MigrationOptions, _ arguments: Arguments, _ console: Console
  ) throws -> ExitStatus {
    let report = MigrationReport(plan, options)
    if arguments.has("json") {
      console.write(try JSONText.of(report))
    } else {
      for line in report.lines { console.print(line) }
    }
    return report.isPossible ? .done : .store
  }

  // MARK: The run

  /// Runs what changes a store, and says what was done, or that a signal has stopped it before the new store was in its place.
  private static func stoppable(
    _ store: URL, _ console: Console, _ body: () throws -> String
  ) throws -> ExitStatus {
    StopSignals.hold()
    do {
      console.note(try body())
      return .done
    } catch {
      guard let signal = StopSignals.received else { throw error }
      console.note("gantry: stopped; \(store.relativePath) is as it was. Run the same command again to begin anew.")
      return signal == .interrupt ? .interrupted : .terminated
    }
  }
}
