import Diagnostics
import Foundation
import ObjectModel
import SQLiteStore

/// `gantry check` of a store.
enum CheckStoreCommand {
  static let options = [
    OptionDescription(
      "model", .text("MODEL"), "the model of the store", default: "the one that the store keeps of itself"),
    Command.modelVersionOption,
  ]

  static func findings(_ path: String, _ arguments: Arguments, _ console: Console) throws -> [CheckFinding] {
    let version = arguments.value("modelVersion")
    if version != nil, !arguments.has("model") {
      throw Diagnostic.usage("--model-version goes with --model", hint: "A store keeps one version of its model.")
    }
    do {
      let model = try ModelOperand(arguments.value("model") ?? path).model(version: version)
      for warning in model.warnings { console.warn(warning) }
      let store = try SQLitePersistentStore.open(at: URL(fileURLWithPath: path), model: model, readOnly: true)
      let findings = try store.findings()
      if findings.isEmpty {
        let count = try store.counts().reduce(0) { $0 + $1.count }
        console.note("\(path): sound, \(count == 1 ? "1 row" : "\(count) rows")")
      }
      return findings.map(CheckFinding.init)
    } catch let diagnostic as Diagnostic where diagnostic.code.fate == .store && arguments.has("json") {
      // What keeps a store from being opened is the one finding where programs read it.
      return [CheckFinding(diagnostic)]
    }
  }
}
