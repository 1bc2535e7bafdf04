import Bytes
import Diagnostics
import Foundation
import Migration
import ObjectModel
import SQLiteStore

extension Command {
  static let migrate = Command(
    words: ["migrate"], operands: "STORE --model MODEL",
    summary: "Make a store of another version of its model one of the current version, or say what that would do.",
    options: MigrateCommand.options, run: MigrateCommand.run)
}

/// `gantry migrate`.
enum MigrateCommand {
  static let options =
    [
      OptionDescription(
        "model", .text("MODEL"), "the versions: an .xcdatamodeld, a .momd, or a folder of such; required"),
      OptionDescription("to", .text("NAME"), "the version that the store becomes", default: "the current one"),
      OptionDescription(
        "mapping", .list("FILE"), "a mapping: an .xcmappingmodel, or a JSON5 file; repeatable",
        default: "those beside the model"),
      OptionDescription("infer", .flag, "infer all mappings, whether there are mapping models or not"),
      OptionDescription("plan", .flag, "print what would be done, and touch nothing"),
      OptionDescription("json", .flag, "print the plan as JSON; with --plan"),
    ] + MigrationOptions.options + [
      OptionDescription(
        "backup", .text("PATH|none"), "where the store as it was is kept", default: "NAME.backup.sqlite beside it"),
      OptionDescription(
        "recreate", .flag, "if the store is of no known version, move it aside and make a new, empty one"),
    ]

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitStatus {
    try arguments.expectOperands(1)
    guard let model = arguments.value("model") else {
      throw Diagnostic.usage("--model is missing", hint: "Name the versions of the store's model: --model MODEL.")
    }
    if arguments.has("json"), !arguments.has("plan") {
      throw Diagnostic.usage("--json goes with --plan", hint: "Say --plan --json.")
    }
    let store = URL(fileURLWithPath: arguments.operands[0])
    let versions = try KnownVersions(contentsOf: URL(fileURLWithPath: model), to: arguments.value("to"))
    for warning in versions.destination.model.warnings { console.warn(warning) }
    let options = try self.options(arguments)
    let migration = StoreMigration(
      of: try SQLiteStoreMigrator(of: store), to: versions,
      mappings: try mappings(arguments, beside: URL(fileURLWithPath: model)), options)
    let plan: MigrationPlan
    do {
      plan = try migration.plan()
    } catch let error as Diagnostic where error.code == .migrationSource && arguments.has("recreate") {
      guard !arguments.has("plan") else { throw error }
      return try recreate(store, versions.destination.model, console)
    }
    if arguments.has("plan") { return try show(plan, options, arguments, console) }
    return try run(migration, plan, store, arguments, console)
  }

  /// The mapping models that are named, or else those in the folder of the model.
  private static func mappings(_ arguments: Arguments, beside model: URL) throws -> [any VersionMapping] {
    if arguments.has("infer") { return [] }
    if let named = arguments.values["mapping"] {
      return try named.map { path -> any VersionMapping in
        if path.hasSuffix(".xcmappingmodel") { return try MappingModelFile(contentsOf: URL(fileURLWithPath: path)) }
        return DeclaredMapping(try MappingFile.read(path), name: path)
      }
    }
    return try MappingModelFile.all(beside: model)
  }

  private static func options(_ arguments: Arguments) throws -> MigrationOptions {
    var options = MigrationOptions()
    options.allowLoss = arguments.values["allowLoss"] ?? []
    options.copyUnchanged = arguments.has("copyUnchanged")
    return options
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

  private static func run(
    _ migration: StoreMigration, _ plan: MigrationPlan, _ store: URL, _ arguments: Arguments, _ console: Console
  ) throws -> ExitStatus {
    guard !plan.isDone else {
      console.note("\(arguments.operands[0]): is of the version \(plan.path[0]) already; nothing to do")
      return .done
    }
    migration.events.warn = { console.warn($0) }
    migration.events.step = { number, count, source, destination in
      let step = count > 1 ? "step \(number) of \(count): " : ""
      console.progress("\(step)\(source) -> \(destination)")
    }
    migration.events.rows = { done, planned in console.progress("\(done) of \(planned) rows") }
    let backup = backup(of: store, arguments.value("backup"))
    try migration.run(plan, backup: backup)
    let rows = plan.steps[0].survey?.sourceRows.values.reduce(0, +) ?? 0
    console.note(
      "\(arguments.operands[0]): \(plan.path.joined(separator: " -> ")), \(rows == 1 ? "1 row" : "\(rows) rows")"
        + "; built in \(seconds(migration.times.building)) s, checked in \(seconds(migration.times.checking)) s"
        + (backup.map { "; as it was: \($0.relativePath)" } ?? ""))
    return .done
  }

  private static func seconds(_ duration: Duration) -> String {
    String(format: "%.2f", Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18)
  }

  private static func backup(of store: URL, _ wanted: String?) -> URL? {
    guard let wanted else { return StoreFiles(store).unused("backup") }
    return wanted == "none" ? nil : URL(fileURLWithPath: wanted)
  }

  private static func recreate(_ store: URL, _ model: NSManagedObjectModel, _ console: Console) throws -> ExitStatus {
    let aside = try StoreFiles(store).moveAside()
    let lock = try FileLock(store: store.path)
    defer { lock.release() }
    let builder = try StoreBuilder(at: store, model: model)
    try builder.complete()
    console.note("\(store.relativePath): made anew, empty; as it was: \(aside.path)")
    return .done
  }
}
