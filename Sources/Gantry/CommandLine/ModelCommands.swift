import Bytes
import Diagnostics
import Foundation
import Migration
import ObjectModel
import SQLiteStore

extension Command {
  static let modelVersionOption = OptionDescription(
    "modelVersion", .text("NAME"), "the version of the model", default: "the current one")

  /// The model of a store that is read.
  static let modelOfStoreOption = OptionDescription(
    "model", .text("MODEL"), "the model of the store", default: "the one that the store keeps of itself")

  static let modelHash = Command(
    words: ["model", "hash"], operands: "MODEL",
    summary: "Print the version hash of each entity, the digest and the checksum, separated by tabs.",
    options: [modelVersionOption]
  ) { arguments, console in
    let model = try openModel(arguments, console)
    for line in model.versionHashLines { console.print(line) }
    return .done
  }

  static let modelDDL = Command(
    words: ["model", "ddl"], operands: "MODEL",
    summary: "Print the SQL of a new store of the model, one statement a line.",
    options: [modelVersionOption]
  ) { arguments, console in
    let model = try openModel(arguments, console)
    let schema = try StoreSchema(model)
    for warning in schema.warnings { console.warn(warning) }
    for statement in schema.ddl() { console.write(statement) }
    return .done
  }

  static let modelCreate = Command(
    words: ["model", "create"], operands: "MODEL STORE",
    summary: "Make an empty store of the model.",
    options: [modelVersionOption] + SQLiteStoreOptions.options
  ) { arguments, console in
    let model = try openModel(arguments, console)
    let members = JSONNode(.object(try arguments.members(of: SQLiteStoreOptions.options)))
    let options = try JSONDecoder().decode(SQLiteStoreOptions.self, from: Data(members.json.utf8))
    let url = URL(fileURLWithPath: arguments.operands[1])
    try FileSystem.checkFolderIsWritable(of: url.path)
    let lock = try FileLock(store: url.path)
    defer { lock.release() }
    let builder = try StoreBuilder(at: url, model: model, options: options)
    for warning in builder.store.warnings { console.warn(warning) }
    try builder.complete()
    return .done
  }

  /// The model that the first operand names; its warnings are said.
  static func openModel(_ arguments: Arguments, _ console: Console) throws -> NSManagedObjectModel {
    try arguments.expectOperands(arguments.command.operands.split(separator: " ").count)
    let model = try ModelOperand(arguments.operands[0]).model(version: arguments.value("modelVersion"))
    for warning in model.warnings { console.warn(warning) }
    return model
  }

  /// A store that is read and not touched, with the model that the options name or the one that it keeps of itself.
  ///
  /// - Returns: the store, and its version of the model if that is not the current one.
  static func openStore(
    _ path: String, _ arguments: Arguments, warn: (Diagnostic) -> Void
  ) throws -> (store: SQLitePersistentStore, version: String?) {
    let version = arguments.value("modelVersion")
    if version != nil, !arguments.has("model") {
      throw Diagnostic.usage("--model-version goes with --model", hint: "A store keeps one version of its model.")
    }
    let model = try ModelOperand(arguments.value("model") ?? path).model(version: version)
    for warning in model.warnings { warn(warning) }
    let url = URL(fileURLWithPath: path)
    do {
      return (try SQLitePersistentStore.open(at: url, model: model, readOnly: true), version)
    } catch let error as Diagnostic where error.code == .storeIncompatibleModel && version == nil {
      // The store tells by its hashes which of the versions it is of.
      let hashes = try StoreInspection(path).hashes
      guard let fitting = try? KnownVersions(besides: model).version(of: hashes) else { throw error }
      return (try SQLitePersistentStore.open(at: url, model: fitting.model, readOnly: true), fitting.name)
    }
  }
}
