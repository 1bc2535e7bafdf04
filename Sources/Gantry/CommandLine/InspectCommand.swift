import Bytes
import Diagnostics
import Foundation
import Migration
import ObjectModel
import SQLiteStore

extension Command {
  static let inspect = Command(
    words: ["inspect"], operands: "STORE|MODEL",
    summary: "Print what a store or a model is: versions, hashes, entities, rows. Nothing is changed or left behind.",
    options: InspectCommand.options, run: InspectCommand.run)
}

/// `gantry inspect`.
enum InspectCommand {
  static let options = [
    OptionDescription("model", .text("MODEL"), "a model, of whose versions the one that fits is found"),
    Command.modelVersionOption,
    OptionDescription("json", .flag, "print it as JSON"),
  ]

  static func run(_ arguments: Arguments, _ console: Console) throws -> ExitStatus {
    try arguments.expectOperands(1)
    let operand = ModelOperand(arguments.operands[0])
    var report: InspectionReport
    let hashes: [String: Data]
    if operand.isStore {
      let inspection = try StoreInspection(operand.path)
      report = InspectionReport(inspection, operand.path)
      hashes = inspection.hashes
    } else {
      let model = try operand.model(version: arguments.value("modelVersion"))
      for warning in model.warnings { console.warn(warning) }
      report = InspectionReport(model, operand.path)
      hashes = model.entityVersionHashesByName
    }
    if let model = arguments.value("model") {
      let operand = ModelOperand(model)
      let versions =
        operand.isStore
        ? ModelVersions(model, try operand.model()) : try ModelVersions(contentsOf: URL(fileURLWithPath: model))
      report.match(versions, hashes)
    }
    if arguments.has("json") {
      console.write(try JSONText.of(report))
    } else {
      for line in report.lines { console.print(line) }
    }
    return .done
  }
}
