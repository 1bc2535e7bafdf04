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
      return try recreate(store, versions.destination.model, console)
    }
    if arguments.has("plan") { return try show(plan, mapping.options, arguments, console) }
    let backup = StoreUpgrade.backup(of: store, arguments.value("backup"))
    let upgrade = StoreUpgrade(of: store, migration, plan, backup: backup)
    console.note(try upgrade.run(progress: { console.progress($0) }, warn: { console.warn($0) }))
    return .done
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
