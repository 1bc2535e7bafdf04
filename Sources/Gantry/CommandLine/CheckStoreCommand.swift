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
    do {
      let (store, version) = try Command.openStore(path, arguments, warn: console.warn)
      let findings = try store.findings()
      if findings.isEmpty {
        let count = try store.counts().reduce(0) { $0 + $1.count }
        let ofVersion = version.map { " of \($0)" } ?? ""
        console.note("\(path): sound, \(count == 1 ? "1 row" : "\(count) rows")\(ofVersion)")
      }
      return findings.map(CheckFinding.init)
    } catch let diagnostic as Diagnostic where diagnostic.code.fate == .store && arguments.has("json") {
      // What keeps a store from being opened is the one finding where programs read it.
      return [CheckFinding(diagnostic)]
    }
  }
}
